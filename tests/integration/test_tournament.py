"""Tournaments over the protocols that begin in a lobby: an entrant who logs in is sent to their table."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.integration.servers import TIMEOUT, Server, house
from tests.integration.test_accounts import PASSWORD, Peer, meet

pytestmark = pytest.mark.usefixtures("on_each_database")

DEALT = {
    "coinche": "311 ",
    "sagrada": "schemas",
    "tarock": '{"event":"game.tarock.deal"',
    "taroky": '{"event":"game.taroky.',
}
"""The message that tells a player that the match has begun, by game."""


async def log_in(peer: Peer, game: str, token: str) -> None:
    if game == "coinche":
        await peer.say(f"NAME anna {PASSWORD}")
    elif game == "sagrada":
        await peer.say("login\tanna")
        await peer.line("login")
        await peer.say(f"token\t{token}")
    else:
        await peer.say({"command": "user.login", "nickname": "Anna", "password": PASSWORD})


async def board_of(server: Server, id: str) -> dict[str, Any]:
    """Wait for the first round; return its only table."""
    async with asyncio.timeout(TIMEOUT):
        while True:
            told = server.ask(f"/api/tournaments/{id}")[1]
            if told["tables"] and any(row["id"] == told["tables"][0][0]["table"] for row in tables(server)):
                board: dict[str, Any] = told["tables"][0][0]
                return board
            await asyncio.sleep(0.05)


def tables(server: Server) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.ask("/api/tables")[1]
    return found


async def comes_to_its_table(server: Server, game: str, token: str) -> None:
    wish = {"name": "Cup", "game": game, "rounds": 1, "fill": "random", "patience": 300}
    id = server.ask("/api/tournaments", {**wish, "starts_in": 1})[1]["id"]
    assert server.ask(f"/api/tournaments/{id}/entry", {"name": "Anna", "token": token})[0] == 200
    board = await board_of(server, id)
    async with aiohttp.ClientSession() as session:
        peer = await meet(server, session, f"/{game}")
        await log_in(peer, game, token)
        await peer.line(DEALT[game])
        [row] = [row for row in tables(server) if row["id"] == board["table"]]
        assert [seat["name"] for seat in row["seats"] if seat["connected"] and seat["kind"] != "bot"] == [
            "Anna"
        ]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["coinche", "sagrada", "tarock", "taroky"])
def test_an_account_that_has_entered_is_sent_to_its_table(tmp_path: Path, game: str) -> None:
    with house(tmp_path) as server:
        token = server.ask("/api/account", {"name": "Anna", "password": PASSWORD})[1]["token"]
        asyncio.run(comes_to_its_table(server, game, token))
