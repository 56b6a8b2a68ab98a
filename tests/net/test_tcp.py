"""A line port, connection by connection, in virtual time: both ends are in the same loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from croupier.games import game
from croupier.net.limits import Crowd
from croupier.net.link import Carrier
from croupier.net.reception import Reception
from croupier.net.tcp import LineLink, Listener
from croupier.store.memory import MemoryStore
from croupier.table.hall import Hall
from croupier.testing import clock
from croupier.wire.desk import DeskConversation

Link = Callable[[DeskConversation, Carrier, Reception, str], LineLink]


class Port:
    """The line port of Coinche."""

    def __init__(self, hall: Hall, link: Link) -> None:
        self.reception = Reception(hall, game("coinche"), {}, {})
        self.converse: Callable[[], DeskConversation] = self.reception.desk.conversation
        self.listener = Listener(self.reception, lambda: self.converse(), Crowd(100), link)
        self.callers: list[Caller] = []

    async def call(self) -> Caller:
        """Return the far end of a new connection."""
        near, far = socket.socketpair()
        served = asyncio.create_task(self.listener.serve(*await asyncio.open_connection(sock=near)))
        self.callers.append(Caller(*await asyncio.open_connection(sock=far), served))
        return self.callers[-1]


class Caller:
    """Somebody at the port."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, served: asyncio.Task[None]
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.served = served
        """Done when the server has let go of the connection."""

    def say(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode())

    async def hear(self, start: str) -> str:
        """Return the next line that begins with *start*."""
        while line := (await self.reader.readline()).decode().rstrip():
            if line.startswith(start):
                return line
        raise AssertionError(f"no line begins with {start}")

    async def hear_all(self) -> list[str]:
        """Return the codes of all lines until the server closes."""
        return [line[:3].decode() async for line in self.reader]


@asynccontextmanager
async def port(link: Link = LineLink) -> AsyncIterator[Port]:
    hall = Hall(MemoryStore())
    made = Port(hall, link)
    try:
        yield made
    finally:
        for caller in made.callers:
            caller.writer.close()
            with suppress(ConnectionError):
                await caller.writer.wait_closed()
            await caller.served
        await hall.stop("the test is over")


def test_what_has_piled_up_is_read_in_small_pieces_and_the_others_come_in_between() -> None:  # 14
    turn = 0
    pieces: dict[int, int] = {}

    class Noted(LineLink):
        def feed(self, data: bytes) -> None:
            pieces[turn] = pieces.get(turn, 0) + len(data)
            super().feed(data)

    def tick() -> None:
        nonlocal turn
        turn += 1
        asyncio.get_running_loop().call_soon(tick)

    async def main() -> None:
        async with port(Noted) as line:
            near, far = socket.socketpair()
            reader, writer = await asyncio.open_connection(sock=near)
            reader.feed_data(b"\r\n" * 50_000)
            reader.feed_eof()
            tick()
            await line.listener.serve(reader, writer)
            far.close()

    clock.run(main())
    assert sum(pieces.values()) == 100_000
    assert max(pieces.values()) <= 8192
