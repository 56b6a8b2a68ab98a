"""A guest and an account at every door of a server: each protocol in its own words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp

from tests.net.rig import Rig

Socket = aiohttp.ClientWebSocketResponse
Door = Callable[[Rig, str, str], Awaitable[Socket]]
"""Connects as the person with this name and, for an account, its token; the last step may be refused."""

TOKEN = "0123456789abcdef0123456789abcdef"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}


async def house(server: Rig, name: str, token: str = "") -> Socket:
    _, made = await server.post("/api/tables", {"game": "hearts", "seats": ["open"] * 4})
    socket = await server.connect(f"/house/{made.get('id', 'default')}")
    await socket.send_json({"type": "join", "name": name, "token": token})
    return socket


async def trend(server: Rig, name: str, token: str = "") -> Socket:
    socket = await server.connect("/")
    data = {"playerName": name, "token": token} if token else {"playerName": name}
    await socket.send_json({"eventName": "join", "data": data})
    return socket


async def coinche(server: Rig, name: str, token: str = "") -> Socket:
    socket = await server.connect("/coinche")
    await socket.send_str(f"NAME {name} {token}".strip())
    return socket


async def workshop(server: Rig, name: str, token: str = "") -> Socket:
    socket = await server.connect("/sagrada")
    await socket.send_str(f"login\t{name}")
    if token:
        await socket.send_str(f"token\t{token}")
    return socket


async def tarock(server: Rig, name: str, token: str = "") -> Socket:
    return await rooms(server, "tarock", name, token)


async def taroky(server: Rig, name: str, token: str = "") -> Socket:
    return await rooms(server, "taroky", name, token)


async def rooms(server: Rig, game: str, name: str, token: str) -> Socket:
    socket = await server.connect(f"/{game}")
    await socket.send_json({"command": "user.login", **({"token": token} if token else {"nickname": name})})
    return socket


DOORS: dict[str, tuple[Door, str, str]] = {
    "house": (house, '"joined"', '"key":"{key}"'),
    "trend": (trend, "new_peer", '"code":"{key}"'),
    "coinche": (coinche, "108 ", "500 "),
    "workshop": (workshop, "", "failed"),
    "tarock": (tarock, "user.login", '"error":"{key}"'),
    "taroky": (taroky, "user.login", '"error":"{key}"'),
}
"""By protocol: how to connect, what an admitted person hears, and what a person hears whose connection the
operator ends.
"""


async def heard(socket: Socket, word: str) -> str:
    """Read until a frame contains *word*, and return the frame."""
    while True:
        frame = await socket.receive_str()
        if word in frame:
            return frame


async def rest(socket: Socket) -> tuple[list[str], int | None]:
    """Return all further frames, and the code with which the server closes *socket*."""
    frames = [str(frame.data) async for frame in socket]
    return frames, socket.close_code


async def order(server: Rig, act: str, **members: object) -> Any:
    """Give an order, and return its entry in the audit log."""
    status, entry = await server.post("/api/operator/orders", {"act": act, **members}, **OPERATOR)
    assert status == 201, entry
    return entry


async def refused(server: Rig, act: str, **members: object) -> str:
    """Give an order that is refused, and return the key."""
    status, problem = await server.post("/api/operator/orders", {"act": act, **members}, **OPERATOR)
    assert status >= 400, problem
    return str(problem["key"])


async def overview(server: Rig) -> Any:
    """Return what the operator's page shows."""
    status, found = await server.get("/api/operator/moderation", **OPERATOR)
    assert status == 200
    return found


async def register(server: Rig, name: str) -> str:
    """Create an account, and return its token."""
    status, made = await server.post("/api/account", {"name": name, "password": "correct horse"})
    assert status == 201, made
    return str(made["token"])
