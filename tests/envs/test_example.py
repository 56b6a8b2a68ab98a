"""examples/train_hearts.py: what it sees at a table is what it was trained on, and it learns."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from croupier import games
from croupier.bots.duel import duel
from croupier.core.contract import Bot, RandomBot, View, first_seat
from croupier.core.dice import Dice
from croupier.envs.setup import Setup

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = spec_from_file_location("train_hearts", EXAMPLES / "train_hearts.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["train_hearts"] = module
    spec.loader.exec_module(module)
    return module


def told(view: View) -> tuple[dict[str, Any], list[str]]:
    """Return the view and the legal actions as a question of the house protocol brings them."""
    names = games.game("hearts").actions
    to_act = [seat for seat in range(4) if view.to_act >> seat & 1]
    facts: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view.facts()))
    return {"seat": view.seat, "to_act": to_act, **facts}, [names.name(action) for action in view.legal]


def test_a_table_shows_what_the_environment_shows(example: Any) -> None:
    setup = Setup.read("hearts", None, "match", {"deals": 2, "match_games": 2})
    rng, dice = Random(3), Dice(3)
    state = setup.start()
    questions = 0
    while not state.over():
        waiting = state.to_act()
        if not waiting:
            state.roll(dice)
            continue
        seat = int(first_seat(waiting))
        view = state.view(seat)
        rebuilt = example.view_of(*told(view))
        assert rebuilt.legal == view.legal
        assert np.array_equal(setup.observe(rebuilt), setup.observe(view))
        questions += 1
        state.apply(seat, rng.choice(state.legal_actions(seat)))
    assert questions > 200


def test_three_cards_are_passed_in_one_answer(example: Any) -> None:
    class Highest(Bot):
        def choose(self, view: View, rng: Random) -> int:
            return view.legal[-1]

    game = games.game("hearts")
    state = game.new(game.options.read({}), 4)
    state.roll(Dice(1))
    facts, legal = told(state.view(0))
    assert example.answer(Highest(), facts, legal) == legal[:-4:-1]
    assert state.legal_actions(0)[-1] == game.actions.parse(example.answer(Highest(), facts, legal)[0])


def test_a_network_is_kept(example: Any, tmp_path: Path) -> None:
    net = example.Net.fresh(831, 106, np.random.default_rng(1))
    net.save(tmp_path / "net.npz")
    again = example.Net.load(tmp_path / "net.npz")
    assert all(np.array_equal(a, b) for a, b in zip(net.weights, again.weights, strict=True))


@pytest.mark.slow
def test_a_network_learns_what_it_is_told(example: Any) -> None:
    rng = np.random.default_rng(1)
    net = example.Net.fresh(12, 3, rng)
    seen = rng.standard_normal((256, 12)).astype(np.float32)
    actions = rng.integers(3, size=256)
    results = np.where(actions == 1, seen[:, 0], -seen[:, 1])
    first = net.learn(seen, actions, results, 0.003)
    for _ in range(150):
        last = net.learn(seen, actions, results, 0.003)
    assert last < first / 4


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.nightly
def test_it_learns_to_beat_random_play(example: Any) -> None:
    """A number of rounds, not seconds: a busy machine learns the same. Interpreted rules take three times as
    long."""
    net = example.train(10)
    found = duel(
        games.game("hearts"),
        example.PolicyBot(net),
        RandomBot(),
        150,
        seed=2,
        options={"deals": 1, "match_games": 1},
    )
    assert found.difference.value > found.difference.margin, str(found.difference)


def test_called_wrongly_it_says_how(example: Any) -> None:
    with pytest.raises(SystemExit, match=r"python train_hearts\.py train FILE"):
        example.main(["rubbish"])
