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
from croupier.net.websocket import PART, SHARE, WebSocket
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
    for _ in range(600):
        await asyncio.sleep(0.05)
        left = parts() - before
        if not left:
            return
    raise AssertionError(f"still alive: {left}")


def reset(client: RawSocket) -> None:
    """End the connection without a close frame."""
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


class Pipe(asyncio.Transport):
    """A transport that notes whether it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.read = True
        self.written = b""

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def pause_reading(self) -> None:
        assert self.read, "it is paused once"
        self.read = False

    def resume_reading(self) -> None:
        assert not self.read
        self.read = True

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0


class Noted:
    """A user that notes its frames with its name."""

    def __init__(self, name: str, notes: list[str]) -> None:
        self._name = name
        self._notes = notes

    def received(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        self._notes.append(self._name + text)

    def closed(self) -> None:
        self._notes.append(f"{self._name} closed")

    def lost(self) -> None:
        self._notes.append(f"{self._name} lost")


def frames(many: int) -> bytes:
    """Return numbered frames, as they may arrive in one packet."""
    return b"".join(bytes([0x81, 0x81, 0, 0, 0, 0, ord("0") + number]) for number in range(many))


def connected(name: str, notes: list[str], limit: int = 1000) -> tuple[WebSocket, Pipe]:
    pipe = Pipe()
    made = WebSocket(pipe, limit, pings=False)
    made.use(Noted(name, notes))
    return made, pipe


async def test_a_connection_with_many_frames_lets_the_others_have_their_turn() -> None:
    notes: list[str] = []
    busy, pipe = connected("a", notes)
    other, _ = connected("b", notes)
    busy.data_received(frames(10))
    other.data_received(frames(1))
    assert notes == [*(f"a{number}" for number in range(SHARE)), "b0"]
    assert not pipe.read
    for _ in range(5):
        await asyncio.sleep(0)
    assert notes == [*(f"a{number}" for number in range(SHARE)), "b0", *(f"a{n}" for n in range(SHARE, 10))]
    assert pipe.read


async def test_frames_before_the_end_of_a_connection_are_processed() -> None:
    notes: list[str] = []
    busy, _ = connected("a", notes)
    busy.data_received(frames(10))
    busy.connection_lost(None)
    await asyncio.sleep(0)
    assert notes == [*(f"a{number}" for number in range(10)), "a lost"]


async def test_a_user_may_pause_reading_while_frames_wait() -> None:
    notes: list[str] = []
    busy, pipe = connected("a", notes)
    busy.data_received(frames(10))
    busy.pause_reading()
    for _ in range(5):
        await asyncio.sleep(0)
    assert not pipe.read
    assert len(notes) == SHARE
    busy.resume_reading()
    for _ in range(5):
        await asyncio.sleep(0)
    assert len(notes) == 10


async def test_what_arrives_at_once_is_parsed_in_parts() -> None:
    notes: list[str] = []
    busy, pipe = connected("a", notes)
    data = frames(10) * 1000
    busy.data_received(data)
    for _ in range(len(data) // PART):
        assert len(busy._inbox.take()) <= PART // 7, "what was parsed and not processed"
        await asyncio.sleep(0)
    busy.data_received(frames(1))
    assert not pipe.read
    busy.connection_lost(None)
    assert notes[-2:] == ["a0", "a lost"]


async def test_a_long_frame_in_parts_is_one_frame() -> None:
    notes: list[str] = []
    busy, _ = connected("a", notes, limit=3 * PART)
    busy.data_received(b"\x81\xfe%b\0\0\0\0" % (2 * PART).to_bytes(2, "big") + 2 * PART * b"x" + frames(1))
    for _ in range(5):
        await asyncio.sleep(0)
    assert notes == ["a" + 2 * PART * "x", "a0"]


@pytest.mark.slow
@pytest.mark.compiled
async def test_a_ping_is_answered() -> None:
    made, pipe = connected("a", [])
    made.data_received(b"\x89\x82\0\0\0\0hi")
    await asyncio.sleep(0)
    assert pipe.written == b"\x8a\x02hi"


async def test_pings_of_a_peer_that_does_not_read_get_one_answer() -> None:  # RFC 6455, 5.5.3
    made, pipe = connected("a", [])
    made.pause_writing()
    for letter in b"abc":
        made.data_received(b"\x89\x81\0\0\0\0%c" % letter)
    await asyncio.sleep(0)
    assert made.writer.waiting() == 0, "nothing is kept that the peer could make grow"
    made.resume_writing()
    await asyncio.sleep(0)
    assert pipe.written == b"\x8a\x01c"
    made.data_received(b"\x89\x81\0\0\0\0d")
    await asyncio.sleep(0)
    assert pipe.written == b"\x8a\x01c\x8a\x01d"
