"""Tricks: suits of any length, with and without trumps."""

from __future__ import annotations

import pytest

from croupier.core.cards import mask_of
from croupier.core.tricks import above, beats, below, taken_by

LOW = mask_of(list(range(5)))
HIGH = mask_of(list(range(5, 13)))
TRUMPS = mask_of(list(range(40, 62)))


def test_cards_above_and_below() -> None:
    hand = mask_of([1, 3, 7, 61])
    assert above(hand, 3) == mask_of([7, 61])
    assert below(hand, 3) == mask_of([1])
    assert above(hand, 61) == 0
    assert below(hand, 0) == 0


@pytest.mark.parametrize(
    ("card", "best", "trumps", "expected"),
    [
        (3, 1, 0, True),
        (1, 3, 0, False),
        (9, 1, 0, False),  # another suit
        (41, 4, TRUMPS, True),
        (4, 41, TRUMPS, False),
        (60, 41, TRUMPS, True),
        (41, 60, TRUMPS, False),
        (9, 41, TRUMPS, False),
    ],
)
def test_what_beats_the_best_card_so_far(card: int, best: int, trumps: int, expected: bool) -> None:
    assert beats(card, best, LOW, trumps) is expected


@pytest.mark.parametrize(
    ("trick", "leader", "trumps", "seat"),
    [
        ([0, 4, 3, 9], 2, 0, 3),
        ([4, 0, 3, 9], 2, 0, 2),
        ([4, 40, 3, 61], 0, TRUMPS, 3),
        ([4, 61, 40, 3], 3, TRUMPS, 0),
        ([1, 2, 3], 1, 0, 0),  # three seats
    ],
)
def test_who_takes_a_trick(trick: list[int], leader: int, trumps: int, seat: int) -> None:
    assert taken_by(trick, leader, LOW, trumps) == seat
