"""The driver of lobby conversations: waiting and order (wire/driver.py)."""

from __future__ import annotations

from collections import deque
from typing import cast

from croupier.wire.driver import CROWD, Exchange, LobbyConversation
from croupier.wire.lines import LineReader, Overlong
from croupier.wire.lobby import Lobby
from croupier.wire.talk import (
    Accepted,
    Act,
    Disconnect,
    Enter,
    Frame,
    Join,
    Keep,
    Kept,
    Note,
    Output,
    Prove,
    Proved,
    Refused,
    Rename,
    Said,
    Send,
    Wait,
)


class _Lobby:
    def __init__(self) -> None:
        self.changed: deque[LobbyConversation] = deque()


class Echo(LobbyConversation):
    """A protocol for tests; each message is an instruction."""

    def __init__(self) -> None:
        self.lobby = _Lobby()
        super().__init__(cast(Lobby, self.lobby), LineReader(80))
        self.undone: list[str] = []
        self.heard: list[Note] = []

    def answer(self, data: str | bytes | Overlong, now: float) -> Exchange | None:
        assert isinstance(data, str | bytes)
        word = data if isinstance(data, str) else data.decode()
        match word:
            case "login":
                return self.login()
            case "wait":
                return self.wait()
            case "bye":
                self.disconnect(1000, "bye")
            case "act":
                self.ask(Act(1, (2,), "act"))
            case _:
                self.send(word)
        return None

    def login(self) -> Exchange:
        proved = yield Prove("anna", "secret")
        assert isinstance(proved, Proved)
        if not proved.token:
            self.send(proved.words)
            return
        assert (yield Send("proved")) is None
        assert (yield Keep("anna", proved.token)) == Kept()
        answer = yield Rename("anna")
        self.send("taken" if isinstance(answer, Refused) else f"{type(answer).__name__} at {self.now}")

    def wait(self) -> Exchange:
        try:
            yield Wait()
            self.send("waited")
        finally:
            self.undone.append("wait")

    def tell(self, note: Note, now: float) -> list[str]:
        self.heard.append(note)
        return [type(note).__name__]

    def closed(self, reason: str, now: float) -> None:
        self.send(reason)

    def left(self, now: float) -> None:
        self.undone.append("left")


def frames(outputs: list[Output]) -> list[Frame]:
    return [output.frame for output in outputs if isinstance(output, Send)]


def test_an_exchange_continues_with_each_answer_while_messages_wait() -> None:
    one = Echo()
    assert one.receive("login", 1.0) == [Prove("anna", "secret")]
    assert one.receive("a", 1.0) == []
    assert one.feed(b"b\nc", 1.0) == []
    assert one.answered(Proved("token"), 2.0) == [Send("proved"), Keep("anna", "token")]
    assert one.answered(Kept(), 3.0) == [Rename("anna")]
    assert one.note(Accepted(), 4.0) == []
    assert one.take() == [Send("Accepted at 4.0")]
    # The table may send more notes with its answer: the next message is read after them.
    assert one.pending()
    assert frames(one.resume(5.0)) == ["a", "b"]
    assert one.settled
    assert frames(one.feed(b"\n", 5.0)) == ["c"]


def test_an_exchange_may_end_early() -> None:
    one = Echo()
    one.receive("login", 1.0)
    one.receive("next", 1.0)
    assert one.answered(Proved("", "no"), 2.0) == [Send("no"), Send("next")]


def test_the_answer_to_a_plain_request_goes_to_tell() -> None:
    one = Echo()
    act = Act(1, (2,), "act")
    assert one.receive("act", 1.0) == [act]
    assert one.waits
    assert one.receive("next", 1.0) == []
    one.take_seat(0)
    assert one.note(Said(1, "bob", "hello"), 1.0) == ["Said"]
    assert one.waits
    assert one.note(Accepted("act"), 1.0) == ["Accepted"]
    assert one.pending()
    assert one.resume(1.0) == [Send("next")]


def test_a_connection_without_a_seat_gets_no_notes_of_the_table() -> None:
    assert Echo().note(Said(1, "bob", "hello"), 1.0) == []


def test_other_conversations_may_post_begin_and_go_on() -> None:
    one = Echo()
    one.post(Send("from another"))
    assert list(one.lobby.changed) == [one]
    assert one.resume(1.0) == [Send("from another")]
    assert not one.go_on()
    one.receive("wait", 1.0)
    one.receive("next", 1.0)
    one.begin(one.login())
    assert one.resume(1.0) == []
    assert one.go_on()
    assert not one.go_on()
    # The new exchange runs before the next message.
    assert one.resume(1.0) == [Send("waited"), Prove("anna", "secret")]
    assert one.answered(Proved("", "no"), 2.0) == [Send("no"), Send("next")]
    assert one.undone == ["wait"]


def test_the_end_of_the_connection_closes_the_exchange() -> None:
    one = Echo()
    one.receive("wait", 1.0)
    one.receive("next", 1.0)
    one.gone(2.0)
    assert one.undone == ["wait", "left"]
    assert one.settled
    assert not one.pending()
    assert one.receive("more", 2.0) == []


def test_after_a_hang_nothing_is_answered() -> None:
    one = Echo()
    assert one.receive("bye", 1.0) == [Disconnect(1000, "bye")]
    assert one.receive("more", 1.0) == []
    assert not one.pending()

    def farewell() -> Exchange:
        yield Disconnect(1000, "bye")

    other = Echo()
    other.begin(farewell())
    assert other.receive("more", 1.0) == [Disconnect(1000, "bye")]


def test_a_request_to_a_table_that_closes_is_refused() -> None:
    one = Echo()
    one.receive("act", 1.0)
    one.receive("next", 1.0)
    assert one.ousted("the end", 2.0) == [Send("Refused"), Send("the end"), Send("next")]
    assert one.heard == [Refused(Act(1, (2,), "act"), "closed", "the end")]

    found: list[object] = []

    def enter() -> Exchange:
        found.append((yield Enter("t1", _CLAIM)))

    other = Echo()
    other.begin(enter())
    assert other.resume(1.0) == [Enter("t1", _CLAIM)]
    assert other.ousted("the end", 2.0) == [Send("the end")]
    assert found == [Refused(Join(_CLAIM), "closed", "the end")]


def test_a_request_to_the_server_still_waits_when_a_table_closes() -> None:
    one = Echo()
    one.receive("login", 1.0)
    assert one.ousted("the end", 2.0) == [Send("the end")]
    assert one.answered(Proved("", "no"), 2.0) == [Send("no")]


def test_too_many_messages_are_not_read() -> None:
    one = Echo()
    one.receive("wait", 1.0)
    for _ in range(CROWD):
        assert not one.crowded
        one.receive("x", 1.0)
    assert one.crowded


class _Claim:
    name = "anna"
    number = None
    token = ""
    address = ""
    person = True

    def seat(self, info: object) -> int:
        return 0


_CLAIM = _Claim()
