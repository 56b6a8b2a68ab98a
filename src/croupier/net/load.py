"""The load of a server, sampled every second for the operator's page."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from croupier.core.histogram import Histogram
from croupier.net.limits import ConnectionCount
from croupier.table.tables import Tables

SECONDS: Final = 120


class Load:
    """The samples of the last two minutes, one per second."""

    def __init__(self, tables: Tables, connections: ConnectionCount) -> None:
        self._tables = tables
        self._connections = connections
        self._begun = asyncio.get_running_loop().time()
        self.delays = Histogram()
        """How late the event loop was, every second."""
        self.samples: deque[dict[str, float]] = deque(maxlen=SECONDS)

    async def run(self) -> None:
        """Take a sample every second until cancelled."""
        loop = asyncio.get_running_loop()
        before = self._tables.actions()
        while True:
            due = loop.time() + 1.0
            await asyncio.sleep(1.0)
            late = max(0.0, loop.time() - due)
            self.delays.add(late)
            actions = self._tables.actions()
            stats = self._tables.store.stats()
            self.samples.append(
                {
                    "actions": actions - before,
                    "late_ms": round(late * 1000, 1),
                    "store_queue": stats["queue"],
                    "store_ms": round(stats["last_commit_seconds"] * 1000, 2),
                    "connections": self._connections.count,
                    "tables": len(self._tables.shells),
                }
            )
            before = actions

    def uptime(self) -> float:
        """Return the seconds since the start."""
        return asyncio.get_running_loop().time() - self._begun
