"""Sample results of a benchmark."""

from __future__ import annotations

import msgspec

from benchmarks.tally import Result

PLAIN = Result(
    moves=100,
    began=0.0,
    seconds=1.0,
    moves_per_second=100.0,
    p50_ms=1.0,
    p99_ms=2.0,
    frames_per_move=8.0,
    frame_bytes=100.0,
    sent_bytes=50.0,
    events_per_move=1.5,
    errors=0,
    late_ms=0.0,
    cpu_seconds=0.05,
    idle_bytes=1 << 20,
    peak_bytes=3 << 20,
    library="picows",
)


def result(**changes: object) -> Result:
    """Return a plain result with *changes*."""
    return msgspec.structs.replace(PLAIN, **changes)
