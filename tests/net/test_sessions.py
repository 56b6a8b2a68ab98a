"""When a session ends, its connections end, on every protocol."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from croupier.wire.talk import SESSION_ENDED
from tests.net.rig import Rig, kept_rig

NAME, PASSWORD = "Annabel", "correct horse"


async def register(server: Rig) -> str:
    status, made = await server.post("/api/account", {"name": NAME, "password": PASSWORD})
    assert status == 201, made
    return str(made["token"])


async def house(server: Rig, token: str) -> aiohttp.ClientWebSocketResponse:
    _, made = await server.post("/api/tables", {"game": "hearts", "seats": ["open"] * 4})
    socket = await server.connect(f"/house/{made['id']}")
    await socket.send_json({"type": "join", "name": NAME, "token": token})
    await heard(socket, '"joined"')
    return socket


async def trend(server: Rig, token: str) -> aiohttp.ClientWebSocketResponse:
    socket = await server.connect("/")
    await socket.send_json({"eventName": "join", "data": {"playerName": NAME, "token": token}})
    await heard(socket, "new_peer")
    return socket


async def coinche(server: Rig, token: str) -> aiohttp.ClientWebSocketResponse:
    socket = await server.connect("/coinche")
    await socket.send_str(f"NAME {NAME} {token}")
    await heard(socket, "108 ")
    return socket


async def workshop(server: Rig, token: str) -> aiohttp.ClientWebSocketResponse:
    socket = await server.connect("/sagrada")
    await socket.send_str(f"login\t{NAME}")
    await heard(socket, "token")
    await socket.send_str(f"token\t{token}")
    await heard(socket, "verified")
    return socket


async def tarock(server: Rig, token: str) -> aiohttp.ClientWebSocketResponse:
    return await rooms(server, token, "tarock")


async def taroky(server: Rig, token: str) -> aiohttp.ClientWebSocketResponse:
    return await rooms(server, token, "taroky")


async def rooms(server: Rig, token: str, game: str) -> aiohttp.ClientWebSocketResponse:
    socket = await server.connect(f"/{game}?token={token}")
    await heard(socket, "user.login")
    return socket


async def heard(socket: aiohttp.ClientWebSocketResponse, word: str) -> None:
    """Read until a frame contains *word*."""
    while word not in await socket.receive_str():
        pass


async def closed(socket: aiohttp.ClientWebSocketResponse) -> int | None:
    """Return the code with which the server closes *socket*."""
    async for _ in socket:
        pass
    return socket.close_code


PROTOCOLS = (house, trend, coinche, workshop, tarock, taroky)


@pytest.mark.parametrize("how", ["logout", "password", "deletion"])
async def test_all_connections_of_a_session_that_ends_are_closed_at_once(how: str) -> None:
    async with kept_rig() as server:
        token = await register(server)
        _, other = await server.post("/api/session", {"name": NAME, "password": PASSWORD})
        sockets = [await connect(server, token) for connect in PROTOCOLS]
        if how == "logout":
            await send(server, "DELETE", "/api/session", token)
        elif how == "password":
            change = {"old": PASSWORD, "new": "another horse"}
            await send(server, "POST", "/api/account/password", other["token"], change)
        else:
            await send(server, "DELETE", "/api/account", other["token"], {"password": PASSWORD})
        async with asyncio.timeout(1.0):
            assert [await closed(socket) for socket in sockets] == [SESSION_ENDED] * len(PROTOCOLS)


async def test_connections_of_other_sessions_stay() -> None:
    async with kept_rig() as server:
        token = await register(server)
        _, other = await server.post("/api/session", {"name": NAME, "password": PASSWORD})
        kept = await house(server, other["token"])
        ended = await trend(server, token)
        await send(server, "DELETE", "/api/session", token)
        assert await closed(ended) == SESSION_ENDED
        await kept.send_json({"type": "ping"})
        await heard(kept, "pong")


async def test_a_guest_token_that_became_a_session_counts_too() -> None:
    guest = "the token of a guest who made an account later"
    async with kept_rig() as server:
        _, made = await server.post("/api/tables", {"game": "hearts", "seats": ["open"] * 4})
        socket = await server.connect(f"/house/{made['id']}")
        await socket.send_json({"type": "join", "name": NAME, "token": guest})
        await heard(socket, '"joined"')
        _, made = await server.post("/api/account", {"name": NAME, "password": PASSWORD, "guest": guest})
        change = {"old": PASSWORD, "new": "another horse"}
        await send(server, "POST", "/api/account/password", made["token"], change)
        assert await closed(socket) == SESSION_ENDED


async def test_a_session_over_http_ends_too() -> None:
    async with kept_rig() as server:
        token = await register(server)
        async with server.session.get(f"{server.http}/events?token={token}") as events:
            await send(server, "DELETE", "/api/session", token)
            async with asyncio.timeout(1.0):
                assert b"invalid_token" in await events.read()
        listed = {"command": "lobby.room.list"}
        _, refused = await server.post("/relay", listed, Authorization=f"Bearer {token}")
        assert "invalid_token" in str(refused)


async def send(server: Rig, method: str, path: str, token: str, body: object = None) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    async with server.session.request(method, server.http + path, json=body, headers=headers) as answer:
        assert answer.status == 204, await answer.text()
