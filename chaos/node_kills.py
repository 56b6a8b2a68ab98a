"""C1: kill -9 a node of three under load: its tables go on elsewhere, nothing is lost or twice."""

from __future__ import annotations

import asyncio
import time

from chaos.nodes import House, measure
from chaos.outcome import Outcome, Tell


def run(kills: int, seed: int, tell: Tell) -> Outcome:
    """Kill a node *kills* times."""

    async def trouble(house: House) -> None:
        for number in range(kills):
            owned = house.owned()
            victim = max(house.nodes, key=lambda node: len(owned.get(node.pid, ())))
            tell(f"kill {number + 1} of {kills}: a node with {len(owned[victim.pid])} tables")
            since = time.monotonic()
            victim.kill()
            await house.recovered(since)
            await asyncio.to_thread(victim.start)
            await house.play_on()

    return measure(trouble, min(500, 10 * (kills + 1)), seed, tell, f"{kills} kills")
