"""The lobby of one game on the network: its connections and their requests to the server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from croupier.accounts.service import Accounts
from croupier.bots.strengths import filler, names
from croupier.core.contract import WATCHER, Game
from croupier.core.options import BadOptions
from croupier.core.refusal import Refusal
from croupier.games import lobby as make_lobby
from croupier.net.connection import Connection
from croupier.net.outbox import CLOSE_SECONDS, Channel
from croupier.store.api import StoreError
from croupier.table.alarm import Alarm
from croupier.table.tables import Tables
from croupier.wire.driver import Answer, LobbyConversation
from croupier.wire.identity import Identities
from croupier.wire.lobby import Lobby
from croupier.wire.talk import (
    Close,
    Conversation,
    Depart,
    Enter,
    Face,
    Hang,
    Join,
    Keep,
    Kept,
    Note,
    Open,
    Opened,
    Output,
    Prove,
    Proved,
    Refused,
)

log = logging.getLogger(__name__)

KEPT: Final = timedelta(days=365)
"""How long a lobby keeps the data of an inactive user."""


class LobbyConnection(Connection):
    """A connection that starts in a lobby, joins tables and returns to the lobby."""

    def __init__(
        self, conversation: LobbyConversation, channel: Channel, server: LobbyServer, address: str
    ) -> None:
        super().__init__(conversation, channel, server.clock)
        self._relieved = channel.relieved
        self.talk = conversation
        self._server = server
        self._alarm = Alarm(server.clock, self._tick)
        self._relief = asyncio.Event()
        self._lost = False
        server.admit(self, address)

    def begin(self, welcome: bool = True) -> None:
        """Greet; or refuse the connection if the server is full or the address has too many connections."""
        if welcome and not self._server.crowded(self):
            self.greet()
        else:
            self.carry_out(self.talk.turned_away())

    def feed(self, data: bytes) -> None:
        """Process bytes of a stream."""
        self.carry_out(self.talk.feed(data, self._clock()))

    async def room(self) -> None:
        """Yield to other tasks, then wait until the conversation accepts more input."""
        await asyncio.sleep(0)
        while self.full:
            self._relief.clear()
            await self._relief.wait()

    async def settle(self) -> None:
        """Wait until everything the peer has sent is answered, at most `CLOSE_SECONDS`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                while not self.answered:
                    self._relief.clear()
                    await self._relief.wait()

    def _relieve(self) -> None:
        self._relief.set()
        self._relieved()

    @property
    def answered(self) -> bool:
        """Return True if everything the peer has sent is answered or will never be."""
        return self.talk.settled or self.hung or self._lost

    @property
    def full(self) -> bool:
        """Return True while the conversation accepts no more input."""
        return self.talk.crowded and not self.hung and not self._lost

    def resume(self) -> None:
        super().resume()
        self._relieve()

    def lose(self) -> None:
        if self._lost:
            return
        self._lost = True
        self._alarm.stop()
        self._relieve()
        super().lose()
        self._server.dismiss(self)

    def _note(self, note: Note, now: float) -> None:
        if isinstance(note, Refused) and isinstance(note.request, Join):
            self._depart()
        super()._note(note, now)
        outputs = self.talk.take()
        if outputs or self._server.lobby.changed:
            self.carry_out(outputs)
        self._relieve()
        self._arm()

    def hang(self, hang: Hang) -> None:
        super().hang(hang)
        self._relieve()

    def replaced(self) -> None:
        super().replaced()
        self._be_in_lobby()

    def ousted(self, hang: Hang) -> None:
        self.shell = None
        self._be_in_lobby()
        if hang.code != 1000:
            self.close(hang.reason)
            return
        self.carry_out(self.talk.ousted(hang.reason, self._clock()))
        self.resume()

    def close(self, reason: str) -> None:
        """Close the connection in the words of the protocol."""
        if not self.hung:
            self.carry_out(self.talk.closing(reason))

    def answer(self, answer: Answer) -> None:
        """Pass the server's answer to a request to the conversation."""
        if not self._lost:
            self.carry_out(self.talk.answered(answer, self._clock()))
            self._relieve()

    def _depart(self) -> None:
        shell, self.shell = self.shell, None
        if shell is not None:
            shell.detach(self)
        self._be_in_lobby()

    def _be_in_lobby(self) -> None:
        self.talk.seat = WATCHER
        self.talk.table = None

    def carry_out(self, outputs: Iterable[Output]) -> None:
        super().carry_out(outputs)
        self._arm()
        self._server.flush()

    def _ask_server(self, output: Open | Enter | Depart | Keep | Prove) -> None:
        if isinstance(output, Depart):
            self._depart()
            return
        self._server.serve(self, output)

    # Time.

    def _arm(self) -> None:
        if not self.hung and not self._lost:
            self._alarm.set(self.talk.wake())

    def _tick(self) -> None:
        now = self._clock()
        when = self.talk.wake()
        if when is not None and when <= now:
            self.carry_out(self.talk.tick(now))
            self.resume()
        else:
            self._arm()


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
        return make_lobby(self._game.name, self._game, self, kept, defaults)

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

    def tables(self) -> Sequence[Face]:
        """Return the running tables of the game, oldest first."""
        name = self._game.name
        return [shell.table for shell in self._tables.shells.values() if shell.table.game.name == name]

    def bots(self) -> Sequence[str]:
        """Return the bots of the game, weakest first."""
        return names(self._game)

    def filler(self) -> str:
        """Return the bot that takes a seat if no bot is named."""
        return filler(self._game)

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
                    if connection is not None and not connection.hung:
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
            log.error("%s: could not store a change of the lobby: %s; continuing without it", game, error)

    def table_closed(self, table: str) -> None:
        """Inform the lobby that a table of the game has closed."""
        self.lobby.closed(table, self.clock())
        self.flush()

    def _enter(self, connection: LobbyConnection, table: str, join: Join) -> None:
        shell = self._tables.shells.get(table)
        if shell is None:
            connection.note(Refused(join, "no_table", f"table {table}: there is none"), self.clock())
            return
        connection.talk.table = shell.table
        connection.enter(shell)
        shell.post(connection, join)

    async def _open(self, wanted: Open) -> None:
        words = ""
        table: Face | None = None
        try:
            table = (await self._tables.open(self._game, wanted.spec)).table
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
            log.error("%s: could not store lobby data: %s; closing the connection", self._game.name, error)
            connection.hang(Hang(1011, "the server cannot store data at the moment: reconnect later"))
            return
        connection.answer(Kept())

    async def _prove(self, connection: LobbyConnection, asked: Prove) -> None:
        token = words = ""
        try:
            token = await self._login(asked.name, asked.password, self._address.get(connection, ""))
        except Refusal as refusal:
            words = refusal.words
        except StoreError as error:
            log.error("%s: could not store a session: %s; the login is refused", self._game.name, error)
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
        for name in await self._tables.store.unused(self._game.name, edge):
            if self.lobby.drop(name):
                await self._tables.store.keep(self._game.name, name, None)

    def stop(self, reason: str) -> None:
        """Close all connections in the lobby; the tables have closed theirs."""
        self._alarm.stop()
        for task in self._tasks:
            task.cancel()
        for connection in list(self._connections.values()):
            connection.close(reason)
