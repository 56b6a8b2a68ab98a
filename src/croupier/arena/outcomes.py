"""Evaluates results: deals that were played in every rotation, and the differences between contestants.

A deal played once in each rotation of the seats is a *duplicate*. Only complete duplicates count, because
only they cancel luck. If a verdict ended a match, the duplicate has no points: the contestant with fewer
verdicts is better, by the largest difference between any two contestants in a duplicate (the *price*).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import copysign
from statistics import fmean

from croupier.arena.plan import Arena, Meeting, Result
from croupier.arena.rotations import rotations


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A deal of a meeting, played in every rotation."""

    meeting: Meeting
    deal: int
    points: dict[str, float]
    """Mean score of each contestant, higher is better; empty if there was a verdict."""
    faults: dict[str, int]
    """The number of matches that each contestant lost by verdict."""

    def ranks(self) -> list[int]:
        """Return the rank of each contestant of the meeting; 0 is best, ties share a rank."""
        keys = [(self.faults[name], -self.points.get(name, 0.0)) for name in self.meeting.contestants]
        order = sorted(set(keys))
        return [order.index(key) for key in keys]


def duplicates(arena: Arena, results: Iterable[Result]) -> list[Duplicate]:
    """Return the complete duplicates, in an order that does not depend on which finished first."""
    groups: dict[tuple[int, int, tuple[str, ...]], dict[int, Result]] = {}
    for result in results:
        meeting = result.play.meeting
        key = (meeting.round, result.play.deal, meeting.contestants)
        groups.setdefault(key, {}).setdefault(result.play.rotation, result)
    expected = len(rotations(range(arena.at_table), arena.seats))
    return [
        _duplicate(Meeting(key[0], key[2]), key[1], list(group.values()))
        for key, group in sorted(groups.items(), key=lambda item: item[0])
        if len(group) == expected
    ]


def _duplicate(meeting: Meeting, deal: int, results: Sequence[Result]) -> Duplicate:
    faults = dict.fromkeys(meeting.contestants, 0)
    for result in results:
        if result.verdict is not None:
            faults[result.play.seats[result.verdict.seat]] += 1
    if any(faults.values()):
        return Duplicate(meeting, deal, {}, faults)
    # Match by match: a contestant with more seats must not benefit from scores that all seats share.
    points = {name: fmean(_points(result, name) for result in results) for name in meeting.contestants}
    return Duplicate(meeting, deal, points, faults)


def _points(result: Result, name: str) -> float:
    """Return the mean score of a contestant's seats, negated in games where fewer points are better.

    This is not the payoff, which is relative to the other scores and may count both sides.
    """
    scores, payoffs = result.scores, result.payoffs
    best, worst = payoffs.index(max(payoffs)), payoffs.index(min(payoffs))
    own = fmean(score for score, seat in zip(scores, result.play.seats, strict=True) if seat == name)
    return own if scores[best] >= scores[worst] else -own


def price_of(played: Iterable[Duplicate]) -> float:
    """Return the cost of a verdict in points."""
    spreads = [max(one.points.values()) - min(one.points.values()) for one in played if one.points]
    return max(spreads, default=0.0) or 1.0


def gaps(played: Iterable[Duplicate], first: str, second: str, price: float) -> list[float]:
    """Return the differences between *first* and *second*, one for each duplicate both played."""
    found: list[float] = []
    for one in played:
        if first not in one.meeting.contestants or second not in one.meeting.contestants:
            continue
        if one.points:
            found.append(one.points[first] - one.points[second])
        elif one.faults[first] or one.faults[second]:  # the verdict of a third contestant does not matter
            lead = one.faults[second] - one.faults[first]
            found.append(copysign(price, lead) if lead else 0.0)
    return found


def meeting_points(played: Sequence[Duplicate], meeting: Meeting) -> dict[str, float]:
    """Return the points of *meeting* for each contestant: 1 for each opponent beaten, 0.5 for a tie."""
    here = [one for one in played if one.meeting == meeting]
    price = price_of(played)
    points = dict.fromkeys(meeting.contestants, 0.0)
    for number, first in enumerate(meeting.contestants):
        for second in meeting.contestants[number + 1 :]:
            lead = _lead(gaps(here, first, second, price))
            points[first] += (1 + lead) / 2
            points[second] += (1 - lead) / 2
    return points


def _lead(found: Sequence[float]) -> int:
    total = round(sum(found), 9)  # rounding errors must not decide
    return (total > 0) - (total < 0)


def winner(played: Sequence[Duplicate], meeting: Meeting) -> str:
    """Return the winner of the two: by points, then by duplicates won, then by order in the file."""
    first, second = meeting.contestants
    here = [one for one in played if one.meeting == meeting]
    found = gaps(here, first, second, price_of(played))
    lead = _lead(found) or sum((gap > 0) - (gap < 0) for gap in found)
    return second if lead < 0 else first
