"""Coinche over real sockets: scripts on raw TCP connections, kills in auctions and tricks, the example."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest

from tests.integration.servers import TIMEOUT, Server, house, steady_port

pytestmark = pytest.mark.usefixtures("on_each_database")

EXAMPLE = Path(__file__).parents[2] / "examples" / "coinche_client.py"
NAMES = ("anna", "bobby", "carol", "david")
PRIVATE = ("100", "101", "104", "108", "311", "326", "334")
"""Codes of lines that not all players get, or not at the same time."""


class Session:
    """A scripted client: keeps every line, answers the hints."""

    def __init__(self, say: Callable[[str], Awaitable[None]], hear: Callable[[], Awaitable[str]]) -> None:
        self.say = say
        self._hear = hear
        self.lines: list[str] = []

    async def hear(self) -> str:
        line = await asyncio.wait_for(self._hear(), TIMEOUT)
        self.lines.append(line)
        return line

    async def until(self, start: str) -> str:
        """Read up to a line that starts with *start*."""
        while not (line := await self.hear()).startswith(start):
            pass
        return line

    async def ask(self, line: str) -> str:
        """Return the reply to *line*."""
        await self.say(line)
        while (reply := await self.hear())[0] in "13":
            pass
        return reply

    async def play(self, stop: Callable[[str], bool]) -> None:
        """Answer every hint, until *stop* returns True for a line."""
        while not stop(line := await self.hear()):
            assert line[0] in "123", line
            await self.answer(line)

    async def answer(self, line: str) -> None:
        """Send an answer that the hint allows; other lines need no answer."""
        if line.startswith("334"):
            await self.say("PLAY " + line[line.index("[") + 1 : line.index("]")].split(", ")[-1])
        elif line.startswith("326"):
            await self.say("CONTRACT 80 Hearts" if line.startswith("326 80 ") else "PASS")


class Room:
    """The TCP connections of a test; closed at its end."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writers: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Room:
        return self

    async def __aexit__(self, *error: object) -> None:
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers.append(writer)
        return reader, writer

    async def session(self) -> Session:
        reader, writer = await self.connect()

        async def say(line: str) -> None:
            writer.write(f"{line}\r\n".encode())

        async def hear() -> str:
            raw = await reader.readline()
            assert raw.endswith(b"\r\n"), raw
            return raw[:-2].decode()

        return Session(say, hear)

    async def four(self) -> list[Session]:
        """Return four players, seated in turn."""
        sessions = [await self.session() for _ in NAMES]
        for session, name in zip(sessions, NAMES, strict=True):
            assert await session.ask(f"NAME {name}") == "200 Nickname changed"
        return sessions


def line_port(server: Server) -> int:
    """Return the port of the line protocol, which the server prints in its second line."""
    assert server.process is not None
    assert server.process.stdout is not None
    found = re.search(r"coinche at \S+ port (\d+)", server.process.stdout.readline())
    assert found
    return int(found[1])


def coinche_port(port: str = "any") -> list[str]:
    return ["--coinche-port", port, "--sagrada-port", "off", "--sagrada-line-port", "off"]


def public(session: Session, start: str) -> list[str]:
    """Return the public lines from the last one that starts with *start*."""
    first = max(at for at, line in enumerate(session.lines) if line.startswith(start))
    return [line for line in session.lines[first:] if line[0] in "13" and line[:3] not in PRIVATE]


@pytest.mark.slow
def test_four_sessions_play_to_2000_points(tmp_path: Path) -> None:
    """Three raw TCP connections and a WebSocket get the same public lines in the same order."""

    async def game(server: Server, port: int) -> None:
        async with Room(port) as room, aiohttp.ClientSession() as http:
            socket = await http.ws_connect(server.ws + "/coinche")
            sessions = [await room.session() for _ in range(3)]
            sessions.append(Session(socket.send_str, socket.receive_str))
            for session, name in zip(sessions, NAMES, strict=True):
                assert await session.ask(f"NAME {name}") == "200 Nickname changed"
            await asyncio.gather(*(one.play(lambda line: line.startswith("350")) for one in sessions))
            for session in sessions:
                assert not [line for line in session.lines if line[0] in "45"]
            told = [public(session, "300") for session in sessions]
            assert told[0] == told[1] == told[2] == told[3]
            winner, *totals = told[0][-1].split(" :")[0].split()[1:]
            assert int(totals["AB".index(winner)]) >= 2000
            assert told[0][-1].startswith("350")

    with house(tmp_path, *coinche_port()) as server:
        asyncio.run(game(server, line_port(server)))


@pytest.mark.slow
def test_four_at_once_sit_at_one_table(tmp_path: Path) -> None:
    async def come(port: int) -> None:
        async with Room(port) as room:
            sessions = [await room.session() for _ in range(8)]
            await asyncio.gather(*(one.ask(f"NAME player{number}") for number, one in enumerate(sessions)))
            for session in sessions:
                await session.until("320")
        tables = [line.split()[2] for session in sessions for line in session.lines if line[:3] == "108"]
        assert sorted(tables.count(table) for table in set(tables)) == [4, 4]
        for session in sessions:  # earlier players are listed before the client itself, and none twice
            seats = [line.split()[1] for line in session.lines if line[:3] == "101"]
            assert sorted(seats) == ["1", "2", "3", "4"]
            assert seats == sorted(seats)

    with house(tmp_path, *coinche_port()) as server:
        asyncio.run(come(line_port(server)))


@pytest.mark.slow
def test_a_killed_server_resumes_in_mid_auction_and_in_mid_trick(tmp_path: Path) -> None:
    port = steady_port()

    async def game(server: Server) -> None:
        async with Room(port) as room:
            sessions = await room.four()
            for moment in ("321", "331"):
                # All clients stop at the same line and do not answer the hint that follows it.
                await until(sessions, moment)
                before = [await state(one) for one in sessions]
                await server.restart()
                sessions = await room.four()
                await asyncio.gather(*(one.until("361") for one in sessions))
                after = [await state(one) for one in sessions]
                assert after == before
                assert [line for line in after[0] if line.startswith(("320", "330"))]
                for session, lines in zip(sessions, after, strict=True):
                    for line in lines:
                        await session.answer(line)
            await until(sessions, "350")

    async def until(sessions: list[Session], start: str) -> None:
        await asyncio.gather(*(one.play(lambda line: line.startswith(start)) for one in sessions))

    async def state(session: Session) -> list[str]:
        """Return the snapshot, without the remaining seconds."""
        assert await session.ask("STATE") == "200 state follows."
        await session.until("361")
        last = max(at for at, line in enumerate(session.lines) if line.startswith("360"))
        return [re.sub(r"^(3[23]0 \d \w+) \d+", r"\1", line) for line in session.lines[last:]]

    with house(tmp_path, *coinche_port(str(port))) as server:
        asyncio.run(game(server))


@pytest.mark.slow
def test_bad_input_of_every_kind_over_tcp(tmp_path: Path) -> None:
    async def talk(port: int) -> None:
        async with Room(port) as room:
            reader, writer = await room.connect()

            async def hear() -> str:
                return (await asyncio.wait_for(reader.readline(), TIMEOUT)).decode().strip()

            assert (await hear()).startswith("100 coinche/1 ")
            for sent, answer in (
                (b"\xff\xfb\x01\xff\xfd\x03HAND\r\0", "401 please give your nickname first."),
                (b"\x00\x01\x02\n", "400 Invalid command"),
                (b"\xfe\xfe\r\n", "400 Invalid command"),
                (b"\r\n  \r\n\nFLY\r\n", "400 Invalid command"),
                (b"x" * 2000 + b"\nNAME ab\n", "406 line too long."),
                (b"", "402 ab contains invalid characters or is too short."),
                (b"NAME anna\n", "200 Nickname changed"),
            ):
                writer.write(sent)
                assert await hear() == answer
            for start in ("108", "101", "104"):
                assert (await hear()).startswith(start)
            other = await room.session()
            assert await other.ask("NAME ANNA") == "403 nickname is already in use"
            writer.write(b"HAND\n" * 1000)
            answers = [await hear() for _ in range(1000)]
            assert set(answers) == {"424 your hand is empty.", "407 too many commands."}
            assert await other.ask("NAME bobby") == "200 Nickname changed"  # other clients were not delayed
            writer.write(
                b"F\n" * 8000
            )  # in one piece: the limit cannot recover in between, even on a slow server
            rest = [line.decode().strip() async for line in reader]
            assert rest[-1] == "500 flood"
            assert (await other.until("102")).startswith("102 1 anna lost")
            reader, writer = await room.connect()
            writer.write(b"x" * 9000)
            said = [line.decode().strip() async for line in reader]
            assert said[1:] == ["406 line too long.", "500 line far too long"]

    with house(tmp_path, *coinche_port()) as server:
        asyncio.run(talk(line_port(server)))


@pytest.mark.slow
def test_players_are_told_when_the_server_stops(tmp_path: Path) -> None:
    async def talk(server: Server, port: int) -> None:
        async with Room(port) as room:
            sessions = [*await room.four(), await room.session()]
            await sessions[-1].hear()  # and sends no nickname
            stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            for session in sessions:
                assert await session.until("500") == "500 shutdown"
            assert await stopping == 0

    with house(tmp_path, *coinche_port()) as server:
        asyncio.run(talk(server, line_port(server)))


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text().splitlines()) < 80


@pytest.mark.slow
def test_the_example_plays_a_game_through_a_kill(tmp_path: Path) -> None:
    port = steady_port()
    with house(tmp_path, *coinche_port(str(port))) as server:
        players = [
            subprocess.Popen(
                [sys.executable, str(EXAMPLE), name, "127.0.0.1", str(port)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for name in NAMES
        ]
        try:
            asyncio.run(kill_in_mid_game(server))
            printed = [player.communicate(timeout=2 * TIMEOUT) for player in players]
        finally:
            for player in players:
                player.kill()
                player.wait()
    assert [errors for _, errors in printed] == [""] * 4
    assert len({out for out, _ in printed}) == 1
    assert re.fullmatch(r"team [AB] wins \d+ to \d+\n", printed[0][0])


async def kill_in_mid_game(server: Server) -> None:
    """Restart the server as soon as a game is under way."""
    for _ in range(int(TIMEOUT * 20)):
        _, tables = await asyncio.to_thread(server.ask, "/api/tables")
        if any(table["game"] == "coinche" and table["phase"] == "playing" for table in tables):
            break
        await asyncio.sleep(0.05)
    await server.restart()
