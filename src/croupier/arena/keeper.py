"""Keeps a program: starts it under limits, tells how it ended, and ends all that it has started.

    python keeper.py MEGABYTES PARENT COMMAND…

There are three processes. This one stays until nobody is left; on Linux whoever loses his parent becomes its
child, so that nobody gets lost. A go-between is what the program knows as its parent, and may kill. The
program gets a hard limit of memory and writes no core files. When it has ended, a line on standard error has
its status (a signal as a negative number) and the most memory it had, as the system counts that.

SIGTERM, or on Linux the end of PARENT, ends everybody. Run as a script, by path; it imports nothing of ours.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Final, NoReturn

CANNOT_START: Final = 127
PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36
LINUX: Final = sys.platform == "linux"


def main(megabytes: int, parent: int, command: list[str]) -> int:
    """Keep *command*; return when it and all it has started have ended."""
    die_with(parent, signal.SIGTERM)
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    keeper = os.getpid()
    between = os.fork()
    if not between:
        die_with(keeper, signal.SIGKILL)
        return go_between(megabytes, command)
    signal.signal(signal.SIGTERM, lambda *_: end_all())
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return 0
        if pid == between:  # the program has ended, and was told of; or somebody has killed the go-between
            tell(status, usage)


def go_between(megabytes: int, command: list[str]) -> int:
    """Start the program and tell how it ended."""
    parent = os.getpid()
    program = os.fork()
    if not program:
        die_with(parent, signal.SIGKILL)
        os.dup2(1, 2)
        become(megabytes, command)
    _, status, usage = os.wait4(program, 0)
    tell(status, usage)
    return 0


def become(megabytes: int, command: list[str]) -> NoReturn:
    """Limit this process, then be *command*."""
    if LINUX:
        os.setsid()  # what it does to its group is not to hit its keeper
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    most = megabytes << 20
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    os.execvp(command[0], command)


def die_with(parent: int, sign: signal.Signals) -> None:
    """Let this process get a signal when its parent ends."""
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, sign)
        if os.getppid() != parent:  # it has ended already
            os._exit(CANNOT_START)


def tell(status: int, usage: resource.struct_rusage) -> None:
    os.write(2, f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss}\n".encode())


def end_all() -> None:
    """Kill all descendants until none is left, then end."""
    if not LINUX:  # its group is all that can be found
        os.killpg(0, signal.SIGKILL)
    while True:
        for pid in family(os.getpid())[1:]:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue  # it has just ended, or runs as somebody else
        try:
            os.waitpid(-1, 0)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            os._exit(1)


def family(pid: int) -> list[int]:
    """Return process *pid* and its descendants; it alone where the system does not tell."""
    found = [pid]
    for one in found:  # it grows meanwhile
        try:
            for task in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue  # it has just ended, or there is no such folder on this system
    return found


if __name__ == "__main__":
    try:
        sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
    except OSError as error:
        sys.stdout.write(f"cannot start {sys.argv[3]}: {error.strerror}\n")
        sys.exit(CANNOT_START)
