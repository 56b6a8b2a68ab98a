"""What an operator sees, with the right token: tables, connections, moves a second, delays, the store."""

from __future__ import annotations

import asyncio
import hmac
import platform
from collections import Counter, deque
from typing import Final

from aiohttp import web

import croupier
from croupier.core.contract import Plain
from croupier.net import api
from croupier.net.api import HALL
from croupier.net.limits import Crowd
from croupier.table.hall import Hall

TOKEN = web.AppKey("operator_token", str)
"""Empty where nobody is to look."""
CROWD = web.AppKey("crowd", Crowd)
SECONDS: Final = 120


class Pulse:
    """A server's last two minutes, a sample a second."""

    def __init__(self, hall: Hall, crowd: Crowd) -> None:
        self._hall = hall
        self._crowd = crowd
        self._begun = asyncio.get_running_loop().time()
        self.samples: deque[Plain] = deque(maxlen=SECONDS)

    async def beat(self) -> None:
        """Sample for ever."""
        loop = asyncio.get_running_loop()
        before = self._hall.actions()
        while True:
            due = loop.time() + 1.0
            await asyncio.sleep(1.0)
            actions = self._hall.actions()
            stats = self._hall.store.stats()
            self.samples.append(
                {
                    "actions": actions - before,
                    "late_ms": round(max(0.0, loop.time() - due) * 1000, 1),
                    "store_queue": stats["queue"],
                    "store_ms": round(stats["last_commit_seconds"] * 1000, 2),
                    "connections": self._crowd.count,
                    "tables": len(self._hall.runners),
                }
            )
            before = actions

    def uptime(self) -> float:
        """Return the seconds since the start."""
        return asyncio.get_running_loop().time() - self._begun


PULSE = web.AppKey("pulse", Pulse)


async def look(request: web.Request) -> web.StreamResponse:
    """GET /api/operator"""
    token = request.app[TOKEN]
    if not token:
        return api.problem(
            404, "no_operator", "this server has no operator's page: --operator-token-file would do"
        )
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    if not hmac.compare_digest(given.encode(), token.encode()):
        return api.problem(401, "bad_token", "expected the operator's token in the header Authorization")
    hall = request.app[HALL]
    pulse = request.app[PULSE]
    tables: Counter[tuple[str, str]] = Counter(
        (runner.table.game.name, runner.table.phase) for runner in hall.runners.values()
    )
    return api.answer(
        {
            "version": croupier.__version__,
            "python": platform.python_version(),
            "compiled": api.compiled(),
            "uptime": round(pulse.uptime()),
            "connections": request.app[CROWD].count,
            "actions": hall.actions(),
            "tables": [
                {"game": game, "phase": phase, "count": count}
                for (game, phase), count in sorted(tables.items())
            ],
            "broken": sorted(hall.broken),
            "store": hall.store.stats(),
            "thinkers": hall.thinkers.stats() if hall.thinkers is not None else {},
            "samples": list(pulse.samples),
        }
    )
