"""The HTTP API of a server: its games, tables and finished matches (docs/house-protocol.md)."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

import aiohttp
import msgspec

from croupier.client.errors import ClientError, Refusal, Unreachable, refusal
from croupier.wire.house_messages import (
    Finding,
    GameRow,
    Hint,
    MatchInfo,
    MatchRow,
    NewTable,
    Opened,
    Problem,
    ReviewEnded,
    TableRow,
)

T = TypeVar("T")

ANSWER_SECONDS: Final = 30.0
"""How long the server may take to answer."""
REVIEW_SECONDS: Final = 600.0
"""How long the server may take to review a deal."""


class Review(msgspec.Struct, frozen=True):
    """The review of one deal."""

    findings: list[Finding]
    costly: float
    """The smallest difference that makes a decision costly."""


class Server:
    """The server at *url*, like ``http://127.0.0.1:8080``. Use it in ``async with``."""

    def __init__(self, url: str) -> None:
        self.url = checked(url, "http", "https").rstrip("/")
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Server:
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._session is not None
        await self._session.close()

    def page(self, table: str) -> str:
        """Return the page of *table* for people."""
        return f"{self.url}/table/{table}"

    async def games(self) -> list[GameRow]:
        """Return the games of the server."""
        return self._read(await self._ask("GET", "/api/games"), list[GameRow])

    async def tables(self) -> list[TableRow]:
        """Return the open tables, newest first."""
        found: list[TableRow] = []
        query: dict[str, str] = {}
        while rows := self._read(await self._ask("GET", "/api/tables", query), list[TableRow]):
            found += rows
            query = {"before": str(rows[-1].number)}
        return found

    async def matches(self, game: str | None = None, limit: int = 20) -> list[MatchRow]:
        """Return finished matches, newest first."""
        query = {"limit": str(limit), **({"game": game} if game is not None else {})}
        return self._read(await self._ask("GET", "/api/matches", query), list[MatchRow])

    async def record(self, match: str) -> str:
        """Return the record of a finished match."""
        return (await self._ask("GET", f"/api/matches/{quote(match, safe='')}/record")).decode()

    async def match(self, match: str) -> MatchInfo:
        """Return a finished match."""
        return self._read(await self._ask("GET", f"/api/matches/{quote(match, safe='')}"), MatchInfo)

    async def review(self, match: str, deal: int) -> Review:
        """Return what the bot expert would have done at each decision of a *deal* (from 1) of a match."""
        path = f"/api/matches/{quote(match, safe='')}/review"
        found = await self._ask("GET", path, {"deal": str(deal)}, seconds=REVIEW_SECONDS)
        lines = found.splitlines()
        last = lines[-1] if lines else b""
        try:
            costly = msgspec.json.decode(last, type=ReviewEnded).costly
        except msgspec.ValidationError:  # the review failed
            raise answer_error(self.url + path, 503, last) from None
        except msgspec.DecodeError:
            raise Unreachable("no_server", f"{self.url} ended the review early: try again") from None
        return Review([self._read(line, Finding) for line in lines[1:-1]], costly)

    async def hint(self, table: str, token: str) -> Hint:
        """Return what the bot expert would do in the seat that was taken with *token*."""
        path = f"/api/tables/{quote(table, safe='')}/hint"
        return self._read(await self._ask("POST", path, body={"token": token}), Hint)

    async def open_table(
        self,
        game: str,
        seats: Sequence[str] | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        table_options: Mapping[str, Any] | None = None,
        seed: str | None = None,
    ) -> str:
        """Open a table and return its id.

        *seats* has ``open``, ``person`` or ``bot <name>`` for each seat; without it there is one open seat,
        and the game's usual bots take the others.
        """
        given = NewTable(
            game=game,
            seats=list(seats) if seats is not None else await self._usual_seats(game),
            options=dict(options or {}),
            table_options=dict(table_options or {}),
            seed=seed,
        )
        return self._read(await self._ask("POST", "/api/tables", body=given), Opened).id

    async def _usual_seats(self, game: str) -> list[str]:
        games = {row.name: row for row in await self.games()}
        if game not in games:
            raise Refusal("no_such_game", f"game {game!r}: expected one of {', '.join(games)}")
        row = games[game]
        return ["open", *[f"bot {row.usual}"] * (min(many for many in row.seats if many > 1) - 1)]

    async def _ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: object = None,
        seconds: float = ANSWER_SECONDS,
    ) -> bytes:
        assert self._session is not None, "use the server in `async with`"
        data = None if body is None else msgspec.json.encode(body)
        headers = None if body is None else {"Content-Type": "application/json"}
        try:
            async with self._session.request(
                method,
                self.url + path,
                params=query,
                data=data,
                headers=headers,
                timeout=aiohttp.ClientTimeout(total=seconds),
            ) as answer:
                found = await answer.read()
                if answer.status < 400:
                    return found
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise unreachable(self.url, error) from None
        raise answer_error(self.url + path, answer.status, found)

    def _read(self, data: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Unreachable("no_server", f"{self.url} is not a Croupier server of this version") from None


async def open_table(
    url: str,
    game: str,
    seats: Sequence[str] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    table_options: Mapping[str, Any] | None = None,
    seed: str | None = None,
) -> str:
    """Open a table at the server *url* and return its id; see `Server.open_table`."""
    async with Server(url) as server:
        return await server.open_table(game, seats, options=options, table_options=table_options, seed=seed)


def checked(url: str, *schemes: str) -> str:
    """Return *url* if it is an address with one of *schemes*."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise Unreachable("bad_url", f"{url}: expected an address like {schemes[0]}://127.0.0.1:8080")
    return url


def unreachable(url: str, error: Exception) -> Unreachable:
    """Return the error for a server that cannot be reached."""
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if isinstance(cause, TimeoutError):
        why = "no answer"
    elif isinstance(cause, ssl.SSLError):
        why = f"TLS failed: {cause.reason or cause}"
    elif isinstance(cause, OSError) and cause.errno is not None and cause.errno > 0:
        why = os.strerror(cause.errno)
    else:  # an unknown host name has another kind of error number
        why = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return Unreachable("no_server", f"{url} cannot be reached ({why}): is 'croupier serve' running there?")


def answer_error(url: str, status: int, body: bytes) -> ClientError:
    """Return the error for an answer with a status of 400 or more."""
    try:
        problem = msgspec.json.decode(body, type=Problem)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Unreachable("no_server", f"{url} answered with status {status}: it is not a Croupier server")
    return refusal(problem.key, problem.words)
