"""A real table with real conversations, in memory and in virtual time: no sockets, no disk, no waiting.

`WiredTable` does what the runner and the server do: it carries frames from clients to the table and
notes back. Every frame a client was sent stays in its `frames`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from croupier.core.chance import Stream, derived_seed
from croupier.core.contract import WATCHER, Draw
from croupier.table import journal
from croupier.table.effects import Bind, Cut, Effect, Ponder, Reply, Setup, Tell, Write
from croupier.table.table import Table
from croupier.wire.talk import Face, Hang, Note, Output, Request, Send, TableConversation


class Client:
    """One connection: what it was sent so far, and how the server ended it, if it did."""

    def __init__(self, wired: WiredTable, conversation: TableConversation) -> None:
        self._wired = wired
        self.conversation = conversation
        self.frames: list[str] = []
        self.hung: Hang | None = None
        self.connected = True
        self._read = 0

    def send(self, *messages: object) -> None:
        """Send frames, all before the first is answered: text or bytes as they are, anything else as JSON."""
        data = [
            message if isinstance(message, str | bytes) else msgspec.json.encode(message).decode()
            for message in messages
        ]
        if self.connected:
            self._wired.receive(self, *data)

    def take(self) -> list[dict[str, Any]]:
        """Return the frames that came since the last time, read as JSON objects."""
        fresh = self.frames[self._read :]
        self._read = len(self.frames)
        return [msgspec.json.decode(frame, type=dict[str, Any]) for frame in fresh]

    def drop(self) -> None:
        """Lose the connection."""
        if self.connected:
            self._wired.lose(self)


class WiredTable:
    """See the module's head."""

    def __init__(self, setup: Setup, stacked: Sequence[Sequence[int]] = ()) -> None:
        """The first draws of every deal's stream come from *stacked*, in order; then from the seed."""
        self.now = 1000.0
        self.journal: list[journal.AnyEntry] = []
        self.clients: list[Client] = []
        self.on_frame: Callable[[Client, str], None] = lambda client, frame: None
        """Called with every frame at the moment it is sent."""
        seed = setup.seed if setup.seed is not None else "wired"
        left = [list(draw) for draw in stacked]
        self.table = Table(
            setup,
            lambda match, deal: derived_seed(seed, match, deal),
            lambda: "",
            lambda seed: _StackedStream(seed, left),
        )
        self._settle([])

    def connect(self, converse: Callable[[Face], TableConversation]) -> Client:
        """Open a connection that speaks the wire *converse*."""
        client = Client(self, converse(self.table))
        self.clients.append(client)
        self._carry(client, client.conversation.greet(self.now))
        return client

    def receive(self, client: Client, *frames: str | bytes) -> None:
        """Let *client* send frames and everything happen that follows at once."""
        conversation = client.conversation
        self._carry(client, [output for data in frames for output in conversation.receive(data, self.now)])
        while conversation.pending():
            self._carry(client, conversation.resume(self.now))

    def submit(self, client: Client, request: Request) -> None:
        """Put a request of *client* to the table, past its wire."""
        self._settle(self.table.handle(client, client.conversation.seat, request, self.now))

    def lose(self, client: Client) -> None:
        """End the connection of *client*."""
        client.connected = False
        self.clients.remove(client)
        self._settle(self.table.lost(client, client.conversation.seat, self.now))

    def advance(self, seconds: float) -> None:
        """Let time pass, stopping wherever something is due."""
        until = self.now + seconds
        while (when := self.table.wake()) is not None and when <= until:
            before = (when, len(self.journal), self.table.entries)
            self.now = max(self.now, when)
            self._settle([])
            assert (self.table.wake(), len(self.journal), self.table.entries) != before, "nothing comes of it"
        self.now = until
        self._settle([])

    def close(self, reason: str) -> None:
        """Close the table."""
        self._settle(self.table.close(reason, self.now))

    def _carry(self, client: Client, outputs: Iterable[Output]) -> None:
        for output in outputs:
            if isinstance(output, Send):
                self._deliver(client, output.frame)
            elif isinstance(output, Hang):
                self._hang(client, output)
            else:
                assert isinstance(output, Request), f"{output}: there is one table and no desk"
                self.submit(client, output)

    def _settle(self, effects: Iterable[Effect]) -> None:
        """Carry out *effects* and everything that follows without waiting for anybody."""
        while True:
            for effect in effects:
                self._do(effect)
            for effect in self.table.release(self.now):
                self._do(effect)
            effects = self.table.proceed(self.now)
            if not effects:
                return

    def _do(self, effect: Effect) -> None:
        match effect:
            case Write(entry):
                self.journal.append(entry)
            case Tell(seat, note):
                for client in self.clients[:]:
                    if client.conversation.seat == seat:
                        self._note(client, note)
            case Reply(key, note):
                if isinstance(key, Client) and key.connected:
                    self._note(key, note)
            case Bind(key, seat):
                assert isinstance(key, Client)
                key.conversation.seat = seat
            case Cut(key):
                assert isinstance(key, Client)
                key.conversation.seat = WATCHER
                self._carry(key, key.conversation.replaced())
            case Ponder(number):  # nobody thinks here: the heuristic decides
                self.table.thought(number, None, self.now)

    def _note(self, client: Client, note: Note) -> None:
        for frame in client.conversation.note(note, self.now):
            self._deliver(client, frame)

    def _deliver(self, client: Client, frame: str) -> None:
        client.frames.append(frame)
        self.on_frame(client, frame)

    def _hang(self, client: Client, hang: Hang) -> None:
        client.hung = hang
        client.connected = False
        self.clients.remove(client)


class _StackedStream(Stream):
    def __init__(self, seed: bytes, stacked: list[list[int]]) -> None:
        super().__init__(seed)
        self._stacked = stacked

    def draw(self, draw: Draw) -> list[int]:
        return self._stacked.pop(0) if self._stacked else super().draw(draw)
