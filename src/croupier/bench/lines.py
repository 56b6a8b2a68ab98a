"""Lines a second through Coinche's own protocol, and through a bare asyncio line server beside it."""

from __future__ import annotations

from pathlib import Path

from croupier.bench.clients import Result
from croupier.bench.report import Section
from croupier.bench.server import load, serving


def section(folder: Path, quick: bool) -> Section:
    """Measure with the database in *folder*, and return what was found."""
    tables, deals = (25, 2) if quick else (250, 4)
    real = play(folder, tables, deals)
    limit = echo(tables, real)
    head = ["", "lines served/s", "commands/s", "p50 ms", "p99 ms", "server CPU µs a line", "lines a command"]
    rows = [head]
    for name, found in (("croupier serve", real), ("bare line echo, the limit", limit)):
        rows.append(
            [
                name,
                f"{lines_per_second(found):,.0f}",
                f"{found.moves_per_second:,.0f}",
                f"{found.p50_ms:.1f}",
                f"{found.p99_ms:.1f}",
                f"{cost(found):.1f}" if found.cpu_seconds is not None else "–",
                f"{found.frames_per_move:.2f}",
            ]
        )
    rows.append(
        [
            "ratio",
            f"{lines_per_second(real) / lines_per_second(limit):.2f}",
            f"{real.moves_per_second / limit.moves_per_second:.2f}",
            f"{real.p50_ms / limit.p50_ms:.1f}",
            f"{real.p99_ms / limit.p99_ms:.1f}",
            f"{cost(real) / cost(limit):.1f}" if real.cpu_seconds and limit.cpu_seconds else "–",
            "",
        ]
    )
    took = f"{real.moves:,} commands in {real.seconds:.1f} s, {real.frame_bytes:.0f} bytes a line"
    notes = [
        f"{took}; {real.errors} were refused",
        "clients over bare asyncio, all in one process beside the server's",
    ]
    return Section(
        "Coinche's line protocol",
        f"{tables} tables with four programs each on loopback, {deals} deals at every table, every call "
        "and card on the disk before anybody is told. A command's time is from sending it to receiving its "
        "reply; all tables play at once, so it contains the queue. The limit is a bare asyncio.Protocol that "
        "knows no game and answers each line with as many lines of the same size over four connections.",
        rows,
        notes,
    )


def lines_per_second(found: Result) -> float:
    return found.moves_per_second * found.frames_per_move


def cost(found: Result) -> float:
    """Return the server's processor time for each line it sent, in microseconds."""
    return (found.cpu_seconds or 0.0) / (found.moves * found.frames_per_move) * 1e6


def play(folder: Path, tables: int, deals: int) -> Result:
    """Return what programs reach at a real server."""
    ports = ["--port", "0", "--coinche-port", "any", "--sagrada-port", "off", "--sagrada-line-port", "off"]
    data = ["--data", str(folder / "lines"), "--log-level", "warning"]
    command = ["-m", "croupier", "serve", *ports, *data]
    with serving(command, r"lines of (coinche) at \S+ port (\d+)") as (server, port):
        return load("line_clients", "play", port, server, tables, deals)


def echo(tables: int, like: Result) -> Result:
    """Return what the same load reaches at a server that knows no game."""
    commands = like.moves // tables
    command = ["-m", "croupier.bench.line_echo", str(like.frames_per_move), str(round(like.frame_bytes))]
    with serving(command, r"()(\d+)") as (server, port):
        size = round(like.sent_bytes)
        return load("line_clients", "echo", port, server, tables, commands, size, like.frames_per_move)
