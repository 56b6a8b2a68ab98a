"""The points that objectives give for a window (R8)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import count
from croupier.games.sagrada.material import PRIVATE_COLOURS, PUBLIC_OBJECTIVES, Objective
from croupier.games.sagrada.placement import Window, diagonal

ROW: Final[i64] = 0x1F
COLUMN: Final[i64] = 0x08421


def public_points(number: int, window: Window) -> int:
    """Return the points of public objective *number* for *window*."""
    objective = PUBLIC_OBJECTIVES[number - 1]
    if objective.kind == "line":
        many = _lines(objective, window)
    elif objective.kind == "set":
        many = _sets(objective, window)
    else:
        many = _diagonals(window)
    return int(objective.points * many)


def private_points(number: int, window: Window) -> int:
    """Return the sum of the values of private objective *number*'s colour."""
    cells = window.colour(PRIVATE_COLOURS[number - 1])
    points: i64 = 0
    value: i64 = 0
    while value < 6:
        points += (value + 1) * count(cells & window.value(value))
        value += 1
    return int(points)


def all_different(window: Window, line: i64, colours: bool) -> bool:
    """Return True if no two dice on *line* have the same colour, or the same value."""
    number: i64 = 0
    while number < 6:
        cells = window.value(number) if not colours else window.colour(number) if number < 5 else 0
        cells &= line
        if cells & (cells - 1):
            return False
        number += 1
    return True


def _lines(objective: Objective, window: Window) -> i64:
    """Count the lines that are full and all different."""
    many: i64 = 0
    line: i64 = ROW if objective.rows else COLUMN
    at: i64 = 0
    while at < (4 if objective.rows else 5):
        if window.filled & line == line and all_different(window, line, objective.colours):
            many += 1
        line <<= 5 if objective.rows else 1
        at += 1
    return many


def _sets(objective: Objective, window: Window) -> i64:
    """Count the whole sets, that is the dice of the rarest member."""
    fewest: i64 = 20
    for member in objective.members:
        found = count(window.colour(member) if objective.colours else window.value(member))
        if found < fewest:
            fewest = found
    return fewest


def _diagonals(window: Window) -> i64:
    """Count the dice that touch one of their own colour diagonally, each once."""
    many: i64 = 0
    colour: i64 = 0
    while colour < 5:
        cells = window.colour(colour)
        many += count(cells & diagonal(cells))
        colour += 1
    return many
