"""A seat that an agent has taken: one client of the house protocol that reads along all the time.

What happens is kept in words until the agent asks for it. A lost connection is made anew with the same
name and token, and what was missed is told then; an action that was under way is repeated, which the
table takes once.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from aiohttp import ClientWebSocketResponse, WSMsgType

from croupier.mcp.house import PATIENCE, House, Refusal

PAUSES: Final = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""How long to wait before each attempt to come back, in seconds."""
REPLACED: Final = 4001
"""The close code of a connection whose seat a newer one has taken."""
IDLE: Final = 3600.0
"""Seconds without a call after which a seat is given back."""
LULL: Final = 2.0
"""How long to wait for a game that somebody has to start, in seconds."""
MOST_SEATS: Final = 1000
LONGEST_STORY: Final = 500
"""So many lines are kept for an agent that does not ask what has happened."""


class Lost(Exception):
    """The connection ended before the answer came."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that the seat owes."""

    turn: int
    deadline: float | None
    """In the event loop's time."""


class Seat:
    """One seat at one table."""

    def __init__(self, house: House, table: str, name: str, wish: int | None) -> None:
        self.id = secrets.token_urlsafe(12)
        """What the agent names the seat by; nobody else knows it."""
        self.table = table
        self.name = name
        self.number = -1
        self.facts: dict[str, Any] = {}
        """The table, as its last `table` frame tells it."""
        self.view: dict[str, Any] = {}
        self.question: Question | None = None
        self.ended = ""
        """Why this seat is no more, if so."""
        self._house = house
        self._wish = wish
        self._token = secrets.token_urlsafe(32)
        self._told: deque[str] = deque(maxlen=LONGEST_STORY)
        self._last: int | None = None
        self._socket: ClientWebSocketResponse | None = None
        self._joined = False
        """The connection has been given the seat; frames before that are for watchers."""
        self._tries = 0
        """How many attempts to come back have been in vain."""
        self._marks = 0
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # What the agent does.

    async def sit(self) -> None:
        """Join the table, or raise Refusal."""
        try:
            socket = await self._connect()
            self._task = asyncio.get_running_loop().create_task(self._stay(socket))
            await self._wait(lambda: bool(self.view or self.ended), PATIENCE)
            if self.ended:
                raise Refusal(*self.ended.split(": ", 1))
            if not self.view:
                raise Lost
            if "words" not in self.view:
                raise Refusal("old_server", f"{self._house.url} does not tell its games in words: update it")
        except Lost:
            await self.close()
            raise Refusal("lost", f"table {self.table} does not answer: call again in a while") from None
        except BaseException:
            await self.close()
            raise

    async def act(self, turn: int, **answer: object) -> None:
        """Answer the question *turn* with ``actions`` or a ``text``, or raise Refusal."""
        await self._ask({"type": "act", "turn": turn, **answer})
        if self.question is not None and self.question.turn == turn:
            self.question = None

    async def say(self, text: str) -> None:
        await self._ask({"type": "say", "text": text})

    async def start(self) -> None:
        await self._ask({"type": "start"})

    async def leave(self) -> None:
        """Get up for good."""
        try:
            await self._ask({"type": "leave"})
        finally:
            self.ended = "left: you have left this seat"
            await self.close()

    async def wait(self, seconds: float) -> None:
        """Wait until there is something to do, for *seconds* at most."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        await self._wait(lambda: self._due() or not self.playing(), seconds)
        await self._wait(self._due, min(until - loop.time(), LULL))

    def news(self) -> list[str]:
        """Return what has happened since the last time, in words."""
        told = list(self._told)
        self._told.clear()
        return told

    async def close(self) -> None:
        """End the connection; a seat that is still held counts as lost, not as left."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def playing(self) -> bool:
        """Say whether a game goes on, or begins without anybody's doing."""
        return self.facts.get("phase") == "playing" or bool(self.facts.get("started"))

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

    async def _ask(self, message: dict[str, object]) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while (left := until - loop.time()) > 0:
            await self._wait(lambda: bool(self._joined or self.ended), left)
            if self.ended:
                raise Refusal(*self.ended.split(": ", 1))
            with contextlib.suppress(Lost, TimeoutError):
                await self._answer_to(message)
                return
        raise Refusal("lost", f"table {self.table} does not answer: call again in a while")

    async def _answer_to(self, message: dict[str, object]) -> None:
        self._marks += 1
        mark = self._marks
        answer = self._answers[mark] = asyncio.get_running_loop().create_future()
        try:
            if not self._joined or self._socket is None:
                raise Lost
            await self._send({**message, "id": mark})
            await asyncio.wait_for(answer, PATIENCE)
        finally:
            del self._answers[mark]

    # The connection.

    async def _connect(self) -> ClientWebSocketResponse:
        socket = await self._house.connect(self.table)
        self._socket = socket
        await self._send(
            {
                "type": "join",
                "name": self.name,
                "token": self._token,
                "seat": self._wish,
                "person": True,
                "views": "all",
                "words": True,
                "last": self._last,
                "id": 0,
            }
        )
        return socket

    async def _send(self, message: dict[str, object]) -> None:
        assert self._socket is not None
        try:
            await self._socket.send_str(msgspec.json.encode(message).decode())
        except (ConnectionError, RuntimeError):
            raise Lost from None

    async def _stay(self, socket: ClientWebSocketResponse) -> None:
        """Read from *socket*, and from those that follow it, until the seat is no more."""
        try:
            while True:
                await self._read(socket)
                self._lose(socket)
                if self.ended:
                    return
                back = await self._come_back()
                if back is None:
                    return
                socket = back
        finally:
            self.ended = self.ended or "closed: this seat has been given back"
            self._lose(socket)
            self._changed.set()
            await socket.close()

    async def _come_back(self) -> ClientWebSocketResponse | None:
        while self._tries < len(PAUSES):
            pause = PAUSES[self._tries]
            self._tries += 1
            await asyncio.sleep(pause)
            try:
                return await self._connect()
            except Lost:
                continue
            except Refusal as error:
                if error.key != "no_server":
                    self.ended = str(error)
                    return None
        self.ended = f"lost: {self._house.url} has not come back"
        return None

    async def _read(self, socket: ClientWebSocketResponse) -> None:
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            self._hear(msgspec.json.decode(message.data, type=dict[str, Any]))
            self._changed.set()

    def _lose(self, socket: ClientWebSocketResponse) -> None:
        self._joined = False
        self.question = None
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(Lost())
        if socket.close_code == REPLACED:
            self.ended = "replaced: another connection has taken this seat"

    # What the table says.

    def _hear(self, frame: dict[str, Any]) -> None:
        kind = frame["type"]
        if kind == "table":
            self.facts = frame
        elif kind == "joined":
            self.number = self._wish = frame["seat"]
            self._joined = True
            self._tries = 0
        elif kind in ("accepted", "refused"):
            self._answered(frame)
        elif kind == "closed":
            self.ended = f"closed: {frame['reason']}"
            self._told.append(f"The table is closed: {frame['reason']}")
        elif kind == "said" and frame["seat"] != self.number:
            self._told.append(f"{frame['name']} says: {frame['text']}")
        elif kind == "turn" and self.view:
            self.view["to_act"] = frame["seats"]
        elif self._joined and kind in ("view", "event", "ask"):
            self._see(frame)

    def _answered(self, frame: dict[str, Any]) -> None:
        refused = Refusal(frame["key"], frame["words"]) if frame["type"] == "refused" else None
        if frame["id"] == 0 and refused is not None:
            self.ended = str(refused)
            return
        answer = self._answers.get(frame["id"])
        if answer is None or answer.done():
            return
        if refused is not None:
            answer.set_exception(refused)
        else:
            answer.set_result(None)

    def _see(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "event":
            self._last = frame["number"]
            if frame["words"]:
                self._told.append(frame["words"])
            if frame["auto"] and frame["event"].get("seat") == self.number:
                what = " ".join(str(value) for name, value in frame["event"].items() if name != "seat")
                self._told.append(f"The time was up, and the server chose for you: {what}")
        elif frame["type"] == "view":
            if self._last is not None and frame["number"] > self._last:
                self._told.append(
                    "The connection was lost for a while: something that happened is missing here."
                )
            self._last = frame["number"]
        if "view" in frame:
            self.view = frame["view"]
            if not self.view["legal"]:
                self.question = None
        if frame.get("turn") is not None:
            seconds = frame["seconds"]
            now = asyncio.get_running_loop().time()
            self.question = Question(frame["turn"], None if seconds is None else now + seconds)


class Seats:
    """All seats that agents have taken here, by the id that only their agent knows."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._seats: dict[str, Seat] = {}
        self._idle: dict[str, asyncio.TimerHandle] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    async def sit(self, table: str, name: str, wish: int | None) -> Seat:
        """Take a seat at *table*, or raise Refusal."""
        if len(self._seats) >= MOST_SEATS:
            raise Refusal("full", f"{MOST_SEATS} seats are taken here: try again later")
        seat = Seat(self._house, table, name, wish)
        await seat.sit()
        self._seats[seat.id] = seat
        return self.find(seat.id)

    def find(self, id: str) -> Seat:
        """Return the seat called *id*; its agent has shown that it is still there."""
        seat = self._seats.get(id)
        if seat is None:
            words = (
                f"seat {id!r}: unknown here, or given back after an hour without a call; sit_down gives one"
            )
            raise Refusal("no_such_seat", words)
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
        """End every connection."""
        for timer in self._idle.values():
            timer.cancel()
        await asyncio.gather(*(seat.close() for seat in self._seats.values()), *self._leaving)
