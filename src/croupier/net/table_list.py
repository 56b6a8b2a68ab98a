"""The open tables as lists show them: pages over HTTP, and a feed of pages and changes for lobbies.

The feed sends all tables, newest first, in frames of at most `FRAME_BYTES`, and afterwards only what has
changed. A row is encoded once when its table changes, and a frame of changes once for all readers. A reader
that has missed changes gets all tables again.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar, cast

import msgspec
from aiohttp import web

from croupier.core.refusal import Refusal
from croupier.http import limit_of
from croupier.net.feeds import drained, serve_feed
from croupier.net.outbox import Channel, Outbox
from croupier.table.shell import Shell
from croupier.table.tables import DEFAULT, Tables
from croupier.wire import house_messages as messages
from croupier.wire.house import places_of
from croupier.wire.house_messages import Phase, TableRow
from croupier.wire.measures import Notice

T = TypeVar("T", bytes, str)

FRAME_BYTES: Final = 64 * 1024
"""The maximum size of a frame of the feed, in bytes."""
BACKLOG: Final = 1024 * 1024
"""The maximum number of unread bytes of a reader."""
PAUSE: Final = 0.2
"""Seconds between two frames of changes: a full table changes in bursts, and its newest state is enough."""
KEPT: Final = 256
"""How many frames of changes are kept for readers that are late."""
LISTED: Final = 200
"""The number of tables in an answer over HTTP, unless the request asks for fewer."""

_ROOM: Final = FRAME_BYTES - 128
"""Bytes for the rows or ids in a frame."""


def row(tables: Tables, shell: Shell) -> TableRow:
    """Return a table as lists show it."""
    table = shell.table.for_watchers
    return TableRow(
        id=table.id,
        number=tables.numbers[table.id],
        game=table.game.name,
        title=table.game.title,
        phase=cast(Phase, table.phase),
        seats=places_of(table),
        watch_open=table.watch_open,
        watch_delay=table.watch_delay,
        fixed_deal=table.fixed_deal,
        watchers=sum(seat < 0 for seat in shell.peers.values()),
        quick_match=table.quick_match,
        deserted=not shell.peers and (shell.table.entries > 0 or table.quick_match or table.id == DEFAULT),
        created=tables.created[table.id],
        page=f"/table/{table.id}",
    )


def page(feed: TableFeed, request: web.Request) -> list[TableRow]:
    """Return the tables for which *request* asks: at most ``limit``, opened before number ``before``."""
    tables = feed.tables
    limit = limit_of(request, LISTED)
    before = request.query.get("before")
    if before is not None and not (before.isascii() and before.isdigit() and len(before) <= 15):
        raise Refusal("bad_before", f"before={before[:20]}: expected the number of a table")
    rows: list[TableRow] = []
    for id, shell in reversed(tables.shells.items()):
        if len(rows) == limit:
            break
        if not shell.table.spec.private and (before is None or tables.numbers[id] < int(before)):
            rows.append(row(tables, shell))
    if feed.remote:
        rows += _far(feed, int(before) if before is not None else sys.maxsize)
        rows = sorted(rows, key=lambda one: -one.number)[:limit]
    return rows


def _far(feed: TableFeed, before: int) -> list[TableRow]:
    """Return the tables of other nodes that were opened before number *before*."""
    return [one for one in feed.elsewhere() if one.number < before]


class TableFeed:
    """The feed of a server; see the module docstring."""

    def __init__(self, tables: Tables) -> None:
        self.tables = self._tables = tables
        self.remote: dict[int, dict[str, bytes]] = {}
        """The rows of tables at other nodes, by node and id."""
        self._measures = tables.identities.measures
        self._rows: dict[str, bytes] = {}
        """The rows that readers have, encoded."""
        self._frames: deque[bytes] = deque(maxlen=KEPT)
        self._number = 0
        """The number of frames of changes that were made."""
        self._readers = 0

    def elsewhere(self) -> list[TableRow]:
        """Return the listed tables of other nodes."""
        rows = (row for rows in self.remote.values() for row in rows.values())
        return [msgspec.json.decode(row, type=TableRow) for row in rows]

    async def follow(self, request: web.Request) -> web.StreamResponse:
        """WebSocket /api/lobby"""
        return await serve_feed(request, BACKLOG, self._send)

    async def _send(self, outbox: Outbox, channel: Channel) -> None:
        self._enter()
        try:
            at = await self._send_all(outbox, channel)
            told: Notice | None = None
            while at is not None:
                seen = self._tables.changes
                if told is not self._measures.notice:
                    told = self._measures.notice
                    outbox.push(self._notice())
                frames = self.since(at)
                if frames is None:
                    at = await self._send_all(outbox, channel)
                    continue
                if not all(outbox.push(frame) for frame in frames):
                    return
                at += len(frames)
                await self._tables.changed(seen)
                await asyncio.sleep(PAUSE)
        finally:
            self._leave()

    async def _send_all(self, outbox: Outbox, channel: Channel) -> int | None:
        """Send all tables; return the number of the last frame of changes, or None if the reader is gone."""
        left = [*(id for rows in self.remote.values() for id in rows), *self._tables.shells]
        self.refresh()
        at = self._number
        first = True
        while first or left:
            # Changes come first, so that no page is older than a change that follows it.
            frames = self.since(at)
            if frames is None:
                return at  # too much has changed meanwhile: begin again
            at += len(frames)
            whole = self._page(left, first)
            if not all(outbox.push(frame) for frame in (*frames, whole)):
                return None
            first = False
            await drained(channel)
        return at

    def _notice(self) -> bytes:
        """Return the announcement of a restart, as in the house protocol."""
        notice = self._measures.notice
        return msgspec.json.encode(
            messages.Notice(self._measures.seconds_left(), notice.text if notice is not None else "")
        )

    def _page(self, left: list[str], first: bool) -> bytes:
        """Return the next page of the tables in *left*, oldest first, and remove them from the list."""
        rows: list[bytes] = []
        size = 0
        while left:
            found = self._rows.get(left[-1]) or self._encoded(left[-1])
            if found is not None:
                if size + len(found) > _ROOM:
                    break
                self._rows[left[-1]] = found
                rows.append(found)
                size += len(found) + 1
            left.pop()
        return msgspec.json.encode(messages.OpenTables(first, bool(left), _encoded(rows)))

    def since(self, at: int) -> Sequence[bytes] | None:
        """Return the frames of changes after number *at*; None if some of them are no longer kept."""
        self.refresh()
        missed = self._number - at
        return list(self._frames)[len(self._frames) - missed :] if missed <= len(self._frames) else None

    def refresh(self) -> None:
        """Make frames of what has changed since the last time."""
        touched = self._tables.touched
        if not touched:
            return
        self._tables.touched = set()
        changed: list[bytes] = []
        closed: list[str] = []
        for id in touched:
            found = self._encoded(id)
            if found is None:
                if self._rows.pop(id, None) is not None:
                    closed.append(id)
            elif self._rows.get(id) != found:
                self._rows[id] = found
                changed.append(found)
        for rows in _cut(changed):
            self._add(messages.ChangedTables(_encoded(rows), []))
        for ids in _cut(closed):
            self._add(messages.ChangedTables([], ids))

    def _add(self, frame: messages.ChangedTables) -> None:
        self._frames.append(msgspec.json.encode(frame))
        self._number += 1

    def _encoded(self, id: str) -> bytes | None:
        """Return the row of a table, or None if it is closed or not listed."""
        shell = self._tables.shells.get(id)
        if shell is None:
            return next((rows[id] for rows in self.remote.values() if id in rows), None)
        if shell.table.spec.private:
            return None
        return msgspec.json.encode(row(self._tables, shell))

    def own(self, ids: Iterable[str]) -> dict[str, bytes | None]:
        """Return the rows of tables of this server; None for one that is closed or not listed."""
        return {id: self._encoded(id) if id in self._tables.shells else None for id in ids}

    def hear(self, node: int, changed: Mapping[str, bytes], closed: Iterable[str], all: bool) -> None:
        """Note the rows of another node; if *all*, it has no other tables."""
        rows = self.remote.setdefault(node, {})
        gone = set(closed) | (set(rows) - set(changed) if all else set())
        for id in gone:
            rows.pop(id, None)
        rows.update(changed)
        if not rows:
            del self.remote[node]
        self._tables.touch_remote({*gone, *changed})

    def _enter(self) -> None:
        self._readers += 1
        if self._tables.touched is None:
            self._tables.touched = set()

    def _leave(self) -> None:
        self._readers -= 1
        if not self._readers:  # changes are noted only while there are readers
            self._tables.touched = None
            self._rows.clear()
            self._frames.clear()


def _encoded(rows: Iterable[bytes]) -> list[TableRow]:
    """Return rows that were encoded when their tables changed, for a frame."""
    return cast(list[TableRow], [msgspec.Raw(row) for row in rows])  # encoded like the rows themselves


def _cut(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield *items* in parts that fit into a frame."""
    part: list[T] = []
    size = 0
    for item in items:
        if part and size + len(item) > _ROOM:
            yield part
            part, size = [], 0
        part.append(item)
        size += len(item) + 3
    if part:
        yield part
