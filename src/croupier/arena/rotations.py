"""Seat rotations: every contestant plays every seat of a deal equally often."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def rotations(contestants: Sequence[T], seats: int) -> list[tuple[T, ...]]:
    """Return the ways to seat *contestants*, repeated around the table until it is full.

    >>> rotations("ab", 4)
    [('a', 'b', 'a', 'b'), ('b', 'a', 'b', 'a')]
    """
    many = len(contestants)
    found: dict[tuple[int, ...], None] = {}
    for shift in range(many):
        for turn in range(seats):
            found[tuple(((seat + turn) % seats + shift) % many for seat in range(seats))] = None
    return [tuple(contestants[place] for place in places) for places in found]


def neighbours(contestants: Sequence[str], deal: int) -> list[str]:
    """Return *contestants* in their seating order for *deal*: neighbours change with the deal."""
    order = list(contestants)
    if len(order) > 2:
        Random(f"{deal} {order}").shuffle(order)
    return order
