"""One connection as a table sees it, over any channel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from mypy_extensions import mypyc_attr

from croupier.net.outbox import Channel, Outbox
from croupier.table.shell import Shell
from croupier.wire.talk import (
    Conversation,
    Depart,
    Enter,
    Frame,
    Hang,
    Join,
    Keep,
    Note,
    Open,
    Output,
    Prove,
    Refused,
    Send,
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
        refused: Callable[[], float] = no_delay,
    ) -> None:
        """*clock* returns the time of the tables.

        *refused* counts a refused join and returns the delay of the answer in seconds.
        """
        self.conversation = conversation
        self.shell: Shell | None = None
        self._clock = clock
        self._refused = refused
        self._outbox = Outbox(conversation.outbox_limit, channel)
        self._loop = asyncio.get_running_loop()

    @property
    def hung(self) -> bool:
        """Return True if this side has ended the conversation."""
        return self._outbox.hung

    def send(self, frame: Frame) -> None:
        """Send a frame; close the connection if the peer has left too much unread."""
        if not self._outbox.push(frame):
            self.lose()

    def hang(self, hang: Hang) -> None:
        """Close the connection after everything that was sent."""
        self._outbox.hang(hang)

    def greet(self) -> None:
        """Begin the conversation."""
        self.carry_out(self.conversation.greet(self._clock()))

    def receive(self, data: str | bytes) -> None:
        """Process one frame."""
        self.carry_out(self.conversation.receive(data, self._clock()))

    def enter(self, shell: Shell) -> None:
        """Attach the connection to a table."""
        self.shell = shell
        shell.attach(self)

    def lose(self) -> None:
        """Detach from the table: the connection has ended or is about to."""
        shell, self.shell = self.shell, None
        if shell is not None:
            shell.detach(self)

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
        self.deliver(self.conversation.note(note, now))
        if self.conversation.pending():
            self._loop.call_soon(self.resume)  # after the table has sent everything that belongs to this note

    def deliver(self, frames: Sequence[Frame]) -> None:
        for frame in frames:
            self.send(frame)

    def replaced(self) -> None:
        self.shell = None
        self.carry_out(self.conversation.replaced())

    def ousted(self, hang: Hang) -> None:
        self.shell = None
        self.hang(hang)

    # Requests of the conversation.

    def resume(self) -> None:
        """Let the conversation process input that was waiting."""
        if not self.hung and self.conversation.pending():
            self.carry_out(self.conversation.resume(self._clock()))

    def carry_out(self, outputs: Iterable[Output]) -> None:
        """Carry out the outputs of the conversation."""
        for output in outputs:
            match output:
                case Send(frame):
                    self.send(frame)
                case Hang():
                    self.hang(output)
                case Open() | Enter() | Depart() | Keep() | Prove():
                    self._ask_server(output)
                case request:
                    if self.shell is not None:
                        self.shell.post(self, request)

    def _ask_server(self, output: Open | Enter | Depart | Keep | Prove) -> None:
        raise AssertionError(f"{output}: only supported in a lobby")
