"""The same arena on a Ray cluster: the same results, and it resumes where another run has stopped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from croupier.arena import local, ray
from croupier.arena.jobs import ArenaFailed, play_one
from croupier.arena.results import Book, load, results_path
from croupier.arena.schedule import due
from croupier.cli.arena_file import read
from tests.cli.command import run
from tests.integration.servers import TIMEOUT, command

FILE = """
[arena]
game = "hearts"
deals = {deals}
seed = "s"
[options]
deals = 1
match_games = 1
[[contestant]]
bot = "heuristic"
[[contestant]]
bot = "random"
"""


def written(folder: Path, deals: int) -> Path:
    file = folder / "spring.toml"
    file.write_text(FILE.format(deals=deals))
    return file


@pytest.mark.slow
def test_without_ray_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    done = run("arena", "run", written(tmp_path, 1), "--on", "ray")
    assert done.returncode == 1
    assert "pip install 'croupier[cluster]'" in done.stderr.splitlines()[-1]
    with pytest.raises(ArenaFailed):
        ray.Cluster(read(written(tmp_path, 1)), 1)


@pytest.mark.slow
def test_a_cluster_plays_the_same_and_goes_on_from_where_it_was(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    file = written(tmp_path, 1)
    with Book(results_path(file), read(file)) as book:
        local.run(book, 1, lambda done: None)
    before = len(book.results)
    done = subprocess.run(
        command("arena", "run", str(written(tmp_path, 3)), "--on", "ray", "-j", "1"),
        capture_output=True,
        text=True,
        timeout=3 * TIMEOUT,  # Ray alone takes a quarter of a minute to start
        check=False,
    )
    assert done.returncode == 0, done.stderr
    wanted, results = load(results_path(file), read(file))
    plays = due(wanted, [])
    assert (before, len(results)) == (2, len(plays))
    by_play = {result.play: result for result in results}
    for play in plays:
        here = play_one(wanted, play)
        assert (here.payoffs, here.scores, here.record) == (
            by_play[play].payoffs,
            by_play[play].scores,
            by_play[play].record,
        )
