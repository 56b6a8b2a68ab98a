"""`croupier review`: what expert would have played, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.core import record
from tests.cli.command import bots_record, interrupt_at_the_start, only_line, run, spawn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a match of one deal."""
    file = tmp_path / "match.record"
    file.write_text(record.write(bots_record()))
    return file


@pytest.mark.slow
def test_a_table_and_what_each_player_lost(path: Path) -> None:
    done = run("review", path, "--simulations", "4", "--jobs", "1", "--all")
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.split("\n\n")[0].splitlines()
    assert head.split() == ["deal", "move", "player", "loses", "played", "better"]
    assert len(rows) == 43
    assert rows[0].split()[:3] == ["1", "2", "player1"]
    assert "pass 6S 5S 4S" in rows[0]
    assert "player1: 12 decisions, " in done.stdout
    assert done.stdout.count(" points lost") == 4
    assert "reviewing: 100 %" in done.stderr


def test_one_seat_for_a_program(path: Path) -> None:
    done = run("review", path, "--simulations", "4", "--jobs", "1", "--seat", "3", "--deal", "1", "--json")
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(findings) == 9
    assert {found["seat"] for found in findings} == {3}
    assert all(found["difference"] >= 0 for found in findings)
    assert findings[0]["played"]["actions"] == ["pass QS", "pass KS", "pass KC"]


@pytest.mark.slow
def test_several_processes_find_the_same_as_one(path: Path) -> None:
    words = ["review", str(path), "--simulations", "4", "--seat", "3", "--json"]
    several = spawn(*words, "--jobs", "2")
    assert several.returncode == 0, several.stderr
    assert several.stdout == run(*words, "--jobs", "1").stdout


@pytest.mark.slow
def test_control_c_ends_processes_that_are_starting(path: Path) -> None:
    done = interrupt_at_the_start(path.parent, "review", path, "--simulations", "4", "--jobs", "2")
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_decisions_of_people_only(path: Path) -> None:
    assert "there were no decisions" in only_line(run("review", path, "--people"))
    path.write_text(path.read_text().replace("0 play 8C (bot)", "0 play 8C"))
    done = run("review", path, "--people", "--simulations", "4", "--jobs", "1", "--json")
    [found] = [json.loads(line) for line in done.stdout.splitlines()]
    assert (found["played"]["actions"], found["by"]) == (["play 8C"], "")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--seat", "4"], "croupier: --seat 4: expected a seat from 0 to 3"),
        (["--deal", "2"], "croupier: --deal 2: the match has 1"),
        (["--simulations", "0"], "0 is not in the range 1<=x<=1000000"),
    ],
)
def test_wrong_options(path: Path, words: list[str], expected: str) -> None:
    done = run("review", path, *words)
    assert done.returncode
    assert expected in only_line(done)


def test_invalid_records(tmp_path: Path, path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Anna\n")
    assert "line 1: found 'Dear Anna', expected 'croupier record 1'" in only_line(run("review", file))
    path.write_text(path.read_text().replace("3 play 2C (bot)", "3 play 3C (bot)"))
    assert "line 29: entry 9 (3 play 3C (bot)): " in only_line(run("review", path))
    assert "no such file" in only_line(run("review", tmp_path / "nothing", "--data", tmp_path))
