"""Another client of the server, which measures how long its pings take.

It is a process of its own: as a thread it would wait for the interpreter of the attackers, not the server.
"""

from __future__ import annotations

import subprocess
import sys
from typing import IO, Self

import msgspec

from benchmarks.server import Probe, environment
from benchmarks.tally import part


class Bystander:
    """Pings the server, from `with` to its end."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: list[tuple[float, float]] = []

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "chaos.bystander", self._url]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment())
        assert self._process.stdout is not None
        self._process.stdout.readline()  # it has begun
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        found = self._process.communicate()[0]
        self._answers = msgspec.json.decode(found, type=list[tuple[float, float]])

    def p99(self, since: float, until: float) -> float:
        """Return the 99th percentile of the answers between two times, in milliseconds, after the end."""
        return 1000 * part([took for sent, took in self._answers if since <= sent <= until] or [0.0], 0.99)


def main(url: str, until: IO[bytes], output: IO[bytes]) -> None:
    """Ping until *until* ends, then write the answers."""
    with Probe(url) as probe:
        output.write(b"\n")
        output.flush()
        until.read()
    output.write(msgspec.json.encode(probe.answers))


if __name__ == "__main__":
    main(sys.argv[1], sys.stdin.buffer, sys.stdout.buffer)
