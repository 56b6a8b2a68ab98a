"""A NATS server for tests and benchmarks: Debian's package, on a port of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path


def _program() -> str:
    found = shutil.which("nats-server") or "/usr/sbin/nats-server"
    if not Path(found).exists():
        raise FileNotFoundError("nats-server is missing: run scripts/setup.sh packages")
    return found


def _free_port() -> int:
    """Return a free port outside the range of ephemeral ports, so that it is free after a restart, too."""
    first = 5_500 + os.getpid() % 40 * 100
    for port in range(first, first + 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no free port")


class NatsServer:
    """A running server."""

    def __init__(self, *options: str) -> None:
        self._options: Sequence[str] = options
        self.port = _free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self.process = subprocess.Popen(
            [_program(), "-a", "127.0.0.1", "-p", str(self.port), *self._options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1.0):
                return
            assert self.process.poll() is None, "nats-server did not start"
            assert time.monotonic() < until, "nats-server does not listen"
            time.sleep(0.02)

    def end(self) -> None:
        """Kill it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(30)
            self.process = None
