"""The coach over HTTP: reviews, one line of JSON for each decision as soon as it is computed, and hints."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256

import msgspec
from aiohttp import web

from croupier.bots.strengths import EXPERT
from croupier.core import record
from croupier.core.refusal import Refusal
from croupier.games import game as find_game
from croupier.http import Route, address_of, body, deal_of
from croupier.reviews.service import Review, Reviews
from croupier.store.api import MatchRow
from croupier.table.archive import Archive
from croupier.table.bot_task import BotTask
from croupier.table.shell import Shell
from croupier.table.table import Table
from croupier.wire.talk import BOT, Place


class Player(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /api/tables/<id>/hint."""

    token: str


class ReviewRoutes:
    """The HTTP API of reviews and hints."""

    def __init__(
        self, reviews: Reviews, archive: Archive, find: Callable[[str], Awaitable[Shell | None]]
    ) -> None:
        """*find* returns the shell of a table, or None."""
        self._reviews = reviews
        self._archive = archive
        self._find = find

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/matches/{id}/review", self.review),
            ("POST", "/api/tables/{id}/hint", self.hint),
        ]

    async def hint(self, request: web.Request) -> web.StreamResponse:
        """POST /api/tables/<id>/hint"""
        shell = await self._find(request.match_info["id"])
        if shell is None:
            raise Refusal("not_found", "there is no such table")
        given = await body(request, Player)
        table = shell.table
        place = _place_of(table, given.token)
        _check(table, place)
        task = _task(table, place.seat)
        return web.Response(
            body=await self._reviews.hint(task, address_of(request)),
            content_type="application/json",
            headers={"Cache-Control": "no-store"},
        )

    async def review(self, request: web.Request) -> web.StreamResponse:
        """GET /api/matches/<id>/review?deal=<n>"""
        deal, id = deal_of(request), request.match_info["id"]
        text = await self._archive.match(id, partial(_with_deal, deal))
        with self._reviews.reading(id, deal, text, address_of(request)) as found:
            return await _send(request, found)


def _with_deal(deal: int, row: MatchRow, written: record.Record) -> str:
    """Return the record of a match as text; refuse a deal that it does not have."""
    deals = record.replay(written, find_game(row.game)).deal()
    if not 1 <= deal <= deals:
        raise Refusal("bad_deal", f"deal={deal}: expected 1…{deals}")
    return record.write(written)


def _place_of(table: Table, token: str) -> Place:
    """Return the place that was taken with *token*."""
    mark = table.identities.mark(token)
    for place in table.places:
        if place.name and place.kind != BOT and token and table.identities.person(place.token) == mark:
            return place
    raise Refusal("bad_token", "no player has taken a seat at this table with this token")


def _check(table: Table, place: Place) -> None:
    """Refuse a hint that would be unfair, or if the seat has nothing to decide."""
    if table.spec.guests:
        raise Refusal("rated", "there are no hints in tournaments")
    if table.identities.account(place.token) is not None and not table.fixed_deal:
        raise Refusal("rated", "there are no hints in rated matches: play without an account")
    if any(other.kind != BOT for other in table.places if other.seat != place.seat):
        raise Refusal("not_alone", "there are hints only if all other players are bots")
    if table.asked(place.seat) is None:
        raise Refusal("not_asked", "nothing is asked of you now")


def _task(table: Table, seat: int) -> BotTask:
    """Return the task for a hint to *seat*. Its random numbers depend only on what the seat has been told."""
    match = table.current
    assert match is not None, "a seat is asked only in a match"
    told = f"{match.id} {seat} {table.number(seat)}"
    seed = int.from_bytes(sha256(told.encode()).digest()[:8])
    course, options = bytes(match.course), dict(match.options)
    return BotTask(
        table.id, match.id, table.game.name, options, match.seats, course, seat, (), EXPERT, seed, 0.0
    )


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
