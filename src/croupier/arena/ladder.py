"""The ladder of a game: a round robin of all its bots in short matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.arena.plan import Arena, Contestant
from croupier.bots.strengths import names
from croupier.core.contract import Game
from croupier.core.options import Value

SHORT: Final[Mapping[str, dict[str, Value]]] = {
    "hearts": {"deals": 1, "match_games": 1},
    "tarock": {"deals": 1},
    "coinche": {"target": 100},
    "taroky": {"hands": 1},
}
"""Options for matches of one deal, or about one."""
SEED: Final = "ladder"


def ladder(game: Game, deals: int) -> Arena:
    """Return the arena in which every bot of *game* meets every other one on the same deals."""
    contestants = tuple(Contestant(name, name) for name in names(game))
    options = SHORT.get(game.name, {})
    return Arena(game.name, game.seats[-1], contestants, SEED, deals, options=options, records=False)
