"""The operator's figures: GET /api/operator and GET /metrics, with the operator's token."""

from __future__ import annotations

import hmac
import platform
from collections import Counter
from dataclasses import asdict

from aiohttp import web

import croupier
from croupier.core.refusal import Refusal
from croupier.http import HERE, answer, bearer
from croupier.net import api, metrics
from croupier.net.house import HOUSE
from croupier.wire import api_messages


def check_token(request: web.Request) -> None:
    """Refuse a request without the operator's token."""
    token = request.app[HOUSE].plan.operator_token
    if not token:
        words = "this server has no operator's page: start it with --operator-token-file"
        raise Refusal("no_operator", words)
    if not hmac.compare_digest(bearer(request).encode(), token.encode()):
        raise Refusal("bad_token", "expected the operator's token in the header Authorization")


async def figures(request: web.Request) -> web.StreamResponse:
    """GET /metrics: with the operator's token, or from this machine if the server has none."""
    house = request.app[HOUSE]
    # A proxy on this machine passes on requests from elsewhere, with one of these headers.
    passed_on = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    if house.plan.operator_token or passed_on or request.remote not in HERE:
        check_token(request)
    return web.Response(
        body=metrics.exposition(house.tables, house.load, house.member), content_type="text/plain"
    )


async def look(request: web.Request) -> web.StreamResponse:
    """GET /api/operator"""
    check_token(request)
    house = request.app[HOUSE]
    tables: Counter[tuple[str, str]] = Counter(
        (shell.table.game.name, shell.table.phase) for shell in house.tables.shells.values()
    )
    nodes = house.member.all if house.member is not None else []
    return answer(
        api_messages.OperatorReport(
            version=croupier.__version__,
            python=platform.python_version(),
            compiled=api.compiled(),
            uptime=round(house.load.uptime()),
            connections=house.connections.count,
            actions=house.tables.actions(),
            tables=[
                api_messages.TableCount(game, phase, count) for (game, phase), count in sorted(tables.items())
            ],
            broken=sorted(house.tables.broken),
            store=house.store.stats(),
            bot_pool=house.bot_pool.stats() if house.bot_pool is not None else {},
            samples=list(house.load.samples),
            nodes=[api_messages.HouseNode(**asdict(node)) for node in nodes],
        )
    )
