"""`croupier bench` uses the benchmarks of a checkout, and reports if there is none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from croupier.cli import bench
from tests.cli.command import only_line, run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that was not imported from a checkout, in an empty folder."""
    monkeypatch.setattr(bench, "__file__", str(tmp_path / "lib/site-packages/croupier/cli/bench.py"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_in_a_checkout_the_command_is_complete() -> None:
    done = run("bench", "--help")
    assert done.returncode == 0
    assert "--profile" in done.stdout


def test_the_checkout_may_be_above_the_current_folder(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench.checkout() is None
    monkeypatch.chdir(ROOT / "tests")
    assert bench.checkout() == ROOT


def test_benchmarks_of_another_project_are_left_alone(installed: Path) -> None:
    (installed / "benchmarks").mkdir()
    shutil.copy(ROOT / "benchmarks/command.py", installed / "benchmarks")
    assert bench.checkout() is None


@pytest.mark.parametrize("words", [[], ["server", "lines"], ["--quick", "-o", "today.md", "server"]])
def test_without_a_checkout_one_line_says_how_to_get_it(
    installed: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr(bench, "bench", bench.command())
    done = run("bench", *words)
    assert done.returncode == 2
    assert "part of the source checkout" in only_line(done)


def test_without_a_checkout_help_says_it_too(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "bench", bench.command())
    done = run("bench", "--help")
    assert done.returncode == 0
    assert "source checkout" in done.stdout
