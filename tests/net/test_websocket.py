"""WebSockets: the handshake, and what is left of a connection after its end."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from collections.abc import Iterator

import pytest
from aiohttp import web

from croupier.net.connection import Connection
from croupier.net.websocket import WebSocket
from tests.alive import alive, no_collector
from tests.net.rig import CLOSE, RawSocket, eventually, rig

PATHS = ["/", "/house/default", "/coinche", "/api/lobby"]


@pytest.fixture
def without_collector() -> Iterator[None]:
    with no_collector():
        yield


def parts() -> Counter[str]:
    """Return the number of live objects of each part of a connection."""
    return alive(WebSocket, Connection, web.BaseRequest, web.RequestHandler)


async def freed(before: Counter[str]) -> None:
    """Wait until no more objects are alive than *before*."""
    for _ in range(20):
        await asyncio.sleep(0.05)
        left = parts() - before
        if not left:
            return
    raise AssertionError(f"still alive: {left}")


def reset(client: RawSocket) -> None:
    """End the connection without a word."""
    link: socket.socket = client.writer.get_extra_info("socket")
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.writer.transport.abort()


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("ending", ["close frame", "end of stream", "reset"])
async def test_a_connection_is_freed_at_once(path: str, ending: str) -> None:
    async with rig() as server:
        before = parts()
        clients = [await server.raw(path) for _ in range(3)]
        assert parts() - before >= Counter(WebSocket=3), "there is something to be freed"
        for client in clients:
            if ending == "close frame":
                client.send(struct.pack(">H", 1000), CLOSE)
            elif ending == "end of stream":
                client.writer.close()
            else:
                reset(client)
        await eventually(lambda: server.house.connections.count == 0)
        await freed(before)


async def answer(port: int, *lines: str) -> bytes:
    """Return the first line of the answer to a request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = [
        lines[0],
        f"Host: 127.0.0.1:{port}",
        *lines[1:],
        "Connection: close" * ("Connection" not in str(lines)),
    ]
    writer.write("\r\n".join([*filter(None, head), "\r\n"]).encode())
    found = await reader.readline()
    writer.close()
    return found


KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
WANTED = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", KEY]


async def test_the_answer_to_the_key_of_rfc_6455() -> None:  # RFC 6455, 1.3
    async with rig() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        head = ["GET /house/default HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *WANTED, "\r\n"]
        writer.write("\r\n".join(head).encode())
        found = await reader.readuntil(b"\r\n\r\n")
        assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in found
        writer.close()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "lines",
    [
        ["Upgrade: websocket", "Connection: Upgrade", KEY],
        ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 8", KEY],
        ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"],
        [*WANTED[:3], "Sec-WebSocket-Key: dGhlIHNhbXBsZQ=="],
        [*WANTED[:3], "Sec-WebSocket-Key: not base64!"],
    ],
)
async def test_a_wrong_handshake_is_refused(path: str, lines: list[str]) -> None:
    async with rig() as server:
        assert await answer(server.port, f"GET {path} HTTP/1.1", *lines) == b"HTTP/1.1 400 Bad Request\r\n"
        assert await answer(server.port, "GET /healthz HTTP/1.1") == b"HTTP/1.1 200 OK\r\n"
