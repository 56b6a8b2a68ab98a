"""A program under limits: started in a session of its own, watched, and ended with all it has started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

KEEPER: Final = Path(__file__).with_name("keeper.py")
TAIL: Final = 2000
"""How many bytes of a program's output are kept, for the words of a verdict."""
HEADROOM: Final = 2
"""The system refuses memory from so many times the limit on; the limit itself is watched."""
GOODBYE: Final = 1.0
"""How long a program may take to end by itself when its match is over."""
TICK: Final = 0.02


running: set[Program] = set()
"""Those that this process has to end before it ends itself."""


class Program:
    """One running program. What it prints is read, so that it never waits, and forgotten but for its end."""

    def __init__(self, command: Sequence[str], folder: str, more: Mapping[str, str], memory: int) -> None:
        self.exit: int | None = None
        """How it ended: a status, or a signal as a negative number."""
        self.peak = 0
        """The most memory it was seen with, in bytes."""
        self._tail = b""
        self._loop = asyncio.get_running_loop()
        limited = [sys.executable, "-I", "-S", str(KEEPER), str(memory * HEADROOM), str(os.getpid())]
        self._process = subprocess.Popen(
            [*limited, *command],
            cwd=folder,
            env={**os.environ, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        running.add(self)
        assert self._process.stdout is not None
        self._pipe = self._process.stdout
        os.set_blocking(self._pipe.fileno(), False)
        self._loop.add_reader(self._pipe.fileno(), self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._pipe.fileno(), 1 << 16)
        except BlockingIOError:
            return
        if data:
            self._tail = (self._tail + data)[-TAIL:]
        else:
            self._loop.remove_reader(self._pipe.fileno())

    def last_words(self) -> str:
        """Return the last line it printed, shortened and without signs that a terminal would obey."""
        lines = [line for line in self._tail.decode(errors="replace").splitlines() if line.strip()]
        shown = "".join(sign if sign.isprintable() else "?" for sign in lines[-1].strip()) if lines else ""
        return shown if len(shown) <= 200 else shown[:197] + "..."

    def look(self) -> None:
        """Take note of its memory and of its end."""
        if self.exit is not None:
            return
        pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
        if pid:
            self.exit = self._process.returncode = os.waitstatus_to_exitcode(status)
            # Linux counts what this process had when it started the other: only more than that is its own.
            if usage.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss:
                self.peak = max(self.peak, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
            return
        self.peak = max(self.peak, resident(self._process.pid))

    async def end(self) -> None:
        """Let it end by itself for a moment, then end it and all it has started."""
        deadline = self._loop.time() + GOODBYE
        while self.exit is None and self._loop.time() < deadline:
            await asyncio.sleep(TICK)
            self.look()
        self.kill()

    def shoot(self) -> None:
        """Send it and all it has started the signal that nobody survives."""
        # Whoever has gone into a session of his own is no longer in its group, but still its descendant.
        others = family(self._process.pid)[1:] if self.exit is None else []
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left
            os.killpg(self._process.pid, signal.SIGKILL)
        for pid in others:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def kill(self) -> None:
        """End it and all it has started, now."""
        running.discard(self)
        self.shoot()
        if self.exit is None:
            _, status = os.waitpid(self._process.pid, 0)
            self.exit = self._process.returncode = os.waitstatus_to_exitcode(status)
        self._loop.remove_reader(self._pipe.fileno())
        self._pipe.close()


def kill_all() -> None:
    """End all programs of this process, in a hurry."""
    for program in list(running):
        program.shoot()


def family(pid: int) -> list[int]:
    """Return process *pid* and its descendants; it alone where the system does not tell."""
    found = [pid]
    for one in found:  # it grows meanwhile
        try:
            for task in (Path("/proc") / str(one) / "task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except (OSError, ValueError):
            continue  # it has just ended, or there is no such folder on this system
    return found


def resident(pid: int) -> int:
    """Return the memory of process *pid* and its descendants in bytes; 0 where the system does not tell."""
    total = 0
    for one in family(pid):
        try:
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            continue
    return total
