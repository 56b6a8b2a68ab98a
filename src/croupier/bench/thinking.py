"""What bots that think cost other tables: the same load with and without them, in one server."""

from __future__ import annotations

import json
import time
import urllib.request
from pathlib import Path
from typing import Final

from croupier.bench.clients import Result
from croupier.bench.report import Section
from croupier.bench.server import BenchFailed, load, serving

SEARCHING: Final = 50
"""So many seats think at the same time: as many tables of four experts, of whom one at least is to act."""
WARM: Final = 60.0
"""Seconds until all of them should be at it."""


def section(folder: Path, quick: bool) -> Section:
    """Measure with the database in *folder*, and return what was found."""
    tables, deals, rounds = (5, 1, 1) if quick else (10, 4, 3)
    command = ["-m", "croupier", "serve", "--port", "0", "--data", str(folder), "--log-level", "error"]
    with serving(command, r"at (http://\S+):(\d+)/") as (server, port):
        where = f"http://127.0.0.1:{port}"
        alone = _best([load("clients", "play", where, server, tables, deals) for _ in range(rounds)])
        for _ in range(SEARCHING):
            _open(where)
        _until_busy(where)
        before, begun = _thought(where), time.perf_counter()
        beside = _best([load("clients", "play", where, server, tables, deals) for _ in range(rounds)])
        seconds = time.perf_counter() - begun
        after = _thought(where)
    rows = [["searching seats", "moves/s", "p50 ms", "p99 ms"]]
    for name, found in (("0", alone), (str(SEARCHING), beside)):
        rows.append([name, f"{found.moves_per_second:,.0f}", f"{found.p50_ms:.1f}", f"{found.p99_ms:.1f}"])
    rows.append(
        [
            "ratio",
            f"{beside.moves_per_second / alone.moves_per_second:.2f}",
            f"{beside.p50_ms / alone.p50_ms:.2f}",
            f"{beside.p99_ms / alone.p99_ms:.2f}",
        ]
    )
    answered = after["answered"] - before["answered"]
    return Section(
        "Tables beside bots that think",
        f"{tables} tables with four programs each play Hearts without pauses over the Trend protocol; a "
        "move's time is from sending a card to hearing of it. Then the same in the same server while "
        f"{SEARCHING} other tables of four experts think without pause. The best of {rounds} runs each.",
        rows,
        [
            f"{answered / seconds:,.0f} thoughts a second meanwhile in {after['processes']:.0f} processes",
            f"{after['failed']:.0f} thoughts failed, {after['waiting']:.0f} waited at the end",
        ],
    )


def _best(found: list[Result]) -> Result:
    return min(found, key=lambda one: one.p99_ms)


def _open(where: str) -> None:
    """Open a table of four experts that play on and on."""
    wish = {
        "game": "hearts",
        "seats": ["bot expert"] * 4,
        "auto_cycle": True,
        "table_options": {"command_interval": 0, "round_interval": 0, "deal_interval": 0},
    }
    request = urllib.request.Request(
        f"{where}/api/tables", json.dumps(wish).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=WARM):
        pass


def _until_busy(where: str) -> None:
    """Wait until every table of experts has somebody who thinks or waits to."""
    end = time.monotonic() + WARM
    while time.monotonic() < end:
        found = _thought(where)
        if found["waiting"] + found["thinking"] >= SEARCHING * 0.9:
            return
        time.sleep(0.2)
    raise BenchFailed(f"the experts do not think: {found}")


def _thought(where: str) -> dict[str, float]:
    """Return the server's figures about its thinkers."""
    prefix = "croupier_thinkers_"
    with urllib.request.urlopen(f"{where}/metrics", timeout=WARM) as page:
        lines = page.read().decode().splitlines()
    pairs = [line.split() for line in lines if line.startswith(prefix)]
    return {name.removeprefix(prefix): float(value) for name, value in pairs}
