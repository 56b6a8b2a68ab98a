"""The programs on the pages /connect/<game>: each plays to the end exactly as shown there."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.games import game as find_game
from croupier.games import names
from croupier.testing.tables import without_pauses
from tests.integration.servers import TIMEOUT, Server, house

PROGRAMS = Path(__file__).parents[2] / "web" / "src" / "connect" / "programs"
OPTIONS = ["sagrada.lobby_wait=1", "sagrada.rounds=2", "coinche.target=100"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = [word for option in OPTIONS for word in ("--option", option)]
    off = [f"--{name}-port=off" for name in ("coinche", "sagrada", "sagrada-line")]
    with house(tmp_path_factory.mktemp("connect"), *options, *off) as running:
        yield running


def start(program: str, url: str, folder: Path, name: str = "program1") -> subprocess.Popen[str]:
    """Run a program with the address inserted as on the page, and optionally another name."""
    text, found = re.subn(
        r'^URL = ".*"$', f'URL = "{url}"', (PROGRAMS / f"{program}.py").read_text(), flags=re.M
    )
    assert found == 1
    script = folder / f"{name}.py"
    script.write_text(text.replace('NAME = "program1"', f'NAME = "{name}"'))
    return subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def said(process: subprocess.Popen[str]) -> str:
    try:
        out, error = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    assert not error
    assert process.returncode == 0
    return out


def table(server: Server, game: str) -> str:
    """Open the same table as the page: one free seat, bots in the others."""
    found = find_game(game)
    seats = ["open"] + ["bot heuristic"] * (found.seats[-1] - 1)
    return server.new_table(
        game=game, seats=seats, options=dict(found.short), table_options=without_pauses(found)
    )


@pytest.mark.parametrize("game", names())
def test_one_program_of_the_house_protocol_plays_every_game(
    server: Server, game: str, tmp_path: Path
) -> None:
    out = said(start("house", f"{server.ws}/house/{table(server, game)}", tmp_path))
    assert "match_ended" in out
    assert "refused" not in out


def test_hearts_in_the_trend_protocol(server: Server, tmp_path: Path) -> None:
    out = said(start("hearts", f"{server.ws}/t/{table(server, 'hearts')}", tmp_path))
    assert "game_end" in out


def test_coinche_lines(server: Server, tmp_path: Path) -> None:
    table(server, "coinche")
    out = said(start("coinche", f"{server.ws}/coinche", tmp_path))
    assert out.startswith("350 ")


@pytest.mark.parametrize(("game", "end"), [("tarock", "finished"), ("taroky", "match")])
def test_rooms(server: Server, game: str, end: str, tmp_path: Path) -> None:
    out = said(start(game, f"{server.ws}/{game}", tmp_path))
    assert f"game.{game}.{end}" in out
    assert "'error'" not in out


def test_two_programs_in_the_glass_workshop(server: Server, tmp_path: Path) -> None:
    both = [start("sagrada", f"{server.ws}/sagrada", tmp_path, name) for name in ("program1", "program2")]
    first, second = [said(process) for process in both]
    assert first == second
    assert first.startswith("endGame\t")
