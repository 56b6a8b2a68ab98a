"""Peers that have vanished without closing their connection."""

from __future__ import annotations

import asyncio
import socket
import time

import pytest
import uvloop

from croupier.net import websocket
from croupier.net.listening import GONE_SECONDS, listen
from tests.integration.proxy import Proxy
from tests.net.rig import CLOSE, PING, PONG, RawSocket, Rig, eventually, rig

UNCUT = (1 << 30, 1 << 30)


def test_it_takes_at_most_45_seconds() -> None:
    assert GONE_SECONDS <= 45
    assert websocket.HEARTBEAT * websocket.MISSED_PINGS + websocket.LAST_PING_SECONDS <= 45


@pytest.mark.skipif(not hasattr(socket, "TCP_KEEPIDLE"), reason="this system has other settings")
@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_the_system_asks_silent_peers_on_every_port(run: object) -> None:
    async def accepted() -> list[int]:
        made: asyncio.Queue[asyncio.BaseTransport] = asyncio.Queue()

        class Noted(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                made.put_nowait(transport)

        server = await listen(Noted, "127.0.0.1", 0, None)
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        transport = await made.get()
        found = transport.get_extra_info("socket")
        names = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        options = [found.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)]
        options += [found.getsockopt(socket.IPPROTO_TCP, name) for name in names]
        options.append(found.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))
        transport.abort()  # type: ignore[attr-defined]  # a transport that writes, too
        writer.close()
        server.close()
        return options

    assert callable(run)
    assert run(accepted()) == [1, 20, 5, 4, 40_000]


def join(client: RawSocket, path: str) -> None:
    if path == "/":
        client.send({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
    else:
        client.send({"type": "join", "name": "ann", "token": "t"})


async def through(server: Rig, proxy: Proxy, path: str) -> RawSocket:
    """Return a client that has joined through *proxy*."""
    client = await RawSocket.open(proxy.port, path, 0, {})
    server.opened.append(client)
    join(client, path)
    await eventually(lambda: server.default.table.places[0].connected)
    return client


async def test_a_player_whose_network_is_gone_is_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "HEARTBEAT", 0.1)
    monkeypatch.setattr(websocket, "LAST_PING_SECONDS", 0.1)
    async with rig() as server, Proxy(server.port, life=UNCUT).running() as proxy:
        await through(server, proxy, "/house/default")
        proxy.forwards.clear()
        await eventually(lambda: not server.default.table.places[0].connected)
        await eventually(lambda: server.house.connections.count == 0)


async def test_a_client_of_2018_need_not_answer_pings(monkeypatch: pytest.MonkeyPatch) -> None:  # hearts 6
    monkeypatch.setattr(websocket, "HEARTBEAT", 0.02)
    monkeypatch.setattr(websocket, "LAST_PING_SECONDS", 0.02)
    async with rig() as server, Proxy(server.port, life=UNCUT).running() as proxy:
        client = await through(server, proxy, "/")
        await asyncio.sleep(0.3)
        assert server.default.table.places[0].connected
        client.send(b"x", 9)
        while (frame := await client.receive())[0] != 10:
            assert frame[0] == 1, "the server has not sent a ping"


async def test_a_pause_of_the_process_is_not_charged_to_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "HEARTBEAT", 0.05)
    monkeypatch.setattr(websocket, "LAST_PING_SECONDS", 0.2)
    monkeypatch.setattr(websocket, "LATE_SECONDS", 0.1)
    async with rig() as server:
        client = await server.raw("/house/default")
        for _ in range(websocket.MISSED_PINGS):
            assert (await pinged(client)) == b""
        time.sleep(0.5)  # noqa: ASYNC251  # the whole process stands still
        client.send(b"", PONG)
        for _ in range(3):
            await pinged(client)
            client.send(b"", PONG)
        assert server.default.peers


async def pinged(client: RawSocket) -> bytes:
    """Return the payload of the next ping."""
    while (frame := await client.receive())[0] != PING:
        assert frame[0] != CLOSE
    return frame[1]


async def test_a_stalled_reader_cannot_stop_the_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "HEARTBEAT", 0.1)
    monkeypatch.setattr(websocket, "LAST_PING_SECONDS", 0.1)
    async with rig() as server:
        client = await server.raw("/house/default", receive_buffer=4096)
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads, too
        await eventually(lambda: not server.default.peers)
