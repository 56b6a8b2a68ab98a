"""Peers that do not read: they delay nobody, are cut at their limit, and let go of what they held."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

import pytest

from croupier.games.hearts.wire import HeartsConversation, HeartsWatch
from croupier.net import outbox as outboxes
from croupier.net.outbox import Outbox
from croupier.table.hall import Config
from croupier.testing import clock
from croupier.wire.house import HouseConversation
from croupier.wire.talk import Hang
from tests.net.rig import PATIENCE, QUICK, Rig, eventually, rig

BUSY = Config(
    ["bot dummy"] * 4, options={"deals": 1}, table_options={**QUICK, "round_interval": 1}, auto_cycle=True
)


async def cut(server: Rig, left: int) -> None:
    await eventually(lambda: len(server.default.peers) <= left)


def test_the_limits_of_the_protocols() -> None:
    assert HouseConversation.outbox_limit == 256 * 1024
    assert HeartsConversation.outbox_limit == HeartsWatch.outbox_limit == 4 * 1024 * 1024  # 6.5


@pytest.mark.parametrize("path", ["/house/default", "/watch"])
async def test_a_stalled_reader_is_cut_and_delays_nobody(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeartsConversation, "outbox_limit", 256 * 1024)
    monkeypatch.setattr(outboxes, "CLOSE_SECONDS", 0.5)
    loop = asyncio.get_running_loop()
    async with rig(BUSY) as server:
        stalled = await server.raw(path, receive_buffer=4096)
        other = await server.raw("/house/default")
        waits: list[float] = []
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads, too
        async with asyncio.timeout(4 * PATIENCE):
            while len(server.default.peers) > 1:
                begun = loop.time()
                await other.answered()
                waits.append(loop.time() - begun)
                await asyncio.sleep(0.05)
        assert sorted(waits)[len(waits) // 2] < 0.5
        assert not other.writer.is_closing()
        await released(server, 1)


async def released(server: Rig, left: int) -> None:
    """Wait until the server has let go of all but *left* connections."""
    await eventually(
        lambda: sum("RequestHandler.start" in repr(t.get_coro()) for t in asyncio.all_tasks()) <= left
    )


async def test_one_that_reads_again_learns_why(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig(BUSY) as server:
        stalled = await server.raw("/house/default", receive_buffer=4096)
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]  # as above
        await cut(server, 0)
        stalled.writer.transport.resume_reading()  # type: ignore[attr-defined]  # as above
        assert await stalled.closed() in (4002, None)


async def test_a_stalled_player_is_offline_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeartsConversation, "outbox_limit", 64 * 1024)
    monkeypatch.setattr(outboxes, "CLOSE_SECONDS", 0.3)
    hasty = {"pass_cards_timeout": 1, "expose_cards_timeout": 1, "pick_card_timeout": 1}
    config = Config(["open", *["bot dummy"] * 3], table_options={**QUICK, **hasty}, options={"deals": 4})
    async with rig(config) as server:
        stalled = await server.raw("/", receive_buffer=4096)
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]  # as above
        stalled.send({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
        await eventually(lambda: bool(server.default.table.places[0].name))
        await cut(server, 0)
        assert not server.default.table.places[0].connected
        await eventually(lambda: server.default.table.phase != "playing")


async def test_a_stalled_connection_that_was_replaced_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can neither be told that it was replaced nor be waited for."""
    monkeypatch.setattr(outboxes, "CLOSE_SECONDS", 0.3)
    hasty = {"pass_cards_timeout": 1, "expose_cards_timeout": 1, "pick_card_timeout": 1}
    config = Config(["open", *["bot dummy"] * 3], table_options={**QUICK, **hasty}, auto_cycle=True)
    async with rig(config) as server:
        stalled = await server.raw("/", receive_buffer=4096)
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]  # as above
        stalled.send({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
        await eventually(lambda: server.default.actions >= 600)
        new = await server.raw("/")
        new.send({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
        await new.next("join")
        await released(server, 1)


# The outbox alone, in virtual time.


class Link:
    """The sending side of a connection that may stall."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.said: Hang | None = None
        self.aborted = False
        self.free = asyncio.Event()
        self.free.set()

    async def send(self, frame: str) -> None:
        self.sent.append(frame)
        await self.free.wait()

    async def close(self, hang: Hang) -> None:
        self.said = hang
        await self.free.wait()

    def abort(self) -> None:
        self.aborted = True
        self.free.set()

    def outbox(self, limit: int) -> Outbox:
        return Outbox(limit, self.send, self.close, self.abort)


def run(main: Coroutine[None, None, None]) -> None:
    clock.run(main)


def test_frames_go_out_in_order_and_hanging_comes_last() -> None:
    async def order() -> None:
        link = Link()
        outbox = link.outbox(1000)
        assert all(outbox.push(str(number)) for number in range(100))
        outbox.hang(Hang(1000, "done"))
        assert not outbox.push("too late")
        await asyncio.sleep(1)
        await outbox.stop()
        assert link.sent == [str(number) for number in range(100)]
        assert link.said == Hang(1000, "done")
        assert not link.aborted

    run(order())


def test_what_waits_is_limited() -> None:
    async def limit() -> None:
        link = Link()
        outbox = link.outbox(1000)
        link.free.clear()
        assert all(outbox.push("x" * 100) for _ in range(10))
        await asyncio.sleep(0)
        assert not outbox.push("x")
        await asyncio.sleep(0)
        assert link.said is not None
        assert link.said.code == 4002
        assert len(link.sent) == 1
        await asyncio.sleep(outboxes.CLOSE_SECONDS + 1)
        assert link.aborted
        await outbox.stop()

    run(limit())


def test_hanging_up_on_a_stalled_peer_ends_too() -> None:
    async def hang() -> None:
        link = Link()
        outbox = link.outbox(1000)
        link.free.clear()
        outbox.push("a")
        await asyncio.sleep(1)
        outbox.hang(Hang(4001, "replaced"))
        await asyncio.sleep(outboxes.CLOSE_SECONDS + 1)
        assert link.aborted
        await outbox.stop()

    run(hang())


def test_bytes_are_counted_not_letters() -> None:
    async def count() -> None:
        link = Link()
        outbox = link.outbox(1000)
        link.free.clear()
        assert outbox.push("ä" * 400)
        assert not outbox.push("ä" * 400)
        link.free.set()
        await outbox.stop()

    run(count())


def test_stopping_without_hanging_sends_no_more() -> None:
    async def stop() -> None:
        link = Link()
        outbox = link.outbox(1000)
        link.free.clear()
        outbox.push("a")
        outbox.push("b")
        await asyncio.sleep(0)
        await outbox.stop()
        assert link.sent == ["a"]

    run(stop())
