"""The client for scripts without asyncio: the same names and methods, which block instead of being awaited.

Each seat has a thread that keeps its connection alive while the script computes.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from croupier.client import seat as asynchronous
from croupier.client import server
from croupier.client.seat import Message
from croupier.wire.house_messages import Ask, Table, Views

T = TypeVar("T")


class _Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="croupier.client", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of *work*; if the wait is interrupted, so is the work."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


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
    """Return a seat at a table, for use in ``with``; see `croupier.client.connect`."""
    return Seat(
        asynchronous.connect(
            url,
            table,
            name=name,
            token=token,
            seat=seat,
            person=person,
            views=views,
            words=words,
            language=language,
            patience=patience,
        )
    )


def open_table(
    url: str,
    game: str,
    seats: Sequence[str] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    table_options: Mapping[str, Any] | None = None,
    seed: str | None = None,
) -> str:
    """Open a table at the server *url* and return its id; see `croupier.client.Server.open_table`."""
    return ask(
        url,
        lambda found: found.open_table(game, seats, options=options, table_options=table_options, seed=seed),
    )


def ask(url: str, question: Callable[[server.Server], Awaitable[T]]) -> T:
    """Return the answer to *question*, which calls a method of `croupier.client.Server`."""

    async def answer() -> T:
        async with server.Server(url) as found:
            return await question(found)

    loop = _Loop()
    try:
        return loop.run(answer())
    finally:
        loop.stop()


class Seat:
    """A seat at a table; see `croupier.client.Seat`."""

    def __init__(self, seat: asynchronous.Seat) -> None:
        self._seat = seat
        self._loop: _Loop | None = None

    def __enter__(self) -> Seat:
        self._loop = _Loop()
        try:
            self._loop.run(self._seat.open())
        except BaseException:
            self._loop.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        assert self._loop is not None
        try:
            self._loop.run(self._seat.close())
        finally:
            self._loop.stop()

    @property
    def name(self) -> str:
        return self._seat.name

    @property
    def token(self) -> str:
        return self._seat.token

    @property
    def number(self) -> int:
        """Return the number of the seat, from 0."""
        return self._seat.number

    @property
    def table(self) -> Table:
        """Return the last description of the table from the server."""
        return self._seat.table

    @property
    def question(self) -> Ask | None:
        """Return the last question returned by the iteration, until it is answered."""
        return self._seat.question

    def __iter__(self) -> Iterator[Message]:
        while (message := self.receive()) is not None:
            yield message

    def receive(self) -> Message | None:
        """Return the next message; None if the seat was left or the table is closed."""
        return self._run(self._seat.receive())

    def act(self, *actions: str, text: str | None = None, turn: int | None = None) -> None:
        """Answer the question with *actions* or with a *text*."""
        self._run(self._seat.act(*actions, text=text, turn=turn))

    def say(self, text: str) -> None:
        """Send a chat message to everyone at the table."""
        self._run(self._seat.say(text))

    def start(self) -> None:
        """Start the table, or its next game; after a match: agree to play another one."""
        self._run(self._seat.start())

    def fill(self, seat: int) -> None:
        """Let a bot take a free seat until the end of the next match."""
        self._run(self._seat.fill(seat))

    def arrange(self, *seats: str) -> None:
        """Set the players of the seats: for each seat ``open``, ``person`` or ``bot <name>``."""
        self._run(self._seat.arrange(*seats))

    def leave(self) -> None:
        """Leave the seat permanently; during a game a bot takes it over."""
        self._run(self._seat.leave())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        assert self._loop is not None, "use the seat in `with`"
        return self._loop.run(work)
