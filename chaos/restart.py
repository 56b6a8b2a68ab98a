"""G2: restart. The server listens soon, every table accepts a move soon afterwards, and no clock is charged
for the downtime.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Final

import aiohttp
import msgspec

from benchmarks.connections import AT_ONCE, Connections, gathered
from benchmarks.programs import Send, unconnected
from benchmarks.report import Figure
from benchmarks.tally import cpu
from chaos.outcome import Outcome, Tell, none_of
from chaos.real import server
from chaos.virtual import NO_PAUSES
from chaos.waiting import Waiting
from tests.integration.servers import Server

DOWN: Final = 2.0
"""Seconds between the kill and the start."""
SECONDS: Final = 300.0
"""The time limit of a decision in seconds."""
PATIENCE: Final = 60.0


class Seat:
    """The person at a table against three bots, over the house protocol."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.send: Send = unconnected
        self.left = 0.0
        """The seconds that were left when the question was asked."""
        self.asked_at = 0.0
        self.answers = False
        self.answered_at = 0.0
        self._question: dict[str, object] = {}

    def join(self) -> None:
        self.asked_at = 0.0
        self.send(b'{"type":"join","name":"ann","token":"secret of ann","seat":0}')

    def received(self, data: bytes) -> None:
        if data.startswith(b'{"type":"ask"') and not self.asked_at:
            self._question = msgspec.json.decode(data)
            left = self._question["seconds"]
            assert isinstance(left, float | int)
            self.left = left
            self.asked_at = time.monotonic()
            if self.answers:
                self._answer()
        elif data.startswith(b'{"type":"accepted"') and self.answers:
            self.answered_at = time.monotonic()

    def _answer(self) -> None:
        legal = self._question["legal"]
        assert isinstance(legal, list)
        actions = legal[:3] if legal[0].startswith("pass ") else legal[:1]
        self.send(msgspec.json.encode({"type": "act", "turn": self._question["turn"], "actions": actions}))


def run(tables: int, seed: int, tell: Tell) -> Outcome:
    """Restart a server with *tables* running matches."""
    with server() as (one, _):
        seats, killed = asyncio.run(_play(one, tables, tell))
        before = [seat.left - (killed - seat.asked_at) for seat in seats]
        one.kill()
        time.sleep(DOWN)
        begun = time.monotonic()
        one.start()
        listening = time.monotonic()
        tell("restarted")
        assert one.process is not None
        back, waited = asyncio.run(_return(seats)), Waiting(one.process.pid, from_start=True).figure()
        used = cpu(one.process.pid) or 0.0
        log = one.log
    silent = sum(not seat.answered_at for seat in seats)
    last = max((seat.answered_at for seat in seats if seat.answered_at), default=back) - listening
    charged = max((was - seat.left for was, seat in zip(before, seats, strict=True)), default=0.0)
    return Outcome(
        f"{tables:,} tables",
        [
            none_of("tables that took no move", silent),
            none_of("lines in the log", len(log.splitlines())),
        ],
        [
            Figure("listening after the start", listening - begun, 2, "s"),
            Figure("last table took a move after listening", last, 5, "s"),
            Figure("most time charged to a clock", max(0.0, charged) * 1000, 50, "ms"),
        ],
        [f"the server has used {used:.1f} s of processor time since its start", *log.splitlines()[:20]],
        [waited],
    )


async def _play(one: Server, tables: int, tell: Tell) -> tuple[list[Seat], float]:
    """Open the tables and wait until each has asked its person."""
    wish = {
        "game": "hearts",
        "seats": ["open", *["bot random"] * 3],
        "table_options": {
            **NO_PAUSES["hearts"],
            **dict.fromkeys(
                ("pass_cards_timeout", "expose_cards_timeout", "pick_card_timeout"), int(SECONDS * 1000)
            ),
        },
    }
    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
        Connections(session) as connections,
    ):

        async def new() -> str:
            async with session.post(f"{one.http}/api/tables", json=wish) as response:
                response.raise_for_status()
                return str((await response.json())["house"])

        seats = [Seat(address) for address in await gathered(new() for _ in range(tables))]
        tell(f"{tables} tables are open")
        await _join(connections, seats)
        await _until(seats, "asked_at")
        return seats, time.monotonic()


async def _return(seats: list[Seat]) -> float:
    """Let every person come back and move; return the time at which all had moved."""
    async with aiohttp.ClientSession() as session, Connections(session) as connections:
        for seat in seats:
            seat.answers = True
        await _join(connections, seats)
        await _until(seats, "answered_at")
        return time.monotonic()


async def _join(connections: Connections, seats: list[Seat]) -> None:
    """Connect and join; a table that cannot be reached counts as one that accepts no move."""
    for first in range(0, len(seats), AT_ONCE):
        some = seats[first : first + AT_ONCE]
        opened = await asyncio.gather(
            *(connections.open([(seat.address, seat)]) for seat in some), return_exceptions=True
        )
        for seat, error in zip(some, opened, strict=True):
            if error is None:
                seat.join()


async def _until(seats: list[Seat], what: str) -> None:
    """Wait until every seat has *what*, for a limited time."""
    end = time.monotonic() + PATIENCE
    while True:
        if all(map(partial(_has, what), seats)) or time.monotonic() > end:
            return
        await asyncio.sleep(0.01)


def _has(what: str, seat: Seat) -> bool:
    return bool(getattr(seat, what))
