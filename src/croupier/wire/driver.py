"""The driver of lobby conversations: a connection that begins in the lobby, joins tables and returns.

A subclass handles one message of the peer at a time, in `answer`. There are two ways to write a handler:

- An *exchange* is a generator. It yields what it has to wait for and continues with the answer, so that
  login, joining or a change of name reads from top to bottom:

      def _change_name(self, name: str) -> Exchange:
          answer = yield Rename(name)
          self.send(TAKEN if isinstance(answer, Refused) else CHANGED)

- A plain method calls `send` for an immediate reply, or `ask` for a request whose answer goes to `tell`.
  Actions at a table are written in this way: they are the most frequent messages, they wait only for the
  table's own answer, and a call costs less than a generator.

The driver queues messages while an answer is due, so requests are answered in order and replies do not
depend on how the bytes were split. The outputs of a conversation are collected in its outbox, and the server
takes them from there (`take`). Other conversations or the lobby may add an output (`post`), start an exchange
(`begin`) or end a `Wait` (`go_on`); `Lobby.changed` lists the conversations that the server has to resume.

If the connection ends, the current exchange is closed (GeneratorExit): a `finally` undoes what it began. If
the table closes, a request to it is answered by `Refused` with the key ``closed``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from typing import TYPE_CHECKING, Final, TypeAlias

from mypy_extensions import mypyc_attr

from croupier.core.contract import WATCHER
from croupier.wire.lines import LineReader, Overlong
from croupier.wire.talk import (
    Accepted,
    Act,
    Arrange,
    Conversation,
    Disconnect,
    Enter,
    Frame,
    Join,
    Keep,
    Kept,
    Leave,
    Note,
    Open,
    Opened,
    Output,
    Prove,
    Proved,
    Refused,
    Rename,
    Request,
    Say,
    Seated,
    Send,
    Start,
    TableInfo,
    Uses,
    Wait,
    token_digest,
)

if TYPE_CHECKING:
    from croupier.wire.lobby import Lobby

CROWD: Final = 256
"""The number of messages of one connection that may wait; beyond it the connection is not read."""

Answer: TypeAlias = "Seated | Accepted | Refused | Opened | Kept | Proved | None"
"""What an exchange receives from `yield`; None after an output without an answer."""

Exchange: TypeAlias = "Generator[Output | Wait, Answer, None]"

_AT_TABLE: Final = (Act, Enter, Leave, Say, Rename, Start, Arrange, Join)
"""Requests that a table answers."""
_ANSWERED: Final = (*_AT_TABLE, Open, Keep, Prove, Wait)


@mypyc_attr(allow_interpreted_subclasses=True)
class LobbyConversation(Conversation):
    """One connection (see the module docstring). Subclasses implement `answer`, `tell` and what they need."""

    def __init__(self, lobby: Lobby, reader: LineReader) -> None:
        """*reader* splits the bytes of a TCP connection into lines."""
        super().__init__()
        self.name = ""
        """The name of its user, if known."""
        self.table: TableInfo | None = None
        """Its current table; set by the server."""
        self.terminator = "\n"
        """The end of a line over TCP; over a WebSocket a frame is a line."""
        self.now = 0.0
        self.ended = False
        """True if the connection is closed or being closed: messages are no longer answered."""
        self._changed = lobby.changed
        self._reader = reader
        self._inbox: deque[str | bytes | Overlong] = deque()
        self._outbox: list[Output] = []
        self._begun: deque[Exchange] = deque()
        """Exchanges to be run before the next message."""
        self._exchange: Exchange | None = None
        self._asked: Output | Wait | None = None
        """The request whose answer is due."""
        self._answer: Answer = None
        self._noting = False
        """True during a note of the table; the conversation is resumed after all notes."""

    # Implemented by protocols.

    def answer(self, data: str | bytes | Overlong, now: float) -> Exchange | None:
        """Answer one message of the peer. Never raises."""
        raise NotImplementedError

    def tell(self, note: Note, now: float) -> list[str]:
        """Convert a note of the table to frames."""
        raise NotImplementedError

    def closed(self, reason: str, now: float) -> None:
        """Handle the closing of the table; the connection is back in the lobby."""

    def left(self, now: float) -> None:
        """Handle the end of the connection, for example by telling others."""

    def turned_away(self) -> list[Output]:
        """Return the outputs that refuse this connection because there are too many."""
        return [Disconnect(1013, "too many connections from your address")]

    def closing(self, reason: str) -> list[Output]:
        """Return the outputs that end the connection: the server stops, or has to rebuild the table."""
        return [Disconnect(1001, reason)]

    # Used by protocols.

    @property
    def waits(self) -> bool:
        """Return True while an answer is due."""
        return self._asked is not None

    def send(self, frame: Frame) -> None:
        """Send a frame to the peer."""
        self._outbox.append(Send(frame))

    def ask(self, request: Request) -> None:
        """Send *request* to the table; the answer goes to `tell`."""
        self._asked = request
        self._outbox.append(request)

    def uses(self, token: str) -> None:
        """Note that the peer has logged in with *token*."""
        self._outbox.append(Uses(token_digest(token)))

    def disconnect(self, code: int, reason: str) -> None:
        """Close the connection after everything has been sent."""
        self.ended = True
        self._outbox.append(Disconnect(code, reason))

    # For other conversations and the lobby.

    def post(self, output: Output) -> None:
        """Add *output* to the outputs of this connection."""
        self._outbox.append(output)
        if isinstance(output, Disconnect):
            self.ended = True
        self._mark()

    def begin(self, exchange: Exchange) -> None:
        """Run *exchange* when the current one has ended, before the next message is read."""
        self._begun.append(exchange)
        self._mark()

    def go_on(self, what: str = "") -> bool:
        """Continue the exchange that waits for *what*; return False if there is none."""
        asked = self._asked
        if not isinstance(asked, Wait) or asked.what != what:
            return False
        self._asked = None
        self._mark()
        return True

    def _mark(self) -> None:
        if not self._noting:
            self._changed.append(self)

    # For the server.

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        self._inbox.append(data)
        return self.resume(now)

    def feed(self, data: bytes, now: float) -> list[Output]:
        """Handle bytes of a stream, split anywhere."""
        self._inbox.extend(self._reader.feed(data))
        return self.resume(now)

    def answered(self, answer: Answer, now: float) -> list[Output]:
        """Continue with the answer of the server to `Open`, `Keep` or `Prove`."""
        self._asked = None
        self._answer = answer
        return self.resume(now)

    def note(self, note: Note, now: float) -> list[str]:
        if isinstance(note, Accepted | Refused | Seated):
            if isinstance(self._asked, _AT_TABLE):
                self._asked = None
                if self._exchange is not None:
                    # The next message is read after all notes that belong to this answer.
                    self.now = now
                    self._answer = note
                    self._step(self._exchange)
                    return []
        elif self.seat == WATCHER:
            return []  # not at the table yet, or no longer
        self._noting = True
        try:
            return self.tell(note, now)
        finally:
            self._noting = False

    def ousted(self, reason: str, now: float) -> list[Output]:
        """Handle the closing of the table: refuse the open request to it."""
        asked = self._asked
        if isinstance(asked, Enter):
            self._refuse(Join(asked.claim, asked.id), reason, now)
        elif isinstance(asked, Act | Leave | Say | Rename | Start | Arrange | Join):
            self._refuse(asked, reason, now)
        self.now = now
        self.closed(reason, now)
        return self.resume(now)

    def _refuse(self, request: Request, reason: str, now: float) -> None:
        for frame in self.note(Refused(request, "closed", reason), now):
            self.send(frame)

    def gone(self, now: float) -> None:
        """Handle the end of the connection: close the current exchange."""
        self.ended = True
        self._asked = None
        self._inbox.clear()
        self._begun.clear()
        exchange, self._exchange = self._exchange, None
        if exchange is not None:
            exchange.close()
        self.left(now)

    def take(self) -> list[Output]:
        """Remove and return the outputs."""
        outputs = self._outbox
        if outputs:
            self._outbox = []
        return outputs

    @property
    def crowded(self) -> bool:
        """Return True while no more data should be read from the peer."""
        return len(self._inbox) >= CROWD

    @property
    def settled(self) -> bool:
        """Return True if every message of the peer has been answered."""
        return not (self._inbox or self._asked or self._exchange or self._begun)

    def pending(self) -> bool:
        if self._asked is not None or self.ended:
            return False
        return bool(self._inbox) or self._exchange is not None or bool(self._begun)

    def resume(self, now: float) -> list[Output]:
        self.now = now
        while self._asked is None and not self.ended:
            exchange = self._exchange
            if exchange is not None:
                self._step(exchange)
            elif self._begun:
                self._exchange = self._begun.popleft()
            elif self._inbox:
                self._exchange = self.answer(self._inbox.popleft(), now)
            else:
                break
        return self.take()

    def _step(self, exchange: Exchange) -> None:
        """Run *exchange* until it has to wait or ends."""
        answer, self._answer = self._answer, None
        try:
            while True:
                output = exchange.send(answer)
                answer = None
                if not isinstance(output, Wait):
                    self._outbox.append(output)
                if isinstance(output, _ANSWERED):
                    self._asked = output
                    return
                if isinstance(output, Disconnect):
                    self.ended = True
        except StopIteration:
            self._exchange = None
