"""One connection as a table sees it, over any channel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from mypy_extensions import mypyc_attr

from croupier.core.refusal import Refusal
from croupier.net.outbox import Channel, Outbox
from croupier.table.shell import Shell
from croupier.wire.identity import Identities
from croupier.wire.talk import (
    EXPELLED,
    Conversation,
    Depart,
    Disconnect,
    Enter,
    Frame,
    Join,
    Keep,
    Note,
    Open,
    Output,
    Prove,
    Refused,
    Request,
    Say,
    Send,
    Uses,
)


def no_delay() -> float:
    """Return 0."""
    return 0.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Connection:
    """A conversation, its table, and its bounded output queue."""

    def __init__(
        self,
        conversation: Conversation,
        channel: Channel,
        clock: Callable[[], float],
        identities: Identities,
        refused: Callable[[], float] = no_delay,
    ) -> None:
        """*clock* returns the time of the tables; *identities* has the sessions of the server.

        *refused* counts a refused join and returns the delay of the answer in seconds.
        """
        self.conversation = conversation
        self.shell: Shell | None = None
        self._clock = clock
        self._refused = refused
        self._outbox = Outbox(conversation.outbox_limit, channel)
        self._identities = identities
        self._tokens: set[str] = set()
        """The digests of the tokens that the peer has sent."""
        self._loop = asyncio.get_running_loop()

    @property
    def disconnected(self) -> bool:
        """Return True if this side has ended the conversation."""
        return self._outbox.disconnected

    def send(self, frame: Frame) -> None:
        """Send a frame; close the connection if the peer has left too much unread."""
        if not self._outbox.push(frame):
            self.lose()

    def disconnect(self, disconnect: Disconnect) -> None:
        """Close the connection after everything that was sent."""
        self._outbox.disconnect(disconnect)

    def greet(self) -> None:
        """Begin the conversation, unless the address of the peer is banned."""
        self.arrive()
        if not self.disconnected:
            self.carry_out(self.conversation.greet(self._clock()))
            if self._identities.measures.notice is not None:
                self.announce()

    def arrive(self) -> None:
        """Note from which address the peer has come."""
        mark = self._identities.address_mark(self.conversation.address)
        if mark:
            self._use(mark)

    def receive(self, data: str | bytes) -> None:
        """Process one frame."""
        self.carry_out(self.conversation.receive(data, self._clock()))

    def enter(self, shell: Shell) -> None:
        """Attach the connection to a table."""
        self.shell = shell
        shell.attach(self)

    def lose(self) -> None:
        """Detach from the table: the connection has ended or is about to."""
        for digest in self._tokens:
            self._identities.detach(digest, self)
        self._tokens = set()
        shell, self.shell = self.shell, None
        if shell is not None:
            shell.detach(self)

    def revoke(self) -> None:
        """End the connection, because its session has ended: nothing more is accepted or told."""
        if not self.disconnected:
            self.carry_out(self.conversation.revoked())
        self.lose()

    def expel(self, key: str, words: str) -> None:
        """End the connection by order of the operator."""
        if not self.disconnected:
            self.carry_out(self.conversation.expelled(key, words))
        self.lose()

    def announce(self) -> None:
        """Tell the peer about the announced restart, or that it has been cancelled."""
        measures = self._identities.measures
        text = measures.notice.text if measures.notice is not None else ""
        if not self.disconnected:
            self.deliver(self.conversation.announced(measures.seconds_left(), text, self._clock()))

    def owners(self) -> list[str]:
        """Return who counts as the owner of a table that this connection opens."""
        return self._identities.owners(self.conversation.address, self._tokens)

    def stop(self) -> None:
        """Stop the output queue: the connection has ended."""
        self._outbox.stop()

    # Called by the table.

    def note(self, note: Note, now: float) -> None:
        delay = 0.0
        if isinstance(note, Refused) and isinstance(note.request, Join):
            delay = self._refused()
        if delay:
            self._loop.call_later(delay, self._note, note, now + delay)
        else:
            self._note(note, now)

    def _note(self, note: Note, now: float) -> None:
        if self._outbox.disconnected:
            return  # the peer has not read what it was sent, and gets nothing more
        self.deliver(self.conversation.note(note, now))
        if self.conversation.pending():
            self._loop.call_soon(self.resume)  # after the table has sent everything that belongs to this note

    def deliver(self, frames: Sequence[Frame]) -> None:
        for frame in frames:
            self.send(frame)

    def replaced(self) -> None:
        self.shell = None
        self.carry_out(self.conversation.replaced())

    def ousted(self, disconnect: Disconnect) -> None:
        self.shell = None
        if disconnect.code == EXPELLED:
            self.expel("removed", disconnect.reason)
        else:
            self.disconnect(disconnect)

    # Requests of the conversation.

    def resume(self) -> None:
        """Let the conversation process input that was waiting."""
        if not self.disconnected and self.conversation.pending():
            self.carry_out(self.conversation.resume(self._clock()))

    def carry_out(self, outputs: Iterable[Output]) -> None:
        """Carry out the outputs of the conversation."""
        for output in outputs:
            match output:
                case Send(frame):
                    self.send(frame)
                case Disconnect():
                    self.disconnect(output)
                case Uses(digest):
                    if not self._use(digest):
                        return
                case Say():
                    self._say(output)
                case Open() | Enter() | Depart() | Keep() | Prove():
                    self._ask_server(output)
                case request:
                    self._post(request)

    def _use(self, digest: str) -> bool:
        """Note that the peer has this token or comes from this address; return False if it is banned."""
        if digest not in self._tokens:
            self._tokens.add(digest)
            self._identities.attach(digest, self)
        try:
            self._identities.measures.check_ban([self._identities.person(digest)])
        except Refusal as refusal:
            self.expel(refusal.key, refusal.words)
            return False
        return True

    def _say(self, request: Say) -> None:
        """Send a chat message to the table, unless the peer is muted or has sent too many."""
        try:
            self._identities.measures.check_chat(self.owners(), self._clock())
        except Refusal as refusal:
            self.note(Refused(request, refusal.key, refusal.words, refusal.about), self._clock())
        else:
            self._post(request)

    def _post(self, request: Request) -> None:
        if self.shell is not None:
            self.shell.post(self, request)

    def _ask_server(self, output: Open | Enter | Depart | Keep | Prove) -> None:
        raise AssertionError(f"{output}: only supported in a lobby")
