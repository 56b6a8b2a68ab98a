"""Traffic logs: only those who know the id can read the frames, for a limited time."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import msgspec
import pytest

from croupier.net import traffic_feed, traffic_log
from croupier.net.outbox import Channel, Outbox
from croupier.net.traffic_log import TrafficLogs
from croupier.testing import clock
from croupier.wire.talk import Disconnect, Frame
from tests.net.rig import TIMEOUT, Rig, rig

ID = "a-long-id-that-nobody-guesses"
OTHER = "another-id-that-nobody-guesses"


class Reader:
    """Follows a log."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.entries: list[dict[str, Any]] = []

    async def frame(self) -> dict[str, Any]:
        frame: dict[str, Any] = await self._socket.receive_json(timeout=TIMEOUT)
        self.entries += frame["entries"]
        return frame

    async def until(self, way: str, text: str = "") -> dict[str, Any]:
        """Wait for the first entry of this kind and return it."""
        while True:
            for entry in self.entries:
                if entry["way"] == way and text in entry["text"]:
                    return entry
            await self.frame()


async def follow(server: Rig, id: str = ID) -> Reader:
    return Reader(await server.connect(f"/api/log/{id}"))


async def test_frames_of_both_directions_are_sent_as_they_happen() -> None:
    async with rig() as server:
        reader = await follow(server)
        assert await reader.frame() == {"whole": True, "entries": []}
        program = await server.connect(f"/house/default?log={ID}")
        other = await server.connect("/house/default")
        await other.send_json({"type": "ping", "id": "not in the log"})
        await program.send_json({"type": "act", "turn": 1, "actions": []})
        refused = await reader.until("out", "not_joined")
        assert refused["protocol"] == "house"
        assert refused["connection"] == 1
        asked = await reader.until("in")
        assert asked["text"] == '{"type": "act", "turn": 1, "actions": []}'
        assert asked["number"] < refused["number"]
        assert reader.entries[0]["way"] == "open"
        await program.close()
        assert (await reader.until("end"))["length"] == 1000
        assert not any("not in the log" in entry["text"] for entry in reader.entries)
        assert [entry["number"] for entry in reader.entries] == [*range(1, len(reader.entries) + 1)]


async def test_the_trend_protocol_and_a_close_by_the_server() -> None:
    async with rig() as server:
        reader = await follow(server)
        await reader.frame()
        first = await server.connect(f"/?log={ID}")
        join = {"eventName": "join", "data": {"playerName": "ann", "playerNumber": 1, "token": "t"}}
        await first.send_json(join)
        await reader.until("out", "new_peer")
        second = await server.connect(f"/t/default?log={ID}")
        await second.send_json(join)
        disconnect = await reader.until("hang")
        assert disconnect["connection"] == 1
        assert disconnect["length"] == 4001
        assert {entry["protocol"] for entry in reader.entries} == {"hearts"}


async def test_a_log_opened_after_the_program_shows_later_frames() -> None:
    async with rig() as server:
        program = await server.connect(f"/house/default?log={ID}")
        await program.send_json({"type": "ping", "id": "before"})
        while (await program.receive_json(timeout=TIMEOUT))["type"] != "pong":
            pass
        reader = await follow(server)
        await reader.frame()
        await program.send_json({"type": "ping", "id": "after"})
        await reader.until("out", "after")
        assert [entry["way"] for entry in reader.entries] == ["open", "in", "out"]
        # A reader that reconnects gets the whole log again; another id shows nothing.
        again = await follow(server)
        assert (await again.frame())["whole"]
        assert again.entries == reader.entries
        stranger = await follow(server, OTHER)
        assert await stranger.frame() == {"whole": True, "entries": []}


async def test_frames_over_the_limit_are_shown_as_ignored() -> None:
    async with rig() as server:
        reader = await follow(server)
        await reader.frame()
        program = await server.connect(f"/house/default?log={ID}")
        for _ in range(120):
            await program.send_json({"type": "ping"})
        await reader.until("out", "flood")
        await reader.until("ignored")


async def test_only_good_ids_and_our_own_pages() -> None:
    async with rig() as server:
        for path in ("/api/log/short", f"/api/log/{'x' * 65}", "/api/log/a-long-id-with-a-dot.in-it"):
            status, answer = await server.get(path)
            assert (status, answer["key"]) == (400, "bad_log")
        status, answer = await server.get(f"/api/log/{ID}")
        assert (status, answer["key"]) == (426, "upgrade")
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await server.connect(f"/api/log/{ID}", Origin="http://elsewhere.example")
        assert refused.value.status == 403
        # An address with a malformed id works, but nothing is kept.
        program = await server.connect("/house/default?log=short")
        assert (await program.receive_json(timeout=TIMEOUT))["type"] == "table"


async def test_too_many_logs_are_refused_until_one_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic_log, "LOGS", 1)
    async with rig() as server:
        reader = await server.connect(f"/api/log/{ID}")
        await reader.receive_json(timeout=TIMEOUT)
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await server.connect(f"/api/log/{OTHER}")
        assert refused.value.status == 503
        await reader.close()
        while True:
            try:
                await (await server.connect(f"/api/log/{OTHER}")).close()
                return
            except aiohttp.WSServerHandshakeError:
                await asyncio.sleep(0.01)


async def test_memory_is_bounded() -> None:
    logs = TrafficLogs()
    log = logs.follow(ID)
    connection = logs.connection(ID, "house")
    assert log is not None
    assert connection is not None
    for number in range(1000):
        connection.sent(f"{number} " + "x" * 20_000)
    assert len(log.entries) <= traffic_log.ENTRIES
    assert sum(len(entry.text) for entry in log.entries) <= traffic_log.LOG_BYTES
    last = log.entries[-1]
    assert last.text.startswith("999 ")
    assert (len(last.text), last.length) == (traffic_log.FRAME_CHARS, 20_004)
    connection.received(b"\xff\xfe")
    assert log.entries[-1].text == "\ufffd\ufffd"
    connection.disconnect(Disconnect(1008, "why"))
    connection.end(None)
    assert [(entry.way, entry.length) for entry in log.after(last.number, 1000)][1:] == [
        ("hang", 1008),
        ("end", 1006),
    ]


def test_a_log_without_readers_is_dropped() -> None:
    async def main() -> None:
        logs = TrafficLogs()
        connection = logs.connection(ID, "house")
        assert connection is not None
        connection.sent("without a reader")
        assert len(logs) == 0
        logs.follow(ID)
        logs.leave(ID)
        log = logs.follow(ID)  # followed again in time: it stays
        await asyncio.sleep(traffic_log.KEPT_SECONDS + 1)
        assert logs.find(ID) is log
        logs.leave(ID)
        await asyncio.sleep(traffic_log.KEPT_SECONDS + 1)
        assert len(logs) == 0
        connection.sent("without a reader")

    clock.run(main())


async def test_a_log_has_a_limited_number_of_readers() -> None:
    logs = TrafficLogs()
    assert all(logs.follow(ID) is not None for _ in range(traffic_log.READERS))
    assert logs.follow(ID) is None
    logs.leave(ID)
    assert logs.follow(ID) is not None


def test_a_reader_who_does_not_read_is_sent_one_frame_of_limited_size() -> None:
    async def main() -> None:
        logs = TrafficLogs()
        log = logs.follow(ID)
        connection = logs.connection(ID, "house")
        assert log is not None
        assert connection is not None
        for _ in range(100):
            connection.sent("\x01" * traffic_log.FRAME_CHARS)
        sent: list[bytes] = []
        unread = 0

        def send(frame: Frame) -> None:
            nonlocal unread
            assert isinstance(frame, bytes)
            sent.append(frame)
            unread += len(frame)

        channel = Channel(send, lambda: unread, lambda _: None, lambda: None)
        outbox = Outbox(traffic_feed.BACKLOG, channel)
        sending = asyncio.create_task(traffic_feed._send(log, outbox, channel))
        await asyncio.sleep(60)
        assert len(sent) == 1
        for _ in range(20):
            unread = 0
            await asyncio.sleep(1)
        frames = [msgspec.json.decode(frame) for frame in sent]
        assert [frame["whole"] for frame in frames] == [True, *[False] * (len(frames) - 1)]
        assert [entry["number"] for frame in frames for entry in frame["entries"]] == [
            entry.number for entry in log.entries
        ]
        assert not outbox.disconnected
        sending.cancel()

    clock.run(main())


async def test_one_address_opens_a_limited_number_of_logs() -> None:
    logs = TrafficLogs()
    ids = [f"{number:020}" for number in range(traffic_log.LOGS_BY_ONE + 1)]
    for id in ids[:-1]:
        assert logs.follow(id, "192.0.2.1") is not None
    assert logs.follow(ids[-1], "192.0.2.1") is None
    assert logs.follow(ids[-1], "192.0.2.2") is not None
