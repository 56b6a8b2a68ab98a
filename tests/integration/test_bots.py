"""The examples as users run them: whole games with a real server, through kills and restarts."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from croupier.games import game, names
from tests.arena.arenas import SHORT
from tests.integration.servers import TIMEOUT, Server, house, node, steady_port

pytestmark = pytest.mark.usefixtures("on_each_database")

EXAMPLES = Path(__file__).parents[2] / "examples"
QUICK = {"command_interval": 0, "round_interval": 0, "deal_interval": 0, "game_interval": 0}
PAUSES = {"hearts": QUICK, "taroky": {"card_pause": 0, "trick_pause": 0, "secret_pause": 0}}
GENEROUS = {
    **QUICK,
    "pass_cards_timeout": 600_000,
    "expose_cards_timeout": 600_000,
    "pick_card_timeout": 600_000,
}


def start(bot: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(EXAMPLES / bot), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def results(bots: list[subprocess.Popen[str]]) -> list[str]:
    """Wait until all bots have ended without an error; return what they printed."""
    printed: list[str] = []
    try:
        for bot in bots:
            out, errors = bot.communicate(timeout=2 * TIMEOUT)
            assert (bot.returncode, errors) == (0, "")
            printed.append(out)
    finally:
        for bot in bots:
            bot.kill()
            bot.wait()
    return printed


@pytest.mark.parametrize("name", ["trend_bot.py", "house_bot.py"])
def test_an_example_has_fewer_than_70_lines(name: str) -> None:
    assert len((EXAMPLES / name).read_text().splitlines()) < 70


@pytest.mark.slow
def test_four_trend_bots_play_a_game_on_the_node(tmp_path: Path) -> None:
    with node(tmp_path, "--start") as server:
        bots = [
            start("trend_bot.py", f"bot{number}", str(number), "secret", server.ws + "/")
            for number in range(1, 5)
        ]
        printed = results(bots)
    lines = printed[0].splitlines()
    assert printed == [printed[0]] * 4
    assert [line.split()[1] for line in lines] == ["bot1", "bot2", "bot3", "bot4"]
    assert min(line[:2] for line in lines) == "1."


@pytest.mark.slow
def test_a_trend_bot_waits_for_a_node_that_is_not_up_yet(tmp_path: Path) -> None:
    port = steady_port()
    with socket.create_server(("127.0.0.1", port)) as nobody:
        nobody.settimeout(TIMEOUT)
        bot = start("trend_bot.py", "ann", "1", "secret", f"ws://127.0.0.1:{port}/")
        nobody.accept()[0].close()  # the bot has tried once
    with node(
        tmp_path, "--start", "--seats", "empty,dummy,dummy,dummy", "--port", str(port), "--option", "deals=1"
    ):
        [printed] = results([bot])
    assert "ann" in printed


@pytest.mark.slow
def test_a_trend_bot_that_may_not_join_says_why(tmp_path: Path) -> None:
    with node(tmp_path, "--seats", "dummy,dummy,dummy,dummy") as server:
        bot = start("trend_bot.py", "ann", "1", "secret", server.ws)
        _, errors = bot.communicate(timeout=TIMEOUT)
    assert bot.returncode == 1
    assert errors == "cannot join: playerNumber 1: that seat is not free\n"


@pytest.mark.slow
def test_house_bots_play_a_match(tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "error") as server:
        id = server.new_table(table_options=QUICK, options={"match_games": 2, "deals": 2}, auto_cycle=True)
        bots = [
            start("house_bot.py", f"bot{seat}", str(seat), "secret", f"{server.ws}/house/{id}")
            for seat in range(4)
        ]
        printed = results(bots)
        found = server.ask(f"/api/matches/{id}-1")[1]
    assert printed == [f"totals by seat: {' '.join(map(str, found['result']))}\n"] * 4


@pytest.mark.slow
def test_a_house_bot_plays_every_game(tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "error") as server:
        tables = {}
        for name in names():
            seats = ["open", *["bot random"] * (game(name).seats[-1] - 1)]
            tables[name] = server.new_table(
                game=name, seats=seats, options=SHORT[name], table_options=PAUSES.get(name, {})
            )
        bots = [
            start("house_bot.py", "anna", "0", "secret", f"{server.ws}/house/{id}") for id in tables.values()
        ]
        printed = dict(zip(tables, results(bots), strict=True))
        found = {name: server.ask(f"/api/matches/{id}-1")[1] for name, id in tables.items()}
    assert all(match["ended"] for match in found.values())
    assert printed["hearts"] == f"totals by seat: {' '.join(map(str, found['hearts']['result']))}\n"
    assert all("match_ended" in text for name, text in printed.items() if name != "hearts")


@pytest.mark.slow
def test_both_kinds_at_one_table_against_the_servers_own(tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "error") as server:
        seats = ["open", "bot heuristic", "open", "bot random"]
        id = server.new_table(seats=seats, table_options=QUICK, options={"match_games": 1})
        bots = [
            start("house_bot.py", "ann", "0", "secret", f"{server.ws}/house/{id}"),
            start("trend_bot.py", "cyd", "3", "secret", f"{server.ws}/t/{id}"),
        ]
        printed = results(bots)
        found = server.ask(f"/api/matches/{id}-1")[1]
    assert printed[0] == f"totals by seat: {' '.join(map(str, found['result']))}\n"
    assert f"cyd {found['result'][2]}\n" in printed[1]


@pytest.mark.slow
def test_the_examples_play_on_through_kills(tmp_path: Path) -> None:
    port = steady_port()
    with house(tmp_path, "--log-level", "error", port=port) as server:
        slow = {**GENEROUS, "command_interval": 5}
        id = server.new_table(table_options=slow, options={"match_games": 1})
        bots = [
            start("house_bot.py", "ann", "0", "a", f"{server.ws}/house/{id}"),
            start("trend_bot.py", "bob", "2", "b", f"{server.ws}/t/{id}"),
            start("house_bot.py", "cyd", "2", "c", f"{server.ws}/house/{id}"),
            start("trend_bot.py", "dan", "4", "d", f"{server.ws}/t/{id}"),
        ]
        for actions in (5, 5, 5):
            wait_for_actions(server, actions)
            server.kill()
            server.start()
        printed = results(bots)
        found = server.ask(f"/api/matches/{id}-1")[1]
        steps = [server.ask(f"/api/matches/{id}-1/steps?deal={deal}")[1]["steps"] for deal in range(1, 5)]
    assert printed[0] == printed[2] == f"totals by seat: {' '.join(map(str, found['result']))}\n"
    assert not [step["entry"] for deal in steps for step in deal if step["entry"].endswith(")")], (
        "no stand-in has acted"
    )


def wait_for_actions(server: Server, count: int) -> None:
    """Wait until *count* actions have been stored since the start of the server."""
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        with urllib.request.urlopen(server.http + "/metrics") as page:
            text = page.read().decode()
        [line] = [line for line in text.splitlines() if line.startswith("croupier_actions_total ")]
        if float(line.split()[1]) >= count:
            return
        time.sleep(0.02)
    raise AssertionError("nobody plays")
