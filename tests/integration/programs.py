"""Programs that play over real sockets, one for the Trend protocol and one for the house protocol.

Both answer every request correctly and at once, with their own random generators, and reconnect when their
connection is lost. They keep all frames that they received.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random
from typing import Any

import aiohttp
import msgspec

Frame = dict[str, Any]
NAMES = ["ann", "bob", "cyd", "dan"]
REQUESTS = ("pass_cards", "expose_cards", "your_turn")

BROKEN = (aiohttp.ClientError, ConnectionError, TimeoutError)
"""Errors of connecting and sending while the server is down."""


async def always() -> None:
    """Let a program reconnect after a short time."""
    await asyncio.sleep(0.02)


async def frames_of(socket: aiohttp.ClientWebSocketResponse) -> AsyncIterator[Frame]:
    """Yield the frames of a connection until it ends."""
    async for message in socket:
        if message.type != aiohttp.WSMsgType.TEXT:
            return
        yield msgspec.json.decode(message.data)


def trend_answer(frame: Frame, rng: Random) -> tuple[str, Frame]:
    """Return a correct answer to a request of the Trend protocol."""
    data = frame["data"]
    choices = data["self"]["candidateCards"]
    deal = data["dealNumber"]
    match frame["eventName"]:
        case "pass_cards":
            return "pass_my_cards", {"dealNumber": deal, "cards": rng.sample(choices, 3)}
        case "expose_cards":
            return "expose_my_cards", {"dealNumber": deal, "cards": rng.choice(([], ["AH"]))}
        case _:
            card = rng.choice(choices)
            return "pick_card", {"dealNumber": deal, "roundNumber": data["roundNumber"], "turnCard": card}


class Program:
    """A client that plays until its caller has seen enough; subclasses speak a protocol."""

    def __init__(self, url: str, name: str, token: str) -> None:
        self.url = url
        self.name = name
        self.token = token
        self.rng = Random(name)
        self.frames: list[Frame] = []
        self.keep = True
        """Whether to keep every frame; load tests with many programs do not."""
        self.ended = False
        self.codes: list[int | None] = []
        """The close codes of its finished connections."""
        self.socket: aiohttp.ClientWebSocketResponse | None = None

    async def join(self) -> None:
        """Join on the new connection."""
        raise NotImplementedError

    async def answer(self, frame: Frame) -> None:
        """Process a frame, and answer a request."""
        raise NotImplementedError

    async def send(self, message: object) -> None:
        assert self.socket is not None
        await self.socket.send_str(msgspec.json.encode(message).decode())

    async def open(self, session: aiohttp.ClientSession) -> aiohttp.ClientWebSocketResponse:
        """Connect and join."""
        self.socket = await session.ws_connect(self.url, max_msg_size=0)
        await self.join()
        return self.socket

    async def play(
        self, until: Callable[[Frame], bool], back: Callable[[], Awaitable[None]] = always
    ) -> None:
        """Play until a frame satisfies *until*; on a lost connection wait for *back* and join again."""
        async with aiohttp.ClientSession() as session:
            while not self.ended:
                try:
                    socket = await self.open(session)
                    async for frame in frames_of(socket):
                        await self.take(frame)
                        if until(frame):
                            self.ended = True
                            break
                    await socket.close()
                    self.codes.append(socket.close_code)
                except BROKEN:
                    self.codes.append(None)
                if not self.ended:
                    await back()

    async def take(self, frame: Frame) -> None:
        if self.keep:
            self.frames.append(frame)
        await self.answer(frame)

    def heard(self, frame: Frame) -> None:
        """For subclasses: a frame has come."""


class Trend(Program):
    """A client of the Trend protocol."""

    def __init__(self, url: str, name: str, number: object = None, token: str = "t") -> None:
        super().__init__(url, name, token)
        self.number = number
        self.sent: Frame | None = None
        """The last answer."""

    @property
    def events(self) -> list[str]:
        return [str(frame["eventName"]) for frame in self.frames]

    def has_heard(self) -> bool:
        """Return whether a frame has been received."""
        return bool(self.frames)

    def find(self, event: str) -> Frame:
        """Return the data of the last frame with this name."""
        data: Frame = next(frame["data"] for frame in reversed(self.frames) if frame["eventName"] == event)
        return data

    async def join(self) -> None:
        join: Frame = {"playerName": self.name, "token": self.token}
        if self.number is not None:
            join["playerNumber"] = self.number
        await self.say("join", join)

    async def say(self, event: str, data: object) -> None:
        await self.send({"eventName": event, "data": data})

    async def answer(self, frame: Frame) -> None:
        self.heard(frame)
        if frame["eventName"] in REQUESTS:
            event, self.sent = trend_answer(frame, self.rng)
            await self.say(event, self.sent)


def house_answer(ask: Frame, rng: Random) -> list[str]:
    """Return a correct answer to a question of the house protocol at a Hearts table."""
    legal = ask["legal"]
    return rng.sample(legal, 3) if legal[0].startswith("pass ") else [rng.choice(legal)]


class House(Program):
    """A client of the house protocol."""

    def __init__(self, url: str, name: str, seat: int | None = None, token: str = "t") -> None:
        super().__init__(url, name, token)
        self.seat = seat
        self.last: int | None = None
        """The number of the last event."""
        self.sent: dict[int, tuple[int, list[str]]] = {}
        """Turn and actions of the messages that are not answered yet, by id."""
        self._id = 0
        self._joined = False

    @property
    def types(self) -> list[str]:
        return [str(frame["type"]) for frame in self.frames]

    async def join(self) -> None:
        self._joined = False
        self.sent.clear()
        join: Frame = {"type": "join", "name": self.name, "token": self.token}
        if self.seat is not None:
            join["seat"] = self.seat
        if self.last is not None:
            join["last"] = self.last
        await self.send(join)

    async def answer(self, frame: Frame) -> None:
        self._joined = self._joined or frame["type"] == "joined"
        if frame["type"] in ("event", "view"):
            if not self._joined:
                return  # before the join the connection is a watcher, with the numbers of a watcher
            self.last = frame["number"]
        self.heard(frame)
        if frame["type"] == "ask":
            actions = house_answer(frame, self.rng)
            self._id += 1
            self.sent[self._id] = frame["turn"], actions
            await self.send({"type": "act", "turn": frame["turn"], "actions": actions, "id": self._id})


def is_event(*names: str) -> Callable[[Frame], bool]:
    """Return a function that tests whether a Trend frame has one of these names."""
    return lambda frame: frame["eventName"] in names
