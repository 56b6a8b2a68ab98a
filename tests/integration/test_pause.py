"""A process that was stopped and continued: answers that were sent in time are accepted."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import aiohttp
import msgspec
import pytest

from tests.integration.servers import PATIENCE, Server, house

SECONDS = 3
"""The clock of a decision; the server is stopped for longer."""


@pytest.mark.slow
def test_an_answer_that_came_while_the_process_was_stopped_is_in_time(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        asyncio.run(answer_while_stopped(server))


async def answer_while_stopped(server: Server) -> None:
    clocks = {f"{what}_timeout": SECONDS * 1000 for what in ("pass_cards", "expose_cards", "pick_card")}
    wish = {"game": "hearts", "seats": ["open", *["bot dummy"] * 3], "table_options": clocks}
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE)) as session:
        async with session.post(f"{server.http}/api/tables", json=wish) as opened:
            address = (await opened.json())["house"]
        async with session.ws_connect(address) as socket:
            await socket.send_json({"type": "join", "name": "ann", "token": "t"})
            async for message in socket:
                ask = msgspec.json.decode(message.data)
                if ask["type"] == "ask":
                    break
            assert server.process is not None
            server.process.send_signal(signal.SIGSTOP)
            try:
                await socket.send_json(
                    {"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3], "id": "mine"}
                )
                await asyncio.sleep(SECONDS + 1)
            finally:
                server.process.send_signal(signal.SIGCONT)
            async for message in socket:
                answer = msgspec.json.decode(message.data)
                if answer.get("id") == "mine":
                    break
            assert answer == {"type": "accepted", "id": "mine"}
