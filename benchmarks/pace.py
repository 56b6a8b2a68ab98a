"""An open loop: moves are due at fixed times, even if earlier ones have not been answered.

The latency of a move counts from the time it was due, so a server that falls behind cannot reduce its own
load.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

DEAL: Final = 52
"""Moves in a deal of Hearts."""
TICK: Final = 0.001
"""Seconds between two checks of the clock: timers of uvloop have no finer resolution."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Moves at *rate* per second from *begin* on, each at the table after the previous one."""

    begin: float
    rate: float
    tables: int
    moves: int

    def at(self, number: int) -> float:
        """Return when move *number* (from 0) is due."""
        return self.begin + number / self.rate

    def table(self, number: int) -> int:
        """Return the table that makes this move."""
        return number % self.tables

    def due(self, now: float) -> int:
        """Return how many moves are due by *now*."""
        return max(0, min(self.moves, math.floor((now - self.begin) * self.rate + 1e-6) + 1))


def ahead(number: int, moves: int) -> int:
    """Return how many cards table *number* plays before the *moves* of an open loop.

    Tables then end their deals one after another instead of all together. A table that would not reach the
    end of its deal within its moves need not be advanced.
    """
    card = number % DEAL
    return card if card + moves >= DEAL else 0


class Turns:
    """The moves of one table: each is sent when it is due and its seat has been asked."""

    def __init__(self) -> None:
        self._held: Callable[[float], None] | None = None
        self._owed: deque[float] = deque()

    def asked(self, go: Callable[[float], None]) -> None:
        """Schedule the next move, which *go* makes: it gets the time at which the move was due."""
        if self._owed:
            go(self._owed.popleft())
        else:
            self._held = go

    def due(self, at: float) -> None:
        """Send the next move, now or as soon as its seat is asked."""
        go, self._held = self._held, None
        if go is None:
            self._owed.append(at)
        else:
            go(at)

    def waiting(self) -> bool:
        """Return True while a seat has been asked and waits for its time."""
        return self._held is not None


async def keep(schedule: Schedule, turns: Sequence[Turns]) -> list[float]:
    """Trigger every move at its time; return the delay of each."""
    late: list[float] = []
    while len(late) < schedule.moves:
        now = time.perf_counter()
        for number in range(len(late), schedule.due(now)):
            at = schedule.at(number)
            late.append(now - at)
            turns[schedule.table(number)].due(at)
        if len(late) < schedule.moves:
            await asyncio.sleep(max(TICK, schedule.at(len(late)) - time.perf_counter()))
    return late
