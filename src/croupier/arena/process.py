"""A program under limits: started by a keeper (keeper.py), watched, and ended with all it has started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from croupier.arena.keeper import family

KEEPER: Final = Path(__file__).with_name("keeper.py")
TAIL: Final = 2000
"""How many bytes of a program's output are kept, for the words of a verdict."""
HEADROOM: Final = 2
"""The system refuses memory from so many times the limit on; the limit itself is watched."""
GOODBYE: Final = 1.0
"""How long a program may take to end by itself when its match is over."""
HELD_UP: Final = 5.0
"""After so long it is of no use to wait for a keeper that was to end everybody."""
TICK: Final = 0.02


running: set[Program] = set()
"""Those that this process has to end before it ends itself."""


class Program:
    """One running program. What it prints is read, so that it never waits, and forgotten but for its end."""

    def __init__(self, command: Sequence[str], folder: str, more: Mapping[str, str], memory: int) -> None:
        self.exit: int | None = None
        """How it ended by itself: a status, or a signal as a negative number."""
        self.peak = 0
        """The most memory it was seen with, in bytes."""
        self._memory = memory
        self._tail = b""
        self._loop = asyncio.get_running_loop()
        keeper = [sys.executable, "-I", "-S", str(KEEPER), str(memory * HEADROOM), str(os.getpid())]
        self._keeper = subprocess.Popen(
            [*keeper, *command],
            cwd=folder,
            env={**os.environ, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        running.add(self)
        assert self._keeper.stdout is not None
        assert self._keeper.stderr is not None
        self._pipe = self._keeper.stdout
        self._report = self._keeper.stderr
        os.set_blocking(self._pipe.fileno(), False)
        os.set_blocking(self._report.fileno(), False)
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
        if self.exit is None:
            self._hear()
        if self._keeper.poll() is None:
            self.peak = max(self.peak, memory_of(self._pids(), self._memory << 20))

    def _hear(self) -> None:
        try:
            told = os.read(self._report.fileno(), 1 << 10).split()
        except BlockingIOError:
            return
        if told:
            self.exit = int(told[0])
            self.peak = max(self.peak, int(told[1]) * (1 if sys.platform == "darwin" else 1024))
        else:  # its keeper was killed
            self.exit = self._keeper.wait()

    def _pids(self) -> list[int]:
        """Return the processes of the program: on Linux none of them is in the keeper's session."""
        found: list[int] = []
        for pid in family(self._keeper.pid):
            with contextlib.suppress(ProcessLookupError):
                if os.getsid(pid) != self._keeper.pid:
                    found.append(pid)
        return found

    async def end(self) -> None:
        """Let it end by itself for a moment, then end it and all it has started."""
        deadline = self._loop.time() + GOODBYE
        while self.exit is None and self._loop.time() < deadline:
            await asyncio.sleep(TICK)
            self.look()
        self.kill()

    def shoot(self) -> None:
        """End it and all it has started, now."""
        self._keeper.terminate()
        self._keeper.send_signal(signal.SIGCONT)  # somebody may have stopped it
        try:
            self._keeper.wait(HELD_UP)
        except subprocess.TimeoutExpired:
            for pid in reversed(family(self._keeper.pid)):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self._keeper.wait()

    def kill(self) -> None:
        """End it and all it has started, and forget it."""
        running.discard(self)
        self.shoot()
        self._loop.remove_reader(self._pipe.fileno())
        self._pipe.close()
        self._report.close()


def kill_all() -> None:
    """End all programs of this process, in a hurry."""
    for program in list(running):
        program.shoot()


def memory_of(pids: Sequence[int], limit: int) -> int:
    """Return the memory of processes in bytes; 0 where the system does not tell.

    Above *limit* what they share counts once. To find that out takes the system long, and the processes
    wait meanwhile.
    """
    total = sum(map(_resident, pids))
    return total if total <= limit else sum(map(_proportional, pids))


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
    except (OSError, ValueError, IndexError, StopIteration):  # it has just ended, or runs as somebody else
        return _resident(pid)
