"""Lines per second over Coinche's own protocol, compared with a bare asyncio line server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median as middle

from benchmarks.clients import Play
from benchmarks.report import Figure, Section
from benchmarks.server import croupier, echo, load
from benchmarks.tally import Result, median
from benchmarks.trend import repeated


def section(folder: Path, quick: bool, repeat: int, tell: Callable[[str], None]) -> Section:
    """Measure with databases in *folder*, and return the section of the report."""
    tables, deals = (25, 2) if quick else (250, 4)
    reals: list[Result] = []
    limits: list[Result] = []
    for number in range(repeat):
        tell(f"{number + 1} of {repeat}, the server")
        reals.append(play(folder, tables, deals))
        tell(f"{number + 1} of {repeat}, the echo")
        limits.append(echo(tables, reals[-1], "line_"))
    real, limit = median(reals), median(limits)
    ratio = middle(lines_per_second(a) / lines_per_second(b) for a, b in zip(reals, limits, strict=True))
    head = [
        "",
        "lines served/s",
        "commands/s",
        "p50 ms",
        "p99 ms",
        "server CPU µs per line",
        "lines per command",
    ]
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
            f"{ratio:.2f}",
            f"{real.moves_per_second / limit.moves_per_second:.2f}",
            f"{real.p50_ms / limit.p50_ms:.1f}",
            f"{real.p99_ms / limit.p99_ms:.1f}",
            f"{cost(real) / cost(limit):.1f}" if real.cpu_seconds and limit.cpu_seconds else "–",
            "",
        ]
    )
    took = f"{real.moves:,} commands in {real.seconds:.1f} s, {real.frame_bytes:.0f} bytes per line"
    notes = [
        f"{took}; {real.errors} were refused",
        "clients over bare asyncio, all in one process beside the server's",
    ]
    return Section(
        "Coinche's line protocol",
        f"{tables} tables with four programs each on loopback, {deals} deals at every table, every call "
        "and card on the disk before it is announced. The latency of a command is from sending it to "
        "receiving its "
        "reply; all tables play at the same time, so it includes queueing. The limit is a bare "
        "asyncio.Protocol that "
        "knows no game and answers each line with as many lines of the same size over four connections. "
        f"{repeated(repeat)}",
        rows,
        notes,
        [Figure("Coinche's lines against the bare line echo", ratio, 0.45, least=True)],
    )


def lines_per_second(found: Result) -> float:
    return found.moves_per_second * found.frames_per_move


def cost(found: Result) -> float:
    """Return the server's processor time for each line it sent, in microseconds."""
    return (found.cpu_seconds or 0.0) / (found.moves * found.frames_per_move) * 1e6


def play(folder: Path, tables: int, deals: int, under: Sequence[str] = ()) -> Result:
    """Return the results of programs on a real server, which may run under the command *under*."""
    ready = r"line protocol coinche at \S+ port (\d+)"
    with croupier(folder, "--coinche-port", "any", ready=ready, under=under) as server:
        return load(Play(server.port, server.pid, tables, deals=deals), "line_clients")
