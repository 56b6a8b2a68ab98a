"""All tables of a server: opening, finding, listing, restoring after a restart."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from math import inf
from typing import Final, TypeVar

import msgspec

from croupier.core import record
from croupier.core.chance import derived_seed
from croupier.core.contract import Game
from croupier.core.histogram import Histogram
from croupier.core.refusal import Refusal
from croupier.games import game as find_game
from croupier.store.api import Store, StoreError, StoreUnavailable, TableRow, report
from croupier.table import journal
from croupier.table.bot_pool import BotPool
from croupier.table.changes import Changing
from croupier.table.setup import Setup, setup_of
from croupier.table.shell import OnReport, Shell, no_report
from croupier.table.table import Table
from croupier.wire import talk
from croupier.wire.identity import Identities
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import BOT, PLAYING, Disconnect
from croupier.wire.token_bucket import TokenBuckets

log = logging.getLogger(__name__)

T = TypeVar("T")

DEFAULT: Final = "default"
"""The table at the root of the port; it is never closed for being empty."""
MOST_TABLES: Final = 5000
"""The default limit of open tables, which use memory until they are closed."""
VACATED: Final = 120.0
"""Seconds after which a table that everyone has left is closed."""
OPENING_SECONDS: Final = 60.0
OPENINGS: Final = 2
"""One owner opens at most this many times `most_per_address` tables within `OPENING_SECONDS`."""
UNUSED: Final = 600.0
"""Seconds after which a table without connections is closed, unless a game is running that will end."""
REBUILD_SECONDS: Final = 1.0
"""The pause before a failed table is rebuilt; it limits the load if the table fails again at once."""


CHUNK: Final = 50
"""The number of tables whose journals are read at a time after a restart."""
STRETCH: Final = 0.005
"""The seconds for which tables are restored before the running tables get their turn."""


def entropy_of(seed: str | None) -> Callable[[int, int], bytes]:
    """Return the source of a table's random bytes: the system, or a function of *seed*."""
    if seed is None:
        return lambda match, deal: secrets.token_bytes(32)
    return lambda match, deal: derived_seed(seed, match, deal)


def clock_text() -> str:
    """Return the date and time for journals and lists."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _endless(table: Table) -> bool:
    """Return True if bots play one match after another at *table*, whether anyone watches or not."""
    return table.spec.auto_cycle and all(place.kind == BOT for place in table.places)


async def _patiently(read: Callable[[], Awaitable[T]]) -> T:
    """Return the result of *read*; repeat it while the database cannot be reached."""
    while True:
        try:
            return await read()
        except StoreUnavailable:  # the store reports it
            await asyncio.sleep(1.0)


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
        most_per_address: int = 0,
        bot_pause: float = 0.0,
        bot_pool: BotPool | None = None,
        clock: Callable[[], float] | None = None,
        identities: Identities | None = None,
        match_ended: Callable[[], None] = lambda: None,
        table_closed: Callable[[str, str], None] = lambda game, id: None,
        number_of: Callable[[TableRow], int] | None = None,
    ) -> None:
        """*most_per_address* limits what one address may have open: tables, for example; 0: no limit.
        *bot_pause* is the minimum number of seconds between two decisions at a table where only bots play.

        Without a *bot_pool* the heuristic decides for searching bots.

        *clock* returns the time; the default is the event loop's clock. *match_ended* is called when the end
        of a match has been stored, *table_closed* with the game and id of a table that has closed.
        *number_of* returns the number by which a table is listed; by default tables are counted.
        """
        super().__init__()
        self.store = store
        self.clock = clock or asyncio.get_running_loop().time
        self.bot_pool = bot_pool
        self.identities = identities if identities is not None else Identities()
        self._match_ended = match_ended
        self._table_closed = table_closed
        self._number_of = number_of or self._count
        self.most_tables = most_tables
        self.most_per_address = most_per_address
        self._bot_pause = bot_pause
        self.shells: dict[str, Shell] = {}
        self.created: dict[str, str] = {}
        self.told_times = Histogram()
        """How long it took from actions of players to the first event that everyone was told."""
        self.numbers: dict[str, int] = {}
        """The numbers by which tables are listed, newest first."""
        self._numbered = 0
        self.touched: set[str] | None = None
        """The tables that have changed, for a reader that empties the set; None if there is no reader."""
        self.news: set[str] | None = None
        """The same, for the announcements to other nodes."""
        self.on_report: OnReport = no_report
        self.broken: set[str] = set()
        """Tables that failed and are being rebuilt, or cannot be."""
        self._actions_before = 0
        """The number of actions at tables that are gone."""
        self._owned: Counter[str] = Counter()
        """The number of tables by owner (`TableSpec.owners`)."""
        many = OPENINGS * most_per_address
        self._openings = TokenBuckets(many or inf, (many or 1) / OPENING_SECONDS)
        """Limits how fast one owner opens tables."""
        self._idle_since: dict[str, float] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._unrestored: dict[str, _Unrestored] = {}
        """Tables that were open when the server stopped and have not been restored yet."""
        self._unrestored_of: Counter[str] = Counter()
        """Their number by game."""
        self._requested: dict[str, None] = {}
        """Those that are restored before the others, in the order of the requests."""
        self._restorer: asyncio.Task[None] | None = None
        self._restoring = asyncio.Lock()
        self._rebuilding: dict[str, asyncio.Task[None]] = {}
        self._ending: dict[str, asyncio.Task[None]] = {}

    async def open(self, game: Game, spec: TableSpec, id: str | None = None) -> Shell:
        """Open a table and return its shell; raise BadOptions if *spec* is invalid, Refusal if too many are
        open, in total or of one of its owners."""
        id = id if id is not None else self._fresh_id()
        if spec.seed is not None:  # a record must be able to hold it
            spec = msgspec.structs.replace(spec, seed=record.clean(spec.seed))
        setup = setup_of(id, game, spec)
        if len(self.shells) + len(self._unrestored) >= self.most_tables:
            raise Refusal("full", f"{self.most_tables} tables are open: try again later")
        if any(0 < self.most_per_address <= self._owned[owner] for owner in spec.owners):
            words = f"{self.most_per_address} tables of your address or account are open: try again later"
            raise Refusal("too_many", words)
        if not all(self._openings.take(owner, self.clock()) for owner in spec.owners):
            words = f"more than {OPENINGS * self.most_per_address} tables within a minute: try again later"
            raise Refusal("too_many", words, OPENING_SECONDS)
        kept = msgspec.structs.replace(
            spec,
            options=game.options.changed(setup.rules_options),
            table_options=game.table_options.changed(setup.table_options),
        )
        row = TableRow(id, game.name, msgspec.json.encode(kept).decode(), clock_text(), None)
        self._owned.update(spec.owners)  # before the next one is checked
        try:
            await self.store.open_table(row)
            return self._run(row, setup, [])
        finally:
            self._disown(spec)

    async def recover(self) -> int:
        """Find every table that was open when the server stopped; return their number.

        A table is restored when it is requested (`find`); the others are restored in the background
        (`start_restoring`).
        """
        firsts = await self.store.last_matches()
        for row in await self.store.tables(open_only=True):
            self._postpone(row, firsts.get(row.id, 0))
        return len(self._unrestored)

    def _postpone(self, row: TableRow, first: int) -> None:
        self._unrestored[row.id] = _Unrestored(row, first)
        self._unrestored_of[row.game] += 1

    def adopt(self, found: Iterable[tuple[TableRow, int]]) -> None:
        """Restore tables that this server has become the owner of, each from the number of its last match."""
        for row, first in found:
            if not self.has(row.id):
                self._postpone(row, first)
        if self._unrestored and (self._restorer is None or self._restorer.done()):
            self.start_restoring()

    def let_go(self, reason: str) -> None:
        """Stop serving all tables: another server continues them from their journals."""
        if self._restorer is not None:
            self._restorer.cancel()
        for task in self._rebuilding.values():
            task.cancel()
        self._unrestored.clear()
        self._unrestored_of.clear()
        self._requested.clear()
        self.broken.clear()
        for shell in list(self.shells.values()):
            self._forget(shell)
            shell.shut_down(reason)
            self._touch(shell.table.id)

    def touch_remote(self, ids: Iterable[str]) -> None:
        """Note that tables of other nodes have changed or closed."""
        if self.touched is not None:
            self.touched.update(ids)
        self._change()

    def start_restoring(self) -> None:
        """Restore, in the background, the tables that have not been requested."""
        self._restorer = asyncio.get_running_loop().create_task(self._restore_all())

    async def all_restored(self) -> None:
        """Wait until the tables have been restored in the background."""
        if self._restorer is not None:
            await asyncio.wait([self._restorer])

    async def _restore_all(self) -> None:
        while self._unrestored:
            async with self._restoring:
                await self._restore_some()
        log.info("tables restored: %d open", len(self.shells))

    def unrestored(self, game: str) -> bool:
        """Return True while tables of *game* have not been restored."""
        return self._unrestored_of[game] > 0

    async def restore_game(self, game: str) -> None:
        """Restore all tables of *game* now, before those of other games."""
        await self._restore([id for id, one in self._unrestored.items() if one.row.game == game])

    async def _restore(self, ids: Sequence[str]) -> None:
        """Restore tables before those that nobody has requested."""
        self._requested.update(dict.fromkeys(ids))
        for id in ids:
            while id in self._unrestored:
                async with self._restoring:
                    if id in self._unrestored:  # another request may have restored it in the meantime
                        await self._restore_some()

    async def _restore_some(self) -> None:
        """Restore some tables, requested ones first; an error in one of them does not affect the others."""
        ids = list(islice(self._requested or self._unrestored, CHUNK))
        wanted = {id: self._unrestored[id] for id in ids if id in self._unrestored}
        firsts = {id: unrestored.first for id, unrestored in wanted.items()}
        try:
            logs = await _patiently(lambda: self.store.logs(firsts))
        except StoreError as error:
            logs = dict.fromkeys(wanted, error)
        loop = asyncio.get_running_loop()
        since = loop.time()
        for id, unrestored in wanted.items():
            if self._unrestored.get(id) is not unrestored:
                continue  # it has been given up in the meantime
            await self._restore_one(unrestored, logs[id])
            del self._unrestored[id]
            self._unrestored_of[unrestored.row.game] -= 1
            if loop.time() - since > STRETCH:
                await asyncio.sleep(0)
                since = loop.time()
        for id in ids:
            self._requested.pop(id, None)

    async def _restore_one(self, unrestored: _Unrestored, lines: list[str] | StoreError) -> None:
        row = unrestored.row
        try:
            if isinstance(lines, StoreError):
                raise lines
            first = unrestored.first
            entries = journal.decode_all(lines)
            if first and not (isinstance(entries[0], journal.Began) and entries[0].seats):
                # The match was begun by an earlier version: the seats are only in the whole journal.
                first = 0
                entries = journal.decode_all(await self.store.log(row.id))
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
            partial(self._touch, row.id),
            self._broke,
            self._closed,
            self._match_ended,
            self.bot_pool,
            self.clock,
        )
        shell.told_times = self.told_times
        shell.on_report = self.on_report
        shell.resume(entries, first)
        self.shells[row.id] = shell
        self._owned.update(setup.spec.owners)
        self.created[row.id] = row.created
        self.numbers[row.id] = self._number_of(row)
        shell.start(effects)
        self._touch(row.id)
        return shell

    def _new_table(self, setup: Setup) -> Table:
        return Table(setup, entropy_of(setup.spec.seed), clock_text, bot_pause=self._bot_pause)

    def _touch(self, id: str) -> None:
        """Note that a table has changed or closed."""
        if self.touched is not None:
            self.touched.add(id)
        if self.news is not None:
            self.news.add(id)
        self._change()

    def _count(self, row: TableRow) -> int:
        self._numbered += 1
        return self._numbered

    def _fresh_id(self) -> str:
        while True:
            id = secrets.token_hex(4)
            if id not in self.shells and id not in self._unrestored:
                return id

    async def find(self, id: str) -> Shell | None:
        """Return the shell of a table, or None; wait for a table that is being rebuilt.

        Raise StoreUnavailable if it cannot be rebuilt at the moment.
        """
        if id in self._unrestored:
            await self._restore([id])
        if id in self._rebuilding:
            if self.store.failing:
                raise StoreUnavailable(f"table {id} waits until its moves can be stored")
            await asyncio.wait([self._rebuilding[id]])
        return self.shells.get(id)

    def has(self, id: str) -> bool:
        """Return True if the table is here, running or about to be restored."""
        return id in self.shells or id in self._unrestored or id in self._rebuilding or id in self.broken

    def actions(self) -> int:
        """Return the number of actions since the start that everyone has been told."""
        return self._actions_before + sum(shell.table.actions for shell in self.shells.values())

    # Failing and closing.

    def _broke(self, shell: Shell) -> None:
        """Disconnect the peers of a table that failed, and rebuild it from its journal."""
        id = shell.table.id
        self._forget(shell)
        self._touch(id)
        self.broken.add(id)
        shell.stop(Disconnect(1011, "this table failed and is being rebuilt: connect again"))
        task = asyncio.get_running_loop().create_task(self._rebuild(id))
        self._rebuilding[id] = task
        task.add_done_callback(lambda _: self._rebuilding.pop(id, None))

    async def _rebuild(self, id: str) -> None:
        while True:
            await asyncio.sleep(REBUILD_SECONDS)
            if not self.store.failing:
                break
        try:
            row = await _patiently(lambda: self.store.table(id))
            first = (await _patiently(self.store.last_matches)).get(id, 0)
        except StoreError as error:
            words = "table %s cannot be rebuilt; it stays unavailable and its journal is kept"
            log.error(f"{words}: %s", id, error)
            return
        if row is not None and row.closed is None:
            self._postpone(row, first)
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
        self._touch(id)
        self._table_closed(shell.table.game.name, id)

    def _forget(self, shell: Shell) -> None:
        if self.shells.pop(shell.table.id, None) is not None:
            self._disown(shell.table.spec)
        self.created.pop(shell.table.id, None)
        self.numbers.pop(shell.table.id, None)
        self._idle_since.pop(shell.table.id, None)
        self._actions_before += shell.table.actions

    def _disown(self, spec: TableSpec) -> None:
        self._owned.subtract(spec.owners)
        for owner in spec.owners:
            if not self._owned[owner]:
                del self._owned[owner]

    async def _put_away(self, id: str) -> None:
        try:
            await self.store.close_table(id, clock_text())
        except StoreError as error:
            words = "table %s could not be marked as closed; it will be open again after a restart"
            report(log, error, words, id)

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
                plays = table.phase == PLAYING and not _endless(table)
                if shell.peers or plays or expected or id == DEFAULT:
                    self._idle_since.pop(id, None)
                elif loop.time() - self._idle_since.setdefault(id, loop.time()) > (
                    VACATED if table.entries else UNUSED
                ):
                    with contextlib.suppress(StoreError):  # the shell logs the error and the table is rebuilt
                        await self.close_table(id, talk.DESERTED)

    async def stop(self, reason: str) -> None:
        """Tell all connections and end all tasks; the tables continue after a restart."""
        for task in [*self._rebuilding.values(), self._sweeper, self._restorer]:
            if task is not None:
                task.cancel()
        for shell in list(self.shells.values()):
            shell.shut_down(reason)
        await asyncio.gather(*self._ending.values())
        self.shells.clear()
