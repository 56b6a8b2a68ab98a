"""The command family over HTTP, as opentarock's relay had it: POST /relay, and events from GET /events.

A *session* is to the desk what a WebSocket is: one conversation. It belongs to the token of its user, which
every request carries (``Authorization: Bearer …`` or ``?token=``); the first one, `user.login`, gives it.
Frames that answer go back with the POST, all others are server-sent events. A session nobody uses for a
minute is lost like a connection; its events wait for a reader that comes late only as far as `BACKLOG` goes,
and `seq` shows gaps.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

import msgspec
from aiohttp import web

from croupier.net import api
from croupier.net.address import address_of
from croupier.net.link import Carrier
from croupier.net.reception import DeskLink, Reception
from croupier.wire.messages import FULL, Call, read_call
from croupier.wire.talk import Hang

IDLE: Final = 60.0
"""Seconds without a request or a reader after which a session ends."""
PING: Final = 20.0
BACKLOG: Final = 256
"""So many events wait for a reader."""
PATIENCE: Final = 30.0
"""How long an answer may take."""

Route: TypeAlias = tuple[str, str, Callable[[web.Request], Awaitable[web.StreamResponse]]]

_JSON: Final = "application/json"
_FLEETING: Final = ("lobby.room.create", "lobby.room.join")
"""What makes no sense for somebody who cannot be found again."""


class Gone(Exception):
    """The session ended before it had an answer."""


class _Head(msgspec.Struct):
    """What tells the kinds of frames apart."""

    event: str | None = None
    response: str | None = None
    token: str = ""


class Session:
    """One client's conversation, spread over requests."""

    def __init__(
        self, reception: Reception, address: str, token: str, ended: Callable[[Session], None]
    ) -> None:
        self.over = False
        self._ended = ended
        self._answer: asyncio.Future[str] | None = None
        self._turn = asyncio.Lock()
        self._events: deque[str] = deque(maxlen=BACKLOG)
        self._bell = asyncio.Event()
        self._reader: object = None
        """The newest GET /events; an older one ends."""
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(IDLE, self._idle)
        conversation = reception.desk.conversation(token=token)
        self._link = DeskLink(conversation, Carrier(self._send, self._close, self.end), reception, address)

    async def begin(self) -> str:
        """Greet, with a token; return the answer to the login it is."""
        return await self._wait(self._link.begin)

    async def ask(self, body: bytes) -> str:
        """Return the answer to one message; messages are answered one at a time."""
        async with self._turn:
            # A blank line at a terminal has no answer; a blank body must have one.
            return await self._wait(lambda: self._link.receive(body if body.strip() else b"null"))

    async def _wait(self, act: Callable[[], None]) -> str:
        self._touch()
        self._answer = self._loop.create_future()
        act()
        try:
            return await asyncio.wait_for(self._answer, PATIENCE)
        finally:
            self._answer = None

    async def stream(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write events as they come, until somebody else reads them or the session ends."""
        me = self._reader = object()
        self._bell.set()
        try:
            while self._reader is me:
                while self._events:
                    await write(f"data: {self._events.popleft()}\n\n".encode())
                if self.over:
                    return
                self._bell.clear()
                try:
                    await asyncio.wait_for(self._bell.wait(), PING)
                except TimeoutError:
                    await write(b": still here\n\n")
        finally:
            if self._reader is me:
                self._reader = None
                self._touch()

    # What the link does with the conversation's frames.

    async def _send(self, frame: str) -> None:
        waiting = self._answer
        if waiting is not None and not waiting.done() and _head(frame).event is None:
            waiting.set_result(frame)
            return
        self._events.append(frame)
        self._bell.set()

    async def _close(self, hang: Hang) -> None:
        self.end()

    # Its end.

    def _touch(self) -> None:
        self._timer.cancel()
        self._timer = self._loop.call_later(IDLE, self._idle)

    def _idle(self) -> None:
        if self._reader is None:
            self.end()
        else:
            self._touch()

    def end(self) -> None:
        """Be lost, as a connection is."""
        if self.over:
            return
        self.over = True
        self._timer.cancel()
        self._bell.set()
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Gone())
        self._link.lose()
        self._ended(self)
        self._stopping = self._loop.create_task(self._link.stop())


class Relay:
    """All sessions of one game, by the tokens of their users."""

    def __init__(self, receptions: Mapping[str, Reception], game: str) -> None:
        """*receptions* is filled when the server has started."""
        self._receptions = receptions
        self._game = game
        self._sessions: dict[str, Session] = {}
        self._finding = asyncio.Lock()

    def routes(self) -> list[Route]:
        return [("POST", "/relay", self.post), ("GET", "/events", self.get)]

    async def post(self, request: web.Request) -> web.StreamResponse:
        """POST /relay"""
        if request.content_type != _JSON:
            return api.problem(400, "bad_request", f"content type {request.content_type}: expected {_JSON}")
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            body = b"x" * (64 * 1024)  # the conversation says what is wrong with that
        token = _token(request)
        try:
            answer = await (self._ask(request, token, body) if token else self._ask_first(request, body))
        except (TimeoutError, Gone):
            return _gone()
        return web.Response(text=answer, content_type=_JSON)

    async def get(self, request: web.Request) -> web.StreamResponse:
        """GET /events"""
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
        """Answer somebody without a token: if it is a login, the session stays."""
        call, _, fault = read_call(body)
        if fault is None and call.command in _FLEETING:
            words = "over HTTP log in first, and send the token with every request"
            return call.error("invalid_token", words, FULL)
        session = self._new(request, "")
        answer = await session.ask(body)
        head = _head(answer)
        if head.response == "user.login" and not session.over:
            self._sessions[head.token] = session
        else:
            session.end()
        return answer

    async def _session(self, request: web.Request, token: str) -> Session | str:
        """Return the session of *token*, a new one if need be, or the error that says why there is none."""
        if not token:
            return Call().error("invalid_token", "a token is missing: log in first", FULL)
        async with self._finding:
            session = self._sessions.get(token)
            if session is not None and not session.over:
                return session
            return await self._begin(request, token)

    async def _begin(self, request: web.Request, token: str) -> Session | str:
        session = self._new(request, token)
        answer = await session.begin()
        if _head(answer).response is None:
            session.end()
            return answer
        self._sessions[token] = session
        return session

    def _new(self, request: web.Request, token: str) -> Session:
        return Session(self._receptions[self._game], address_of(request), token, self._forget)

    def _forget(self, session: Session) -> None:
        self._sessions = {token: one for token, one in self._sessions.items() if one is not session}


def _gone() -> web.Response:
    return api.problem(503, "gone", "this session has ended: come back")


def _token(request: web.Request) -> str:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    return bearer or request.query.get("token", "")


def _head(frame: str) -> _Head:
    return msgspec.json.decode(frame, type=_Head)
