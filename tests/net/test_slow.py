"""Peers that do not read: they do not delay others, are disconnected at their limit and release memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from croupier.games.hearts import GAME
from croupier.games.hearts.wire import HeartsConversation, HeartsWatch
from croupier.net import outbox as outboxes
from croupier.net.connection import Connection
from croupier.net.outbox import Channel, Outbox, Writer
from croupier.store.memory import MemoryStore
from croupier.table.tables import Tables
from croupier.testing import clock
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Disconnect, Frame
from tests.net.rig import QUICK, TIMEOUT, Rig, eventually, rig

BUSY = TableSpec(
    ["bot dummy"] * 4, options={"deals": 1}, table_options={**QUICK, "round_interval": 1}, auto_cycle=True
)


async def cut(server: Rig, left: int) -> None:
    await eventually(lambda: len(server.default.peers) <= left)


def limit(server: Rig, size: int) -> None:
    """Set the limit of unread bytes for connections at the default table to *size*."""
    for peer in server.default.peers:
        assert isinstance(peer, Connection)
        peer._outbox._limit = size


def test_the_limits_of_the_protocols() -> None:
    async def limits() -> list[int]:
        table = (await Tables(MemoryStore()).open(GAME, BUSY)).table
        return [kind(table).outbox_limit for kind in (HouseConversation, HeartsConversation, HeartsWatch)]

    assert clock.run(limits()) == [256 * 1024, 4 * 1024 * 1024, 4 * 1024 * 1024]  # 6.5


@pytest.mark.parametrize("path", ["/house/default", "/watch"])
async def test_a_stalled_reader_is_disconnected_and_delays_no_one(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outboxes, "CLOSE_SECONDS", 0.5)
    loop = asyncio.get_running_loop()
    async with rig(BUSY) as server:
        stalled = await server.raw(path, receive_buffer=4096)
        other = await server.raw("/house/default")
        limit(server, 256 * 1024)
        waits: list[float] = []
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads, too
        async with asyncio.timeout(4 * TIMEOUT):
            while len(server.default.peers) > 1:
                begun = loop.time()
                await other.answered()
                waits.append(loop.time() - begun)
                await asyncio.sleep(0.05)
        assert sorted(waits)[len(waits) // 2] < 0.5
        assert not other.writer.is_closing()
        await released(server, 1)


async def released(server: Rig, left: int) -> None:
    """Wait until the server has released all except *left* connections."""
    await eventually(
        lambda: sum("RequestHandler.start" in repr(t.get_coro()) for t in asyncio.all_tasks()) <= left
    )


async def test_a_client_that_reads_again_gets_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig(BUSY) as server:
        stalled = await server.raw("/house/default", receive_buffer=4096)
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]  # as above
        await cut(server, 0)
        stalled.writer.transport.resume_reading()  # type: ignore[attr-defined]  # as above
        assert await stalled.closed() in (4002, None)


async def test_a_stalled_player_is_offline_and_the_game_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outboxes, "CLOSE_SECONDS", 0.3)
    hasty = {"pass_cards_timeout": 1, "expose_cards_timeout": 1, "pick_card_timeout": 1}
    config = TableSpec(["open", *["bot dummy"] * 3], table_options={**QUICK, **hasty}, options={"deals": 4})
    async with rig(config) as server:
        stalled = await server.raw("/", receive_buffer=4096)
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]  # as above
        stalled.send({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
        await eventually(lambda: bool(server.default.table.places[0].name))
        limit(server, 64 * 1024)
        await cut(server, 0)
        assert not server.default.table.places[0].connected
        await eventually(lambda: server.default.table.phase != "playing")


async def test_a_stalled_connection_that_was_replaced_is_released(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot be informed that it was replaced, and the server must not wait for it."""
    monkeypatch.setattr(outboxes, "CLOSE_SECONDS", 0.3)
    hasty = {"pass_cards_timeout": 1, "expose_cards_timeout": 1, "pick_card_timeout": 1}
    config = TableSpec(["open", *["bot dummy"] * 3], table_options={**QUICK, **hasty}, auto_cycle=True)
    async with rig(config) as server:
        stalled = await server.raw("/", receive_buffer=4096)
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]  # as above
        stalled.send({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
        await eventually(lambda: server.default.table.actions >= 600)
        new = await server.raw("/")
        new.send({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
        await new.next("join")
        await released(server, 1)


async def test_watchers_who_do_not_read_share_the_frames_that_wait_for_them() -> None:
    async with rig(BUSY) as server:
        stalled = [await server.raw("/house/default", receive_buffer=4096) for _ in range(2)]
        for one in stalled:
            one.writer.transport.pause_reading()  # type: ignore[attr-defined]  # as above
        writers = [waits_for(peer) for peer in server.default.peers]
        await eventually(lambda: all(len(writer._parts) > 50 for writer in writers))
        first, second = (set(map(id, writer._parts)) for writer in writers)
        assert len(first & second) > 40, "only what was sent before both had stopped reading may differ"


def waits_for(peer: object) -> Writer:
    """Return the writer of a connection over a WebSocket."""
    assert isinstance(peer, Connection)
    waiting = peer._outbox._channel.waiting
    writer = getattr(waiting, "__self__", None)
    assert isinstance(writer, Writer)
    return writer


# The writer and the outbox alone, in virtual time.


class Pipe(asyncio.Transport):
    """A transport whose peer reads nothing at first."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        assert high == 0

    def get_write_buffer_size(self) -> int:
        return sum(map(len, self.written))

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        self.written.append(bytes(data))


def test_nothing_is_composed_for_a_peer_until_it_reads_again() -> None:
    async def stall() -> None:
        pipe = Pipe()
        writer = Writer(pipe)
        writer.write(b"a")
        await asyncio.sleep(1)
        writer.pause()
        for letter in b"bcd":
            writer.write(bytes([letter]))
            await asyncio.sleep(1)
        assert pipe.written == [b"a"]
        assert writer.waiting() == 4
        writer.resume()
        assert pipe.written == [b"a", b"bcd"]

    clock.run(stall())


def test_the_last_words_are_passed_on_even_if_the_peer_does_not_read() -> None:
    async def close() -> None:
        pipe = Pipe()
        writer = Writer(pipe)
        writer.pause()
        writer.write(b"close")
        writer.flush()
        assert pipe.written == [b"close"]

    clock.run(close())


class Wire:
    """The sending side of a connection whose peer may stop reading."""

    def __init__(self) -> None:
        self.sent: list[Frame] = []
        self.reads = True
        self.said: Disconnect | None = None
        self.aborted = False

    def waiting(self) -> int:
        return 0 if self.reads else sum(len(frame) for frame in self.sent)

    def close(self, disconnect: Disconnect) -> None:
        self.said = disconnect

    def abort(self) -> None:
        self.aborted = True

    def outbox(self, limit: int) -> Outbox:
        return Outbox(limit, Channel(self.sent.append, self.waiting, self.close, self.abort))


def test_frames_are_sent_in_order_and_the_close_comes_last() -> None:
    async def order() -> None:
        wire = Wire()
        outbox = wire.outbox(1000)
        assert all(outbox.push(b"%d" % number) for number in range(100))
        outbox.disconnect(Disconnect(1000, "done"))
        assert not outbox.push(b"too late")
        outbox.stop()
        await asyncio.sleep(outboxes.CLOSE_SECONDS + 1)
        assert wire.sent == [b"%d" % number for number in range(100)]
        assert wire.said == Disconnect(1000, "done")
        assert not wire.aborted, "the peer has disconnected"

    clock.run(order())


def test_unread_bytes_are_limited() -> None:
    async def limit() -> None:
        wire = Wire()
        outbox = wire.outbox(1000)
        wire.reads = False
        assert all(outbox.push(b"x" * 100) for _ in range(10))
        assert not outbox.push(b"x")
        assert wire.said == Disconnect(4002, "more than 1000 bytes wait unread")
        assert not outbox.push(b"x")
        assert len(wire.sent) == 11, "nothing is sent after the close"
        await asyncio.sleep(outboxes.CLOSE_SECONDS + 1)
        assert wire.aborted

    clock.run(limit())


def test_closing_the_connection_of_a_stalled_peer_ends_it() -> None:
    async def disconnect() -> None:
        wire = Wire()
        outbox = wire.outbox(1000)
        wire.reads = False
        outbox.push(b"a")
        await asyncio.sleep(1)
        outbox.disconnect(Disconnect(4001, "replaced"))
        outbox.disconnect(Disconnect(1001, "and once more"))
        assert wire.said == Disconnect(4001, "replaced")
        await asyncio.sleep(outboxes.CLOSE_SECONDS + 1)
        assert wire.aborted

    clock.run(disconnect())
