"""Moves a second through a real server with its durable store, and through a bare WebSocket server beside it.

Server and clients are processes of their own: `croupier serve` on a new database, `bench.clients` for all
programs together, then `bench.echo` with as many frames of the same size.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from croupier.bench.clients import Result
from croupier.bench.report import Section

STOP_SECONDS = 20.0


class BenchFailed(Exception):
    """A process of the benchmark ended before its time: what it said."""


def section(folder: Path, quick: bool) -> Section:
    """Measure with the database in *folder*, and return what was found."""
    tables, deals = (25, 1) if quick else (250, 4)
    real = play(folder, tables, deals)
    limit = echo(tables, real)
    rows = [["", "moves/s", "p50 ms", "p99 ms", "server CPU µs a move", "frames a move", "bytes a frame"]]
    for name, found in (("croupier serve", real), ("raw echo, the limit", limit)):
        rows.append(
            [
                name,
                f"{found.moves_per_second:,.0f}",
                f"{found.p50_ms:.1f}",
                f"{found.p99_ms:.1f}",
                _cost(found),
                f"{found.frames_per_move:.2f}",
                f"{found.frame_bytes:,.0f}",
            ]
        )
    rows.append(
        [
            "ratio",
            f"{real.moves_per_second / limit.moves_per_second:.2f}",
            f"{real.p50_ms / limit.p50_ms:.1f}",
            f"{real.p99_ms / limit.p99_ms:.1f}",
            f"{real.cpu_seconds / limit.cpu_seconds:.1f}" if real.cpu_seconds and limit.cpu_seconds else "–",
            "",
            "",
        ]
    )
    notes = [
        f"{real.moves:,} moves in {real.seconds:.1f} s; {real.errors} answers were wrong or late",
        f"clients over {real.library}, all in one process beside the server's",
    ]
    if real.idle_bytes is not None and real.peak_bytes is not None:
        grown = real.peak_bytes - real.idle_bytes
        notes.append(
            f"memory of the server: {real.idle_bytes / 2**20:.0f} MiB before the first table, "
            f"{grown / 1024 / tables:.0f} KiB more for each table with its four connections and whole match"
        )
    return Section(
        "The server under load",
        f"{tables} tables with four programs each on loopback, a game of {deals} "
        f"{'deal' if deals == 1 else 'deals'} without pauses in the Trend protocol, every action on the disk "
        "before anybody is told. A move's time is from sending pick_card to receiving one's own turn_end; "
        "all tables play at once, so it contains the queue. The limit is a server over the same WebSocket "
        "library that knows no game and answers each move with as many frames of the same size.",
        rows,
        notes,
    )


def _cost(found: Result) -> str:
    return f"{found.cpu_seconds / found.moves * 1e6:,.0f}" if found.cpu_seconds is not None else "–"


def play(folder: Path, tables: int, deals: int) -> Result:
    """Return what programs reach at a real server."""
    command = ["-m", "croupier", "serve", "--port", "0", "--data", str(folder), "--log-level", "warning"]
    with serving(command, r"at (http://\S+):(\d+)/") as (server, port):
        return load("clients", "play", f"http://127.0.0.1:{port}", server, tables, deals)


def echo(tables: int, like: Result) -> Result:
    """Return what the same load reaches at a server that knows no game."""
    moves = like.moves // tables
    command = ["-m", "croupier.bench.echo", str(like.frames_per_move), str(round(like.frame_bytes))]
    with serving(command, r"()(\d+)") as (server, port):
        return load(
            "clients",
            "echo",
            f"http://127.0.0.1:{port}",
            server,
            tables,
            moves,
            round(like.sent_bytes),
            like.frames_per_move,
        )


@contextlib.contextmanager
def serving(command: list[str], ready: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server as a process, from the line that names its port (the second group of *ready*) to its
    clean end."""
    with subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            found = next(filter(None, (re.search(ready, line) for line in server.stdout)), None)
            if found is None:
                server.terminate()
                raise BenchFailed(f"{' '.join(command)}: {_said(server)}")
            yield server, found[2]
        finally:
            server.terminate()
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()


def _said(server: subprocess.Popen[str]) -> str:
    assert server.stderr is not None
    return server.stderr.read().strip() or "it ended without a word"


def load(module: str, how: str, where: str, server: subprocess.Popen[str], *numbers: float) -> Result:
    """Return what the clients of *module*, a process of their own, have found at a server."""
    command = [sys.executable, "-m", f"croupier.bench.{module}", how, where, str(server.pid)]
    done = subprocess.run([*command, *map(str, numbers)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchFailed(f"the clients failed: {done.stderr.strip()}")
    return msgspec.json.decode(done.stdout, type=Result)
