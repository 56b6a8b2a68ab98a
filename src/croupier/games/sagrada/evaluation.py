"""The estimated value of a die on a cell of a window, for the heuristic bot.

A gain adds up certain points (a filled cell, the private objective) and likelier ones: lines of different
dice, sets, diagonals, and cells that still take many kinds of dice. Cells that take fewer kinds after the
placement count as a loss; a cell that few dice fit is the best one to fill while one of them is there.
"""

from __future__ import annotations

from typing import Final

from croupier.games.sagrada.material import COLOURS, PATTERNS, PRIVATE_COLOURS, PUBLIC_OBJECTIVES, Objective
from croupier.games.sagrada.placement import Window
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import FIRST

OF_COLOUR: Final = [0x3F << 6 * colour for colour in range(5)]
OF_VALUE: Final = [0x1041041 << value for value in range(6)]
ALL: Final = 0x3FFFFFFF


def _neighbours(cell: int, steps: list[tuple[int, int]]) -> list[int]:
    row, column = divmod(cell, 5)
    return [
        (row + down) * 5 + column + right
        for down, right in steps
        if 0 <= row + down < 4 and 0 <= column + right < 5
    ]


BESIDE: Final = [_neighbours(cell, [(-1, 0), (0, -1), (0, 1), (1, 0)]) for cell in range(20)]
CORNERS: Final = [_neighbours(cell, [(-1, -1), (-1, 1), (1, -1), (1, 1)]) for cell in range(20)]
ROWS: Final = [[cell - cell % 5 + column for column in range(5)] for cell in range(20)]
COLUMNS: Final = [[cell % 5 + 5 * row for row in range(4)] for cell in range(20)]


def _takes(symbol: str) -> int:
    """Return the kinds of dice that a printed *symbol* takes, as a set."""
    if symbol in COLOURS:
        return OF_COLOUR[COLOURS.index(symbol)]
    return OF_VALUE[int(symbol) - 1] if symbol in "123456" else ALL


PRINTED: Final = [[_takes(symbol) for symbol in pattern.grid] for pattern in PATTERNS]


class Evaluator:
    """The estimates for one window of one view."""

    def __init__(self, view: GlassView, window: Window) -> None:
        self.window = window
        self.dice = window.dice()
        self.printed = PRINTED[window.pattern.number - 1]
        self.publics: list[Objective] = [PUBLIC_OBJECTIVES[number - 1] for number in view.publics]
        self.colours = [PRIVATE_COLOURS[number - 1] for number in view.privates]
        self.solo = view.seats == 1
        rounds = view.options["rounds"]
        assert isinstance(rounds, int)
        self.turns = 2 * (rounds - view.round) + (1 if view.turn == FIRST else 0)
        """How many dice this seat may still place after this turn."""
        self.hope = min(0.7, 0.1 + self.turns / 20)
        """The probability that one more die of a wanted kind comes."""

    def gain(self, die: int, cell: int) -> float:
        """Return the value of *die* on the empty *cell*."""
        dice = self.dice
        colour, value = divmod(die, 6)
        worth = 3.0 if self.solo else 1.0
        if colour in self.colours:
            worth += (value + 1) * (0.6 if self.solo else 1.0)
        if self.solo:
            worth += 0.7 * (value + 1)  # it does not go to the round track
        before = [(other, self._open(other)) for other in BESIDE[cell] if dice[other] < 0]
        lines = self._lines(cell)
        own = self._open(cell)
        dice[cell] = die
        empty = max(1, dice.count(-1))
        care = min(1.0, self.turns / empty)
        for other, kinds in before:
            worth -= 1.6 * care * (_ease(kinds) - _ease(self._open(other)))
        worth -= 0.9 * care * _ease(own)
        for objective in self.publics:
            if objective.kind == "set":
                worth += self._set(objective, die)
            elif objective.kind == "diagonal":
                worth += self._diagonal(cell, colour)
        worth += self._lines(cell) - lines
        dice[cell] = -1
        return worth

    def _open(self, cell: int) -> int:
        """Return the kinds of dice that *cell* still takes, as a set."""
        kinds = self.printed[cell]
        for other in BESIDE[cell]:
            die = self.dice[other]
            if die >= 0:
                kinds &= ~(OF_COLOUR[die // 6] | OF_VALUE[die % 6])
        return kinds

    def _lines(self, cell: int) -> float:
        """Return the expected points of the lines through *cell*."""
        hopes = 0.0
        for objective in self.publics:
            if objective.kind == "line":
                line = ROWS[cell] if objective.rows else COLUMNS[cell]
                hopes += objective.points * self._line(line, objective.colours)
        return hopes

    def _line(self, line: list[int], colours: bool) -> float:
        """Return the probability that *line* will be full and all different."""
        used = 0
        for cell in line:
            die = self.dice[cell]
            if die >= 0:
                kinds = OF_COLOUR[die // 6] if colours else OF_VALUE[die % 6]
                if used & kinds:
                    return 0.0
                used |= kinds
        chance = 1.0
        for cell in line:
            if self.dice[cell] < 0:
                many = (self._open(cell) & ~used).bit_count()
                if many == 0:
                    return 0.0
                chance *= (0.35 + 0.6 * min(1.0, many / 12)) * min(1.0, 0.3 + self.hope)
        return chance

    def _set(self, objective: Objective, die: int) -> float:
        """Return what *die*, already placed, adds to the expected points of whole sets."""
        counts = [0] * 6
        for other in self.dice:
            if other >= 0:
                counts[other // 6 if objective.colours else other % 6] += 1
        mine = die // 6 if objective.colours else die % 6
        if mine not in objective.members:
            return 0.0
        after = self._sets([counts[member] for member in objective.members])
        counts[mine] -= 1
        return objective.points * (after - self._sets([counts[member] for member in objective.members]))

    def _sets(self, counts: list[int]) -> float:
        hopes = 0.0
        for whole in range(1, 6):
            chance = 1.0
            for many in counts:
                if many < whole:
                    chance *= self.hope ** (whole - many)
            hopes += chance
        return hopes

    def _diagonal(self, cell: int, colour: int) -> float:
        """Return how many dice touch their own colour at a corner now, and the expected number of more."""
        alike = [
            other for other in CORNERS[cell] if self.dice[other] >= 0 and self.dice[other] // 6 == colour
        ]
        worth = 1.0 if alike else 0.0
        for other in alike:
            if not any(
                self.dice[far] >= 0 and self.dice[far] // 6 == colour for far in CORNERS[other] if far != cell
            ):
                worth += 1.0
        hopes = [other for other in CORNERS[cell] if self.dice[other] < 0]
        return worth + 0.1 * len(hopes)


def _ease(kinds: int) -> float:
    """Return how easy it is to fill a cell that takes these *kinds*, 0 to 1."""
    many = kinds.bit_count()
    return many / (many + 2.5)


def ease_of(pattern: int) -> float:
    """Return how easy it is to fill the whole *pattern*."""
    return sum(_ease(kinds) for kinds in PRINTED[pattern - 1])
