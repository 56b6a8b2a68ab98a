"""Redealing hidden cards."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.hidden import ELSEWHERE, HOLDERS, Odds, Ways, deal_out

WHOLE = 0xFF


POSSIBLE = [0b001111, 0b111100, 0b111111]
"""The first hand has no card 4 or 5, the second none of 0 and 1."""


def distributions() -> set[tuple[int, ...]]:
    """Return all deals of six cards to three hands of two within POSSIBLE."""
    found = set()
    for order in permutations(range(6)):
        hands = [sum(1 << card for card in order[at : at + 2]) for at in (0, 2, 4)]
        if all(hand & ~allowed == 0 for hand, allowed in zip(hands, POSSIBLE, strict=True)):
            found.add(tuple(hands))
    return found


def test_every_deal_inside_the_bounds_is_equally_likely() -> None:
    possible, expected = POSSIBLE, distributions()
    rng = Random(1)
    times = Counter(tuple(deal_out(0b111111, [2, 2, 2], possible, rng)) for _ in range(300 * len(expected)))
    assert set(times) == expected
    assert all(220 < many < 380 for many in times.values()), times


@given(st.permutations(range(8)), st.lists(st.integers(0, WHOLE), min_size=4, max_size=4), st.integers())
def test_a_real_deal_is_always_found_again(order: list[int], also: list[int], seed: int) -> None:
    real = [sum(1 << card for card in order[at : at + 2]) for at in (0, 2, 4, 6)]
    possible = [hand | more for hand, more in zip(real, also, strict=True)]
    hands = deal_out(WHOLE, [2, 2, 2, 2], possible, Random(seed))
    assert sum(hands) == WHOLE
    assert [hand.bit_count() for hand in hands] == [2, 2, 2, 2]
    assert all(hand & ~allowed == 0 for hand, allowed in zip(hands, possible, strict=True))


@pytest.mark.parametrize(
    ("cards", "rooms", "possible"),
    [
        (0b11, [1, 1], [0b01, 0b01]),  # card 1 fits into no hand
        (0b11, [2, 0], [0b01, 0b11]),
        (0b11, [1, 0], [0b11, 0b11]),  # too little room
        (0b11, [2, 1], [0b11, 0b11]),  # too much
        (0, [1], [0b1]),
    ],
)
def test_bounds_that_contradict_each_other_are_refused(
    cards: int, rooms: list[int], possible: list[int]
) -> None:
    with pytest.raises(ValueError, match="fit nowhere"):
        deal_out(cards, rooms, possible, Random(1))


def test_nothing_may_be_dealt() -> None:
    assert deal_out(0, [0, 0], [WHOLE, WHOLE], Random(1)) == [0, 0]


def test_ways_are_counted() -> None:
    anywhere = Ways([0b111], [6], 3)
    assert anywhere.count(0, 0, 6, 2 | 2 << 5 | 2 << 10) == 90
    bound = Ways([0b01, 0b11], [1, 3], 2)  # one card must go to the first hand
    assert bound.count(0, 0, 1, 2 | 2 << 5) == 3


def test_with_odds_a_deal_is_as_likely_as_its_cards_together() -> None:
    rng = Random(2)
    odds = Odds(1, [rng.choice([0.1, 0.3, 1.0]) for _ in range(6 * HOLDERS)])
    holders = [odds.of(3), odds.of(0), ELSEWHERE]
    assert holders == [1, 2, 3]
    weights = {
        deal: prod(
            odds.odds[card * HOLDERS + holder]
            for hand, holder in zip(deal, holders, strict=True)
            for card in range(6)
            if hand >> card & 1
        )
        for deal in distributions()
    }
    many = 20_000
    rooms = [2, 2, 2]
    times = Counter(tuple(deal_out(0b111111, rooms, POSSIBLE, rng, odds, holders)) for _ in range(many))
    assert set(times) <= set(weights)
    whole = sum(weights.values())
    # A finite number of exchanges leaves a trace of the equal start, so this is not exact.
    assert sum(abs(times[deal] / many - weight / whole) for deal, weight in weights.items()) < 0.2
