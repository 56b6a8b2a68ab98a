"""The gate for programs that connect from outside: one address per program, open while the arena runs.

A program connects once for each of its seats at a table, and again for every match. If no seat is waiting,
the connection waits and gets no answer yet. A seat whose connection has ended takes the connection that has
waited longest, so that a program can reconnect.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Final, cast

import msgspec
from aiohttp import web

from croupier.arena.chairs import Chair
from croupier.arena.door import OutsidePorts
from croupier.arena.external import Referee, play_programs
from croupier.arena.jobs import ArenaFailed
from croupier.arena.plan import LINES, Arena, Contestant, Play, encode
from croupier.games import game as find_game

TICK: Final = 0.5
"""Seconds between two checks for new connections."""
MOST_EARLY: Final = 64 * 1024
"""The number of bytes a program may send over TCP before it has a seat."""


@dataclass(slots=True, eq=False)
class Caller:
    """A connection that waits for a seat."""

    contestant: str
    there: Callable[[], bool]
    """Returns True while the connection is open."""
    seat: asyncio.Future[tuple[Referee, Chair] | None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class _Calling(asyncio.Protocol):
    """A TCP connection that waits for a seat; data received meanwhile is kept."""

    def __init__(self, gate: Gate, name: str) -> None:
        self._gate = gate
        self._name = name
        self._transport: asyncio.Transport | None = None
        self._seating: asyncio.Task[None] | None = None
        self.data = bytearray()

    def there(self) -> bool:
        """Return True while the connection is open."""
        return self._transport is not None and not self._transport.is_closing()

    def connection_made(self, made: asyncio.BaseTransport) -> None:
        transport = cast("asyncio.Transport", made)  # transports of uvloop are not derived from it
        self._transport = transport
        looking = self._gate.exchange(self._name, self, transport)
        self._seating = asyncio.get_running_loop().create_task(looking)

    def data_received(self, data: bytes) -> None:
        self.data += data
        if len(self.data) > MOST_EARLY and self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._gate.forget_lost()


class Gate:
    """The gate described in the module's docstring. It plays its matches one after another in its own
    thread."""

    def __init__(self, arena: Arena) -> None:
        """Start listening; raise ArenaFailed if that is not possible."""
        self._arena = arena
        self._waiting: list[Caller] = []
        self._seats: list[tuple[Referee, Chair]] = []
        self._sites: list[web.AppRunner] = []
        self._ports: list[OutsidePorts] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.addresses: dict[str, str] = {}
        """The addresses of the programs."""
        try:
            for one in (one for one in arena.contestants if one.listen):
                self.addresses[one.name] = asyncio.run_coroutine_threadsafe(
                    self._listen(one), self._loop
                ).result()
        except OSError as error:
            self.close()
            raise ArenaFailed(
                f"cannot listen on {one.listen} for {one.name!r}: {error.strerror or error}; "
                "choose another address"
            ) from None

    # Called by the distributor of the matches.

    def wait(self, needed: Mapping[str, int], tell: Callable[[str, float], None]) -> None:
        """Wait for the given number of connections of each program; *tell* gets the missing programs and the
        seconds left. Raise ArenaFailed after the timeout."""
        deadline = monotonic() + self._arena.wait
        while missing := [name for name, many in needed.items() if self._present(name) < many]:
            left = deadline - monotonic()
            words = ", ".join(f"{name} ({self._present(name)} of {needed[name]})" for name in missing)
            if left <= 0:
                seconds = f"{self._arena.wait:g} s"
                raise ArenaFailed(
                    f"not connected within {seconds}: {words}; start them and run the arena again"
                )
            tell(words, left)
            sleep(min(TICK, left))

    def _present(self, name: str) -> int:
        return sum(caller.contestant == name and caller.there() for caller in list(self._waiting))

    def submit(self, play: str) -> Future[str]:
        """Play a match here."""
        return asyncio.run_coroutine_threadsafe(self._play(play), self._loop)

    def close(self) -> None:
        """Close every connection and stop the current match."""
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    # Called in the thread of the gate.

    async def _play(self, text: str) -> str:
        play = msgspec.json.decode(text, type=Play)
        return encode(await play_programs(self._arena, play, find_game(self._arena.game), self))

    async def _listen(self, one: Contestant) -> str:
        """Listen for a program; return its address."""
        host, port = one.address
        ports = OutsidePorts()
        self._ports.append(ports)
        if one.wire == LINES:
            return f"{host} port {ports.listen(lambda: _Calling(self, one.name), host, port)} (TCP)"

        async def converse(request: web.Request) -> web.StreamResponse:
            return await self._converse(one.name, request)

        app = web.Application()
        app.router.add_get("/{path:.*}", converse)
        site = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await site.setup()
        self._sites.append(site)
        assert site.server is not None
        shown = f"[{host}]" if ":" in host else host
        return f"ws://{shown}:{ports.listen(site.server, host, port)}/"

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

    async def exchange(self, name: str, calling: _Calling, transport: asyncio.Transport) -> None:
        """Find a seat for a program that has connected over TCP, and pass the connection on."""
        place = None
        try:
            place = await self._call(Caller(name, calling.there))
        finally:
            if place is None:
                transport.close()
        if place is None:
            return
        referee, chair = place
        referee.exchange(chair, transport, bytes(calling.data), lambda: self._hung_up(chair))

    async def _call(self, caller: Caller) -> tuple[Referee, Chair] | None:
        """Wait for a seat; return None if the program has disconnected."""
        self._waiting.append(caller)
        self._match()
        return await caller.seat

    def _hung_up(self, chair: Chair) -> None:
        chair.connections -= 1
        self._match()

    def forget_lost(self) -> None:
        """Remove connections that have ended."""
        for caller in [one for one in self._waiting if not one.there()]:
            self._waiting.remove(caller)
            if not caller.seat.done():  # cancelled when the gate closes
                caller.seat.set_result(None)

    def _match(self) -> None:
        """Give each seat without a connection the one that has waited longest."""
        self.forget_lost()
        for referee, chair in self._seats:
            name = chair.contestant.name
            found = next((caller for caller in self._waiting if caller.contestant == name), None)
            if not chair.connections and found is not None:
                chair.connections += 1
                self._waiting.remove(found)
                found.seat.set_result((referee, chair))

    def seat(self, referee: Referee, chairs: Sequence[Chair]) -> None:
        """Start offering the seats of a match."""
        self._seats += [(referee, chair) for chair in chairs]
        self._match()

    def unseat(self, chairs: Sequence[Chair]) -> None:
        """Stop offering the seats of a match."""
        self._seats = [(referee, chair) for referee, chair in self._seats if chair not in chairs]

    async def _end(self) -> None:
        """Stop the current match and close every connection."""
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for ports in self._ports:
            await ports.close()
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for site in self._sites:
            await site.cleanup()
