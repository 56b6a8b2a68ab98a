"""A protocol with rooms over HTTP, as opentarock's relay had it: POST /relay, and events from GET /events.

For the lobby a *session* is one conversation, like a WebSocket. It belongs to the token of its user, which
every request carries (``Authorization: Bearer …`` or ``?token=``); the first request, `user.login`, returns
the token. Answers are returned by the POST; all other frames are server-sent events. A session that is not
used for a minute ends like a lost connection. At most `BACKLOG` events are kept for a late reader; `seq`
shows gaps.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import msgspec
from aiohttp import web

from croupier.core.refusal import Refusal
from croupier.http import Route, address_of, bearer, read_body, refused
from croupier.net.lobby import LobbyServer
from croupier.net.lobby_connection import LobbyConnection
from croupier.net.outbox import Channel
from croupier.wire.measures import BAN
from croupier.wire.opentarock.messages import FULL, Call, read_call
from croupier.wire.talk import Disconnect, Frame

IDLE: Final = 60.0
"""Seconds without a request or a reader after which a session ends."""
PING: Final = 20.0
BACKLOG: Final = 256
"""How many events are kept for a late reader."""
ANSWER_SECONDS: Final = 30.0
"""How many seconds an answer may take."""

_JSON: Final = "application/json"
_CROWDED: Final = "too many sessions from your address: use one of them, or try again in a minute"
_FLEETING: Final = ("lobby.room.create", "lobby.room.join")
"""Requests that are useless without a token to continue with."""


class Gone(Exception):
    """The session ended before it had an answer."""


class _Head(msgspec.Struct):
    """The members that distinguish the kinds of frames."""

    event: str | None = None
    response: str | None = None
    token: str = ""


class Session:
    """One client's conversation over several requests."""

    def __init__(
        self, server: LobbyServer, address: str, token: str, ended: Callable[[Session], None]
    ) -> None:
        self.over = False
        self.address = address
        self.token = token
        self._ended = ended
        self._answer: asyncio.Future[str] | None = None
        self._turn = asyncio.Lock()
        self._events: deque[str] = deque(maxlen=BACKLOG)
        self._wakeup = asyncio.Event()
        self._reader: object = None
        """The latest GET /events; earlier ones are ended."""
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(IDLE, self._idle)
        conversation = server.converse(token=token)
        channel = Channel(self._send, lambda: 0, self._close, self.end)
        self._connection: LobbyConnection | None = LobbyConnection(conversation, channel, server, address)
        """None after the end, because session and conversation refer to each other."""
        self._connection.arrive()

    async def begin(self) -> str:
        """Begin the conversation with the session's token; return the answer, which is that of a login."""
        return await self._wait(LobbyConnection.begin)

    async def ask(self, body: bytes) -> str:
        """Return the answer to one message; messages are answered one at a time."""
        async with self._turn:
            # A blank line at a terminal gets no answer; a blank body must get one.
            return await self._wait(lambda connection: connection.receive(body if body.strip() else b"null"))

    async def _wait(self, act: Callable[[LobbyConnection], None]) -> str:
        if self._connection is None:
            raise Gone
        self._touch()
        self._answer = self._loop.create_future()
        act(self._connection)
        try:
            return await asyncio.wait_for(self._answer, ANSWER_SECONDS)
        finally:
            self._answer = None

    async def stream(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write events as they arrive, until another request reads them or the session ends."""
        me = self._reader = object()
        self._wakeup.set()
        try:
            while self._reader is me:
                while self._events:
                    await write(f"data: {self._events.popleft()}\n\n".encode())
                if self.over:
                    return
                self._wakeup.clear()
                try:
                    await asyncio.wait_for(self._wakeup.wait(), PING)
                except TimeoutError:
                    await write(b": still here\n\n")
        finally:
            if self._reader is me:
                self._reader = None
                self._touch()

    # Output of the conversation.

    def _send(self, data: Frame) -> None:
        frame = data if isinstance(data, str) else data.decode()
        waiting = self._answer
        if waiting is not None and not waiting.done() and _head(frame).event is None:
            waiting.set_result(frame)
            return
        self._events.append(frame)
        self._wakeup.set()

    def _close(self, disconnect: Disconnect) -> None:
        self.end()

    # End of the session.

    def _touch(self) -> None:
        self._timer.cancel()
        self._timer = self._loop.call_later(IDLE, self._idle)

    def _idle(self) -> None:
        if self._reader is None:
            self.end()
        else:
            self._touch()

    def end(self) -> None:
        """End the session like a lost connection."""
        if self.over:
            return
        self.over = True
        self._timer.cancel()
        self._wakeup.set()
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Gone())
        connection, self._connection = self._connection, None
        assert connection is not None
        connection.lose()
        self._ended(self)
        connection.stop()


class Relay:
    """All sessions of one game, by the tokens of their users."""

    def __init__(self, lobbies: Mapping[str, LobbyServer], game: str) -> None:
        """*lobbies* is filled when the server starts."""
        self._lobbies = lobbies
        self._game = game
        self._sessions: dict[str, Session] = {}
        self._open: Counter[str] = Counter()
        """The number of sessions by address."""
        self._finding = asyncio.Lock()

    def routes(self) -> list[Route]:
        return [("POST", "/relay", self.post), ("GET", "/events", self.get)]

    async def post(self, request: web.Request) -> web.StreamResponse:
        """POST /relay"""
        if request.content_type != _JSON:
            raise Refusal("bad_request", f"content type {request.content_type}: expected {_JSON}")
        try:
            body = await read_body(request)
        except web.HTTPRequestEntityTooLarge:
            body = b"x" * (64 * 1024)  # the conversation answers with the proper error
        token = _token(request)
        await self._lobbies[self._game].wait()
        try:
            answer = await (self._ask(request, token, body) if token else self._ask_first(request, body))
        except (TimeoutError, Gone):
            return _gone()
        return web.Response(text=answer, content_type=_JSON)

    async def get(self, request: web.Request) -> web.StreamResponse:
        """GET /events"""
        await self._lobbies[self._game].wait()
        try:
            found = await self._session(request, _token(request))
        except (TimeoutError, Gone):
            return _gone()
        if isinstance(found, str):
            return web.Response(text=found, content_type=_JSON, status=401)
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        )
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            await found.stream(response.write)
        return response

    async def _ask(self, request: web.Request, token: str, body: bytes) -> str:
        found = await self._session(request, token)
        return found if isinstance(found, str) else await found.ask(body)

    async def _ask_first(self, request: web.Request, body: bytes) -> str:
        """Answer a request without a token; if it is a login, keep the session."""
        call, _, wrong = read_call(body)
        if wrong is None and call.command in _FLEETING:
            words = "over HTTP log in first, and send the token with every request"
            return call.error("invalid_token", words, FULL)
        refused = self._refused(request)
        if refused is not None:
            return call.error(refused.key, refused.words, FULL)
        session = self._new(request, "")
        answer = await session.ask(body)
        head = _head(answer)
        if head.response == "user.login" and not session.over:
            session.token = head.token
            self._sessions[head.token] = session
        else:
            session.end()
        return answer

    async def _session(self, request: web.Request, token: str) -> Session | str:
        """Return the session of *token*, if necessary a new one, or the error as a frame."""
        if not token:
            return Call().error("invalid_token", "a token is missing: log in first", FULL)
        async with self._finding:
            session = self._sessions.get(token)
            if session is not None and not session.over:
                return session
            return await self._begin(request, token)

    async def _begin(self, request: web.Request, token: str) -> Session | str:
        refused = self._refused(request)
        if refused is not None:
            return Call().error(refused.key, refused.words, FULL)
        session = self._new(request, token)
        answer = await session.begin()
        if _head(answer).response is None:
            session.end()
            return answer
        self._sessions[token] = session
        return session

    def _refused(self, request: web.Request) -> Refusal | None:
        """Return why the address of *request* may not have a new session: it is banned, or has too many."""
        lobby, address = self._lobbies[self._game], address_of(request)
        ban = lobby.identities.measures.find(BAN, [lobby.identities.address_mark(address)])
        if ban is not None:
            return Refusal("banned", ban.words)
        return Refusal("too_many", _CROWDED) if 0 < lobby.most_per_address <= self._open[address] else None

    def _new(self, request: web.Request, token: str) -> Session:
        session = Session(self._lobbies[self._game], address_of(request), token, self._forget)
        self._open[session.address] += 1
        return session

    def _forget(self, session: Session) -> None:
        self._open[session.address] -= 1
        if not self._open[session.address]:
            del self._open[session.address]
        if self._sessions.get(session.token) is session:
            del self._sessions[session.token]


def _gone() -> web.Response:
    return refused(Refusal("gone", "this session has ended: log in again"))


def _token(request: web.Request) -> str:
    return bearer(request) or request.query.get("token", "")


def _head(frame: str) -> _Head:
    return msgspec.json.decode(frame, type=_Head)
