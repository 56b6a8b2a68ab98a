"""Runs the targets in fuzz/ under libFuzzer, using atheris, which only they need."""

from __future__ import annotations

import sys
from collections.abc import Callable


def fuzz(check: Callable[[bytes], None]) -> None:
    """Call *check* with generated input until it raises; the command line has the corpus folder and
    options."""
    import atheris

    atheris.instrument_all()
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
