"""A connection that one node has accepted and another one serves: two nodes in one process."""

from __future__ import annotations

import asyncio
from typing import Any

from croupier.cluster.links import Links, Stream
from croupier.cluster.messages import Frame
from croupier.net.forwarding import COME_BACK, HIGH, REPORTED, Edge, ForwardedTransport, Opening
from croupier.net.frames import close_frame
from croupier.testing import clock


class Socket(asyncio.Transport):
    """The client's end: remembers what it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.calls: list[str] = []
        self.ended = False

    def write(self, data: Any) -> None:
        self.sent += data

    def is_closing(self) -> bool:
        return self.ended

    def close(self) -> None:
        self.calls.append("close")
        self.ended = True

    def abort(self) -> None:
        self.calls.append("abort")
        self.ended = True

    def pause_reading(self) -> None:
        self.calls.append("pause")

    def resume_reading(self) -> None:
        self.calls.append("resume")

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.calls.append("eof")

    def get_write_buffer_size(self) -> int:
        return 0


class Service(asyncio.Protocol):
    """What serves the connection: remembers what it got."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.heard = b""
        self.calls: list[str] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.heard += data

    def eof_received(self) -> bool:
        self.calls.append("eof")
        return True

    def pause_writing(self) -> None:
        self.calls.append("pause")

    def resume_writing(self) -> None:
        self.calls.append("resume")

    def connection_lost(self, exc: Exception | None) -> None:
        self.calls.append(f"lost {exc or ''}".strip())


class Pair:
    """An edge and a service, with a bus between them that delivers at once."""

    def __init__(self) -> None:
        self.far = Links(lambda node, frame: self._carry(self.near, frame), self._accept)
        self.near = Links(lambda node, frame: self._carry(self.far, frame), lambda stream, payload: None)
        self.cut = False
        self.service = Service()
        self.socket = Socket()
        self.ends = 0
        self.edge = Edge(self.socket, lambda edge: edge.write(close_frame(COME_BACK)))
        self.edge.open(self.near, 2, Opening("192.0.2.7", secure=True), b"first", self._end)

    def _carry(self, links: Links, frame: Frame) -> None:
        if not self.cut:
            links.receive(2 if links is self.near else 1, frame, 0.0)

    def _accept(self, stream: Stream, payload: bytes) -> ForwardedTransport:
        transport = ForwardedTransport(stream, Opening("192.0.2.7", secure=True))
        transport.begin(self.service)
        return transport

    def _end(self) -> None:
        self.ends += 1


def run(test: Any) -> None:
    async def play() -> None:
        test(Pair())
        await asyncio.sleep(1.0)

    clock.run(play())


def test_bytes_travel_both_ways_and_the_address_is_the_clients() -> None:
    def play(pair: Pair) -> None:
        pair.edge.data_received(b" second")
        pair.service.transport.write(b"answer")
        assert pair.service.heard == b"first second"
        assert pair.socket.sent == b"answer"
        assert pair.service.transport.get_extra_info("peername")[0] == "192.0.2.7"
        assert pair.service.transport.get_extra_info("sslcontext") is not None

    run(play)


def test_a_close_arrives_after_everything_that_was_sent() -> None:
    async def play() -> None:
        pair = Pair()
        pair.service.transport.write(b"bye")
        pair.service.transport.close()
        pair.service.transport.write(b"too late")
        await asyncio.sleep(0)
        assert pair.socket.sent == b"bye"
        assert pair.socket.calls == ["close"]
        assert pair.service.calls == ["lost"]
        assert [len(pair.near), len(pair.far)] == [0, 0]

    clock.run(play())


def test_the_service_learns_that_the_client_is_gone() -> None:
    async def play() -> None:
        pair = Pair()
        pair.edge.eof_received()
        pair.edge.connection_lost(None)
        await asyncio.sleep(0)
        assert pair.service.calls == ["eof", "lost"]
        assert pair.ends == 1
        assert [len(pair.near), len(pair.far)] == [0, 0]

    clock.run(play())


def test_a_pause_of_reading_reaches_the_client_and_keeps_what_has_arrived() -> None:
    async def play() -> None:
        pair = Pair()
        pair.service.transport.pause_reading()
        assert pair.socket.calls == ["pause"]
        pair.edge.data_received(b" later")
        assert pair.service.heard == b"first"
        pair.service.transport.resume_reading()
        await asyncio.sleep(0)
        assert pair.socket.calls == ["pause", "resume"]
        assert pair.service.heard == b"first later"

    clock.run(play())


def test_unread_bytes_are_counted_until_the_client_has_taken_them() -> None:
    async def play() -> None:
        pair = Pair()
        pair.edge.pause_writing()  # the client does not read
        pair.service.transport.write(b"x" * (HIGH + 1))
        assert pair.service.transport.get_write_buffer_size() == HIGH + 1 - REPORTED
        assert pair.service.calls == ["pause"]
        pair.edge.resume_writing()
        assert pair.service.transport.get_write_buffer_size() == 0
        assert pair.service.calls == ["pause", "resume"]
        assert len(pair.socket.sent) == HIGH + 1

    clock.run(play())


def test_if_the_other_node_fails_the_client_is_told_to_come_back() -> None:
    async def play() -> None:
        pair = Pair()
        pair.near.drop(2, "the node is gone")
        assert pair.socket.sent == close_frame(COME_BACK)
        assert pair.socket.calls == ["close"]

    clock.run(play())


def test_a_lost_message_ends_the_connection_on_both_sides() -> None:
    async def play() -> None:
        pair = Pair()
        pair.cut = True
        pair.edge.data_received(b"lost")
        pair.cut = False
        pair.edge.data_received(b"heard")
        await asyncio.sleep(0)
        assert pair.service.heard == b"first"
        assert pair.service.calls == ["lost a message between two nodes was lost"]
        assert pair.socket.calls == ["close"]

    clock.run(play())
