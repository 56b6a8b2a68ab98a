"""C1: kill -9 one of three nodes under load: its tables continue elsewhere, nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from chaos.nodes import House, measure
from chaos.outcome import Outcome, Tell

TABLES: Final = 600
"""One node has about 500 of these, because all tables of lobbies are at one node."""
SEVERAL: Final = 20
"""With at least this many kills there are `TABLES` tables, else fewer."""


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

    tables = TABLES if kills >= SEVERAL else 10 * (kills + 1)
    return measure(trouble, tables, seed, tell, f"{kills} kills")
