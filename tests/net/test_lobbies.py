"""Lobbies on real sockets: line ports, WebSockets without a table, data kept over a restart."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Mapping
from pathlib import Path

import aiohttp
import pytest

from croupier.net.house import CannotServe, LinePort, Plan
from croupier.net.server import run
from croupier.wire.table_spec import TableSpec

COINCHE = LinePort("coinche", 0, "--coinche-port")
SAGRADA = LinePort("sagrada", 0, "--sagrada-port", line=True)
TIMEOUT = 30.0


class House:
    """A whole server in this process, ended by cancelling it."""

    def __init__(self, data: Path, *line_ports: LinePort) -> None:
        self._ready: asyncio.Future[tuple[int, Mapping[LinePort, int]]] = (
            asyncio.get_running_loop().create_future()
        )
        plan = Plan(
            "127.0.0.1",
            0,
            "serve",
            data / "croupier.db",
            TableSpec(["open"] * 4),
            lambda port, ports: self._ready.set_result((port, ports)),
            line_ports,
        )
        self._task = asyncio.create_task(run(plan))
        self.port = 0
        self.ports: Mapping[LinePort, int] = {}
        self._callers: list[Caller] = []

    async def __aenter__(self) -> House:
        while not self._ready.done():
            await asyncio.sleep(0.01)
            if self._task.done():
                await self._task
        self.port, self.ports = await self._ready
        return self

    async def __aexit__(self, *error: object) -> None:
        self.stop()
        await asyncio.wait([self._task])
        for caller in self._callers:
            await caller.drop()

    def stop(self) -> None:
        if not self._task.cancelling():
            self._task.cancel()

    async def call(self, port: LinePort) -> Caller:
        caller = Caller(*await asyncio.open_connection("127.0.0.1", self.ports[port]))
        self._callers.append(caller)
        return caller


class Caller:
    """A client of a line port."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def say(self, *lines: str) -> None:
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())

    async def hear(self) -> str:
        """Return the next line; empty at the end of the connection."""
        line = await asyncio.wait_for(self._reader.readline(), TIMEOUT)
        return line.decode().rstrip("\r\n")

    async def hear_until(self, start: str) -> str:
        """Return the next line that starts with *start*."""
        while True:
            line = await self.hear()
            assert line, f"no line begins with {start}"
            if line.startswith(start):
                return line

    async def drop(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


async def test_a_line_port_and_a_websocket_are_the_same_lobby(tmp_path: Path) -> None:
    async with House(tmp_path, COINCHE) as house, aiohttp.ClientSession() as session:
        anna = await house.call(COINCHE)
        anna.say("NAME anna")
        await anna.hear_until("104 1 4")
        async with session.ws_connect(f"ws://127.0.0.1:{house.port}/coinche") as socket:
            assert (await socket.receive_str(timeout=TIMEOUT)).startswith("100 coinche/1")
            await socket.send_str("NAME anna")
            assert await socket.receive_str(timeout=TIMEOUT) == "403 nickname is already in use"
            await socket.send_str("NAME bert")
            assert await socket.receive_str(timeout=TIMEOUT) == "200 Nickname changed"
        await anna.hear_until("101 2 bert")
        await anna.hear_until("102 2 bert lost")


async def test_an_open_table_is_joined_at_its_address(tmp_path: Path) -> None:
    wish = {"game": "taroky", "seats": ["open", *["bot heuristic"] * 3]}
    async with House(tmp_path) as house, aiohttp.ClientSession() as session:
        async with session.post(f"http://127.0.0.1:{house.port}/api/tables", json=wish) as response:
            made = await response.json()
        async with session.ws_connect(made["protocol"]) as socket:
            await socket.send_json({"command": "lobby.room.join", "room_id": made["id"]})
            answer = await socket.receive_json(timeout=TIMEOUT)
            assert answer["room"]["id"] == made["id"]


async def test_a_quit_before_closing_a_websocket_counts(tmp_path: Path) -> None:
    async with House(tmp_path, COINCHE) as house, aiohttp.ClientSession() as session:
        anna = await house.call(COINCHE)
        anna.say("NAME anna")
        await anna.hear_until("104 1 4")
        async with session.ws_connect(f"ws://127.0.0.1:{house.port}/coinche") as socket:
            await socket.send_str("NAME bert")
            await socket.send_str("QUIT")
        await anna.hear_until("101 2 bert")
        assert (await anna.hear_until("102 2 bert")).startswith("102 2 bert quit ")


async def test_requests_sent_together_are_answered_in_order(tmp_path: Path) -> None:
    async with House(tmp_path, COINCHE) as house:
        anna = await house.call(COINCHE)
        anna.say("NAME anna", "HAND", "nonsense")
        lines = [await anna.hear() for _ in range(7)]
        assert [line[:3] for line in lines] == ["100", "200", "108", "101", "104", "424", "400"]


async def test_users_are_known_after_a_restart(tmp_path: Path) -> None:
    async with House(tmp_path, SAGRADA) as house:
        anna = await house.call(SAGRADA)
        anna.say("login anna")
        token = (await anna.hear_until("login\tanna\t")).split("\t")[2]
    async with House(tmp_path, SAGRADA) as house:
        anna = await house.call(SAGRADA)
        anna.say("login anna")
        assert await anna.hear_until("login") == "login\tanna\ttoken"
        anna.say(f"token {token}")
        assert await anna.hear() == "verified"


async def test_the_end_of_the_server_ends_every_connection(tmp_path: Path) -> None:
    async with House(tmp_path, COINCHE, SAGRADA) as house:
        anna = await house.call(COINCHE)
        anna.say("NAME anna")
        await anna.hear_until("104")
        bert = await house.call(SAGRADA)
        await bert.hear_until("welcome")
        house.stop()
        while line := await anna.hear():
            last = line
        assert last.startswith("500 ")
        assert await bert.hear() == ""


async def test_a_port_in_use_is_skipped_or_prevents_the_start(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        optional = LinePort("coinche", port, "--coinche-port", must=False)
        async with House(tmp_path, optional) as house:
            assert house.ports == {}
        with pytest.raises(CannotServe, match=rf"port {port}: .*; choose another port with --coinche-port"):
            async with House(tmp_path, LinePort("coinche", port, "--coinche-port")):
                pass


async def test_the_number_of_connections_per_address_is_limited(tmp_path: Path) -> None:
    async with House(tmp_path, SAGRADA) as house:
        callers = [await house.call(SAGRADA) for _ in range(20)]
        for caller in callers:
            assert (await caller.hear()).startswith("welcome")
        late = await house.call(SAGRADA)
        assert await late.hear() == ""
        await callers[0].drop()
        for _ in range(600):
            late = await house.call(SAGRADA)
            if await late.hear():
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError("a freed place was not reused")


async def test_the_api_lists_the_open_ports(tmp_path: Path) -> None:
    async with (
        House(tmp_path, COINCHE, SAGRADA) as house,
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{house.port}/api/house") as response,
    ):
        assert (await response.json())["doors"] == [
            {"game": "coinche", "port": house.ports[COINCHE], "line": False, "tls": False},
            {"game": "sagrada", "port": house.ports[SAGRADA], "line": True, "tls": False},
        ]


async def test_a_websocket_is_dead_after_two_pings_without_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.net.websocket.HEARTBEAT", 0.05)
    monkeypatch.setattr("croupier.net.websocket.LAST_PING_SECONDS", 0.05)
    async with House(tmp_path) as house, aiohttp.ClientSession() as session:
        address = f"http://127.0.0.1:{house.port}/tarock"
        async with session.ws_connect(address, autoping=False) as silent:
            told = [(await silent.receive(TIMEOUT)).type for _ in range(3)]
        assert told[:2] == [aiohttp.WSMsgType.PING] * 2
        assert told[2] in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING, aiohttp.WSMsgType.ERROR)
        async with session.ws_connect(address, autoping=False) as client:
            await client.ping(b"x")
            for _ in range(5):
                while (message := await client.receive(TIMEOUT)).type == aiohttp.WSMsgType.PING:
                    await client.pong()
                assert (message.type, message.data) == (aiohttp.WSMsgType.PONG, b"x")
                await client.ping(b"x")
