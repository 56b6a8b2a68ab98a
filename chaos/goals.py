"""The goals by name, with their sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from chaos.outcome import Outcome, Tell


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal of docs/security.md."""

    name: str
    title: str
    module: str
    """The module of this package with `run(size, seed, tell)`."""
    full: int
    nightly: int
    """The size in `make nightly`."""
    small: int
    """The size in `make test`."""

    def run(self, size: int, seed: int, tell: Tell) -> Outcome:
        """Measure with *size* cases."""
        found: Callable[[int, int, Tell], Outcome] = import_module(f"chaos.{self.module}").run
        return found(size, seed, tell)


GOALS: Final = {
    goal.name: goal
    for goal in [
        Goal("g1", "kill -9 under load", "kills", 200, 20, 2),
        Goal("g2", "restart", "restart", 5_000, 500, 20),
        Goal("g3", "secrecy", "secrecy", 100_000, 500, 30),
        Goal("g4", "hostile input", "hostile", 1_000_000, 20_000, 150),
        Goal("g5", "stalled readers", "stalled", 1_000, 100, 5),
        Goal("g6", "scale", "scale", 10_000, 1_000, 40),
        Goal("g7", "no stuck table", "endings", 1_000_000, 10_000, 40),
        Goal("g8", "reconnects", "reconnects", 100_000, 5_000, 500),
        Goal("g9", "clocks", "clocks", 1_000, 60, 3),
        Goal("g11", "soak", "soak", 6 * 3600, 600, 5),
        Goal("g12", "identity and fairness", "fairness", 1_000_000, 20_000, 2_000),
        Goal("g13", "simulated house", "simulation", 1_000_000, 20_000, 3_000),
        Goal("c1", "kill -9 a node", "node_kills", 20, 3, 1),
        Goal("c2", "stopped and isolated nodes", "node_pauses", 40, 7, 2),
        Goal("c3", "restart of PostgreSQL and NATS", "engine_restarts", 20, 3, 1),
        Goal("c4", "rolling restart", "rolling", 20, 3, 1),
    ]
}
