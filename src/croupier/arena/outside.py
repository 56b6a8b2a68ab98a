"""The gate through which programs from outside come in: one address for each of them, open as long as the
arena runs.

A program connects once for each seat it has at a table, and again for every match. Whoever comes while no
seat waits is kept waiting, before a single byte is answered. A seat whose connection has ended takes the one
that has waited longest: so a program that lost its connection comes back.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Final

import msgspec
from aiohttp import web

from croupier.arena.chairs import Chair
from croupier.arena.external import Referee, play_programs
from croupier.arena.jobs import ArenaFailed
from croupier.arena.plan import LINES, Arena, Contestant, Play, encode
from croupier.games import game as find_game

TICK: Final = 0.5
"""Seconds between two looks at who has come."""


@dataclass(slots=True, eq=False)
class Caller:
    """A connection that waits for a seat."""

    contestant: str
    there: Callable[[], bool]
    """Says whether it still is."""
    seat: asyncio.Future[tuple[Referee, Chair] | None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Gate:
    """See the module's head. It has a thread of its own, where its matches are played one after the other."""

    def __init__(self, arena: Arena) -> None:
        """Listen; ArenaFailed says why that cannot be."""
        self._arena = arena
        self._waiting: list[Caller] = []
        self._seats: list[tuple[Referee, Chair]] = []
        self._sites: list[web.AppRunner] = []
        self._servers: list[asyncio.Server] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.addresses: dict[str, str] = {}
        """Where each program connects to."""
        try:
            for one in (one for one in arena.contestants if one.listen):
                self.addresses[one.name] = asyncio.run_coroutine_threadsafe(
                    self._listen(one), self._loop
                ).result()
        except OSError as error:
            self.close()
            raise ArenaFailed(
                f"cannot listen on {one.listen} for {one.name!r}: {error.strerror or error}; "
                "another address would do"
            ) from None

    # As those who give out plays see it.

    def wait(self, needed: Mapping[str, int], tell: Callable[[str, float], None]) -> None:
        """Wait until so many connections of each program are there; *tell* hears who is missing and how many
        seconds are left. ArenaFailed when the time is up."""
        deadline = monotonic() + self._arena.wait
        while missing := [name for name, many in needed.items() if self._present(name) < many]:
            left = deadline - monotonic()
            words = ", ".join(f"{name} ({self._present(name)} of {needed[name]})" for name in missing)
            if left <= 0:
                seconds = f"{self._arena.wait:g} s"
                raise ArenaFailed(f"not connected within {seconds}: {words}; start them, then this again")
            tell(words, left)
            sleep(min(TICK, left))

    def _present(self, name: str) -> int:
        return sum(caller.contestant == name and caller.there() for caller in list(self._waiting))

    def submit(self, play: str) -> Future[str]:
        """Have a match played here."""
        return asyncio.run_coroutine_threadsafe(self._play(play), self._loop)

    def close(self) -> None:
        """End every connection, and the match that is being played."""
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    # In the gate's own thread.

    async def _play(self, text: str) -> str:
        play = msgspec.json.decode(text, type=Play)
        return encode(await play_programs(self._arena, play, find_game(self._arena.game), self))

    async def _listen(self, one: Contestant) -> str:
        """Listen for a program; return where."""
        host, port = one.address
        if one.wire == LINES:

            async def exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await self._exchange(one.name, reader, writer)

            server = await asyncio.start_server(exchange, host, port)
            self._servers.append(server)
            return f"{host} port {server.sockets[0].getsockname()[1]} (TCP)"

        async def converse(request: web.Request) -> web.StreamResponse:
            return await self._converse(one.name, request)

        app = web.Application()
        app.router.add_get("/{path:.*}", converse)
        site = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await site.setup()
        self._sites.append(site)
        await web.TCPSite(site, host, port, reuse_address=True).start()
        shown = f"[{host}]" if ":" in host else host
        return f"ws://{shown}:{site.addresses[0][1]}/"

    async def _converse(self, name: str, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return web.Response(status=426, text="connect here with a WebSocket\n")
        caller = Caller(name, lambda: request.transport is not None and not request.transport.is_closing())
        place = await self._call(caller)
        if place is None:
            return web.Response(status=503)
        referee, chair = place
        try:
            return await referee.converse(chair, request)
        finally:
            self._hung_up(chair)

    async def _exchange(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        caller = Caller(name, lambda: not reader.at_eof() and not writer.is_closing())
        place = await self._call(caller)
        if place is None:
            writer.close()
            return
        referee, chair = place
        try:
            await referee.exchange(chair, reader, writer)
        finally:
            self._hung_up(chair)

    async def _call(self, caller: Caller) -> tuple[Referee, Chair] | None:
        """Wait for a seat; there is none for somebody who has hung up meanwhile."""
        self._waiting.append(caller)
        self._match()
        return await caller.seat

    def _hung_up(self, chair: Chair) -> None:
        chair.links -= 1
        self._match()

    def _match(self) -> None:
        """Give seats that have no connection the callers that have waited longest."""
        for caller in [one for one in self._waiting if not one.there()]:
            self._waiting.remove(caller)
            caller.seat.set_result(None)
        for referee, chair in self._seats:
            name = chair.contestant.name
            found = next((caller for caller in self._waiting if caller.contestant == name), None)
            if not chair.links and found is not None:
                chair.links += 1
                self._waiting.remove(found)
                found.seat.set_result((referee, chair))

    def seat(self, referee: Referee, chairs: Sequence[Chair]) -> None:
        """A match begins."""
        self._seats += [(referee, chair) for chair in chairs]
        self._match()

    def unseat(self, chairs: Sequence[Chair]) -> None:
        """It is over."""
        self._seats = [(referee, chair) for referee, chair in self._seats if chair not in chairs]

    async def _end(self) -> None:
        """End the match that is being played, and every connection."""
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for server in self._servers:
            server.close()
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for site in self._sites:
            await site.cleanup()
