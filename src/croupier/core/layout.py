"""Observations as data: a view for a learning program, with a name for every number.

A game's ``encoding.py`` has a `Layout` and an `encode(view)`, which writes the fields of the layout in order:
first sets (of cards, of seats, one of several phases) as ones and zeros, then numbers, scaled to about -1 to
1. It returns the bytes of an array of 32-bit floats, without numpy.
"""

from __future__ import annotations

from struct import Struct, pack
from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit

PIECE: Final = 8
"""The number of members of a set that are written at once."""


def _pieces() -> list[bytes]:
    found = [b""]
    for size in range(PIECE + 1):
        masks = range(1 << size)
        found += [pack(f"={size}f", *[mask >> i & 1 for i in range(size)]) for mask in masks]
    return found


PIECES: Final = _pieces()
"""Every set of up to this many members as zeros and ones: a mask of *size* bits at ``2**size + mask``."""


class Field:
    """A named part of an observation: *size* consecutive numbers."""

    def __init__(self, name: str, size: int, words: str) -> None:
        self.name = name
        self.size = size
        self.words = words


class Layout:
    """The fields of an observation: first the sets, then the numbers."""

    def __init__(self, sets: list[Field], numbers: list[Field]) -> None:
        self.sets: Final = sets
        self.numbers: Final = numbers
        self.bits: Final = sum([field.size for field in sets])
        self.size: Final = self.bits + sum([field.size for field in numbers])
        self.blank: Final = bytes(4 * self.bits)
        self.tail: Final = Struct(f"={self.size - self.bits}f")
        self.start: Final[dict[str, int]] = {}
        """The start of each field."""
        at = 0
        for field in [*sets, *numbers]:
            assert field.name not in self.start, field.name
            self.start[field.name] = at
            at += field.size

    def table(self) -> list[tuple[int, int, str, str]]:
        """Return start, end, name and description of every field."""
        return [
            (self.start[field.name], self.start[field.name] + field.size, field.name, field.words)
            for field in [*self.sets, *self.numbers]
        ]


class Writer:
    """One observation, written from the first field of its *layout* to the last."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.pieces: list[bytes] = []
        self.written: i64 = 0
        """The number of zeros and ones in the pieces, and ..."""
        self.zeros: i64 = 0
        """... the number of zeros that come next."""
        self.numbers: list[float] = []

    def put(self, members: i64, size: i64) -> None:
        """Write the set *members*, a mask of *size* bits (at most 61)."""
        assert members >> size == 0, "a set must fit its field"
        if members == 0:
            self.zeros += size
            return
        self._fill()
        self.written += size
        while size > 0:
            part = size
            if part > PIECE:
                part = PIECE
            whole = bit(part)
            self.pieces.append(PIECES[whole + (members & whole - 1)])
            members >>= part
            size -= part

    def one(self, number: i64, size: i64) -> None:
        """Write the set with the single member *number*, of any *size*; a negative number means the empty
        set."""
        assert number < size, "a set must fit its field"
        if number < 0:
            self.zeros += size
            return
        self.zeros += number
        self.put(1, 1)
        self.zeros += size - number - 1

    def several(self, numbers: list[int], size: i64) -> None:
        """Write the set of *numbers*, of any *size*."""
        begin: i64 = 0
        while begin < size and numbers:
            part = size - begin
            if part > PIECE:
                part = PIECE
            members: i64 = 0
            for number in numbers:
                if begin <= number < begin + part:
                    members |= bit(number - begin)
            self.put(members, part)
            begin += part
        self.zeros += size - begin

    def number(self, value: float) -> None:
        """Write a number."""
        self.numbers.append(value)

    def done(self) -> bytearray:
        """Return the observation."""
        self._fill()
        assert self.written == self.layout.bits, "every set must have been written"
        self.pieces.append(self.layout.tail.pack(*self.numbers))
        return bytearray().join(self.pieces)

    def _fill(self) -> None:
        if self.zeros > 0:
            self.pieces.append(self.layout.blank[: 4 * self.zeros])
            self.written += self.zeros
            self.zeros = 0


def turned(mask: i64, seat: i64, seats: i64) -> i64:
    """Return a set of seats, renumbered from *seat* on."""
    return (mask >> seat | mask << (seats - seat)) & bit(seats) - 1


def away(other: i64, seat: i64, seats: i64) -> i64:
    """Return the set with the single seat *other*, renumbered from *seat* on; negative means the empty
    set."""
    if other < 0:
        return 0
    return bit((other - seat) % seats)
