"""Where a request comes from, for limits that count by address."""

from __future__ import annotations

from typing import Final

from aiohttp import web

_HERE: Final = ("127.0.0.1", "::1")


def address_of(request: web.Request) -> str:
    """Return the address of the peer; behind a proxy on this machine, the one that the proxy tells."""
    remote = request.remote or ""
    told = request.headers.get("X-Forwarded-For", "") if remote in _HERE else ""
    return told.rpartition(",")[2].strip()[:64] or remote  # what stands before it, the peer may have made up
