"""A line port, connection by connection, in virtual time: both ends are in the same loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from croupier.games import game
from croupier.net.limits import Crowd
from croupier.net.link import Carrier
from croupier.net.outbox import CLOSE_SECONDS
from croupier.net.reception import Reception
from croupier.net.tcp import LineLink, Listener
from croupier.store.memory import MemoryStore
from croupier.table.hall import Hall
from croupier.testing import clock
from croupier.wire.desk import DeskConversation

Link = Callable[[DeskConversation, Carrier, Reception, str], LineLink]


class Port:
    """The line port of a game."""

    def __init__(self, hall: Hall, link: Link, name: str) -> None:
        self.reception = Reception(hall, game(name), {}, {})
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
async def port(link: Link = LineLink, name: str = "coinche") -> AsyncIterator[Port]:
    hall = Hall(MemoryStore())
    made = Port(hall, link, name)
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


async def _four(line: Port) -> list[Caller]:
    callers = [await line.call() for _ in range(4)]
    for caller, name in zip(callers, ("anna", "bobby", "carol", "david"), strict=True):
        caller.say(f"NAME {name}")
        await caller.hear("108")
    for caller in callers:
        await caller.hear("320")
    return callers


def test_who_quits_behind_another_command_and_closes_has_quit() -> None:  # 14
    async def main() -> None:
        async with port() as line:
            callers = await _four(line)
            callers[0].say("PASS", "QUIT")
            callers[0].writer.close()
            assert await callers[2].hear("322") == "322 1 :anna passes"
            assert (await callers[2].hear("102")).startswith("102 1 anna quit ")
            callers[1].say("HAND")
            callers[1].writer.close()
            assert (await callers[2].hear("102")).startswith("102 2 bobby lost ")

    clock.run(main())


def test_who_says_no_more_but_still_listens_gets_every_answer() -> None:  # 11
    async def main() -> None:
        async with port() as line:
            for said, codes in (
                (("NAME anna", "HAND", "QUIT"), ["100", "200", "108", "101", "104", "424"]),
                (("NAME anna", "HAND"), ["100", "200", "108", "101", "104", "424"]),
                (("HELP",), ["100", "200", *["110"] * 12]),
                ((), ["100"]),
            ):
                caller = await line.call()
                caller.say(*said)
                caller.writer.write_eof()
                assert await caller.hear_all() == codes

    clock.run(main())


def test_lines_that_are_held_back_are_answered_too() -> None:
    async def main() -> None:
        async with port(name="sagrada") as line:
            caller = await line.call()
            caller.writer.write(b"ping\tx\r")  # an LF may follow
            caller.writer.write_eof()
            assert await caller.reader.read() == b"welcome to the glass workshop\rpong\tx\r"
            caller = await line.call()
            caller.writer.write(b"ping\r\n" * 50)  # ten more than the bucket holds
            caller.writer.write_eof()
            assert (await caller.reader.read()).count(b"pong") == 50

    clock.run(main())


def test_an_answer_that_does_not_come_is_not_waited_for() -> None:
    async def main() -> None:
        async with port() as line:

            def held() -> DeskConversation:
                conversation = line.reception.desk.conversation()
                conversation.hold()
                return conversation

            line.converse = held
            caller = await line.call()
            caller.say("HELP")
            caller.writer.write_eof()
            assert await caller.hear_all() == ["100"]
            await caller.served
            assert asyncio.get_running_loop().time() <= clock.START + CLOSE_SECONDS

    clock.run(main())
