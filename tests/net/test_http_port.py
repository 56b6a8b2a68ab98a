"""The HTTP port against bad peers: malformed requests, foreign names, silence, too many connections."""

from __future__ import annotations

import asyncio
import gzip
import logging
import socket
import struct

import aiohttp
import pytest

from croupier.net import http_port, limits
from croupier.net import web as http_web
from croupier.net.hosts import Hosts
from croupier.net.limits import RESERVE, ConnectionCount, Tally, group_of
from croupier.testing import clock
from tests.net.rig import TIMEOUT, Rig, eventually, rig

SECRET = "very-secret"


async def say(server: Rig, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(data)
    return reader, writer


async def answer(server: Rig, data: bytes) -> bytes:
    """Return everything that the server sends until it closes the connection."""
    reader, writer = await say(server, data)
    try:
        return await asyncio.wait_for(reader.read(), TIMEOUT)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def request(*headers: bytes, line: bytes = b"GET /api/house HTTP/1.1", body: bytes = b"") -> bytes:
    return b"\r\n".join((line, *headers, b"", body))


HOST = b"Host: localhost"
CLOSE = b"Connection: close"
UPGRADE = (
    HOST,
    b"Connection: Upgrade",
    b"Sec-WebSocket-Version: 13",
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)


# Malformed requests and headers.

MALFORMED = [
    request(HOST, line=b"GET /very-secret HTTP/9.9"),
    request(HOST, line=b"GET /very-secret\x00 HTTP/1.1"),
    request(HOST, b"Authorization: Bearer very-secret\x00"),
    request(HOST, b"Authorization : Bearer very-secret"),
    request(HOST, b"very-secret"),
    request(b"Authorization: Bearer very-secret"),
    request(HOST, b"Content-Length: -7", body=b"very-secret"),
    request(HOST, b"X: " + b"very-secret" * 1000),
    request(HOST, b"Content-Length: 5", b"Transfer-Encoding: chunked", body=b"very-secret"),
    b"very-secret " * 100 + b"\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03very-secret\r\n\r\n",
]


async def test_malformed_requests_get_json_and_one_counted_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with rig() as server:
            for data in MALFORMED:
                told = await answer(server, data)
                assert told.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 ")), (data, told)
                assert b'{"key":"bad_request","words":"' in told, told
                assert SECRET.encode() not in told
                assert b"nosniff" in told
    lines = [record for record in caplog.records if record.name.startswith(("aiohttp", "croupier.net.http"))]
    assert [line.getMessage() for line in lines] == [
        "1 malformed HTTP requests refused",
        f"{len(MALFORMED) - 1} malformed HTTP requests refused",
    ]
    assert SECRET not in caplog.text
    assert "Traceback" not in caplog.text


async def test_a_peer_that_leaves_while_a_page_is_sent_is_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    peers: list[socket.socket] = []

    async def leave(*_: object) -> None:
        """Reset the connection, so that the server notices it when it writes."""
        peers.pop().close()

    monkeypatch.setattr(http_web, "_set_headers", leave)
    async with rig() as server:
        for path in (b"/", b"/api/house"):  # a file is not sent like an answer
            peer = socket.create_connection(("127.0.0.1", server.port))
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peers.append(peer)
            peer.sendall(request(HOST, line=b"GET " + path + b" HTTP/1.1"))
            await eventually(lambda: not peers and not server.house.connections.count)
    assert "a request failed" not in caplog.text


BAD_BODIES = [
    (b"Transfer-Encoding: chunked", b"5\r\nvery-secret\r\n"),
    (b"Transfer-Encoding: chunked", b"very-secret\r\n"),
    (b"Content-Encoding: gzip\r\nContent-Length: 11", b"very-secret"),
]


@pytest.mark.parametrize(("header", "body"), BAD_BODIES)
@pytest.mark.parametrize("line", [b"POST /api/tables HTTP/1.1", b"GET /api/house HTTP/1.1"])
async def test_malformed_bodies_cause_no_traceback(
    header: bytes, body: bytes, line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with rig() as server:
            head = (HOST, b"Content-Type: application/json", CLOSE, header)
            assert await answer(server, request(*head, line=line, body=body))
            assert (await server.get("/healthz"))[0] == 200
    assert SECRET not in caplog.text
    assert "Traceback" not in caplog.text


async def test_a_compressed_body_is_refused_and_never_unpacked() -> None:
    async with rig() as server:
        head = (HOST, b"Content-Type: application/json", CLOSE, b"Content-Encoding: gzip")
        for body in (gzip.compress(b"{}"), b"not compressed at all, which nobody finds out"):
            length = b"Content-Length: %d" % len(body)
            told = await answer(server, request(*head, length, line=b"POST /api/tables HTTP/1.1", body=body))
            assert told.startswith(b"HTTP/1.1 415 ")
            assert b'"key":"bad_type"' in told


@pytest.mark.parametrize(
    "name", [b"Authorization", b"Origin", b"X-Forwarded-For", b"Content-Type", b"Cookie"]
)
@pytest.mark.parametrize("path", [b"/api/operator", b"/api/account", b"/api/house", b"/events", b"/"])
async def test_headers_that_are_not_utf8_cause_no_error(
    name: bytes, path: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with rig() as server:
        server.house.plan.operator_token = "t" * 16
        for upgrade in ((HOST, CLOSE), (*UPGRADE, b"Upgrade: websocket")):
            head = (*upgrade, name + b": Bearer \xfftttttttttttttttt")
            reader, writer = await say(server, request(*head, line=b"GET " + path + b" HTTP/1.1"))
            told = await asyncio.wait_for(reader.readline(), TIMEOUT)
            writer.close()
            assert told[:10] in (b"HTTP/1.1 1", b"HTTP/1.1 2", b"HTTP/1.1 4"), told
    assert "Traceback" not in caplog.text


async def test_a_token_that_is_not_utf8_is_refused() -> None:
    async with rig() as server:
        server.house.plan.operator_token = "t" * 16
        line = b"GET /api/operator HTTP/1.1"
        told = await answer(server, request(HOST, CLOSE, b"Authorization: Bearer " + b"\xff" * 16, line=line))
        assert told.startswith(b"HTTP/1.1 401 ")
        assert b'"key":"bad_token"' in told
        told = await answer(server, request(HOST, CLOSE, b"Authorization: Bearer " + b"t" * 16, line=line))
        assert told.startswith(b"HTTP/1.1 200 ")


async def test_an_error_of_the_server_is_json_and_the_log_shows_where_but_no_value(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError(f"invalid literal: {SECRET}")

    async with rig() as server:
        monkeypatch.setattr(server.tables.store, "matches", broken)
        status, told = await server.get("/api/matches")
        assert (status, told["key"]) == (500, "failed")
    assert "a request failed with ValueError" in caplog.text
    assert "Traceback (most recent call last):" in caplog.text, "tests of whole servers look for this"
    assert "in broken" in caplog.text
    assert SECRET not in caplog.text


def test_a_tally_reports_at_once_and_then_once_a_minute() -> None:
    async def main() -> None:
        told: list[int] = []
        tally = Tally(told.append)
        tally.add()
        assert told == [1]
        for _ in range(500):
            tally.add()
        await asyncio.sleep(limits.QUIET_SECONDS + 1)
        assert told == [1, 500]
        await asyncio.sleep(10 * limits.QUIET_SECONDS)
        assert told == [1, 500], "nothing happened"
        tally.add()
        assert told == [1, 500, 1]
        tally.add()
        tally.stop()
        assert told == [1, 500, 1, 1]

    clock.run(main())


# Headers, names, upgrades.


async def test_every_response_forbids_sniffing_and_names_no_version() -> None:
    async with rig() as server:
        for path in ("/", "/api/house", "/nothing", "/healthz", "/assets/nothing.js", "/house/default"):
            async with server.session.get(server.http + path) as response:
                assert response.headers["X-Content-Type-Options"] == "nosniff", path
                assert response.headers["Server"] == "croupier"
        socket = await server.connect("/house/default")
        assert socket._response.headers["Server"] == "croupier"


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:9000", "a.localhost", "127.0.0.1:1", "[::1]:8080", "10.0.0.7", "play.test."],
)
def test_known_names(host: str) -> None:
    assert Hosts("127.0.0.1", ["Play.Test"]).knows(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.test",
        "localhost.evil.test",
        "127.0.0.1.evil.test",
        "",
        ":80",
        "[::1",
        "a@b",
        "\udcff",
        "play.test",
    ],
)
def test_other_names(host: str) -> None:
    assert not Hosts("127.0.0.1", []).knows(host)


def test_the_name_it_listens_on_is_known() -> None:
    assert Hosts("cards.lan", []).knows("cards.lan:8080")


async def test_a_page_of_another_site_cannot_use_its_own_name_for_the_server() -> None:
    async with rig() as server:
        evil = {"Host": f"evil.test:{server.port}", "Origin": f"http://evil.test:{server.port}"}
        for path in ("/", "/api/tables", "/healthz"):
            async with server.session.get(server.http + path, headers=evil) as response:
                assert (response.status, (await response.json())["key"]) == (421, "bad_host")
        for path in ("/house/default", "/api/lobby"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
                await server.connect(path, **evil)
            assert refusal.value.status == 421
        told = await answer(server, b"GET /api/house HTTP/1.0\r\n\r\n")
        assert b" 200 OK" in told, "a program may omit the header"
        for path in ("/", "/coinche"):  # pages of any site may use these
            await (await server.connect(path, **evil)).close()
        await (await server.connect("/house/default", Host="cards:8080")).close()  # not a browser


async def test_an_upgrade_is_spelled_in_ascii() -> None:
    async with rig() as server:
        kelvin = "Upgrade: WebSoc\u212aet".encode()
        told = await answer(server, request(*UPGRADE, kelvin, CLOSE, line=b"GET /house/default HTTP/1.1"))
        assert told.startswith(b"HTTP/1.1 426 ")


@pytest.mark.parametrize(
    ("header", "more"),
    [
        (b"X: y", b"GET /api/house HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (b"X: y", b"\x81\x85\x00\x00\x00\x00hello"),
        (b"Content-Length: 5", b"hello"),
        (b"Transfer-Encoding: chunked", b"5\r\nhello\r\n0\r\n\r\n"),
    ],
)
async def test_an_upgrade_with_bytes_behind_it_is_refused(header: bytes, more: bytes) -> None:
    async with rig() as server:
        head = (*UPGRADE, b"Upgrade: websocket", header)
        told = await answer(server, request(*head, line=b"GET /house/default HTTP/1.1", body=more))
        assert told.startswith(b"HTTP/1.1 400 ")
        assert told.count(b"HTTP/1.1 ") == 1, "the rest is not taken for a request"


# Time limits.


@pytest.mark.parametrize("sent", [b"", b"GET / HT", request(HOST)[:-4]])
async def test_a_header_has_to_arrive_soon(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_port, "HEADER_SECONDS", 0.1)
    async with rig() as server:
        assert await answer(server, sent) == b""
        await eventually(lambda: server.house.connections.count == 0)


async def test_dribbling_does_not_prolong_the_time_for_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_port, "HEADER_SECONDS", 0.2)
    async with rig() as server:
        reader, writer = await say(server, b"GET / HTTP/1.1\r\n")
        end = asyncio.ensure_future(reader.read())
        while not end.done():
            writer.write(b"X: y\r\n")
            await asyncio.sleep(0.02)
        assert end.exception() is not None or end.result() == b""
        writer.close()


async def test_an_idle_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_port, "IDLE_SECONDS", 0.1)
    async with rig() as server:
        assert (await answer(server, request(HOST))).startswith(b"HTTP/1.1 200 ")
        told = await answer(server, request(HOST) + b"GET / HT")
        assert told.startswith(b"HTTP/1.1 200 ")


async def test_a_body_has_to_arrive_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.http.BODY_SECONDS", 0.1)
    monkeypatch.setattr(http_port, "LINGER_SECONDS", 0.1)
    async with rig() as server:
        for path in (b"/api/tables", b"/relay"):
            head = (HOST, b"Content-Type: application/json", b"Content-Length: 100")
            told = await answer(server, request(*head, line=b"POST " + path + b" HTTP/1.1", body=b"{"))
            assert told.startswith(b"HTTP/1.1 408 "), told
            assert b'"key":"too_slow"' in told


async def test_an_answer_that_nobody_reads_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_port, "STALL_SECONDS", 0.2)
    async with rig() as server:
        reader, writer = await say(server, b"")
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads, too
        many = request(HOST, line=b"GET /api/games HTTP/1.1") * 2000
        writer.write(many)
        await eventually(lambda: server.house.connections.count == 1)
        await eventually(lambda: server.house.connections.count == 0)
        writer.transport.abort()
        del reader


async def test_a_websocket_has_none_of_these_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADER_SECONDS", "IDLE_SECONDS", "STALL_SECONDS"):
        monkeypatch.setattr(http_port, name, 0.05)
    async with rig() as server:
        client = await server.raw("/house/default")
        await asyncio.sleep(0.3)
        assert await client.answered()


# Too many connections.


async def test_silent_connections_make_room_for_players() -> None:
    async with rig() as server:
        connections = server.house.connections
        connections._most = 5
        silent = [await say(server, b"") for _ in range(5)]
        await eventually(lambda: connections.count == 5)
        for _ in range(5):
            await (await server.raw("/house/default")).answered()
        for reader, writer in silent:
            assert await reader.read() == b""
            writer.close()
        await eventually(lambda: connections.count == 5)
        with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
            await server.connect("/house/default")
        assert refusal.value.status == 503
        told = await answer(server, b"")
        assert b'{"key":"full","words":"' in told
        assert all([await client.answered() for client in server.opened]), "players keep their places"


class Guest:
    """An HTTP connection."""

    def __init__(self, idle: bool = True) -> None:
        self.idle = idle
        self.evicted = False

    def evict(self) -> None:
        self.evicted = True


def test_an_address_has_a_limit_and_this_machine_has_none() -> None:
    count = ConnectionCount(1000, per_address=2)
    assert all(count.enter("127.0.0.1") and count.enter("::1") for _ in range(10))
    first, second = Guest(idle=False), Guest()
    assert count.enter("192.0.2.1", 0, first)
    assert count.enter("192.0.2.1", 0, second)
    assert count.enter("192.0.2.2")
    assert count.enter("192.0.2.1"), "the idle one makes room"
    assert (first.evicted, second.evicted) == (False, True)
    assert not count.enter("192.0.2.1")
    for _ in range(4):
        count.leave("192.0.2.1")
    assert count.enter("192.0.2.1")
    assert count.count == 22


def test_connections_leave_a_reserve_of_descriptors() -> None:
    count = ConnectionCount(1000, descriptors=300)
    old, new = Guest(), Guest()
    assert count.enter("192.0.2.1", 20, old)
    assert count.enter("192.0.2.2", 300 - RESERVE, new)
    assert (old.evicted, new.evicted) == (True, False)
    count.settle(new)  # it has become a player
    assert not count.enter("192.0.2.3", 300 - RESERVE + 1)
    assert count.enter("192.0.2.4", 21)


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("127.0.0.9", ""),
        ("::1", ""),
        ("::ffff:127.0.0.1", ""),
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(address: str, group: str) -> None:
    assert group_of(address) == group
