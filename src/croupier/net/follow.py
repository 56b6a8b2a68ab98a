"""WebSocket /api/log/<id>: what passes on the connections of one's own programs, as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec
from aiohttp import WSMsgType, web

from croupier.net.api import problem
from croupier.net.logbook import BOOK, Entry, Log, is_id
from croupier.net.outbox import Outbox
from croupier.net.sockets import aborter, say_goodbye

BACKLOG: Final = 4 * 1024 * 1024
"""A whole log fits, however its text has to be escaped."""
PAUSE: Final = 0.1
"""Programs are faster than eyes: what comes within it is told together."""


async def follow(request: web.Request) -> web.StreamResponse:
    """GET /api/log/<id>"""
    id = request.match_info["id"]
    if not is_id(id):
        return problem(400, "bad_log", "expected an id of 20 to 64 letters, digits, - and _")
    if request.headers.get("Upgrade", "").lower() != "websocket":
        return problem(426, "upgrade", "connect here with a WebSocket")
    book = request.app[BOOK]
    log = book.follow(id)
    if log is None:
        return problem(503, "full", "too many logs are being read: try again later")
    try:
        return await _tell(request, log)
    finally:
        book.leave(id)


async def _tell(request: web.Request, log: Log) -> web.StreamResponse:
    socket = web.WebSocketResponse(max_msg_size=1024, heartbeat=30.0)
    await socket.prepare(request)
    outbox = Outbox(BACKLOG, socket.send_str, partial(say_goodbye, socket), aborter(request))
    feed = asyncio.get_running_loop().create_task(_feed(log, outbox))
    try:
        async for message in socket:
            if message.type == WSMsgType.ERROR:
                break
    finally:
        feed.cancel()
        await asyncio.gather(feed, return_exceptions=True)
        await outbox.stop()
    return socket


async def _feed(log: Log, outbox: Outbox) -> None:
    entries = log.after(0)
    whole = True
    seen = 0
    while outbox.push(_frame(whole, entries)):
        whole = False
        seen = entries[-1].number if entries else seen
        await log.news(seen)
        await asyncio.sleep(PAUSE)
        entries = log.after(seen)


def _frame(whole: bool, entries: Sequence[Entry]) -> str:
    """*whole*: these are all there are, whatever was told before."""
    return msgspec.json.encode({"whole": whole, "entries": entries}).decode()
