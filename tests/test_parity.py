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
MATCHES = 10_000
MEGABYTES = 600


def played(python: str, where: Path, sources: Path | None) -> dict[str, object]:
    """Return what *python* found, with the sources of *sources* or with what is installed there."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if sources is not None:
        env["PYTHONPATH"] = str(sources)
    done = subprocess.run(
        [python, "-m", "croupier.testing.parity", str(MATCHES), str(MEGABYTES)],
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
    """Return an interpreter that has the compiled rules: this one, the one named, or the Makefile's."""
    if compiled():
        return sys.executable
    named = os.environ.get("CROUPIER_COMPILED_PYTHON")
    python = Path(named) if named else ROOT / ".venv-compiled" / "bin" / "python"
    if not python.exists():
        pytest.fail(f"{python} does not exist: make test builds it, or name one in CROUPIER_COMPILED_PYTHON")
    return str(python)


@pytest.mark.slow
@pytest.mark.compiled
def test_interpreted_and_compiled_rules_play_the_same_matches(tmp_path: Path) -> None:
    ours = played(sys.executable, tmp_path, ROOT / "src")
    theirs = played(compiled_python(), tmp_path, None)
    assert (ours["compiled"], theirs["compiled"]) == (False, True)
    assert ours["matches"] == theirs["matches"] == MATCHES
    assert ours["hash"] == theirs["hash"]


@pytest.mark.slow
def test_the_hash_depends_on_every_match() -> None:
    assert parity_hash(range(20)) == parity_hash(range(20))
    assert parity_hash(range(20)) != parity_hash(range(21))
    assert parity_hash([1, 2]) != parity_hash([1, 3])
