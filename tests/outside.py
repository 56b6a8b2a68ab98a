"""A game from outside, installed for a test as a person installs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "spades"


def install(package: Path, folder: Path) -> Path:
    """Install *package* into *folder* with pip; return the folder, which has to be in PYTHONPATH."""
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", folder, package], check=True, timeout=120)
    return folder
