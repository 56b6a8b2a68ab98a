"""A desk, its tables and its connections in memory and in virtual time: no sockets, no disk, no waiting.

`DeskedHouse` does for protocols that begin at a desk what `WiredTable` does for one table. Every frame a
client was sent stays in its `frames`; `restart` is a kill: only journals and what was kept survive.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from croupier.bots.strengths import names
from croupier.core.chance import derived_seed
from croupier.core.contract import WATCHER, Game
from croupier.table import journal
from croupier.table.effects import Bind, Cut, Effect, Ponder, Reply, Setup, Tell, Write
from croupier.table.hall import config_of, setup_of
from croupier.table.table import Table
from croupier.wire.accounts import Account, Register
from croupier.wire.desk import Desk, DeskConversation
from croupier.wire.talk import (
    CLOSED,
    Conversation,
    Depart,
    Enter,
    Face,
    Hang,
    Join,
    Keep,
    Note,
    Open,
    Output,
    Prove,
    Refused,
    Request,
    Send,
    Via,
    Wish,
    token_digest,
)


class DeskClient:
    """One connection: what it was sent so far, and how the server ended it, if it did."""

    def __init__(self, house: DeskedHouse, conversation: Conversation) -> None:
        self._house = house
        self.conversation = conversation
        self.frames: list[str] = []
        self.hung: Hang | None = None
        self.connected = True
        self.table: _Run | None = None
        self._read = 0

    def send(self, message: object) -> None:
        """Send a frame, as over a WebSocket: text or bytes as they are, anything else as JSON."""
        data = message if isinstance(message, str | bytes) else msgspec.json.encode(message).decode()
        if self.connected:
            self._house.carry(self, self.conversation.receive(data, self._house.now))

    def feed(self, data: bytes) -> None:
        """Send bytes, as over TCP."""
        assert isinstance(self.conversation, DeskConversation)
        if self.connected:
            self._house.carry(self, self.conversation.feed(data, self._house.now))

    def take(self, many: int | None = None) -> list[str]:
        """Return the frames that came since the last time, at most *many*."""
        fresh = self.frames[self._read :][:many]
        self._read += len(fresh)
        return fresh

    def read(self) -> list[dict[str, Any]]:
        """Return the frames that came since the last time, read as JSON objects."""
        return [msgspec.json.decode(frame, type=dict[str, Any]) for frame in self.take()]

    def drop(self) -> None:
        """Lose the connection."""
        if self.connected:
            self._house.lose(self)


class _Run:
    """A table and its journal."""

    def __init__(self, table: Table, entries: Iterable[journal.AnyEntry] = ()) -> None:
        self.table = table
        self.journal = list(entries)
        self.clients: list[DeskClient] = []


class DeskedHouse:
    """See the module's head."""

    def __init__(self, game: Game, desk: Callable[..., Desk], seed: str = "desked") -> None:
        """*desk* makes the desk of the game's wire; *seed* all the chance there is."""
        self.now = 1000.0
        self.game = game
        self.kept: dict[str, str] = {}
        self.register = Register()
        self.passwords: dict[str, str] = {}
        """Of accounts, by name."""
        self.clients: list[DeskClient] = []
        self.on_frame: Callable[[DeskClient, str], None] = lambda client, frame: None
        """Called with every frame at the moment it is sent."""
        self._seed = seed
        self._make_desk = desk
        self._runs: dict[str, _Run] = {}
        self._opened = 0
        self._settling = False
        self._later: deque[Callable[[], None]] = deque()
        """What waits until the table that is telling something has finished."""
        self.desk = desk(game, self, self.kept)

    def tables(self) -> Sequence[Face]:
        """Return the running tables, oldest first."""
        return [run.table for run in self._runs.values()]

    def bots(self) -> Sequence[str]:
        """Return the bots of the game, weakest first."""
        return names(self.game)

    def filler(self) -> str:
        """Return the bot that takes seats where nobody says which: one that needs no time."""
        return list(self.game.bots())[-1]

    def table(self, id: str) -> Table:
        return self._runs[id].table

    def journal(self, id: str) -> list[journal.AnyEntry]:
        return self._runs[id].journal

    def open(self, wish: Wish) -> Table:
        """Open a table, as the lobby in the browser does."""
        self._opened += 1
        id = f"t{self._opened}"
        run = _Run(self._make(setup_of(id, self.game, config_of(wish))))
        self._runs[id] = run
        self._settle(run, [])
        return run.table

    def connect(self, **how: Any) -> DeskClient:
        """Open a connection to the desk; *how* goes to `Desk.conversation`."""
        return self._admit(DeskClient(self, self.desk.conversation(**how)))

    def visit(self, id: str, converse: Callable[[Face], Conversation]) -> DeskClient:
        """Open a connection to a table, in another protocol."""
        run = self._runs[id]
        client = DeskClient(self, converse(run.table))
        client.table = run
        run.clients.append(client)
        return self._admit(client)

    def _admit(self, client: DeskClient) -> DeskClient:
        self.clients.append(client)
        self.carry(client, client.conversation.greet(self.now))
        return client

    def lose(self, client: DeskClient) -> None:
        """End the connection of *client*."""
        self._forget(client)
        self.carry(client, client.conversation.gone(self.now))
        self._depart(client)

    def restart(self) -> None:
        """Kill the house and start it again: every connection is gone."""
        for client in self.clients:
            client.connected = False
        self.clients = []
        runs, self._runs = self._runs, {}
        self.desk = self._make_desk(self.game, self, self.kept)
        for id, run in runs.items():
            table = self._make(run.table.setup)
            effects = table.restore(run.journal, self.now)
            self._runs[id] = _Run(table, run.journal)
            self._settle(self._runs[id], effects)

    def advance(self, seconds: float) -> None:
        """Let time pass, stopping wherever something is due."""
        until = self.now + seconds
        for _ in range(1_000_000):
            due = [when for when in self._wakes() if when <= until]
            if not due:
                break
            self.now = max(self.now, min(due))
            self._tick()
        else:
            raise AssertionError("something is due for ever")
        self.now = until
        self._tick()

    def _wakes(self) -> list[float]:
        found = [self.desk.wake(), *(client.conversation.wake() for client in self.clients)]
        found += [run.table.wake() for run in self._runs.values()]
        return [when for when in found if when is not None]

    def _tick(self) -> None:
        if (when := self.desk.wake()) is not None and when <= self.now:
            self._direct(self.desk.tick(self.now))
        for client in self.clients[:]:
            if (when := client.conversation.wake()) is not None and when <= self.now:
                self.carry(client, client.conversation.tick(self.now))
        for run in list(self._runs.values()):
            self._settle(run, [])

    def account(self, name: str, password: str = "", token: str = "") -> Account:
        """Make an account, and a session with *token*."""
        account = Account(name, token_digest(f"seal of {name}"))
        self.register.admit(account)
        self.passwords[name] = password
        if token:
            self.register.open_session(token_digest(token), account)
        return account

    def _prove(self, asked: Prove) -> str:
        account = self.register.owner(asked.name)
        if account is None or self.passwords[account.name] != asked.password:
            return ""
        token = f"session {len(self.clients)} of {account.name}"
        self.register.open_session(token_digest(token), account)
        return token

    def _make(self, setup: Setup) -> Table:
        setup.register = self.register
        seed = setup.seed if setup.seed is not None else f"{self._seed} {setup.id}"
        return Table(setup, lambda match, deal: derived_seed(seed, match, deal), lambda: "")

    # What conversations want.

    def carry(self, client: DeskClient, outputs: Iterable[Output]) -> None:
        """Carry out what the conversation of *client* wants done."""
        for output in outputs:
            match output:
                case Send(frame):
                    self._deliver(client, frame)
                case Hang():
                    self._hang(client, output)
                case Via(conversation, other):
                    self._direct([Via(conversation, other)])
                case Open(wish, mark):
                    try:
                        table: Table | None = self.open(wish)
                        words = ""
                    except ValueError as error:
                        table, words = None, str(error)
                    self._direct(self.desk.opened(mark, table, words, self.now))
                case Enter(id, claim, mark):
                    self._enter(client, id, Join(claim, mark))
                case Depart():
                    self._depart(client)
                case Keep(name, data, then):
                    if data is None:
                        self.kept.pop(name, None)
                    else:
                        self.kept[name] = data
                    conversation = client.conversation
                    assert isinstance(conversation, DeskConversation)
                    conversation.kept(then)
                    self.carry(client, then)
                    self._go_on(client)
                case Prove():
                    conversation = client.conversation
                    assert isinstance(conversation, DeskConversation)
                    token = self._prove(output)
                    words = "" if token else "they do not belong together"
                    self.carry(client, conversation.after_proof(token, words, self.now))
                    self._go_on(client)
                case request:
                    self._submit(client, request)

    def _direct(self, outputs: Iterable[Output]) -> None:
        for output in outputs:
            assert isinstance(output, Via), "a desk acts through its conversations"
            for client in self.clients[:]:
                if client.conversation is output.conversation:
                    self.carry(client, [output.output])
                    self._go_on(client)

    def _go_on(self, client: DeskClient) -> None:
        if self._settling:
            self._later.append(lambda: self._go_on(client))
        elif client.connected and client.conversation.pending():
            self.carry(client, client.conversation.resume(self.now))

    def _enter(self, client: DeskClient, id: str, join: Join) -> None:
        conversation = client.conversation
        assert isinstance(conversation, DeskConversation)
        run = self._runs.get(id)
        if run is None:
            self._note(client, Refused(join, "no_table", f"table {id}: there is none"))
            return
        client.table = run
        conversation.table = run.table
        run.clients.append(client)
        self._submit(client, join)

    def _submit(self, client: DeskClient, request: Request) -> None:
        if self._settling:
            self._later.append(lambda: self._submit(client, request))
            return
        run = client.table
        if run is None:
            return  # it has closed meanwhile
        self._settle(run, run.table.handle(client, run.table.seat_of(client), request, self.now))

    def _depart(self, client: DeskClient) -> None:
        run, client.table = client.table, None
        seat, client.conversation.seat = client.conversation.seat, WATCHER
        if isinstance(client.conversation, DeskConversation):
            client.conversation.table = None
        if run is not None:
            run.clients.remove(client)
            self._settle(run, run.table.lost(client, seat, self.now))

    # What tables want.

    def _settle(self, run: _Run, effects: Iterable[Effect]) -> None:
        if self._settling:
            waiting = list(effects)
            self._later.append(lambda: self._settle(run, waiting))
            return
        self._settling = True
        while True:
            for effect in effects:
                self._do(run, effect)
            for effect in run.table.release(self.now):
                self._do(run, effect)
            effects = run.table.proceed(self.now)
            if not effects:
                break
        self._settling = False
        if run.table.phase == CLOSED and self._runs.pop(run.table.id, None) is not None:
            for client in run.clients[:]:
                self._oust(client)
        while self._later and not self._settling:
            self._later.popleft()()

    def _oust(self, client: DeskClient) -> None:
        conversation = client.conversation
        client.table = None
        conversation.seat = WATCHER
        if isinstance(conversation, DeskConversation):
            conversation.table = None
            self.carry(client, conversation.ousted("the match is over", self.now))
            self._go_on(client)
        else:
            self._hang(client, Hang(1000, "the match is over"))

    def _do(self, run: _Run, effect: Effect) -> None:
        match effect:
            case Write(entry):
                run.journal.append(entry)
            case Tell(seat, note):
                for client in run.clients[:]:
                    if client.conversation.seat == seat:
                        self._note(client, note)
            case Reply(key, note):
                if isinstance(key, DeskClient) and key.connected:
                    self._note(key, note)
            case Bind(key, seat):
                assert isinstance(key, DeskClient)
                key.conversation.seat = seat
            case Cut(key):
                assert isinstance(key, DeskClient)
                run.clients.remove(key)
                key.table = None
                key.conversation.seat = WATCHER
                self.carry(key, key.conversation.replaced())
            case Ponder(number):  # nobody thinks here: the heuristic decides
                run.table.thought(number, None, self.now)

    def _note(self, client: DeskClient, note: Note) -> None:
        for frame in client.conversation.note(note, self.now):
            self._deliver(client, frame)
        self._go_on(client)

    def _deliver(self, client: DeskClient, frame: str) -> None:
        if client.connected:
            client.frames.append(frame)
            self.on_frame(client, frame)

    def _hang(self, client: DeskClient, hang: Hang) -> None:
        if client.connected:
            client.hung = hang
            self.lose(client)

    def _forget(self, client: DeskClient) -> None:
        client.connected = False
        self.clients.remove(client)
