"""Every goal of docs/security.md at a small size: counts decide, times are printed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.report import Figure
from benchmarks.server import environment
from chaos import scale
from chaos.__main__ import main
from chaos.bystander import Bystander
from chaos.goals import GOALS
from chaos.outcome import Outcome, Tell
from chaos.reconnects import break_some
from chaos.secrecy import compare_some
from chaos.stopping import stopping
from chaos.waiting import Waiting


@pytest.mark.slow
@pytest.mark.parametrize("name", list(GOALS))
def test_a_goal_is_reached_at_a_small_size(name: str) -> None:
    goal = GOALS[name]
    outcome = goal.run(goal.small, 1, print)
    for figure in outcome.figures:
        print(*figure.row(), sep=" | ")  # noqa: T201
    assert outcome.counted, [*outcome.notes, f"python -m chaos {name} --size small --seed 1"]


def test_a_lobby_may_seat_players_at_one_table_after_the_other() -> None:
    tally = break_some(range(368, 369), 1)  # the workshop's second match begins when the first one has ended
    assert tally.judged.acknowledged
    assert not tally.problems.words


def test_twins_may_take_different_courses_before_a_delayed_watcher_is_told() -> None:
    # In this pair a die is rolled again in the first world only; in the second one the next round begins.
    tally = compare_some(range(726, 727), 1231220338)
    assert tally.compared["sagrada delayed"]
    assert not tally.problems.words


def test_a_bystander_without_an_answer_fails_a_goal() -> None:
    bystander = Bystander("http://127.0.0.1:1")
    bystander._answers = [(1.0, 0.005)]
    assert bystander.answered((0.0, 2.0)).reached
    assert not bystander.answered((0.0, 2.0), (2.0, 3.0)).reached
    assert bystander.p99((2.0, 3.0)) == float("inf")


def test_a_bystander_whose_connection_has_ended_fails_a_goal() -> None:
    bystander = Bystander("http://127.0.0.1:1")
    bystander._answers, bystander._lost = [(1.0, 0.005)], True
    assert not bystander.answered((0.0, 2.0)).reached


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the signal handlers that the command replaces."""
    before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
    monkeypatch.setattr(stopping, "asked", False)
    yield
    for number, handler in before:
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize(("busy", "passes"), [(0, True), (2, True), (3, False)])
def test_a_run_on_a_busy_machine_is_repeated_and_never_passes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, busy: int, passes: bool
) -> None:
    runs: list[int] = []

    def run(size: int, seed: int, tell: Tell) -> Outcome:
        runs.append(size)
        waited = 50.0 if len(runs) <= busy else 1.0
        return Outcome(
            "a run", [], [Figure("p99 of a move", 5, 50, "ms")], (), [Figure("waited", waited, 10, "%")]
        )

    monkeypatch.setattr(scale, "run", run)
    report = tmp_path / "report.md"
    found = CliRunner().invoke(main, ["G6", "--size", "small", "-o", str(report)])
    assert found.exit_code == (not passes), found.output
    assert len(runs) == min(busy + 1, 3)
    assert ("not measurable" in report.read_text()) == (not passes)


def test_a_process_that_competes_for_a_processor_waits() -> None:
    processors = os.sched_getaffinity(0)
    one = {min(processors)}
    spin = [sys.executable, "-c", "while True: pass"]
    rivals = [subprocess.Popen(spin) for _ in range(2)]
    try:
        for rival in rivals:
            os.sched_setaffinity(rival.pid, one)
        waiting = Waiting(rivals[0].pid)
        while (share := waiting.figure().value) is not None and share <= 30:
            pass
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
    assert not waiting.figure().reached


@pytest.mark.slow
def test_a_goal_that_is_interrupted_reports_what_it_has(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    command = [sys.executable, "-m", "chaos", "g7", "g8", "--size", "full", "-o", str(report)]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        try:
            next(line for line in run.stdout if " of 1,000,000" in line)
            run.send_signal(signal.SIGTERM)
            output = run.stdout.read()
        finally:
            run.kill()
    assert "asked to stop" in output
    assert run.wait() == 1
    text = report.read_text()
    assert "matches were played out" in text
    assert "| interruptions | 1 |" in text
    assert "G8" not in text
