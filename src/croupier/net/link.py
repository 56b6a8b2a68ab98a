"""One connection as a table sees it, whatever carries its frames."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass

from croupier.net.outbox import Outbox
from croupier.table.runner import Runner
from croupier.wire.talk import (
    Conversation,
    Depart,
    Enter,
    Hang,
    Join,
    Keep,
    Note,
    Open,
    Output,
    Prove,
    Refused,
    Send,
    Via,
)


@dataclass(frozen=True, slots=True)
class Carrier:
    """How the frames of a connection travel."""

    send: Callable[[str], Coroutine[None, None, None]]
    close: Callable[[Hang], Coroutine[None, None, None]]
    """Say goodbye."""
    abort: Callable[[], None]
    """End the connection without another byte."""


class Link:
    """A conversation, the table it is at, and its bounded way out."""

    def __init__(
        self, conversation: Conversation, carrier: Carrier, refused: Callable[[], float] = lambda: 0.0
    ) -> None:
        """*refused* takes note of a refused join and returns how long to keep the answer back."""
        self.conversation = conversation
        self.runner: Runner | None = None
        self._refused = refused
        self._outbox = Outbox(conversation.outbox_limit, carrier.send, carrier.close, carrier.abort)
        self._loop = asyncio.get_running_loop()

    @property
    def hung(self) -> bool:
        """Say whether this side has ended the conversation."""
        return self._outbox.hung

    def send(self, frame: str) -> None:
        """Queue a frame; a peer that has let too much pile up is cut off."""
        if not self._outbox.push(frame):
            self.lose()

    def hang(self, hang: Hang) -> None:
        """Send what is due, then close."""
        self._outbox.hang(hang)

    def greet(self) -> None:
        """Begin the conversation."""
        self.carry_out(self.conversation.greet(self._loop.time()))

    def receive(self, data: str | bytes) -> None:
        """Take in one frame."""
        self.carry_out(self.conversation.receive(data, self._loop.time()))

    def enter(self, runner: Runner) -> None:
        """Go to a table."""
        self.runner = runner
        runner.attach(self)

    def lose(self) -> None:
        """The connection has ended, or is as good as that."""
        runner, self.runner = self.runner, None
        if runner is not None:
            runner.detach(self)

    async def finish(self) -> None:
        """Send what is due and close; a peer that does not read is given up."""
        self.hang(Hang(1000, "the peer has said its last"))
        await self._outbox.sent()

    async def stop(self) -> None:
        """End the task that sends."""
        await self._outbox.stop()

    # What the table says.

    def note(self, note: Note, now: float) -> None:
        refused = isinstance(note, Refused) and isinstance(note.request, Join)
        delay = self._refused() if refused else 0.0
        if delay:
            self._loop.call_later(delay, self._note, note, now + delay)
        else:
            self._note(note, now)

    def _note(self, note: Note, now: float) -> None:
        for frame in self.conversation.note(note, now):
            self.send(frame)
        if self.conversation.pending():
            self._loop.call_soon(self.resume)  # when the table has told everything that goes with this

    def replaced(self) -> None:
        self.runner = None
        self.carry_out(self.conversation.replaced())

    def ousted(self, hang: Hang) -> None:
        self.runner = None
        self.hang(hang)

    # What the conversation wants.

    def resume(self) -> None:
        """Let the conversation go on with what has waited."""
        if not self.hung and self.conversation.pending():
            self.carry_out(self.conversation.resume(self._loop.time()))

    def carry_out(self, outputs: Iterable[Output]) -> None:
        """Do what the conversation wants done."""
        for output in outputs:
            match output:
                case Send(frame):
                    self.send(frame)
                case Hang():
                    self.hang(output)
                case Open() | Enter() | Depart() | Keep() | Prove() | Via():
                    self._ask_house(output)
                case request:
                    if self.runner is not None:
                        self.runner.post(self, request)

    def _ask_house(self, output: Open | Enter | Depart | Keep | Prove | Via) -> None:
        raise AssertionError(f"{output}: only a desk does that")
