"""Numbers for operators, in Prometheus' text form. No name, card or token is ever a label."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from croupier.table.hall import Hall


class HallCollector(Collector):
    """Reads the hall when asked; nothing is counted on the path of a move."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterable[Metric]:
        tables = GaugeMetricFamily("croupier_tables", "open tables", labels=["game", "phase"])
        counts: dict[tuple[str, str], int] = {}
        for runner in self._hall.runners.values():
            key = (runner.table.game.name, runner.table.phase)
            counts[key] = counts.get(key, 0) + 1
        for (game, phase), count in sorted(counts.items()):
            tables.add_metric([game, phase], count)
        yield tables
        peers = sum(len(runner.peers) for runner in self._hall.runners.values())
        yield GaugeMetricFamily("croupier_connections", "connections at tables", value=peers)
        yield CounterMetricFamily("croupier_actions", "actions stored", value=self._hall.actions())
        thinkers = self._hall.thinkers
        if thinkers is not None:
            for name, gauge in thinkers.stats().items():
                yield GaugeMetricFamily(f"croupier_thinkers_{name}", f"searching bots: {name}", value=gauge)
        for name, value in self._hall.store.stats().items():
            yield GaugeMetricFamily(f"croupier_store_{name}", f"event log: {name}", value=value)


def exposition(hall: Hall) -> bytes:
    """Return the page at /metrics."""
    registry = CollectorRegistry()
    registry.register(HallCollector(hall))
    return generate_latest(registry)
