"""Refused requests are freed at once: garbage for the collector costs memory, and later a pause."""

from __future__ import annotations

import asyncio
import struct
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from aiohttp import web

from chaos.hostile_messages import FRAMES, REQUESTS, damaged, damaged_request, written
from croupier.core.refusal import Refusal
from croupier.net.connection import Connection
from croupier.net.relay import Session
from croupier.wire.talk import Conversation
from tests.alive import alive, no_collector
from tests.net.rig import CLOSE, TIMEOUT, Rig, eventually, rig

MANY = 40


@pytest.fixture(autouse=True)
def without_collector() -> Iterator[None]:
    with no_collector():
        yield


def parts() -> Counter[str]:
    return alive(Connection, Conversation, Refusal, Session, web.BaseRequest, web.RequestHandler)


async def freed(before: Counter[str]) -> None:
    """Wait until no more objects are alive than *before*."""
    for _ in range(600):
        left = parts() - before
        if not left:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"still alive: {left}")


@pytest.mark.parametrize(
    "path", ["/tarock", "/taroky", "/coinche", "/sagrada", "/house/default", "/t/default"]
)
async def test_damaged_frames(path: str) -> None:
    chance = Random(5)
    async with rig() as server:
        before = parts()
        client = await server.raw(path)
        for _ in range(MANY):
            client.send(damaged(chance.choice(FRAMES), chance).decode("utf-8", "replace"))
        client.send(struct.pack(">H", 1000), CLOSE)
        await eventually(lambda: server.house.connections.count == 0)
        await freed(before)


@pytest.mark.parametrize("path", ["/tarock", "/taroky", "/coinche", "/sagrada", "/house/default", "/watch"])
async def test_wrong_handshakes(path: str) -> None:
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", "Connection: Upgrade", "Upgrade: websocket"]
    async with rig() as server:
        before = parts()
        for wrong in ("Sec-WebSocket-Version: 12", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x"):
            await ask(server, "\r\n".join([*lines, wrong, "Connection: close", "", ""]).encode())
        await freed(before)


async def ask(server: Rig, request: bytes) -> None:
    """Send one request and read the answer, if there is one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request)
    writer.write_eof()
    await asyncio.wait_for(reader.read(), TIMEOUT)
    writer.close()


@pytest.mark.parametrize("part", list(REQUESTS))
async def test_damaged_requests(part: str) -> None:
    chance = Random(5)
    async with rig() as server:
        await ask(server, b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")  # what is made once
        before = parts()
        for _ in range(MANY):
            await ask(server, written(damaged_request(chance.choice(REQUESTS[part]), chance)))
        for request in (b"GET /\x00 HTTP/1.1\r\n\r\n", b"FOO\r\n\r\n"):
            await ask(server, request)
        await freed(before)
