"""What several nodes cost: a move over PostgreSQL, a forwarded move, and two nodes instead of one."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final, Self

from benchmarks.clients import Play
from benchmarks.report import Figure, Section
from benchmarks.server import Running, croupier, load
from benchmarks.tally import Result, cpu, part
from benchmarks.trend import repeated
from croupier.testing.nats import NatsServer
from croupier.testing.postgres import PostgresServer

CORES: Final = 6
"""The throughput of two nodes is compared with that of one on machines with at least this many cores: two
nodes, their clients, the database and the bus need them at the same time."""
SAMPLE_SECONDS: Final = 0.1
HEAD: Final = ["", "moves/s", "p50 ms", "p99 ms", "nodes µs", "database µs", "bus µs"]


@dataclass(frozen=True, slots=True)
class Costs:
    """The result of one way to serve the tables; processor time is in microseconds per move."""

    moves_per_second: float
    p50_ms: float
    p99_ms: float
    nodes: float
    database: float
    bus: float
    errors: int


@dataclass(slots=True)
class Engines:
    """The database and the bus."""

    postgres: PostgresServer
    nats: NatsServer

    def backends(self) -> list[int]:
        """Return the processes of the database."""
        first = self.postgres.process
        return [] if first is None else [first.pid, *_children(first.pid)]

    def bus(self) -> list[int]:
        return [] if self.nats.process is None else [self.nats.process.pid]


class Meter:
    """A thread that continuously notes the processor time of some processes."""

    def __init__(self, groups: dict[str, Callable[[], list[int]]]) -> None:
        """*groups* return the processes by name."""
        self._groups = groups
        self._samples: list[tuple[float, dict[str, float]]] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ending.wait(SAMPLE_SECONDS):
            used = {
                name: sum(cpu(pid) or 0.0 for pid in processes()) for name, processes in self._groups.items()
            }
            self._samples.append((time.time(), used))

    def used(self, name: str, run: Result) -> float:
        """Return the seconds of processor time that a group has used during *run*."""
        return self._at(name, run.began + run.seconds) - self._at(name, run.began)

    def _at(self, name: str, when: float) -> float:
        for (before, first), (after, second) in pairwise(self._samples):
            if before <= when <= after:
                return first[name] + (second[name] - first[name]) * (when - before) / (after - before)
        return self._samples[-1][1][name]


@dataclass(slots=True)
class Way:
    """One way to serve the tables."""

    name: str
    nodes: int = 1
    postgres: bool = True
    nats: bool = True
    forwarded: bool = False
    """True if the clients connect to a node that does not have their tables."""
    runs: list[Costs] = field(default_factory=list)

    def cost(self, what: str) -> float:
        """Return the median of the measurement *what*."""
        return part([getattr(run, what) for run in self.runs], 0.5)

    def row(self) -> list[str]:
        """Return the row of the report."""
        rates = [f"{self.cost('moves_per_second'):,.0f}"]
        rates += [f"{self.cost(what):.1f}" for what in ("p50_ms", "p99_ms")]
        return [self.name, *rates, *(f"{self.cost(what):,.0f}" for what in ("nodes", "database", "bus"))]


def section(folder: Path, quick: bool, repeat: int, tell: Callable[[str], None]) -> Section:
    """Measure with databases in *folder*, and return the section of the report."""
    tables, rate, seconds, deals = (10, 50.0, 2.0, 1) if quick else (100, 300.0, 10.0, 4)
    alone = Way("SQLite", postgres=False, nats=False)
    postgres = Way("PostgreSQL", nats=False)
    local = Way("one node of a house")
    forwarded = Way("forwarded: the clients are at another node", nodes=2, forwarded=True)
    two = Way("two nodes, each with tables of its own", nodes=2)
    fast, fast_two = Way("one node, as fast as possible"), Way("two nodes, as fast as possible", nodes=2)
    ways = [alone, postgres, local, forwarded, two, fast, fast_two]
    try:
        engines = Engines(PostgresServer(), NatsServer())
    except (FileNotFoundError, RuntimeError) as error:
        return Section("Several nodes", "", [HEAD], [f"not measured: {str(error).splitlines()[0]}"])
    try:
        for number in range(repeat):
            for way in ways:
                tell(f"{number + 1} of {repeat}, {way.name}")
                at_rate = way not in (fast, fast_two)
                job = (tables, deals, rate, seconds) if at_rate else (tables, deals, 0.0, 0.0)
                way.runs.append(_measured(folder, engines, way, *job))
    finally:
        engines.nats.end()
        engines.postgres.remove()
    rows = [HEAD, *(way.row() for way in ways)]
    figures = [
        Figure("CPU of a forwarded move against a local one", _ratio(forwarded, local), 1.5),
        Figure("CPU of a move with two nodes against one", _ratio(two, local), 1.15),
    ]
    errors = sum(run.errors for way in ways for run in way.runs)
    dearer = (
        f"PostgreSQL against SQLite: {_ratio(postgres, alone):.2f} times the CPU of the server for a move"
    )
    notes = [f"{dearer}; {errors} answers were wrong or late"]
    gain = fast_two.cost("moves_per_second") / fast.cost("moves_per_second")
    if (os.cpu_count() or 1) >= CORES:
        figures.append(Figure("throughput of two nodes against one", gain, 1.7, least=True))
    else:
        notes.append(
            f"{gain:.2f} times the throughput with two nodes has no target here: they share fewer than "
            f"{CORES} cores with their clients, the database and the bus"
        )
    return Section(
        "Several nodes",
        f"{tables} tables at each node, with four programs each on loopback, play Hearts over the house "
        f"protocol, every action stored before it is announced: {rate:.0f} moves per second at each node "
        f"for {seconds:.0f} s, or as fast as possible. Processor time per move of all nodes, of PostgreSQL "
        f"and of NATS. {repeated(repeat)}",
        rows,
        notes,
        figures,
    )


def _ratio(way: Way, base: Way) -> float:
    return way.cost("nodes") / base.cost("nodes")


def _measured(
    folder: Path, engines: Engines, way: Way, tables: int, deals: int, rate: float, seconds: float
) -> Costs:
    options: list[str] = []
    if way.postgres:
        options += ["--database", engines.postgres.new()]
    if way.nats:
        options += ["--nats", engines.nats.url]
    with _serving(folder, way.nodes, options) as nodes:
        groups: dict[str, Callable[[], list[int]]] = {"database": engines.backends, "bus": engines.bus}
        groups |= {node.url: lambda pid=node.pid: [pid] for node in nodes}  # type: ignore[misc]
        owners = nodes[:1] if way.forwarded else nodes
        through = nodes[-1].url if way.forwarded else ""
        deals = 16 if rate else deals
        jobs = [Play(one.url, one.pid, tables, "house", deals, rate, seconds, 0, through) for one in owners]
        with Meter(groups) as meter, ThreadPoolExecutor(len(jobs)) as pool:
            runs = list(pool.map(load, jobs))
            time.sleep(2 * SAMPLE_SECONDS)
    moves = sum(run.moves for run in runs)
    busy = [(node, run) for node in nodes for run in runs] if way.forwarded else zip(nodes, runs, strict=True)
    used = sum(meter.used(node.url, run) for node, run in busy)
    return Costs(
        moves_per_second=sum(run.moves_per_second for run in runs),
        p50_ms=max(run.p50_ms for run in runs),
        p99_ms=max(run.p99_ms for run in runs),
        nodes=used / moves * 1e6,
        database=meter.used("database", runs[0]) / moves * 1e6,
        bus=meter.used("bus", runs[0]) / moves * 1e6,
        errors=sum(run.errors for run in runs),
    )


@contextlib.contextmanager
def _serving(folder: Path, many: int, options: list[str]) -> Iterator[list[Running]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(croupier(folder, *options)) for _ in range(many)]


def _children(pid: int) -> list[int]:
    """Return the processes that *pid* has started, if the system reports them."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
            if int(fields[1]) == pid:
                found.append(int(stat.parent.name))
    return found
