"""WebSocket /api/log/<id>: sends a traffic log as it is written."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec
from aiohttp import web

from croupier.core.refusal import Refusal
from croupier.http import address_of, check_upgrade
from croupier.net.feeds import drained, serve_feed
from croupier.net.house import HOUSE
from croupier.net.outbox import Channel, Outbox
from croupier.net.traffic_log import TrafficLog, is_id
from croupier.wire.api_messages import TrafficEntry, TrafficFrame

FRAME_CHARS: Final = 64 * 1024
"""About how many characters of entries are sent in one frame."""
BACKLOG: Final = 1024 * 1024
"""Bytes: enough for such a frame, even if all of its text has to be escaped."""
PAUSE: Final = 0.1
"""Seconds: entries within this time are sent together."""


async def follow(request: web.Request) -> web.StreamResponse:
    """GET /api/log/<id>"""
    id = request.match_info["id"]
    if not is_id(id):
        raise Refusal("bad_log", "expected an id of 20 to 64 letters, digits, - and _")
    check_upgrade(request)
    logs = request.app[HOUSE].traffic
    log = logs.follow(id, address_of(request))
    if log is None:
        raise Refusal("full", "too many logs are being read: try again later")
    try:
        return await serve_feed(request, BACKLOG, partial(_send, log))
    finally:
        logs.leave(id)


async def _send(log: TrafficLog, outbox: Outbox, channel: Channel) -> None:
    entries = log.after(0, FRAME_CHARS)
    first = True
    seen = 0
    while outbox.push(_frame(first, entries)):
        first = False
        seen = entries[-1].number if entries else seen
        await drained(channel)
        await log.news(seen)
        await asyncio.sleep(PAUSE)
        entries = log.after(seen, FRAME_CHARS)


def _frame(first: bool, entries: Sequence[TrafficEntry]) -> bytes:
    """Return entries as a frame; those of the *first* one replace what the reader had before."""
    return msgspec.json.encode(TrafficFrame(first, list(entries)))
