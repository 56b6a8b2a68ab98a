"""Another client of the server, which measures how long its pings take.

It is a process of its own: as a thread it would wait for the interpreter of the attackers, not the server.
"""

from __future__ import annotations

import subprocess
import sys
from typing import IO, Self, TypeAlias

import msgspec

from benchmarks.report import Figure
from benchmarks.server import Probe, environment
from benchmarks.tally import part
from chaos.outcome import some_of

Times: TypeAlias = tuple[float, float]
"""A period: begin and end, in seconds since the epoch."""


class Bystander:
    """Pings the server, from `with` to its end."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: list[tuple[float, float]] = []
        self._lost = False

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "chaos.bystander", self._url]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment())
        assert self._process.stdout is not None
        self._process.stdout.readline()  # the process is running
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        found = self._process.communicate()[0]
        self._lost, self._answers = msgspec.json.decode(found, type=tuple[bool, list[tuple[float, float]]])

    def p99(self, *phases: Times) -> float:
        """Return the 99th percentile of the answers at these times, in milliseconds, after the end."""
        found = [took for times in phases for took in self._took(times)]
        return 1000 * part(found or [float("inf")], 0.99)

    def answered(self, *phases: Times) -> Figure:
        """Return the figure that fails if there is a phase in which nothing was answered."""
        fewest = min(len(self._took(times)) for times in phases)
        return some_of("fewest answers to the bystander in a phase", 0 if self._lost else fewest)

    def _took(self, times: Times) -> list[float]:
        since, until = times
        return [took for sent, took in self._answers if since <= sent <= until]


def main(url: str, until: IO[bytes], output: IO[bytes]) -> None:
    """Ping until *until* ends, then write the answers."""
    with Probe(url) as probe:
        output.write(b"\n")
        output.flush()
        until.read()
    output.write(msgspec.json.encode((probe.lost, probe.answers)))


if __name__ == "__main__":
    main(sys.argv[1], sys.stdin.buffer, sys.stdout.buffer)
