"""One port for everything a browser or a WebSocket client wants: pages, HTTP API, every game's wire."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

import croupier
from croupier.core.contract import Plain
from croupier.games import conversation, has_desk, names, words_of
from croupier.net import accounts, api, follow, metrics, notation, operator, review, tournaments
from croupier.net.accounts import CLERK
from croupier.net.api import HALL, MODE, compiled
from croupier.net.clerk import Clerk
from croupier.net.limits import Crowd, RefusalLimit
from croupier.net.logbook import BOOK, Logbook, Tap
from croupier.net.operator import CROWD, TOKEN
from croupier.net.reception import Reception
from croupier.net.relay import Relay
from croupier.net.review import REVIEWS, Reviews
from croupier.net.sockets import converse, converse_at_desk
from croupier.net.tournaments import TOURNAMENTS, Tournaments
from croupier.store.api import StoreError
from croupier.table.hall import DEFAULT, Hall
from croupier.table.runner import Runner
from croupier.wire.house import HouseConversation

log = logging.getLogger(__name__)

PAGES: Final = Path(croupier.__file__).parent / "pages"
REFUSALS = web.AppKey("refusals", RefusalLimit)
RECEPTIONS = web.AppKey("receptions", dict[str, Reception])
"""By game; empty on the game node."""
DOORS = web.AppKey("doors", list[Plain])
"""The TCP ports of line protocols, as GET /api/house tells them."""

_NO_PAGES: Final = (
    "the pages are not built: install with 'pip install .' or run 'make serve'; "
    "the protocols work without them\n"
)


def make_app(hall: Hall, mode: str, crowd: Crowd | None = None, token: str = "") -> web.Application:
    """Return the application; *mode* is ``serve`` (a lobby at /) or ``node`` (the game node's page).

    *token* opens the operator's page.
    """
    app = web.Application(middlewares=[_errors], client_max_size=64 * 1024)
    app[HALL] = hall
    app[CLERK] = Clerk(hall.store, hall.register)
    app[REFUSALS] = RefusalLimit()
    app[MODE] = mode
    receptions: dict[str, Reception] = {}
    app[RECEPTIONS] = receptions
    app[CROWD] = crowd if crowd is not None else Crowd(sys.maxsize)
    app[TOKEN] = token
    app[BOOK] = Logbook()
    app[REVIEWS] = Reviews()
    app.on_shutdown.append(review.stop)
    app[DOORS] = []
    add = app.router.add_route
    for name in names() if mode == "serve" else []:
        if has_desk(name):
            add("GET", f"/{name}", _desk)
    if mode == "serve":
        for method, path, relay_handler in Relay(receptions, "tarock").routes():
            add(method, path, relay_handler)
        app[TOURNAMENTS] = Tournaments(hall)
        app[CLERK].farewells.append(app[TOURNAMENTS].forget)
        app[CLERK].rivals.append(app[TOURNAMENTS].held)
        for method, path, handler in [*accounts.ROUTES, *tournaments.ROUTES]:
            add(method, path, handler)
        add("GET", "/tournament/{id}", _page)
        add("GET", "/player/{name}", _page)
        add("GET", "/players/{game}", _page)
    add("GET", "/", _root)
    add("GET", "/watch", _watch)
    add("GET", "/t/{table}", _game_wire)
    add("GET", "/t/{table}/", _game_wire)
    add("GET", "/t/{table}/watch", _watch)
    add("GET", "/house/{table}", _house)
    add("GET", "/table/{table}", _page)
    add("GET", "/replay/{match}", _page)
    add("GET", "/notation", _page)
    add("GET", "/connect/{game}", _page)
    add("GET", "/api/house", _about)
    add("GET", "/operator", _page)
    add("GET", "/api/operator", operator.look)
    add("GET", "/api/log/{id}", follow.follow)
    for method, path, handler in [*api.ROUTES, *notation.ROUTES, *review.ROUTES]:
        add(method, path, handler)
    add("GET", "/healthz", _health)
    add("GET", "/metrics", _metrics)
    if (PAGES / "assets").is_dir():
        app.router.add_static("/assets", PAGES / "assets")
        app.on_response_prepare.append(_keep)
    return app


async def _keep(request: web.Request, response: web.StreamResponse) -> None:
    """Let browsers keep what never changes under its name."""
    if request.path.startswith("/assets/") and response.status < 400:
        response.headers["Cache-Control"] = "max-age=31536000, immutable"


@web.middleware
async def _errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    if _is_upgrade(request) and _foreign(request) and not _speaks_freely(request):
        return api.problem(403, "bad_origin", "this WebSocket is for pages of this server and for programs")
    if not request.host.isascii():
        return api.problem(400, "bad_host", "the host's name has signs that no name has")
    try:
        return await (_counted(request, handler) if _is_upgrade(request) else handler(request))
    except api.Problem as error:
        return api.problem(error.status, error.key, str(error))
    except web.HTTPNotFound:
        return api.problem(404, "not_found", f"nothing is at {request.path[:80]}")
    except web.HTTPMethodNotAllowed as error:
        return api.problem(
            405, "bad_method", f"{request.method}: expected {', '.join(error.allowed_methods)}"
        )
    except web.HTTPRequestEntityTooLarge:
        return api.problem(413, "too_large", "a request may have 64 KiB")
    except web.HTTPBadRequest as error:
        return api.problem(400, "bad_request", error.text or error.reason)
    except web.RequestPayloadError:
        unread = api.problem(400, "bad_request", "the body is not what its headers say")
        unread.force_close()
        return unread
    except StoreError:
        log.exception("%s %s", request.method, request.path)
        return api.problem(503, "cannot_store", "the server cannot store anything now: try again later")
    except web.HTTPForbidden:
        return api.problem(403, "forbidden", f"nothing is to be seen at {request.path[:80]}")
    except ConnectionResetError:
        if request.transport is not None and not request.transport.is_closing():
            raise
        return web.Response(status=408)  # whoever asked has gone: nobody reads this


async def _counted(request: web.Request, handler: Handler) -> web.StreamResponse:
    crowd = request.app[CROWD]
    try:
        if not crowd.enter():
            return api.problem(503, "full", "the server has as many connections as it takes: try again later")
        return await handler(request)
    finally:
        crowd.leave()


def _is_upgrade(request: web.Request) -> bool:
    return request.headers.get("Upgrade", "").lower() == "websocket"


def _foreign(request: web.Request) -> bool:
    """Say whether a browser sends this from a page that is not ours."""
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc != request.host
    except ValueError:
        return True


def _speaks_freely(request: web.Request) -> bool:
    # The games' own protocols take any Origin; nothing there rests on what a browser keeps.
    path = request.path
    return path in ("/", "/watch") or path.startswith("/t/") or path.strip("/") in request.app[RECEPTIONS]


async def _runner(request: web.Request) -> Runner:
    runner = await request.app[HALL].find(request.match_info.get("table", DEFAULT))
    if runner is None:
        raise web.HTTPNotFound
    return runner


def _tap(request: web.Request, protocol: str) -> Tap | None:
    """Return where the frames of this connection are to be noted, if its address asks for that."""
    id = request.query.get("log")
    return request.app[BOOK].tap(id, protocol) if id else None


async def _root(request: web.Request) -> web.StreamResponse:
    return await (_game_wire if _is_upgrade(request) else _page)(request)


async def _game_wire(request: web.Request) -> web.StreamResponse:
    if not _is_upgrade(request):
        return await _page(request)
    return await _converse(request, await _runner(request), watching=False)


async def _watch(request: web.Request) -> web.StreamResponse:
    if not _is_upgrade(request):
        return await _page(request)
    return await _converse(request, await _runner(request), watching=True)


async def _converse(request: web.Request, runner: Runner, watching: bool) -> web.StreamResponse:
    game = runner.table.game.name
    if has_desk(game):
        desk = f"/{game} or " if request.app[MODE] == "serve" else ""
        words = f"{game} has no protocol at its tables: connect to {desk}/house/{runner.table.id}"
        raise api.Problem(404, "no_such_wire", words)
    wire = conversation(game, runner.table, watching)
    return await converse(request, runner, wire, request.app[REFUSALS], _tap(request, game))


async def _desk(request: web.Request) -> web.StreamResponse:
    """GET /<game>: the game's own protocol, where it begins at a desk."""
    if not _is_upgrade(request):
        return api.problem(426, "upgrade", "connect here with a WebSocket")
    game = request.path.strip("/")
    reception = request.app[RECEPTIONS][game]
    token = request.query.get("token") or request.headers.get("Authorization", "").removeprefix("Bearer ")
    wire = reception.desk.conversation(token=token.strip())
    return await converse_at_desk(request, reception, wire, _tap(request, game))


async def _house(request: web.Request) -> web.StreamResponse:
    runner = await _runner(request)
    if not _is_upgrade(request):
        return api.problem(426, "upgrade", "connect here with a WebSocket")
    wire = HouseConversation(runner.table, words_of(runner.table.game))
    return await converse(request, runner, wire, request.app[REFUSALS], _tap(request, "house"))


async def _page(request: web.Request) -> web.StreamResponse:
    index = PAGES / "index.html"
    if not index.is_file():
        return web.Response(text=_NO_PAGES, status=503)
    response = web.FileResponse(index)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self' ws: wss:; frame-ancestors 'none'"
    )
    return response


async def _about(request: web.Request) -> web.StreamResponse:
    """GET /api/house"""
    return api.answer(
        {
            "mode": request.app[MODE],
            "version": croupier.__version__,
            "compiled": compiled(),
            "default_table": DEFAULT,
            "doors": request.app[DOORS],
        }
    )


async def _health(request: web.Request) -> web.StreamResponse:
    hall = request.app[HALL]
    broken = len(hall.broken)
    return api.answer(
        {"ok": not broken, "tables": len(hall.runners), "broken": broken}, 503 if broken else 200
    )


async def _metrics(request: web.Request) -> web.StreamResponse:
    return web.Response(body=metrics.exposition(request.app[HALL]), content_type="text/plain")
