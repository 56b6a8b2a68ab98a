"""C4: restart all nodes, one after another, while games are running: a rolling upgrade."""

from __future__ import annotations

import asyncio
import time

from chaos.nodes import House, measure
from chaos.outcome import Outcome, Tell

PAUSE = 2.0
"""The maximum number of seconds without a move at a restart."""


def run(rounds: int, seed: int, tell: Tell) -> Outcome:
    """Restart every node *rounds* times."""

    async def trouble(house: House) -> None:
        for _ in range(rounds):
            for number, node in enumerate(house.nodes):
                tell(f"restart of node {number + 1}")
                since = time.monotonic()
                status = await asyncio.to_thread(node.stop)
                assert status == 0, f"exit status {status}: {node.log[-500:]}"
                await house.recovered(since)
                await asyncio.to_thread(node.start)
                await house.play_on()

    return measure(trouble, min(100, 20 * rounds), seed, tell, f"{rounds} rounds of restarts", PAUSE)
