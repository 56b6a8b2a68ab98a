"""The protocol of Tarock over HTTP: POST /relay returns answers, GET /events the events."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from croupier.net.relay import Relay
from tests.net.rig import rig
from tests.net.test_lobbies import House

TIMEOUT = 30.0


class Client:
    """A client over HTTP."""

    def __init__(self, session: aiohttp.ClientSession, port: int, token: str = "") -> None:
        self.session = session
        self.url = f"http://127.0.0.1:{port}"
        self.token = token

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def call(self, command: str, **fields: object) -> dict[str, Any]:
        async with self.session.post(
            f"{self.url}/relay", json={"command": command, **fields}, headers=self.headers
        ) as response:
            assert response.status == 200
            assert response.content_type == "application/json"
            found: dict[str, Any] = await response.json()
            return found

    async def login(self, name: str) -> None:
        self.token = (await self.call("user.login", nickname=name))["token"]

    async def listen(self) -> aiohttp.ClientResponse:
        return await self.session.get(f"{self.url}/events", headers=self.headers)


async def next_event(response: aiohttp.ClientResponse) -> dict[str, Any]:
    while True:
        line = await asyncio.wait_for(response.content.readline(), TIMEOUT)
        assert line, "the stream has ended"
        if line.startswith(b"data: "):
            found: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
            return found


async def test_a_game_over_http(tmp_path: Path) -> None:
    async with House(tmp_path) as house, aiohttp.ClientSession() as session:
        ana, bor = Client(session, house.port), Client(session, house.port)
        await ana.login("Ana")
        await bor.login("Bor")
        room = (await ana.call("lobby.room.create", name="Pri Ani", rules={"deal_pause_ms": 0}))["room"]
        stream = await ana.listen()
        assert stream.headers["Content-Type"] == "text/event-stream"
        assert (await bor.call("lobby.room.join", room_id=room["id"]))["room"]["players"]
        assert (await next_event(stream))["event"] == "lobby.room.join"
        assert await ana.call("lobby.game.start", request_id=1) == {
            "response": "lobby.game.start",
            "request_id": 1,
        }
        events = await bor.listen()
        state = (await next_event(events))["state"]
        assert "response" in await bor.call("lobby.player.ready", state=state)
        assert (await next_event(stream))["event"] == "lobby.player.ready"
        deals = [await next_event(stream), await next_event(events)]
        assert [deal["event"] for deal in deals] == ["game.tarock.deal"] * 2
        assert (await bor.call("game.tarock.state"))["hand"] == deals[1]["hand"]
        assert (await bor.call("game.tarock.play", card="X9"))["error"] == "wrong_phase"
        events.close()
        # A WebSocket of the same user takes over.
        async with session.ws_connect(f"ws://127.0.0.1:{house.port}/tarock?token={bor.token}") as socket:
            welcome = await socket.receive_json(timeout=TIMEOUT)
            assert welcome["room"]["id"] == room["id"]
            assert (await socket.receive_json(timeout=TIMEOUT))["event"] == "game.tarock.sync"
        stream.close()


async def test_invalid_requests(tmp_path: Path) -> None:
    async with House(tmp_path) as house, aiohttp.ClientSession() as session:
        url = f"http://127.0.0.1:{house.port}/relay"
        async with session.get(url) as response:
            assert response.status == 405
        async with session.post(url, data="{}", headers={"Content-Type": "text/plain"}) as response:
            assert response.status == 400
        headers = {"Content-Type": "application/json"}
        for body in ("", "nonsense", "[" * 100_000):
            async with session.post(url, data=body, headers=headers) as response:
                assert response.status == 200
                assert (await response.json())["error"] == "invalid_request"
        anybody = Client(session, house.port)
        assert (await anybody.call("lobby.room.list"))["rooms"] == []
        assert (await anybody.call("lobby.room.create", name="x"))["error"] == "invalid_token"
        assert (await anybody.call("game.tarock.state"))["error"] == "not_in_room"
        anybody.token = "guessed"
        assert (await anybody.call("lobby.room.list"))["error"] == "invalid_token"
        refused = await anybody.listen()
        assert refused.status == 401


async def test_a_newer_reader_ends_the_older_one(tmp_path: Path) -> None:
    async with House(tmp_path) as house, aiohttp.ClientSession() as session:
        ana = Client(session, house.port)
        await ana.login("Ana")
        old = await ana.listen()
        new = await ana.listen()
        assert await asyncio.wait_for(old.content.read(), TIMEOUT) == b""
        again = Client(session, house.port)
        assert (await again.call("user.login", token=ana.token))["nickname"] == "Ana"
        assert (await next_event(new))["error"] == "replaced"
        assert await asyncio.wait_for(new.content.read(), TIMEOUT) == b"\n"


async def test_an_address_has_a_limited_number_of_sessions() -> None:
    async with rig(most_per_address=3) as server:
        ana, *others = [Client(server.session, server.port) for _ in range(4)]
        for client in (ana, *others[:2]):
            await client.login("Ana")
        refused = await others[2].call("user.login", nickname="Ana")
        assert refused["error"] == "too_many"
        assert refused["error_description"].startswith("too many sessions"), "not only too many new users"
        assert (await ana.call("lobby.room.list"))["rooms"] == []


async def test_sessions_that_end_together_delay_nobody() -> None:
    relay = Relay({}, "tarock")
    ended = [Ended(str(number)) for number in range(20_000)]
    for one in ended:
        relay._sessions[one.token] = one  # type: ignore[assignment]
        relay._open[one.address] += 1
    begun = time.process_time()
    for one in ended:
        relay._forget(one)  # type: ignore[arg-type]
    assert time.process_time() - begun < 1.0
    assert not relay._sessions
    assert not relay._open


@dataclass
class Ended:
    """What the relay stores about a session."""

    token: str
    address: str = "192.0.2.1"
