"""Rates per CPU-second: in this process, and with interpreted sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import croupier


def rate(play: Callable[[], object], seconds: float) -> float:
    """Return how often per CPU-second *play* can be called, over about *seconds*."""
    play()
    calls = 0
    batch = 1
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(batch):
            play()
        calls += batch
        batch = min(batch * 2, 1024)
    return calls / spent


def interpreted(module: str, ways: list[str], seconds: float, rounds: int) -> list[float]:
    """Return the best rates of functions of *module*, in a process without compiled modules."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as name:
        for package in (Path(croupier.__file__).parent, Path(__file__).parent):
            left_out = shutil.ignore_patterns("pages", "tests", "__pycache__", "*.so", "*.pyd")
            shutil.copytree(package, Path(name) / package.name, ignore=left_out)
        code = (
            f"from benchmarks.report import compiled\n"
            f"from benchmarks import {module} as bench\n"
            "assert not compiled(), 'a compiled module is in the way'\n"
            f"for way in ({''.join(f'bench.{way}, ' for way in ways)}):\n"
            f"    print(max(way({seconds / rounds}) for _ in range({rounds})))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": name},
            cwd=name,
            capture_output=True,
            text=True,
            check=True,
        )
    return [float(word) for word in done.stdout.split()]
