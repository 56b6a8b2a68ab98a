"""Observations as data: what a view is for a learning program, named number by named number.

A game's ``encoding.py`` has a `Layout` and an `encode(view)`, which returns the values of the layout's sets
and numbers in their order. A set (of cards, of seats, one of several phases) is an integer whose bits become
zeros and ones; numbers are scaled to lie near -1 to 1. Nothing here needs numpy: croupier.envs makes arrays.
"""

from __future__ import annotations

from typing import Final


class Field:
    """A named piece of an observation: *size* numbers in a row."""

    def __init__(self, name: str, size: int, words: str) -> None:
        self.name = name
        self.size = size
        self.words = words


class Encoded:
    """A view in the order of a layout: its sets as integers, its numbers."""

    def __init__(self, sets: list[int], numbers: list[float]) -> None:
        self.sets = sets
        self.numbers = numbers


class Layout:
    """The fields of an observation: first those made of sets, then those made of numbers."""

    def __init__(self, sets: list[Field], numbers: list[Field]) -> None:
        self.sets: Final = sets
        self.numbers: Final = numbers
        self.sizes: Final = [field.size for field in sets]
        self.bits: Final = sum(self.sizes)
        self.size: Final = self.bits + sum([field.size for field in numbers])
        self.width: Final = (self.bits + 7) // 8
        """The bytes that the sets take."""
        self.start: Final[dict[str, int]] = {}
        """Where each field begins."""
        at = 0
        for field in [*sets, *numbers]:
            assert field.name not in self.start, field.name
            self.start[field.name] = at
            at += field.size

    def pack(self, sets: list[int]) -> bytes:
        """Return *sets* one behind the other, the first bit of the first set lowest."""
        assert len(sets) == len(self.sizes), "a value for every field"
        whole = 0
        for i in range(len(sets) - 1, -1, -1):
            whole = whole << self.sizes[i] | sets[i]
        return whole.to_bytes(self.width, "little")

    def table(self) -> list[tuple[int, int, str, str]]:
        """Return begin, end, name and words of every field."""
        return [
            (self.start[field.name], self.start[field.name] + field.size, field.name, field.words)
            for field in [*self.sets, *self.numbers]
        ]


def one(number: int) -> int:
    """Return the set of *number* alone; less than 0 is nothing."""
    return 1 << number if number >= 0 else 0


def several(numbers: list[int]) -> int:
    """Return the set of *numbers*."""
    whole = 0
    for number in numbers:
        whole |= 1 << number
    return whole


def row(sets: list[int], width: int) -> int:
    """Return *sets* of *width* bits each as one."""
    whole = 0
    for i in range(len(sets) - 1, -1, -1):
        whole = whole << width | sets[i]
    return whole


def turned(mask: int, seat: int, seats: int) -> int:
    """Return a set of seats counted from *seat* on."""
    whole = (1 << seats) - 1
    return (mask >> seat | mask << (seats - seat)) & whole


def away(other: int, seat: int, seats: int) -> int:
    """Return the set of *other* alone, counted from *seat* on; less than 0 is nobody."""
    return 1 << (other - seat) % seats if other >= 0 else 0
