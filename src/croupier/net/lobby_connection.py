"""One connection as a lobby sees it, over any channel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mypy_extensions import mypyc_attr

from croupier.core.contract import WATCHER
from croupier.net.connection import Connection
from croupier.net.outbox import Channel
from croupier.table.alarm import Alarm
from croupier.wire.driver import Answer, LobbyConversation
from croupier.wire.talk import (
    EXPELLED,
    Depart,
    Disconnect,
    Enter,
    Join,
    Keep,
    Note,
    Open,
    Output,
    Prove,
    Refused,
)

if TYPE_CHECKING:
    from croupier.net.lobby import LobbyServer


@mypyc_attr(allow_interpreted_subclasses=True)
class LobbyConnection(Connection):
    """A connection that starts in a lobby, joins tables and returns to the lobby."""

    def __init__(
        self, conversation: LobbyConversation, channel: Channel, server: LobbyServer, address: str
    ) -> None:
        super().__init__(conversation, channel, server.clock, server.identities)
        self._relieved = channel.relieved
        self.talk = conversation
        conversation.address = address
        self._server = server
        self._alarm = Alarm(server.clock, self._tick)
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

    @property
    def answered(self) -> bool:
        """Return True if everything the peer has sent is answered or will never be."""
        return self.talk.settled or self.disconnected or self._lost

    @property
    def full(self) -> bool:
        """Return True while the conversation accepts no more input."""
        return self.talk.crowded and not self.disconnected and not self._lost

    def resume(self) -> None:
        super().resume()
        self._relieved()

    def lose(self) -> None:
        if self._lost:
            return
        self._lost = True
        self._alarm.stop()
        self._relieved()
        super().lose()
        self._server.dismiss(self)

    def _note(self, note: Note, now: float) -> None:
        if isinstance(note, Refused) and isinstance(note.request, Join):
            self._depart()
        super()._note(note, now)
        outputs = self.talk.take()
        if outputs or self._server.lobby.changed:
            self.carry_out(outputs)
        self._relieved()
        self._arm()

    def disconnect(self, disconnect: Disconnect) -> None:
        super().disconnect(disconnect)
        self._relieved()

    def replaced(self) -> None:
        super().replaced()
        self._be_in_lobby()

    def ousted(self, disconnect: Disconnect) -> None:
        self.shell = None
        self._be_in_lobby()
        if disconnect.code == EXPELLED:
            super().ousted(disconnect)
            return
        if disconnect.code != 1000:
            self.close(disconnect.reason)
            return
        self.carry_out(self.talk.ousted(disconnect.reason, self._clock()))
        self.resume()

    def close(self, reason: str) -> None:
        """Close the connection in the words of the protocol."""
        if not self.disconnected:
            self.carry_out(self.talk.closing(reason))

    def answer(self, answer: Answer) -> None:
        """Pass the server's answer to a request to the conversation."""
        if not self._lost:
            self.carry_out(self.talk.answered(answer, self._clock()))
            self._relieved()

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
        if not self.disconnected and not self._lost:
            self._alarm.set(self.talk.wake())

    def _tick(self) -> None:
        now = self._clock()
        when = self.talk.wake()
        if when is not None and when <= now:
            self.carry_out(self.talk.tick(now))
            self.resume()
        else:
            self._arm()
