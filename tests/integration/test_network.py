"""Games over a network that cuts connections, delays and splits data: they finish, and nothing is lost."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import pytest

from tests.integration.programs import NAMES, Frame, House, Trend
from tests.integration.proxy import Proxy
from tests.integration.servers import TIMEOUT, Server, house

GENEROUS = {
    "command_interval": 0,
    "round_interval": 0,
    "deal_interval": 0,
    "pass_cards_timeout": 600_000,
    "expose_cards_timeout": 600_000,
    "pick_card_timeout": 600_000,
}


class Accepting(House):
    """Keeps all accepted answers and all events."""

    def __init__(self, url: str, name: str, seat: int) -> None:
        super().__init__(url, name, seat)
        self.keep = False
        self.accepted: dict[int, list[str]] = {}
        self.events: dict[int, Frame] = {}

    def heard(self, frame: Frame) -> None:
        if frame["type"] == "accepted":
            turn, actions = self.sent.pop(frame["id"])
            assert self.accepted.setdefault(turn, actions) == actions
        elif frame["type"] == "event":
            assert self.events.setdefault(frame["number"], frame["event"]) == frame["event"]


UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def test_a_client_that_disconnects_during_the_upgrade_causes_no_error(tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "error") as server:
        assert server.process is not None
        server.process.send_signal(
            signal.SIGSTOP
        )  # so that the server reads the request and the end of the connection together
        for path in ("/api/lobby", "/", "/watch", "/house/default", "/coinche", "/tarock", "/api/log/x"):
            with socket.create_connection(("127.0.0.1", server.port)) as visitor:
                visitor.sendall(UPGRADE.format(path=path).encode())
        server.process.send_signal(signal.SIGCONT)
        assert server.ask("/healthz")[0] == 200
        assert server.log == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_over_a_bad_network(tmp_path: Path, seed: int) -> None:
    with house(tmp_path, "--log-level", "error") as server:
        id = server.new_table(options={"match_games": 1}, table_options=GENEROUS)
        players, proxy = asyncio.run(asyncio.wait_for(game(server, id, seed), 4 * TIMEOUT))
        log = [line for line in server.log.splitlines() if line]
        steps = [
            step
            for deal in range(1, 5)
            for step in server.ask(f"/api/matches/{id}-1/steps?deal={deal}")[1]["steps"]
        ]
    print(f"{proxy.connections} connections, {proxy.cuts} cuts, {proxy.pieces} pieces")  # noqa: T201
    assert proxy.cuts >= 8
    assert log == []
    entries = [step["entry"] for step in steps]
    assert not [entry for entry in entries if entry.endswith(")")], "no stand-in has acted"
    accepting = [(seat, player) for seat, player in enumerate(players) if isinstance(player, Accepting)]
    assert accepting
    for seat, player in accepting:
        mine = [entry.partition(" ")[2] for entry in entries if entry.startswith(f"{seat} ")]
        assert player.accepted
        for turn, actions in player.accepted.items():
            assert mine[turn - 1] == ", ".join(actions)


async def game(server: Server, id: str, seed: int) -> tuple[list[House | Trend], Proxy]:
    """Play to the end of the match; a program that missed the end asks the API whether it is over."""
    async with Proxy(server.port, seed).running() as proxy:
        url = f"ws://127.0.0.1:{proxy.port}"
        players: list[House | Trend] = [
            Accepting(f"{url}/house/{id}", NAMES[0], 0),
            Trend(f"{url}/t/{id}", NAMES[1], 2),
            Accepting(f"{url}/house/{id}", NAMES[2], 2),
            Trend(f"{url}/t/{id}", NAMES[3], 4),
        ]
        tasks = [asyncio.create_task(player.play(lambda frame: False)) for player in players]
        while not await asyncio.to_thread(finished, server):
            await asyncio.sleep(0.1)
            assert not [task for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return players, proxy


def finished(server: Server) -> bool:
    return bool(server.ask("/api/matches")[1])
