"""A server in this process, and a WebSocket client that can do what a good one never would."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgspec
from aiohttp import web

from croupier.core.options import Value
from croupier.games.hearts import GAME
from croupier.net.web import make_app
from croupier.store import Store
from croupier.store.memory import MemoryStore
from croupier.table.hall import DEFAULT, Config, Hall
from croupier.table.runner import Runner

Frame = dict[str, Any]
PATIENCE = 30.0
QUICK: dict[str, Value] = {"command_interval": 0, "round_interval": 0, "deal_interval": 0}
NAMES = ["ann", "bob", "cyd", "dan"]

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


@dataclass
class Rig:
    """A listening server."""

    hall: Hall
    port: int
    session: aiohttp.ClientSession
    opened: list[RawSocket] = field(default_factory=list)
    connected: list[aiohttp.ClientWebSocketResponse] = field(default_factory=list)

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def default(self) -> Runner:
        return self.hall.runners[DEFAULT]

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
        """Open a WebSocket that is closed with the server."""
        self.connected.append(await self.session.ws_connect(self.ws + path, headers=headers))
        return self.connected[-1]

    async def raw(self, path: str, receive_buffer: int = 0, **headers: str) -> RawSocket:
        """Open a WebSocket by hand."""
        opened = await RawSocket.open(self.port, path, receive_buffer, headers)
        self.opened.append(opened)
        return opened


@contextlib.asynccontextmanager
async def rig(
    config: Config | None = None, store: Store | None = None, mode: str = "serve"
) -> AsyncIterator[Rig]:
    """Run a server on a free port, with a Hearts table at its root."""
    hall = Hall(store if store is not None else MemoryStore())
    runner = web.AppRunner(make_app(hall, mode), access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        listener = socket.socket()
        # Connections inherit it: what the system would take off our hands is not what we look at.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
        listener.bind(("127.0.0.1", 0))
        await web.SockSite(runner, listener).start()
        await hall.open(GAME, config or Config(["open"] * 4, table_options={**QUICK}), DEFAULT)
        port = int(runner.addresses[0][1])
        async with aiohttp.ClientSession() as session, asyncio.timeout(4 * PATIENCE):
            made = Rig(hall, port, session)
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
        await hall.stop("the test is over")
        await runner.cleanup()


async def eventually(happens: Callable[[], bool]) -> None:
    """Wait until something is so; give up when it takes far too long."""
    async with asyncio.timeout(4 * PATIENCE):
        while True:
            if happens():
                return
            await asyncio.sleep(0.01)


class RawSocket:
    """A client of RFC 6455 made of bytes."""

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
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
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
        async with asyncio.timeout(PATIENCE):
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

    async def closed(self) -> int | None:
        """Read to the end; return the code the server closed with, None if it just went."""
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
