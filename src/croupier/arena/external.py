"""One match with programs in it: a table of its own in this process, an address for each seat, verdicts.

The table is a real one, with its clocks and its refusals; the referee listens to what a program
sends, to what the table writes into its journal, and looks after the processes. The first verdict ends the
match.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

from aiohttp import web

from croupier.arena.plan import HOUSE, Arena, Contestant, Kind, Play, Result, Verdict, seed_of
from croupier.arena.play import new_record
from croupier.arena.process import Program
from croupier.core import record
from croupier.core.contract import Game, Pace, View
from croupier.games import conversation
from croupier.net.limits import RefusalLimit
from croupier.net.sockets import converse
from croupier.store.api import MatchRow, TableRow
from croupier.store.memory import MemoryStore
from croupier.table import journal
from croupier.table.effects import Setup
from croupier.table.hall import clock_text, entropy_of
from croupier.table.runner import Runner
from croupier.table.table import Table
from croupier.wire.frames import read_object
from croupier.wire.house import HouseConversation
from croupier.wire.talk import (
    Act,
    Arrange,
    AskedNow,
    Claim,
    Conversation,
    Face,
    Hang,
    Join,
    Leave,
    Note,
    Output,
    Refused,
    Rename,
    Say,
    Send,
    Start,
)

HOST: Final = "127.0.0.1"
LOOK: Final = 0.05
"""Seconds between two looks at the processes."""
PARDONED: Final = ("stale", "too_late", "not_now", "not_joined", "already_joined", "closed")
"""Refusals that a slow program meets without a fault of its own: its clock judges it."""
NOT_UNDERSTOOD: Final = ("bad_message", "unknown_action", "not_joined")


async def play_programs(arena: Arena, play: Play, game: Game) -> Result:
    """Play a match in which one seat or more belongs to a program."""
    began = perf_counter()
    referee = Referee(arena, play, game)
    verdict = await referee.run()
    written = referee.record()
    seconds = round(perf_counter() - began, 3)
    text = record.write(written) if arena.records and written.entries else ""
    if verdict is not None:
        return Result(play, verdict=verdict, seconds=seconds, record=text)
    state = record.replay(written, game)
    return Result(play, tuple(state.payoffs()), tuple(state.scores()), seconds=seconds, record=text)


class Brisk(Pace):
    """No pauses, and the same time for every decision."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def limit(self, view: View, person: bool) -> float:
        return self._seconds


@dataclass(slots=True)
class Chair:
    """A seat that a program plays."""

    seat: int
    contestant: Contestant
    name: str
    key: str = field(default_factory=lambda: secrets.token_hex(8))
    """Names the seat in the address."""
    empty_since: float | None = None
    noise: str = ""
    """What came of the program since it was last asked and led to nothing."""

    def command(self, url: str) -> tuple[list[str], dict[str, str]]:
        """Return what to run for this seat, and what its environment says."""
        words = {
            "name": self.name,
            "seat": str(self.seat),
            "number": str(self.seat + 1),
            "token": self.key,
            "url": url,
        }
        command = list(self.contestant.command)
        for word, value in {**words, "python": sys.executable}.items():
            command = [part.replace("{" + word + "}", value) for part in command]
        return command, {f"CROUPIER_{word.upper()}": value for word, value in words.items()}


@dataclass(frozen=True, slots=True)
class Placed:
    """A claim to the seat that its address names, whatever else it says."""

    name: str
    chair: Chair
    person: bool = False

    @property
    def number(self) -> int:
        return self.chair.seat + 1

    @property
    def token(self) -> str:
        return self.chair.key

    def seat(self, face: Face) -> int:
        return self.chair.seat


class Ledger(MemoryStore):
    """The table's store, with somebody who reads the journal as it is written."""

    def __init__(self, reader: Callable[[journal.AnyEntry], None]) -> None:
        super().__init__()
        self._reader = reader

    async def append(
        self, table_id: str, first_number: int, entries: Sequence[str], matches: Sequence[MatchRow] = ()
    ) -> None:
        await super().append(table_id, first_number, entries, matches)
        for line in entries:
            self._reader(journal.decode(line))


class Referee:
    """Whoever lays the table, looks after it and speaks the verdict."""

    def __init__(self, arena: Arena, play: Play, game: Game) -> None:
        self.verdict: Verdict | None = None
        self._arena = arena
        self._play = play
        self._game = game
        self._entries: list[journal.AnyEntry] = []
        self._ended = asyncio.Event()
        self._broken = False
        self._programs: dict[int, Program] = {}
        contestants = [arena.called(name) for name in play.seats]
        self._chairs = {
            seat: Chair(seat, one, _unique(play.seats, seat))
            for seat, one in enumerate(contestants)
            if one.command
        }
        self._seed = seed_of(arena, play)
        setup = Setup(
            id=secrets.token_hex(4),
            game=game,
            rules_options=game.options.read(arena.options),
            table_options=game.table_options.read({}),
            seats=["open" if one.command else f"bot {one.bot}" for one in contestants],
            seed=self._seed,
            secret_seed=True,
            auto_cycle=True,
            single=True,
        )
        self.table = Table(setup, entropy_of(self._seed), clock_text, pace=Brisk(arena.limits.seconds))
        self._ledger = Ledger(self._read)
        self._runner = Runner(
            self.table, self._ledger, lambda: None, self._broke, lambda _: self._ended.set()
        )

    async def run(self) -> Verdict | None:
        """Play the match; return the verdict that ended it, if one did."""
        table = self.table
        await self._ledger.open_table(TableRow(table.id, table.game.name, "", clock_text()))
        app = web.Application()
        refusals = RefusalLimit()

        async def serve(request: web.Request) -> web.WebSocketResponse:
            chair = next((one for one in self._chairs.values() if one.key == request.match_info["key"]), None)
            if chair is None:
                raise web.HTTPNotFound
            return await converse(request, self._runner, Watched(self, chair), refusals)

        app.router.add_get("/{wire}/{key}", serve)
        site = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await site.setup()
        self._runner.start()
        try:
            await web.TCPSite(site, HOST, 0).start()
            self._start(f"ws://{HOST}:{site.addresses[0][1]}")
            while not self._ended.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), LOOK)
                self._look()
        finally:
            self._runner.stop(Hang(1000, "the match is over"))
            await self._dismiss()
            await site.cleanup()
        if self._broken:
            raise RuntimeError("the table broke: see the log above")
        return self.verdict

    def _start(self, address: str) -> None:
        limits = self._arena.limits
        for chair in self._chairs.values():
            path = "house" if chair.contestant.wire == HOUSE else "t"
            command, words = chair.command(f"{address}/{path}/{chair.key}")
            try:
                program = Program(command, self._arena.folder, words, limits.memory)
            except OSError as error:
                self.judge(chair.seat, "crash", f"cannot start it: {error.strerror or error}")
                return
            self._programs[chair.seat] = program

    async def _dismiss(self) -> None:
        if self.verdict is None and self._ended.is_set():
            await asyncio.gather(*(program.end() for program in self._programs.values()))
        else:
            for program in self._programs.values():
                program.kill()

    def _look(self) -> None:
        """Look after the processes and the empty seats."""
        now = asyncio.get_running_loop().time()
        for seat, program in self._programs.items():
            program.look()
            place = self.table.places[seat]
            chair = self._chairs[seat]
            limits = self._arena.limits
            if self._ended.is_set():
                return
            if program.peak > limits.memory << 20:
                used = program.peak >> 20
                self.judge(seat, "memory", f"{used} MB: it may use {limits.memory} MB")
            elif place.name:
                chair.empty_since = None
                if program.exit is not None and not place.connected and self.table.asked(seat) is not None:
                    self.judge(seat, "crash", _ending(program))
            elif program.exit is not None:
                self.judge(seat, "crash", _ending(program))
            else:
                chair.empty_since = now if chair.empty_since is None else chair.empty_since
                if now - chair.empty_since > limits.start:
                    self._late(chair, f"it did not join within {limits.start:g} s")

    # What is judged.

    def judge(self, seat: int, kind: Kind, words: str) -> None:
        """End the match with a verdict, unless it has ended."""
        if not self._ended.is_set():
            self.verdict = Verdict(seat, kind, words)
            self._ended.set()

    def _late(self, chair: Chair, words: str) -> None:
        if chair.noise:
            self.judge(chair.seat, "not understood", chair.noise)
        else:
            self.judge(chair.seat, "timeout", words)

    def _broke(self, runner: Runner) -> None:
        self._broken = True
        self._ended.set()

    def _read(self, entry: journal.AnyEntry) -> None:
        """Take in a line of the journal."""
        if isinstance(entry, journal.Acted) and entry.by == "fault":
            self.judge(entry.seat, "illegal", "an answer that the rules do not have")
        elif isinstance(entry, journal.Acted) and entry.by in ("clock", "absent"):
            seconds = self._arena.limits.seconds
            self._late(self._chairs[entry.seat], f"no answer within {seconds:g} s")
        if self.verdict is None:  # what a stand-in did no longer belongs to the match
            self._entries.append(entry)

    def record(self) -> record.Record:
        """Return the record of the match as far as it was played."""
        written = new_record(self._arena, self._play, self._game)
        options = self._game.options.read(self._arena.options)
        told = journal.record_of(self._game, options, self._seed, self._entries)
        written.started = told.started
        written.entries = told.entries
        return written


class Watched(Conversation):
    """A program's conversation, with the referee listening."""

    def __init__(self, referee: Referee, chair: Chair) -> None:
        table = referee.table
        house = chair.contestant.wire == HOUSE
        self._inner: Conversation = (
            HouseConversation(table) if house else conversation(table.game.name, table)
        )
        super().__init__()
        self._referee = referee
        self._chair = chair
        self._house = house
        self.patience = self._inner.patience
        self.outbox_limit = self._inner.outbox_limit

    @property
    def seat(self) -> int:
        return self._inner.seat

    @seat.setter
    def seat(self, seat: int) -> None:
        self._inner.seat = seat

    def greet(self, now: float) -> list[Output]:
        return self._inner.greet(now)

    def flooded(self) -> list[Output]:
        return self._inner.flooded()

    def replaced(self) -> list[Output]:
        return self._inner.replaced()

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        outputs = self._inner.receive(data, now)
        if not outputs:
            self._chair.noise = f"it sent {_shown(data)}"
        passed: list[Output] = []
        for output in outputs:
            match output:
                case Join(claim, id):
                    passed.append(Join(self._placed(claim), id))
                case Leave():
                    self._referee.judge(self._chair.seat, "crash", "it left the table")
                case Start() | Arrange() | Say() | Rename():
                    refused = Refused(output, "not_now", "an arena has fixed seats and no talk")
                    passed += [Send(frame) for frame in self._inner.note(refused, now)]
                case Send(frame):
                    self._answered(frame, data)
                    passed.append(output)
                case _:
                    passed.append(output)
        return passed

    def _placed(self, claim: Claim) -> Placed:
        others = {place.name for place in self._referee.table.places if place.seat != self._chair.seat}
        name = claim.name if claim.name and claim.name not in others else self._chair.name
        return Placed(name, self._chair)

    def _answered(self, frame: str, data: str | bytes) -> None:
        """See what the house protocol answers at once, without the table."""
        answer = read_object(frame, len(frame)) if self._house else None
        if answer and answer.get("type") == "refused" and answer.get("key") in NOT_UNDERSTOOD:
            words = f"it sent {_shown(data)}: {answer.get('words')}"
            self._referee.judge(self._chair.seat, "not understood", words)

    def note(self, note: Note, now: float) -> list[str]:
        if isinstance(note, AskedNow):
            self._chair.noise = ""
        elif isinstance(note, Refused) and isinstance(note.request, Act) and note.key not in PARDONED:
            name = self._referee.table.game.actions.name
            tried = ", ".join(name(action) for action in note.request.actions)
            self._referee.judge(self._chair.seat, "illegal", f"{tried}: {note.words}")
        return self._inner.note(note, now)


def _unique(seats: Sequence[str], seat: int) -> str:
    """Return what a program is called at its table, where names tell players apart."""
    name = record.clean(seats[seat])
    again = seats[:seat].count(seats[seat])
    return f"{name} {again + 1}" if again else name


def _ending(program: Program) -> str:
    assert program.exit is not None
    how = f"ended by signal {-program.exit}" if program.exit < 0 else f"ended with status {program.exit}"
    words = program.last_words()
    return f"{how}: {words}" if words else how


def _shown(data: str | bytes) -> str:
    text = ascii(data.decode(errors="replace") if isinstance(data, bytes) else data)
    return text if len(text) <= 80 else text[:77] + "..."
