"""One match with programs in it: a table of its own in this process, an address for each seat, verdicts.

The table is a real one, with its clocks and its refusals; the referee listens to what a program
sends (watched.py), to what the table writes into its journal, and looks after the processes. The first
verdict ends the match.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

from aiohttp import web

from croupier.arena.chairs import Chair, chairs
from croupier.arena.desks import OneTable, ProgramDesk
from croupier.arena.plan import HOUSE, LINES, Arena, Kind, Play, Result, Verdict, seed_of
from croupier.arena.play import new_record
from croupier.arena.watched import Watched
from croupier.core import record
from croupier.core.contract import Game, Pace, View
from croupier.core.options import Value
from croupier.net.limits import RefusalLimit
from croupier.net.sockets import converse
from croupier.store.api import MatchRow, TableRow
from croupier.store.memory import MemoryStore
from croupier.store.people import PlayerRow
from croupier.table import journal
from croupier.table.effects import Setup
from croupier.table.hall import clock_text, entropy_of
from croupier.table.runner import Runner
from croupier.table.table import Table
from croupier.table.thinkers import Aside
from croupier.wire.talk import Hang

if TYPE_CHECKING:
    from croupier.arena.outside import Gate
    from croupier.arena.process import Program

HOST: Final = "127.0.0.1"
LOOK: Final = 0.05
"""Seconds between two looks at the processes."""
OVER: Final = "the match is over"
CLOCKS: Final[dict[str, tuple[int, tuple[str, ...]]]] = {
    "hearts": (1000, ("pass_cards_timeout", "expose_cards_timeout", "pick_card_timeout")),
    "tarock": (1000, ("turn_timeout_ms",)),
    "coinche": (1, ("bid_seconds", "play_seconds")),
    "taroky": (1000, ("timeout",)),
    "sagrada": (1, ("schema_time", "extract_time", "turn_time")),
}
"""Options of tables that tell players how long they have, and their units in a second."""


async def play_programs(arena: Arena, play: Play, game: Game, gate: Gate | None = None) -> Result:
    """Play a match in which one seat or more belongs to a program; *gate* knows those from outside."""
    began = perf_counter()
    referee = Referee(arena, play, game, gate)
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


class Ledger(MemoryStore):
    """The table's store, with somebody who reads the journal as it is written."""

    def __init__(self, reader: Callable[[journal.AnyEntry], None]) -> None:
        super().__init__()
        self._reader = reader

    async def append(
        self,
        table_id: str,
        first_number: int,
        entries: Sequence[str],
        matches: Sequence[MatchRow] = (),
        players: Sequence[PlayerRow] = (),
    ) -> None:
        await super().append(table_id, first_number, entries, matches, players)
        for line in entries:
            self._reader(journal.decode(line))


class Referee:
    """Whoever lays the table, looks after it and speaks the verdict."""

    def __init__(self, arena: Arena, play: Play, game: Game, gate: Gate | None) -> None:
        self.verdict: Verdict | None = None
        self.refusals = arena.limits.refusals
        self._arena = arena
        self._play = play
        self._game = game
        self._gate = gate
        self._entries: list[journal.AnyEntry] = []
        self._ended = asyncio.Event()
        self._broken = False
        self._chairs = chairs(arena, play.seats)
        self._seed = seed_of(arena, play)
        setup = Setup(
            id=secrets.token_hex(4),
            game=game,
            rules_options=game.options.read(arena.options),
            table_options=game.table_options.read(clocks(game, arena.limits.seconds)),
            seats=[
                "open" if seat in self._chairs else f"bot {arena.called(name).bot}"
                for seat, name in enumerate(play.seats)
            ],
            seed=self._seed,
            secret_seed=True,
            auto_cycle=True,
            single=True,
        )
        self.table = Table(setup, entropy_of(self._seed), clock_text, pace=Brisk(arena.limits.seconds))
        self._ledger = Ledger(self._read)
        self._thinkers = Aside()
        self._runner = Runner(
            self.table,
            self._ledger,
            lambda: None,
            self._broke,
            lambda _: self._ended.set(),
            thinkers=self._thinkers,
        )
        hall = OneTable(self._ledger, self._runner)
        self._desks = {chair: ProgramDesk(hall, self, chair) for chair in self._chairs.values() if chair.desk}
        self._slowed = RefusalLimit()
        self._began = 0.0

    async def run(self) -> Verdict | None:
        """Play the match; return the verdict that ended it, if one did."""
        table = self.table
        await self._ledger.open_table(TableRow(table.id, table.game.name, "", clock_text()))
        self._began = asyncio.get_running_loop().time()
        self._runner.start()
        app = web.Application()
        app.router.add_get("/{wire}/{key}", self._serve)
        site = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        outside = [chair for chair in self._chairs.values() if not chair.contestant.command]
        try:
            if outside:
                assert self._gate is not None, "programs from outside come through a gate"
                self._gate.seat(self, outside)
            if len(outside) < len(self._chairs):
                await site.setup()
                await web.TCPSite(site, HOST, 0).start()
                await self._start(site.addresses[0][1])
            while not self._ended.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), LOOK)
                self._look()
        finally:
            if self._gate is not None:
                self._gate.unseat(outside)
            self._runner.stop(Hang(1000, OVER))
            self._thinkers.stop()
            for desk in self._desks.values():
                desk.listener.close()
                desk.stop(OVER)
            await self._dismiss()
            await asyncio.gather(*(desk.listener.stop() for desk in self._desks.values()))
            await site.cleanup()
        if self._broken:
            raise RuntimeError("the table broke: see the log above")
        return self.verdict

    # Programs and their connections.

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        chair = next((one for one in self._chairs.values() if one.key == request.match_info["key"]), None)
        if chair is None:
            raise web.HTTPNotFound
        return await self.converse(chair, request)

    async def converse(self, chair: Chair, request: web.Request) -> web.WebSocketResponse:
        """Serve a WebSocket of the program in *chair* from its upgrade to its end."""
        if chair.desk:
            return await self._desks[chair].converse(request)
        return await converse(request, self._runner, Watched(self, chair), self._slowed)

    async def exchange(
        self, chair: Chair, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve a TCP connection of the program in *chair* to its end."""
        await self._desks[chair].listener.serve(reader, writer)

    async def _start(self, port: int) -> None:
        """Start the programs; *port* is where WebSockets come in."""
        from croupier.arena.process import Program  # there are none where programs cannot be limited

        for chair in self._chairs.values():
            if not chair.contestant.command:
                continue
            wire = chair.contestant.wire
            at = await self._desks[chair].listener.start(HOST, 0, None) if wire == LINES else port
            path = "house" if wire == HOUSE else self._game.name if chair.desk else "t"
            url = f"tcp://{HOST}:{at}" if wire == LINES else f"ws://{HOST}:{at}/{path}/{chair.key}"
            command, words = chair.command(self.table.id, url, HOST, at)
            try:
                chair.program = Program(command, self._arena.folder, words, self._arena.limits.memory)
            except OSError as error:
                self.judge(chair.seat, "crash", f"cannot start it: {error.strerror or error}")
                return

    async def _dismiss(self) -> None:
        programs = [chair.program for chair in self._chairs.values() if chair.program is not None]
        if self.verdict is None and self._ended.is_set():
            await asyncio.gather(*(program.end() for program in programs))
        else:
            for program in programs:
                program.kill()

    def _look(self) -> None:
        """Look after the processes and the empty seats."""
        limits = self._arena.limits
        late = asyncio.get_running_loop().time() - self._began > limits.start
        for seat, chair in self._chairs.items():
            program, place = chair.program, self.table.places[seat]
            if program is not None:
                program.look()
            if self._ended.is_set():
                return
            if program is not None and program.peak > limits.memory << 20:
                used = program.peak >> 20
                self.judge(seat, "memory", f"{used} MB: it may use {limits.memory} MB")
            elif program is not None and program.exit is not None:
                if not place.name or (not place.connected and self.table.asked(seat) is not None):
                    self.judge(seat, "crash", _ending(program))
            elif not place.name and late:
                self._late(chair, f"it did not join within {limits.start:g} s")

    # What is judged.

    def judge(self, seat: int, kind: Kind, words: str) -> None:
        """End the match with a verdict, unless it has ended."""
        if not self._ended.is_set():
            self.verdict = Verdict(seat, kind, words)
            self._ended.set()

    def _late(self, chair: Chair, words: str) -> None:
        place = self.table.places[chair.seat]
        if chair.refusal:
            self.judge(chair.seat, "illegal", chair.refusal)
        elif chair.noise:
            self.judge(chair.seat, "not understood", chair.noise)
        elif place.name and not place.connected and chair.program is None:
            self.judge(chair.seat, "crash", f"its connection ended, and {words}")
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


def clocks(game: Game, seconds: float) -> dict[str, Value]:
    """Return the options of a table that tell players how long they have, as near to the truth as can be."""
    unit, names = CLOCKS.get(game.name, (1, ()))
    known = game.table_options.options
    return {name: min(max(round(seconds * unit), known[name].low, 1), known[name].high) for name in names}


def _ending(program: Program) -> str:
    assert program.exit is not None
    how = f"ended by signal {-program.exit}" if program.exit < 0 else f"ended with status {program.exit}"
    words = program.last_words()
    return f"{how}: {words}" if words else how
