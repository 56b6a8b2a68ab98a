"""Agents that use the protocol's own client: tools are called, answers are read."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client
from mcp_types import TextContent

from croupier.client import Server
from croupier.games import game as find_game
from croupier.mcp.running import own_house
from croupier.mcp.tools import Tools, make_server
from croupier.testing.tables import without_pauses


class Refused(Exception):
    """The tool answered with an error."""


class Agent:
    """An agent that calls tools, in the seat it has taken."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.seat = ""
        self.table = ""

    async def call(self, tool: str, **arguments: Any) -> str:
        """Return the answer of the tool; raise Refused if it is an error."""
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert result.structured_content is None
        if result.is_error:
            raise Refused(content.text.removeprefix(f"Error executing tool {tool}: "))
        return content.text

    async def here(self, tool: str, **arguments: Any) -> str:
        """Call a tool for the agent's own seat."""
        return await self.call(tool, seat=self.seat, **arguments)

    async def open(self, game: str, **arguments: Any) -> str:
        many = 1 if game == "sagrada" else 3
        arguments = {
            "table_options": without_pauses(find_game(game)),
            "others": ["random"] * many,
            **arguments,
        }
        text = await self.call("open_table", game=game, **arguments)
        found = re.match(r"Table (\w+) is open", text)
        assert found, text
        return found[1]

    async def sit(self, table: str, **arguments: Any) -> str:
        text = await self.call("sit_down", table=table, **arguments)
        found = re.match(r"Your seat id: (\S+)\n", text)
        assert found, text
        self.seat, self.table = found[1], table
        return text

    async def open_and_sit(self, game: str, **arguments: Any) -> None:
        """Open a table with bots and sit down there as Ann."""
        await self.sit(await self.open(game, **arguments), name="Ann")

    async def turn(self) -> list[str]:
        """Wait for the turn; return the legal actions, none if the turn does not come."""
        text = await self.here("wait_for_turn", seconds=60)
        return legal(text) if "\nYour turn" in text else []


def legal(text: str) -> list[str]:
    """Return the legal actions that a text lists."""
    found = re.search(r"^Legal actions: (.*?)(?: … and \d+ more.*)?$", text, re.MULTILINE)
    assert found, text
    return found[1].split("; ")


@asynccontextmanager
async def agents(many: int = 1) -> AsyncIterator[list[Agent]]:
    """Yield agents at one house in this process, each with a client of its own."""
    async with own_house("memory:") as url, Server(url) as house:
        tools = Tools(house)
        server = make_server(tools)
        try:
            if many == 1:
                async with Client(server) as one:
                    yield [Agent(one)]
            else:
                async with Client(server) as one, Client(server) as other:
                    yield [Agent(one), Agent(other)]
        finally:
            await tools.close()
