"""A server in this process, and a WebSocket client that can violate the protocol."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal

import aiohttp
import msgspec
from aiohttp import web

from croupier.core.options import Value
from croupier.http import TrustedProxies
from croupier.net.house import House, Plan, build
from croupier.net.http_port import HttpRunner
from croupier.net.web import make_app
from croupier.store import Store, open_store
from croupier.table.shell import Shell
from croupier.table.tables import DEFAULT, Tables
from croupier.wire.table_spec import TableSpec

Frame = dict[str, Any]
TIMEOUT = 30.0
QUICK: dict[str, Value] = {"command_interval": 0, "round_interval": 0, "deal_interval": 0, "game_interval": 0}
NAMES = ["ann", "bob", "cyd", "dan"]

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


@dataclass
class Rig:
    """A listening server."""

    house: House
    port: int
    session: aiohttp.ClientSession
    opened: list[RawSocket] = field(default_factory=list)
    connected: list[aiohttp.ClientWebSocketResponse] = field(default_factory=list)

    @property
    def tables(self) -> Tables:
        return self.house.tables

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def default(self) -> Shell:
        return self.tables.shells[DEFAULT]

    async def get(self, path: str, **headers: str) -> tuple[int, Any]:
        async with self.session.get(self.http + path, headers=headers) as response:
            assert response.content_type == "application/json", await response.text()
            return response.status, await response.json()

    async def post(self, path: str, body: object, **headers: str) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else msgspec.json.encode(body)
        headers = {"Content-Type": "application/json", **headers}
        async with self.session.post(self.http + path, data=data, headers=headers) as response:
            assert response.content_type == "application/json", await response.text()
            return response.status, await response.json()

    async def connect(self, path: str, **headers: str) -> aiohttp.ClientWebSocketResponse:
        """Open a WebSocket that is closed at the end of the test."""
        self.connected.append(await self.session.ws_connect(self.ws + path, headers=headers))
        return self.connected[-1]

    async def raw(self, path: str, receive_buffer: int = 0, **headers: str) -> RawSocket:
        """Open a raw WebSocket."""
        opened = await RawSocket.open(self.port, path, receive_buffer, headers)
        self.opened.append(opened)
        return opened


@contextlib.asynccontextmanager
async def rig(
    default: TableSpec | None = None,
    store: Store | None = None,
    mode: Literal["serve", "node"] = "serve",
    now: Callable[[], float] = time.time,
    proxies: str = "",
    **limits: Any,
) -> AsyncIterator[Rig]:
    """Run a server on a free port, with a Hearts table at its root; *store* stays open.

    *proxies* is the network of trusted proxies, *limits* are other members of the plan.
    """
    spec = default or TableSpec(["open"] * 4, table_options={**QUICK})
    plan = Plan(
        "127.0.0.1", 0, mode, "memory:", spec, lambda port, line_ports: None, bot_processes=0, **limits
    )
    if proxies:
        plan.trusted_proxies = TrustedProxies([ip_network(proxies)])
    async with build(plan, store, now) as house:
        runner = HttpRunner(make_app(house), house.connections, shutdown_timeout=1.0)
        await runner.setup()
        try:
            listener = socket.socket()
            # Connections inherit the small buffer: the tests are about our own limits, not the system's.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
            listener.bind(("127.0.0.1", 0))
            await web.SockSite(runner, listener).start()
            house.begin_work()
            port = int(runner.addresses[0][1])
            async with aiohttp.ClientSession() as session, asyncio.timeout(4 * TIMEOUT):
                made = Rig(house, port, session)
                try:
                    yield made
                finally:
                    for connected in made.connected:
                        await connected.close()
                    for opened in made.opened:
                        opened.writer.transport.abort()
                        with contextlib.suppress(ConnectionError):
                            await opened.writer.wait_closed()
        finally:
            await house.announce_stop("the test is over")
            await runner.cleanup()


@contextlib.asynccontextmanager
async def database() -> AsyncIterator[Store]:
    """Open a temporary database."""
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(Path(folder) / "games.db")
        try:
            yield store
        finally:
            await store.close()


@contextlib.asynccontextmanager
async def kept_rig(**how: Any) -> AsyncIterator[Rig]:
    """Run a server with a database, so that it has accounts."""
    async with database() as store, rig(store=store, **how) as server:
        yield server


async def eventually(happens: Callable[[], bool]) -> None:
    """Wait until *happens* returns True; fail after a long time."""
    async with asyncio.timeout(10 * TIMEOUT):
        while True:
            if happens():
                return
            await asyncio.sleep(0.01)


def skip(seconds: float) -> None:
    """Advance the clock of the event loop, so that its timers are due earlier."""
    loop = asyncio.get_running_loop()
    before = loop.time
    loop.time = lambda: before() + seconds  # type: ignore[method-assign]


class RawSocket:
    """A minimal client of RFC 6455."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.frames: list[Frame] = []

    @classmethod
    async def open(cls, port: int, path: str, receive_buffer: int, headers: dict[str, str]) -> RawSocket:
        link = socket.socket()
        if receive_buffer:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        link.setblocking(False)
        await asyncio.get_running_loop().sock_connect(link, ("127.0.0.1", port))
        reader, writer = await asyncio.open_connection(sock=link, limit=4096 if receive_buffer else 2**16)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *(f"{name}: {value}" for name, value in headers.items()),
            "\r\n",
        ]
        writer.write("\r\n".join(lines).encode())
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), TIMEOUT)
        assert head.startswith(b"HTTP/1.1 101"), head
        return cls(reader, writer)

    def send(self, payload: bytes | str | object, opcode: int = TEXT, final: bool = True) -> None:
        """Queue one frame: bytes and text as they are, anything else as JSON."""
        if isinstance(payload, str):
            data = payload.encode()
        elif isinstance(payload, bytes):
            data = payload
        else:
            data = msgspec.json.encode(payload)
        if len(data) < 126:
            size = bytes([0x80 | len(data)])
        elif len(data) < 2**16:
            size = bytes([0x80 | 126]) + len(data).to_bytes(2, "big")
        else:
            size = bytes([0x80 | 127]) + len(data).to_bytes(8, "big")
        mask = b"\x00\x00\x00\x00"
        self.writer.write(bytes([(0x80 if final else 0) | opcode]) + size + mask + data)

    async def receive(self) -> tuple[int, bytes]:
        """Return opcode and payload of the next frame."""
        async with asyncio.timeout(TIMEOUT):
            head = await self.reader.readexactly(2)
            size = head[1] & 127
            if size == 126:
                size = int.from_bytes(await self.reader.readexactly(2), "big")
            elif size == 127:
                size = int.from_bytes(await self.reader.readexactly(8), "big")
            return head[0] & 15, await self.reader.readexactly(size)

    async def next(self, *kinds: str) -> Frame:
        """Return the next JSON frame, of one of these types or names if any are given."""
        while True:
            opcode, payload = await self.receive()
            assert opcode == TEXT, (opcode, payload)
            frame: Frame = msgspec.json.decode(payload)
            self.frames.append(frame)
            if not kinds or frame.get("type", frame.get("eventName")) in kinds:
                return frame

    async def caught_up(self) -> None:
        """Wait until the server has handled everything that was sent; keep the frames that arrive."""
        self.send(b"", PING)
        while (answer := await self.receive())[0] != PONG:
            assert answer[0] == TEXT, answer
            self.frames.append(msgspec.json.decode(answer[1]))

    async def closed(self) -> int | None:
        """Read to the end; return the close code of the server, None without a close frame."""
        try:
            while True:
                opcode, payload = await self.receive()
                if opcode == CLOSE:
                    return int.from_bytes(payload[:2], "big") if payload else 1005
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def answered(self) -> Frame:
        """Send a ping of the house protocol and return the frame before its pong, or the pong."""
        mark = f"mark {len(self.frames)}"
        self.send({"type": "ping", "id": mark})
        before: Frame = {}
        while True:
            frame = await self.next()
            if frame == {"type": "pong", "id": mark}:
                return before or frame
            before = frame

    def close(self) -> None:
        self.writer.close()
