"""Moderation over HTTP: lists for the operator, and the operator's orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from aiohttp import web

from croupier.http import Route, answer, body, limit_of
from croupier.moderation.rows import AnyOrder
from croupier.moderation.service import Moderation


class ModerationRoutes:
    """The part of the HTTP API that is about moderation."""

    def __init__(self, moderation: Moderation, check: Callable[[web.Request], None]) -> None:
        """*check* refuses a request without the operator's token."""
        self._moderation = moderation
        self._check = check

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/operator/moderation", self.overview),
            ("GET", "/api/operator/audit", self.audit),
            ("POST", "/api/operator/orders", self.order),
        ]

    async def overview(self, request: web.Request) -> web.StreamResponse:
        """GET /api/operator/moderation"""
        self._check(request)
        return answer(await self._moderation.overview())

    async def audit(self, request: web.Request) -> web.StreamResponse:
        """GET /api/operator/audit?limit=<n>: newest first"""
        self._check(request)
        return answer(await self._moderation.audit(limit_of(request, 100)))

    async def order(self, request: web.Request) -> web.StreamResponse:
        """POST /api/operator/orders"""
        self._check(request)
        order: AnyOrder = await body(request, cast("type[AnyOrder]", AnyOrder))  # msgspec decodes unions too
        return answer(await self._moderation.carry_out(order), 201)
