"""All the tables of a server: opening, finding, listing, bringing back after a restart."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from croupier.bots.strengths import names
from croupier.core import record
from croupier.core.chance import derived_seed
from croupier.core.contract import Game
from croupier.core.options import BadOptions, Value
from croupier.games import game as find_game
from croupier.store.api import Store, StoreError, TableRow
from croupier.table import journal
from croupier.table.effects import Guest, Setup
from croupier.table.runner import Runner
from croupier.table.scribe import Scribe
from croupier.table.seating import arrangement_error
from croupier.table.table import Table
from croupier.table.thinkers import Thinkers
from croupier.wire.accounts import Register
from croupier.wire.talk import PLAYING, Hang, Wish

log = logging.getLogger(__name__)

DEFAULT: Final = "default"
"""The table at the root of the port; it is never swept away."""
MOST_TABLES: Final = 5000
"""More a server does not open unless told to: each takes memory until nobody visits it any more."""
LONGEST_DELAY: Final = 600
"""So many seconds later than players watchers may hear of a match."""
FORGOTTEN: Final = 600.0
"""Seconds after which a table where nobody is and nothing happens is closed."""


class HallFull(Exception):
    """No more tables can be opened now."""


class Config(msgspec.Struct, omit_defaults=True):
    """A table's set-up as the store keeps it."""

    seats: list[str]
    options: dict[str, Value] = {}
    table_options: dict[str, Value] = {}
    seed: str | None = None
    secret_seed: bool = False
    auto_cycle: bool = False
    start: bool = True
    watch_open: bool = False
    watch_delay: int = 0
    anybody_starts: bool = False
    seat_tokens: list[str] = []
    draws: list[list[str]] = []
    single: bool = False
    private: bool = False
    guests: list[Guest | None] = []
    patience: float = 0.0
    filler: str = ""
    opening: list[str] = []
    """Lines of a journal, with which the first match begins."""


def config_of(wish: Wish) -> Config:
    """Return what a conversation wishes for as the store keeps it."""
    opening = [
        journal.Drew(list(words)) if seat < 0 else journal.Acted(seat, list(words))
        for seat, words in wish.opening
    ]
    return Config(
        seats=list(wish.seats),
        options=dict(wish.options),
        table_options=dict(wish.table_options),
        seed=wish.seed,
        secret_seed=True,
        auto_cycle=wish.auto_cycle,
        seat_tokens=list(wish.seat_tokens),
        draws=[list(draw) for draw in wish.draws],
        single=wish.single,
        private=wish.private,
        filler=wish.filler,
        opening=[journal.encode(entry) for entry in opening],
    )


def setup_of(id: str, game: Game, config: Config) -> Setup:
    """Return the checked set-up of a table; BadOptions says what is wrong."""
    if len(config.seats) not in game.seats:
        expected = " or ".join(str(n) for n in game.seats)
        raise BadOptions(f"{len(config.seats)} seats: {game.title} is played by {expected}")
    wrong = arrangement_error(game, config.seats, len(config.seats))
    if wrong:
        raise BadOptions(wrong)
    if config.seat_tokens and len(config.seat_tokens) != len(config.seats):
        raise BadOptions(f"option seat_tokens: {len(config.seat_tokens)} given, expected one a seat or none")
    if not 0 <= config.watch_delay <= LONGEST_DELAY:
        raise BadOptions(f"watch_delay={config.watch_delay}: expected 0…{LONGEST_DELAY} seconds")
    if config.filler and config.filler not in (known := names(game)):
        raise BadOptions(f"bots={config.filler}: expected one of {', '.join(known)}")
    rules_options = game.options.read(config.options)
    game.new(rules_options, len(config.seats))  # some options fit some numbers of seats only
    return Setup(
        id=id,
        game=game,
        rules_options=rules_options,
        table_options=game.table_options.read(config.table_options),
        seats=config.seats,
        seed=config.seed,
        secret_seed=config.secret_seed,
        auto_cycle=config.auto_cycle,
        start=config.start,
        watch_open=config.watch_open,
        watch_delay=config.watch_delay,
        anybody_starts=config.anybody_starts,
        seat_tokens=config.seat_tokens,
        draws=config.draws,
        single=config.single,
        private=config.private,
        guests=config.guests,
        patience=config.patience,
        filler=config.filler,
        opening=[_opening(line) for line in config.opening],
    )


def _opening(line: str) -> journal.Drew | journal.Acted:
    entry = journal.decode(line)
    if not isinstance(entry, journal.Drew | journal.Acted):
        raise BadOptions(f"option opening: {line[:40]}, expected a draw or an action")
    return entry


def entropy_of(seed: str | None) -> Callable[[int, int], bytes]:
    """Return the chance of a table: the system's, or what follows from *seed*."""
    if seed is None:
        return lambda match, deal: secrets.token_bytes(32)
    return lambda match, deal: derived_seed(seed, match, deal)


def clock_text() -> str:
    """Return the date and time for journals and lists."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Hall:
    """The running tables by their ids. One per process."""

    def __init__(
        self, store: Store, most_tables: int = MOST_TABLES, thinkers: Thinkers | None = None
    ) -> None:
        """*thinkers* think for searching bots; without any the heuristic decides for them."""
        self.store = store
        self.thinkers = thinkers
        self.register = Register()
        self.scribe = Scribe(store, clock_text)
        self.most_tables = most_tables
        self.runners: dict[str, Runner] = {}
        self.created: dict[str, str] = {}
        self.broken: set[str] = set()
        """Tables that failed and are being rebuilt, or cannot be."""
        self.changes = 0
        """Counts up whenever a list of the tables would look different."""
        self._changed = asyncio.Event()
        self._actions_before = 0
        """What tables that are gone have stored."""
        self._idle_since: dict[str, float] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._reviving: dict[str, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()

    async def open(self, game: Game, config: Config, id: str | None = None) -> Runner:
        """Open a table and return its runner; HallFull when there are too many."""
        if len(self.runners) >= self.most_tables:
            raise HallFull(f"{self.most_tables} tables are open: try again later")
        id = id if id is not None else self._fresh_id()
        if config.seed is not None:  # a record must be able to hold it
            config = msgspec.structs.replace(config, seed=record.clean(config.seed))
        setup = setup_of(id, game, config)
        row = TableRow(id, game.name, msgspec.json.encode(config).decode(), clock_text(), None)
        await self.store.open_table(row)
        return self._run(row, setup, [])

    async def recover(self) -> int:
        """Bring back every table that was open when the server stopped; return how many."""
        for row in await self.store.tables(open_only=True):
            await self._revive(row)
        self.scribe.poke()
        return len(self.runners)

    async def _revive(self, row: TableRow) -> None:
        """Bring a table back; one that cannot be is left alone, for the others must not suffer."""
        try:
            config = msgspec.json.decode(row.config, type=Config)
            entries = [journal.decode(line) for line in await self.store.log(row.id)]
            self._run(row, setup_of(row.id, find_game(row.game), config), entries)
        except Exception:
            self.broken.add(row.id)
            log.exception("table %s cannot be rebuilt; its journal is kept", row.id)
        else:
            self.broken.discard(row.id)

    def _run(self, row: TableRow, setup: Setup, entries: Sequence[journal.AnyEntry]) -> Runner:
        setup.register = self.register
        table = Table(setup, entropy_of(setup.seed), clock_text)
        effects = table.restore(entries, asyncio.get_running_loop().time()) if entries else []
        runner = Runner(
            table, self.store, self._change, self._broke, self._closed, self.scribe.poke, self.thinkers
        )
        runner.resume(entries)
        self.runners[row.id] = runner
        self.created[row.id] = row.created
        runner.start(effects)
        self._change()
        return runner

    def _fresh_id(self) -> str:
        while True:
            id = secrets.token_hex(4)
            if id not in self.runners:
                return id

    async def find(self, id: str) -> Runner | None:
        """Return the runner of a table, if there is one; a table that is being rebuilt is waited for."""
        if id in self._reviving:
            await asyncio.wait([self._reviving[id]])
        return self.runners.get(id)

    def actions(self) -> int:
        """Return how many actions have been stored since the start."""
        return self._actions_before + sum(runner.actions for runner in self.runners.values())

    # Changes, for the lobby.

    def _change(self) -> None:
        self.changes += 1
        self._changed.set()

    async def changed(self, since: int) -> int:
        """Wait until something is different from what it was at change *since*; return the count."""
        while self.changes == since:
            self._changed.clear()
            await self._changed.wait()
        return self.changes

    # Ends.

    def _broke(self, runner: Runner) -> None:
        """A table failed: cut its peers and rebuild it from its journal."""
        runner.stop(Hang(1011, "this table broke and is being rebuilt: come back"))
        self.runners.pop(runner.table.id, None)
        self.broken.add(runner.table.id)
        self._actions_before += runner.actions
        id = runner.table.id
        task = asyncio.get_running_loop().create_task(self._rebuild(id))
        self._reviving[id] = task
        task.add_done_callback(lambda _: self._reviving.pop(id, None))

    async def _rebuild(self, id: str) -> None:
        await asyncio.sleep(1.0)  # a table that breaks at once again must not eat the processor
        try:
            row = await self.store.table(id)
        except StoreError:
            log.exception("table %s cannot be rebuilt; its journal is kept", id)
            return
        if row is not None and row.closed is None:
            await self._revive(row)
        self._change()

    async def close_table(self, id: str, reason: str) -> None:
        """Close a table for good."""
        runner = self.runners.pop(id)
        self.created.pop(id, None)
        self._actions_before += runner.actions
        await runner.close(reason)
        await self.store.close_table(id, clock_text())
        self._change()

    def _closed(self, runner: Runner) -> None:
        """A table has closed by itself."""
        runner.stop(Hang(1000, "the match is over"))
        if self.runners.pop(runner.table.id, None) is None:
            return  # whoever closes it does the rest
        self.created.pop(runner.table.id, None)
        self._actions_before += runner.actions
        task = asyncio.get_running_loop().create_task(self._put_away(runner.table.id))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        self._change()

    async def _put_away(self, id: str) -> None:
        try:
            await self.store.close_table(id, clock_text())
        except StoreError:
            log.exception("table %s cannot be closed; after a restart it is open again", id)

    def start_sweeping(self) -> None:
        """Close tables that nobody visits any more, now and then."""
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(FORGOTTEN / 10)
            for id, runner in list(self.runners.items()):
                table = runner.table
                expected = table.setup.guests and not table.match  # it begins when its patience ends
                if runner.peers or table.phase == PLAYING or expected or id == DEFAULT:
                    self._idle_since.pop(id, None)
                elif loop.time() - self._idle_since.setdefault(id, loop.time()) > FORGOTTEN:
                    self._idle_since.pop(id, None)
                    try:
                        await self.close_table(id, "nobody was here for a while")
                    except StoreError:
                        log.exception("table %s cannot be closed; after a restart it is open again", id)

    async def stop(self, reason: str) -> None:
        """Tell everybody and end all tasks; the tables go on after a restart."""
        for task in [*self._reviving.values(), *([self._sweeper] if self._sweeper else [])]:
            task.cancel()
        runners = list(self.runners.values())
        for runner in runners:
            runner.say_goodbye(reason)
        await asyncio.gather(
            *(runner.task for runner in runners if runner.task is not None), return_exceptions=True
        )
        await asyncio.gather(*self._ending)
        await self.scribe.stop()
        self.runners.clear()
