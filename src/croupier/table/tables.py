"""All tables of a server: opening, finding, listing, restoring after a restart."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import msgspec

from croupier.core import record
from croupier.core.chance import derived_seed
from croupier.core.contract import Game
from croupier.core.refusal import Refusal
from croupier.games import game as find_game
from croupier.store.api import Store, StoreError, TableRow
from croupier.table import journal
from croupier.table.bot_pool import BotPool
from croupier.table.changes import Changing
from croupier.table.setup import Setup, setup_of
from croupier.table.shell import Shell
from croupier.table.table import Table
from croupier.wire.identity import Identities
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import PLAYING, Hang

log = logging.getLogger(__name__)

DEFAULT: Final = "default"
"""The table at the root of the port; it is never closed for being empty."""
MOST_TABLES: Final = 5000
"""The default limit of open tables, which use memory until they are closed."""
UNUSED: Final = 600.0
"""Seconds after which a table without connections and without a running game is closed."""


CHUNK: Final = 50
"""The number of tables whose journals are read at a time after a restart."""


def entropy_of(seed: str | None) -> Callable[[int, int], bytes]:
    """Return the source of a table's random bytes: the system, or a function of *seed*."""
    if seed is None:
        return lambda match, deal: secrets.token_bytes(32)
    return lambda match, deal: derived_seed(seed, match, deal)


def clock_text() -> str:
    """Return the date and time for journals and lists."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class _Unrestored:
    """A table that has not been restored yet, and the first line of its journal that is needed."""

    row: TableRow
    first: int


class Tables(Changing):
    """The running tables by their ids."""

    def __init__(
        self,
        store: Store,
        most_tables: int = MOST_TABLES,
        bot_pool: BotPool | None = None,
        clock: Callable[[], float] | None = None,
        identities: Identities | None = None,
        match_ended: Callable[[], None] = lambda: None,
        table_closed: Callable[[str, str], None] = lambda game, id: None,
    ) -> None:
        """Without a *bot_pool* the heuristic decides for searching bots.

        *clock* returns the time; the default is the event loop's clock. *match_ended* is called when the end
        of a match has been stored, *table_closed* with the game and id of a table that has closed.
        """
        super().__init__()
        self.store = store
        self.clock = clock or asyncio.get_running_loop().time
        self.bot_pool = bot_pool
        self.identities = identities if identities is not None else Identities()
        self._match_ended = match_ended
        self._table_closed = table_closed
        self.most_tables = most_tables
        self.shells: dict[str, Shell] = {}
        self.created: dict[str, str] = {}
        self.broken: set[str] = set()
        """Tables that failed and are being rebuilt, or cannot be."""
        self._actions_before = 0
        """The number of actions at tables that are gone."""
        self._idle_since: dict[str, float] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._unrestored: dict[str, _Unrestored] = {}
        """Tables that were open when the server stopped and have not been restored yet."""
        self._restorer: asyncio.Task[None] | None = None
        self._restoring = asyncio.Lock()
        self._rebuilding: dict[str, asyncio.Task[None]] = {}
        self._ending: dict[str, asyncio.Task[None]] = {}

    async def open(self, game: Game, spec: TableSpec, id: str | None = None) -> Shell:
        """Open a table and return its shell; raise BadOptions if *spec* is invalid, Refusal if too many are
        open."""
        id = id if id is not None else self._fresh_id()
        if spec.seed is not None:  # a record must be able to hold it
            spec = msgspec.structs.replace(spec, seed=record.clean(spec.seed))
        setup = setup_of(id, game, spec)
        if len(self.shells) + len(self._unrestored) >= self.most_tables:
            raise Refusal("full", f"{self.most_tables} tables are open: try again later")
        kept = msgspec.structs.replace(
            spec,
            options=game.options.changed(setup.rules_options),
            table_options=game.table_options.changed(setup.table_options),
        )
        row = TableRow(id, game.name, msgspec.json.encode(kept).decode(), clock_text(), None)
        await self.store.open_table(row)
        return self._run(row, setup, [])

    async def recover(self) -> int:
        """Find every table that was open when the server stopped; return their number.

        A table is restored when it is requested (`find`); the others are restored in the background
        (`start_restoring`).
        """
        firsts = await self.store.last_matches()
        for row in await self.store.tables(open_only=True):
            self._unrestored[row.id] = _Unrestored(row, firsts.get(row.id, 0))
        return len(self._unrestored)

    def start_restoring(self) -> None:
        """Restore, one after the other, the tables that have not been requested."""
        self._restorer = asyncio.get_running_loop().create_task(self._restore_all())

    async def _restore_all(self) -> None:
        while self._unrestored:
            await self._restore(list(self._unrestored)[:CHUNK])
        log.info("all tables restored: %d open", len(self.shells))

    def unrestored(self, game: str) -> bool:
        """Return True while tables of *game* have not been restored."""
        return any(unrestored.row.game == game for unrestored in self._unrestored.values())

    async def restore_game(self, game: str) -> None:
        """Restore all tables of *game* now, before those of other games."""
        while wanted := [id for id, unrestored in self._unrestored.items() if unrestored.row.game == game]:
            await self._restore(wanted[:CHUNK])

    async def _restore(self, ids: Sequence[str]) -> None:
        """Restore tables; an error in one of them does not affect the others."""
        async with self._restoring:
            wanted = {id: self._unrestored[id] for id in ids if id in self._unrestored}
            try:
                logs = await self.store.logs({id: unrestored.first for id, unrestored in wanted.items()})
            except StoreError as error:
                logs = dict.fromkeys(wanted, error)
            for id, unrestored in wanted.items():
                await self._restore_one(unrestored, logs[id])
                self._unrestored.pop(id, None)
                await asyncio.sleep(0)  # let the running tables work in between

    async def _restore_one(self, unrestored: _Unrestored, lines: list[str] | StoreError) -> None:
        row = unrestored.row
        try:
            if isinstance(lines, StoreError):
                raise lines
            first = unrestored.first
            entries = [journal.decode(line) for line in lines]
            if first and not (isinstance(entries[0], journal.Began) and entries[0].seats):
                # The match was begun by an earlier version: the seats are only in the whole journal.
                first = 0
                entries = [journal.decode(line) for line in await self.store.log(row.id)]
            spec = msgspec.json.decode(row.config, type=TableSpec)
            if spec.closes_empty and not entries:
                await self.store.close_table(row.id, clock_text())  # it never had a player
            else:
                self._run(row, setup_of(row.id, find_game(row.game), spec), entries, first)
        except Exception:
            self.broken.add(row.id)
            log.exception("table %s cannot be rebuilt; it stays unavailable and its journal is kept", row.id)
        else:
            self.broken.discard(row.id)

    def _run(self, row: TableRow, setup: Setup, entries: Sequence[journal.AnyEntry], first: int = 0) -> Shell:
        setup.identities = self.identities
        table = self._new_table(setup)
        effects = table.restore(entries, self.clock(), first) if entries else []
        shell = Shell(
            table,
            self.store,
            self._change,
            self._broke,
            self._closed,
            self._match_ended,
            self.bot_pool,
            self.clock,
        )
        shell.resume(entries, first)
        self.shells[row.id] = shell
        self.created[row.id] = row.created
        shell.start(effects)
        self._change()
        return shell

    def _new_table(self, setup: Setup) -> Table:
        return Table(setup, entropy_of(setup.spec.seed), clock_text)

    def _fresh_id(self) -> str:
        while True:
            id = secrets.token_hex(4)
            if id not in self.shells and id not in self._unrestored:
                return id

    async def find(self, id: str) -> Shell | None:
        """Return the shell of a table, or None; wait for a table that is being rebuilt."""
        if id in self._unrestored:
            await self._restore([id])
        if id in self._rebuilding:
            await asyncio.wait([self._rebuilding[id]])
        return self.shells.get(id)

    def actions(self) -> int:
        """Return the number of actions stored since the start."""
        return self._actions_before + sum(shell.actions for shell in self.shells.values())

    # Failing and closing.

    def _broke(self, shell: Shell) -> None:
        """Disconnect the peers of a table that failed, and rebuild it from its journal."""
        id = shell.table.id
        self._forget(shell)
        self.broken.add(id)
        shell.stop(Hang(1011, "this table failed and is being rebuilt: connect again"))
        task = asyncio.get_running_loop().create_task(self._rebuild(id))
        self._rebuilding[id] = task
        task.add_done_callback(lambda _: self._rebuilding.pop(id, None))

    async def _rebuild(self, id: str) -> None:
        await asyncio.sleep(1.0)  # limits the load of a table that fails again at once
        try:
            row = await self.store.table(id)
            first = (await self.store.last_matches()).get(id, 0)
        except StoreError:
            log.exception("table %s cannot be rebuilt; it stays unavailable and its journal is kept", id)
            return
        if row is not None and row.closed is None:
            self._unrestored[id] = _Unrestored(row, first)
            await self._restore([id])
        self._change()

    async def close_table(self, id: str, reason: str) -> None:
        """Close a table permanently; raise StoreError if that cannot be stored."""
        shell = self.shells[id]
        await shell.close(reason)
        ending = self._ending.get(id)
        if ending is not None:
            await ending

    def _closed(self, shell: Shell) -> None:
        """Remove a table that has closed."""
        id = shell.table.id
        self._forget(shell)
        task = asyncio.get_running_loop().create_task(self._put_away(id))
        self._ending[id] = task
        task.add_done_callback(lambda _: self._ending.pop(id, None))
        self._change()
        self._table_closed(shell.table.game.name, id)

    def _forget(self, shell: Shell) -> None:
        self.shells.pop(shell.table.id, None)
        self.created.pop(shell.table.id, None)
        self._idle_since.pop(shell.table.id, None)
        self._actions_before += shell.actions

    async def _put_away(self, id: str) -> None:
        try:
            await self.store.close_table(id, clock_text())
        except StoreError:
            log.exception("table %s could not be marked as closed; it will be open again after a restart", id)

    def start_sweeping(self) -> None:
        """Close unused tables periodically, in the background."""
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(UNUSED / 10)
            for id, shell in list(self.shells.items()):
                table = shell.table
                expected = table.spec.guests and not table.match  # its match begins after the wait for guests
                if shell.peers or table.phase == PLAYING or expected or id == DEFAULT:
                    self._idle_since.pop(id, None)
                elif loop.time() - self._idle_since.setdefault(id, loop.time()) > UNUSED:
                    with contextlib.suppress(StoreError):  # the shell logs the error and the table is rebuilt
                        await self.close_table(id, "nobody was here for a while")

    async def stop(self, reason: str) -> None:
        """Tell all connections and end all tasks; the tables continue after a restart."""
        for task in [*self._rebuilding.values(), self._sweeper, self._restorer]:
            if task is not None:
                task.cancel()
        for shell in list(self.shells.values()):
            shell.shut_down(reason)
        await asyncio.gather(*self._ending.values())
        self.shells.clear()
