"""What every part of the HTTP API needs: reading requests, answering, refusing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address
from typing import Final, TypeAlias, TypeVar, cast

import msgspec
from aiohttp import web

from croupier.core.refusal import Refusal
from croupier.wire.house_messages import About, Problem

T = TypeVar("T")
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
Route: TypeAlias = tuple[str, str, Handler]
"""Method, path, handler."""

STATUS: Final[Mapping[str, int]] = {
    "bad_login": 401,
    "bad_token": 401,
    "bad_origin": 403,
    "banned": 403,
    "forbidden": 403,
    "no_material": 404,
    "no_notation": 404,
    "no_operator": 404,
    "no_such_game": 404,
    "no_such_match": 404,
    "no_such_player": 404,
    "no_such_tournament": 404,
    "no_such_wire": 404,
    "not_found": 404,
    "bad_method": 405,
    "too_slow": 408,
    "already_entered": 409,
    "conflict": 409,
    "finished": 409,
    "name_taken": 409,
    "not_alone": 409,
    "not_asked": 409,
    "not_entered": 409,
    "not_finished": 409,
    "not_open": 409,
    "not_yours": 409,
    "rated": 409,
    "too_large": 413,
    "bad_type": 415,
    "bad_host": 421,
    "upgrade": 426,
    "too_many": 429,
    "failed": 500,
    "busy": 503,
    "cannot_store": 503,
    "full": 503,
    "gone": 503,
}
"""The status of a refusal by its key; any other key is 400."""

HERE: Final = ("127.0.0.1", "::1")
"""The addresses of this machine itself."""
BODY_SECONDS: Final = 15.0
"""How long a body may take to arrive."""


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The proxies whose X-Forwarded headers are trusted."""

    networks: Sequence[IPv4Network | IPv6Network] = ()

    def include(self, address: str) -> bool:
        """Return True if *address* is that of a trusted proxy."""
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self.networks)


TRUSTED_PROXIES: Final = web.AppKey("trusted_proxies", TrustedProxies)


def answer(data: object, status: int = 200) -> web.Response:
    """Return *data* as JSON, compressed if that makes it smaller."""
    response = web.Response(
        body=msgspec.json.encode(data), status=status, content_type="application/json", charset="utf-8"
    )
    response.headers["Cache-Control"] = "no-store"
    response.enable_compression()
    return response


def refused(refusal: Refusal, status: Mapping[str, int] = STATUS) -> web.Response:
    """Return a refusal as the answer of the API."""
    problem = Problem(refusal.key, refusal.words, cast(About, refusal.about))
    response = answer(problem, status.get(refusal.key, 400))
    if refusal.wait:
        response.headers["Retry-After"] = str(round(refusal.wait) + 1)
    return response


def with_status(handler: Handler, **status: int) -> Handler:
    """Return *handler* with the given statuses for some keys, in place of those of `STATUS`."""

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except Refusal as refusal:
            return refused(refusal, {**STATUS, **status})

    return handle


async def read_body(request: web.Request) -> bytes:
    """Return the body of a request; refuse it if it takes too long to arrive, or is compressed."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            found = await request.read()
    except TimeoutError:
        raise Refusal("too_slow", f"the body did not arrive within {BODY_SECONDS:g} s") from None
    if "Content-Encoding" in request.headers:
        raise Refusal("bad_type", "the body has a content encoding: expected none")
    return found


async def body(request: web.Request, kind: type[T]) -> T:
    """Return the body of a request, decoded."""
    # A page of another origin cannot send this type without a preflight request, which is refused.
    if request.content_type != "application/json":
        raise Refusal("bad_type", f"content type {request.content_type}: expected application/json")
    try:
        return msgspec.json.decode(await read_body(request), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # The error messages of msgspec name members and types, never values.
        raise Refusal("bad_message", str(error) or "too deeply nested") from None


def limit_of(request: web.Request, default: int) -> int:
    """Return the number of rows that the request asks for."""
    limit = request.query.get("limit", str(default))
    if not (limit.isascii() and limit.isdigit() and len(limit) <= 3 and 1 <= int(limit) <= 200):
        raise Refusal("bad_limit", f"limit={limit[:20]}: expected 1…200")
    return int(limit)


def deal_of(request: web.Request) -> int:
    """Return the number of the deal that the request asks for."""
    wanted = request.query.get("deal", "1")
    if not (wanted.isascii() and wanted.isdigit()):
        raise Refusal("bad_deal", f"deal={wanted[:20]}: expected a number from 1 on")
    return int(wanted[:6])


def bearer(request: web.Request) -> str:
    """Return the token in the header Authorization; empty if it is missing or cannot be a token."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    return token if token.isprintable() else ""  # invalid UTF-8 is not printable


def is_upgrade(request: web.Request) -> bool:
    """Return True if the client wants a WebSocket."""
    wanted = request.headers.get("Upgrade", "")
    return wanted.isascii() and wanted.lower() == "websocket"  # lower() turns the Kelvin sign into a k


def check_upgrade(request: web.Request) -> None:
    """Refuse a request that does not want a WebSocket."""
    if not is_upgrade(request):
        raise Refusal("upgrade", "connect here with a WebSocket")


def address_of(request: web.Request) -> str:
    """Return the address of the client, for everything that is counted or compared per address.

    It is that of the peer, unless the peer is a trusted proxy: then the last address in `X-Forwarded-For`
    that is not one of a trusted proxy. The client may have forged the entries before it.
    """
    trusted = request.app.get(TRUSTED_PROXIES, TrustedProxies())
    found = request.remote or ""
    told = request.headers.getall("X-Forwarded-For", [])
    chain = [entry.strip() for entry in ",".join(told).split(",") if entry.strip()]
    while chain and trusted.include(found):
        found = chain.pop()[:64]
    return counted_as(found)


def is_secure(request: web.Request) -> bool:
    """Return True if the client uses TLS: with this server, or with a trusted proxy in front of it."""
    proxied = request.app.get(TRUSTED_PROXIES, TrustedProxies()).include(request.remote or "")
    return request.secure or (proxied and request.headers.get("X-Forwarded-Proto") == "https")


def counted_as(address: str) -> str:
    """Return the form of *address* in which it is counted and compared.

    Providers assign whole /64 networks of IPv6, so all addresses of such a network count as one.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address) or found.is_loopback:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found) >> 64 << 64, 64)))
