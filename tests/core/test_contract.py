"""What the contract itself does: action names, draws, audiences, the loop over any game."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.contract import (
    PUBLIC,
    WATCHER,
    ActionTable,
    BadDraw,
    Draw,
    Event,
    Pace,
    RandomBot,
    RulesError,
    View,
    first_seat,
    play_out,
    sample,
    turns,
)
from croupier.core.dice import Dice
from tests.sample_game import GAME, CoinsState

# Actions


def test_actions_are_numbered_in_order_and_read_back() -> None:
    table = ActionTable([("play", ["2C", "QS"]), ("pass", []), ("bid", ["1", "2"])])
    assert [table.name(action) for action in range(len(table))] == [
        "play 2C",
        "play QS",
        "pass",
        "bid 1",
        "bid 2",
    ]
    assert [table.parse(name) for name in table.names] == [0, 1, 2, 3, 4]
    assert table.start == {"play": 0, "pass": 2, "bid": 3}


@pytest.mark.parametrize("text", ["", "play", "play 3C", "PASS", " pass", "pass "])
def test_an_unknown_action_is_refused(text: str) -> None:
    with pytest.raises(RulesError, match="unknown action"):
        ActionTable([("play", ["2C", "QS"]), ("pass", [])]).parse(text)


# Draws


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ([1, 2], "2 items drawn: expected 3"),
        ([1, 2, 3, 4], "4 items drawn: expected 3"),
        ([1, 2, 9], "9 drawn: it is not in the pool"),
        ([1, 1, 2], "1 drawn: it is not in the pool or was drawn before"),
    ],
)
def test_an_impossible_draw_is_refused(outcome: list[int], words: str) -> None:
    with pytest.raises(BadDraw, match=words):
        Draw([1, 2, 3, 3, 4], 3).check(outcome)


def test_possible_draws() -> None:
    Draw([1, 2, 3, 3, 4], 3).check([3, 1, 3])
    Draw([1, 2], 3, replace=True).check([2, 2, 2])
    Draw([], 0).check([])
    with pytest.raises(BadDraw):
        Draw([1, 2], 1, replace=True).check([3])


ITEMS = st.sampled_from([-1, 0, 1, 2, 31, 32, 60, 61, 62, 63, 64, 100])


@given(st.lists(ITEMS, max_size=6), st.lists(ITEMS, max_size=4))
def test_an_outcome_is_possible_if_the_pool_has_enough_of_each_item(
    pool: list[int], outcome: list[int]
) -> None:
    possible = not Counter(outcome) - Counter(pool)
    with nullcontext() if possible else pytest.raises(BadDraw):
        Draw(pool, len(outcome)).check(outcome)


@given(st.lists(st.integers(0, 20), min_size=1), st.booleans(), st.integers(), st.data())
def test_a_sampled_draw_is_possible(pool: list[int], replace: bool, seed: int, data: st.DataObject) -> None:
    take = data.draw(st.integers(0, len(pool)))
    before = pool[:]
    draw = Draw(pool, take, replace)
    draw.check(sample(draw, Dice(seed)))
    assert pool == before


# Events and views


def test_an_event_is_heard_by_its_audience() -> None:
    some = Event(0b0101)
    assert [some.heard_by(seat) for seat in (0, 1, 2, 3, WATCHER)] == [True, False, True, False, False]
    assert all(Event(PUBLIC).heard_by(seat) for seat in (0, 1, 2, 3, WATCHER))
    assert (some.opens, some.rests) == (False, False)


# Loops


@pytest.mark.parametrize(("mask", "seat"), [(1, 0), (0b1010, 1), (0b1000, 3)])
def test_the_first_seat_of_a_mask(mask: int, seat: int) -> None:
    assert first_seat(mask) == seat


def test_a_game_without_masks_of_its_own_can_be_played_out() -> None:
    state = GAME.new(GAME.options.read({}), 3)
    assert play_out(state, Dice(4)) == 3 * 5
    assert state.over()
    again = GAME.new(GAME.options.read({}), 3)
    play_out(again, Dice(4))
    assert again.scores() == state.scores()


def test_turns_lead_through_a_match() -> None:
    state = GAME.new(GAME.options.read({}), 3)
    seats = []
    for seat in turns(state, Dice(4)):
        assert seat == first_seat(state.to_act())
        seats.append(seat)
        state.apply(seat, state.legal_actions(seat)[0])
    assert len(seats) == 3 * 5
    assert state.over()
    assert list(turns(state, Dice(4))) == []


def test_a_roll_without_a_draw_is_our_own_mistake() -> None:
    with pytest.raises(AssertionError, match="no draw is due"):
        CoinsState([-1, -1], [0, 0], []).roll(Dice(1))


# Defaults


def test_the_random_bot_plays_everything_legal() -> None:
    view = View(0)
    view.legal = [3, 5, 8]
    assert {RandomBot().choose(view, Random(seed)) for seed in range(50)} == {3, 5, 8}


def test_a_game_says_no_more_than_it_must() -> None:
    assert list(GAME.bots()) == ["random"]
    assert isinstance(GAME.stand_in(), RandomBot)
    assert GAME.parse_draw(GAME.draw_name(6)) == 6
    for text in ("", "x", "-1", "²"):
        with pytest.raises(RulesError):
            GAME.parse_draw(text)
    pace = GAME.pace({})
    assert type(pace) is Pace
    assert (pace.before(Event(0)), pace.limit(View(0), True)) == (0.0, 0.0)
