"""How many deals an arena needs, and the ladder of all bots."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.arena import planning
from croupier.arena.ladder import ladder
from croupier.arena.plan import Contestant
from croupier.arena.planning import examples, found_in, needed, spread
from croupier.arena.results import results_path
from croupier.bots.strengths import names
from croupier.games import game
from croupier.games import names as games
from tests.arena.arenas import arena, finished, played
from tests.cli.command import run


def test_a_difference_needs_more_deals_the_smaller_it_is() -> None:
    assert [needed(7.0, points) for points in (5.0, 2.0, 1.0)] == [16, 97, 385]
    assert needed(1.0, 50.0) == 2
    assert found_in(7.0, 385) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("spread", "expected"),
    [(7.3, [5, 2, 1]), (10.0, [10, 5, 2]), (380.0, [200, 100, 50]), (0.4, [0.2, 0.1, 0.05])],
)
def test_examples_are_round_numbers_below_the_spread(spread: float, expected: list[float]) -> None:
    assert examples(spread) == pytest.approx(expected)


def test_the_spread_is_that_of_the_results_if_there_are_enough() -> None:
    wanted = arena(deals=20)
    even = {"a": 10.0, "b": 0.0}
    results = [
        played(one.play, {"a": 10.0 * (-1) ** one.play.deal, "b": 0.0}) for one in finished(wanted, even)
    ]
    assert spread(wanted, results) == pytest.approx(10.0, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [2.0, 0.0])
def test_before_the_first_match_bots_give_the_spread(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "TRIAL_SECONDS", seconds)  # none is left on a busy machine
    wanted = arena(
        game="hearts", options={"deals": 1, "match_games": 1}, contestants=(Contestant("x", listen="y"),)
    )
    assert 1.0 < spread(wanted, []) < 30.0


@pytest.mark.slow
def test_a_run_says_how_many_deals_a_difference_needs(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    bots = "".join(f'[[contestant]]\nbot = "{name}"\n' for name in ("random", "dummy"))
    file.write_text(f'[arena]\ngame = "hearts"\ndeals = 1\n[options]\ndeals = 1\nmatch_games = 1\n{bots}')
    done = run("arena", "run", file, "-j", "1")
    assert done.returncode == 0, done.stderr
    said = r"to show a difference of \d+ points takes \d+ deals, of .*; with 1 it must be \d+\n"
    assert re.match(said, done.stderr), done.stderr
    assert f"results: {results_path(file)}" in done.stdout
    again = run("arena", "run", file, "-j", "1")
    assert "difference" not in again.stderr  # nothing is left to play


@pytest.mark.parametrize("name", games())
def test_a_ladder_has_all_bots_in_short_matches(name: str) -> None:
    wanted = ladder(game(name), 20)
    assert wanted.names == tuple(names(game(name)))
    game(name).new(game(name).options.read(wanted.options), wanted.seats)


@pytest.mark.slow
def test_a_ladder_is_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    few = ("random", "dummy")
    found = ladder(game("hearts"), 2)
    quick = tuple(one for one in found.contestants if one.name in few)
    monkeypatch.setattr("croupier.arena.ladder.names", lambda _: list(few))
    assert ladder(game("hearts"), 2).contestants == quick
    done = run("arena", "ladder", "hearts", "--deals", "2", "-j", "1")
    assert done.returncode == 0, done.stderr
    assert "all matches played" in done.stdout
    assert all(name in done.stdout for name in few)
    assert run("arena", "ladder", "chess").returncode == 2
