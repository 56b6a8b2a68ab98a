"""A program under limits: started by a supervisor (supervisor.py), monitored, and killed with its
descendants."""

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

from croupier.arena.supervisor import family

SUPERVISOR: Final = Path(__file__).with_name("supervisor.py")
TAIL: Final = 4000
"""How many bytes of a program's output are kept, for the text of a verdict."""
LAST_LINES: Final = 5
"""How many lines of them a verdict quotes."""
LINE: Final = 200
"""The length to which a quoted line is shortened."""
HEADROOM: Final = 2
"""The hard memory limit is this many times the configured one; the configured limit is monitored."""
GOODBYE: Final = 1.0
"""How long a program may take to exit when its match is over."""
HELD_UP: Final = 5.0
"""How long to wait for a supervisor to kill its descendants."""
TICK: Final = 0.02


running: set[Program] = set()
"""Programs that this process must stop before it exits."""


class Program:
    """One running program. Its output is read, so that it never blocks; only the last part is kept."""

    def __init__(
        self, command: Sequence[str], folder: str, more: Mapping[str, str], memory: int, told: str = ""
    ) -> None:
        """*more* is added to the environment; *told* is all that it can read from standard input."""
        self.exit: int | None = None
        """The status with which it ended, or a signal as a negative number."""
        self.peak = 0
        """Its peak memory in bytes."""
        self._memory = memory
        self._tail = b""
        self._loop = asyncio.get_running_loop()
        supervisor = [sys.executable, "-I", "-S", str(SUPERVISOR), str(memory * HEADROOM), str(os.getpid())]
        self._supervisor = subprocess.Popen(
            [*supervisor, *command],
            cwd=folder,
            env={**os.environ, **more},
            stdin=subprocess.PIPE if told else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        running.add(self)
        if self._supervisor.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self._supervisor.stdin as pipe:
                pipe.write(told.encode())  # one short line: it fits into the buffer of the pipe
        assert self._supervisor.stdout is not None
        assert self._supervisor.stderr is not None
        self._pipe = self._supervisor.stdout
        self._report = self._supervisor.stderr
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

    def last_lines(self) -> list[str]:
        """Return the last lines of its output, shortened and without control characters."""
        lines = [line.strip() for line in self._tail.decode(errors="replace").splitlines() if line.strip()]
        shown = [
            "".join(sign if sign.isprintable() else "?" for sign in line) for line in lines[-LAST_LINES:]
        ]
        return [line if len(line) <= LINE else line[: LINE - 3] + "..." for line in shown]

    def look(self) -> None:
        """Update its memory use and its exit status."""
        if self.exit is None:
            self._hear()
        if self._supervisor.poll() is None:
            self.peak = max(self.peak, memory_of(self.pids(), self._memory << 20))

    def _hear(self) -> None:
        try:
            told = os.read(self._report.fileno(), 1 << 10).split()
        except BlockingIOError:
            return
        if told:
            self.exit = int(told[0])
            self.peak = max(self.peak, int(told[1]) * (1 if sys.platform == "darwin" else 1024))
        else:  # the supervisor was killed
            self.exit = self._supervisor.wait()

    def pids(self) -> list[int]:
        """Return the processes of the program: on Linux none of them is in the supervisor's session."""
        found: list[int] = []
        for pid in family(self._supervisor.pid):
            with contextlib.suppress(ProcessLookupError):
                if os.getsid(pid) != self._supervisor.pid:
                    found.append(pid)
        return found

    async def end(self) -> None:
        """Give it a moment to exit, then kill it and its descendants."""
        deadline = self._loop.time() + GOODBYE
        while self.exit is None and self._loop.time() < deadline:
            await asyncio.sleep(TICK)
            self.look()
        self.kill()

    def shoot(self) -> None:
        """Kill it and its descendants now."""
        self._supervisor.terminate()
        self._supervisor.send_signal(signal.SIGCONT)  # it may have been stopped
        try:
            self._supervisor.wait(HELD_UP)
        except subprocess.TimeoutExpired:
            for pid in reversed(family(self._supervisor.pid)):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self._supervisor.wait()

    def kill(self) -> None:
        """Kill it and its descendants, and remove it from the list."""
        running.discard(self)
        self.shoot()
        self._read()  # its last output
        self._loop.remove_reader(self._pipe.fileno())
        self._pipe.close()
        self._report.close()


def started_by(pid: int) -> list[int]:
    """Return the processes of all programs that process *pid* and its descendants have started."""
    found: list[int] = []
    for one in family(pid):
        with contextlib.suppress(OSError):
            if str(SUPERVISOR) in Path(f"/proc/{one}/cmdline").read_text().split("\0"):
                found += family(one)
    return found


def raise_file_limit() -> None:
    """Allow this process as many open files as the system permits; programs keep the usual limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(OSError, ValueError):  # macOS reports a limit that it does not accept
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def kill_all() -> None:
    """Kill all programs of this process immediately."""
    for program in list(running):
        program.shoot()


def memory_of(pids: Sequence[int], limit: int) -> int:
    """Return the memory of processes in bytes; 0 if the system does not report it.

    Above *limit*, shared memory is counted once. The system needs long to compute that, and the processes
    are blocked meanwhile.
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
    except (OSError, ValueError, IndexError, StopIteration):  # it has just ended, or belongs to another user
        return _resident(pid)
