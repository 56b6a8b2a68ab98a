"""The heuristics are compiled: they decide the same as interpreted, and the same without a view."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from croupier import games
from croupier.core.cards import cards_of
from croupier.core.contract import turns
from croupier.core.dice import Dice
from tests.envs.test_compiled import shown
from tests.test_parity import ROOT, compiled_python

DECIDED = """
import hashlib
from random import Random
from croupier import games
from croupier.core import contract
from croupier.core.dice import Dice

digest = hashlib.sha256()
for name in games.names():
    game = games.game(name)
    bot = game.bots().get("heuristic")
    for seed in range(MATCHES if bot is not None else 0):
        dice, rng, decisions = Dice(seed), Random(seed), 0
        state = game.new(game.options.read({}), game.seats[seed % len(game.seats)])
        for seat in contract.turns(state, dice):
            # Now and then a random action, so that the bots come to unusual positions.
            view = state.view(seat)
            choice = rng.choice(view.legal) if rng.random() < 0.05 else bot.choose(view, rng)
            digest.update(f"{seat} {choice} ".encode())
            state.apply(seat, choice)
            decisions += 1
            if decisions == 400:
                break
print((contract.__file__ or "").endswith(".py"), digest.hexdigest())
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("matches", [4, pytest.param(100, marks=pytest.mark.nightly)])
def test_interpreted_and_compiled_heuristics_decide_the_same(matches: int, tmp_path: Path) -> None:
    program = DECIDED.replace("MATCHES", str(matches))
    ours = shown(program, sys.executable, tmp_path, ROOT / "src")
    theirs = shown(program, compiled_python(), tmp_path, None)
    assert (ours[0], theirs[0]) == ("True", "False")
    assert ours[1] == theirs[1]


@pytest.mark.parametrize("seed", [0, *[pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 12)]])
@pytest.mark.parametrize("name", games.names())
def test_at_a_position_a_bot_decides_as_from_the_view(name: str, seed: int) -> None:
    """Every seat at every decision, so that a bot that needs no view knows no more than the view contains."""
    game = games.game(name)
    rules = [{}, *(preset.options for preset in game.presets)]
    state = game.new(game.options.read(rules[seed % len(rules)]), game.seats[seed % len(game.seats)])
    rng = Random(seed)
    for seat in turns(state, Dice(seed)):
        for asked in cards_of(state.to_act()):
            for bot in game.bots().values():
                assert bot.choose_at(state, asked, Random(seed)) == bot.choose(
                    state.view(asked), Random(seed)
                )
        # Sometimes a random action, so that the bots come to unusual positions.
        choice = game.bots()["heuristic"].choose(state.view(seat), rng)
        state.apply(seat, rng.choice(state.legal_actions(seat)) if rng.random() < 0.2 else choice)
