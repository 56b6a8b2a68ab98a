"""Taroky Notation over HTTP: check it, store it as a match, continue it at a table, export a match."""

from __future__ import annotations

from aiohttp import web

from croupier.core.contract import WATCHER, RulesError
from croupier.core.options import BadOptions
from croupier.core.record import Record
from croupier.core.refusal import Refusal
from croupier.games.taroky import GAME
from croupier.games.taroky.bodies import (
    NotationFault,
    NotationSummary,
    NotationTable,
    NotationText,
    NotationTrick,
    Payment,
)
from croupier.games.taroky.exchange import match_options, to_notations, to_opening, to_record
from croupier.games.taroky.explain import call_lines, payments, reason_lines
from croupier.games.taroky.notation import Notation, NotationError, write
from croupier.games.taroky.reader import parse
from croupier.games.taroky.vocabulary import OVER, PHASES, SEATS, names
from croupier.http import Route, answer, body
from croupier.net.api import opened, owners
from croupier.net.house import HOUSE, House
from croupier.store.api import MatchRow, StoreConflict
from croupier.table.archive import keep_record, match_id
from croupier.wire.house_messages import KeptMatch
from croupier.wire.table_spec import TableSpec


async def _wish(
    request: web.Request, kind: type[NotationText]
) -> tuple[NotationText, Notation] | web.Response:
    """Return the body and the notation in it, or a response with the error."""
    given = await body(request, kind)
    try:
        return given, parse(given.text)
    except NotationError as error:
        fault = NotationFault(
            key="invalid_notation",
            words=str(error),
            offset=error.offset,
            field=error.field,
            slot=error.slot,
            reason=error.reason,
            detail=error.detail,
        )
        return answer(fault, 400)


async def check(request: web.Request) -> web.StreamResponse:
    """POST /api/notation/check: the deal and its settlement, or 400 with the place of the first error."""
    found = await _wish(request, NotationText)
    return found if isinstance(found, web.Response) else answer(_summary(found[1]))


def _summary(notation: Notation) -> NotationSummary:
    state = notation.state
    assert state is not None
    return NotationSummary(
        notation=write(notation),
        finished=notation.phase == OVER,
        phase=PHASES[notation.phase],
        turn=int(state.turn) + 1 if state.turn >= 0 else None,
        saved_by=notation.settings.pn + 1 if notation.settings.pn >= 0 else None,
        hands=[names(hand) for hand in notation.hands],
        talon=names(notation.talon),
        discards=[names(cards) for cards in notation.discards],
        calls=list(call_lines(notation)),
        view=state.view(WATCHER).typed_facts(),
        tricks=[
            NotationTrick(names(cards), winner)
            for cards, winner in zip(notation.tricks, notation.winners, strict=True)
        ],
        open_trick=names(notation.open),
        reasons=list(reason_lines(notation)),
        payments=[Payment(name, chips) for name, chips in payments(notation)],
        settings=notation.settings.write(),
    )


async def keep(request: web.Request) -> web.StreamResponse:
    """POST /api/notation/record: store a finished deal as a match that can be replayed."""
    found = await _wish(request, NotationText)
    if isinstance(found, web.Response):
        return found
    _, notation = found
    if notation.phase != OVER:
        raise Refusal("not_finished", f"the deal is not finished: the next phase is {notation.phase_name()}")
    store = request.app[HOUSE].store
    try:
        written = to_record(notation)
    except BadOptions as error:
        raise Refusal("bad_options", str(error)) from None
    id = match_id(written)
    try:
        if await store.match(id) is None:
            await keep_record(store, written)
    except StoreConflict as error:  # the same deal is being stored by another request
        if await store.match(id) is None:
            raise Refusal("conflict", str(error)) from None
    return answer(KeptMatch(id, f"/replay/{id}"), 201)


async def play_on(request: web.Request) -> web.StreamResponse:
    """POST /api/notation/table: open a table whose first match begins with this position."""
    found = await _wish(request, NotationTable)
    if isinstance(found, web.Response):
        return found
    given, notation = found
    assert isinstance(given, NotationTable)
    if notation.phase == OVER and given.hands == 1:
        raise Refusal("finished", "the deal is finished and cannot be continued")
    try:
        spec = TableSpec(
            seats=given.seats or _seats(notation),
            options=match_options(notation, given.hands),
            table_options=given.table_options,
            opening=to_opening(notation),
            owners=owners(request),
        )
        return opened(request, await request.app[HOUSE].tables.open(GAME, spec))
    except (BadOptions, RulesError) as error:
        raise Refusal("bad_options", str(error)) from None


def _seats(notation: Notation) -> list[str]:
    me = max(notation.settings.pn, 0)
    return ["person" if seat == me else "bot heuristic" for seat in range(SEATS)]


async def of_match(request: web.Request) -> web.StreamResponse:
    """GET /api/matches/<id>/notation: the deals of a finished match, one per line."""
    id = request.match_info["id"]
    lines = await request.app[HOUSE].archive.match(id, _notations)
    response = web.Response(
        text="".join(f"{line}\n" for line in lines), content_type="text/plain", charset="utf-8"
    )
    response.headers["Content-Disposition"] = f'attachment; filename="{id}.taroky"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _notations(row: MatchRow, written: Record) -> list[str]:
    """Return the deals of a match."""
    if row.game != GAME.name:
        raise Refusal("no_notation", f"match {row.id} is a match of {row.game}: only Taroky has a notation")
    return to_notations(written)


def routes(house: House) -> list[Route]:
    """Return the routes of the notation."""
    return [
        ("POST", "/api/notation/check", check),
        ("POST", "/api/notation/record", keep),
        ("POST", "/api/notation/table", play_on),
        ("GET", "/api/matches/{id}/notation", of_match),
    ]
