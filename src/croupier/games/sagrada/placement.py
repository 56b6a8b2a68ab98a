"""Windows as sets of cells, and the placement rules P1 to P5 (R5).

A die is ``colour * 6 + value - 1``. For each colour and each value a window keeps the set of cells
that show it, three sets of 20 bits in a word, so that a rule takes a few operations on words.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, count
from croupier.games.sagrada.material import FULL, Pattern

BORDER: Final[i64] = 0xFC63F
LEFT: Final[i64] = 0x08421
RIGHT: Final[i64] = 0x84210

# Variants of the placement rules.
PLAIN: Final = 0
ANY_COLOUR: Final = 1
"""Ignore the printed colour (tool 2)."""
ANY_VALUE: Final = 2
"""Ignore the printed value (tool 3)."""
APART: Final = 3
"""Require that no die is on the cells around (tool 9)."""


def field(low: i64, high: i64, number: i64) -> i64:
    """Return set *number* (0 to 5) of those packed into two words."""
    if number < 3:
        return low >> 20 * number & FULL
    return high >> 20 * (number - 3) & FULL


def beside(cells: i64) -> i64:
    """Return the orthogonal neighbours of *cells*."""
    return ((cells & ~RIGHT) << 1 | (cells & ~LEFT) >> 1 | cells << 5 | cells >> 5) & FULL


def around(cells: i64) -> i64:
    """Return *cells* and all their neighbours, diagonal ones too."""
    row = cells | (cells & ~RIGHT) << 1 | (cells & ~LEFT) >> 1
    return (row | row << 5 | row >> 5) & FULL


def diagonal(cells: i64) -> i64:
    """Return the diagonal neighbours of *cells*."""
    row = (cells & ~RIGHT) << 1 | (cells & ~LEFT) >> 1
    return (row << 5 | row >> 5) & FULL


class Window:
    """A pattern and the dice on it."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.filled: i64 = 0
        self.low_colours: i64 = 0
        self.high_colours: i64 = 0
        self.low_values: i64 = 0
        self.high_values: i64 = 0

    def clone(self) -> Window:
        """Return an independent copy."""
        twin = Window(self.pattern)
        twin.filled = self.filled
        twin.low_colours = self.low_colours
        twin.high_colours = self.high_colours
        twin.low_values = self.low_values
        twin.high_values = self.high_values
        return twin

    def colour(self, colour: i64) -> i64:
        """Return the cells with dice of *colour*."""
        return field(self.low_colours, self.high_colours, colour)

    def value(self, value: i64) -> i64:
        """Return the cells with dice of *value*, which counts from 0."""
        return field(self.low_values, self.high_values, value)

    def fits(self, die: i64, rule: i64) -> i64:
        """Return the cells whose printed demands *die* meets (P2)."""
        pattern = self.pattern
        if rule == ANY_COLOUR:
            return field(pattern.low_values, pattern.high_values, die % 6)
        if rule == ANY_VALUE:
            return field(pattern.low_colours, pattern.high_colours, die // 6)
        return field(pattern.low_colours, pattern.high_colours, die // 6) & field(
            pattern.low_values, pattern.high_values, die % 6
        )

    def cells(self, die: i64, rule: i64, lifted: i64) -> i64:
        """Return the cells where *die* may go by P1 to P5, as if the dice on *lifted* were not there."""
        filled = self.filled & ~lifted
        fitting = self.fits(die, rule) & ~filled  # P1, P2
        if filled == 0:
            return fitting & BORDER  # P3
        if rule == APART:
            return fitting & ~around(filled)
        alike = (self.colour(die // 6) | self.value(die % 6)) & ~lifted
        return fitting & around(filled) & ~beside(alike)  # P4, P5

    def die(self, cell: i64) -> i64:
        """Return the die on *cell*, or -1."""
        one = bit(cell)
        if not self.filled & one:
            return -1
        colour: i64 = 0
        while not self.colour(colour) & one:
            colour += 1
        value: i64 = 0
        while not self.value(value) & one:
            value += 1
        return colour * 6 + value

    def put(self, cell: i64, die: i64) -> None:
        """Put *die* on the empty *cell*, without checking the rules."""
        self.filled |= bit(cell)
        self._turn(cell, die)

    def lift(self, cell: i64) -> i64:
        """Take the die off *cell* and return it."""
        die = self.die(cell)
        self.filled &= ~bit(cell)
        self._turn(cell, die)
        return die

    def _turn(self, cell: i64, die: i64) -> None:
        colour = die // 6
        value = die % 6
        if colour < 3:
            self.low_colours ^= bit(20 * colour + cell)
        else:
            self.high_colours ^= bit(20 * (colour - 3) + cell)
        if value < 3:
            self.low_values ^= bit(20 * value + cell)
        else:
            self.high_values ^= bit(20 * (value - 3) + cell)

    def dice(self) -> list[int]:
        """Return the die on each cell, row by row, -1 for none."""
        return [int(self.die(cell)) for cell in range(20)]

    def empty(self) -> i64:
        """Return how many cells are empty."""
        return 20 - count(self.filled)


def broken_rule(window: Window, die: i64, cell: i64, rule: i64, lifted: i64) -> str:
    """Return the rule of P1 to P5 (or tool 9's own, P9) that forbids *die* on *cell*; "" if none does."""
    one = bit(cell)
    filled = window.filled & ~lifted
    if filled & one:
        return "P1"
    if not window.fits(die, rule) & one:
        return "P2"
    if filled == 0:
        return "" if BORDER & one else "P3"
    if rule == APART:
        return "P9" if around(filled) & one else ""
    if not around(filled) & one:
        return "P4"
    alike = (window.colour(die // 6) | window.value(die % 6)) & ~lifted
    return "P5" if beside(alike) & one else ""
