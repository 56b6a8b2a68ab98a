"""`croupier bench training` measures every game and `vector`, and reports the comparison."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import training
from croupier import games
from tests.cli.command import run


@pytest.mark.slow
def test_environments_are_measured_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    done = run("bench", "training", "--quick", "-o", path)
    assert done.returncode == 0, done.stderr
    rows = dict(line.split(" | ")[:2] for line in path.read_text().splitlines() if line.startswith("| "))
    rates = {name.removeprefix("| "): rate for name, rate in rows.items()}
    assert all(int(rates[f"croupier AEC {name}"].replace(",", "")) > 100 for name in games.names())
    assert set(training.ways()) <= set(rates)


def test_without_the_packages_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "there", lambda *modules: False)
    assert "pip install 'croupier[train]'" in training.section(True).notes[0]
