"""Estimates how many deals an arena needs: from its results, or from a short trial among quick bots."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import ceil, floor, log10, sqrt
from statistics import fmean, variance
from time import monotonic
from typing import Final

import msgspec

from croupier.arena.outcomes import duplicates, gaps, price_of
from croupier.arena.plan import ROUND_ROBIN, Arena, Contestant, Result
from croupier.arena.play import play_bots
from croupier.arena.schedule import due
from croupier.games import game as find_game

FOUND: Final = 2.8
"""Standard errors between 0 and a difference that is found with a probability of 80 % at a level of 5 %."""
ENOUGH: Final = 10
"""Duplicates of a pair from which its spread is estimated."""
TRIAL: Final = 30
"""Duplicates of a trial."""
TRIAL_SECONDS: Final = 2.0
"""The time after which a trial ends, if it has enough duplicates for an estimate."""
NICE: Final = (1, 2, 5)


def spread(arena: Arena, results: Sequence[Result]) -> float:
    """Return the standard deviation of the difference between two contestants in one duplicate.

    It is 0 if it cannot be estimated.
    """
    known = _spread(arena, results)
    return known or _spread(*_trial(arena))


def needed(spread: float, points: float) -> int:
    """Return how many deals are needed to show a difference of *points*."""
    return max(2, ceil((FOUND * spread / points) ** 2))


def found_in(spread: float, deals: int) -> float:
    """Return the difference that this number of deals shows."""
    return FOUND * spread / sqrt(deals)


def examples(spread: float) -> list[float]:
    """Return three round differences, largest first: the first is at most *spread*."""
    power = floor(log10(spread))
    steps = [nice * 10.0**exponent for exponent in (power - 1, power) for nice in NICE]
    return [step for step in steps if step <= spread][-3:][::-1]


def _spread(arena: Arena, results: Sequence[Result]) -> float:
    played = duplicates(arena, results)
    price = price_of(played)
    found = [gaps(played, *pair, price) for pair in combinations(arena.names, 2)]
    variances = [variance(values) for values in found if len(values) >= ENOUGH]
    return sqrt(fmean(variances)) if variances else 0.0


def _trial(arena: Arena) -> tuple[Arena, list[Result]]:
    """Play some deals between the two best bots that do not search."""
    game = find_game(arena.game)
    quick = [name for name, bot in game.bots().items() if not bot.searches][-2:]
    contestants = tuple(Contestant(name, name) for name in quick)
    trial = msgspec.structs.replace(
        arena,
        contestants=contestants,
        at_table=2,
        format=ROUND_ROBIN,
        seed="trial",
        deals=TRIAL,
        records=False,
    )
    end = monotonic() + TRIAL_SECONDS
    results: list[Result] = []
    for play in due(trial, []) if len(quick) == 2 else ():
        if play.deal > ENOUGH and monotonic() > end:
            break
        results.append(play_bots(trial, play, game))
    return trial, results
