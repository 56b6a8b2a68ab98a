"""`croupier notation check` on large files: several processes, constant memory, progress, Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.cli import progress
from croupier.games.taroky.checking import AHEAD, Line, check_all, read_lines
from croupier.games.taroky.notation import write
from croupier.games.taroky.tests.positions import GAME_A, whole_deal
from tests.cli.command import interrupt_at_the_start, run, spawn
from tests.integration.servers import TIMEOUT, command

WRONG = GAME_A.replace("T204", "T203")


@pytest.fixture
def three(tmp_path: Path) -> Path:
    path = tmp_path / "three.txt"
    path.write_text(f"{GAME_A}\n" * 3, encoding="ascii")
    return path


@pytest.mark.slow
def test_many_chunks_are_checked_by_several_processes_in_order(tmp_path: Path) -> None:
    lines = [write(whole_deal(seed)) for seed in range(15)] * 30
    lines[17] = WRONG
    lines[430] = WRONG.replace("T203", "T202")
    path = tmp_path / "many.txt"
    path.write_text("\n".join(lines), encoding="ascii")
    done = spawn("notation", "check", "--jobs", "2", path)
    assert done.returncode == 1
    heads = [line.split(": ")[0] for line in done.stdout.splitlines() if "wrong_winner" in line]
    assert heads == [f"{path}:18", f"{path}:431"]
    assert done.stdout.splitlines()[-1] == "450 deals, 448 finished, 2 invalid"
    assert done.stderr == "", "no progress without a terminal or --progress"
    alone = run("notation", "check", "--jobs", "1", path)
    assert alone.stdout == done.stdout


@pytest.mark.slow
def test_only_as_much_is_read_as_the_processes_can_check() -> None:
    jobs, size, total = 2, 5, 400
    read = done = most = 0

    def lines() -> Iterator[Line]:
        nonlocal read, most
        for number in range(1, total + 1):
            read += 1
            most = max(most, read - done)
            yield Line("f", number, GAME_A, number)

    for checked in check_all(lines(), jobs, size):
        done += checked.hands
        assert checked.last.number == done, "chunks are in order"
    assert done == total
    assert most <= (AHEAD * jobs + 2) * size


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(lines: int) -> int:
        path = tmp_path / f"{lines}.txt"
        with path.open("w", encoding="ascii") as file:
            file.writelines(f"{GAME_A}{' ' * (number % 7)}\n" for number in range(lines))
        tracemalloc.start()
        try:
            assert sum(done.finished for done in check_all(read_lines([str(path)]), 1, 10)) == lines
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(20)  # imports and caches are in memory now
    small, large = peak(30), peak(300)
    assert large < small + 30 * len(GAME_A), "at most a few more chunks for a file ten times as large"


def test_progress_is_a_bar_on_a_terminal(
    three: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LARGE", 1)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress.progress([str(three)], "checking", None) as bar:
        assert isinstance(bar, progress.DrawnBar)
        for done in check_all(read_lines([str(three)]), 1, 1):
            bar.reach(done.last.file, done.last.end)
        assert bar._progress.tasks[0].percentage == 100
    assert "checking" in capsys.readouterr().err


def test_progress_without_a_terminal_is_printed_as_lines_on_request(three: Path) -> None:
    quiet = run("notation", "check", three)
    assert quiet.stderr == ""
    asked = run("notation", "check", "--progress", three)
    assert asked.stderr == "checking: 100 %\n"
    assert asked.stdout == quiet.stdout
    settled = run("notation", "settle", "--progress", three, three)
    assert settled.stderr == "settling: 33 %\nsettling: 66 %\nsettling: 100 %\n"


def test_a_bar_counts_over_several_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = {"a": 100, "b": 300}
    bar = progress.WrittenBar(sizes, "reading")
    bar.reach("a", 100)
    bar.reach("standard input", 50)
    bar.reach("b", 99)
    bar.reach("b", 300)
    assert capsys.readouterr().err == "reading: 25 %\nreading: 49 %\nreading: 100 %\n"


@pytest.mark.slow
def test_control_c_ends_all_processes_and_reports_the_progress(tmp_path: Path) -> None:
    path = tmp_path / "endless"
    os.mkfifo(path)
    # A session of its own, so that the signal also reaches the workers, as Ctrl-C does.
    process = subprocess.Popen(
        command("notation", "check", "--jobs", "2", str(path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with path.open("w", encoding="ascii") as file:
        for _ in range(4000):  # more than can be in progress: some chunks have been checked by then
            file.write(f"{GAME_A}\n")
        file.flush()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert err == "croupier: stopped before the end\n"
    assert "0 invalid" in out
    assert int(out.split(" deals")[0].replace(",", "")) >= 400
    with contextlib.suppress(ProcessLookupError):
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            os.killpg(process.pid, 0)
            time.sleep(0.01)
        pytest.fail("a process was left behind")


@pytest.mark.slow
def test_control_c_ends_processes_that_are_starting(tmp_path: Path) -> None:
    path = tmp_path / "many"
    path.write_text(f"{GAME_A}\n" * 801, encoding="ascii")
    done = interrupt_at_the_start(tmp_path, "notation", "check", "--jobs", "2", path)
    assert (done.returncode, done.stderr) == (130, "croupier: stopped before the end\n")


@pytest.mark.slow
def test_the_bar_is_drawn_on_a_real_terminal(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text(f"{GAME_A}\n" * (progress.LARGE // len(GAME_A) + 1), encoding="ascii")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command("notation", "check", str(path)), stdout=subprocess.DEVNULL, stderr=slave
    )
    os.close(slave)
    shown = b""
    with contextlib.suppress(OSError):  # the terminal hangs up when the process ends
        while data := os.read(master, 4096):
            shown += data
    os.close(master)
    assert process.wait(TIMEOUT) == 0
    assert b"checking" in shown
    assert b"100 %" in shown
