"""The latency of a move at a fixed rate: 250 tables, and 10,000 connections."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from benchmarks.clients import Play
from benchmarks.report import Figure, Section
from benchmarks.server import Probe, croupier, load
from benchmarks.tally import Result, median, part
from benchmarks.trend import repeated

PAGES: Final = 500
HEAD: Final = [
    "",
    "moves/s",
    "p50 ms",
    "p99 ms",
    "server CPU µs per move",
    "longest stall ms",
    "KB per connection",
]


def rate(folder: Path, quick: bool, repeat: int, tell: Callable[[str], None]) -> Section:
    """Measure a usual evening with databases in *folder*, and return what was found."""
    tables, moves, seconds = (25, 50.0, 2.0) if quick else (250, 625.0, 20.0)
    found, stall = _measured(folder, tables, moves, seconds, repeat, tell)
    return Section(
        "Times at a fixed rate",
        _words(tables, moves, seconds, repeat),
        [HEAD, _row(tables, found, stall)],
        _notes(found, folder),
        [Figure(f"p99 at {moves:,.0f} moves/s on {tables} tables", found.p99_ms, 5, "ms")],
    )


def crowd(folder: Path, quick: bool, repeat: int, tell: Callable[[str], None]) -> Section:
    """Measure many connections with databases in *folder*, and return what was found."""
    tables, moves, seconds = (50, 100.0, 2.0) if quick else (2500, 1000.0, 30.0)
    found, stall = _measured(folder, tables, moves, seconds, repeat, tell)
    name = f"{tables * 4:,} connections, {moves:,.0f} moves/s"
    grown = found.grown(tables * 4)
    return Section(
        "Many connections",
        _words(tables, moves, seconds, repeat),
        [HEAD, _row(tables, found, stall)],
        _notes(found, folder),
        [
            Figure(f"{name}: p50", found.p50_ms, 10, "ms"),
            Figure(f"{name}: p99", found.p99_ms, 50, "ms"),
            Figure(f"{name}: memory per connection", None if grown is None else grown * 1.024, 64, "KB"),
            Figure(f"{name}: longest stall of the event loop", stall, 50, "ms"),
        ],
    )


def _measured(
    folder: Path, tables: int, moves: float, seconds: float, repeat: int, tell: Callable[[str], None]
) -> tuple[Result, float]:
    """Return the medians of all runs: what was found, and the longest stall in milliseconds."""
    runs: list[Result] = []
    stalls: list[float] = []
    for number in range(repeat):
        tell(f"{number + 1} of {repeat}, {tables * 4:,} connections")
        with croupier(folder) as server, Probe(server.url) as probe:
            runs.append(load(Play(server.url, server.pid, tables, deals=16, rate=moves, seconds=seconds)))
            stalls.append(probe.worst_ms(runs[-1]))
    return median(runs), part(stalls, 0.5)


def _words(tables: int, moves: float, seconds: float, repeat: int) -> str:
    return (
        f"{tables:,} tables with four programs each on loopback play Hearts over the Trend protocol, every "
        f"action on the disk before it is announced. For {seconds:.0f} s a move is due every "
        f"{1000 / moves:.1f} ms, at each table in turn, even if the last ones take longer; its "
        "latency is from "
        "when it is due to receiving its turn_end. The tables end their deals one after another, "
        "so that deals begin and end all the time. A stall is the longest answer to a ping that "
        "another process "
        f"sends every 5 ms. {repeated(repeat)}"
    )


def _row(tables: int, found: Result, stall: float) -> list[str]:
    grown = found.grown(tables * 4)
    return [
        f"{tables * 4:,} connections",
        f"{found.moves_per_second:,.0f}",
        f"{found.p50_ms:.1f}",
        f"{found.p99_ms:.1f}",
        "–" if found.cpu_us is None else f"{found.cpu_us:,.0f}",
        f"{stall:.0f}",
        "–" if grown is None else f"{grown * 1.024:.0f}",
    ]


def _notes(found: Result, folder: Path) -> list[str]:
    disk = disk_ms(folder)
    return [
        f"{found.moves:,} moves in {found.seconds:.1f} s; {found.errors} answers were wrong or late",
        f"clients over {found.library}, all in one process",
        f"99 of 100 moves left within {found.late_ms:.1f} ms of being due, which is part of the times",
        f"the disk alone writes a page in p50 {part(disk, 0.5):.1f} ms, p99 {part(disk, 0.99):.1f} ms",
    ]


def disk_ms(folder: Path) -> list[float]:
    """Return how long the disk under *folder* takes to make each of some pages durable, in milliseconds."""
    took: list[float] = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(PAGES):
            begun = time.perf_counter()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            took.append(1000 * (time.perf_counter() - begun))
    return took
