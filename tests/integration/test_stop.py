"""Graceful stop: all clients are informed, everything is stored, and games continue after a restart."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest

from tests.integration.programs import NAMES, Frame, House, Trend
from tests.integration.servers import TIMEOUT, Server, house, node, steady_port
from tests.net.rig import RawSocket, eventually

GENEROUS = {
    "command_interval": 0,
    "round_interval": 0,
    "deal_interval": 0,
    "pass_cards_timeout": 600_000,
    "expose_cards_timeout": 600_000,
    "pick_card_timeout": 600_000,
}


def programs(server: Server, id: str) -> list[House | Trend]:
    return [
        House(f"{server.ws}/house/{id}", NAMES[0], 0),
        Trend(f"{server.ws}/t/{id}", NAMES[1], 2),
        House(f"{server.ws}/house/{id}", NAMES[2], 2),
        Trend(f"{server.ws}/t/{id}", NAMES[3], 4),
    ]


def over(frame: Frame) -> bool:
    return frame.get("eventName") == "game_end" or frame.get("event", {}).get("kind") == "game_ended"


def events(player: House | Trend) -> list[str]:
    return player.types if isinstance(player, House) else player.events


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_clients_are_informed_of_a_stop_and_the_game_continues_after_it(
    tmp_path: Path, sign: signal.Signals
) -> None:
    async def stop_in_mid_game(server: Server, id: str) -> None:
        players = programs(server, id)
        up = asyncio.Event()

        async def back() -> None:
            await up.wait()
            await asyncio.sleep(0.05)

        tasks = [asyncio.create_task(player.play(over, back)) for player in players]
        await eventually(lambda: len(players[1].frames) >= 100)
        seen = [len(player.frames) for player in players]
        assert server.process is not None
        server.process.send_signal(sign)
        await eventually(lambda: all(player.codes for player in players))
        for player in players:
            assert events(player)[-1] == ("closed" if isinstance(player, House) else "game_stop")
            assert player.codes == [1001]
        assert await asyncio.to_thread(server.process.wait, TIMEOUT) == 0
        server.stop()
        await asyncio.to_thread(server.start)
        up.set()
        await asyncio.wait_for(asyncio.gather(*tasks), TIMEOUT)
        for player, count in zip(players, seen, strict=True):
            assert len(player.frames) > count + 50
        ends = players[1].frames[-1]["data"]["players"]
        assert [(end["timeoutCount"], end["errorCount"]) for end in ends] == [(0, 0)] * 4

    with house(tmp_path, "--log-level", "warning", port=steady_port()) as server:
        id = server.new_table(options={"match_games": 1}, table_options=GENEROUS)
        asyncio.run(stop_in_mid_game(server, id))
        assert "Traceback" not in server.log


@pytest.mark.slow
def test_a_node_that_stops_informs_its_clients(tmp_path: Path) -> None:
    async def wait(url: str, stop: Callable[[], None]) -> Trend:
        program = Trend(url, "ann", 1)

        async def never() -> None:
            await asyncio.sleep(3600)

        task = asyncio.create_task(program.play(lambda frame: False, never))
        await eventually(lambda: "new_deal" in program.events)
        stop()
        await eventually(lambda: bool(program.codes))
        task.cancel()
        return program

    with node(tmp_path, "--seats", "empty,dummy,dummy,dummy", "--start", pauses=20) as server:
        assert server.process is not None
        process = server.process
        program = asyncio.run(wait(server.ws, lambda: process.send_signal(signal.SIGTERM)))
        assert process.wait(TIMEOUT) == 0
    assert program.events[-1] == "game_stop"
    assert set(program.find("game_stop")) == {"reason"}
    assert program.codes == [1001]


@pytest.mark.slow
def test_a_client_that_does_not_read_cannot_hold_up_the_stop(tmp_path: Path) -> None:
    async def stall(port: int) -> RawSocket:
        client = await RawSocket.open(port, "/watch", 4096, {})
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads, too
        return client

    async def stop() -> float:
        clients = [await stall(server.port) for _ in range(5)]
        reader = await RawSocket.open(server.port, "/watch", 0, {})
        told = 0
        while told < 1 << 20:  # far more than the system buffers for clients that do not read
            told += len((await reader.receive())[1])
        reader.close()
        begun = time.monotonic()
        assert await asyncio.to_thread(server.stop) == 0
        for client in clients:
            client.close()
        return time.monotonic() - begun

    endless = ("--start", "--auto-cycle", "1", "--option", "game_interval=0")
    with node(tmp_path, "--seats", "dummy,dummy,dummy,dummy", *endless) as server:
        assert asyncio.run(stop()) < 15.0
        assert "Traceback" not in server.log


@pytest.mark.slow
def test_clients_that_do_not_answer_cannot_hold_up_the_stop(tmp_path: Path) -> None:
    """4,000 of them took 2.6 s on two busy cores."""

    async def stop() -> float:
        clients = [await RawSocket.open(server.port, path, 0, {}) for path in ("/house/default", "/") * 150]
        begun = time.monotonic()
        assert await asyncio.to_thread(server.stop) == 0
        took = time.monotonic() - begun
        for client in clients:
            client.close()
        return took

    with house(tmp_path) as server:
        assert asyncio.run(stop()) < 3.0
        assert "Traceback" not in server.log


def test_an_idle_server_stops_at_once(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        begun = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begun < 5.0
        assert "Traceback" not in server.log


@pytest.mark.slow
def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        server.new_table()
        server.kill()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        quiet = ("--data", str(tmp_path / "data"), "--log-level", "warning")
        other = Server(tmp_path / "other.log", "serve", *quiet, "--port", port)
        with pytest.raises(AssertionError):
            other.start()
        assert other.process is not None
        assert other.process.wait(TIMEOUT) == 1
        assert other.process.stdout is not None
        other.process.stdout.close()
    assert re.fullmatch(r"croupier: cannot listen on .*\n", other.log)


@pytest.mark.slow
def test_no_log_line_holds_a_token_a_card_or_a_hand(tmp_path: Path) -> None:
    secrets = [f"very-secret-{number}" for number in range(4)]

    async def play(server: Server, id: str) -> None:
        players = programs(server, id)
        for player, token in zip(players, secrets, strict=True):
            player.token = token
        # Refused and malformed messages.
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{server.ws}/house/{id}") as socket,
        ):
            await socket.send_json({"type": "join", "name": "", "token": "very-secret-9"})
            await socket.send_json({"type": "act", "turn": 1, "actions": ["play QS"]})
            await socket.send_str("{very-secret-8: QS")
        await asyncio.wait_for(asyncio.gather(*(player.play(over) for player in players)), TIMEOUT)

    for arguments in ([], ["--log-json"]):
        # If other servers of this machine use the line ports, the log would contain words like "cannot".
        ports = ["--coinche-port", "off", "--sagrada-port", "off", "--sagrada-line-port", "off"]
        with house(tmp_path, "--log-level", "debug", *ports, *arguments) as server:
            id = server.new_table(options={"match_games": 1}, table_options=GENEROUS)
            asyncio.run(play(server, id))
            assert server.stop() == 0
    assert f"table {id}" in server.log
    assert "very-secret" not in server.log
    assert not re.findall(r"\b[2-9TJQKA][SHCD]\b", server.log)
    for name in NAMES:
        assert name not in server.log
