"""Tournaments of a server: announced, entered, played at its tables, with standings as they change.

A table of a round reserves its seats for the entrants assigned to them. They join it over any protocol in the
way a player returns to a seat, by name and token. Every change is stored before it is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from itertools import chain
from typing import Final, Literal

import msgspec

from croupier.core import record
from croupier.core.refusal import Refusal
from croupier.games import game as find_game
from croupier.store.api import StoreUnavailable
from croupier.table.archive import read_record
from croupier.table.changes import Changing
from croupier.table.tables import Tables
from croupier.tournaments.tournament import (
    CALLED_OFF,
    OPEN,
    OVER,
    RUNNING,
    Board,
    Entrant,
    Tournament,
    finished,
    next_round,
    whole,
    withdraw,
)
from croupier.wire.identity import Account, Identities, fold
from croupier.wire.table_spec import Guest, TableSpec

log = logging.getLogger(__name__)

REALM: Final = "tournaments"
MOST_OPEN: Final = 50
"""How many tournaments may be announced or under way at once."""
MOST_BY_ONE: Final = 10
"""How many of them may have been announced from one address or with one account or token."""
AGAIN: Final = 5.0
"""Seconds until a retry after the tables or the store have refused an operation."""


class Tournaments(Changing):
    """All tournaments of a server."""

    def __init__(self, tables: Tables, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self.all: dict[str, Tournament] = {}
        self._tables = tables
        self._clock = clock
        self._from: dict[str, str] = {}
        """The addresses from which tournaments were announced since the start."""
        self._lock = asyncio.Lock()
        self._bell = asyncio.Event()

    async def load(self) -> None:
        """Read the stored tournaments."""
        for id, data in (await self._tables.store.kept(REALM)).items():
            made = self.all[id] = msgspec.json.decode(data, type=Tournament)
            for board in chain.from_iterable(made.played):
                if board.match and not board.places:  # aborted, or stored without scores by version 0.2
                    await self._read_result(board, made.game)

    async def announce(self, made: Tournament, address: str) -> None:
        """Add a new tournament that has been checked."""
        async with self._lock:
            current = [id for id, one in self.all.items() if one.phase in (OPEN, RUNNING)]
            if len(current) >= MOST_OPEN:
                raise Refusal("full", f"{MOST_OPEN} tournaments are announced: try again later")
            self._from = {id: self._from[id] for id in current if id in self._from}
            own = sum(self.all[id].owner == made.owner != "" for id in current)
            if max(own, list(self._from.values()).count(address)) >= MOST_BY_ONE:
                words = f"{MOST_BY_ONE} of your tournaments are not over: cancel one or wait"
                raise Refusal("full", words)
            await self._keep(made)
            self._from[made.id] = address

    async def change(self, id: str, how: Callable[[Tournament], None]) -> Tournament:
        """Change a tournament by *how*; the change is stored before it is visible."""
        async with self._lock:
            copy = msgspec.convert(msgspec.to_builtins(self.all[id]), Tournament)
            how(copy)
            await self._keep(copy)
            return copy

    async def forget(self, account: Account) -> None:
        """Withdraw an account that is deleted from the tournaments that have not begun."""

        def go(copy: Tournament) -> None:
            settle(copy, self._tables.identities)
            withdraw(copy, account.id)

        def disown(copy: Tournament) -> None:
            copy.owner = ""

        for id, one in list(self.all.items()):
            if one.owner and self._tables.identities.person(one.owner) == account.id:
                await self.change(id, disown)
            with contextlib.suppress(Refusal):
                await self.change(id, go)

    def held(self, key: str) -> str | None:
        """Return the mark with which the name *key* is entered in tournaments that are not over.

        None if it is not entered; empty, which matches nobody, if several entrants have that name.
        """
        current = [one for one in self.all.values() if one.phase in (OPEN, RUNNING)]
        tokens = {who.token for one in current for who in one.entrants if fold(who.name) == key}
        return tokens.pop() if len(tokens) == 1 else "" if tokens else None

    async def _keep(self, made: Tournament) -> None:
        await self._tables.store.keep(REALM, made.id, msgspec.json.encode(made).decode())
        self.all[made.id] = made
        self._change()
        self._bell.set()

    # Playing.

    async def run(self) -> None:
        """Start tournaments and rounds when they are due, as long as the server runs."""
        while True:
            seen = self._tables.changes
            self._bell.clear()
            again = self._clock() + 3600.0
            for id in list(self.all):
                try:
                    await self._advance(id)
                except StoreUnavailable:
                    again = self._clock() + AGAIN
                except Exception:  # any error: the other tournaments continue
                    log.exception("advancing tournament %s failed; retrying in %g s", id, AGAIN)
                    again = self._clock() + AGAIN
            starts = [one.starts for one in self.all.values() if one.phase == OPEN]
            running = any(one.phase == RUNNING for one in self.all.values())
            wait = max(0.0, min([*starts, again]) - self._clock())
            await self._rest(wait, seen if running else None)

    async def _rest(self, wait: float, seen: int | None) -> None:
        """Wait for the next start, a new entry, or a table that has ended."""
        news: list[asyncio.Task[int] | asyncio.Task[Literal[True]]]
        news = [asyncio.create_task(self._bell.wait())]
        if seen is not None:
            news.append(asyncio.create_task(self._tables.changed(seen)))
        try:
            await asyncio.wait(news, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in news:
                task.cancel()
            await asyncio.gather(*news, return_exceptions=True)

    async def _advance(self, id: str) -> None:
        made = self.all[id]
        if made.phase == OPEN and made.starts <= self._clock():
            await self.change(id, lambda copy: _start(copy, self._tables.identities))
            made = self.all[id]
        if made.phase != RUNNING:
            return
        for number, board in enumerate(made.played[-1]):
            if not board.match:
                await self._look(made, number)
        if whole(self.all[id].played[-1]):
            await self.change(id, _go_on)
            if self.all[id].phase == RUNNING:
                await self._advance(id)

    async def _look(self, made: Tournament, number: int) -> None:
        """Open a table that is due, or store how its match has ended."""
        board = made.played[-1][number]
        row = await self._tables.store.table(board.table)
        if row is None:
            await self._open(made, board)
            return
        if await self._tables.find(board.table) is not None or board.table in self._tables.broken:
            return
        match = await self._tables.store.match(f"{board.table}-1")
        if match is not None and match.ended is None and row.closed is None:
            return  # it is being closed
        ended = Board(board.table, board.seats, f"{board.table}-1")
        await self._read_result(ended, made.game)

        def note(copy: Tournament) -> None:
            copy.played[-1][number] = ended

        await self.change(made.id, note)

    async def _read_result(self, board: Board, game: str) -> None:
        """Set scores and places of a match that has ended; nothing changes if it was aborted."""
        match = await self._tables.store.match(board.match)
        if match is not None and match.result is not None:
            written = await read_record(self._tables.store, match)
            state = await asyncio.to_thread(record.replay, written, find_game(game))
            board.scores, board.places = state.scores(), state.places()

    async def _open(self, made: Tournament, board: Board) -> None:
        await self._tables.open(find_game(made.game), spec_of(made, board), board.table)


def spec_of(made: Tournament, board: Board) -> TableSpec:
    """Return the table at which *board* is played."""
    guests: list[Guest] = []
    for entrant in board.seats:
        one = made.entrants[entrant] if entrant >= 0 else Entrant("", "", person=False)
        guests.append(Guest(made.name_of(entrant), one.token, one.person))
    return TableSpec(
        seats=["person" if entrant >= 0 else f"bot {made.fill}" for entrant in board.seats],
        options=made.options,
        table_options=made.table_options,
        auto_cycle=True,  # a match may have several games
        single=True,
        guests=guests,
        patience=made.patience,
    )


def settle(made: Tournament, identities: Identities) -> None:
    """Replace the tokens of guests who now have an account with its id; if an account has several entries,
    the first counts.
    """
    made.owner = made.owner and identities.person(made.owner)
    found: dict[str, Entrant] = {}
    for one in made.entrants:
        person = identities.person(one.token)
        found.setdefault(person, msgspec.structs.replace(one, token=person))
    made.entrants = list(found.values())


def _start(made: Tournament, identities: Identities) -> None:
    settle(made, identities)
    made.phase = RUNNING if made.entrants else CALLED_OFF
    if made.entrants:
        _deal_out(made)


def _go_on(made: Tournament) -> None:
    if finished(made):
        made.phase = OVER
    else:
        _deal_out(made)


def _deal_out(made: Tournament) -> None:
    made.played.append([Board(secrets.token_hex(4), seats) for seats in next_round(made)])
