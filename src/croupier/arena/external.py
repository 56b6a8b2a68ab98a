"""One match with programs: a table in this process, an address for each seat, verdicts.

The table is a normal one, with clocks and refusals. The referee listens to what a program sends (watched.py),
reads the journal of the table, and monitors the processes. The first verdict ends the match.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

import msgspec
from aiohttp import web

from croupier.arena.chairs import Chair, chairs
from croupier.arena.door import HOST, Door
from croupier.arena.lobbies import OneTable, ProgramLobby
from croupier.arena.plan import HOUSE, LINES, Arena, Kind, Play, Result, Verdict, seed_of
from croupier.arena.play import new_record
from croupier.arena.sandbox import sandboxed
from croupier.arena.watched import Watched
from croupier.core import record
from croupier.core.contract import Game, Pace, View
from croupier.net.limits import refusal_limit
from croupier.net.sockets import converse
from croupier.net.websocket import upgraded
from croupier.store.api import Done, MatchRow, PlayerRow, StoreError, TableRow
from croupier.store.memory import MemoryStore
from croupier.table import journal
from croupier.table.bot_pool import BotThread
from croupier.table.setup import setup_of
from croupier.table.shell import Shell
from croupier.table.table import Table
from croupier.table.tables import clock_text, entropy_of
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Disconnect

if TYPE_CHECKING:
    from croupier.arena.outside import Gate
    from croupier.arena.process import Program

LOOK: Final = 0.05
"""Seconds between two checks of the processes."""
OVER: Final = "the match is over"
SIGNALLED: Final = 128
"""Shells and sandboxes add this to the number of the signal that ended a program."""
LAST_SIGNAL: Final = 64


async def play_programs(arena: Arena, play: Play, game: Game, gate: Gate | None = None) -> Result:
    """Play a match in which at least one seat belongs to a program; *gate* has the programs from outside."""
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
    """No pauses, and the same time limit for every decision."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def limit(self, view: View, person: bool) -> float:
        return self._seconds


class Ledger(MemoryStore):
    """The table's store, which passes on each journal entry as it is written."""

    def __init__(self, reader: Callable[[journal.AnyEntry], None]) -> None:
        super().__init__()
        self._reader = reader

    def append_soon(
        self,
        table_id: str,
        first_number: int,
        entries: Sequence[str],
        matches: Sequence[MatchRow] = (),
        players: Sequence[PlayerRow] = (),
        *,
        done: Done,
    ) -> None:
        def read(error: StoreError | None) -> None:
            if error is None:
                for line in entries:
                    self._reader(journal.decode(line))
            done(error)

        super().append_soon(table_id, first_number, entries, matches, players, done=read)


class Referee:
    """Opens the table, monitors the programs and decides on the verdict."""

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
        spec = TableSpec(
            seats=[
                "open" if seat in self._chairs else f"bot {arena.called(name).bot}"
                for seat, name in enumerate(play.seats)
            ],
            options=arena.options,
            table_options=game.limits(arena.limits.seconds),
            seed=self._seed,
            secret_seed=True,
            auto_cycle=True,
            single=True,
        )
        setup = setup_of(secrets.token_hex(4), game, spec)
        self.table = Table(setup, entropy_of(self._seed), clock_text, pace=Brisk(arena.limits.seconds))
        self._ledger = Ledger(self._read)
        self._bot_pool = BotThread()
        self._shell = Shell(
            self.table,
            self._ledger,
            lambda: None,
            self._broke,
            lambda _: self._ended.set(),
            bot_pool=self._bot_pool,
        )
        tables = OneTable(self._ledger, self._shell)
        self._lobbies = {
            chair: ProgramLobby(tables, self, chair) for chair in self._chairs.values() if chair.lobby
        }
        self._slowed = refusal_limit()
        self._began = 0.0
        self._door: Door | None = None

    async def run(self) -> Verdict | None:
        """Play the match; return the verdict that ended it, or None."""
        table = self.table
        await self._ledger.open_table(TableRow(table.id, table.game.name, "", clock_text()))
        self._began = asyncio.get_running_loop().time()
        self._shell.start()
        app = web.Application()
        app.router.add_get("/{wire}/{key}", self._serve)
        site = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        outside = [chair for chair in self._chairs.values() if not chair.contestant.command]
        try:
            if outside:
                assert self._gate is not None, "programs from outside need a gate"
                self._gate.seat(self, outside)
            if len(outside) < len(self._chairs):
                await site.setup()
                assert site.server is not None
                self._door = Door(self._chairs, lambda seat, words: self.judge(seat, "foul", words))
                self._start(self._door, self._door.listen(site.server))
            while not self._ended.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), LOOK)
                self._look()
        finally:
            if self._gate is not None:
                self._gate.unseat(outside)
            if self._door is not None:
                await self._door.close()
            self._shell.stop(Disconnect(1000, OVER))
            self._bot_pool.stop()
            for lobby in self._lobbies.values():
                lobby.stop(OVER)
            await self._dismiss()
            await asyncio.gather(*(lobby.listener.stop() for lobby in self._lobbies.values()))
            await site.cleanup()
        if self._broken:
            raise RuntimeError("the table failed; the cause is in the log above")
        return self._quoted(self.verdict) if self.verdict is not None else None

    def _quoted(self, verdict: Verdict) -> Verdict:
        """Add the last output of the program at fault."""
        program = self._chairs[verdict.seat].program
        lines = program.last_lines() if program is not None else []
        return msgspec.structs.replace(verdict, output=tuple(lines))

    # Programs and their connections.

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        chair = next((one for one in self._chairs.values() if one.key == request.match_info["key"]), None)
        if chair is None or self._door is None or not self._door.owns(chair, request.transport):
            raise web.HTTPNotFound
        return await self.converse(chair, request)

    async def converse(self, chair: Chair, request: web.Request) -> web.StreamResponse:
        """Serve a WebSocket of the program in *chair* from its upgrade to its end."""
        if chair.lobby:
            socket = await self._lobbies[chair].serve_socket(request)
        else:
            socket = converse(request, self._shell, Watched(self, chair), self._slowed)
        await socket.wait()
        return upgraded()

    def exchange(
        self, chair: Chair, transport: asyncio.Transport, data: bytes, ended: Callable[[], None]
    ) -> None:
        """Serve a TCP connection of the program in *chair*, which has sent *data*; call *ended* at its
        end."""
        self._lobbies[chair].listener.adopt(transport, data, ended)

    def _start(self, door: Door, port: int) -> None:
        """Start the programs; *port* is the WebSocket port."""
        from croupier.arena.process import (  # not importable on systems that cannot limit processes
            Program,
            raise_file_limit,
        )

        raise_file_limit()
        arena = self._arena
        for chair in self._chairs.values():
            if not chair.contestant.command:
                continue
            wire = chair.contestant.wire
            at = door.listen(self._lobbies[chair].line, chair=chair) if wire == LINES else port
            path = "house" if wire == HOUSE else self._game.name if chair.lobby else "t"
            url = f"tcp://{HOST}:{at}" if wire == LINES else f"ws://{HOST}:{at}/{path}/{chair.key}"
            command, words, told = chair.command(self.table.id, url, HOST, at)
            if arena.sandbox:
                command = sandboxed(command, arena.folder, arena.hidden)
            try:
                chair.program = Program(command, arena.folder, words, arena.limits.memory, told)
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
        """Check the processes and the empty seats."""
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
                    self.judge(seat, "crash", _ending(program), self._may_be_killed(seat, program.exit))
            elif not place.name and late:
                words = f"it did not join within {limits.start:g} s"
                if chair.strangers:
                    words += (
                        f", and {chair.strangers} connections of processes that are not its own were refused"
                    )
                self._late(chair, words)

    # Verdicts.

    def judge(self, seat: int, kind: Kind, words: str, killed: bool = False) -> None:
        """End the match with a verdict, unless it has already ended."""
        if not self._ended.is_set():
            self.verdict = Verdict(seat, kind, words, killed=killed)
            self._ended.set()

    def _may_be_killed(self, seat: int, status: int) -> bool:
        """Return True if a signal ended the program in *seat* and another program may have sent it, even one
        that plays at another table.
        """
        if self._arena.sandbox or not (status < 0 or SIGNALLED < status <= SIGNALLED + LAST_SIGNAL):
            return False
        name = self._play.seats[seat]
        return any(one.command and one.name != name for one in self._arena.contestants)

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

    def _broke(self, shell: Shell) -> None:
        self._broken = True
        self._ended.set()

    def _read(self, entry: journal.AnyEntry) -> None:
        """Process a line of the journal."""
        if isinstance(entry, journal.Acted) and entry.by == "fault":
            self.judge(entry.seat, "illegal", "an answer that the rules do not allow")
        elif isinstance(entry, journal.Acted) and entry.by in ("clock", "absent"):
            seconds = self._arena.limits.seconds
            self._late(self._chairs[entry.seat], f"no answer within {seconds:g} s")
        if self.verdict is None:  # actions of the stand-in are not part of the match
            self._entries.append(entry)

    def record(self) -> record.Record:
        """Return the record of the match so far."""
        written = new_record(self._arena, self._play, self._game)
        options = self._game.options.read(self._arena.options)
        told = journal.record_of(self._game, options, self._seed, self._entries)
        written.started = told.started
        written.entries = told.entries
        return written


def _ending(program: Program) -> str:
    assert program.exit is not None
    how = f"ended by signal {-program.exit}" if program.exit < 0 else f"ended with status {program.exit}"
    lines = program.last_lines()
    return f"{how}: {lines[-1]}" if lines else how
