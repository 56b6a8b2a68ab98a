"""Sampled states, which a seat cannot distinguish from the real one, in the hardest cases."""

from __future__ import annotations

from random import Random

import pytest

from croupier.games.taroky import GAME
from croupier.games.taroky.sample import contra_order, fits, sample
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.tests.positions import announcing, asked, dealt, discard_all, say, walk
from croupier.games.taroky.tests.positions import fresh as fresh_match
from croupier.games.taroky.vocabulary import CONTRA, NO, YES
from croupier.testing.conformance import check_sample
from croupier.testing.walks import seen


def check_all(state: TarokyState, rng: Random, times: int = 1) -> None:
    for seat in range(4):
        view = state.view(seat)
        expected = seen(state, seat)
        for _ in range(times):
            assert seen(sample(view, rng), seat) == expected


@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_a_match_can_be_sampled(seed: int) -> None:
    check_sample(GAME, GAME.options.read({"hands": 2, "ace_high": True}), seed, 0.15)


def test_extreme_hands_are_sampled() -> None:
    """Uni, Taroky, Trul and all kings at once: the calls limit the hands."""
    state = dealt(
        [
            "S1 S2 S3 S4 C1 C2 C3 C4 H1 H2 H3 H4",
            "T02 T03 T04 T05 T06 T07 T08 T09 T10 T11 T12 T13",
            "T01 T21 T22 SK T14 T15 T16 T17 SQ CQ HQ DQ",
        ],
        talon="D1 D2 D3 D4 DJ DR",
    )
    rng = Random(2)
    say(state, NO, NO, NO, NO, YES, YES)
    discard_all(state)
    for _ in walk(state, rng, 0.3):
        if rng.random() < 0.3:
            check_all(state, rng)


def test_the_lowest_trumps_make_povinnost_in_the_first_deal() -> None:
    state = fresh_match(hands=1)
    talon = [33, 34, 0, 1, 2, 3]  # II and III are in the talon
    rest = [card for card in range(54) if card not in talon]
    Random(4).shuffle(rest)
    state.set_out(rest, talon)
    rng = Random(5)
    for _ in walk(state, rng, 0.3):
        if rng.random() < 0.3:
            check_all(state, rng)


def test_who_was_asked_for_contra_is_part_of_the_world() -> None:
    for declarers, valat in (([2], None), ([1], 3), ([0], 2), ([3], 3)):
        state = announcing(*declarers)
        while state.phase != CONTRA:
            say(state, YES if state.turn == valat else NO)
        rng = Random(6)
        while state.phase == CONTRA:
            check_all(state, rng, 3)
            say(state, YES if rng.random() < 0.4 else NO)
        check_all(state, rng, 3)


def test_contra_order_is_that_of_the_rules() -> None:
    for declarers in ([2], [1], [3], [0]):
        for valat in (None, 0, 1, 2, 3):
            state = announcing(*declarers)
            while state.phase != CONTRA:
                say(state, YES if state.turn == valat else NO)
            side = int(state.declarers)
            order = contra_order(state.view(0), side, 0)
            assert all(fits(state.view(seat), side) for seat in range(4))
            assert asked(state) == order


def test_a_fresh_match_is_sampled_as_fresh() -> None:
    state = fresh_match()
    assert seen(sample(state.view(0), Random(0)), 0) == seen(state, 0)
