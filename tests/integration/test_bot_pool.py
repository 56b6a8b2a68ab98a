"""A server with searching bots: matches finish even if a process is killed; a stop leaves no process."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from croupier.games import default_game, names
from croupier.games import game as find_game
from croupier.testing.tables import without_pauses
from tests.integration.servers import Server, house
from tests.net.rig import eventually
from tests.table.test_bot_pool import alive


def children(pid: int) -> list[int]:
    """Return the running child processes of *pid*."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(path.parent.name))
    return found


def bot_pool(server: Server) -> list[int]:
    """Return the processes of *server* that run searching bots: those with low priority."""
    assert server.process is not None
    return [pid for pid in children(server.process.pid) if os.getpriority(os.PRIO_PROCESS, pid) > 5]


def ended(server: Server, table: str) -> bool:
    return any(match["table"] == table for match in server.ask("/api/matches?limit=50")[1])


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("game", names())
def test_four_experts_play_a_deal_to_its_end(game: str, tmp_path: Path) -> None:
    seats = ["bot expert"] * (2 if game == "sagrada" else 4)
    with house(tmp_path) as server:
        table = server.new_table(
            game=game,
            seats=seats,
            options=dict(find_game(game).short),
            table_options={**without_pauses(find_game(game)), **find_game(game).limits(0.25)},
            seed="4",
        )
        asyncio.run(eventually(lambda: ended(server, table)))
        assert bot_pool(server)
        assert server.stop() == 0


@pytest.mark.slow
def test_a_process_that_is_killed_costs_a_move_and_no_game(tmp_path: Path) -> None:
    async def play(server: Server) -> None:
        table = server.new_table(
            seats=["bot novice"] * 4,
            options=dict(default_game().short),
            table_options=without_pauses(default_game()),
        )
        await eventually(lambda: bool(bot_pool(server)))
        for pid in bot_pool(server):
            os.kill(pid, signal.SIGKILL)
        await eventually(lambda: ended(server, table))

    with house(tmp_path) as server:
        asyncio.run(play(server))
        assert "Traceback" not in server.log
        assert server.stop() == 0


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_ends_leaves_no_process_behind(sign: signal.Signals, tmp_path: Path) -> None:
    with house(tmp_path) as server:
        for _ in range(3):
            server.new_table(seats=["bot expert"] * 4, table_options=without_pauses(default_game()))
        assert server.process is not None
        asyncio.run(eventually(lambda: bool(bot_pool(server))))
        left = children(server.process.pid)
        if sign == signal.SIGTERM:
            assert server.stop() == 0
            assert "Traceback" not in server.log
        else:
            server.kill()
        asyncio.run(eventually(lambda: not any(map(alive, left))))
