"""The game from outside: examples/spades is installed with pip and works everywhere, without other edits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from croupier import games
from tests.cli.command import run
from tests.integration.servers import Server, running
from tests.mcp.agents import agents
from tests.outside import EXAMPLE, ROOT, install

MOST_LINES = 1500

ARENA = """
[arena]
game = "spades"
deals = 1
seed = "1"

[options]
target = 50

[[contestant]]
name = "clever"
bot = "heuristic"

[[contestant]]
name = "lucky"
bot = "random"
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(EXAMPLE, tmp_path_factory.mktemp("spades"))


@pytest.fixture(autouse=True)
def _found(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Find the package in this process and in those it starts."""
    monkeypatch.setenv("PYTHONPATH", f"{installed}{os.pathsep}{ROOT}")
    monkeypatch.syspath_prepend(installed)
    games._discovered.cache_clear()
    yield
    games._discovered.cache_clear()


def python(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=300, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_small_and_has_its_own_tests() -> None:
    files = [path for path in EXAMPLE.rglob("*") if path.suffix in (".py", ".md", ".json", ".toml")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= MOST_LINES
    python("-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE / "tests"))


def test_it_is_listed_without_a_problem() -> None:
    done = run("games")
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == (
        "spades 1: Spades, from croupier-spades 1.0.0; "
        "presets, refusals, rules, texts, sample, heuristic, encoding"
    )


def test_it_is_played_in_the_terminal_with_its_own_texts() -> None:
    done = run("play", "spades", "--seed", "3", "--plain", input="14\n3\nas\nq\n")
    assert done.returncode == 0, done.stderr
    assert "How many tricks will you take? [0, 1, 2" in done.stdout
    assert "Not possible: unknown action '14'" in done.stdout
    assert "You bid 3." in done.stdout
    assert "Not possible: play AS: you do not hold it" in done.stdout


def test_an_arena_ranks_its_bots(tmp_path: Path) -> None:
    file = tmp_path / "arena.toml"
    file.write_text(ARENA)
    done = run("arena", "run", file)
    assert done.returncode == 0, done.stderr
    assert done.stdout.index("clever") < done.stdout.index("lucky")


def test_its_bots_climb_the_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # The searching bots need minutes for a match that is not compiled.
    monkeypatch.setattr("croupier.arena.ladder.names", lambda _: ["random", "heuristic"])
    done = run("arena", "ladder", "spades", "--deals", "1", "-j", "1")
    assert done.returncode == 0, done.stderr
    assert "all matches played" in done.stdout
    assert done.stdout.index("heuristic") < done.stdout.index("random")


def test_environments_and_benchmarks_play_it() -> None:
    code = """
from benchmarks.every_game import LINES, ours
from croupier import envs
assert LINES[-1].game == "spades" and ours(LINES[-1], 0.1) > 0
batch = envs.vector("spades", 4, target=50)
turn = batch.reset(seed=1)
assert turn.observations.shape == (4, envs.layout("spades").size)
for _ in range(200):
    turn = batch.step(batch.random())
env = envs.aec("spades", target=50)
env.reset(seed=1)
print("played")
"""
    assert python("-c", code) == "played\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running(tmp_path / "log", "serve", "--port", "0", "--data", str(tmp_path / "data")) as server:
        yield server
        assert "Traceback" not in server.log


def test_a_server_plays_stores_replays_and_reviews_it(server: Server, tmp_path: Path) -> None:
    record = tmp_path / "spades.record"
    [info] = [game for game in server.ask("/api/games")[1] if game["name"] == "spades"]
    assert info["sides"] == [[0, 2], [1, 3]]
    assert info["languages"] == ["de", "en"]
    assert server.ask("/api/games/spades/texts/de")[1]["bids"] == "Ansagen"
    assert server.ask("/api/games/spades/texts/fr")[1]["bids"] == "Bids"
    seats = ["bot heuristic", "bot random"] * 2
    server.new_table(game="spades", seats=seats, options={"target": 50}, start=True)
    while not (matches := server.ask("/api/matches?game=spades")[1]):
        pass
    id = matches[0]["id"]
    steps = server.ask(f"/api/matches/{id}/steps?deal=1")[1]
    assert len(steps["steps"]) == 57  # the draw, 4 bids and 52 cards
    with urlopen(f"{server.http}/api/matches/{id}/record", timeout=60) as answer:
        record.write_bytes(answer.read())
    reviewed = python("-m", "croupier", "review", str(record), "--deal", "1", "--simulations", "20", "--json")
    assert len(reviewed.splitlines()) > 30
    assert "proved" in python("-m", "croupier", "verify", str(record))


async def test_an_agent_plays_it() -> None:
    async with agents() as [agent]:
        assert "spades: Spades, for 4 players" in await agent.call("list_games")
        assert "Spades are trumps" in await agent.call("read_rules", game="spades")
        await agent.sit(await agent.open("spades"))
        assert "bid 13" in await agent.turn()
        assert "How many tricks will you take?" in await agent.here("look")


def test_texts_have_the_same_keys_but_refusals_are_english_in_the_rules() -> None:
    folder = EXAMPLE / "src" / "croupier_spades" / "texts"
    english, german = (json.loads((folder / f"{name}.json").read_text()) for name in ("en", "de"))
    assert list(english) == [key for key in german if not key.startswith("refusal.")]
