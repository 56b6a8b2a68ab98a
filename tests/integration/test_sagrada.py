"""The glass workshop over real sockets: strict clients finish games, a killed server resumes them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from croupier.games.sagrada.tests.strict import Strict
from tests.integration.servers import TIMEOUT, command, steady_port

EXAMPLES = Path(__file__).parents[2] / "examples"
SEED = "1"
"""The seed with which all tools of the games below are used."""


class Workshop:
    """A server process; its ports stay the same when it is killed and started again."""

    def __init__(self, folder: Path, options: dict[str, object] | None = None, seed: str = "") -> None:
        given = {**(options or {}), **({"seed": seed} if seed else {})}
        spelt = {
            name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()
        }
        words = [word for name, value in spelt.items() for word in ("--option", f"sagrada.{name}={value}")]
        self.port = steady_port()
        ports = ["--sagrada-port", str(self.port), "--sagrada-line-port", "any", "--coinche-port", "off"]
        self._command = command("serve", "--port", "0", "--data", str(folder / "data"), *ports, *words)
        self._log = folder / "log"
        self._process: subprocess.Popen[str] | None = None
        self.line_port = 0
        self.http_port = 0

    def start(self) -> None:
        with self._log.open("a") as log:
            self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self._process.stdout is not None
        said = "".join(self._process.stdout.readline() for _ in range(3))
        found = re.findall(r"(?:port |127\.0\.0\.1:)(\d+)", said)
        assert len(found) == 3, f"the server said {said!r}; its log: {self._log.read_text()[-2000:]}"
        self.http_port, port, self.line_port = map(int, found)
        assert port == self.port

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait(TIMEOUT)
            assert process.stdout is not None
            process.stdout.close()


@contextlib.contextmanager
def workshop(folder: Path, options: dict[str, object] | None = None, seed: str = "") -> Iterator[Workshop]:
    server = Workshop(folder, options, seed)
    try:
        server.start()
        yield server
    finally:
        server.kill()


class Line:
    """A connection to one of the ports."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, end: str) -> None:
        self._reader = reader
        self._writer = writer
        self._end = end

    async def hear(self) -> str:
        found = await asyncio.wait_for(self._reader.readuntil(self._end.encode()), TIMEOUT)
        return found.decode().removesuffix(self._end)

    async def say(self, *lines: str) -> None:
        self._writer.write("".join(line + self._end for line in lines).encode())
        await self._writer.drain()

    async def drop(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


class Calls:
    """The connections of a test; closed at its end."""

    def __init__(self) -> None:
        self._lines: list[Line] = []

    async def __aenter__(self) -> Calls:
        return self

    async def __aexit__(self, *error: object) -> None:
        for line in self._lines:
            await line.drop()

    async def call(self, port: int, end: str = "\r") -> Line:
        self._lines.append(Line(*await asyncio.open_connection("127.0.0.1", port), end))
        return self._lines[-1]


async def play(player: Strict, line: Line) -> None:
    """Play until the game is over."""
    while not player.result:
        await line.say(*player.hear(await line.hear()))


async def play_socket(player: Strict, server: Workshop) -> None:
    """Play over a WebSocket, where a frame is a line."""
    url = f"ws://127.0.0.1:{server.http_port}/sagrada"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        while not player.result:
            frame = await socket.receive_str(timeout=TIMEOUT)
            for line in player.hear(frame):
                await socket.send_str(line)


@pytest.mark.parametrize(
    ("seats", "tools"), [(2, [1, 5, 9]), (3, [2, 6, 10]), (4, [3, 7, 11]), (2, [4, 8, 12])], ids=str
)
async def test_strict_clients_finish_a_game(tmp_path: Path, seats: int, tools: list[int]) -> None:
    options = {"players_min": seats, "players_max": seats, "rounds": 4, "deal": {"tools": tools}}
    options = {**options, "turn_time": 600, "lobby_wait": 0}
    with workshop(tmp_path, options, SEED) as server:
        players = [Strict(f"p{seat}", SEED) for seat in range(seats)]
        async with Calls() as calls:
            lines = [await calls.call(server.port), await calls.call(server.line_port, "\r\n")]
            await _in_turn(players, lines, server)
        assert len({player.result for player in players}) == 1
        assert set().union(*(player.used for player in players)) == set(tools)


async def _in_turn(players: list[Strict], lines: list[Line], server: Workshop) -> None:
    """Connect the players in order: two over TCP, the others over WebSockets."""
    tasks: list[asyncio.Task[None]] = []
    for number, player in enumerate(players):
        work = play(player, lines[number]) if number < len(lines) else play_socket(player, server)
        tasks.append(asyncio.create_task(work))
        while not player.token:
            await asyncio.sleep(0.01)
            if tasks[-1].done():
                break
    await asyncio.gather(*tasks)


async def test_a_killed_server_goes_on_in_the_middle_of_a_tool_dialogue(tmp_path: Path) -> None:
    deal = {
        "start": 1,
        "tools": [6, 11, 1],
        "draws": [["R5", "G1", "B3", "Y2", "P4"]],
        "cards": [[8, 7], [1, 9]],
    }
    with workshop(tmp_path, {"lobby_wait": 0, "deal": deal, "rounds": 1}) as server:
        async with Calls() as calls:
            names = ["ann", "bob"]
            lines = [await calls.call(server.port), await calls.call(server.port)]
            tokens = []
            for name, line in zip(names, lines, strict=True):
                await line.say(f"login\t{name}")
                tokens.append((await _until(line, "login")).split("\t")[2])
            for line, pattern in zip(lines, (14, 1), strict=True):
                await _until(line, "schemas")
                await line.say(f"schema\t{pattern}")
                assert await line.hear() == "ok"
            await _until(lines[0], "round")
            await lines[0].say("extract")
            await _until(lines[0], "your-turn")
            await lines[0].say("active_tool_card\t11", "put_in_bag\tR5")
            assert await lines[0].hear() == "ok"
            drawn = await lines[0].hear()
            assert re.fullmatch(r"dice_from_pool\t[RGBYP]0", drawn)

            server.kill()
            await asyncio.to_thread(server.start)
            lines = [await calls.call(server.port), await calls.call(server.port)]
            for name, token, line in zip(names, tokens, lines, strict=True):
                await line.say(f"login\t{name}", f"token\t{token}")
                assert await _until(line, "verified")
            assert await _until(lines[0], "dice") == "dice\tG1\tB3\tY2\tP4"
            assert await lines[0].hear() == "your-turn"
            assert await lines[0].hear() == drawn
            await lines[0].say("set_value\t3", f"place\t{drawn[-2]}3\t4\t1", "pass")
            assert [await lines[0].hear(), await lines[0].hear()] == ["ok", "ok"]
            for line in (lines[1], lines[1], lines[0]):
                await _until(line, "your-turn")
                await line.say("pass")
            results = [await _until(line, "endGame") for line in lines]
            assert results[0] == results[1]


async def _until(line: Line, verb: str) -> str:
    """Return the next line with this verb."""
    while True:
        found = await line.hear()
        if found.split("\t")[0] == verb:
            return found


def test_the_example_plays_a_game_of_four(tmp_path: Path) -> None:
    program = EXAMPLES / "sagrada_client.py"
    assert len(program.read_text().splitlines()) < 80
    with workshop(tmp_path) as server:
        players = [
            subprocess.Popen(
                [sys.executable, str(program), f"p{number}", "127.0.0.1", str(server.port)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for number in range(4)
        ]
        try:
            printed = [player.communicate(timeout=3 * TIMEOUT) for player in players]
        finally:
            for player in players:
                player.kill()
        assert [errors for _, errors in printed] == [""] * 4
        assert len({shown for shown, _ in printed}) == 1
        assert len(printed[0][0].splitlines()) == 4
