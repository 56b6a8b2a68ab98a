"""Interpreted and compiled, environments show the same arrays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_parity import ROOT, compiled_python

SHOWN = """
import hashlib
from croupier import envs, games
from croupier.core import contract

digest = hashlib.sha256()
for name in games.names():
    env = envs.vector(name, 4, episode="deal")
    turn = env.reset(seed=1)
    for _ in range(250):
        turn = env.step(env.random())
        for array in (turn.seats, turn.masks, turn.observations, turn.rewards, turn.ended):
            digest.update(array.tobytes())
print((contract.__file__ or "").endswith(".py"), digest.hexdigest())
"""


def shown(program: str, python: str, where: Path, sources: Path | None) -> list[str]:
    """Return what *program* prints: whether *python* interprets the rules, and a hash."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if sources is not None:
        env["PYTHONPATH"] = str(sources)
    done = subprocess.run(
        [python, "-c", program], env=env, cwd=where, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
@pytest.mark.compiled
def test_interpreted_and_compiled_environments_show_the_same(tmp_path: Path) -> None:
    ours = shown(SHOWN, sys.executable, tmp_path, ROOT / "src")
    theirs = shown(SHOWN, compiled_python(), tmp_path, None)
    assert (ours[0], theirs[0]) == ("True", "False")
    assert ours[1] == theirs[1]
