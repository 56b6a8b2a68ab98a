"""A whole arena as a person runs it: processes, Ctrl-C, kills, the table and the page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.arena import local
from croupier.arena.jobs import ArenaFailed
from croupier.arena.plan import Contestant
from croupier.arena.results import Book, load, results_path
from croupier.arena.schedule import total
from croupier.cli.arena_file import read
from tests.arena.arenas import arena
from tests.arena.programs import program
from tests.cli.command import only_line, run, spawn
from tests.integration.servers import TIMEOUT, command

FILE = """
[arena]
game = "coinche"
deals = {deals}
seed = "s"
[options]
target = 500
[limits]
start = 30
[[contestant]]
bot = "heuristic"
[[contestant]]
name = "<b>dice</b>"
bot = "random"
"""


def written(folder: Path, deals: int = 3, more: str = "") -> Path:
    file = folder / "spring.toml"
    file.write_text(FILE.format(deals=deals) + more)
    return file


def sleeper() -> str:
    """Return a contestant that never answers; it and its child in another session write their ids."""
    code = (
        "import os, time; os.fork() or os.setsid(); open(f'{os.getpid()}.pid', 'w').close(); time.sleep(100)"
    )
    return f'[[contestant]]\nname = "sleeper"\ncommand = ["{{python}}", "-c", "{code}"]\n'


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def alive(folder: Path) -> list[int]:
    """Return the sleepers that still run."""
    found = [int(path.stem) for path in folder.glob("*.pid")]
    return [pid for pid in found if Path(f"/proc/{pid}").exists()]


@pytest.mark.slow
def test_an_arena_is_played_shown_and_written(tmp_path: Path) -> None:
    file = written(tmp_path)
    done = spawn("arena", "run", file)
    assert done.returncode == 0, done.stderr
    assert "all matches played" in done.stdout
    assert done.stderr.splitlines()[-1] == "spring: 100 %"
    assert len(load(results_path(file), read(file))[1]) == 6
    done = run("arena", "report", file)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "spring.html").read_text()
    assert "<svg" in page
    assert "<b>dice" not in page
    assert "&lt;b&gt;dice" in page
    records = sorted((tmp_path / "spring.records").iterdir())
    assert len(records) == 6
    assert all(f'href="spring.records/{path.name}"' in page for path in records)
    assert run("verify", records[0]).returncode == 0
    # Again: nothing is left to play, and with more deals only those.
    assert run("arena", "run", written(tmp_path)).returncode == 0
    assert spawn("arena", "run", written(tmp_path, deals=4)).returncode == 0
    assert len(results_path(file).read_text().splitlines()) == 2 + 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sign", "end", "status"),
    [
        (signal.SIGINT, os.killpg, 130),  # as a terminal does, to every process of the command
        (signal.SIGTERM, os.kill, 130),
        (signal.SIGKILL, os.kill, -9),
    ],
)
def test_an_arena_that_was_ended_leaves_nobody_behind_and_goes_on(
    sign: signal.Signals, end: Callable[[int, int], None], status: int, tmp_path: Path
) -> None:
    file = written(tmp_path, 2, sleeper())
    with subprocess.Popen(
        command("arena", "run", str(file), "-j", "2"),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        until(lambda: len(alive(tmp_path)) >= 4)
        end(process.pid, sign)
        _, told = process.communicate(timeout=TIMEOUT)
    assert process.returncode == status
    assert ("run the same command to resume" in told) is (status > 0)
    assert "Traceback" not in told
    until(lambda: not alive(tmp_path))
    before = load(results_path(file), read(file))[1]
    # It resumes with the remaining matches: here without the sleeper, which would take a minute.
    done = spawn("arena", "run", written(tmp_path, 2))
    assert done.returncode == 0, done.stderr
    after = load(results_path(file), read(file))[1]
    assert len(after) == 4
    assert [one for one in before if "sleeper" not in one.play.seats] == after[: len(before)]


@pytest.mark.slow
def test_a_stopped_pool_leaves_no_thread_behind() -> None:
    """A thread that still closes the pool's pipes when Python exits: its wake-up fails with a traceback."""
    before = set(threading.enumerate())
    pool = local.Processes(arena(), 1)
    pool.submit("no match").exception()
    for _ in range(3):
        pool.submit("no match")
    pool.stop()
    assert set(threading.enumerate()) == before


@pytest.mark.slow
def test_programs_that_fail_do_not_stop_the_others(tmp_path: Path) -> None:
    contestants = (
        *arena("a").contestants,
        program(tmp_path, "good", "good"),
        program(tmp_path, "rubbish", "rubbish"),
        program(tmp_path, "crash", "crash"),
    )
    wanted = arena(contestants=contestants, deals=1, folder=str(tmp_path))
    with Book(tmp_path / "results.jsonl", wanted) as book:
        local.run(book, 2, lambda done: None)
        assert len(book.results) == total(wanted)
        lost = {
            result.play.seats[result.verdict.seat] for result in book.results if result.verdict is not None
        }
    assert lost == {"rubbish", "crash"}


KILLER = """
import os, signal
above = os.getppid()
while "spawn_main" not in open(f"/proc/{above}/cmdline").read():
    above = int(open(f"/proc/{above}/stat").read().rpartition(")")[2].split()[1])
os.kill(above, signal.SIGKILL)
"""


@pytest.mark.slow
def test_of_two_programs_the_one_that_kills_the_process_of_the_match_loses(tmp_path: Path) -> None:
    killer = Contestant("killer", command=("{python}", "-c", KILLER))
    contestants = (killer, program(tmp_path, "good", "good"))
    wanted = arena(contestants=contestants, deals=1, folder=str(tmp_path))
    with Book(tmp_path / "results.jsonl", wanted) as book:
        local.run(book, 2, lambda done: None)
    assert len(book.results) == total(wanted)
    for result in book.results:
        assert result.verdict is not None
        assert result.play.seats[result.verdict.seat] == "killer"


def _work(text: str) -> str:
    play = json.loads(text)
    if play["deal"] == 2:
        os._exit(9)
    raise RuntimeError("out of order")


@pytest.mark.slow
def test_a_fault_of_ours_is_told_and_not_repeated_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "_work", _work)
    with (
        Book(tmp_path / "results.jsonl", arena(deals=2)) as book,
        pytest.raises(ArenaFailed, match=r"4 matches could not be played: .*(out of order|process died)"),
    ):
        local.run(book, 1, lambda done: None)


def test_a_report_without_results_says_how_to_get_them(tmp_path: Path) -> None:
    done = run("arena", "report", written(tmp_path))
    assert done.returncode == 1
    assert "croupier arena run" in only_line(done)
