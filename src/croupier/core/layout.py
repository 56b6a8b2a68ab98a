"""Observations as data: a view for a learning program, with a name for every number.

A game's ``encoding.py`` has a `Layout` and an `encode(view, out)`, which writes the fields of the layout in
order: first sets (of cards, of seats, one of several phases) as ones and zeros, then numbers, scaled to about
-1 to 1. A `Writer` keeps them as words of bits and as floats, without numpy; environments unpack all rows at
once. Sets of legal actions are written in the same way.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit

WORD: Final = 56
"""Bits per word: whole bytes for numpy, and small enough for a positive i64."""
FULL: Final[i64] = 0xFF_FFFF_FFFF_FFFF
"""A word with all bits set."""


class Field:
    """A named part of an observation: *size* consecutive numbers from *low* to *high*."""

    def __init__(self, name: str, size: int, words: str, low: float = 0.0, high: float = 1.0) -> None:
        self.name = name
        self.size = size
        self.words = words
        self.low = low
        self.high = high


class Layout:
    """The fields of an observation: first the sets, then the numbers."""

    def __init__(self, sets: list[Field], numbers: list[Field]) -> None:
        self.sets: Final = sets
        self.numbers: Final = numbers
        self.bits: Final = sum([field.size for field in sets])
        self.size: Final = self.bits + sum([field.size for field in numbers])
        self.start: Final[dict[str, int]] = {}
        """The start of each field."""
        at = 0
        for field in [*sets, *numbers]:
            assert field.name not in self.start, field.name
            self.start[field.name] = at
            at += field.size

    def writer(self, rows: int) -> Writer:
        """Return room for *rows* observations."""
        low = [field.low for field in self.numbers for _ in range(field.size)]
        high = [field.high for field in self.numbers for _ in range(field.size)]
        return Writer(self.bits, rows, low, high)

    def table(self) -> list[tuple[int, int, str, str]]:
        """Return start, end, name and description of every field."""
        return [
            (self.start[field.name], self.start[field.name] + field.size, field.name, field.words)
            for field in [*self.sets, *self.numbers]
        ]


class Writer:
    """*rows* of *bits* zeros and ones each, and of numbers from *low* to *high*, written field by field."""

    def __init__(self, bits: int, rows: int, low: list[float], high: list[float]) -> None:
        self.floats: i64 = len(low)
        self.low: vec[float] = vec[float](low)
        self.high: vec[float] = vec[float](high)
        self.width: i64 = bits // WORD + 1
        """The number of words in a row."""
        self.words: vec[i64] = vec[i64]([0] * (rows * self.width))
        self.numbers: vec[float] = vec[float]([0.0] * (rows * len(low)))
        self.sums: vec[i64] = vec[i64]([0] * 16)
        """Scratch space for sums that a game computes while it writes a row."""
        self.at: i64 = 0
        """The position of the current word, its bits, and how many of them are written."""
        self.word: i64 = 0
        self.filled: i64 = 0
        self.last: i64 = 0
        """The end of the row's words."""
        self.begun: i64 = 0
        """The position of the first number of the row, and of the next one."""
        self.next: i64 = 0

    def begin(self, row: i64) -> None:
        """Begin to write *row*."""
        self.at = row * self.width
        self.last = self.at + self.width
        self.word = 0
        self.filled = 0
        self.begun = row * self.floats
        self.next = self.begun

    def end(self) -> None:
        """Finish the row; sets that were not written are empty."""
        self.words[self.at] = self.word
        self.at += 1
        while self.at < self.last:
            self.words[self.at] = 0
            self.at += 1

    def put(self, members: i64, size: i64) -> None:
        """Write the set *members*, a mask of *size* bits (at most 61)."""
        assert members >> size == 0, "a set must fit its field"
        self.word |= (members << self.filled) & FULL
        room = WORD - self.filled
        while size >= room:
            self.words[self.at] = self.word
            self.at += 1
            members >>= room
            self.word = members & FULL
            self.filled = 0
            size -= room
            room = WORD
        self.filled += size

    def skip(self, size: i64) -> None:
        """Write an empty set of any *size*."""
        self.filled += size
        while self.filled >= WORD:
            self.words[self.at] = self.word
            self.at += 1
            self.word = 0
            self.filled -= WORD

    def one(self, number: i64, size: i64) -> None:
        """Write the set with the single member *number*, of any *size*; a negative number means the empty
        set."""
        assert number < size, "a set must fit its field"
        if number < 0:
            self.skip(size)
            return
        self.skip(number)
        self.put(1, 1)
        self.skip(size - number - 1)

    def several(self, numbers: list[int], size: i64) -> None:
        """Write the set of *numbers*, of any *size*."""
        begin: i64 = 0
        while begin < size and numbers:
            part = size - begin
            if part > WORD:
                part = WORD
            members: i64 = 0
            for number in numbers:
                if begin <= number < begin + part:
                    members |= bit(number - begin)
            self.put(members, part)
            begin += part
        self.skip(size - begin)

    def number(self, value: float) -> None:
        """Write a number, limited to its bounds."""
        at = self.next - self.begun
        if value < self.low[at]:
            value = self.low[at]
        elif value > self.high[at]:
            value = self.high[at]
        self.numbers[self.next] = value
        self.next += 1


def turned(mask: i64, seat: i64, seats: i64) -> i64:
    """Return a set of seats, renumbered from *seat* on."""
    return (mask >> seat | mask << (seats - seat)) & bit(seats) - 1


def away(other: i64, seat: i64, seats: i64) -> i64:
    """Return the set with the single seat *other*, renumbered from *seat* on; negative means the empty
    set."""
    if other < 0:
        return 0
    return bit((other - seat) % seats)
