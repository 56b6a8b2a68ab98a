"""The effect of searching bots on other tables: the same load with and without them, on one server.

Searching runs at the lowest priority of the system. So the load is also measured beside a process that only
counts, at this priority: its effect is that of a busy machine, and the rest is the effect of searching.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from benchmarks.clients import Play
from benchmarks.report import Figure, Section
from benchmarks.server import BenchFailed, Running, croupier, load
from benchmarks.tally import Result, median
from benchmarks.trend import repeated

SEARCHING: Final = 50
"""Seats that search at the same time: one at each of as many tables of four experts."""
WARM: Final = 60.0
"""Seconds until all of them should be searching."""
COUNTING: Final = (
    "import os\n"
    "os.nice(19)\n"
    "if hasattr(os, 'SCHED_IDLE'): os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\n"
    "while True: sum(range(100_000))"
)
"""A program that uses one core at the priority of searching bots."""


def section(folder: Path, quick: bool, repeat: int, tell: Callable[[str], None]) -> Section:
    """Measure with the database in *folder*, and return the section of the report."""
    tables, deals = (5, 1) if quick else (10, 4)
    with croupier(folder) as server:
        tell("0 seats search")
        alone = _played(server, tables, deals, repeat)
        tell("a process counts")
        with _counting():
            counting = _played(server, tables, deals, repeat)
        for _ in range(SEARCHING):
            _open(server.url)
        _until_busy(server.url)
        tell(f"{SEARCHING} seats search")
        before, begun = _bot_pool(server.url), time.perf_counter()
        beside = _played(server, tables, deals, repeat)
        seconds = time.perf_counter() - begun
        after = _bot_pool(server.url)
    rows = [["beside", "moves/s", "p50 ms", "p99 ms", "p99 against nothing"]]
    for name, found in (
        ("nothing", alone),
        ("a process that counts at the lowest priority", counting),
        (f"{SEARCHING} searching seats", beside),
    ):
        rows.append(
            [
                name,
                f"{found.moves_per_second:,.0f}",
                f"{found.p50_ms:.1f}",
                f"{found.p99_ms:.1f}",
                f"{found.p99_ms / alone.p99_ms:.2f}",
            ]
        )
    answered = after["answered"] - before["answered"]
    return Section(
        "Tables beside bots that think",
        f"{tables} tables with four programs each play Hearts without pauses over the Trend protocol; a "
        "move's time is from sending a card to hearing of it. Then the same in the same server beside a "
        "process that only counts at the lowest priority, which is what any use of a core costs here, and "
        f"while {SEARCHING} other tables of four experts think without pause. {repeated(repeat)}",
        rows,
        [
            f"{answered / seconds:,.0f} searches per second in {after['processes']:.0f} processes",
            f"{after['failed']:.0f} searches failed, {after['waiting']:.0f} waited at the end",
        ],
        [
            Figure(
                f"p99 beside {SEARCHING} searching seats against none", beside.p99_ms / alone.p99_ms, 1.3, "×"
            )
        ],
    )


@contextlib.contextmanager
def _counting() -> Iterator[None]:
    """Run a process that uses one core at the lowest priority."""
    process = subprocess.Popen([sys.executable, "-c", COUNTING])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _played(server: Running, tables: int, deals: int, repeat: int) -> Result:
    return median([load(Play(server.url, server.pid, tables, deals=deals)) for _ in range(repeat)])


def _open(where: str) -> None:
    """Open a table of four experts that play without end."""
    spec = {
        "game": "hearts",
        "seats": ["bot expert"] * 4,
        "auto_cycle": True,
        "table_options": {
            "command_interval": 0,
            "round_interval": 0,
            "deal_interval": 0,
            "game_interval": 0,
        },
    }
    request = urllib.request.Request(
        f"{where}/api/tables", json.dumps(spec).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=WARM):
        pass


def _until_busy(where: str) -> None:
    """Wait until every table of experts has a running or queued search."""
    end = time.monotonic() + WARM
    while time.monotonic() < end:
        found = _bot_pool(where)
        if found["waiting"] + found["searching"] >= SEARCHING * 0.9:
            return
        time.sleep(0.2)
    raise BenchFailed(f"the experts do not search: {found}")


def _bot_pool(where: str) -> dict[str, float]:
    """Return the server's figures about its bot pool."""
    prefix = "croupier_bot_pool_"
    with urllib.request.urlopen(f"{where}/metrics", timeout=WARM) as page:
        lines = page.read().decode().splitlines()
    pairs = [line.split() for line in lines if line.startswith(prefix)]
    return {name.removeprefix(prefix): float(value) for name, value in pairs}
