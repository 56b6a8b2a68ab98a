"""The estimated value of a die on a cell of a window, for the heuristic bot.

A gain adds up certain points (a filled cell, the private objective) and likelier ones: lines of different
dice, sets, diagonals, and cells that still take many kinds of dice. Cells that take fewer kinds after the
placement count as a loss. A cell that few dice fit is filled first, while one of these dice is available.

A set of kinds of dice has bit ``die`` for each of its dice; powers and quotients come from tables.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, count, lowest
from croupier.games.sagrada.material import COLOURS, PATTERNS, PRIVATE_COLOURS, PUBLIC_OBJECTIVES, Objective
from croupier.games.sagrada.placement import Window, beside, diagonal
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import FIRST

OF_COLOUR: Final = vec[i64]([0x3F << 6 * colour for colour in range(5)])
OF_VALUE: Final = vec[i64]([0x1041041 << value for value in range(6)])
ALL: Final = 0x3FFFFFFF
KINDS: Final = 31
"""0 to 30 kinds of dice fit a cell."""


def _takes(symbol: str) -> int:
    """Return the kinds of dice that a printed *symbol* takes, as a set."""
    if symbol in COLOURS:
        return 0x3F << 6 * COLOURS.index(symbol)
    return 0x1041041 << int(symbol) - 1 if symbol in "123456" else ALL


PRINTED: Final = [[_takes(symbol) for symbol in pattern.grid] for pattern in PATTERNS]
EASE: Final = vec[float]([many / (many + 2.5) for many in range(KINDS)])
"""How easy it is to fill a cell, 0 to 1, by the number of kinds it takes."""
LONG: Final = 12
"""The number of turns left from which the chances are the best."""
HOPES: Final = [min(0.7, 0.1 + turns / 20) for turns in range(LONG + 1)]
"""The probability that one more die of a wanted kind comes, by the number of turns left."""
POWERS: Final = vec[float]([hope**many for hope in HOPES for many in range(6)])
"""The probability that 0 to 5 wanted dice come."""
FILLED: Final = vec[float](
    [(0.35 + 0.6 * min(1.0, many / 12)) * min(1.0, 0.3 + hope) for hope in HOPES for many in range(KINDS)]
)
"""The probability that a cell of a line will be filled, by the number of kinds that fit."""
UNKNOWN: Final = -1e9


class Evaluator:
    """The estimates for one window of one view."""

    def __init__(self, view: GlassView, window: Window) -> None:
        publics = [PUBLIC_OBJECTIVES[number - 1] for number in view.publics]
        self.lines: list[Objective] = [objective for objective in publics if objective.kind == "line"]
        self.others: list[Objective] = [objective for objective in publics if objective.kind != "line"]
        self.own: i64 = 0
        """The colours of the private objectives, as a set."""
        for number in view.privates:
            self.own |= 1 << PRIVATE_COLOURS[number - 1]
        self.solo = view.seats == 1
        rounds = view.options["rounds"]
        assert isinstance(rounds, int)
        self.turns: i64 = 2 * (rounds - view.round) + (1 if view.turn == FIRST else 0)
        """How many dice this seat may still place after this turn."""
        self.chances: i64 = self.turns if self.turns < LONG else LONG
        """The row of the tables."""
        self.printed: vec[i64] = vec[i64](PRINTED[window.pattern.number - 1])
        self.open: vec[i64] = self.printed[:]
        """The kinds of dice that each cell takes next to its neighbours."""
        self.dice: vec[i64] = vec[i64]([-1] * 20)
        self.filled: i64 = 0
        self.colours: vec[i64] = vec[i64]([0] * 5)
        """The cells with dice of each colour."""
        self.counts: vec[i64] = vec[i64]([0] * 11)
        """How many dice the window has of each colour, then of each value."""
        self.known_lines: vec[float] = vec[float]([UNKNOWN] * 15)
        """The current value of each line, five for each objective, if it is known."""
        self.known_sets: vec[float] = vec[float]([UNKNOWN] * 18)
        """The value that one more colour or value adds to sets, six for each objective, if it is known."""
        left = window.filled
        while left:
            cell = lowest(left)
            left &= left - 1
            self.put(cell, window.die(cell))

    def put(self, cell: i64, die: i64) -> None:
        """Put *die* on the empty *cell*."""
        self.dice[cell] = die
        self.filled |= bit(cell)
        self.colours[die // 6] |= bit(cell)
        self.counts[die // 6] += 1
        self.counts[5 + die % 6] += 1
        kinds = OF_COLOUR[die // 6] | OF_VALUE[die % 6]
        near = beside(bit(cell))
        while near:
            self.open[lowest(near)] &= ~kinds
            near &= near - 1
        self._forget()

    def lift(self, cell: i64) -> i64:
        """Take the die off *cell* and return it."""
        die = self.dice[cell]
        self.dice[cell] = -1
        self.filled &= ~bit(cell)
        self.colours[die // 6] &= ~bit(cell)
        self.counts[die // 6] -= 1
        self.counts[5 + die % 6] -= 1
        near = beside(bit(cell))
        while near:
            self._reopen(lowest(near))
            near &= near - 1
        self._forget()
        return die

    def _reopen(self, cell: i64) -> None:
        kinds = self.printed[cell]
        near = beside(bit(cell)) & self.filled
        while near:
            die = self.dice[lowest(near)]
            near &= near - 1
            kinds &= ~(OF_COLOUR[die // 6] | OF_VALUE[die % 6])
        self.open[cell] = kinds

    def _forget(self) -> None:
        i: i64 = 0
        while i < 15:
            self.known_lines[i] = UNKNOWN
            i += 1
        i = 0
        while i < 18:
            self.known_sets[i] = UNKNOWN
            i += 1

    def gain(self, die: i64, cell: i64) -> float:
        """Return the value of *die* on the empty *cell*."""
        colour = die // 6
        points: float = float(die % 6 + 1)
        worth: float = 3.0 if self.solo else 1.0
        if self.own >> colour & 1:
            worth += points * (0.6 if self.solo else 1.0)
        if self.solo:
            worth += 0.7 * points  # it does not go to the round track
        empty = 19 - count(self.filled)
        if empty < 1:
            empty = 1
        care: float = float(self.turns) / float(empty)
        if care > 1.0:
            care = 1.0
        lines = self._lines(cell)
        kinds = OF_COLOUR[colour] | OF_VALUE[die % 6]
        near = beside(bit(cell)) & ~self.filled
        before = self.open
        after = before[:] if self.lines else before
        while near:
            other = lowest(near)
            near &= near - 1
            taken = before[other]
            left = taken & ~kinds
            if self.lines:
                after[other] = left
            worth -= 1.6 * care * (EASE[count(taken)] - EASE[count(left)])
        worth -= 0.9 * care * EASE[count(before[cell])]
        for number, objective in enumerate(self.others):
            if objective.kind == "set":
                worth += self._set(objective, number, die)
            else:
                worth += self._diagonal(cell, colour)
        if self.lines:
            self.open = after
            self.dice[cell] = die
            hopes: float = 0.0
            for objective in self.lines:
                hopes += float(objective.points) * self._line(objective, cell)
            self.dice[cell] = -1
            self.open = before
            worth += hopes - lines
        return worth

    def _lines(self, cell: i64) -> float:
        """Return the expected points of the lines through *cell*."""
        hopes: float = 0.0
        first: i64 = 0
        for objective in self.lines:
            at = first + (cell // 5 if objective.rows else cell % 5)
            if self.known_lines[at] == UNKNOWN:
                self.known_lines[at] = self._line(objective, cell)
            hopes += float(objective.points) * self.known_lines[at]
            first += 5
        return hopes

    def _line(self, objective: Objective, cell: i64) -> float:
        """Return the probability that the line through *cell* will be full and all different."""
        if objective.rows:
            first = cell - cell % 5
            step: i64 = 1
            end = first + 5
        else:
            first = cell % 5
            step = 5
            end = first + 20
        colours = objective.colours
        used: i64 = 0
        at = first
        while at < end:
            die = self.dice[at]
            if die >= 0:
                kinds = OF_COLOUR[die // 6] if colours else OF_VALUE[die % 6]
                if used & kinds:
                    return 0.0
                used |= kinds
            at += step
        chance: float = 1.0
        at = first
        while at < end:
            if self.dice[at] < 0:
                many = count(self.open[at] & ~used)
                if many == 0:
                    return 0.0
                chance *= FILLED[self.chances * KINDS + many]
            at += step
        return chance

    def _set(self, objective: Objective, number: i64, die: i64) -> float:
        """Return what *die* adds to the expected points of whole sets; *number* is that of the objective."""
        mine = die // 6 if objective.colours else die % 6
        found: float = self.known_sets[6 * number + mine]
        if found == UNKNOWN:
            found = 0.0
            if int(mine) in objective.members:
                at = mine if objective.colours else 5 + mine
                before: float = self._sets(objective)
                self.counts[at] += 1
                found = float(objective.points) * (self._sets(objective) - before)
                self.counts[at] -= 1
            self.known_sets[6 * number + mine] = found
        return found

    def _sets(self, objective: Objective) -> float:
        """Return the expected number of whole sets."""
        hopes: float = 0.0
        first: i64 = 0 if objective.colours else 5
        whole: i64 = 1
        while whole < 6:
            chance: float = 1.0
            for member in objective.members:
                many = self.counts[first + member]
                if many < whole:
                    chance *= POWERS[6 * self.chances + whole - many]
            hopes += chance
            whole += 1
        return hopes

    def _diagonal(self, cell: i64, colour: i64) -> float:
        """Return how many dice touch their own colour at a corner with a die of *colour* on *cell*, and the
        expected number of more."""
        corners = diagonal(bit(cell))
        same = self.colours[colour]
        alike = corners & same
        worth: float = 1.0 if alike else 0.0
        while alike:
            if not diagonal(bit(lowest(alike))) & same:
                worth += 1.0
            alike &= alike - 1
        return worth + 0.1 * float(count(corners & ~self.filled))


def ease_of(pattern: int) -> float:
    """Return how easy it is to fill the whole *pattern*."""
    return sum([EASE[count(kinds)] for kinds in PRINTED[pattern - 1]])
