"""Quick matches: one request finds a public table of a game where a person may sit down, or opens one."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from aiohttp import web

from croupier.core.contract import Game
from croupier.core.refusal import Refusal
from croupier.games import UnknownGame, names
from croupier.games import game as find_game
from croupier.http import Route, body
from croupier.net.api import addresses, owners
from croupier.net.table_list import TableFeed, row
from croupier.table.tables import Tables
from croupier.wire.house_messages import QuickMatch, TableRow
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import BOT, CLOSED, GATHERING, PERSON

_FLAG: Final = b'"quick_match":true'


def spec_of(game: Game, wait: float, owners: list[str]) -> TableSpec:
    """Return the table of a quick match: the usual rules for people, with clocks; bots come after *wait*
    seconds."""
    preset = game.presets[0] if game.presets else None
    seats = (preset.seats if preset is not None else None) or max(game.seats)
    return TableSpec(
        seats=[PERSON] * seats,
        options=preset.options if preset is not None else {},
        table_options=game.for_people,
        quick_match=wait,
        owners=owners,
    )


def has_room(table: TableRow, game: str) -> bool:
    """Return True if a person may sit down at *table*, now or at the next deal, with another person there."""
    if not table.quick_match or table.game != game or table.phase == CLOSED:
        return False
    return _people(table) > 0 and any(
        not seat.name or (seat.kind == BOT and not seat.next) for seat in table.seats
    )


def nearest(found: list[TableRow]) -> TableRow | None:
    """Return the best of these tables: one that waits, with the most people, the oldest."""
    return min(
        found, key=lambda table: (table.phase != GATHERING, -_people(table), table.number), default=None
    )


def _people(table: TableRow) -> int:
    return sum(seat.connected for seat in table.seats if seat.kind != BOT)


class QuickMatches:
    """Finds and opens the tables of quick matches."""

    def __init__(self, tables: Tables, feed: TableFeed, wait: float) -> None:
        self._tables = tables
        self._feed = feed
        self._wait = wait
        self._opening = asyncio.Lock()
        self._fresh: dict[str, str] = {}
        """The last table that was opened for each game; the person for whom it was opened may not have joined
        yet.
        """

    async def table(self, game: Game, owners: list[str]) -> str:
        """Return the id of a table of *game* with room for a person; raise Refusal if none can be opened."""
        async with self._opening:  # so that two simultaneous requests get the same table
            found = nearest([table for table in self._rows() if has_room(table, game.name)])
            if found is not None:
                return found.id
            fresh = self._tables.shells.get(self._fresh.get(game.name, ""))
            if fresh is not None and not fresh.table.entries:
                return fresh.table.id
            shell = await self._tables.open(game, spec_of(game, self._wait, owners))
            self._fresh[game.name] = shell.table.id
            return shell.table.id

    def _rows(self) -> list[TableRow]:
        """Return the tables of quick matches, those of other nodes too."""
        own = [row(self._tables, shell) for shell in self._tables.shells.values() if shell.table.quick_match]
        far = [found for rows in self._feed.remote.values() for found in rows.values() if _FLAG in found]
        return own + [msgspec.json.decode(found, type=TableRow) for found in far]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """POST /api/quick-match"""
        name = (await body(request, QuickMatch)).game
        if name not in names():
            raise Refusal("no_such_game", str(UnknownGame(name)))
        game = find_game(name)
        return addresses(request, await self.table(game, owners(request)), game.name, 200)

    def routes(self) -> list[Route]:
        """Return the HTTP route."""
        return [("POST", "/api/quick-match", self.answer)]
