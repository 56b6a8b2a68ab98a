"""Card sets as bit masks: bit ``c`` is set when card ``c`` is in the set."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

# A 64-bit literal: mypyc writes small literals as 32-bit C ints, so that a
# compiled ``1 << card`` is wrong from card 32 on (mypyc 2.4). No literal here
# reaches 2**62: mypyc would turn it into an object and unpack it each time.
TOP: Final[i64] = 0x2000_0000_0000_0000

NOTHING: Final = vec[i64]([0, 0, 0, 0])
"""An empty set for each of four seats; shared, so copy it before changing it."""


def bit(card: i64) -> i64:
    """Return the set that holds *card* alone (``0 <= card < 62``)."""
    return TOP >> (61 - card)


def count(mask: i64) -> i64:
    """Return how many cards *mask* holds."""
    mask = mask - ((mask >> 1) & 0x1555_5555_5555_5555)
    mask = (mask & 0x3333_3333_3333_3333) + ((mask >> 2) & 0x3333_3333_3333_3333)
    mask = (mask + (mask >> 4)) & 0x0F0F_0F0F_0F0F_0F0F
    return mask * 0x0101_0101_0101_0101 >> 56 & 127


def lowest(mask: i64) -> i64:
    """Return the lowest card of a set that is not empty."""
    return count((mask & -mask) - 1)


def highest(mask: i64) -> i64:
    """Return the highest card of a set that is not empty."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    return count(mask) - 1


def nth(mask: i64, k: i64) -> i64:
    """Return the *k*-th card of *mask* in ascending order, counted from 0."""
    while k > 0:
        mask &= mask - 1
        k -= 1
    return count((mask & -mask) - 1)


def cards_of(mask: i64) -> list[int]:
    """Return the cards of *mask* in ascending order."""
    return numbered(mask, 0)


def numbered(mask: i64, first: i64) -> list[int]:
    """Return the cards of *mask* in ascending order as actions whose numbers begin with *first*."""
    out: list[int] = []
    while mask > 0:
        out.append(int(first + lowest(mask)))
        mask &= mask - 1
    return out


def mask_of(cards: list[int]) -> i64:
    """Return the set of *cards*."""
    mask: i64 = 0
    for card in cards:
        mask |= bit(card)
    return mask


def unpack(packed: i64, n: i64) -> list[int]:
    """Return the *n* cards of *packed* in their order, six bits per card."""
    return [int(packed >> 6 * i & 63) for i in range(n)]
