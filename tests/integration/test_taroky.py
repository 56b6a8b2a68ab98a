"""Taroky over WebSockets and line ports: a whole match, a server killed in mid-contra."""

from __future__ import annotations

import asyncio
import json
import runpy
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest

from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A
from croupier.games.taroky.tests.rooms import COMMAND_OF, NAMES, QUICK, commands, deal_of
from tests.integration.servers import TIMEOUT, Server, house, steady_port
from tests.integration.test_bots import EXAMPLES, results, start
from tests.integration.test_tarock import first_line

pytestmark = pytest.mark.usefixtures("on_each_database")

HANDS = 4
careful = runpy.run_path(str(EXAMPLES / "taroky_client.py"))["answer"]
"""The answers of the example, by event."""


class Program:
    """A client over a WebSocket that keeps what it receives."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.events: list[dict[str, Any]] = []
        self.id = ""
        self.unasked: list[dict[str, Any]] = []
        """States that were sent without a request."""

    async def call(self, command: str, **fields: object) -> dict[str, Any]:
        await self.socket.send_json({"command": command, **fields, "request_id": 1})
        while True:
            frame = await self.next()
            if "request_id" in frame:
                return frame

    async def game(self, name: str, **fields: object) -> dict[str, Any]:
        return await self.call(f"game.taroky.{name}", **fields)

    async def next(self) -> dict[str, Any]:
        frame: dict[str, Any] = await self.socket.receive_json(timeout=TIMEOUT)
        if "event" in frame:
            self.events.append(frame)
        elif frame.get("response") == "user.login":
            self.id = frame["user_id"]
        elif frame.get("response") == "game.taroky.state" and "request_id" not in frame:
            self.unasked.append(frame)
        return frame

    async def until(self, event: str) -> dict[str, Any]:
        """Return the first unread event with the name *event*."""
        while True:
            for frame in self.events:
                if frame["event"] == event:
                    self.events.remove(frame)
                    return frame
            await self.next()

    async def play(self, rng: Random) -> None:
        """Answer every question until the match is over."""
        while not any(frame["event"] == "game.taroky.match" for frame in self.events):
            frame = await self.next()
            assert "error" not in frame, frame
            event = str(frame.get("event")).removeprefix("game.taroky.")
            fields = careful(event, frame, self.id)
            if fields is not None:
                name = fields.pop("command")
                await self.socket.send_json({"command": f"game.taroky.{name}", **bolder(fields, frame, rng)})


def bolder(fields: dict[str, Any], frame: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Sometimes return an answer other than the careful one."""
    for name, value in fields.items():
        if isinstance(value, bool):
            fields[name] = rng.random() < 0.3
        elif name == "action" and rng.random() < 0.5:
            fields[name] = {"draw": "pass", "reject": "accept"}[value]
        elif name == "cards":
            fields[name] = [rng.choice(frame["valid_cards"])]
        elif name == "card":
            fields[name] = rng.choice(frame.get("valid_partners") or frame["valid_cards"])
    return fields


async def connected(session: aiohttp.ClientSession, server: Server, token: str = "") -> Program:
    query = f"?token={token}" if token else ""
    return Program(await session.ws_connect(f"{server.ws}/taroky{query}"))


async def in_room(programs: list[Program], **rules: Any) -> list[str]:
    """Log in and meet in a room; return the tokens."""
    tokens = [
        (await program.call("user.login", nickname=name))["token"]
        for program, name in zip(programs, NAMES, strict=False)
    ]
    room = (await programs[0].call("lobby.room.create", name="At Ann's", rules={**QUICK, **rules}))["room"]
    for program in programs[1:]:
        await program.call("lobby.room.join", room_id=room["id"])
    return tokens


async def begin(programs: list[Program]) -> None:
    await programs[0].call("lobby.game.start")
    for program in programs[1:]:
        state = (await program.until("lobby.game.start"))["state"]
        await program.call("lobby.player.ready", state=state)


async def in_room_again(program: Program) -> None:
    """Wait until the table is closed: it closes after the end of the match, without an event."""
    for _ in range(int(TIMEOUT / 0.05)):
        room = (await program.call("lobby.room.info", room_id="r1"))["room"]
        if room["status"] == "waiting":
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the room is not waiting again")


async def test_programs_play_a_match_and_every_notation_settles_the_same(tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "error") as server:
        async with aiohttp.ClientSession() as session:
            programs = [await connected(session, server) for _ in NAMES]
            await in_room(programs, hands=HANDS)
            await begin(programs)
            await asyncio.gather(*(program.play(Random(number)) for number, program in enumerate(programs)))
            await in_room_again(programs[0])
            matches = server.ask("/api/matches")[1]
    assert matches[0]["result"] is not None
    for program in programs:
        found = [frame for frame in program.events if frame["event"] == "game.taroky.result"]
        assert len(found) == HANDS
        for result in found:
            again = parse(result["notation"]).result()
            assert (again.x, again.payments, again.money, again.chips) == (
                result["x"],
                result["payments"],
                result["moneycards"],
                result["chips"],
            )
            assert [[name, value] for name, value in again.steps] == [
                [step["name"], step["value"]] for step in result["steps"]
            ]
        numbers = [frame["seq"] for frame in program.events if "seq" in frame]
        assert numbers == list(range(1, len(numbers) + 1))


def test_the_example_plays_a_match(tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "error") as server:
        url = f"{server.ws}/taroky"
        owner = start("taroky_client.py", "ann", "2", url)
        assert "'r1'" in first_line(owner)
        printed = results([owner, start("taroky_client.py", "bea", "r1", url)])
    for said in printed:
        *_, first, second, ranking = said.splitlines()
        assert ranking.startswith("ranking: ")
        assert sum(parse(second).result().chips) == 400
        assert parse(first).phase_name() == "finished"


async def test_a_killed_server_resumes_in_mid_contra_and_does_not_say_who_was_asked(tmp_path: Path) -> None:
    port = steady_port()
    with house(tmp_path, "--log-level", "error", port=port) as server:
        async with aiohttp.ClientSession() as session:
            programs = [await connected(session, server) for _ in NAMES]
            tokens = await in_room(programs, hands=1, secretPause=500, timeout=600_000)
            assert "room" in await programs[0].game("load", notation=deal_of(GAME_A))
            await begin(programs)
            await until_contra(programs)
            before = [await program.game("state") for program in programs]
            await server.restart()
            programs = [await connected(session, server, token) for token in tokens]
            for program, state in zip(programs, before, strict=True):
                while not program.unasked:
                    await program.next()
                known = program.unasked[0]
                assert known["phase"] == "contra"
                assert (known["turn"], known["hand"]) == (None, state["hand"])
            after = [await program.game("state") for program in programs]
            assert [state["your_turn"] for state in after] == [False, True, False, False]
            assert [state["valid"] for state in after[2:]] == [[], []]
            assert [state["deadline"] for state in (after[0], after[2], after[3])] == [None] * 3
            for program in (programs[0], programs[2], programs[3]):
                assert (await program.game("contra", call=True))["error"] == "not_your_turn"
                told = {frame["event"] for frame in program.events}
                assert told <= {"game.taroky.status"}, "only who has reconnected"
            # The hand continues as in the specification.
            left = [one for one in commands(GAME_A) if one[1] in ("contra", "iote", "play")]
            for seat, name, fields in left:
                await turn_of(programs[seat], name)
                assert "response" in await programs[seat].game(name, **fields)
            chips = [(await program.until("game.taroky.result"))["chips"] for program in programs]
            assert chips == [[134, 70, 126, 70]] * 4


async def until_contra(programs: list[Program]) -> None:
    for seat, name, fields in commands(GAME_A):
        if name == "contra":
            await programs[1].until("game.taroky.contra.turn")
            return
        await turn_of(programs[seat], name)
        answer = await programs[seat].game(name, **fields)
        assert "response" in answer, answer


async def turn_of(program: Program, name: str) -> None:
    """Wait until *program* is asked for *name*."""
    while True:
        state = await program.game("state")
        if state.get("your_turn") and COMMAND_OF[state["phase"]] == name:
            return
        await program.next()


async def test_lines_over_tcp(tmp_path: Path) -> None:
    port = steady_port()
    with house(tmp_path, "--log-level", "error", "--taroky-port", str(port)):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for message in [
            {"command": "lobby.room.create", "name": "x", "rules": {**QUICK, "hands": 1}},
            {"command": "game.taroky.load", "notation": GAME_A.rpartition("/T01HQ")[0] + "/"},
            {"command": "lobby.game.start"},
        ]:
            writer.write(json.dumps(message).encode() + b"\r\n")
        valid = []
        while True:
            frame = json.loads(await asyncio.wait_for(reader.readline(), TIMEOUT))
            assert "error" not in frame
            if frame.get("response") == "game.taroky.state":
                valid.append(frame["valid"])
                writer.write(b'{"command": "game.taroky.play", "card": "T01"}\n')
            if frame.get("event") == "game.taroky.result":
                break
        assert valid == [[{"card": "T01"}]]
        assert frame["chips"] == [134, 70, 126, 70]
        writer.close()
        await writer.wait_closed()
