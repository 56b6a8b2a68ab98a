"""A seat taken by an agent: a client of the house protocol that reads continuously.

Events are kept as text until the agent asks for them.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from croupier.client import (
    Ask,
    ClientError,
    Closed,
    Event,
    Message,
    Notice,
    Said,
    SeatLost,
    Server,
    Table,
    Turn,
    View,
    connect,
)
from croupier.wire.house_messages import Facts, Words

ANSWER_SECONDS: Final = 30.0
"""How long a table may take to answer a tool."""
IDLE: Final = 3600.0
"""A seat is given back after this many seconds without a call."""
LULL: Final = 2.0
"""How long to wait for a game that a player has to start, in seconds."""
MOST_SEATS: Final = 1000
LONGEST_STORY: Final = 500
"""The maximum number of lines kept for an agent that does not ask for them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that is due."""

    turn: int
    deadline: float | None
    """In the time of the event loop."""


class Seat:
    """One seat at one table."""

    def __init__(self, server: Server, table: str, name: str, wanted: int | None) -> None:
        self.id = secrets.token_urlsafe(12)
        """The id by which the agent refers to the seat; it is secret."""
        self.table = table
        self.view: Facts = {}
        self.question: Question | None = None
        self.ended = ""
        """Why this seat is lost, if it is."""
        self._client = connect(
            server.url, table, name=name, seat=wanted, person=True, views="all", words=True
        )
        self._told: deque[str] = deque(maxlen=LONGEST_STORY)
        self._last: int | None = None
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def number(self) -> int:
        return self._client.number

    @property
    def facts(self) -> Table:
        """Return the last description of the table from the server."""
        return self._client.table

    @property
    def words(self) -> Words:
        """Return the view as text."""
        return msgspec.convert(self.view["words"], Words)

    # Actions of the agent.

    async def sit(self) -> None:
        """Join the table, or raise ClientError."""
        try:
            await self._client.open()
            self._task = asyncio.get_running_loop().create_task(self._listen())
            await self._wait(lambda: bool(self.view or self.ended), ANSWER_SECONDS)
            if not self.view:
                raise SeatLost("lost", self.ended or f"table {self.table} is not responding")
            if "words" not in self.view:
                words = f"{self._client.address} does not send texts: update that server"
                raise ClientError("old_server", words)
        except BaseException:
            await self.close()
            raise

    async def act(self, turn: int, *actions: str, text: str | None = None) -> None:
        """Answer the question *turn* with *actions* or a *text*, or raise ClientError."""
        await self._do(self._client.act(*actions, text=text, turn=turn))
        if self.question is not None and self.question.turn == turn:
            self.question = None

    async def say(self, text: str) -> None:
        await self._do(self._client.say(text))

    async def start(self) -> None:
        await self._do(self._client.start())

    async def leave(self) -> None:
        """Leave the seat permanently."""
        try:
            await self._do(self._client.leave())
        finally:
            await self.close()

    async def wait(self, seconds: float) -> None:
        """Wait until there is something to do, for at most *seconds*."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        await self._wait(lambda: self._due() or not self.playing(), seconds)
        await self._wait(self._due, min(until - loop.time(), LULL))

    def news(self) -> list[str]:
        """Return the events since the last call, as text."""
        told = list(self._told)
        self._told.clear()
        return told

    async def close(self) -> None:
        """Close the connection; a seat that is still held counts as lost, not as left."""
        await self._client.close()
        if self._task is not None:
            await self._task

    def playing(self) -> bool:
        """Return True while a game is running, or will start without the agent."""
        return self.facts.phase == "playing" or self.facts.started

    def _due(self) -> bool:
        return bool(self.question or self.ended or (self._told and not self.playing()))

    async def _wait(self, condition: Callable[[], bool], seconds: float) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while not condition() and (left := until - loop.time()) > 0:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), left)
            except TimeoutError:
                return

    async def _do(self, request: Coroutine[Any, Any, None]) -> None:
        try:
            await asyncio.wait_for(request, ANSWER_SECONDS)
        except TimeoutError:
            words = f"table {self.table} is not responding; call again later"
            raise SeatLost("lost", words) from None

    # Messages from the table.

    async def _listen(self) -> None:
        """Process messages until the seat is lost."""
        try:
            async for message in self._client:
                self._hear(message)
                self._changed.set()
            self.ended = self.ended or "closed: this seat was given back"
        except ClientError as error:
            self.ended = str(error)
        finally:
            self._changed.set()

    def _hear(self, message: Message) -> None:
        match message:
            case Closed(reason):
                self.ended = f"closed: {reason}"
                self._told.append(f"The table is closed: {reason}")
            case Notice(float() as left, text):
                more = f": {text}" if text else ""
                self._told.append(f"The server restarts in {left:.0f} s; the game continues after it{more}")
            case Said(seat, name, text) if seat != self.number:
                self._told.append(f"{name} says: {text}")
            case Turn(seats) if self.view:
                self.view["to_act"] = seats
            case Event():
                self._last = message.number
                self._happened(message)
                if message.view is not None:
                    self._see(message.view)
            case View(number, view, turn, seconds):
                if self._last is not None and number > self._last:
                    self._told.append(
                        "The connection was lost for a while, and some events are missing here."
                    )
                self._last = number
                self._see(view)
                self._ask(turn, seconds)
            case Ask(turn, seconds, _, view):
                self._see(view)
                self._ask(turn, seconds)

    def _happened(self, event: Event) -> None:
        if event.words:
            self._told.append(event.words)
        if event.auto and event.event.get("seat") == self.number:
            what = " ".join(str(value) for name, value in event.event.items() if name != "seat")
            self._told.append(f"Your time ran out, and the server chose for you: {what}")

    def _see(self, view: Facts) -> None:
        self.view = view
        if not view["legal"]:
            self.question = None

    def _ask(self, turn: int | None, seconds: float | None) -> None:
        if turn is not None:
            now = asyncio.get_running_loop().time()
            self.question = Question(turn, None if seconds is None else now + seconds)


class Seats:
    """All seats taken by agents, by their secret id."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._seats: dict[str, Seat] = {}
        self._idle: dict[str, asyncio.TimerHandle] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    async def sit(self, table: str, name: str, wanted: int | None) -> Seat:
        """Take a seat at *table*, or raise ClientError."""
        if len(self._seats) >= MOST_SEATS:
            raise ClientError("full", f"{MOST_SEATS} seats are in use; try again later")
        seat = Seat(self._server, table, name, wanted)
        await seat.sit()
        self._seats[seat.id] = seat
        return self.find(seat.id)

    def find(self, id: str) -> Seat:
        """Return the seat with this *id* and note that its agent is active."""
        seat = self._seats.get(id)
        if seat is None:
            words = (
                f"seat {id!r}: unknown, or given back after an hour without a call; call sit_down to get one"
            )
            raise ClientError("no_such_seat", words)
        if id in self._idle:
            self._idle[id].cancel()
        self._idle[id] = asyncio.get_running_loop().call_later(IDLE, self._expire, id)
        return seat

    def forget(self, id: str) -> None:
        del self._seats[id]
        self._idle.pop(id).cancel()

    def _expire(self, id: str) -> None:
        seat = self._seats[id]
        self.forget(id)
        task = asyncio.get_running_loop().create_task(seat.close())
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def close(self) -> None:
        """Close every connection."""
        for timer in self._idle.values():
            timer.cancel()
        await asyncio.gather(*(seat.close() for seat in self._seats.values()), *self._leaving)
