"""Observes a program for the referee: at its table, or in the lobby where its protocol starts.

In protocols that list the legal actions, the first answer that the rules refuse is a verdict. The protocols
with lobbies do not all list them, and their clients learn by trying: there a refusal is a normal answer, and
the clock keeps running.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from croupier.arena.chairs import Chair
from croupier.arena.plan import HOUSE, Kind
from croupier.games import conversation
from croupier.games import protocol as find_protocol
from croupier.net.lobby import LobbyServer
from croupier.net.lobby_connection import LobbyConnection
from croupier.net.outbox import Channel
from croupier.table.table import Table
from croupier.wire.driver import LobbyConversation
from croupier.wire.frames import read_object
from croupier.wire.house import HouseConversation
from croupier.wire.talk import (
    CLOSED,
    Act,
    Arrange,
    AskedNow,
    Continue,
    Conversation,
    Disconnect,
    Fill,
    Frame,
    Join,
    Leave,
    Note,
    Output,
    Refused,
    Rename,
    Say,
    Send,
    Start,
)

PARDONED: Final = ("stale", "too_late", "not_now", "not_joined", "already_joined", "closed")
"""Refusals that a slow program gets without a mistake: only its clock counts."""
NOT_UNDERSTOOD: Final = ("bad_message", "unknown_action", "not_joined")
ABUSE: Final = 1008
"""The code with which protocols close a misbehaving connection."""


class Judge(Protocol):
    """Decides on verdicts."""

    @property
    def table(self) -> Table: ...
    @property
    def refusals(self) -> int:
        """Return how many answers to a question may be refused in protocols whose clients learn by trying."""
        ...

    def judge(self, seat: int, kind: Kind, words: str) -> None:
        """End the match with a verdict, unless it has already ended."""
        ...


class Ear:
    """Observes a program's requests and the messages it gets, in any protocol."""

    def __init__(self, judge: Judge, chair: Chair) -> None:
        self._judge = judge
        self._chair = chair

    def heed(self, output: Output) -> Output | Refused | None:
        """Return the result of a request from the program's conversation."""
        match output:
            case Join(claim, id):
                return Join(self._chair.claim(claim, self._judge.table.places), id)
            case Leave():
                state = self._judge.table.state
                if self._judge.table.phase == CLOSED or (state is not None and state.over()):
                    return output
                self._judge.judge(self._chair.seat, "crash", "it left the table")
                return None
            case Start() | Arrange() | Fill() | Say() | Continue() | Rename():
                return Refused(output, "not_now", "an arena has fixed seats and no chat")
        return output

    def told(self, note: Note) -> None:
        """Process a message to the program."""
        chair = self._chair
        if isinstance(note, AskedNow):
            chair.asked()
        elif isinstance(note, Refused) and isinstance(note.request, Act) and note.key not in PARDONED:
            name = self._judge.table.game.actions.name
            tried = ", ".join(name(action) for action in note.request.actions)
            chair.refusal = note.words if note.words.startswith(tried) else f"{tried}: {note.words}"
            chair.refused += 1
            if not chair.lobby or chair.refused > self._judge.refusals:
                self._judge.judge(chair.seat, "illegal", chair.refusal)

    def not_understood(self, words: str) -> None:
        self._judge.judge(self._chair.seat, "not understood", words)


class Watched(Conversation):
    """The conversation of a program whose address contains its table."""

    def __init__(self, judge: Judge, chair: Chair) -> None:
        table = judge.table
        self._house = chair.contestant.wire == HOUSE
        self._inner: Conversation = HouseConversation(table) if self._house else conversation(table)
        super().__init__()
        self._chair = chair
        self._ear = Ear(judge, chair)
        self._last: str | bytes = b""
        """The last message of the program."""
        self.join_seconds = self._inner.join_seconds
        self.outbox_limit = self._inner.outbox_limit

    def take_seat(self, seat: int) -> None:
        super().take_seat(seat)
        self._inner.take_seat(seat)

    def greet(self, now: float) -> list[Output]:
        return self._inner.greet(now)

    def flooded(self) -> list[Output]:
        return self._inner.flooded()

    def replaced(self) -> list[Output]:
        return self._inner.replaced()

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        self._last = data
        outputs = self._inner.receive(data, now)
        if not outputs:
            self._chair.noise = f"it sent {shown(data)}"
        return self._heeded(outputs, now)

    def pending(self) -> bool:
        return self._inner.pending()

    def resume(self, now: float) -> list[Output]:
        return self._heeded(self._inner.resume(now), now)

    def _heeded(self, outputs: Iterable[Output], now: float) -> list[Output]:
        passed: list[Output] = []
        for output in outputs:
            heeded = self._ear.heed(output)
            if isinstance(heeded, Refused):
                passed += [Send(frame) for frame in self._inner.note(heeded, now)]
                passed += self._heeded(self._inner.resume(now), now)
            elif heeded is not None:
                passed.append(heeded)
            if isinstance(output, Send):
                self._answered(output.frame)
        return passed

    def _answered(self, frame: Frame) -> None:
        """Process an answer that the house protocol gives without asking the table."""
        answer = read_object(frame, len(frame)) if self._house else None
        if answer and answer.get("type") == "refused" and answer.get("key") in NOT_UNDERSTOOD:
            self._ear.not_understood(f"it sent {shown(self._last)}: {answer.get('words')}")

    def note(self, note: Note, now: float) -> Sequence[Frame]:
        self._ear.told(note)
        return self._inner.note(note, now)


class Overheard(LobbyConnection):
    """The connection of a program that starts in a lobby."""

    def __init__(
        self,
        judge: Judge,
        chair: Chair,
        conversation: LobbyConversation,
        channel: Channel,
        server: LobbyServer,
        address: str,
    ) -> None:
        self._chair = chair
        self._ear = Ear(judge, chair)
        protocol = find_protocol(judge.table.game)
        self._complaints = protocol.complaints if protocol is not None else ()
        super().__init__(conversation, channel, server, address)

    def receive(self, data: str | bytes) -> None:
        self._chair.sent = data
        super().receive(data)

    def feed(self, data: bytes) -> None:
        self._chair.sent = data
        super().feed(data)

    def send(self, frame: Frame) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        if self._chair.sent and text.startswith(self._complaints):
            self._chair.noise = f"it sent {shown(self._chair.sent)}: {shown(text)}"
        super().send(frame)

    def disconnect(self, disconnect: Disconnect) -> None:
        if disconnect.code == ABUSE and self._chair.sent and not self.disconnected:
            self._ear.not_understood(self._chair.noise or disconnect.reason)
        super().disconnect(disconnect)

    def note(self, note: Note, now: float) -> None:
        self._ear.told(note)
        super().note(note, now)

    def ousted(self, disconnect: Disconnect) -> None:
        """Close the connection: the match is over, and there is no other table."""
        self.shell = None
        self.disconnect(disconnect)

    def carry_out(self, outputs: Iterable[Output]) -> None:
        passed: list[Output] = []
        refused: list[Refused] = []
        for output in outputs:
            heeded = self._ear.heed(output)
            if isinstance(heeded, Refused):
                refused.append(heeded)
            elif heeded is not None:
                passed.append(heeded)
        super().carry_out(passed)
        for one in refused:
            self.note(one, self._clock())


def shown(data: str | bytes) -> str:
    """Return a message from or to a program, shortened and without control characters."""
    text = ascii(data.decode(errors="replace") if isinstance(data, bytes) else data)
    return text if len(text) <= 80 else text[:77] + "..."
