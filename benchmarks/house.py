"""Moves per second over the house protocol, which the pages and most programs use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.clients import Play
from benchmarks.report import Figure, Section
from benchmarks.server import croupier, echo, load
from benchmarks.tally import Result, median
from benchmarks.trend import notes, repeated, row


def section(folder: Path, quick: bool, repeat: int, tell: Callable[[str], None]) -> Section:
    """Measure with databases in *folder*, and return the section of the report."""
    tables, deals, rate, seconds = (25, 1, 100, 2) if quick else (250, 2, 1000, 20)
    fast: list[Result] = []
    steady: list[Result] = []
    limits: list[Result] = []
    for number in range(repeat):
        tell(f"{number + 1} of {repeat}, as fast as possible")
        fast.append(play(folder, tables, deals))
        tell(f"{number + 1} of {repeat}, {rate:,} moves per second")
        with croupier(folder) as server:
            job = Play(server.url, server.pid, tables, "house", 16, rate, seconds)
            steady.append(load(job))
        tell(f"{number + 1} of {repeat}, the echo at {rate:,} moves per second")
        limits.append(echo(tables, steady[-1], rate=rate, seconds=seconds))
    found, at_rate, limit = median(fast), median(steady), median(limits)
    rows = [
        ["", "moves/s", "p50 ms", "p99 ms", "server CPU µs per move", "frames per move", "bytes per frame"]
    ]
    rows += [row("as fast as possible", found), row(f"{rate:,} moves per second", at_rate)]
    rows.append(row(f"raw echo, {rate:,} moves per second", limit))
    return Section(
        "The house protocol",
        f"{tables} tables with four programs each on loopback play Hearts without pauses over the house "
        "protocol, every action on the disk before it is announced: first a game as fast as possible, then "
        "at a fixed rate, where a move's time counts from when it was due. The echo is a server that "
        "knows no game; at a fixed rate it, too, is woken up for each move and pays for it. "
        f"{repeated(repeat)}",
        rows,
        notes(found, tables),
        [Figure(f"house protocol, server CPU per move at {rate:,} moves/s", at_rate.cpu_us, 250, "µs")],
    )


def play(folder: Path, tables: int, deals: int, under: Sequence[str] = ()) -> Result:
    """Return the results of programs on a real server, which may run under the command *under*."""
    with croupier(folder, under=under) as server:
        return load(Play(server.url, server.pid, tables, "house", deals))
