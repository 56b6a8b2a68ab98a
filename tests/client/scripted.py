"""A server that sends what a test specifies: one step for each connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import aiohttp
import msgspec
from aiohttp import web

Frame: TypeAlias = dict[str, Any]
PLACE: Frame = {
    "seat": 0, "kind": "open", "bot": "", "name": "ann", "account": None, "number": 1, "person": False,
    "connected": True, "late": False, "auto": False, "timeouts": 0, "errors": 0,
}  # fmt: skip
TABLE: Frame = {
    "type": "table", "id": "t", "game": "hearts", "title": "Hearts", "phase": "playing", "started": True,
    "options": {}, "table_options": {}, "seed": None, "you": 0, "watch_open": False, "watch_delay": 0,
    "seats": [PLACE],
}  # fmt: skip


class Peer:
    """The server's end of a connection."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self._socket = socket
        self._request = request

    async def send(self, *frames: Frame) -> None:
        for frame in frames:
            await self.send_text(msgspec.json.encode(frame).decode())

    async def send_text(self, text: str) -> None:
        await self._socket.send_str(text)

    async def hear(self) -> Frame:
        message = await self._socket.receive(timeout=10)
        assert message.type == aiohttp.WSMsgType.TEXT, message
        return msgspec.json.decode(message.data, type=Frame)

    async def seat(self, back: bool = False, phase: str = "playing") -> Frame:
        """Take the join and answer it; return it."""
        await self.send(view(0), event(99))  # a watcher's, and not to be counted
        join = await self.hear()
        assert join["type"] == "join"
        await self.send(
            {"type": "joined", "seat": 0, "back": back, "id": join["id"]}, {**TABLE, "phase": phase}
        )
        return join

    async def close(self, code: int) -> None:
        await self._socket.close(code=code)

    def cut(self) -> None:
        """End the connection as if the cable had been pulled."""
        assert self._request.transport is not None
        self._request.transport.abort()


Script: TypeAlias = Callable[[Peer], Awaitable[None]]


@asynccontextmanager
async def serving(*scripts: Script) -> AsyncIterator[str]:
    """Run a server whose n-th connection follows the n-th script, and then ends; yield its address.

    When the context ends, every script must have ended.
    """
    waiting = list(scripts)
    done: list[asyncio.Task[None]] = []

    async def serve(request: web.Request) -> web.StreamResponse:
        if not waiting:
            raise web.HTTPServiceUnavailable
        script = waiting.pop(0)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        peer = Peer(socket, request)
        await peer.send({**TABLE, "you": None})  # as every server does first
        task = asyncio.ensure_future(script(peer))
        done.append(task)
        await asyncio.wait([task])
        return socket

    app = web.Application()
    app.router.add_get("/house/t", serve)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
        await asyncio.gather(*done)
        assert not waiting, f"{len(waiting)} connections never came"
    finally:
        await runner.cleanup()


def event(number: int, **facts: object) -> Frame:
    return {"type": "event", "number": number, "event": {"kind": "played", **facts}, "auto": False}


def ask(turn: int, *legal: str) -> Frame:
    return {"type": "ask", "turn": turn, "seconds": 30.0, "legal": list(legal), "view": {}}


def view(number: int) -> Frame:
    return {"type": "view", "number": number, "view": {}, "turn": None, "seconds": None}


def accepted(request: Frame) -> Frame:
    return {"type": "accepted", "id": request["id"]}


def refused(request: Frame, key: str) -> Frame:
    return {"type": "refused", "id": request["id"], "key": key, "words": f"because of {key}"}
