"""Games of installed packages: found by their entry point, checked, and reported if they are broken."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier import games
from croupier.games import BUILT_IN
from tests.cli.command import run
from tests.net.rig import rig

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("coins_game", "first", "second", f"{BUILT_IN[0]}_game")
REFUSING = """
from croupier.core.contract import Refusals
REFUSALS = Refusals(Coins.actions, {"not_now": "seat {seat} has chosen"})
Coins.refusals = REFUSALS.templates
CoinsState.why_not = lambda self, seat, action: REFUSALS.of("not_now", action, {"seat": seat})
CoinsState.legal_actions = lambda self, seat: [0, 1, 2] if seat >= 0 and self.to_act() >> seat & 1 else []
"""
SAMPLE = (ROOT / "tests" / "sample_game" / "__init__.py").read_text(encoding="utf-8")


def install(folder: Path, name: str, source: str, point: str | None = None, package: str = "") -> Path:
    """Install a distribution with one game into *folder*, as pip would; return the folder of its package."""
    package = package or f"{name}_game"
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text(source, encoding="utf-8")
    info = folder / f"{package}-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(f"[croupier.games]\n{name} = {point or package + ':GAME'}\n")
    return folder / package


@pytest.fixture(autouse=True)
def _forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Import from the folder of the test, and forget its packages afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.split(".")[0] in {*PACKAGES}]:
        del sys.modules[name]
    games._discovered.cache_clear()


def problem(folder: Path, status: int = 1) -> str:
    """Return the one line that `croupier games` prints about a problem; all other games are listed."""
    games._discovered.cache_clear()
    done = run("games")
    assert done.returncode == status, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()][: len(BUILT_IN)] == list(BUILT_IN)
    [line] = done.stderr.splitlines()
    return line


def test_a_game_with_nothing_but_rules_is_listed_and_played(tmp_path: Path) -> None:
    install(tmp_path, "coins", SAMPLE)
    games._discovered.cache_clear()
    done = run("games")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "coins 1: Coins, from coins_game 1.5; no optional parts"
    played = run("play", "coins", "--bots", "random", input="hide 1\n" * 5)
    assert played.returncode == 0, played.stderr
    assert played.stdout.count("scored rolled=[") == 5


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import nothing_of_that_name", "import failed: ModuleNotFoundError: No module named"),
        ("1 / 0", "import failed: ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "import failed: SystemExit: 3"),
        ("raise ValueError('first line\\nsecond line')", "import failed: ValueError: first line second line"),
        ("", "import failed: AttributeError: module 'coins_game' has no attribute 'GAME'"),
        ("GAME = 7", "GAME: expected a croupier.core.contract.Game, found int"),
        (
            "from croupier.core.contract import Game\nclass G(Game):\n    name = 'coins'\nGAME = G()",
            "GAME lacks title, rules, seats, actions, options, table_options, new",
        ),
        (
            SAMPLE.replace('"coins", "Coins"', '"pennies", "Coins"'),
            "the entry point is called coins, but the game pennies",
        ),
        (SAMPLE + "\nCoins.short = {'deals': 1}", "option deals: unknown"),
        (
            SAMPLE + REFUSING.replace('"not_now", action', '"too_many_coins", action'),
            "too_many_coins: it has no words",
        ),
        (SAMPLE + REFUSING.replace('{"seat": seat}', "{}"), "refusals: not_now: {seat} is not given"),
        (
            SAMPLE + REFUSING.replace("{seat}", "{seat"),
            "refusals: not_now: expected '}' before end of string",
        ),
        (
            SAMPLE + REFUSING.replace("{seat}", "{}"),
            "refusals: not_now: {}: expected the name of an argument",
        ),
        (SAMPLE + "\nCoins.refusals = 7", "refusals: AttributeError: 'int' object has no attribute 'items'"),
        (SAMPLE + REFUSING.replace('"not_now"', '"Not now"'), "refusals: Not now: expected KEY or KEY.CASE"),
        (SAMPLE + "\nCoins.protocol = 7", "protocol: expected a croupier.wire.protocol.Protocol, found int"),
    ],
)
def test_a_broken_plug_in_is_reported_in_one_line(tmp_path: Path, source: str, words: str) -> None:
    install(tmp_path, "coins", source)
    line = problem(tmp_path)
    assert line.startswith("coins: cannot be used, from coins_game 1.5: ")
    assert words in line


def test_a_plug_in_cannot_take_the_name_of_another_game(tmp_path: Path) -> None:
    taken = BUILT_IN[0]
    install(tmp_path, taken, SAMPLE)
    assert problem(tmp_path).startswith(f"{taken}: cannot be used, from {taken}_game 1.5: croupier ")


def test_of_two_plug_ins_with_the_same_name_the_first_is_used(tmp_path: Path) -> None:
    install(tmp_path, "coins", SAMPLE, package="first")
    install(tmp_path, "coins", SAMPLE, package="second")
    assert problem(tmp_path) == (
        "coins: cannot be used, from second 1.5: first 1.5 already has a game of this name"
    )


def test_a_missing_text_is_reported_and_the_game_is_usable(tmp_path: Path) -> None:
    folder = install(tmp_path, "coins", SAMPLE) / "texts"
    folder.mkdir()
    (folder / "en.json").write_text(json.dumps({"title": "Coins", "about": "Guess", "extra": "Extra"}))
    (folder / "de.json").write_text(json.dumps({"title": "Münzen"}), encoding="utf-8")
    assert problem(tmp_path, 0) == "coins: texts: missing about (de), missing extra (de)"
    (folder / "de.json").write_text("[")
    assert problem(tmp_path, 0).startswith("coins: texts: de.json: Expecting value")


def test_refusals_are_listed_and_their_texts_are_checked(tmp_path: Path) -> None:
    folder = install(tmp_path, "coins", SAMPLE + REFUSING.replace("not_now", "coins_hidden")) / "texts"
    folder.mkdir()
    (folder / "en.json").write_text(json.dumps({"title": "Coins", "about": "Guess"}))
    german = {"title": "Münzen", "about": "Raten", "refusal.coins_hidden": "Platz {seat} hat schon gewählt"}
    (folder / "de.json").write_text(json.dumps(german), encoding="utf-8")
    games._discovered.cache_clear()
    done = run("games")
    assert done.stdout.splitlines()[-1].endswith("from coins_game 1.5; refusals, texts")
    assert done.stderr == ""
    del german["refusal.coins_hidden"]
    (folder / "de.json").write_text(json.dumps(german | {"refusal.lost": "{coins}"}), encoding="utf-8")
    assert problem(tmp_path, 0) == (
        "coins: texts: missing refusal.coins_hidden (de), refusal.lost is not a refusal (de)"
    )
    (folder / "de.json").write_text(
        json.dumps(german | {"refusal.coins_hidden": "{coins}"}), encoding="utf-8"
    )
    assert problem(tmp_path, 0) == "coins: texts: refusal.coins_hidden: {coins} is not given (de)"


async def test_a_server_starts_with_a_broken_plug_in_and_logs_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install(tmp_path, "coins", "1 / 0")
    games._discovered.cache_clear()
    async with rig() as server:
        status, _ = await server.get("/api/games")
        assert status == 200
    assert [record.message for record in caplog.records if "coins" in record.message] == [
        "game coins of coins_game 1.5 cannot be used: import failed: ZeroDivisionError: division by zero"
    ]
