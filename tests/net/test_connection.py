"""A connection as its table sees it, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

import msgspec

from croupier.games.hearts import GAME
from croupier.games.hearts.wire import HeartsConversation
from croupier.net.connection import Connection
from croupier.net.limits import REFUSAL_DELAY, refusal_limit
from croupier.net.outbox import Channel, nothing
from croupier.store.memory import MemoryStore
from croupier.table.tables import Tables
from croupier.testing import clock
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Disconnect, Frame, Note, PhaseChanged


def join(name: str) -> bytes:
    return msgspec.json.encode({"eventName": "join", "data": {"playerName": name}})


def answers(frames: Iterable[tuple[float, bytes]], seconds: float) -> list[tuple[float, str]]:
    """Return what a Trend client receives, with times, if it sends *frames* at their times."""
    sent: list[tuple[float, str]] = []

    async def visit() -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()

        def send(frame: Frame) -> None:
            sent.append((loop.time() - start, msgspec.json.decode(frame)["eventName"]))

        def close(disconnect: Disconnect) -> None:
            raise AssertionError(disconnect)

        tables = Tables(MemoryStore())
        shell = await tables.open(GAME, TableSpec(["open"] * 4))
        refusals = refusal_limit()
        connection = Connection(
            HeartsConversation(shell.table),
            Channel(send, lambda: 0, close, nothing),
            loop.time,
            tables.identities,
            lambda: 0.0 if refusals.take("here", loop.time()) else REFUSAL_DELAY,
        )
        connection.enter(shell)
        for at, frame in frames:
            loop.call_later(at, connection.receive, frame)
        await asyncio.sleep(seconds)
        connection.lose()
        connection.stop()
        await asyncio.sleep(0)
        await tables.stop("the test is over")

    clock.run(visit())
    return sent


def test_frames_that_arrive_together_are_answered_in_order() -> None:
    assert answers([(0.0, join("")), (0.0, join("ann")), (0.0, join("eve"))], 5.0) == [
        (0.0, "join_error"),
        (0.0, "new_peer"),
    ]


def test_a_join_waits_for_a_delayed_refusal() -> None:  # 6.2
    refused = [(0.0, join(""))] * 4
    assert answers([*refused, (0.25, join("ann"))], 5.0) == [
        *[(0.0, "join_error")] * 3,
        (REFUSAL_DELAY, "join_error"),
        (REFUSAL_DELAY, "new_peer"),
    ]


def test_every_refusal_after_the_third_is_delayed() -> None:
    assert answers([(0.0, join(""))] * 6, 5.0) == [
        *[(0.0, "join_error")] * 3,
        *[(REFUSAL_DELAY * number, "join_error") for number in (1, 2, 3)],
    ]


def test_nothing_is_composed_for_a_peer_that_does_not_read() -> None:
    composed: list[Note] = []

    class Noted(HeartsConversation):
        def note(self, note: Note, now: float) -> Sequence[bytes]:
            composed.append(note)
            return super().note(note, now)

    async def stall() -> None:
        tables = Tables(MemoryStore())
        shell = await tables.open(GAME, TableSpec(["open"] * 4))
        said: list[Disconnect] = []
        channel = Channel(lambda frame: None, lambda: 1 << 30, said.append, nothing)
        connection = Connection(Noted(shell.table), channel, shell.clock, tables.identities)
        connection.enter(shell)
        connection.send(b"the first frame is too much")
        assert [disconnect.code for disconnect in said] == [4002]
        for _ in range(3):
            connection.note(PhaseChanged(), shell.clock())
        assert composed == []
        connection.stop()
        await tables.stop("the test is over")

    clock.run(stall())
