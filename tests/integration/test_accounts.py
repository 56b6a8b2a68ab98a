"""One account in all protocols over real sockets, with a killed server and a backup."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.integration.servers import TIMEOUT, Server, command, house, steady_port

PASSWORD = "correct horse"


class Peer:
    """A WebSocket of any protocol."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket

    async def say(self, message: object) -> None:
        await (
            self._socket.send_str(message) if isinstance(message, str) else self._socket.send_json(message)
        )

    async def line(self, *starts: str) -> str:
        """Return the next frame, or the next that begins with one of *starts*."""
        while True:
            line = await asyncio.wait_for(self._socket.receive_str(), TIMEOUT)
            if not starts or line.startswith(starts):
                return line

    async def frame(self, member: str, *values: str) -> dict[str, Any]:
        """Return the next JSON frame whose *member* is one of *values*."""
        while True:
            frame: dict[str, Any] = await asyncio.wait_for(self._socket.receive_json(), TIMEOUT)
            if frame.get(member) in values:
                return frame


async def meet(server: Server, session: aiohttp.ClientSession, path: str) -> Peer:
    return Peer(await session.ws_connect(server.ws + path))


async def everywhere(server: Server, token: str) -> None:
    """Log in as Anna in every protocol; check that this requires her token or password."""
    async with aiohttp.ClientSession() as session:
        coinche = await meet(server, session, "/coinche")
        for line, expected in (
            ("NAME anna", "403"),
            ("NAME anna wrong horse", "403"),
            (f"NAME anna {PASSWORD}", "200 Nickname changed"),
        ):
            await coinche.say(line)
            assert (await coinche.line("200", "40")).startswith(expected), line
        glass = await meet(server, session, "/sagrada")
        for line, expected in (
            ("login\tanna", "login\tAnna\ttoken"),
            ("token\twrong horse", "failed"),
            ("login\tanna", "login\tAnna\ttoken"),
            (f"token\t{token}", "verified"),
        ):
            await glass.say(line)
            assert (await glass.line("login", "failed", "verified")) == expected
        for game in ("tarock", "taroky"):
            rooms = await meet(server, session, f"/{game}")
            await rooms.say({"command": "user.login", "nickname": "Anna"})
            assert (await rooms.frame("error", "invalid_token"))["error_description"]
            await rooms.say({"command": "user.login", "nickname": "Anna", "password": PASSWORD})
            assert (await rooms.frame("response", "user.login"))["nickname"] == "Anna"
        hearts = await meet(server, session, "/")
        await hearts.say(
            {"eventName": "join", "data": {"playerName": "Anna", "playerNumber": 1, "token": "x"}}
        )
        await hearts.frame("eventName", "player_name_dup")
        join = {"playerName": "Anna", "playerNumber": 1, "token": token}
        await hearts.say({"eventName": "join", "data": join})
        await hearts.frame("eventName", "new_peer")
        page = await meet(server, session, "/house/default")
        await page.say({"type": "join", "name": "Anna", "token": "x"})
        assert (await page.frame("type", "refused"))["key"] in ("name_reserved", "name_taken")
        await page.say({"type": "join", "name": "Anna", "token": token})
        joined = await page.frame("type", "joined", "refused")
        assert (joined["type"], joined.get("seat"), joined.get("back")) == ("joined", 0, True)
        tables = server.ask("/api/account", Authorization=f"Bearer {token}")[1]["tables"]
        assert [(row["game"], row["seat"]) for row in tables] == [("hearts", 0), ("coinche", 0)]


@pytest.mark.slow
def test_the_same_person_on_every_protocol(tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "debug", port=steady_port()) as server:
        status, made = server.ask("/api/account", {"name": "Anna", "password": PASSWORD})
        assert status == 201
        token = made["token"]
        asyncio.run(everywhere(server, token))
        server.kill()
        server.start()
        assert server.ask("/api/account", Authorization=f"Bearer {token}")[1]["name"] == "Anna"
        assert server.ask("/api/session", {"name": "ANNA", "password": PASSWORD})[0] == 201
        [database] = tmp_path.rglob("croupier.db")
        backup = tmp_path / "copy.db"
        subprocess.run(command("backup", str(backup), "--data", str(database.parent)), check=True)
        assert server.stop() == 0
    with closing(sqlite3.connect(backup)) as db:
        assert db.execute("SELECT name FROM accounts").fetchall() == [("Anna",)]
        assert db.execute("SELECT count(*) FROM sessions").fetchone()[0] >= 2
    for file in [*database.parent.iterdir(), backup, *tmp_path.glob("*.log")]:
        data = file.read_bytes()
        assert token.encode() not in data, file
        assert PASSWORD.encode() not in data, file
