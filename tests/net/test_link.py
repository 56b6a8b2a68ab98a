"""A connection as its table sees it, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import msgspec

from croupier.games.hearts import GAME
from croupier.games.hearts.wire import HeartsConversation
from croupier.net.limits import REFUSAL_DELAY, RefusalLimit
from croupier.net.link import Carrier, Link
from croupier.store.memory import MemoryStore
from croupier.table.hall import Config, Hall
from croupier.testing import clock
from croupier.wire.talk import Hang


def join(name: str) -> bytes:
    return msgspec.json.encode({"eventName": "join", "data": {"playerName": name}})


def answers(frames: Iterable[tuple[float, bytes]], seconds: float) -> list[tuple[float, str]]:
    """Return what a client of the Trend protocol is sent that sends *frames*, each at its time, and when."""
    sent: list[tuple[float, str]] = []

    async def visit() -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()

        async def send(frame: str) -> None:
            sent.append((loop.time() - start, msgspec.json.decode(frame)["eventName"]))

        async def close(hang: Hang) -> None:
            raise AssertionError(hang)

        hall = Hall(MemoryStore())
        runner = await hall.open(GAME, Config(["open"] * 4))
        refusals = RefusalLimit()
        link = Link(
            HeartsConversation(runner.table),
            Carrier(send, close, lambda: None),
            lambda: refusals.delay("here", loop.time()),
        )
        link.enter(runner)
        for at, frame in frames:
            loop.call_later(at, link.receive, frame)
        await asyncio.sleep(seconds)
        link.lose()
        await link.stop()
        await hall.stop("the test is over")

    clock.run(visit())
    return sent


def test_frames_that_come_together_are_answered_in_turn() -> None:
    assert answers([(0.0, join("")), (0.0, join("ann")), (0.0, join("eve"))], 5.0) == [
        (0.0, "join_error"),
        (0.0, "new_peer"),
    ]


def test_a_join_waits_for_a_refusal_that_is_kept_back() -> None:  # 6.2
    refused = [(0.0, join(""))] * 4
    assert answers([*refused, (0.25, join("ann"))], 5.0) == [
        *[(0.0, "join_error")] * 3,
        (REFUSAL_DELAY, "join_error"),
        (REFUSAL_DELAY, "new_peer"),
    ]


def test_every_refusal_after_the_third_is_kept_back() -> None:
    assert answers([(0.0, join(""))] * 6, 5.0) == [
        *[(0.0, "join_error")] * 3,
        *[(REFUSAL_DELAY * number, "join_error") for number in (1, 2, 3)],
    ]
