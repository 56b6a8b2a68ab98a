"""Interpreted and compiled rules play the same matches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.testing.parity import compiled, parity_hash

ROOT = Path(__file__).resolve().parents[1]
MEGABYTES = 600


def played(python: str, matches: int, where: Path, sources: Path | None) -> dict[str, object]:
    """Return the result of *matches* played by *python*, with *sources* or with its installed package."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if sources is not None:
        env["PYTHONPATH"] = str(sources)
    done = subprocess.run(
        [python, "-m", "croupier.testing.parity", str(matches), str(MEGABYTES)],
        env=env,
        cwd=where,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def compiled_python() -> str:
    """Return an interpreter with compiled rules: this one, CROUPIER_COMPILED_PYTHON, or the Makefile's."""
    if compiled():
        return sys.executable
    named = os.environ.get("CROUPIER_COMPILED_PYTHON")
    python = Path(named) if named else ROOT / ".venv-compiled" / "bin" / "python"
    if not python.exists():
        pytest.fail(f"{python} does not exist: make test builds it, or name one in CROUPIER_COMPILED_PYTHON")
    return str(python)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("matches", [2_000, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_interpreted_and_compiled_rules_play_the_same_matches(matches: int, tmp_path: Path) -> None:
    ours = played(sys.executable, matches, tmp_path, ROOT / "src")
    theirs = played(compiled_python(), matches, tmp_path, None)
    assert (ours["compiled"], theirs["compiled"]) == (False, True)
    assert ours["matches"] == theirs["matches"] == matches
    assert ours["hash"] == theirs["hash"]


@pytest.mark.slow
def test_the_hash_depends_on_every_match() -> None:
    assert parity_hash(range(20)) == parity_hash(range(20))
    assert parity_hash(range(20)) != parity_hash(range(21))
    assert parity_hash([1, 2]) != parity_hash([1, 3])
