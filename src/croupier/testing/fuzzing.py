"""How the targets in fuzz/ run: under libFuzzer, by way of atheris, which only they need."""

from __future__ import annotations

import sys
from collections.abc import Callable


def fuzz(check: Callable[[bytes], None]) -> None:
    """Feed *check* until it raises; the command line has the corpus folder and libFuzzer's options."""
    import atheris

    atheris.instrument_all()
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
