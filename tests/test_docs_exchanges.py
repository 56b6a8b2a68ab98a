"""The exchanges in the documents of protocols are performed with a real server.

    ```exchange tcp 4242         or: exchange ws /house/TABLE
    > what the client sends
    < what the server sends; `…` matches any text, and a line with `…` alone any number of lines
    $ python …_client.py …       starts another client, an example program
    ```

TABLE is the table that the page's first JSON block opens over HTTP; the documents use the default ports.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Protocol

import aiohttp
import pytest

from tests.docs_tables import DOCS, ROOT
from tests.integration.servers import TIMEOUT, Server

EXCHANGE = re.compile(r"^```exchange (\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORTS = {"coinche": "4242", "sagrada": "31333", "sagrada-line": "31334", "tarock": "7001", "taroky": "7002"}
SETTINGS = [
    "coinche.fill_bots_seconds=1",
    "coinche.bots=heuristic",
    "coinche.seed=7",
    "sagrada.lobby_wait=1",
    "sagrada.seed=7",
]

pytestmark = pytest.mark.slow


class Running:
    """A server with all ports, and the real ports that replace those of the documents."""

    def __init__(self, folder: Path) -> None:
        options = [word for setting in SETTINGS for word in ("--option", setting)]
        ports = [word for name in PORTS for word in (f"--{name}-port", "any")]
        self.server = Server(folder / "log", "serve", "--port", "0", "--data", str(folder), *ports, *options)
        self.server.start()
        assert self.server.process is not None
        assert self.server.process.stdout is not None
        self.ports = {"8080": str(self.server.port)}
        for _ in PORTS:
            words = self.server.process.stdout.readline().split()
            self.ports[PORTS[words[2]]] = words[-1]

    def real(self, text: str) -> str:
        """Return *text* with the real ports."""
        return re.sub(r"\b\d{4,5}\b", lambda found: self.ports.get(found[0], found[0]), text)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    found = Running(tmp_path_factory.mktemp("documents"))
    yield found
    found.server.stop()


class Peer(Protocol):
    async def send(self, line: str) -> None: ...
    async def receive(self) -> str: ...


class Lines:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, end: str) -> None:
        self._reader, self._writer, self._end = reader, writer, end

    async def send(self, line: str) -> None:
        self._writer.write((line.replace("⇥", "\t") + self._end).encode())

    async def receive(self) -> str:
        line = (await self._reader.readuntil(self._end.encode())).decode()
        return line.strip("\r\n").replace("\t", "⇥")


class Frames:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket

    async def send(self, line: str) -> None:
        await self._socket.send_str(line)

    async def receive(self) -> str:
        frame = await self._socket.receive_str()
        return json.dumps(json.loads(frame), ensure_ascii=False) if frame.startswith("{") else frame


@contextlib.asynccontextmanager
async def connected(way: str, where: str, running: Running) -> AsyncIterator[Peer]:
    if way == "tcp":
        reader, writer = await asyncio.open_connection("127.0.0.1", int(running.ports[where]))
        yield Lines(reader, writer, "\r" if where == PORTS["sagrada"] else "\r\n")
        writer.close()
    else:
        url = running.server.ws + where
        async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
            yield Frames(socket)


def fits(expected: str, line: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in expected.split("…"))
    return re.fullmatch(pattern, line, re.DOTALL) is not None


async def play(script: str, peer: Peer, running: Running) -> None:
    skipping = False
    others: list[asyncio.subprocess.Process] = []
    try:
        for step in script.splitlines():
            sign, _, text = step.partition(" ")
            match sign:
                case "…":
                    skipping = True
                case ">":
                    await peer.send(text)
                case "$":
                    words = running.real(text.replace("python", sys.executable, 1)).split()
                    nowhere = asyncio.subprocess.DEVNULL
                    others.append(
                        await asyncio.create_subprocess_exec(*words, cwd=ROOT / "examples", stdout=nowhere)
                    )
                case "<":
                    line = await asyncio.wait_for(peer.receive(), TIMEOUT)
                    while skipping and not fits(text, line):
                        line = await asyncio.wait_for(peer.receive(), TIMEOUT)
                    assert fits(text, line), f"documented: {text!r}, received: {line!r}"
                    skipping = False
                case _:
                    raise AssertionError(f"{step!r}: expected >, <, $ or …")
    finally:
        for other in others:
            with contextlib.suppress(ProcessLookupError):
                other.kill()
            await other.wait()


def opened(page: str, running: Running) -> str:
    """Open a table with the page's first JSON block; return its id."""
    found = re.search(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found, "an exchange with TABLE needs a JSON block that opens it"
    request = urllib.request.Request(
        f"{running.server.http}/api/tables", found[1].encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["id"])


def exchanges() -> list[pytest.ParameterSet]:
    return [
        pytest.param(page, *found, id=f"{page.stem}-{number}")
        for page in sorted(DOCS.glob("*.md"))
        for number, found in enumerate(EXCHANGE.findall(page.read_text()), 1)
    ]


@pytest.mark.parametrize(("document", "way", "where", "script"), exchanges())
def test_an_exchange_is_as_documented(
    document: Path, way: str, where: str, script: str, running: Running
) -> None:
    if "TABLE" in where:
        where = where.replace("TABLE", opened(document.read_text(), running))

    async def run() -> None:
        async with connected(way, where, running) as peer:
            await play(script, peer, running)

    asyncio.run(run())


def test_every_protocol_has_an_exchange() -> None:
    with_exchange = {page.name for page in DOCS.glob("*.md") if EXCHANGE.search(page.read_text())}
    assert {page.name for page in DOCS.glob("*protocol*.md")} <= with_exchange


def test_the_metrics_match_the_operators_page(running: Running) -> None:
    with urllib.request.urlopen(f"{running.server.http}/metrics") as answer:
        found = set(re.findall(r"^# TYPE (\w+)", answer.read().decode(), re.MULTILINE))
    _, _, monitoring = (DOCS / "tutorial-operator.md").read_text().partition("## Monitoring")
    assert set(re.findall(r"`(croupier_\w+)", monitoring)) == found
