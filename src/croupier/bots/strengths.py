"""Every bot by name, and the four strengths that lobbies offer first.

The searching strengths differ in their budget alone: a weak one thinks less, it does not throw cards away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.bots.ismcts import SearchBot
from croupier.core import contract
from croupier.core.contract import Bot, Game

RANDOM: Final = "random"
NOVICE: Final = "novice"
HEURISTIC: Final = "heuristic"
CLUB: Final = "club"
EXPERT: Final = "expert"

COMPILED: Final = not contract.__file__.endswith(".py")
SIMULATIONS: Final[Mapping[str, int]] = {NOVICE: 12, CLUB: 120, EXPERT: 1200}
"""How many games each searching strength plays out in its mind before it moves."""
STRENGTHS: Final = (RANDOM, NOVICE, CLUB, EXPERT)
PATIENCE: Final = 2.0
"""Seconds that a searching bot takes over a decision at most while people wait for it."""


def players(game: Game) -> Mapping[str, Bot]:
    """Return every bot of *game* by name, weakest first; each call makes new ones, with empty memories."""
    own = dict(game.bots())
    if type(game).sample is Game.sample:  # nothing to imagine: such a game cannot be searched
        return own
    search = {name: SearchBot(game, budget) for name, budget in SIMULATIONS.items()}
    last = own.pop(HEURISTIC, None)
    found: dict[str, Bot] = {**own, NOVICE: search[NOVICE]}
    if last is not None:
        found[HEURISTIC] = last
    return {**found, CLUB: search[CLUB], EXPERT: search[EXPERT]}


def names(game: Game) -> list[str]:
    """Return the names of every bot of *game*, weakest first."""
    return list(players(game))


def strengths(game: Game) -> list[str]:
    """Return the named strengths of *game*, those that lobbies offer first."""
    known = players(game)
    return [name for name in STRENGTHS if name in known]


def filler(game: Game) -> str:
    """Return the bot that takes a seat where nobody says which: the best that answers almost at once.

    Interpreted rules are some fifty times slower: there people would wait for a search.
    """
    return CLUB if COMPILED and CLUB in names(game) else list(game.bots())[-1]


def quick(game: Game) -> Bot:
    """Return who decides where a searching bot does not answer: the strongest that needs no time."""
    return [bot for bot in game.bots().values() if not bot.searches][-1]
