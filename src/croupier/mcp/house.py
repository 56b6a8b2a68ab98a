"""A house that is spoken to over HTTP: its games, tables and finished matches (docs/house-protocol.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

import aiohttp
import msgspec
from mcp.server.mcpserver.exceptions import ToolError

HEARTBEAT: Final = 20.0
PATIENCE: Final = 30.0
"""How long an answer may take, in seconds."""


class Refusal(ToolError):
    """What an agent asked for cannot be: a key, and words for it to read."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(f"{key}: {words}")
        self.key = key
        self.words = words


class House:
    """The server at *url*. Use it as a context manager."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._client = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE))

    async def __aenter__(self) -> House:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.close()

    def page(self, table: str) -> str:
        """Return where a person can look at *table*."""
        return f"{self.url}/table/{table}"

    async def games(self) -> list[dict[str, Any]]:
        return msgspec.json.decode(await self._ask("GET", "/api/games"), type=list[dict[str, Any]])

    async def tables(self) -> list[dict[str, Any]]:
        return msgspec.json.decode(await self._ask("GET", "/api/tables"), type=list[dict[str, Any]])

    async def matches(self, game: str | None, limit: int) -> list[dict[str, Any]]:
        query = {"limit": str(limit), **({"game": game} if game is not None else {})}
        found = await self._ask("GET", "/api/matches", query)
        return msgspec.json.decode(found, type=list[dict[str, Any]])

    async def record(self, match: str) -> str:
        return (await self._ask("GET", f"/api/matches/{quote(match, safe='')}/record")).decode()

    async def open(
        self,
        game: str,
        seats: Sequence[str],
        options: Mapping[str, object],
        table_options: Mapping[str, object],
        seed: str | None,
    ) -> str:
        """Open a table and return its id."""
        wish = {
            "game": game,
            "seats": seats,
            "options": options,
            "table_options": table_options,
            "seed": seed,
        }
        found = msgspec.json.decode(await self._ask("POST", "/api/tables", body=wish), type=dict[str, Any])
        return str(found["id"])

    async def connect(self, table: str) -> aiohttp.ClientWebSocketResponse:
        """Open a connection to *table* that speaks the house protocol."""
        address = f"{self.url}/house/{quote(table, safe='')}"
        try:
            return await self._client.ws_connect(address, heartbeat=HEARTBEAT)
        except aiohttp.WSServerHandshakeError as error:
            if error.status == 404:
                words = f"table {table!r}: there is none; list_tables shows those that are open"
                raise Refusal("no_such_table", words) from None
            raise Refusal("no_server", f"{self.url}: it answered {error.status}") from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._unreachable(error) from None

    async def _ask(
        self, method: str, path: str, query: Mapping[str, str] | None = None, body: object = None
    ) -> bytes:
        data = None if body is None else msgspec.json.encode(body)
        headers = None if body is None else {"Content-Type": "application/json"}
        try:
            async with self._client.request(
                method, self.url + path, params=query, data=data, headers=headers
            ) as answer:
                found = await answer.read()
                if answer.status < 400:
                    return found
                status = answer.status
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._unreachable(error) from None
        try:
            problem = msgspec.json.decode(found, type=dict[str, str])
            raise Refusal(problem["key"], problem["words"])
        except (msgspec.DecodeError, KeyError, UnicodeDecodeError):
            raise Refusal("no_server", f"{self.url}{path}: it answered {status}") from None

    def _unreachable(self, error: Exception) -> Refusal:
        why = str(error) or type(error).__name__
        return Refusal(
            "no_server", f"{self.url} cannot be reached ({why}): is 'croupier serve' running there?"
        )
