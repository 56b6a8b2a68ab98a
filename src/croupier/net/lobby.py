"""The lobby of one game on the network: its connections and their requests to the server."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from croupier.accounts.service import Accounts
from croupier.bots.strengths import filler, names
from croupier.core.contract import Game
from croupier.core.options import BadOptions
from croupier.core.refusal import Refusal
from croupier.games import protocol_of
from croupier.net.lobby_connection import LobbyConnection
from croupier.store.api import StoreError, report
from croupier.table.alarm import Alarm
from croupier.table.tables import Tables
from croupier.wire.driver import LobbyConversation
from croupier.wire.identity import Identities
from croupier.wire.lobby import Lobby
from croupier.wire.talk import (
    Close,
    Conversation,
    Disconnect,
    Enter,
    Join,
    Keep,
    Kept,
    Open,
    Opened,
    Prove,
    Proved,
    Refused,
    TableInfo,
)

log = logging.getLogger(__name__)

KEPT: Final = timedelta(days=365)
"""How long a lobby keeps the data of an inactive user."""
FORGOTTEN_AT_ONCE: Final = 500
"""How many inactive users are forgotten in one transaction; other tasks run between two transactions."""


class LobbyServer:
    """The server side of one lobby: holds its connections and carries out their requests."""

    def __init__(
        self,
        tables: Tables,
        game: Game,
        kept: Mapping[str, str],
        defaults: Mapping[str, object],
        accounts: Accounts | None = None,
    ) -> None:
        """*defaults* are the options of the tables that the lobby opens; BadOptions if they are wrong.

        *accounts* checks passwords; if it is None, every password is refused.
        """
        self._tables = tables
        self.clock = tables.clock
        self._accounts = accounts
        self._game = game
        self._connections: dict[Conversation, LobbyConnection] = {}
        self._addresses: Counter[str] = Counter()
        self._address: dict[LobbyConnection, str] = {}
        self._opening: dict[Open, list[LobbyConnection]] = {}
        """For each table that is being opened, the connections that wait for it."""
        self._flushing = False
        self._loop = asyncio.get_running_loop()
        self._alarm = Alarm(self.clock, self._tick)
        self._tasks: set[asyncio.Task[None]] = set()
        self.lobby = self._new_lobby(kept, defaults)

    def _new_lobby(self, kept: Mapping[str, str], defaults: Mapping[str, object]) -> Lobby:
        protocol = protocol_of(self._game.name)
        assert protocol is not None, self._game.name
        return protocol.lobby(self._game, self, kept, defaults)

    @property
    def identities(self) -> Identities:
        return self._tables.identities

    @property
    def ready(self) -> bool:
        """Return True when all tables of the game are restored; earlier, no connection is admitted."""
        return not self._tables.unrestored(self._game.name)

    async def wait(self) -> None:
        """Wait until the lobby is ready."""
        await self._tables.restore_game(self._game.name)

    def tables(self) -> Sequence[TableInfo]:
        """Return the running tables of the game, oldest first."""
        name = self._game.name
        return [shell.table for shell in self._tables.shells.values() if shell.table.game.name == name]

    def info(self, id: str) -> TableInfo | None:
        """Return the running table of the game with this id, or None."""
        shell = self._tables.shells.get(id)
        return shell.table if shell is not None and shell.table.game.name == self._game.name else None

    def bots(self) -> Sequence[str]:
        """Return the bots of the game, weakest first."""
        return names(self._game)

    def filler(self) -> str:
        """Return the bot that takes a seat if no bot is named."""
        return filler(self._game)

    @property
    def most_per_address(self) -> int:
        return self._tables.most_per_address

    def crowded(self, connection: LobbyConnection) -> bool:
        """Return True if the address of *connection* has too many connections."""
        return 0 < self.lobby.per_address < self._addresses[self._address[connection]]

    def converse(self, token: str = "", line: bool = False) -> LobbyConversation:
        """Return the conversation of a new connection: see `Lobby.conversation`."""
        return self.lobby.conversation(token, line)

    def admit(self, connection: LobbyConnection, address: str) -> None:
        """Add a connection to the lobby."""
        self._connections[connection.conversation] = connection
        self._address[connection] = address
        self._addresses[address] += 1

    def dismiss(self, connection: LobbyConnection) -> None:
        """Remove a connection that has ended, and inform the others."""
        self._addresses[self._address.pop(connection)] -= 1
        del self._connections[connection.conversation]
        connection.talk.gone(self.clock())
        self.flush()

    def serve(self, connection: LobbyConnection, output: Open | Enter | Keep | Prove) -> None:
        """Carry out a request of the conversation of *connection*."""
        match output:
            case Enter(table, claim, mark):
                self._enter(connection, table, Join(claim, mark))
            case Open():
                waiting = self._opening.setdefault(output, [])
                waiting.append(connection)
                if len(waiting) == 1:
                    self._begin(self._open(output))
            case Keep():
                self._begin(self._keep(connection, output))
            case Prove():
                self._begin(self._prove(connection, output))

    def flush(self) -> None:
        """Resume the conversations that have new input from others."""
        if self._flushing:
            return
        changed, wanted = self.lobby.changed, self.lobby.wanted
        if changed or wanted:
            self._flushing = True
            try:
                while changed:
                    conversation = changed.popleft()
                    connection = self._connections.get(conversation)
                    if connection is not None and not connection.disconnected:
                        connection.carry_out(conversation.resume(self.clock()))
                while wanted:
                    self._begin(self._do(wanted.popleft()))
            finally:
                self._flushing = False
        self.arm()

    async def _do(self, wanted: Keep | Close) -> None:
        """Carry out a request of the lobby itself; no conversation waits for the result."""
        game = self._game.name
        try:
            if isinstance(wanted, Keep):
                await self._tables.store.keep(game, wanted.name, wanted.data)
            elif wanted.table in self._tables.shells:
                await self._tables.close_table(wanted.table, wanted.reason)
        except StoreError as error:
            report(log, error, "%s: a change of the lobby was not stored; continuing without it", game)

    def table_closed(self, table: str) -> None:
        """Inform the lobby that a table of the game has closed."""
        self.lobby.closed(table, self.clock())
        self.flush()

    def _enter(self, connection: LobbyConnection, table: str, join: Join) -> None:
        shell = self._tables.shells.get(table)
        if shell is None:
            connection.note(Refused(join, "no_table", f"table {table}: not found"), self.clock())
            return
        connection.talk.table = shell.table
        connection.enter(shell)
        shell.post(connection, join)

    async def _open(self, wanted: Open) -> None:
        words = ""
        table: TableInfo | None = None
        try:
            owner = self._opening[wanted][0]
            spec = msgspec.structs.replace(wanted.spec, owners=owner.owners())
            table = (await self._tables.open(self._game, spec)).table
        except (BadOptions, Refusal, StoreError) as error:
            words = str(error)
        self.lobby.opened(wanted.mark, table, words, self.clock())
        for connection in self._opening.pop(wanted):
            connection.answer(Opened(table, words))
        self.flush()

    async def _keep(self, connection: LobbyConnection, wanted: Keep) -> None:
        try:
            await self._tables.store.keep(self._game.name, wanted.name, wanted.data)
        except StoreError as error:
            report(log, error, "%s: lobby data was not stored; closing the connection", self._game.name)
            connection.disconnect(
                Disconnect(1011, "the server cannot store data at the moment: reconnect later")
            )
            return
        connection.answer(Kept())

    async def _prove(self, connection: LobbyConnection, asked: Prove) -> None:
        token = words = ""
        try:
            token = await self._login(asked.name, asked.password, self._address.get(connection, ""))
        except Refusal as refusal:
            words = refusal.words
            if refusal.key == "banned":
                connection.expel(refusal.key, words)
                return
        except StoreError as error:
            report(log, error, "%s: a session was not stored; the login is refused", self._game.name)
            words = "the server cannot store data at the moment: try again later"
        connection.answer(Proved(token, words))

    async def _login(self, name: str, password: str, address: str) -> str:
        """Return the token of a new session of the account *name*, or raise Refusal."""
        if self._accounts is None:
            raise Refusal("no_accounts", "this server has no accounts, so passwords are not accepted")
        _, token = await self._accounts.login(name, password, "", address)
        return token

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Timers and shutdown.

    def arm(self) -> None:
        """Set the timer for the next deadline of the lobby."""
        self._alarm.set(self.lobby.wake())

    def _tick(self) -> None:
        now = self.clock()
        when = self.lobby.wake()
        if when is not None and when <= now:
            self.lobby.tick(now)
            self.flush()
        self.arm()

    async def note_use(self) -> None:
        """Store which data of the lobby was used."""
        await self._tables.store.use(self._game.name, self.lobby.used())

    async def forget_unused(self) -> None:
        """Delete the users who have been inactive for a year and have no seat."""
        await self.note_use()
        edge = (datetime.now(UTC) - KEPT).strftime("%Y-%m-%d")
        names = await self._tables.store.unused(self._game.name, edge)
        for start in range(0, len(names), FORGOTTEN_AT_ONCE):
            seated = self.lobby.seated()
            some = names[start : start + FORGOTTEN_AT_ONCE]
            dropped = [name for name in some if self.lobby.drop(name, seated)]
            await self._tables.store.forget(self._game.name, dropped)

    def stop(self, reason: str) -> None:
        """Close all connections in the lobby; the tables have closed theirs."""
        self._alarm.stop()
        for task in self._tasks:
            task.cancel()
        for connection in list(self._connections.values()):
            connection.close(reason)
