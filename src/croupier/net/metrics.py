"""Metrics for operators, in the Prometheus text format. Names, cards and tokens are never labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from croupier.core.histogram import Histogram
from croupier.net.load import Load
from croupier.table.tables import Tables

if TYPE_CHECKING:
    from croupier.net.member import Member


class TablesCollector(Collector):
    """The metrics of a server, computed on request."""

    def __init__(self, tables: Tables, load: Load, member: Member | None) -> None:
        self._tables = tables
        self._load = load
        self._member = member

    def collect(self) -> Iterable[Metric]:
        told = "seconds from an action of a player to the first event that everyone is told"
        yield _histogram("croupier_move_to_told_seconds", told, self._tables.told_times)
        yield _histogram("croupier_loop_delay_seconds", "delay of the event loop", self._load.delays)
        commits = self._tables.store.commit_times
        if commits is not None:
            yield _histogram("croupier_store_commit_seconds", "duration of a commit", commits)
        tables = GaugeMetricFamily("croupier_tables", "open tables", labels=["game", "phase"])
        counts: dict[tuple[str, str], int] = {}
        for shell in self._tables.shells.values():
            key = (shell.table.game.name, shell.table.phase)
            counts[key] = counts.get(key, 0) + 1
        for (game, phase), count in sorted(counts.items()):
            tables.add_metric([game, phase], count)
        yield tables
        peers = sum(len(shell.peers) for shell in self._tables.shells.values())
        yield GaugeMetricFamily("croupier_connections", "connections at tables", value=peers)
        yield CounterMetricFamily(
            "croupier_actions", "actions told to everyone", value=self._tables.actions()
        )
        bot_pool = self._tables.bot_pool
        if bot_pool is not None:
            for name, gauge in bot_pool.stats().items():
                yield GaugeMetricFamily(f"croupier_bot_pool_{name}", f"searching bots: {name}", value=gauge)
        for name, value in self._tables.store.stats().items():
            yield GaugeMetricFamily(f"croupier_store_{name}", f"event log: {name}", value=value)
        if self._member is not None:
            yield from self._house(self._member)

    def _house(self, member: Member) -> Iterable[Metric]:
        tables = GaugeMetricFamily("croupier_house_tables", "open tables of each node", labels=["node"])
        for node in member.all:
            tables.add_metric([str(node.id)], node.tables)
        yield tables
        yield GaugeMetricFamily("croupier_nodes", "nodes of the house", value=len(member.all))
        yield GaugeMetricFamily("croupier_service", "1 if this node has the lobbies", value=member.serving)
        yield GaugeMetricFamily("croupier_forwarded", "forwarded connections", value=len(member.links))
        yield CounterMetricFamily(
            "croupier_forged", "messages on the bus that were forged or sent again", member.forged
        )


def _histogram(name: str, words: str, times: Histogram) -> Metric:
    return HistogramMetricFamily(name, words, buckets=times.buckets(), sum_value=times.sum)


def exposition(tables: Tables, load: Load, member: Member | None = None) -> bytes:
    """Return the page at /metrics."""
    registry = CollectorRegistry()
    registry.register(TablesCollector(tables, load, member))
    return generate_latest(registry)
