"""All bots by name, and the strengths that lobbies offer first.

The searching strengths differ only in their budget: a weaker one searches less, but does not play badly on
purpose. `master` searches as long as `expert` and has the advice of a network; only games with a network have
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from croupier import games
from croupier.bots.ismcts import SearchBot
from croupier.bots.learned import Believer, LearnedBot
from croupier.core import contract
from croupier.core.contract import Bot, Game

RANDOM: Final = "random"
NOVICE: Final = "novice"
HEURISTIC: Final = "heuristic"
CLUB: Final = "club"
EXPERT: Final = "expert"
MASTER: Final = "master"

COMPILED: Final = not contract.__file__.endswith(".py")
SIMULATIONS: Final[Mapping[str, int]] = {NOVICE: 12, CLUB: 120, EXPERT: 1200, MASTER: 1200}
"""The number of simulations per move of each searching strength."""
STRENGTHS: Final = (RANDOM, NOVICE, CLUB, EXPERT, MASTER)
SEARCH_SECONDS: Final = 2.0
"""The maximum time in seconds for a decision of a searching bot while people wait for it."""


@cache
def players(game: Game) -> Mapping[str, Bot]:
    """Return all bots of *game* by name, weakest first. Bots have no state, so tables share them."""
    own = dict(game.bots())
    if type(game).sample is Game.sample:  # a game without samples cannot be searched
        return MappingProxyType(own)
    last = own.pop(HEURISTIC, None)
    found: dict[str, Bot] = {**own, NOVICE: searching(game, NOVICE)}
    if last is not None:
        found[HEURISTIC] = last
    found |= {CLUB: searching(game, CLUB), EXPERT: searching(game, EXPERT)}
    learned, believer = learned_bot(game), believer_of(game)
    if learned is not None or believer is not None:
        found[MASTER] = searching(game, MASTER, learned, believer)
    return MappingProxyType(found)


def searching(
    game: Game, strength: str, learned: LearnedBot | None = None, believer: Believer | None = None
) -> SearchBot:
    """Return the searching bot of a strength."""
    return SearchBot(game, SIMULATIONS[strength], learned, believer)


def learned_bot(game: Game) -> LearnedBot | None:
    """Return the bot of the network in the folder of *game*; None if it has none."""
    found = games.network(game)
    return LearnedBot(game, *found) if found is not None else None


def believer_of(game: Game) -> Believer | None:
    """Return what the beliefs in the folder of *game* know; None if it has none."""
    found = games.beliefs(game)
    return Believer(*found) if found is not None else None


def names(game: Game) -> list[str]:
    """Return the names of all bots of *game*, weakest first."""
    return list(players(game))


def strengths(game: Game) -> list[str]:
    """Return the named strengths of *game*, which lobbies offer first."""
    known = players(game)
    return [name for name in STRENGTHS if name in known]


def filler(game: Game) -> str:
    """Return the default bot for a seat: the best one that answers almost immediately.

    Interpreted rules are about fifty times slower: people would have to wait for a search.
    """
    return CLUB if COMPILED and CLUB in players(game) else _without_search(game)[-1]


def quick(game: Game) -> Bot:
    """Return the bot that decides if a searching bot does not answer: the strongest one without a search."""
    return players(game)[_without_search(game)[-1]]


def _without_search(game: Game) -> list[str]:
    return [name for name, bot in players(game).items() if not bot.searches]
