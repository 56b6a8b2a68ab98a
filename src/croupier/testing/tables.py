"""Options of tables at which programs and tests play."""

from __future__ import annotations

from croupier.core.contract import Game
from croupier.core.options import Value

PAUSES = ("_pause", "_pause_ms", "_interval")
LENGTHS = {"deals": 4, "hands": 4, "rounds": 10, "target": 1000}
"""The options that make a match longer."""


def without_pauses(game: Game) -> dict[str, Value]:
    """Return the table options of *game* without pauses."""
    return {name: 0 for name in game.table_options.options if name.endswith(PAUSES)}


def several_deals(game: Game) -> dict[str, Value]:
    """Return the options of a match of *game* that has some deals, but not many."""
    return {**game.short, **{name: many for name, many in LENGTHS.items() if name in game.short}}
