"""The search bot: one for every game, by what a seat may know, within its budget."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from croupier import games
from croupier.bots.duel import duel
from croupier.bots.ismcts import CLOCK_EVERY, SearchBot
from croupier.bots.learned import considered
from croupier.core.contract import Game, RandomBot, State, View, first_seat, sample
from croupier.core.dice import Dice
from croupier.games.hearts import HeartsGame
from croupier.games.sagrada.vocabulary import CANCEL, FORFEIT


def decisions(game: Game, seed: int, wild: bool = False) -> Iterator[tuple[State, int, View]]:
    """Yield every decision of a match, which heuristics (or chance) then take."""
    rng = Random(seed)
    dice = Dice(seed)
    bot = RandomBot() if wild else game.bots()["heuristic"]
    state = game.new(game.options.read({**game.short}), game.seats[-1])
    while not state.over():
        draw = state.awaiting()
        if draw is not None:
            state.apply_draw(sample(draw, dice))
            continue
        seat = int(first_seat(state.to_act()))
        view = state.view(seat)
        yield state, seat, view
        action = bot.choose(view, rng)
        while action in game.reserved():
            action = bot.choose(view, rng)
        state.apply(seat, action)


class Silent(HeartsGame):
    """Hearts without a sampler, so that it cannot be searched."""

    def sample(self, view: View, rng: Random) -> State:
        raise AssertionError("a world was asked for")


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_every_decision_of_every_game_can_be_searched(name: str) -> None:
    game = games.game(name)
    bot = SearchBot(game, 8)
    again = SearchBot(game, 8)
    views = [view for _, _, view in decisions(game, 3)][::3]
    assert len(views) > 5
    for number, view in enumerate(views):
        action = bot.choose(view, Random(number))
        assert action in view.legal
        assert action == again.choose(view, Random(number))


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_the_budget_is_used_exactly_and_every_choice_is_valued(name: str) -> None:
    game = games.game(name)
    bot = SearchBot(game, 40)
    for number, (state, _, view) in enumerate(decisions(game, 5)):
        if number % 9 or len(considered(game, view)) < 2:
            continue
        found = bot.values(view, Random(1))
        assert sum(choice.visits for choice in found) == 40
        assert [choice.action for choice in found] == considered(game, view)
        assert sum(choice.advised for choice in found) <= 1
        assert all(choice.visits > 0 for choice in found) or len(found) > 40
        assert state.view(view.seat).facts() == view.facts()  # nothing was touched


def test_a_forced_move_costs_nothing() -> None:
    game = Silent()
    view = next(view for _, _, view in decisions(game, 1) if len(view.legal) == 1)
    assert SearchBot(game, 1000).choose(view, Random(1)) == view.legal[0]


def test_a_thought_ends_with_its_time_or_when_it_is_told_to() -> None:
    game = games.game("hearts")
    bot = SearchBot(game, 10**9)
    view = next(view for _, _, view in decisions(game, 1) if len(view.legal) > 3)
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) == 3

    found = bot.values(view, Random(1), stop=stop)
    assert sum(choice.visits for choice in found) == 3 * CLOCK_EVERY
    assert sum(choice.visits for choice in bot.values(view, Random(1), 0.0)) == CLOCK_EVERY
    assert bot.choose_within(view, Random(1), 0.0) in view.legal


def test_time_is_read_from_the_clock_of_the_search() -> None:
    game = games.game("hearts")
    view = next(view for _, _, view in decisions(game, 1) if len(view.legal) > 3)
    read = iter(range(100))
    bot = SearchBot(game, 10**9, clock=lambda: float(next(read)))
    found = bot.values(view, Random(1), 5.0)
    assert sum(choice.visits for choice in found) == 5 * CLOCK_EVERY


def test_what_only_a_clock_may_do_is_never_chosen_and_nothing_is_taken_back() -> None:
    game = games.game("sagrada")
    bot = SearchBot(game, 4)
    offered = 0
    for _, _, view in decisions(game, 2, wild=True):
        legal = considered(game, view)
        assert FORFEIT not in legal
        assert CANCEL not in legal or legal == [CANCEL]
        if FORFEIT in view.legal or CANCEL in view.legal:
            offered += 1
            assert bot.choose(view, Random(1)) in legal
    assert offered > 10


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", games.names())
def test_few_simulations_beat_chance(name: str) -> None:
    game = games.game(name)
    seats = 2 if name == "sagrada" else None
    options = {} if name == "sagrada" else dict(game.short)
    if name == "hearts":  # shooting the moon outweighs everything else in a few deals
        options = {**options, "moon": "zero"}
    found = duel(game, SearchBot(game, 12), RandomBot(), 6, 1, options, seats)
    assert found.difference.value > 0
