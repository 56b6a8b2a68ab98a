"""G7: no table is stuck. Players quit, drop, time out and repeat themselves; every match ends.

Each case is one table in virtual time: a game, a protocol, some bots, a slow store, kills of the server. The
real lobbies, shells and tables run (croupier.testing.house), which also check that nothing is told before it
is stored. After some rounds no new faults are made: some players continue, some stay silent, some never come
back. The match has to end within two days of virtual time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Final

from chaos.outcome import Outcome, Problems, Sum, Tell, none_of, some_of
from chaos.players import CoinchePlayer
from chaos.spread import each_case, spread
from chaos.virtual import DOORS, NO_PAUSES, Chair, Room
from croupier.core.options import Value
from croupier.games import names
from croupier.table import journal

STORMY: Final = 60
"""Rounds in which faults happen."""
CALM: Final = 800
"""Rounds of at most four minutes without new faults."""
RUBBISH: Final = (
    "",
    "{}",
    "\x00",
    "[1,2",
    "PLAY",
    '{"type":"act"}',
    "place\tX9\t9\t9",
    "x" * 600,
    '"\ud800"',
)

Case = tuple[str, str]
CASES: Final[list[Case]] = [(name, door) for name in names() for door in DOORS]


@dataclass
class Tally(Sum):
    """What happened at some tables."""

    games: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    """By game and protocol: matches that were played to the end."""
    aborted: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    problems: Problems = field(default_factory=Problems)


def run(many: int, seed: int, tell: Tell) -> Outcome:
    """Simulate *many* tables."""
    total = Tally()
    for part in spread(simulate, many, seed, tell):
        total += part
    played = {f"{name} {door}": total.ended[f"{name} {door}"] for name, door in CASES}
    return Outcome(
        f"{total.games:,} games, {sum(total.faults.values()):,} faults",
        [
            none_of("tables that did not end", total.problems.many),
            some_of("fewest matches played out, of a game over a protocol", min(played.values())),
        ],
        notes=[
            *total.problems.words,
            f"{sum(played.values()):,} matches were played out, {total.aborted:,} abandoned",
            "faults: " + ", ".join(f"{many:,} × {what}" for what, many in total.faults.most_common()),
        ],
    )


def simulate(cases: range, seed: int) -> Tally:
    """Simulate the tables with these numbers."""
    return each_case(cases, CASES, f"endings {seed}", Tally(games=len(cases)), Storm)


class Stuck(AssertionError):
    """A match does not end."""


class Storm:
    """One table and the faults at it."""

    def __init__(self, name: str, door: str, chance: Random, tally: Tally) -> None:
        self.what = f"{name} {door}"
        self.chance = chance
        self.tally = tally
        seats = 4 if name != "sagrada" else chance.choice((2, 3, 4))
        bots = chance.choice((0, 0, 1, 2)) if name != "sagrada" or door == "house" else 0
        pauses: dict[str, Value] = NO_PAUSES[name] if chance.random() < 0.8 else {}
        self.room = Room(name, door, chance, table_options=pauses, bots=min(bots, seats - 1), seats=seats)
        self.house = self.room.house

    def run(self) -> None:
        """Make the faults, and wait for the end of the match."""
        self.room.begin()
        for _ in range(STORMY):
            if self.room.ended():
                break
            for chair in self.room.chairs:
                self._stormy(chair)
            self._surroundings()
        self.house.store.delay = 0.0
        silent = {chair for chair in self.room.chairs if self.chance.random() < 0.3}
        for _ in range(CALM):
            if self.room.ended():
                break
            for chair in self.room.chairs:
                if chair not in silent:
                    self._calm(chair)
            self.house.advance(self.chance.choice((0.1, 1.0, 30.0, 240.0)))
        self._judge()

    def _ends(self) -> list[str | None]:
        """Return for each table how its first match ended; None if it has begun and has not ended."""
        found: list[str | None] = []
        for lines in list(self.house.store._logs.values()):
            entries = [journal.decode(line) for line in lines]
            begun = any(isinstance(entry, journal.Began) for entry in entries)
            ends = [entry for entry in entries if isinstance(entry, journal.Ended | journal.Closed)]
            if ends:
                first = ends[0]
                found.append("played" if isinstance(first, journal.Ended) and first.scores else "aborted")
            elif begun:
                found.append(None)
        return found or [None]

    def _judge(self) -> None:
        ends = self._ends()
        if None in ends:
            tables = [shell.table for shell in self.house.all_tables.shells.values()]
            state = [(table.phase, [table.asked(s) for s in range(len(table.places))]) for table in tables]
            raise Stuck(f"the match does not end: {state}")
        self.tally.ended[self.what] += "played" in ends
        self.tally.aborted += "aborted" in ends

    # The actions of a player in a round.

    def _calm(self, chair: Chair) -> None:
        if chair.connected:
            chair.listen()
            self._say(chair, chair.player.answer())

    def _stormy(self, chair: Chair) -> None:
        roll = self.chance.random()
        if not chair.connected:
            if roll < 0.3:
                self._fault("came back")
                chair.come()
            return
        chair.listen()
        if roll < 0.02:
            self._fault("lost connection")
            chair.drop()
        elif roll < 0.024:
            self._fault("quit")
            self._say(chair, chair.player.goodbye())
            chair.drop()
        elif roll < 0.04:
            self._fault("second connection")
            chair.come()
        elif roll < 0.08:
            self._fault("rubbish")
            self._say(chair, [self.chance.choice(RUBBISH)])
        elif roll < 0.14:
            self._fault("no answer")
        else:
            answer = chair.player.answer()
            self._say(chair, answer)
            if answer and roll > 0.92:
                self._fault("duplicate")
                if isinstance(chair.player, CoinchePlayer):
                    chair.player.repeated()
                self._say(chair, answer)

    def _say(self, chair: Chair, messages: list[str]) -> None:
        if chair.client is not None:
            chair.client.send(*messages)
            chair.listen()

    def _surroundings(self) -> None:
        """Let time pass, make the store slow, or kill the server."""
        roll = self.chance.random()
        if roll < 0.05:
            self.house.store.delay = self.chance.choice((0.0, 0.2, 3.0))
        elif roll < 0.06:
            self._fault("kill")
            self.house.store.delay = 0.0
            self.room.restart()
        self.house.advance(self.chance.choice((0.0, 0.0, 0.05, 0.5, 2.0, 35.0)))

    def _fault(self, what: str) -> None:
        self.tally.faults[what] += 1
