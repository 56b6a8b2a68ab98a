"""Kills the processes that a test process has left behind: `python tests/stray.py MARK`.

Servers, databases and browsers are stopped by the tests that start them. If the test process itself is
killed, nobody would stop them, and they would disturb later runs: they have ports, files and processor time.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys
from pathlib import Path

VARIABLE = "CROUPIER_TEST_RUN"


def kill_at_end() -> None:
    """Mark all processes that this one starts from now on: when it has ended, they are killed."""
    if sys.platform != "linux":
        return
    mark = secrets.token_hex(8)
    ended, _ = os.pipe()  # the other end stays open as long as this process runs
    null = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    command = [sys.executable, "-S", __file__, mark]
    actions = [(os.POSIX_SPAWN_DUP2, ended, 0), *null]
    os.posix_spawn(sys.executable, command, os.environ, file_actions=actions, setsid=True)
    os.close(ended)
    os.environ[VARIABLE] = mark


def marked(mark: str) -> list[int]:
    """Return the processes that have inherited *mark*."""
    word = f"{VARIABLE}={mark}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if word in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def kill(mark: str) -> None:
    """Kill the processes with *mark*, and those that they start meanwhile."""
    while found := marked(mark):
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.stdin.read()
    kill(sys.argv[1])
