"""A whole server in memory and in virtual time: no sockets, no disk, no waiting.

Everything between the bytes of a connection and the store is real: connections, lobbies, shells and tables,
over a store in memory. `VirtualTable` is one table and its connections; `VirtualHouse` is a lobby with all
its tables. All frames sent to a client stay in its `frames`. `restart` simulates a kill: only the content of
the store survives.

When a table sends a message to a client, the server checks that all earlier actions of the table are stored.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from croupier.core.chance import Stream, derived_seed
from croupier.core.contract import BadDraw, Draw, Game
from croupier.core.refusal import Refusal
from croupier.net.connection import Connection
from croupier.net.lobby import LobbyServer
from croupier.net.lobby_connection import LobbyConnection
from croupier.net.outbox import Channel, nothing
from croupier.store.api import TableRow
from croupier.table import journal
from croupier.table.bot_pool import BotPool
from croupier.table.setup import Setup
from croupier.table.shell import Shell
from croupier.table.table import Table
from croupier.table.tables import Tables
from croupier.testing.clock import VirtualLoop
from croupier.testing.store import FaultyStore
from croupier.wire.identity import Account, Identities
from croupier.wire.lobby import Lobby
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Conversation, Disconnect, Frame, Note, Output, Request, TableInfo, token_digest

T = TypeVar("T")


class Client:
    """One connection: the frames it was sent, and the close code of the server, if any."""

    def __init__(self, house: House, conversation: Any) -> None:
        self._house = house
        self.conversation = conversation
        self.frames: list[str] = []
        self.disconnected: Disconnect | None = None
        self.connected = True
        self.connection: Connection
        self._read = 0
        self.reads = True
        """False if the client does not read, so that frames pile up."""
        self._unread = 0

    def channel(self) -> Channel:
        """Return the channel to this client, without a reference to the client."""
        me = weakref.ref(self)

        def send(frame: Frame) -> None:
            if (client := me()) is not None:
                client._deliver(frame)

        def waiting() -> int:
            client = me()
            return client._unread if client is not None else 0

        def close(disconnect: Disconnect) -> None:
            if (client := me()) is not None:
                client._disconnect(disconnect)

        return Channel(send, waiting, close, nothing)

    def send(self, *messages: object) -> None:
        """Send frames, all before the first is answered: text or bytes unchanged, anything else as JSON."""
        for message in messages:
            data = message if isinstance(message, str | bytes) else msgspec.json.encode(message).decode()
            if self.connected:
                self._house.call(self.connection.receive, data, settle=False)
        self._house.settle()

    def feed(self, data: bytes) -> None:
        """Send bytes, as over TCP."""
        assert isinstance(self.connection, LobbyConnection)
        if self.connected:
            self._house.call(self.connection.feed, data)

    def take(self, many: int | None = None) -> list[str]:
        """Return the frames since the last call, at most *many*."""
        fresh = self.frames[self._read :][:many]
        self._read += len(fresh)
        return fresh

    def read(self) -> list[dict[str, Any]]:
        """Return the frames since the last call, parsed as JSON objects."""
        return [msgspec.json.decode(frame, type=dict[str, Any]) for frame in self.take()]

    def drop(self) -> None:
        """Lose the connection."""
        if self.connected:
            self._house.lose(self)

    def _deliver(self, frame: Frame) -> None:
        if self.connected:
            text = frame if isinstance(frame, str) else frame.decode()
            if not self.reads:
                self._unread += len(text)
                return
            self.frames.append(text)
            self._house.watch(self._house.on_frame, self, text)

    def _disconnect(self, disconnect: Disconnect) -> None:
        if self.connected:
            self.disconnected = disconnect
            self._house.forget(self)
            self.connection.lose()


class House:
    """Tables, connections and time."""

    def __init__(self, seed: str, bot_pool: BotPool | None = None) -> None:
        """*seed* determines all random numbers; *bot_pool* runs searching bots, if there are any."""
        self.store = FaultyStore()
        self.bot_pool = bot_pool
        self.identities = Identities()
        self.clients: list[Client] = []
        self.on_frame: Callable[[Client, str], None] = lambda client, frame: None
        """Called with every frame when it is sent."""
        self.on_note: Callable[[Connection, Note], None] = lambda connection, note: None
        """Called with every note of a table to a connection of its own; watchers may share frames instead."""
        self.stacked: list[list[int]] = []
        """The first draws of every deal come from here, in order, while they fit; then from the seed."""
        self.seed = seed
        self.opened = 0
        """The number of tables opened so far."""
        self.may_break = False
        """True if the test expects tables to fail and to be rebuilt."""
        self._failures: list[BaseException] = []
        self._loop = VirtualLoop()
        self._loop.set_task_factory(_task)
        weakref.finalize(self, self._loop.close)
        self.all_tables: _Tables
        self.wait(self._open())

    async def _open(self) -> None:
        self.all_tables = _Tables(weakref.proxy(self))
        await self.all_tables.recover()
        self.all_tables.start_restoring()

    # Time.

    @property
    def now(self) -> float:
        return self._loop.time()

    def settle(self) -> None:
        """Process everything that can happen now."""
        self.advance(0.0)

    def advance(self, seconds: float) -> None:
        """Let time pass, processing everything that is due."""
        self._loop.run_until(self.now + seconds)
        if self._failures:
            raise self._failures.pop(0)
        assert self.may_break or not self.all_tables.broken, (
            f"tables broke (see the log): {self.all_tables.broken}"
        )

    def call(
        self, work: Callable[..., object], *arguments: object, after: float = 0.0, settle: bool = True
    ) -> None:
        """Run *work* as the event loop would, together with everything that it causes immediately.

        With *after* it runs that many seconds from now, during `advance`.
        """
        if after:
            self._loop.call_later(after, self.watch, work, *arguments)
        else:
            self._loop.call_soon(self.watch, work, *arguments)
        if settle:
            self.settle()

    def watch(self, work: Callable[..., object], *arguments: object) -> None:
        """Run *work*; an error fails the test even if the server could continue."""
        try:
            work(*arguments)
        except BaseException as error:
            self._failures.append(error)

    def wait(self, work: Awaitable[T]) -> T:
        """Return the result of *work*, which must finish without waiting."""
        found: list[T] = []

        async def run() -> None:
            try:
                found.append(await work)
            except BaseException as error:
                self._failures.append(error)

        task = self._loop.create_task(run())
        self.settle()
        assert task.done(), "the work needs time"
        return found[0]

    # Connections.

    def visit(self, id: str, converse: Callable[[TableInfo], Conversation], address: str = "here") -> Client:
        """Open a connection to a table, in a protocol whose address names it; the peer is at *address*."""
        shell = self.all_tables.shells[id]
        client = Client(self, converse(shell.table))
        client.conversation.address = address

        def begin() -> None:
            connection = _Connection(client.conversation, client.channel(), shell.clock, self.identities)
            connection.house = weakref.proxy(self)
            self._admit(client, connection)
            connection.enter(shell)
            connection.greet()

        self.call(begin)
        return client

    def _admit(self, client: Client, connection: Connection) -> None:
        client.connection = connection
        self.clients.append(client)

    def carry(self, client: Client, outputs: Iterable[Output]) -> None:
        """Carry out the outputs of the conversation of *client*."""
        self.call(client.connection.carry_out, list(outputs))

    def submit(self, client: Client, request: Request) -> None:
        """Send a request of *client* to the table, bypassing its wire."""
        assert client.connection.shell is not None
        self.call(client.connection.shell.post, client.connection, request)

    def lose(self, client: Client) -> None:
        """Close the connection of *client*."""
        self.forget(client)
        self.call(client.connection.lose)

    def forget(self, client: Client) -> None:
        """Note that *client* is disconnected."""
        client.connected = False
        if client in self.clients:
            self.clients.remove(client)

    def _kill(self) -> None:
        """Drop every connection, every table and everything that is not stored yet, without notice."""
        self.store.crash()
        for client in list(self.clients):
            self.forget(client)
        for shell in self.all_tables.shells.values():
            self.call(shell.stop, Disconnect(1006, "killed"), settle=False)

    def table_closed(self, id: str) -> None:
        """Note that a table has closed."""

    def check_stored(self, shell: Shell | None) -> None:
        """Check that all actions of a table are stored before it sends a message about them."""
        if shell is not None:
            done, stored = shell.table.entries, self.store.length(shell.table.id)
            if done != stored:
                words = (
                    f"table {shell.table.id} sends a message after line {done}, but {stored} lines are stored"
                )
                self._failures.append(AssertionError(words))


class VirtualTable(House):
    """One table and its connections."""

    def __init__(
        self, setup: Setup, stacked: Sequence[Sequence[int]] = (), bot_pool: BotPool | None = None
    ) -> None:
        """*stacked*: see `House.stacked`."""
        super().__init__("table", bot_pool)
        self.setup = setup
        self.stacked = [list(draw) for draw in stacked]
        self.table = self.wait(self.all_tables.lay(setup))

    @property
    def journal(self) -> list[journal.AnyEntry]:
        """Return the stored entries of the table."""
        return self.store.journal(self.table.id)

    def connect(self, converse: Callable[[TableInfo], Conversation], address: str = "here") -> Client:
        """Open a connection with the wire *converse*; the peer is at *address*."""
        return self.visit(self.table.id, converse, address)

    def close(self, reason: str) -> None:
        """Close the table."""
        self.wait(self.all_tables.close_table(self.table.id, reason))

    def restart(self) -> None:
        """Kill the table and bring it back from its journal: every connection is gone."""
        self._kill()
        self.table = self.wait(self.all_tables.lay(self.setup, self.journal))


class VirtualHouse(House):
    """A lobby, its tables and its connections."""

    def __init__(self, game: Game, lobby: Callable[..., Lobby], seed: str = "house") -> None:
        """*lobby* creates the lobby of the game's wire."""
        self.game = game
        self.passwords: dict[str, str] = {}
        """Accounts by name."""
        self.lobby_of = lobby
        """Creates the lobby, also at a restart."""
        self._server: _Server
        super().__init__(seed)

    async def _open(self) -> None:
        await super()._open()
        kept = await self.store.kept(self.game.name)
        self._server = _Server(self.all_tables, weakref.proxy(self), self.lobby_of, kept)

    @property
    def lobby(self) -> Any:
        return self._server.lobby

    def table_closed(self, id: str) -> None:
        self._server.table_closed(id)

    @property
    def kept(self) -> dict[str, str]:
        """Return the stored values of the lobby, by name."""
        return self.wait(self.store.kept(self.game.name))

    def tables(self) -> Sequence[TableInfo]:
        """Return the running tables, oldest first."""
        return [shell.table for shell in self.all_tables.shells.values()]

    def table(self, id: str) -> Table:
        """Return a running table."""
        return self.all_tables.shells[id].table

    def journal(self, id: str) -> list[journal.AnyEntry]:
        """Return the stored entries of a table."""
        return self.store.journal(id)

    def open(self, spec: TableSpec) -> Table:
        """Open a table, as the lobby in the browser does."""
        return self.wait(self.all_tables.open(self.game, spec)).table

    def close(self, id: str, reason: str) -> None:
        """Close a table."""
        self.wait(self.all_tables.close_table(id, reason))

    def account(self, name: str, password: str = "", token: str = "") -> Account:
        """Make an account, and a session with *token*."""
        account = Account(name, token_digest(f"account {name}"))
        self.identities.admit(account)
        self.passwords[name] = password
        if token:
            self.identities.open_session(token_digest(token), account)
        return account

    def connect(self, after: float = 0.0, address: str = "here", **how: Any) -> Client:
        """Open a connection to the lobby from *address*, now or *after* seconds; *how* is passed to
        `Lobby.conversation`."""
        client = Client(self, self.lobby.conversation(**how))

        def begin() -> None:
            connection = _LobbyConnection(client.conversation, client.channel(), self._server, address)
            connection.house = weakref.proxy(self)
            self._admit(client, connection)
            connection.begin()

        self.call(begin, after=after, settle=not after)
        return client

    def restart(self) -> None:
        """Kill the server and restart it: all connections are lost, and only stored data survives."""
        self._kill()
        self._server.kill()
        self.wait(self._open())


def _task(loop: asyncio.AbstractEventLoop, work: Any, **how: Any) -> asyncio.Task[Any]:
    """Return a task that may still be pending when its server is dropped, as if the process had been
    killed."""
    task = asyncio.Task(work, loop=loop, **how)
    task._log_destroy_pending = False  # type: ignore[attr-defined]  # asyncio does the same for tasks without a waiter
    return task


class _Tables(Tables):
    """Tables without randomness of their own, named t1, t2 and so on."""

    def __init__(self, house: House) -> None:
        super().__init__(
            house.store,
            bot_pool=house.bot_pool,
            identities=house.identities,
            table_closed=lambda game, id: house.table_closed(id),
        )
        self._house = house

    async def lay(self, setup: Setup, entries: Sequence[journal.AnyEntry] = ()) -> Table:
        """Open a table with *setup*, or restore it from the *entries* of its journal."""
        row = TableRow(setup.id, setup.game.name, msgspec.json.encode(setup.spec).decode(), "")
        if not entries:
            await self.store.open_table(row)
        return self._run(row, setup, entries).table

    def _fresh_id(self) -> str:
        self._house.opened += 1
        return f"t{self._house.opened}"

    def _new_table(self, setup: Setup) -> Table:
        house = self._house
        seed = setup.spec.seed if setup.spec.seed is not None else f"{house.seed} {setup.id}"
        left = house.stacked
        return Table(
            setup,
            lambda match, deal: derived_seed(seed, match, deal),
            lambda: "",
            lambda seed: _StackedStream(seed, left),
        )


class _Server(LobbyServer):
    """Accounts of the virtual server: checks passwords."""

    def __init__(
        self, tables: Tables, house: VirtualHouse, lobby: Callable[..., Lobby], kept: Mapping[str, str]
    ) -> None:
        self._house = house
        self._lobby_of = lobby
        super().__init__(tables, house.game, kept, {})

    def _new_lobby(self, kept: Mapping[str, str], defaults: Mapping[str, object]) -> Lobby:
        return self._lobby_of(self._game, self, kept)

    async def _login(self, name: str, password: str, address: str) -> str:
        account = self.identities.owner(name)
        if account is None or self._house.passwords[account.name] != password:
            raise Refusal("wrong", "they do not belong together")
        token = f"session {len(self._house.clients)} of {account.name}"
        self.identities.open_session(token_digest(token), account)
        return token

    def kill(self) -> None:
        """Do nothing."""
        self._alarm.stop()


class _Connection(Connection):
    house: House

    def _note(self, note: Note, now: float) -> None:
        self.house.check_stored(self.shell)
        self.house.on_note(self, note)
        super()._note(note, now)

    def deliver(self, frames: Sequence[Frame]) -> None:
        self.house.check_stored(self.shell)
        super().deliver(frames)


class _LobbyConnection(LobbyConnection):
    house: House

    def _note(self, note: Note, now: float) -> None:
        self.house.check_stored(self.shell)
        self.house.on_note(self, note)
        super()._note(note, now)


class _StackedStream(Stream):
    def __init__(self, seed: bytes, stacked: list[list[int]]) -> None:
        super().__init__(seed)
        self._stacked = stacked

    def draw(self, draw: Draw) -> list[int]:
        if self._stacked:
            outcome = self._stacked.pop(0)
            try:
                draw.check(outcome)
            except BadDraw:  # these draws are from a match that went differently
                self._stacked.clear()
            else:
                return outcome
        return super().draw(draw)
