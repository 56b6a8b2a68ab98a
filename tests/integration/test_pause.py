"""A process that was stopped and continued: answers that were sent in time are accepted."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import msgspec
import pytest

from tests.integration.servers import TIMEOUT, Server, house

SECONDS = 3
"""The clock of a decision; the server is stopped for longer."""


@pytest.mark.slow
def test_an_answer_that_came_while_the_process_was_stopped_is_in_time(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        asyncio.run(answer_while_stopped(server))


@contextlib.asynccontextmanager
async def stopped(server: Server) -> AsyncIterator[None]:
    """Stop the process for longer than a decision may take."""
    assert server.process is not None
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
        await asyncio.sleep(SECONDS + 1)
    finally:
        server.process.send_signal(signal.SIGCONT)


CLOCKS = {f"{what}_timeout": SECONDS * 1000 for what in ("pass_cards", "expose_cards", "pick_card")}


@pytest.mark.slow
def test_an_answer_in_the_trend_protocol(tmp_path: Path) -> None:
    async def play(server: Server, id: str) -> None:
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{server.ws}/t/{id}") as socket:
            await socket.send_json({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
            while (frame := await socket.receive_json(timeout=TIMEOUT))["eventName"] != "pass_cards":
                pass
            cards = frame["data"]["self"]["cards"][-3:]
            async with stopped(server):
                await socket.send_json(
                    {"eventName": "pass_my_cards", "data": {"dealNumber": 1, "cards": cards}}
                )
            while frame["eventName"] != "receive_opponent_cards":
                frame = await socket.receive_json(timeout=TIMEOUT)
            assert frame["data"]["self"]["pickedCards"] == cards
            assert frame["data"]["self"]["timeoutCount"] == 0

    with house(tmp_path) as server:
        id = server.new_table(seats=["open", *["bot dummy"] * 3], table_options=CLOCKS)
        asyncio.run(play(server, id))


@pytest.mark.slow
@pytest.mark.parametrize("over", ["lines", "a WebSocket"])
def test_an_answer_in_a_line_protocol(tmp_path: Path, over: str) -> None:
    async def play(server: Server, port: int) -> None:
        async with contextlib.AsyncExitStack() as stack:
            if over == "lines":
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                stack.callback(writer.close)

                async def say(line: str) -> None:
                    writer.write(f"{line}\r\n".encode())

                async def hear() -> str:
                    return (await asyncio.wait_for(reader.readline(), TIMEOUT)).decode()
            else:
                session = await stack.enter_async_context(aiohttp.ClientSession())
                socket = await stack.enter_async_context(session.ws_connect(f"{server.ws}/coinche"))

                async def say(line: str) -> None:
                    await socket.send_str(line)

                async def hear() -> str:
                    return await socket.receive_str(timeout=TIMEOUT)

            await say("NAME anna")
            while not (line := await hear()).startswith("326 "):
                assert line
            async with stopped(server):
                await say("PASS")
            while not (line := await hear()).startswith("200 You passed"):
                assert line[:1] in ("1", "3"), line
                assert not line.startswith("112 "), "she was in time"

    options = ("coinche.fill_bots_seconds=1", f"coinche.bid_seconds={SECONDS}")
    arguments = [word for option in options for word in ("--option", option)]
    with house(tmp_path, "--coinche-port", "any", *arguments) as server:
        assert server.process is not None
        assert server.process.stdout is not None
        port = int(server.process.stdout.readline().split()[-1])
        asyncio.run(play(server, port))


async def answer_while_stopped(server: Server) -> None:
    wish = {"game": "hearts", "seats": ["open", *["bot dummy"] * 3], "table_options": CLOCKS}
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT)) as session:
        async with session.post(f"{server.http}/api/tables", json=wish) as opened:
            address = (await opened.json())["house"]
        async with session.ws_connect(address) as socket:
            await socket.send_json({"type": "join", "name": "ann", "token": "t"})
            async for message in socket:
                ask = msgspec.json.decode(message.data)
                if ask["type"] == "ask":
                    break
            async with stopped(server):
                await socket.send_json(
                    {"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3], "id": "mine"}
                )
            async for message in socket:
                answer = msgspec.json.decode(message.data)
                if answer.get("id") == "mine":
                    break
            assert answer == {"type": "accepted", "id": "mine"}
