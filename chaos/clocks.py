"""G9: clocks under pauses of the process, steps of the wall clock, and lag.

The server's wall clock jumps by two hours every second. A player lets its clock run out, answers shortly
before the end, or answers while the process is stopped until after the end. A clock must run out at the
announced time, and an answer that was sent in time must be accepted.
"""

from __future__ import annotations

import asyncio
import signal
import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import aiohttp
import msgspec

from benchmarks.report import Figure
from chaos.outcome import Outcome, Tell, none_of, some_of
from chaos.real import server
from chaos.virtual import NO_PAUSES
from chaos.waiting import Delay
from croupier.core.options import Value
from tests.integration.servers import Server

SECONDS: Final = 1.5
EARLY: Final = 0.6
"""Seconds before the end at which an answer is sent in time."""
PAUSE: Final = 2.0
WAYS: Final = ("late", "paused", "in time")


@dataclass
class Tally:
    """The results of the questions."""

    errors: list[float] = field(default_factory=list)
    """By how many seconds clocks ran out later than announced."""
    sent: int = 0
    flagged: int = 0
    """Answers that were sent in time and not accepted."""
    delay: Delay = field(default_factory=Delay)


def run(many: int, seed: int, tell: Tell) -> Outcome:
    """Answer *many* questions."""
    with server(module="chaos.stepped") as (one, _):
        found = asyncio.run(_play(one, many, tell))
        log = one.log
    error = max(map(abs, found.errors), default=0.0)
    return Outcome(
        f"{many:,} questions of {SECONDS} s",
        [
            none_of("answers in time that were not accepted", found.flagged),
            some_of("answers sent in time", found.sent),
            some_of("clocks that ran out", len(found.errors)),
            none_of("exceptions in the log", log.count("Traceback")),
        ],
        [Figure("largest error of a clock", error * 1000, 50, "ms")],
        controls=[found.delay.figure()],
    )


async def _play(one: Server, many: int, tell: Tell) -> Tally:
    tally = Tally()
    limit = int(SECONDS * 1000)
    names = ("pass_cards_timeout", "expose_cards_timeout", "pick_card_timeout")
    clocks: dict[str, Value] = {**NO_PAUSES["hearts"], **dict.fromkeys(names, limit)}
    seats = ["open", *["bot random"] * 3]
    done = 0
    delayed = asyncio.create_task(tally.delay.run())
    async with aiohttp.ClientSession() as session:
        while done < many:
            id = await asyncio.to_thread(partial(one.new_table, seats=seats, table_options=clocks))
            async with session.ws_connect(f"{one.ws}/house/{id}") as socket:
                await socket.send_json({"type": "join", "name": "ann", "token": "t", "seat": 0})
                # A table has a new question for every card of a deal; then comes the next table.
                for _ in range(min(13, many - done)):
                    ask = await _until(socket, "ask")
                    await _answer(one, socket, ask, WAYS[done % len(WAYS)], tally)
                    done += 1
                    tell(f"{done} of {many}")
    delayed.cancel()
    return tally


async def _answer(
    one: Server, socket: aiohttp.ClientWebSocketResponse, ask: dict[str, Any], way: str, tally: Tally
) -> None:
    asked = time.monotonic()
    seconds = float(ask["seconds"])
    assert one.process is not None
    if way == "late":
        while (frame := await _next(socket))["type"] != "event" or not frame["auto"]:
            pass
        tally.errors.append(time.monotonic() - asked - seconds)
        return
    legal = ask["legal"]
    act = {"type": "act", "turn": ask["turn"], "actions": legal[: 3 if legal[0].startswith("pass ") else 1]}
    await asyncio.sleep(max(0.0, seconds - EARLY - 0.2))
    if way == "paused":
        one.process.send_signal(signal.SIGSTOP)
    try:
        await asyncio.sleep(0.2)
        await socket.send_json({**act, "id": "mine"})
        in_time = time.monotonic() - asked < seconds - EARLY / 2
        if way == "paused":
            await asyncio.sleep(PAUSE)
    finally:
        if way == "paused":
            one.process.send_signal(signal.SIGCONT)
    while (frame := await _next(socket)).get("id") != "mine":
        pass
    if in_time:  # otherwise this process was too slow, and the case proves nothing
        tally.sent += 1
        tally.flagged += frame["type"] != "accepted"


async def _until(socket: aiohttp.ClientWebSocketResponse, kind: str) -> dict[str, Any]:
    while (frame := await _next(socket))["type"] != kind:
        pass
    return frame


async def _next(socket: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
    return msgspec.json.decode((await socket.receive(60.0)).data, type=dict[str, Any])
