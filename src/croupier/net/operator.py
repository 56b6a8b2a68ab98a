"""GET /api/operator: the data of the operator's page, with the operator's token."""

from __future__ import annotations

import hmac
import platform
from collections import Counter

from aiohttp import web

import croupier
from croupier.core.refusal import Refusal
from croupier.http import answer, bearer
from croupier.net import api
from croupier.net.house import HOUSE


async def look(request: web.Request) -> web.StreamResponse:
    """GET /api/operator"""
    house = request.app[HOUSE]
    token = house.plan.operator_token
    if not token:
        words = "this server has no operator's page: start it with --operator-token-file"
        raise Refusal("no_operator", words)
    if not hmac.compare_digest(bearer(request).encode(), token.encode()):
        raise Refusal("bad_token", "expected the operator's token in the header Authorization")
    tables: Counter[tuple[str, str]] = Counter(
        (shell.table.game.name, shell.table.phase) for shell in house.tables.shells.values()
    )
    return answer(
        {
            "version": croupier.__version__,
            "python": platform.python_version(),
            "compiled": api.compiled(),
            "uptime": round(house.load.uptime()),
            "connections": house.connections.count,
            "actions": house.tables.actions(),
            "tables": [
                {"game": game, "phase": phase, "count": count}
                for (game, phase), count in sorted(tables.items())
            ],
            "broken": sorted(house.tables.broken),
            "store": house.store.stats(),
            "thinkers": house.bot_pool.stats() if house.bot_pool is not None else {},
            "samples": list(house.load.samples),
        }
    )
