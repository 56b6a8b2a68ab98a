"""A line port in virtual time: both ends of each connection are in the same event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

import pytest

from croupier.games import game
from croupier.net.limits import ConnectionCount
from croupier.net.lobby import LobbyServer
from croupier.net.lobby_connection import LobbyConnection
from croupier.net.outbox import CLOSE_SECONDS, Channel
from croupier.net.tcp import LineProtocol, Listener
from croupier.store.api import StoreError
from croupier.store.memory import MemoryStore
from croupier.table.tables import Tables
from croupier.testing import clock
from croupier.wire.driver import Exchange, LobbyConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Wait

Connect = Callable[[LobbyConversation, Channel, LobbyServer, str], LobbyConnection]


class Port:
    """The line port of a game."""

    def __init__(self, tables: Tables, connect: Connect, name: str) -> None:
        self.server = LobbyServer(tables, game(name), {}, {})
        self.converse: Callable[[], LobbyConversation] = self.server.converse
        self.listener = Listener(self.server, lambda: self.converse(), ConnectionCount(100), connect)
        self.callers: list[Caller] = []

    async def call(self) -> Caller:
        """Return the client's end of a new connection."""
        near, far = socket.socketpair()
        loop = asyncio.get_running_loop()
        served = loop.create_future()
        await loop.create_connection(
            lambda: LineProtocol(self.listener, lambda: served.set_result(None)), sock=near
        )
        self.callers.append(Caller(*await asyncio.open_connection(sock=far), served))
        return self.callers[-1]


class Caller:
    """A client of the port."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, served: asyncio.Future[None]
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.served = served
        """Done when the server has released the connection."""

    def say(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode())

    async def hear(self, start: str) -> str:
        """Return the next line that starts with *start*."""
        while line := (await self.reader.readline()).decode().rstrip():
            if line.startswith(start):
                return line
        raise AssertionError(f"no line begins with {start}")

    async def hear_all(self) -> list[str]:
        """Return the codes of all lines until the server closes."""
        return [line[:3].decode() async for line in self.reader]


@asynccontextmanager
async def port(connect: Connect = LobbyConnection, name: str = "coinche") -> AsyncIterator[Port]:
    tables = Tables(MemoryStore())
    made = Port(tables, connect, name)
    try:
        yield made
    finally:
        for caller in made.callers:
            caller.writer.close()
            with suppress(ConnectionError):
                await caller.writer.wait_closed()
            await caller.served
        await tables.stop("the test is over")


def test_a_backlog_of_input_is_read_in_small_pieces_and_others_are_served_in_between() -> None:  # 14
    turn = 0
    pieces: dict[int, int] = {}

    class Noted(LobbyConnection):
        def feed(self, data: bytes) -> None:
            pieces[turn] = pieces.get(turn, 0) + len(data)
            super().feed(data)

    def tick() -> None:
        nonlocal turn
        turn += 1
        asyncio.get_running_loop().call_soon(tick)

    async def main() -> None:
        async with port(Noted) as line:
            caller = await line.call()
            tick()
            caller.writer.write(b"\r\n" * 50_000)
            caller.writer.write_eof()
            await caller.served

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


def test_a_quit_after_another_command_counts_when_the_connection_is_closed() -> None:  # 14
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


def test_a_half_closed_connection_gets_every_answer() -> None:  # 11
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


def test_delayed_lines_are_answered_too() -> None:
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


def test_waiting_for_an_answer_has_a_limit() -> None:
    async def main() -> None:
        async with port() as line:

            def never() -> Exchange:
                yield Wait()

            def held() -> LobbyConversation:
                conversation = line.server.lobby.conversation()
                assert isinstance(conversation, LobbyConversation)
                conversation.begin(never())
                return conversation

            line.converse = held
            caller = await line.call()
            caller.say("HELP")
            caller.writer.write_eof()
            assert await caller.hear_all() == ["100"]
            await caller.served
            assert asyncio.get_running_loop().time() <= clock.START + CLOSE_SECONDS

    clock.run(main())


@pytest.mark.parametrize(
    ("name", "said", "welcome", "answer"),
    [("coinche", "HAND", b"100 ", b"401 "), ("sagrada", "ping", b"welcome ", b"pong")],
)
def test_connections_are_admitted_when_all_tables_of_the_game_are_restored(
    name: str, said: str, welcome: bytes, answer: bytes
) -> None:
    class Slow(MemoryStore):
        async def logs(self, firsts: Mapping[str, int]) -> dict[str, list[str] | StoreError]:
            await asyncio.sleep(1.0)
            return await super().logs(firsts)

    async def main() -> None:
        store = Slow()
        before = Tables(store)
        await before.open(game(name), TableSpec(["open"] * 4))
        await before.stop("restart")
        tables = Tables(store)
        assert await tables.recover() == 1
        line = Port(tables, LobbyConnection, name)
        caller = await line.call()
        caller.say(said)
        await asyncio.sleep(0.9)
        assert not line.server.tables()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(caller.reader.read(1), 0.05)
        assert (await caller.reader.readuntil(answer)).startswith(welcome)
        assert len(line.server.tables()) == 1
        caller.writer.close()
        await caller.served
        await tables.stop("the test is over")

    clock.run(main())
