"""A tournament on the server: entries, seating of rounds, standings. Pure.

Unlike in an arena, each entrant plays in one seat per round. A round seats all remaining players at as many
tables as necessary; bots fill the free seats. Each table plays one match; a player gets one point for each
opponent at the table with a worse place, and half a point for each with the same one. Bots have names and are
ranked like everyone else, but they only fill seats: they never advance in a knockout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from random import Random
from typing import Final

import msgspec

from croupier.core.options import BadOptions, Value
from croupier.core.refusal import Refusal
from croupier.wire.bot_names import bot_name
from croupier.wire.identity import alike, fold

ROUND_ROBIN: Final = "round-robin"
SWISS: Final = "swiss"
KNOCKOUT: Final = "knockout"
FORMATS: Final = (ROUND_ROBIN, SWISS, KNOCKOUT)

OPEN: Final = "open"
RUNNING: Final = "running"
OVER: Final = "over"
CALLED_OFF: Final = "called off"

MOST_ROUNDS: Final = 20
MOST_ENTRANTS: Final = 256
TRIES: Final = 100
"""How many random seatings of a round robin at larger tables are tried; the best one is used."""


class Entrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player who has entered."""

    name: str
    token: str
    """The mark of the player's seats: the id of an account or the digest of a token, never the token."""
    person: bool = True


class Board(msgspec.Struct, omit_defaults=True):
    """One table of a round."""

    table: str
    seats: list[int]
    """The entrant in each seat; -1 is the first bot, -2 the second one."""
    match: str = ""
    """Set when the match has ended or was aborted."""
    scores: list[int] = []
    """The game's own scores by seat; empty if the match was aborted."""
    places: list[int] = []
    """The places by seat, 1 is best; empty if the match was aborted."""

    @property
    def entrants(self) -> list[int]:
        return [entrant for entrant in self.seats if entrant >= 0]


class Tournament(msgspec.Struct, omit_defaults=True):
    """One tournament, from its announcement to its last table."""

    id: str
    name: str
    game: str
    seats: int
    starts: float
    """Seconds since 1970."""
    format: str = SWISS
    rounds: int = 3
    """The number of rounds; ignored in a knockout."""
    fill: str = "club"
    """The bot that takes the free seats."""
    patience: float = 60.0
    """How many seconds a table waits for its players."""
    options: dict[str, Value] = {}
    table_options: dict[str, Value] = {}
    entrants: list[Entrant] = []
    played: list[list[Board]] = []
    """The rounds so far, the last one perhaps unfinished."""
    phase: str = OPEN
    owner: str = ""
    """The mark of the organiser, who may cancel the tournament; empty if there is none."""

    def check(self) -> None:
        """Raise BadOptions if the tournament cannot be played with these settings."""
        if not 1 <= len(self.name.strip()) <= 64:
            raise BadOptions(f"name of {len(self.name)} characters: expected 1 to 64")
        if self.seats < 2:
            raise BadOptions("1 seat: expected at least 2")
        if self.format not in FORMATS:
            raise BadOptions(f"format {self.format!r}: expected {', '.join(FORMATS)}")
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise BadOptions(f"{self.rounds} rounds: expected 1…{MOST_ROUNDS}")
        if not 5 <= self.patience <= 3600:
            raise BadOptions(f"patience of {self.patience:g} s: expected 5…3600")

    def name_of(self, entrant: int) -> str:
        """Return the name of an entrant, or of a bot if the number is negative."""
        if entrant >= 0:
            return self.entrants[entrant].name
        names = [one.name for one in self.entrants]
        for number in range(-entrant):
            names.append(bot_name(number, self.fill, names))
        return names[-1]


# Entering.


def _key(name: str) -> str:
    """Return the form of a name used for comparison, also for names without letters and digits."""
    return fold(name) or name


def entered(tournament: Tournament, token: str) -> Entrant | None:
    """Return the player who has entered with *token*, or None."""
    return next((one for one in tournament.entrants if one.token == token), None)


def enter(tournament: Tournament, entrant: Entrant) -> None:
    """Add *entrant*; entering twice has no effect."""
    if tournament.phase != OPEN:
        raise Refusal("not_open", f"the tournament is {tournament.phase}: entries are closed")
    before = entered(tournament, entrant.token)
    if before is not None:
        if _key(before.name) != _key(entrant.name):
            words = f"name {entrant.name!r}: this token has already been used to enter as {before.name!r}"
            raise Refusal("already_entered", words)
        return
    if any(alike(one.name, entrant.name) for one in tournament.entrants):
        words = f"name {entrant.name!r}: another player has entered with it, or with one that looks the same"
        raise Refusal("name_taken", words)
    if len(tournament.entrants) >= MOST_ENTRANTS:
        raise Refusal("full", f"{MOST_ENTRANTS} players have entered: the tournament is full")
    tournament.entrants.append(entrant)


def withdraw(tournament: Tournament, token: str) -> None:
    """Remove an entrant before the start."""
    before = entered(tournament, token)
    if before is None:
        raise Refusal("not_entered", "no player has entered with this token")
    if tournament.phase != OPEN:
        raise Refusal("not_open", "the tournament has begun: leave your table instead")
    tournament.entrants.remove(before)


def cancel_tournament(tournament: Tournament, token: str) -> None:
    """End a tournament before its start."""
    if not tournament.owner or tournament.owner != token:
        raise Refusal(
            "not_yours", "only the organiser can cancel the tournament, with the token it was announced with"
        )
    if tournament.phase != OPEN:
        raise Refusal("not_open", f"the tournament is {tournament.phase}: it can no longer be cancelled")
    tournament.phase = CALLED_OFF


# Rounds.


def whole(boards: Sequence[Board]) -> bool:
    """Return True if every match of a round has ended."""
    return all(board.match for board in boards)


def remaining(tournament: Tournament) -> list[int]:
    """Return the entrants who play in the next round."""
    found = list(range(len(tournament.entrants)))
    if tournament.format != KNOCKOUT:
        return found
    for boards in tournament.played:
        found = [entrant for board in boards for entrant in _through(board)]
    return found


def _through(board: Board) -> list[int]:
    """Return the better half of a table's entrants, those in lower seats first if they are equal. Omit
    entrants whom half of the table has beaten.
    """
    place = dict(zip(board.seats, board.places or [1] * len(board.seats), strict=True))
    ranked = sorted(board.entrants, key=lambda entrant: place[entrant])
    half = (len(board.seats) + 1) // 2
    return [entrant for entrant in ranked[: (len(ranked) + 1) // 2] if place[entrant] <= half]


def finished(tournament: Tournament) -> bool:
    """Return True if no round follows those that were played."""
    if tournament.format == KNOCKOUT:
        return bool(tournament.played) and len(remaining(tournament)) <= 1
    return len(tournament.played) >= tournament.rounds


def next_round(tournament: Tournament) -> list[list[int]]:
    """Return the entrants at each table of the next round, by seat; negative numbers are bots.

    In a Swiss tournament and in a knockout, neighbours in the standings meet; in a round robin, those who
    have met least often.
    """
    left = remaining(tournament)
    number = len(tournament.played)
    if tournament.format != ROUND_ROBIN:
        order = [line.entrant for line in standings(tournament) if line.entrant in left]
        groups = _groups(tournament, order)
    elif tournament.seats == 2:
        groups = _circle(left, number)
    else:
        rng = Random(f"{tournament.id} {number}")
        tries = [_groups(tournament, rng.sample(left, len(left))) for _ in range(TRIES)]
        met = _meetings(tournament)
        groups = min(tries, key=lambda groups: sum(_repeats(met, group) for group in groups))
    bots = count(1)
    return [_seated(tournament, group, bots) for group in groups]


def _groups(tournament: Tournament, order: Sequence[int]) -> list[list[int]]:
    """Split *order* into tables of equal size, of neighbours unless they have met more often than others."""
    left = list(order)
    met = _meetings(tournament)
    many = -(-len(left) // tournament.seats)
    sizes = [len(left) // many + (at < len(left) % many) for at in range(many)]
    groups: list[list[int]] = []
    for size in sizes:
        group = [left.pop(0)]
        while len(group) < size:
            times = [sum(met.get((one, other), 0) for other in group) for one in left]
            group.append(left.pop(times.index(min(times))))
        groups.append(group)
    return groups


def _circle(left: Sequence[int], number: int) -> list[list[int]]:
    """Return the pairs of round *number* by the circle method: everyone meets everyone once."""
    ring = [*left, *([-1] if len(left) % 2 else [])]
    turn = number % (len(ring) - 1)
    ring = [ring[0], *ring[1 + turn :], *ring[1 : 1 + turn]]
    half = len(ring) // 2
    pairs = zip(ring[:half], ring[: half - 1 : -1], strict=True)
    return [[one for one in pair if one >= 0] for pair in pairs]


def _repeats(met: Mapping[tuple[int, int], int], group: Sequence[int]) -> int:
    return sum(met.get((one, other), 0) ** 2 for one in group for other in group if one != other)


def _seated(tournament: Tournament, group: Sequence[int], bots: Iterator[int]) -> list[int]:
    seats = [*group, *(-next(bots) for _ in range(tournament.seats - len(group)))]
    Random(f"{tournament.id} {len(tournament.played)} {group}").shuffle(seats)
    return seats


def _meetings(tournament: Tournament) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for board in chain.from_iterable(tournament.played):
        for one in board.entrants:
            for other in board.entrants:
                found[one, other] = found.get((one, other), 0) + 1
    return found


# Standings.


@dataclass(slots=True)
class Line:
    """One line of the standings."""

    entrant: int
    """Negative for a bot."""
    points: float = 0.0
    """One point for each opponent beaten, half a point for each equal one."""
    score: int = 0
    """The sum of the game's own scores over all matches; the tie-breaker."""
    matches: int = 0
    round: int = 0
    """The last round played, or the next one for those who advance; in a knockout the first criterion."""
    place: int = 0
    """Equals share a place."""


def standings(tournament: Tournament) -> list[Line]:
    """Return the lines, best first; equals in the order they entered, bots last."""
    lines = {entrant: Line(entrant) for entrant in range(len(tournament.entrants))}
    for number, boards in enumerate(tournament.played, 1):
        for board in boards:
            for entrant in board.seats:
                lines.setdefault(entrant, Line(entrant)).round = number
            if board.places:
                _count(board, lines)
    knockout = tournament.format == KNOCKOUT
    if knockout and all(map(whole, tournament.played)):
        for entrant in remaining(tournament):
            lines[entrant].round += 1

    def merit(line: Line) -> tuple[float, ...]:
        return -line.round if knockout else 0, -line.points, -line.score

    ranked = sorted(lines.values(), key=lambda line: (*merit(line), line.entrant < 0, abs(line.entrant)))
    for at, line in enumerate(ranked, 1):
        before = ranked[at - 2]
        line.place = before.place if at > 1 and merit(before) == merit(line) else at
    return ranked


def _count(board: Board, lines: Mapping[int, Line]) -> None:
    for seat, entrant in enumerate(board.seats):
        mine = board.places[seat]
        others = [place for at, place in enumerate(board.places) if at != seat]
        line = lines[entrant]
        line.points += sum(1.0 if mine < other else 0.5 if mine == other else 0.0 for other in others)
        line.score += board.scores[seat]
        line.matches += 1
