"""Tarock over WebSockets and line ports: a whole session, a server killed in mid-exchange."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest

from croupier.games.tarock.tests.positions import TRANSCRIPT_HANDS, TRANSCRIPT_TALON, deck
from croupier.games.tarock.vocabulary import names
from tests.integration.servers import TIMEOUT, Server, house, steady_port
from tests.integration.test_bots import EXAMPLES, results, start

pytestmark = pytest.mark.usefixtures("on_each_database")

NAMES = ["Ana", "Bor", "Cene", "Dana"]


def test_the_example_has_fewer_than_80_lines() -> None:
    assert len((EXAMPLES / "tarock_client.py").read_text().splitlines()) < 80


def first_line(bot: subprocess.Popen[str]) -> str:
    assert bot.stdout is not None
    return bot.stdout.readline()


def test_four_seed_clients_play_a_session_of_twelve_deals(tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "error") as server:
        url = f"{server.ws}/tarock"
        owner = start("tarock_client.py", NAMES[0], "4", url)
        assert "'r1'" in first_line(owner)
        bots = [owner, *(start("tarock_client.py", name, "r1", url) for name in NAMES[1:])]
        printed = results(bots)
        matches = server.ask("/api/matches")[1]
    for name, said in zip(NAMES, printed, strict=True):
        assert said.splitlines()[-1] == f"{name} has played 12 deals"
    assert len(matches) == 1
    assert matches[0]["result"] is not None


class Client:
    """A client with every extension, over a WebSocket."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.events: list[dict[str, Any]] = []

    async def call(self, command: str, **fields: object) -> dict[str, Any]:
        await self.socket.send_json({"command": command, **fields})
        while True:
            frame = await self.next()
            if "event" not in frame:
                return frame
            self.events.append(frame)

    async def next(self) -> dict[str, Any]:
        found: dict[str, Any] = await self.socket.receive_json(timeout=TIMEOUT)
        return found

    async def until(self, event: str) -> dict[str, Any]:
        """Return the next event with the name *event*."""
        while True:
            frame = self.events.pop(0) if self.events else await self.next()
            if frame.get("event") == event:
                return frame


async def test_a_killed_server_resumes_a_session_in_mid_exchange(tmp_path: Path) -> None:
    port = steady_port()
    with house(tmp_path, "--log-level", "error", port=port) as server:
        async with aiohttp.ClientSession() as session:
            clients = [await connected(session, server) for _ in NAMES]
            tokens = [
                (await client.call("user.login", nickname=name))["token"]
                for client, name in zip(clients, NAMES, strict=True)
            ]
            await in_exchange(clients)
            states = [await client.call("game.tarock.state") for client in clients]
            await server.restart()
            clients = [await connected(session, server, token) for token in tokens]
            for client, before in zip(clients, states, strict=True):
                assert (await client.next())["room"]["name"] == "Pri Ani"
                sync = await client.until("game.tarock.sync")
                for known in ("hand", "phase", "talon", "bids", "king", "next_player", "totals"):
                    assert sync[known] == before[known]
            prompt = await clients[1].until("game.tarock.exchange.start")
            assert prompt["talon"] == [["S10", "T17"], ["HQ", "SK"], ["SJ", "D4"]]
            answer = await clients[1].call("game.tarock.exchange", picked=1, cards=["HQ", "CJ"])
            assert answer == {"response": "game.tarock.exchange"}
            for client in clients:
                finished = await client.until("game.tarock.exchange.finished")
                assert (finished["picked"], finished["discarded"]) == (1, [])
            hand = (await clients[1].call("game.tarock.state"))["hand"]
            assert "SK" in hand
            assert "CJ" not in hand


async def connected(session: aiohttp.ClientSession, server: Server, token: str = "") -> Client:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Client(await session.ws_connect(f"{server.ws}/tarock", headers=headers))


async def in_exchange(clients: list[Client]) -> None:
    """Play the transcript's deal up to the exchange."""
    rules = {"deck": [names(deck(TRANSCRIPT_HANDS, TRANSCRIPT_TALON))]}
    room = (await clients[0].call("lobby.room.create", name="Pri Ani", rules=rules))["room"]
    for client in clients[1:]:
        await client.call("lobby.room.join", room_id=room["id"])
    await clients[0].call("lobby.game.start")
    for client in clients[1:]:
        state = (await client.until("lobby.game.start"))["state"]
        await client.call("lobby.player.ready", state=state)
    for client in clients:
        await client.until("game.tarock.bid.next")
    for seat, bid in [(2, "two"), (3, "pass"), (0, "pass"), (1, "two"), (2, "pass"), (1, "two")]:
        answer = await clients[seat].call("game.tarock.bid", contract=bid)
        assert answer == {"response": "game.tarock.bid"}
    assert "response" in await clients[1].call("game.tarock.callking", suit="H")


async def test_lines_over_tcp(tmp_path: Path) -> None:
    port = steady_port()
    with house(tmp_path, "--log-level", "error", "--tarock-port", str(port)) as server:
        assert server.port != port
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b'{"command": "user.login", "nickname": "Ana"}\r\nno json\n{"command": "lobby.room.list"}\n'
        )
        answers = [json.loads(await asyncio.wait_for(reader.readline(), TIMEOUT)) for _ in range(3)]
        assert [answer.get("response", answer.get("error")) for answer in answers] == [
            "user.login",
            "invalid_request",
            "lobby.room.list",
        ]
        writer.write(b'{"command": "lobby.room.create", "name": "x"}\n{"command": "lobby.game.start"}\n')
        rng = Random(1)
        while True:
            frame = json.loads(await asyncio.wait_for(reader.readline(), TIMEOUT))
            if frame.get("event") == "game.tarock.score":
                break
            if "valid_cards" in frame:
                card = rng.choice(frame["valid_cards"])
                writer.write(json.dumps({"command": "game.tarock.play", "card": card}).encode() + b"\n")
            elif "can_pass" in frame:
                contract = "pass" if frame["can_pass"] else frame["valid_bids"][0]
                writer.write(
                    json.dumps({"command": "game.tarock.bid", "contract": contract}).encode() + b"\n"
                )
            elif "valid_bonuses" in frame:
                writer.write(b'{"command": "game.tarock.announce"}\n')
        writer.close()
