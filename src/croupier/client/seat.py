"""A seat at a table, played over the house protocol.

A task reads the connection continuously: answers go to the requests that wait for them, everything else goes
to the inbox, which the program iterates over. When the connection is lost, the task reconnects and joins with
the same token and the number of the last event, so that the server sends what was missed. Messages that the
server repeats, above all the open question, are not put into the inbox a second time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Final, TypeAlias
from urllib.parse import quote, urlsplit

import aiohttp
import msgspec

from croupier.client.errors import ClientError, Refusal, SeatLost, TooLate, Unreachable, refusal
from croupier.client.server import ANSWER_SECONDS, checked, unreachable
from croupier.wire import house_messages as messages
from croupier.wire.house_messages import (
    Ask,
    Closed,
    Commit,
    Event,
    Notice,
    Reveal,
    Said,
    ServerMessage,
    Table,
    Turn,
    View,
    Views,
)

log = logging.getLogger(__name__)

HEARTBEAT: Final = 20.0
CLOSE_SECONDS: Final = 2.0
"""How long to wait for the server to close the connection."""
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0
"""Seconds between two attempts to reconnect: doubled each time, with jitter."""
BACKLOG: Final = 1000
"""The maximum number of messages in the inbox; if it is full, nothing is read and the server disconnects."""
OVER: Final = 1000
"""The close code of a connection to a closed table."""
REPLACED: Final = 4001
"""The close code of a connection whose seat was taken by a newer one."""
EXPELLED: Final = 4004
"""The close code of a connection that the operator has ended."""
TOO_BIG: Final = 1009
MATCH: Final = ("playing", "resting")
"""The phases of a table during a match."""

_decode = msgspec.json.Decoder(ServerMessage).decode


class Reconnecting(msgspec.Struct, frozen=True):
    """The connection is lost and the client tries to reconnect; no other message follows until it has
    succeeded.
    """

    reason: str


Message: TypeAlias = (
    Table | View | Event | Ask | Turn | Commit | Reveal | Said | Notice | Closed | Reconnecting
)
"""The messages that a program gets when it iterates over a seat."""


class _Lost(Exception):
    """The connection ended before the answer arrived."""


def connect(
    url: str,
    table: str | None = None,
    *,
    name: str,
    token: str | None = None,
    seat: int | None = None,
    person: bool = False,
    views: Views = "ask",
    words: bool = False,
    language: str = "en",
    patience: float = 60.0,
) -> Seat:
    """Return a seat at a table, for use in ``async with``, which joins it.

    *url* is a server (``http://127.0.0.1:8080``) with the id of a *table*, or the address of a table in the
    house protocol (``ws://…``). *token* is a secret with which the player can return to the seat, even from
    another process; a new one is generated if omitted. *patience* is how many seconds to wait for a seat, and
    to try to reconnect. The other arguments are those of `messages.Join`.
    """
    join = messages.Join(
        name=name,
        token=secrets.token_urlsafe(32) if token is None else token,
        seat=seat,
        person=person,
        views=views,
        words=words,
        language=language,
    )
    return Seat(_address(url, table), join, patience)


class Seat:
    """A seat at a table. Iterate over it to get messages; created by `connect`."""

    def __init__(self, address: str, join: messages.Join, patience: float) -> None:
        self.address = address
        self.name = join.name
        self.token = join.token
        self.number = -1
        """The number of the seat, from 0."""
        self.question: Ask | None = None
        """The last question returned by the iteration, until it is answered."""
        self._join = join
        self._patience = patience
        self._session: aiohttp.ClientSession | None = None
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._task: asyncio.Task[None] | None = None
        self._table: Table | None = None
        self._inbox: deque[Message] = deque()
        self._changed = asyncio.Condition()
        self._joined = False
        """True if the connection has the seat; earlier messages are for watchers."""
        self._end: ClientError | None = None
        """Why the seat is lost; the iteration ends without an error for SeatLost ``left`` and ``closed``."""
        self._ids = count(1)
        self._requests = 0
        self._answers: dict[messages.Id, asyncio.Future[None]] = {}
        self._last: int | None = None
        """The number of the last event received."""
        self._asked: Ask | None = None
        """The last question received."""
        self._due: int | None = None
        """The question asked on this connection, -1 if it is another seat's turn; None before either is
        known."""
        self._committed: Commit | None = None
        self._asks_to_join = False
        """True if the join has been sent on this connection."""
        self._nonces: tuple[str, str] = ("", "")
        """The commitment of the last deal to which this seat has added a nonce, and the nonce."""
        self._resuming = False
        """True if the seat has been joined again and the open question has not been repeated yet."""
        self._retaken = False
        """True if the seat was free when it was joined again and the table has not been described yet."""
        self._goodbye: Closed | None = None
        self._give_up: float | None = None
        """When to stop reconnecting; None while the seat is held."""
        self._pause = FIRST_PAUSE

    async def __aenter__(self) -> Seat:
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect and join, or raise Refusal or Unreachable."""
        limit = max(self._patience, ANSWER_SECONDS)  # in an arena programs may have to wait for a seat
        timeout = aiohttp.ClientTimeout(limit, sock_connect=ANSWER_SECONDS)
        self._session = aiohttp.ClientSession(timeout=timeout)
        try:
            socket = await self._connect()
            self._task = asyncio.get_running_loop().create_task(self._stay(socket))
            async with asyncio.timeout(limit), self._changed:
                await self._changed.wait_for(lambda: self._table is not None or self._end is not None)
            if self._table is None and self._end is not None:
                raise self._end
        except TimeoutError as error:
            await self.close()
            raise unreachable(self.address, error) from None
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the connection. A seat that is still held counts as lost, not as left."""
        await self._finish(SeatLost("closed", "the connection has been closed"))
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    @property
    def table(self) -> Table:
        """Return the last description of the table from the server."""
        assert self._table is not None, "use the seat in `async with`"
        return self._table

    # Events at the table.

    def __aiter__(self) -> Seat:
        return self

    async def __anext__(self) -> Message:
        message = await self.receive()
        if message is None:
            raise StopAsyncIteration
        return message

    async def receive(self) -> Message | None:
        """Return the next message; None if the seat was left or the table is closed.

        Raise SeatLost, Unreachable or Refusal if the seat is lost in another way, also if the match ended
        while the connection was lost (``match_over``).
        """
        async with self._changed:
            await self._changed.wait_for(lambda: bool(self._inbox) or self._end is not None)
            if not self._inbox:
                if self._end is not None and self._end.key not in ("left", "closed"):
                    raise self._end
                return None
            message = self._inbox.popleft()
            self._changed.notify_all()
        if isinstance(message, Ask):
            self.question = message
        return message

    # Requests of a player. Each returns when the server has accepted it, or raises Refusal.

    async def act(self, *actions: str, text: str | None = None, turn: int | None = None) -> None:
        """Answer the question with *actions* (all of them are done, or none), or with a *text*.

        *turn* is the number of the question; the default is that of `question`. If the connection is lost
        before the server has answered, the same answer is sent again; it takes effect only once. Raise
        TooLate if the question is no longer open.
        """
        if turn is None:
            if self.question is None:
                raise TooLate("stale", "there is no open question")
            turn = self.question.turn
        try:
            await self._request(
                messages.Act(turn=turn, actions=list(actions) if text is None else None, text=text),
                again=True,
            )
        except TooLate:
            self._settle(turn)
            raise
        self._settle(turn)

    async def say(self, text: str) -> None:
        """Send a chat message to everyone at the table."""
        await self._request(messages.Say(text=text))

    async def start(self) -> None:
        """Start the table, or its next game; after a match: agree to play another one."""
        await self._request(messages.Start())

    async def fill(self, seat: int) -> None:
        """Let a bot take a free seat until the end of the next match."""
        await self._request(messages.Fill(seat=seat))

    async def arrange(self, *seats: str) -> None:
        """Set the players of the seats: for each seat ``open``, ``person`` or ``bot <name>``."""
        await self._request(messages.Arrange(seats=list(seats)))

    async def leave(self) -> None:
        """Leave the seat permanently; during a game a bot takes it over."""
        await self._request(messages.Leave(), again=True)
        await self._finish(SeatLost("left", "you have left the table"))
        await self.close()

    def _settle(self, turn: int) -> None:
        if self.question is not None and self.question.turn == turn:
            self.question = None

    async def _request(self, message: messages.Request, again: bool = False) -> None:
        """Send *message* and wait for its answer; with *again* also after reconnecting."""
        repeated = False
        self._requests += 1
        try:
            while True:
                await self._until(lambda: self._joined)
                try:
                    await self._answer_to(message)
                    return
                except _Lost:
                    if not again:
                        words = "connection lost before the answer: the request may have been done or not"
                        raise SeatLost("lost", words) from None
                    repeated = True
                except TooLate as late:
                    # A server that has just been restarted has not asked yet.
                    if not (repeated and late.key == "stale" and isinstance(message, messages.Act)):
                        raise
                    await self._until(lambda: self._due is not None or not self._joined)
                    if self._joined and self._due != message.turn:
                        raise
        finally:
            self._requests -= 1

    async def _until(self, condition: Callable[[], bool]) -> None:
        """Wait for *condition*, or raise the reason why the seat is lost."""
        async with self._changed:
            self._changed.notify_all()  # the reader may be waiting because the inbox is full
            await self._changed.wait_for(lambda: condition() or self._end is not None)
        if self._end is not None:
            raise self._end

    async def _answer_to(self, message: messages.Request) -> None:
        id = next(self._ids)
        answer = self._answers[id] = asyncio.get_running_loop().create_future()
        try:
            await self._send(msgspec.structs.replace(message, id=id))
            await answer
        finally:
            del self._answers[id]

    # The connection.

    async def _connect(self) -> aiohttp.ClientWebSocketResponse:
        assert self._session is not None
        try:
            socket = await self._session.ws_connect(
                self.address, heartbeat=HEARTBEAT, timeout=aiohttp.ClientWSTimeout(ws_close=CLOSE_SECONDS)
            )
        except aiohttp.WSServerHandshakeError as error:
            if error.status == 404:
                raise Refusal("no_such_table", f"{self.address}: no such table") from None
            words = f"{self.address} answered with status {error.status} instead of a connection"
            raise Unreachable("no_server", words) from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise unreachable(self.address, error) from None
        self._socket = socket
        self._asks_to_join = False
        return socket

    async def _respond(self, message: ServerMessage) -> None:
        """Join when the server has described the table; add a nonce to every deal."""
        digest = message.next_deal if isinstance(message, Table) else None
        if isinstance(message, Commit):
            digest = message.next
        with contextlib.suppress(_Lost):  # `_stay`, which reads this connection, notices the loss
            if not self._asks_to_join and isinstance(message, Table):
                self._asks_to_join = True
                nonce = self._nonce(digest) if digest is not None else None
                join = msgspec.structs.replace(self._join, last=self._last, id=0, digest=digest, nonce=nonce)
                await self._send(join)
            elif self._joined and digest is not None and digest != self._nonces[0]:
                await self._send(messages.Nonce(digest=digest, nonce=self._nonce(digest), id="nonce"))

    def _nonce(self, digest: str) -> str:
        """Return the nonce of this seat for the deal with this commitment: the same one in every call."""
        if digest != self._nonces[0]:
            self._nonces = digest, secrets.token_urlsafe(16)
        return self._nonces[1]

    async def _send(self, message: messages.Request) -> None:
        assert self._socket is not None
        try:
            await self._socket.send_str(msgspec.json.encode(message).decode())
        except (aiohttp.ClientError, ConnectionError):
            self._joined = False  # `_stay` notices the loss a little later
            raise _Lost from None

    async def _stay(self, socket: aiohttp.ClientWebSocketResponse | None) -> None:
        """Read from *socket*, and from those that follow it, until the seat is lost."""
        try:
            while socket is not None:
                try:
                    code = await self._read(socket)
                finally:
                    await socket.close()
                await self._lose(code)
                socket = await self._come_back() if self._end is None else None
        except Exception:
            log.exception("client of %s failed; its seat counts as lost", self.address)
            await self._finish(SeatLost("lost", "the client failed; the reason is in its log"))

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> int | None:
        """Read until the connection ends; return the close code of the server, if there was one."""
        async for frame in socket:
            if frame.type is not aiohttp.WSMsgType.TEXT:
                return None
            try:
                message = _decode(frame.data)
            except (msgspec.DecodeError, RecursionError) as error:
                log.warning("ignored an unknown message from %s: %s", self.address, error)
                continue
            await self._respond(message)
            async with self._changed:
                self._hear(message)
                self._changed.notify_all()
                # A caller that waits for an answer does not iterate in the meantime.
                await self._changed.wait_for(lambda: len(self._inbox) < BACKLOG or self._requests > 0)
            if self._end is not None:
                return None
        return socket.close_code

    async def _lose(self, code: int | None) -> None:
        """Handle the end of a connection."""
        goodbye, self._goodbye = self._goodbye, None
        self._joined = False
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(_Lost())
        if self._end is not None:
            return
        if code == OVER:
            goodbye = goodbye or Closed("the table is closed")
            self._inbox.append(goodbye)
            await self._finish(SeatLost("closed", goodbye.reason))
        elif code == REPLACED:
            await self._finish(SeatLost("replaced", "another connection has taken this seat"))
        elif code == EXPELLED and goodbye is not None:
            await self._finish(SeatLost(goodbye.key, goodbye.reason))
        elif code == TOO_BIG:
            await self._finish(SeatLost("lost", "a message was longer than the server accepts"))
        else:
            reason = goodbye.reason if goodbye is not None else "the connection was lost"
            log.info("connection to %s lost: %s (code %s); reconnecting", self.address, reason, code)
            if self._give_up is None:
                self._give_up = asyncio.get_running_loop().time() + self._patience
                async with self._changed:
                    self._inbox.append(Reconnecting(reason))
                    self._changed.notify_all()

    async def _come_back(self) -> aiohttp.ClientWebSocketResponse | None:
        assert self._give_up is not None
        problem: ClientError = Unreachable("no_server", f"{self.address} closes every connection")
        while asyncio.get_running_loop().time() < self._give_up:
            await asyncio.sleep(random.uniform(self._pause / 2, self._pause))
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            try:
                return await self._connect()
            except Unreachable as error:
                problem = error
            except Refusal as error:
                problem = error
                break
        await self._finish(problem)
        return None

    async def _finish(self, error: ClientError) -> None:
        async with self._changed:
            self._end = self._end or error
            self._changed.notify_all()

    # Messages from the server.

    def _hear(self, message: ServerMessage) -> None:
        match message:
            case messages.Joined():
                self.number = message.seat
                self._joined = True
                self._give_up, self._pause = None, FIRST_PAUSE
                self._due = None
                self._resuming = message.back
                self._retaken = not message.back and self._table is not None
            case messages.Accepted() | messages.Pong():
                self._answered(message.id, None)
            case messages.Refused():
                self._answered(message.id, refusal(message.key, message.words, message.about))
            case Closed():
                self._goodbye = message
            case _ if self._joined and self._is_new(message):
                self._inbox.append(message)

    def _answered(self, id: messages.Id, error: Refusal | None) -> None:
        if id == 0 and error is not None:
            self._end = self._end or error
        # A flood is refused without an id: all unanswered requests may have been ignored.
        for answer in self._answers.values() if id is None else filter(None, [self._answers.get(id)]):
            if answer.done():
                continue
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(None)

    def _is_new(self, message: Table | View | Event | Ask | Turn | Commit | Reveal | Said | Notice) -> bool:
        """Process *message*; return False if the program got it before the connection was lost."""
        match message:
            case Table():
                before, self._table = self._table, message
                retaken, self._retaken = self._retaken, False
                if message.phase not in MATCH:
                    self._due = -1
                # A seat is reserved during a match.
                if retaken and before is not None and before.phase in MATCH and message.phase not in MATCH:
                    words = "the match ended while the connection was lost"
                    self._end = self._end or SeatLost("match_over", words)
            case View():
                self._last = message.number
            case Event():
                if self._last is not None and message.number <= self._last:
                    return False
                self._last = message.number
            case Turn():
                if self.number not in message.seats:
                    self._due = -1
            case Ask():
                self._due = message.turn
                known, self._asked = self._asked, message
                resuming, self._resuming = self._resuming, False
                same = known is not None and (known.turn, known.legal) == (message.turn, message.legal)
                return not (resuming and same)
            case Commit():
                deal, self._committed = self._committed, message
                return message != deal
        return True


def _address(url: str, table: str | None) -> str:
    """Return the address of a table in the house protocol."""
    if table is None:
        return checked(url, "ws", "wss")
    parts = urlsplit(checked(url, "http", "https").rstrip("/"))
    scheme = "wss" if parts.scheme == "https" else "ws"
    return f"{scheme}://{parts.netloc}{parts.path}/house/{quote(table, safe='')}"
