"""C2: stop a node with SIGSTOP, and cut one off from the database, from NATS, from both.

A node that could not renew its lease is replaced. When it comes back it writes nothing: the journals show it.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Sequence
from itertools import cycle, islice

from chaos.nodes import House, Node, measure
from chaos.outcome import Outcome, Tell
from tests.store.proxy import Cutter

STOPPED = 6.0
"""Seconds; twice the lease."""


def run(faults: int, seed: int, tell: Tell) -> Outcome:
    """Disturb a node *faults* times."""

    async def trouble(house: House) -> None:
        kinds = islice(cycle(["SIGSTOP", "no database", "no NATS", "neither"]), faults)
        for number, kind in enumerate(kinds):
            node = house.nodes[number % len(house.nodes)]
            tell(f"fault {number + 1} of {faults}: {kind}")
            await _disturb(node, kind)
            await house.recovered(time.monotonic())
            if node.ended:  # another node has replaced it
                await asyncio.to_thread(node.revive)
            await house.play_on()

    return measure(trouble, min(100, 10 * faults), seed, tell, f"{faults} faults")


async def _disturb(node: Node, kind: str) -> None:
    cut = {"no database": [node.database], "no NATS": [node.nats], "neither": [node.database, node.nats]}
    if kind == "SIGSTOP":
        assert node.process is not None
        node.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(STOPPED)
        node.process.send_signal(signal.SIGCONT)
    else:
        _cut(cut[kind], True)
        await asyncio.sleep(STOPPED)
        _cut(cut[kind], False)


def _cut(proxies: Sequence[Cutter], off: bool) -> None:
    for proxy in proxies:
        proxy.refuses = off
        if off:
            proxy.cut_all()
