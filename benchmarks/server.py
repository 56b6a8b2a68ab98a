"""A real server and its load as separate processes: `croupier serve` on a new database and the clients in one
process, or a server that knows no game in its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Self

import aiohttp
import msgspec

from benchmarks.clients import Echo, Play
from benchmarks.tally import Result

STOP_SECONDS: Final = 20.0
PROBE_SECONDS: Final = 0.005
"""Seconds between two pings of the probe."""
ANSWER_SECONDS: Final = 30.0
"""Seconds that the probe waits for an answer."""


class BenchFailed(Exception):
    """A process of the benchmark ended too early; the message is its output."""


@dataclass(frozen=True, slots=True)
class Running:
    """A listening server."""

    pid: int
    port: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def croupier(
    folder: Path, *options: str, ready: str = r"at http://\S+:(\d+)/", under: Sequence[str] = ()
) -> Iterator[Running]:
    """Run `croupier serve` on a new database in *folder*, without line ports unless *options* open one;
    *under* is the command of a profiler that runs it."""
    with tempfile.TemporaryDirectory(prefix="serve-", dir=folder) as data:
        ports = ["--coinche-port", "off", "--sagrada-port", "off", "--sagrada-line-port", "off"]
        limits = ["--most-tables", "100000", "--most-connections", "100000"]
        limits += ["--most-per-address", "0", "--bot-pause", "0"]
        where = ["--port", "0", "--data", data, "--log-level", "error"]
        with serving(["-m", "croupier", "serve", *where, *limits, *ports, *options], ready, under) as running:
            yield running


@contextlib.contextmanager
def serving(command: list[str], ready: str, under: Sequence[str] = ()) -> Iterator[Running]:
    """Run a server as a process, from the line that names its port (the group of *ready*) to its end."""
    lift_file_limit()
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(
            [*under, sys.executable, *command],
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment(),
            text=True,
            start_new_session=bool(under),
        ) as server,
    ):
        try:
            assert server.stdout is not None
            found = next(filter(None, (re.search(ready, line) for line in server.stdout)), None)
            if found is None:
                server.wait()
                raise BenchFailed(f"{' '.join(command)}: {_said(errors)}")
            yield Running(server.pid, found[1])
        finally:
            _stop(server, group=bool(under))


def _stop(server: subprocess.Popen[str], group: bool) -> None:
    """Stop a server; with *group* like Ctrl-C, so that a profiler above it writes its result."""
    if group:
        os.killpg(server.pid, signal.SIGINT)
    else:
        server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        if group:
            os.killpg(server.pid, signal.SIGKILL)
        server.kill()


def _said(errors: IO[str]) -> str:
    errors.seek(0)
    return errors.read().strip() or "it ended without output"


def lift_file_limit() -> None:
    """Raise the limit of open files and sockets of this process and its children to the maximum."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def environment() -> dict[str, str]:
    """Return the environment of a process that imports the benchmarks, started from any folder."""
    paths = [os.environ.get("PYTHONPATH", ""), str(Path(__file__).resolve().parents[1])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def load(job: Play | Echo, module: str = "clients") -> Result:
    """Return the result of the clients of *module*, run as a separate process."""
    command = [sys.executable, "-m", f"benchmarks.{module}", msgspec.json.encode(job).decode()]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchFailed(f"the clients failed: {done.stderr.strip()}")
    return msgspec.json.decode(done.stdout, type=Result)


def echo(tables: int, like: Result, way: str = "", rate: float = 0.0, seconds: float = 0.0) -> Result:
    """Return the result of the same load on a server that knows no game; *way* is ``line_`` for lines. With
    *rate* moves per second for *seconds*, else as fast as possible."""
    size = str(round(like.frame_bytes))
    command = ["-m", f"benchmarks.{way}echo", str(like.frames_per_move), size]
    with serving(command, r"(\d+)") as server:
        where = server.port if way else server.url
        moves, sent = max(1, like.moves // tables), round(like.sent_bytes)
        job = Echo(where, server.pid, tables, moves, like.frames_per_move, sent, rate, seconds)
        return load(job, f"{way}clients")


class Probe:
    """Pings a server continuously from a separate thread: the longest answer shows the longest stall of its
    event loop."""

    def __init__(self, url: str) -> None:
        self.answers: list[tuple[float, float]] = []
        """The time of each ping, and the seconds until its answer."""
        self.lost = False
        """True if a ping was not answered, or the connection has ended."""
        self._url = f"{url}/house/default"
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def worst_ms(self, found: Result) -> float:
        """Return the longest answer in milliseconds while *found* was measured."""
        end = found.began + found.seconds
        return 1000 * max(took for sent, took in self.answers if sent + took >= found.began and sent <= end)

    async def _run(self) -> None:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(self._url, autoping=False) as socket,
        ):
            while not self._stop.is_set() and not self.lost:
                sent, begun = time.time(), time.perf_counter()
                try:
                    await asyncio.wait_for(_answered(socket), ANSWER_SECONDS)
                except (TimeoutError, ConnectionError):
                    self.lost = True
                else:
                    self.answers.append((sent, time.perf_counter() - begun))
                    await asyncio.sleep(PROBE_SECONDS)


async def _answered(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Send a ping and wait for its answer; raise ConnectionError if the connection ends."""
    await socket.ping()
    while (message := await socket.receive()).type != aiohttp.WSMsgType.PONG:
        if message.type == aiohttp.WSMsgType.PING:
            await socket.pong(message.data)
        elif message.type != aiohttp.WSMsgType.TEXT:
            raise ConnectionError("the server has closed the connection")
