"""Reviews over HTTP: one line of JSON for each decision, sent as soon as it is computed."""

from __future__ import annotations

import asyncio
import contextlib

from aiohttp import web

from croupier.core import record
from croupier.core.refusal import Refusal
from croupier.games import game as find_game
from croupier.http import Route, address_of, deal_of
from croupier.reviews.service import Review, Reviews
from croupier.store.api import Store
from croupier.table.archive import finished_match


class ReviewRoutes:
    """The part of the HTTP API that is about reviews."""

    def __init__(self, reviews: Reviews, store: Store) -> None:
        self._reviews = reviews
        self._store = store

    def routes(self) -> list[Route]:
        return [("GET", "/api/matches/{id}/review", self.review)]

    async def review(self, request: web.Request) -> web.StreamResponse:
        """GET /api/matches/<id>/review?deal=<n>"""
        row, written = await finished_match(self._store, request.match_info["id"])
        deal = deal_of(request)
        deals = (await asyncio.to_thread(record.replay, written, find_game(row.game))).deal()
        if not 1 <= deal <= deals:
            raise Refusal("bad_deal", f"deal={deal}: expected 1…{deals}")
        with self._reviews.reading(row.id, deal, record.write(written), address_of(request)) as found:
            return await _send(request, found)


async def _send(request: web.Request, review: Review) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.content_type = "application/x-ndjson"
    with contextlib.suppress(ConnectionError):  # the reader has disconnected
        await response.prepare(request)
        at = 0
        while True:
            while at < len(review.lines):
                await response.write(review.lines[at])
                at += 1
            if review.over:
                break
            await review.more()
            if request.transport is None or request.transport.is_closing():
                break
    return response
