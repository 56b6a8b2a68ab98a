"""The schedule: meetings, deals and seats, as a pure function of the arena and its results so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

from croupier.arena.outcomes import Duplicate, duplicates, meeting_points, winner
from croupier.arena.plan import KNOCKOUT, SWISS, Arena, Meeting, Play, Result
from croupier.arena.rotations import neighbours, rotations

MOST_STEPS: Final = 20_000
"""The maximum number of steps in the search for Swiss pairs without repetition."""


@dataclass(frozen=True, slots=True)
class Round:
    """The meetings of a round, and the contestants that advance without a meeting."""

    meetings: list[Meeting]
    byes: list[str]


def due(arena: Arena, results: Sequence[Result]) -> list[Play]:
    """Return the matches that can be played now, deal by deal; empty when the arena is over."""
    done = {(result.play.meeting, result.play.deal, result.play.rotation) for result in results}
    return [
        play
        for play in _plays(arena, rounds(arena, duplicates(arena, results)))
        if (play.meeting, play.deal, play.rotation) not in done
    ]


def connections(arena: Arena, plays: Iterable[Play]) -> dict[str, int]:
    """Return how many seats each program from outside has at a table of *plays*."""
    found: dict[str, int] = {}
    for play in plays:
        for name in set(play.seats):
            if arena.called(name).listen:
                found[name] = max(found.get(name, 0), play.seats.count(name))
    return found


def total(arena: Arena) -> int:
    """Return the number of matches in the whole arena."""
    many = len(arena.contestants)
    if arena.format == SWISS:
        meetings = arena.rounds * (many // 2)
    elif arena.format == KNOCKOUT:
        meetings = many - 1
    else:
        meetings = comb(many, arena.at_table)
    return meetings * arena.deals * len(rotations(range(arena.at_table), arena.seats))


def _plays(arena: Arena, known: Iterable[Round]) -> Iterator[Play]:
    for round in known:
        for deal in range(1, arena.deals + 1):
            for meeting in round.meetings:
                order = neighbours(meeting.contestants, deal)
                for number, seats in enumerate(rotations(order, arena.seats)):
                    yield Play(meeting, deal, number, seats)


def rounds(arena: Arena, played: Sequence[Duplicate]) -> list[Round]:
    """Return the rounds whose meetings are known: all complete ones and the first incomplete one."""
    if arena.format == SWISS:
        return _swiss(arena, played)
    if arena.format == KNOCKOUT:
        return _knockout(arena, played)
    return [Round([Meeting(1, pair) for pair in combinations(arena.names, arena.at_table)], [])]


def _whole(arena: Arena, played: Sequence[Duplicate], round: Round) -> bool:
    meetings = set(round.meetings)
    return sum(one.meeting in meetings for one in played) >= arena.deals * len(meetings)


def _met(number: int, arena: Arena, pair: Iterable[str]) -> Meeting:
    return Meeting(number, tuple(sorted(pair, key=arena.names.index)))


# Swiss


def _swiss(arena: Arena, played: Sequence[Duplicate]) -> list[Round]:
    found: list[Round] = []
    while len(found) < arena.rounds and (not found or _whole(arena, played, found[-1])):
        order = standings(arena, played, found)
        byes: list[str] = []
        if len(order) % 2:
            had = [name for round in found for name in round.byes]
            # The lowest of those that have had the fewest byes.
            resting = min(reversed(order), key=had.count)
            order.remove(resting)
            byes.append(resting)
        met = {frozenset(meeting.contestants) for round in found for meeting in round.meetings}
        pairs = _pairs(order, met, [MOST_STEPS]) or list(zip(order[::2], order[1::2], strict=True))
        found.append(Round([_met(len(found) + 1, arena, pair) for pair in pairs], byes))
    return found


def standings(arena: Arena, played: Sequence[Duplicate], known: Iterable[Round]) -> list[str]:
    """Return the contestants, best first: by points of meetings, then by the points of their opponents."""
    points = tally(arena, played, known)
    opponents = dict.fromkeys(arena.names, 0.0)
    for round in known:
        for meeting in round.meetings:
            whole = sum(points[name] for name in meeting.contestants)
            for name in meeting.contestants:
                opponents[name] += whole - points[name]
    return sorted(arena.names, key=lambda name: (-points[name], -opponents[name], arena.names.index(name)))


def tally(arena: Arena, played: Sequence[Duplicate], known: Iterable[Round]) -> dict[str, float]:
    """Return the points of meetings; a round without an opponent counts as won."""
    points = dict.fromkeys(arena.names, 0.0)
    begun = {one.meeting for one in played}
    for round in known:
        for name in round.byes:
            points[name] += 1.0
        for meeting in round.meetings:
            if meeting not in begun:
                continue
            if arena.format == KNOCKOUT:  # one contestant advances, even after a tie
                points[winner(played, meeting)] += 1.0
            else:
                for name, gained in meeting_points(played, meeting).items():
                    points[name] += gained
    return points


def _pairs(
    order: Sequence[str], met: set[frozenset[str]], steps_left: list[int]
) -> list[tuple[str, str]] | None:
    """Return neighbours in *order* as pairs that have not met, or None if there are none."""
    if not order:
        return []
    first, *others = order
    for other in others:
        steps_left[0] -= 1
        if steps_left[0] < 0:
            return None
        if frozenset((first, other)) not in met:
            rest = _pairs([name for name in others if name != other], met, steps_left)
            if rest is not None:
                return [(first, other), *rest]
    return None


# Knockout


def _knockout(arena: Arena, played: Sequence[Duplicate]) -> list[Round]:
    places: list[str | None] = [
        arena.names[number] if number < len(arena.names) else None
        for number in bracket(len(arena.contestants))
    ]
    found: list[Round] = []
    while len(places) > 1:
        couples = list(zip(places[::2], places[1::2], strict=True))
        names = [[name for name in couple if name is not None] for couple in couples]
        meetings = [_met(len(found) + 1, arena, pair) for pair in names if len(pair) == 2]
        found.append(Round(meetings, [pair[0] for pair in names if len(pair) == 1]))
        if not _whole(arena, played, found[-1]):
            break
        places = [
            winner(played, _met(len(found), arena, pair)) if len(pair) == 2 else pair[0] for pair in names
        ]
    return found


def bracket(many: int) -> list[int]:
    """Return the indices of the contestants in first-round order, so that the top seeds meet last."""
    order = [0]
    while len(order) < many:
        order = [number for best in order for number in (best, 2 * len(order) - 1 - best)]
    return order
