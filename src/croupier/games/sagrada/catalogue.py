"""The printed material as plain data: the meaning of the protocol's numbers."""

from __future__ import annotations

from croupier.core.contract import Plain
from croupier.games.sagrada.material import (
    CELLS,
    COLOUR_WORDS,
    COLUMNS,
    PATTERNS,
    PRIVATE_COLOURS,
    PUBLIC_OBJECTIVES,
    TOOLS,
    Pattern,
)
from croupier.games.sagrada.vocabulary import TURNS


def material() -> Plain:
    """Return all windows, tools and objectives, each with its number."""
    return {
        "windows": [{"number": one.number, "tokens": one.tokens, "rows": rows(one)} for one in PATTERNS],
        "private_goals": [
            {"number": number, "colour": COLOUR_WORDS[colour]}
            for number, colour in enumerate(PRIVATE_COLOURS, 1)
        ],
        "public_goals": [
            {"number": one.number, "points": one.points, "rule": one.rule} for one in PUBLIC_OBJECTIVES
        ],
        "tools": [
            {
                "number": one.number,
                "turn": turn(one.turn),
                "before_drafting": one.before,
                "solo_colour": COLOUR_WORDS[one.solo_colour],
                "effect": one.effect,
            }
            for one in TOOLS
        ],
    }


def rows(pattern: Pattern) -> list[str]:
    """Return the four rows of a window, a symbol for each cell."""
    return [pattern.grid[at : at + COLUMNS] for at in range(0, CELLS, COLUMNS)]


def turn(number: int) -> str:
    """Return the turn of a round that allows a tool: ``first``, ``second`` or ``any``."""
    return "any" if number < 0 else TURNS[number]
