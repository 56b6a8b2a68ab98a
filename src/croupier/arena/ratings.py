"""Ratings and differences of contestants, with their confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import erfc, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from croupier.arena.outcomes import Duplicate, duplicates, gaps, price_of
from croupier.arena.plan import ROUND_ROBIN, Arena, Result
from croupier.arena.schedule import due, rounds, standings, tally, total
from croupier.bots.duel import Mean, mean

LEVEL: Final = 0.05
"""A difference is significant if its probability under equal strength is below this."""
EXACT: Final = 12
"""Up to this many values all sign combinations are tried, up to NORMAL a sample of them."""
SAMPLE: Final = 2000
NORMAL: Final = 30


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two contestants, in points per match."""

    first: str
    second: str
    duplicates: int
    gap: Mean
    chance: float
    """The probability of such a difference between equal contestants, corrected for the number of pairs
    (Holm)."""

    @property
    def significant(self) -> bool:
        return self.chance < LEVEL


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table."""

    name: str
    points: float
    """Points of meetings: 1 for each opponent beaten, 0.5 for a tie."""
    rating: Mean
    won: int
    drawn: int
    lost: int
    """Duplicates, counted for each opponent in them."""
    gap: Mean | None
    """Points per match above the opponents."""
    matches: int
    verdicts: dict[str, int]
    """Matches lost by verdict, by kind."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The content of a report."""

    arena: Arena
    results: Sequence[Result]
    standings: list[Standing]
    differences: list[Difference]
    total: int
    """The number of matches in the whole arena."""
    over: bool


def summary(arena: Arena, results: Sequence[Result]) -> Summary:
    """Return the summary of *results*."""
    played = duplicates(arena, results)
    known = rounds(arena, played)
    points = tally(arena, played, known)
    rated = ratings(arena, played)
    price = price_of(played)
    found = {pair: gaps(played, *pair, price) for pair in combinations(arena.names, 2)}
    lines = [
        _standing(name, points[name], rated[name], found, results) for name in standings(arena, played, known)
    ]
    if arena.format == ROUND_ROBIN:  # if all have met the same opponents, the difference breaks ties
        lines.sort(key=lambda line: (-line.points, -line.gap.value if line.gap else 0.0))
    return Summary(arena, results, lines, differences(found), total(arena), not due(arena, results))


def _standing(
    name: str,
    points: float,
    rating: Mean,
    found: dict[tuple[str, str], list[float]],
    results: Sequence[Result],
) -> Standing:
    own = [value for pair, values in found.items() if pair[0] == name for value in values]
    own += [-value for pair, values in found.items() if pair[1] == name for value in values]
    verdicts: dict[str, int] = {}
    for result in results:
        if result.verdict is not None and result.play.seats[result.verdict.seat] == name:
            verdicts[result.verdict.kind] = verdicts.get(result.verdict.kind, 0) + 1
    return Standing(
        name,
        points,
        rating,
        sum(value > 0 for value in own),
        sum(value == 0 for value in own),
        sum(value < 0 for value in own),
        mean(own) if own else None,
        sum(name in result.play.seats for result in results),
        verdicts,
    )


def ratings(arena: Arena, played: Sequence[Duplicate]) -> dict[str, Mean]:
    """Return the rating of each contestant: every duplicate is one game between those who met in it."""
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)  # the strength of contestants does not change
    known = {name: model.rating() for name in arena.names}
    for one in played:
        teams = [[known[name]] for name in one.meeting.contestants]
        after = model.rate(teams, ranks=[float(rank) for rank in one.ranks()])
        for name, (rating,) in zip(one.meeting.contestants, after, strict=True):
            known[name] = rating
    return {name: Mean(rating.mu, 1.96 * rating.sigma) for name, rating in known.items()}


def differences(found: dict[tuple[str, str], list[float]]) -> list[Difference]:
    """Return the differences of all pairs that have met, with their significance."""
    pairs = [(pair, values, chance(values)) for pair, values in found.items() if values]
    pairs.sort(key=lambda item: item[2])
    corrected: list[Difference] = []
    highest = 0.0
    for number, (pair, values, raw) in enumerate(pairs):
        highest = max(highest, min(1.0, raw * (len(pairs) - number)))
        corrected.append(Difference(*pair, len(values), mean(values), highest))
    order = list(found)
    return sorted(corrected, key=lambda one: order.index((one.first, one.second)))


def chance(values: Sequence[float]) -> float:
    """Return the probability of a mean at least as far from 0 if each value could have either sign."""
    many = len(values)
    if many >= NORMAL:
        spread = stdev(values)
        if spread == 0.0:
            return 0.0 if values[0] else 1.0
        return erfc(abs(fmean(values)) / (spread / sqrt(many)) / sqrt(2))
    reached = abs(sum(values)) - 1e-9
    if many <= EXACT:
        signs = list(product((1, -1), repeat=many))
    else:
        rng = Random(many)
        signs = [tuple(rng.choice((1, -1)) for _ in values) for _ in range(SAMPLE)]
        signs.append((1,) * many)  # includes the observed signs, so that the probability is never 0
    far = sum(
        abs(sum(sign * value for sign, value in zip(way, values, strict=True))) >= reached for way in signs
    )
    return far / len(signs)
