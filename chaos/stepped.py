"""Croupier with a wall clock that is set by two hours every second: `python -m chaos.stepped serve …`."""

from __future__ import annotations

import sys
import time

from croupier.cli.main import main

_real = time.time


def stepped() -> float:
    """Return a wall-clock time that jumps."""
    now = _real()
    return now + (3600.0 if int(now) % 2 else -3600.0)


if __name__ == "__main__":
    time.time = stepped
    sys.argv[0] = "croupier"
    main()
