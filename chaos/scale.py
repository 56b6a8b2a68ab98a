"""G6: scale. Moves at a fixed rate with many connections, as `croupier bench crowd` measures them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.clients import Play
from benchmarks.report import Figure
from benchmarks.server import Probe, croupier, load
from chaos.outcome import Outcome, Tell, none_of
from chaos.waiting import Waiting

LATE = 10.0
"""Milliseconds after its time at which a client may send a move: a later one has no part in the delay."""


def run(connections: int, seed: int, tell: Tell) -> Outcome:
    """Measure *connections* connections at 1,000 moves per second, fewer if there are fewer than 1,000."""
    tables = connections // 4
    rate = float(min(1000, connections))
    seconds = 30.0 if connections >= 1000 else 2.0
    with tempfile.TemporaryDirectory(prefix="croupier-chaos-") as folder, croupier(Path(folder)) as server:
        tell(f"{connections:,} connections")
        with Probe(server.url) as probe:
            waiting = Waiting(server.pid)
            found = load(Play(server.url, server.pid, tables, deals=16, rate=rate, seconds=seconds))
            stall, waited = probe.worst_ms(found), waiting.figure()
    return Outcome(
        f"{connections:,} connections, {rate:,.0f} moves/s for {seconds:.0f} s",
        [
            none_of("moves missing", round(rate * seconds) - found.moves),
            none_of("answers wrong or late", found.errors),
        ],
        [
            Figure("p99 of a move", found.p99_ms, 50, "ms"),
            Figure("longest stall of the event loop", stall, 50, "ms"),
        ],
        [f"p50 {found.p50_ms:.1f} ms"],
        [waited, Figure("delay of the clients: 99 of 100 moves left within", found.late_ms, LATE, "ms")],
    )
