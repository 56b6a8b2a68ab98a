"""The ladder of a game: a round robin of all its bots in short matches."""

from __future__ import annotations

from typing import Final

from croupier.arena.plan import Arena, Contestant
from croupier.bots.strengths import names
from croupier.core.contract import Game

SEED: Final = "ladder"


def ladder(game: Game, deals: int) -> Arena:
    """Return the arena in which every bot of *game* meets every other one on the same deals."""
    contestants = tuple(Contestant(name, name) for name in names(game))
    return Arena(game.name, game.seats[-1], contestants, SEED, deals, options=dict(game.short), records=False)
