"""The counters of clients, and their evaluation."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec


class Result(msgspec.Struct, frozen=True):
    """The result of a run."""

    moves: int
    began: float
    """The start of the measurement, in seconds since 1970."""
    seconds: float
    moves_per_second: float
    """In the middle of the run, when every table is playing."""
    p50_ms: float
    p99_ms: float
    frames_per_move: float
    """Frames of every kind received by clients."""
    frame_bytes: float
    sent_bytes: float
    """The size of a move message."""
    events_per_move: float
    """Events heard by one seat; only over the house protocol."""
    errors: int
    """Answers that the server counted as wrong or late."""
    late_ms: float
    """The 99th percentile of the delay with which clients noticed that a move was due."""
    cpu_seconds: float | None
    """Processor time of the server during the run."""
    idle_bytes: int | None
    peak_bytes: int | None
    """Memory of the server, before the tables were opened and at its peak."""
    library: str

    @property
    def cpu_us(self) -> float | None:
        """The processor time of the server per move, in microseconds."""
        return None if self.cpu_seconds is None else self.cpu_seconds / self.moves * 1e6

    def grown(self, parts: int) -> float | None:
        """Return the additional memory of the server for each of *parts*, in KiB."""
        if self.idle_bytes is None or self.peak_bytes is None:
            return None
        return (self.peak_bytes - self.idle_bytes) / 1024 / parts


def median(results: Sequence[Result]) -> Result:
    """Return the median of each number (of two, the lower); errors add up."""
    found = {}
    for name in Result.__struct_fields__:
        values = [getattr(one, name) for one in results]
        if None not in values:
            found[name] = statistics.median_low(values)
    found["errors"] = sum(one.errors for one in results)
    return msgspec.structs.replace(results[0], **found)


class Tally:
    """Counts of the whole run."""

    def __init__(self, players: int) -> None:
        self.moves = 0
        self.frames = 0
        self.bytes = 0
        self.sent = 0
        self.events = 0
        self.errors = 0
        self.players = players
        self.waits: list[float] = []
        self.times: list[float] = []
        self.left = players
        self.done = asyncio.Event()

    def moved(self, since: float) -> None:
        """Count the answer to a move that was sent, or due, at *since*."""
        now = time.perf_counter()
        self.waits.append(now - since)
        self.times.append(now)

    def leave(self) -> None:
        """Note that one player has finished."""
        self.left -= 1
        if not self.left:
            self.done.set()


class Measured:
    """One run, starting now: earlier counts are ignored."""

    def __init__(self, tally: Tally, pid: int, idle: int | None) -> None:
        self._tally = tally
        self._pid = pid
        self._idle = idle
        self._frames, self._bytes, self._events = tally.frames, tally.bytes, tally.events
        self._cpu = cpu(pid)
        self._began, self._begun = time.time(), time.perf_counter()
        tally.moves = tally.sent = 0
        tally.waits.clear()
        tally.times.clear()

    def result(self, library: str, late: Sequence[float] = ()) -> Result:
        """Return the result so far."""
        after = cpu(self._pid)
        tally = self._tally
        moves = len(tally.waits)
        low, high = moves // 10, moves * 9 // 10
        frames = tally.frames - self._frames
        return Result(
            moves=moves,
            began=self._began,
            seconds=time.perf_counter() - self._begun,
            moves_per_second=(high - low) / (tally.times[high] - tally.times[low]),
            p50_ms=part(tally.waits, 0.5) * 1000,
            p99_ms=part(tally.waits, 0.99) * 1000,
            frames_per_move=frames / moves,
            frame_bytes=(tally.bytes - self._bytes) / frames,
            sent_bytes=tally.sent / tally.moves,
            events_per_move=(tally.events - self._events) / tally.players / moves,
            errors=tally.errors,
            late_ms=part(late, 0.99) * 1000 if late else 0.0,
            cpu_seconds=after - self._cpu if after is not None and self._cpu is not None else None,
            idle_bytes=self._idle,
            peak_bytes=memory(self._pid),
            library=library,
        )


def part(numbers: Sequence[float], share: float) -> float:
    """Return the quantile *share* of *numbers*."""
    return sorted(numbers)[min(len(numbers) - 1, int(len(numbers) * share))]


def cpu(pid: int) -> float | None:
    """Return the processor time of a process, if the system reports it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int | None:
    """Return the peak memory of a process, if the system reports it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return None
