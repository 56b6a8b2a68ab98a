"""Moves per second over the Trend protocol, compared with a bare WebSocket server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median as middle

from benchmarks.clients import Play
from benchmarks.report import Figure, Section
from benchmarks.server import croupier, echo, load
from benchmarks.tally import Result, median


def section(folder: Path, quick: bool, repeat: int, tell: Callable[[str], None]) -> Section:
    """Measure with databases in *folder*, and return the section of the report."""
    tables, deals = (25, 1) if quick else (250, 4)
    reals: list[Result] = []
    limits: list[Result] = []
    for number in range(repeat):
        tell(f"{number + 1} of {repeat}, the server")
        reals.append(play(folder, tables, deals))
        tell(f"{number + 1} of {repeat}, the echo")
        limits.append(echo(tables, reals[-1]))
    real, limit = median(reals), median(limits)
    ratio = middle(a.moves_per_second / b.moves_per_second for a, b in zip(reals, limits, strict=True))
    rows = [
        ["", "moves/s", "p50 ms", "p99 ms", "server CPU µs per move", "frames per move", "bytes per frame"]
    ]
    rows += [row("croupier serve", real), row("raw echo, the limit", limit)]
    rows.append(
        [
            "ratio",
            f"{ratio:.2f}",
            f"{real.p50_ms / limit.p50_ms:.1f}",
            f"{real.p99_ms / limit.p99_ms:.1f}",
            f"{real.cpu_us / limit.cpu_us:.1f}" if real.cpu_us and limit.cpu_us else "–",
            "",
            "",
        ]
    )
    return Section(
        "The server under load",
        f"{tables} tables with four programs each on loopback, a game of {deals} "
        f"{'deal' if deals == 1 else 'deals'} without pauses in the Trend protocol, every action on the disk "
        "before it is announced. The latency of a move is from sending pick_card to receiving its turn_end; "
        "all tables play at the same time, so it includes queueing. The limit is a server over the "
        "same WebSocket "
        "library that knows no game and answers each move with as many frames of the same size. "
        f"{repeated(repeat)}",
        rows,
        notes(real, tables),
        [
            Figure("Trend protocol, throughput against the raw echo", ratio, 0.5, least=True),
            Figure("Trend protocol, server CPU per move", real.cpu_us, 250, "µs"),
            Figure("memory per table with four connections and a match", real.grown(tables), 100, "KiB"),
        ],
    )


def row(name: str, found: Result) -> list[str]:
    """Return the row of a table for *found*."""
    return [
        name,
        f"{found.moves_per_second:,.0f}",
        f"{found.p50_ms:.1f}",
        f"{found.p99_ms:.1f}",
        f"{found.cpu_us:,.0f}" if found.cpu_us is not None else "–",
        f"{found.frames_per_move:.2f}",
        f"{found.frame_bytes:,.0f}",
    ]


def notes(found: Result, tables: int) -> list[str]:
    """Return the notes on a run of *tables* tables."""
    said = [
        f"{found.moves:,} moves in {found.seconds:.1f} s; {found.errors} answers were wrong or late",
        f"clients over {found.library}, all in one process beside the server's",
    ]
    grown = found.grown(tables)
    if grown is not None and found.idle_bytes is not None:
        said.append(
            f"memory of the server: {found.idle_bytes / 2**20:.0f} MiB before the first table, "
            f"{grown:.0f} KiB more for each table with its four connections and a whole match"
        )
    return said


def repeated(repeat: int) -> str:
    """Return the sentence about the number of measurements."""
    return "Measured once." if repeat == 1 else f"Each number is the median of {repeat} runs."


def play(folder: Path, tables: int, deals: int, under: Sequence[str] = ()) -> Result:
    """Return the results of programs on a real server, which may run under the command *under*."""
    with croupier(folder, under=under) as server:
        return load(Play(server.url, server.pid, tables, deals=deals))
