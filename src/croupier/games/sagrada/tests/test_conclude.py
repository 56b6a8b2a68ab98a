"""The end of a match whose other players have left (protocol 12.5)."""

from __future__ import annotations

from random import Random

import pytest

from croupier.core.contract import WATCHER
from croupier.games.sagrada import GAME
from croupier.games.sagrada.events import MatchEnded
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.tests.positions import do, in_turn, window
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import DICE


def walked(seats: int, steps: int, seed: int) -> tuple[GlassState, list[GlassView]]:
    """Return a match after some random steps, and the views that have been told of them."""
    rng = Random(f"{seats} {steps} {seed}")
    state = GAME.new(GAME.options.read({}), seats)
    views = [state.view(seat) for seat in (*range(seats), WATCHER)]
    while steps > 0 or not state.waiting:
        state.events = []
        draw = state.awaiting()
        if draw is not None:
            pool = rng.choices(draw.pool, k=draw.take) if draw.replace else rng.sample(draw.pool, draw.take)
            state.apply_draw(pool)
        else:
            seat = rng.choice([seat for seat in range(seats) if state.waiting >> seat & 1])
            state.apply(seat, rng.choice(state.legal_actions(seat)))
            steps -= 1
        hear(state, views)
    return state, views


def hear(state: GlassState, views: list[GlassView]) -> None:
    for event in state.events or []:
        for view in views:
            if event.heard_by(view.seat):
                view.hear(event)


@pytest.mark.parametrize("steps", range(0, 60, 3))
def test_told_views_are_complete_when_a_match_ends_early(steps: int) -> None:
    for seats in (2, 3, 4):
        state, views = walked(seats, steps, steps)
        if state.over():
            continue
        state.events = []
        state.conclude(seats - 1)
        hear(state, views)
        assert state.over()
        assert state.to_act() == 0
        assert state.awaiting() is None
        assert state.deal() == 1
        assert state.places()[seats - 1] == 1
        assert sorted(state.places()) == list(range(1, seats + 1))
        for view in views:
            assert view.facts() == state.view(view.seat).facts()
            assert view.ranking[0] == seats - 1
        assert [line.total for line in views[0].scores] == state.scores()
        assert state.clone().view(0).facts() == state.view(0).facts()


def test_the_others_follow_by_points() -> None:
    state = in_turn(window(14, "R5@4,1"), "R1 R2 R3", tools="6", seats=4)
    state.tokens = 1 | 5 << 8 | 3 << 16 | 4 << 24
    state.conclude(0)
    assert state.view(WATCHER).ranking == [0, 1, 3, 2]


def test_a_die_in_hand_goes_back() -> None:
    state = in_turn(window(14), "R5 G1", tools="10")
    do(state, "tool 10", "flip R5")
    state.conclude(1)
    assert [DICE[die] for die in state.view(0).pool] == ["G1", "R2"]
    assert state.events is not None
    assert isinstance(state.events[-1], MatchEnded)


def test_a_die_without_a_value_goes_back_into_the_bag() -> None:
    state = in_turn(window(14), "R5 G1", tools="11")
    before = state.bag
    do(state, "tool 11", "bag R5")
    state.apply_draw([12])
    state.conclude(1)
    assert state.bag == before + 1
    assert state.view(0).hand == -1


def test_an_active_tool_costs_nothing() -> None:
    state = in_turn(window(14, "R5@4,1"), "R1 G1", tools="2", tokens=3)
    do(state, "tool 2", "lift 4,1")
    state.conclude(1)
    assert state.view(0).tokens == [3, 3]
    assert state.view(0).used_tools == []
