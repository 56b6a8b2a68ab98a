"""How a client comes back after a lost connection, what it repeats and what it raises."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from croupier import client
from croupier.client import (
    Ask,
    Closed,
    Event,
    Message,
    Reconnecting,
    Refusal,
    Seat,
    SeatLost,
    TooLate,
    Unreachable,
    View,
    connect,
)
from tests.client.scripted import Frame, Peer, accepted, ask, event, refused, serving, view


def joined(url: str, patience: float = 10.0) -> Seat:
    return connect(url, "t", name="ann", token="secret", patience=patience)


def numbers(heard: list[Message]) -> list[int]:
    return [message.number for message in heard if isinstance(message, Event)]


async def test_what_was_missed_follows_and_nothing_comes_twice() -> None:
    joins: list[Frame] = []

    async def first(peer: Peer) -> None:
        joins.append(await peer.seat())
        await peer.send(view(0), event(1), event(2), ask(1, "play QS"))
        peer.cut()

    async def second(peer: Peer) -> None:
        joins.append(await peer.seat(back=True))
        await peer.send(event(2), event(3), ask(1, "play QS"), event(4), ask(2, "play KS"))
        await peer.send({"type": "closed", "reason": "the match is over"})
        await peer.close(1000)

    async with serving(first, second) as url, joined(url) as seat:
        heard = [message async for message in seat]
        assert seat.table.game == "hearts"
        assert seat.number == 0
    assert [join.get("last") for join in joins] == [None, 2]
    assert {(join["name"], join["token"]) for join in joins} == {("ann", "secret")}
    assert numbers(heard) == [1, 2, 3, 4]
    assert [message.turn for message in heard if isinstance(message, Ask)] == [1, 2]
    assert sum(isinstance(message, Reconnecting) for message in heard) == 1
    assert heard[-1] == Closed("the match is over")


async def test_an_answer_that_was_not_answered_is_sent_again_with_the_same_turn() -> None:
    acts: list[Frame] = []

    async def first(peer: Peer) -> None:
        await peer.seat()
        await peer.send(ask(7, "play QS", "play KS"))
        acts.append(await peer.hear())
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.seat(back=True)
        await peer.send(ask(7, "play QS", "play KS"))
        acts.append(await peer.hear())
        await peer.send(accepted(acts[-1]), event(1), ask(8, "play KS"))
        await peer.hear()

    async with serving(first, second) as url, joined(url) as seat:
        asked: list[int] = []
        async for message in seat:
            if isinstance(message, Ask):
                asked.append(message.turn)
                if message.turn == 8:
                    break
                await seat.act("play QS")
                assert seat.question is None
        await asyncio.wait([asyncio.ensure_future(seat.act("play KS"))], timeout=0.1)
    assert [(act["turn"], act["actions"]) for act in acts] == [(7, ["play QS"])] * 2
    assert asked == [7, 8]


async def test_a_connection_that_can_no_longer_be_written_to() -> None:
    async def first(peer: Peer) -> None:
        await peer.seat()
        await peer.send(ask(1, "play QS"))
        with pytest.raises(AssertionError):
            await peer.hear()

    async def second(peer: Peer) -> None:
        await peer.seat(back=True)
        await peer.send(accepted(await peer.hear()))

    async with serving(first, second) as url, joined(url) as seat:
        async for message in seat:
            if isinstance(message, Ask):
                break
        assert seat._socket is not None
        transport = seat._socket._writer.transport
        assert transport is not None
        transport.abort()
        await seat.act("play QS")


async def test_a_question_that_is_open_longer_than_the_connection_can_still_be_answered() -> None:
    acts: list[Frame] = []

    async def first(peer: Peer) -> None:
        await peer.seat()
        await peer.send(ask(1, "play QS"))
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.seat(back=True)
        await peer.send(ask(1, "play QS"))
        acts.append(await peer.hear())
        await peer.send(accepted(acts[-1]))

    async with serving(first, second) as url, joined(url) as seat:
        async for message in seat:
            if isinstance(message, Reconnecting):
                break
        await seat.act("play QS")
    assert [act["turn"] for act in acts] == [1]


@pytest.mark.parametrize("turn", [1, 2])
async def test_a_server_that_was_started_again_may_not_have_asked_yet(turn: int) -> None:
    acts: list[Frame] = []

    async def first(peer: Peer) -> None:
        await peer.seat()
        await peer.send(ask(1, "play QS"))
        acts.append(await peer.hear())
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.seat(back=True)
        acts.append(await peer.hear())
        await peer.send(refused(acts[-1], "stale"), ask(turn, "play QS"))
        if turn == 1:
            acts.append(await peer.hear())
            await peer.send(accepted(acts[-1]))

    async with serving(first, second) as url, joined(url) as seat:
        async for message in seat:
            if isinstance(message, Ask):
                break
        if turn == 1:
            await seat.act("play QS")
        else:
            with pytest.raises(TooLate):
                await seat.act("play QS")
    assert [act["turn"] for act in acts] == [1] * (3 if turn == 1 else 2)


async def test_a_match_that_ended_while_the_connection_was_lost() -> None:
    async def first(peer: Peer) -> None:
        await peer.seat()
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.seat(phase="gathering")

    async with serving(first, second) as url, joined(url) as seat:
        with pytest.raises(SeatLost, match="match_over: the match ended while the connection was lost"):
            [message async for message in seat]


async def test_a_view_stands_for_events_that_are_no_longer_kept() -> None:
    async def first(peer: Peer) -> None:
        await peer.seat()
        await peer.send(view(0), event(1))
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.seat(back=True)
        await peer.send(view(50), event(51))
        await peer.close(1000)

    async with serving(first, second) as url, joined(url) as seat:
        heard = [message async for message in seat]
    assert numbers(heard) == [1, 51]
    assert [message.number for message in heard if isinstance(message, View)] == [0, 50]


async def test_a_server_that_stops_is_waited_for() -> None:
    async def first(peer: Peer) -> None:
        await peer.seat()
        await peer.send({"type": "closed", "reason": "the server stops"})
        await peer.close(1001)

    async def second(peer: Peer) -> None:
        await peer.seat(back=True)
        await peer.close(1000)

    async with serving(first, second) as url, joined(url) as seat:
        heard = [message async for message in seat]
    assert [message for message in heard if isinstance(message, Reconnecting | Closed)] == [
        Reconnecting("the server stops"),
        Closed("the table is closed"),
    ]


async def test_who_does_not_come_back_in_time_learns_why() -> None:
    async def first(peer: Peer) -> None:
        await peer.seat()
        peer.cut()

    async with serving(first) as url, joined(url, patience=0.2) as seat:
        with pytest.raises(Unreachable, match="answered with status 503"):
            [message async for message in seat]
        with pytest.raises(Unreachable):
            await seat.say("hello")


async def test_a_server_that_ends_every_connection_is_not_asked_for_ever() -> None:
    connections = 0

    async def script(peer: Peer) -> None:
        nonlocal connections
        connections += 1
        await peer.close(1011)

    async with serving(script, script) as url:
        with pytest.raises(Unreachable, match="answered with status 503"):
            async with joined(url, patience=0.3):
                pass
    assert connections == 2


async def test_a_server_that_never_answers_the_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.client.seat.ANSWER_SECONDS", 0.3)

    async def script(peer: Peer) -> None:
        assert (await peer.hear())["type"] == "join"
        with pytest.raises(AssertionError):
            await peer.hear()

    async with serving(script) as url:
        with pytest.raises(Unreachable, match=r"cannot be reached \(no answer\)"):
            async with joined(url, patience=0.0):
                pass


async def test_a_seat_that_a_newer_connection_has_taken_is_not_taken_back() -> None:
    async def first(peer: Peer) -> None:
        await peer.seat()
        await peer.close(4001)

    async with serving(first) as url, joined(url) as seat:
        with pytest.raises(SeatLost) as lost:
            [message async for message in seat]
    assert lost.value.key == "replaced"


async def test_a_refused_join_is_raised_at_once_and_also_on_coming_back() -> None:
    async def full(peer: Peer) -> None:
        await peer.send(refused(await peer.hear(), "table_full"))

    async def first(peer: Peer) -> None:
        await peer.seat()
        peer.cut()

    async with serving(full, first, full) as url:
        with pytest.raises(Refusal) as refusal:
            async with joined(url):
                pass
        assert (refusal.value.key, refusal.value.words) == ("table_full", "because of table_full")
        async with joined(url) as seat:
            with pytest.raises(Refusal, match="table_full"):
                [message async for message in seat]


async def test_refused_answers() -> None:
    async def script(peer: Peer) -> None:
        await peer.seat()
        await peer.send(ask(1, "play QS"))
        await peer.send(refused(await peer.hear(), "must_follow"))
        await peer.send(refused(await peer.hear(), "too_late"))
        assert (await peer.hear())["type"] == "say"
        await peer.send(refused({"id": None}, "flood"))

    async with serving(script) as url, joined(url) as seat:
        with pytest.raises(TooLate, match="no open question"):
            await seat.act("play QS")
        async for message in seat:
            if isinstance(message, Ask):
                break
        with pytest.raises(Refusal) as refusal:
            await seat.act("play QS")
        assert refusal.value.key == "must_follow"
        assert not isinstance(refusal.value, TooLate)
        still_open = seat.question is not None
        assert still_open
        with pytest.raises(TooLate):
            await seat.act("play QS")
        assert seat.question is None
        with pytest.raises(Refusal, match="flood"):
            await seat.say("hello")


async def test_only_answers_are_repeated() -> None:
    async def first(peer: Peer) -> None:
        await peer.seat()
        assert (await peer.hear())["type"] == "say"
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.seat(back=True)
        request = await peer.hear()
        assert request["type"] == "leave"
        await peer.send(accepted(request))

    async with serving(first, second) as url, joined(url) as seat:
        with pytest.raises(SeatLost, match="may have been done or not"):
            await seat.say("hello")
        await seat.leave()
        assert not [message async for message in seat if isinstance(message, Closed)]
        with pytest.raises(SeatLost, match="left"):
            await seat.say("hello")


async def test_a_message_that_the_client_does_not_know_is_ignored(caplog: pytest.LogCaptureFixture) -> None:
    async def script(peer: Peer) -> None:
        await peer.seat()
        await peer.send({"type": "fireworks"}, {**event(1), "colour": "red"})
        await peer.send_text("no JSON")
        await peer.close(1000)

    async with serving(script) as url, joined(url) as seat:
        assert numbers([message async for message in seat]) == [1]
    assert "fireworks" in caplog.text


async def test_a_full_inbox_stops_the_reader_but_not_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.client.seat.BACKLOG", 5)

    async def script(peer: Peer) -> None:
        await peer.seat()
        await peer.send(*(event(number) for number in range(1, 101)))
        await peer.send(accepted(await peer.hear()))
        await peer.close(1000)

    async with serving(script) as url, joined(url) as seat:
        await seat.say("hello")
        assert numbers([message async for message in seat]) == list(range(1, 101))


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("127.0.0.1:8080", "expected an address like http://"),
        ("ftp://127.0.0.1", "expected an address like http://"),
        ("http://127.0.0.1:99999", "expected an address like http://"),
        ("http://", "expected an address like http://"),
        ("http://127.0.0.1:9", "cannot be reached .Connection refused.: is 'croupier serve' running there"),
        ("http://no-such-host.invalid", "cannot be reached"),
    ],
)
async def test_addresses_where_no_server_is(url: str, words: str) -> None:
    with pytest.raises(Unreachable, match=words):
        async with connect(url, "t", name="ann"):
            pass
    with pytest.raises(Unreachable, match=words):
        await client.open_table(url, "hearts")


def test_the_client_imports_no_server() -> None:
    code = "import sys, croupier.client.sync; print(*(name for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "aiohttp.web" not in loaded
    ours = {name.split(".")[1] for name in loaded if name.startswith("croupier.")}
    assert ours == {"client", "wire", "core"}
