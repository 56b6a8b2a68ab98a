"""The supervisor of a program: starts it under limits, reports how it ended, and kills all its descendants.

    python supervisor.py MEGABYTES PARENT COMMAND…

There are three processes. The supervisor runs until no descendant is left; on Linux it is a child subreaper,
so stray grandchildren are found and killed. An intermediate process is the parent of the program, which may
kill it. The program has a hard memory limit and writes no core files. When it has ended, the supervisor
writes its status (a signal as a negative number) and its peak memory in the units of the system to standard
error.

SIGTERM, or on Linux the end of PARENT, kills all of them. Run as a script, by path; it imports nothing of
Croupier.
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
MOST_FILES: Final = 1024
"""The number of files and sockets that a process of the program may have open."""
PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36
LINUX: Final = sys.platform == "linux"


def main(megabytes: int, parent: int, command: list[str]) -> int:
    """Supervise *command*; return when it and all its descendants have ended."""
    die_with(parent, signal.SIGTERM)
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    supervisor = os.getpid()
    middle = os.fork()
    if not middle:
        die_with(supervisor, signal.SIGKILL)
        return intermediate(megabytes, command)
    signal.signal(signal.SIGTERM, lambda *_: end_all())
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return 0
        if pid == middle:  # the program has ended and was reported, or the intermediate process was killed
            tell(status, usage)


def intermediate(megabytes: int, command: list[str]) -> int:
    """Start the program and report how it ended."""
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
    """Limit this process, then execute *command*."""
    if LINUX:
        os.setsid()  # signals to its process group must not reach the supervisor
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    most = megabytes << 20
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    os.execvp(command[0], command)


def die_with(parent: int, sign: signal.Signals) -> None:
    """Send this process a signal when its parent ends."""
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, sign)
        if os.getppid() != parent:  # the parent has already ended
            os._exit(CANNOT_START)


def tell(status: int, usage: resource.struct_rusage) -> None:
    os.write(2, f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss}\n".encode())


def end_all() -> None:
    """Kill all descendants until none is left, then exit."""
    if not LINUX:  # only the process group can be found
        os.killpg(0, signal.SIGKILL)
    while True:
        for pid in family(os.getpid())[1:]:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue  # it has just ended, or belongs to another user
        try:
            os.waitpid(-1, 0)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            os._exit(1)


def family(pid: int) -> list[int]:
    """Return process *pid* and its descendants; only *pid* if the system does not list children."""
    found = [pid]
    for one in found:  # the list grows in the loop
        try:
            for task in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue  # it has just ended, or the system has no such directory
    return found


if __name__ == "__main__":
    try:
        sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
    except OSError as error:
        sys.stdout.write(f"cannot start {sys.argv[3]}: {error.strerror}\n")
        sys.exit(CANNOT_START)
