"""Real server processes on this machine: started, killed, restarted."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TIMEOUT = 60.0
"""Seconds after which a test gives up, even on a busy machine."""

database: list[str] = []
"""Options of `house` for another database; the fixture `on_each_database` sets them."""


def steady_port() -> int:
    """Return a free port outside the range of ephemeral ports."""
    return steady_ports(1)[0]


def steady_ports(many: int) -> list[int]:
    """Return free ports outside the range of ephemeral ports.

    So no other program takes the port while the server is down, and no client connects to itself. Other test
    processes, which usually have similar process ids, start their search at other ports.
    """
    first = 20_000 + os.getpid() % 120 * 100
    found: list[int] = []
    for port in range(first, first + 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == many:
            return found
    raise AssertionError(f"fewer than {many} free ports")


def command(*arguments: str) -> list[str]:
    """Return the command line of croupier with these arguments."""
    return [sys.executable, "-m", "croupier", *arguments]


class Server:
    """One process; `start` returns when it has printed its address."""

    def __init__(self, log: Path, *arguments: str) -> None:
        """`croupier serve` gets no limits per address, because all clients are on this machine, and bots may
        play at full speed, unless *arguments* say otherwise."""
        self._log = log
        if arguments[0] == "serve":
            arguments = ("serve", "--most-per-address", "0", "--bot-pause", "0", *arguments[1:])
        self._arguments = arguments
        self.process: subprocess.Popen[str] | None = None
        self.line = ""
        """The first line that it printed."""
        self.port = 0

    def start(self) -> None:
        with self._log.open("a") as log:
            self.process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        found = re.search(r"(?:port |127\.0\.0\.1:)(\d+)", self.line)
        assert found, f"the server said {self.line!r}; its log: {self.log[-2000:]}"
        self.port = int(found[1])

    def command(self) -> list[str]:
        """Return its command line."""
        return command(*self._arguments)

    @property
    def log(self) -> str:
        return self._log.read_text()

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop; return its exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, sign: signal.Signals) -> int:
        process, self.process = self.process, None
        if process is None:
            return 0
        process.send_signal(sign)
        try:
            status = process.wait(TIMEOUT)
        finally:
            process.kill()
            assert process.stdout is not None
            process.stdout.close()
        return status

    async def restart(self) -> None:
        """Kill it and start it again; other tasks run in the meantime."""
        self.kill()
        await asyncio.to_thread(self.start)

    # The HTTP API.

    def ask(self, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Return status and JSON of a GET, or of a POST if there is a body."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.http + path, data, {"Content-Type": "application/json", **headers}
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def new_table(self, **wish: Any) -> str:
        """Open a Hearts table and return its id."""
        status, found = self.ask("/api/tables", {"game": "hearts", "seats": ["open"] * 4, **wish})
        assert status == 201, found
        return str(found["id"])


@contextlib.contextmanager
def running(log: Path, *arguments: str) -> Iterator[Server]:
    """Run a server for a while."""
    server = Server(log, *arguments)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextlib.contextmanager
def node(tmp_path: Path, *arguments: str, pauses: int = 0) -> Iterator[Server]:
    """Run a game node, by default without pauses."""
    waits = [f"--{name}-interval={pauses}" for name in ("command", "round", "deal")]
    with running(tmp_path / "node.log", "hearts-node", "--port", "0", *waits, *arguments) as server:
        yield server


@contextlib.contextmanager
def house(tmp_path: Path, *arguments: str, port: int = 0) -> Iterator[Server]:
    """Run the whole server on a database in *tmp_path*."""
    where = ["--port", str(port), "--data", str(tmp_path / "data"), *database]
    with running(tmp_path / "house.log", "serve", *where, *arguments) as server:
        yield server
