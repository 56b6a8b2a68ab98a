"""Becomes a program after limiting itself. Run as a script, by path; it imports nothing of ours.

    python keeper.py MEGABYTES PARENT COMMAND…

The program gets a hard limit of memory and writes no core files. On Linux it dies with the process that
started it, so that a killed arena leaves nobody behind, and whatever it starts stays its descendant.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from typing import Final

CANNOT_START: Final = 127
PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36
SIGKILL: Final = 9


def main(megabytes: int, parent: int, command: list[str]) -> int:
    """Limit this process, then be *command*; return only if that cannot be."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    most = megabytes << 20
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        prctl(PR_SET_PDEATHSIG, SIGKILL)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        if os.getppid() != parent:  # it died before it could be watched
            return CANNOT_START
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write(f"cannot start {command[0]}: {error.strerror}\n")
    return CANNOT_START


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
