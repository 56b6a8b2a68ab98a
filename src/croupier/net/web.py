"""The HTTP port: pages, HTTP API, and the WebSockets of every game's protocol."""

from __future__ import annotations

import logging
import os
from functools import partial
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

import croupier
from croupier.accounts.http import AccountRoutes
from croupier.core.refusal import Refusal
from croupier.games import conversation, names, protocol, words_of
from croupier.games import game as find_game
from croupier.games import routes as game_routes
from croupier.http import TRUSTED_PROXIES, Route, answer, bearer, check_upgrade, is_upgrade, refused
from croupier.http import Handler as RouteHandler
from croupier.moderation.http import ModerationRoutes
from croupier.net import api, operator, traffic_feed
from croupier.net.forwarding import Elsewhere, forward
from croupier.net.house import HOUSE, House
from croupier.net.http_port import HttpConnection, set_common_headers
from croupier.net.preload import Preloads
from croupier.net.quick_match import QuickMatches
from croupier.net.sockets import converse, converse_in_lobby
from croupier.net.traffic_log import ConnectionLog
from croupier.net.websocket import upgraded
from croupier.reviews.http import ReviewRoutes
from croupier.store.api import StoreError, report
from croupier.table.shell import Shell
from croupier.table.tables import DEFAULT
from croupier.tournaments.http import TournamentRoutes
from croupier.wire import api_messages
from croupier.wire.house import HouseConversation
from croupier.wire.house_messages import Notice
from croupier.wire.measures import Measures

log = logging.getLogger(__name__)

PAGES: Final = Path(croupier.__file__).parent / "pages"
_PRELOADS: Final = Preloads(PAGES / "chunks.json")
_SHELL: Final = {"sw.js": "text/javascript", "manifest.webmanifest": "application/manifest+json"}
"""Files of the installed application that have a fixed name at the root, and their types."""

OPEN_TO_ALL: Final = ("/relay", "/api/operator/")
"""The beginnings of paths that are open to banned people: a protocol that refuses them itself, and the
operator's.
"""
_NO_PAGES: Final = (
    "the pages are not built: install with 'pip install .' or run 'make serve'; "
    "the protocols work without them\n"
)


def make_app(house: House) -> web.Application:
    """Return the application, with the lobby at / or, on the game node, its page."""
    app = web.Application(middlewares=[_errors], client_max_size=64 * 1024)
    app[HOUSE] = house
    app[TRUSTED_PROXIES] = house.plan.trusted_proxies
    for method, path, handler in [*_routes(house), *ROUTES]:
        checked = method == "POST" and not path.startswith(OPEN_TO_ALL)
        app.router.add_route(method, path, _unless_banned(handler) if checked else handler)
    if (PAGES / "assets").is_dir():
        app.router.add_static("/assets", PAGES / "assets")
        app.on_response_prepare.append(_keep)
    app.on_response_prepare.append(_set_headers)
    return app


def _routes(house: House) -> list[Route]:
    """Return the routes of the optional parts that this server has."""
    routes = ModerationRoutes(house.moderation, operator.check_token).routes()
    routes += ReviewRoutes(house.reviews, house.archive, house.find).routes()
    service: list[Route] = [("GET", f"/{game}", _lobby) for game in house.lobby_games]
    for name in names():
        make = game_routes(name)
        service += cast(list[Route], make(house)) if make is not None else []
        routes += [("GET", path, _page) for path in find_game(name).pages]
    if house.tournaments is not None:
        service += TournamentRoutes(house.tournaments, house.identities, api.feed).routes()
        service += QuickMatches(house.tables, house.table_feed, house.plan.quick_match_wait).routes()
        pages = ("/tournament/{id}", "/player/{name}", "/players/{game}")
        routes += [("GET", path, _page) for path in pages]
    if house.accounts is not None:
        service += AccountRoutes(house.accounts, house.tables).routes()
    if house.member is not None:
        service = [(method, path, _at_service(handler)) for method, path, handler in service]
    return routes + service


def _at_service(handler: RouteHandler) -> RouteHandler:
    """Return *handler* for a house of several nodes, one of which has the lobbies, tournaments and
    accounts."""

    async def handle(request: web.Request) -> web.StreamResponse:
        await request.app[HOUSE].check_service()
        return await handler(request)

    return handle


def _unless_banned(handler: RouteHandler) -> RouteHandler:
    """Return *handler* for people who are not banned, by their address or account."""

    async def handle(request: web.Request) -> web.StreamResponse:
        request.app[HOUSE].identities.measures.check_ban(api.owners(request))
        return await handler(request)

    return handle


async def _keep(request: web.Request, response: web.StreamResponse) -> None:
    """Let browsers cache files whose content never changes under the same name."""
    if request.path.startswith("/assets/") and response.status < 400:
        response.headers["Cache-Control"] = "max-age=31536000, immutable"


async def _set_headers(request: web.Request, response: web.StreamResponse) -> None:
    set_common_headers(response)


@web.middleware
async def _errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await _answered(request, handler)
    except Elsewhere as elsewhere:
        return await _forwarded(request, elsewhere.node)
    except Refusal as refusal:
        return refused(refusal)
    except web.RequestPayloadError:
        return _closing(Refusal("bad_request", "the body does not match its headers"))
    except ConnectionResetError:
        if request.transport is not None and not request.transport.is_closing():
            raise
        return web.Response(status=408)  # the client has disconnected and does not read this


async def _forwarded(request: web.Request, node: int) -> web.StreamResponse:
    member = request.app[HOUSE].member
    assert member is not None, "there are other nodes"
    try:
        if not member.reachable:
            raise Refusal("busy", "the other servers cannot be reached at the moment: try again", 1.0)
        return await forward(request, member.links, node)
    except Refusal as refusal:
        return refused(refusal)


async def _answered(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Handle a request; turn errors of the library and the store into refusals."""
    if is_upgrade(request):
        if _has_more(request):
            return _closing(Refusal("bad_request", "expected nothing after the request for a WebSocket"))
        if "Origin" in request.headers and not _any_origin(request):
            _check_host(request)
            if _foreign(request):
                raise Refusal("bad_origin", "this WebSocket is for pages of this server and for programs")
    else:
        _check_host(request)
    try:
        return await handler(request)
    except web.HTTPNotFound as error:
        error.__traceback__ = (
            None  # the request has the exception: with a traceback it would keep itself alive
        )
        if _reads_pages(request):
            return await _page(request, 404)
        raise Refusal("not_found", f"there is nothing at {request.path[:80]}") from None
    except web.HTTPMethodNotAllowed as error:
        words = f"{request.method}: expected {', '.join(error.allowed_methods)}"
        raise Refusal("bad_method", words) from None
    except web.HTTPRequestEntityTooLarge:
        raise Refusal("too_large", "the request body is too large: expected at most 64 KiB") from None
    except web.HTTPBadRequest as error:
        raise Refusal("bad_request", error.text or error.reason) from None
    except web.HTTPForbidden:
        raise Refusal("forbidden", f"access to {request.path[:80]} is not allowed") from None
    except StoreError as error:
        report(log, error, "a request failed; the client is told to try again later")
        words = "the server cannot store data at the moment: try again later"
        raise Refusal("cannot_store", words) from None


def _reads_pages(request: web.Request) -> bool:
    """Return True if a browser asks for a page: programs get JSON."""
    return "text/html" in request.headers.get("Accept", "") and not request.path.startswith("/api/")


def _closing(refusal: Refusal) -> web.Response:
    """Return a refusal after which the connection is closed."""
    response = refused(refusal)
    response.force_close()
    return response


def _check_host(request: web.Request) -> None:
    """Refuse a page whose own name is resolved to this server; programs may omit the header."""
    host = request.headers.get("Host")
    if host is not None and not request.app[HOUSE].hosts.knows(host):
        name = host[:80] if host.isascii() else "this name"
        words = f"{name} is not known here: use the address of the server, or start it with --public-host"
        raise Refusal("bad_host", words)


def _has_more(request: web.Request) -> bool:
    """Return True if something follows a request for a WebSocket: a proxy may take it for another request."""
    connection = request.protocol
    return request.can_read_body or (isinstance(connection, HttpConnection) and connection.hasty)


def _foreign(request: web.Request) -> bool:
    """Return True if a browser sends this request from a page of another origin."""
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc != request.host
    except ValueError:
        return True


def _any_origin(request: web.Request) -> bool:
    # The games' own protocols accept any origin: they do not depend on cookies or other browser state.
    path = request.path
    return (
        path in ("/", "/watch") or path.startswith("/t/") or path.strip("/") in request.app[HOUSE].lobby_games
    )


async def _shell(request: web.Request) -> Shell:
    shell = await request.app[HOUSE].find(request.match_info.get("table", DEFAULT))
    if shell is None or not api.is_invited(request, shell):
        raise web.HTTPNotFound
    return shell


def _traffic(request: web.Request, protocol: str) -> ConnectionLog | None:
    """Return the traffic log of this connection if its address asks for one."""
    id = request.query.get("log")
    return request.app[HOUSE].traffic.connection(id, protocol) if id else None


async def _root(request: web.Request) -> web.StreamResponse:
    return await (_game_wire if is_upgrade(request) else _page)(request)


async def _game_wire(request: web.Request) -> web.StreamResponse:
    if not is_upgrade(request):
        return await _page(request)
    return await _converse(request, await _shell(request), watching=False)


async def _watch(request: web.Request) -> web.StreamResponse:
    if not is_upgrade(request):
        return await _page(request)
    return await _converse(request, await _shell(request), watching=True)


async def _converse(request: web.Request, shell: Shell, watching: bool) -> web.StreamResponse:
    game = shell.table.game.name
    published = protocol(shell.table.game)
    if published is None or published.has_lobby:
        lobby = f"/{game} or " if game in request.app[HOUSE].lobbies else ""
        words = f"{game} has no protocol of its own at a table: connect to {lobby}/house/{shell.table.id}"
        raise Refusal("no_such_wire", words)
    wire = conversation(shell.table, watching)
    converse(request, shell, wire, request.app[HOUSE].refusals, _traffic(request, game))
    return upgraded()


async def _lobby(request: web.Request) -> web.StreamResponse:
    """GET /<game>: the game's own protocol, which starts in a lobby."""
    check_upgrade(request)
    game = request.path.strip("/")
    server = request.app[HOUSE].lobbies[game]
    token = (request.query.get("token") or bearer(request)).strip()
    await converse_in_lobby(request, server, token, _traffic(request, game))
    return upgraded()


async def _house(request: web.Request) -> web.StreamResponse:
    shell = await _shell(request)
    check_upgrade(request)
    wire = HouseConversation(shell.table, partial(words_of, shell.table.game))
    refusals, traffic = request.app[HOUSE].refusals, _traffic(request, "house")
    converse(request, shell, wire, refusals, traffic, pings=True)
    return upgraded()


async def _page(request: web.Request, status: int = 200) -> web.StreamResponse:
    index = PAGES / "index.html"
    if not index.is_file():
        return web.Response(text=_NO_PAGES, status=503)
    response = web.FileResponse(index, status=status)
    response.headers["Cache-Control"] = "no-cache"
    if status == 200 and request.app[HOUSE].mode == "serve":
        link = _PRELOADS.link(request.path, request.headers.get("Accept-Language", ""))
        response.headers.update({"Link": link} if link else {})
    response.headers["Content-Security-Policy"] = (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self' ws: wss:; frame-ancestors 'none'"
    )
    return response


async def _shell_file(request: web.Request) -> web.StreamResponse:
    """GET /sw.js, /manifest.webmanifest"""
    name = request.path.removeprefix("/")
    if not (PAGES / name).is_file():
        return web.Response(text=_NO_PAGES, status=503)
    response = web.FileResponse(PAGES / name)
    response.content_type = _SHELL[name]
    response.headers["Cache-Control"] = "no-cache"
    return response


async def _about(request: web.Request) -> web.StreamResponse:
    """GET /api/house"""
    return answer(
        api_messages.House(
            mode=request.app[HOUSE].mode,
            version=croupier.__version__,
            compiled=api.compiled(),
            compiling="CROUPIER_COMPILING" in os.environ,  # set by scripts/setup.sh
            default_table=DEFAULT,
            doors=request.app[HOUSE].ports,
            notice=_notice(request.app[HOUSE].identities.measures),
        )
    )


def _notice(measures: Measures) -> Notice | None:
    """Return the announcement of a restart, if there is one."""
    left = measures.seconds_left()
    return Notice(left, measures.notice.text) if left is not None and measures.notice is not None else None


async def _health(request: web.Request) -> web.StreamResponse:
    house = request.app[HOUSE]
    broken = len(house.tables.broken)
    ok = not broken and (house.member is None or house.member.acting)
    found = api_messages.Health(ok=ok, tables=len(house.tables.shells), broken=broken)
    return answer(found, 200 if ok else 503)


ROUTES: Final[list[Route]] = [
    ("GET", "/", _root),
    ("GET", "/watch", _watch),
    ("GET", "/t/{table}", _game_wire),
    ("GET", "/t/{table}/", _game_wire),
    ("GET", "/t/{table}/watch", _watch),
    ("GET", "/house/{table}", _house),
    ("GET", "/table/{table}", _page),
    ("GET", "/replay/{match}", _page),
    ("GET", "/connect/{game}", _page),
    ("GET", "/operator", _page),
    ("GET", "/api/house", _about),
    ("GET", "/api/operator", operator.look),
    ("GET", "/api/log/{id}", traffic_feed.follow),
    *api.ROUTES,
    *(("GET", f"/{name}", _shell_file) for name in _SHELL),
    ("GET", "/healthz", _health),
    ("GET", "/metrics", operator.figures),
]
"""The routes of every server."""
