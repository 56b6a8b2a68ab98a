"""C3: restart PostgreSQL and NATS under load. Service is back within seconds; nothing is lost."""

from __future__ import annotations

import asyncio
import signal
import time

from chaos.nodes import House, measure
from chaos.outcome import Outcome, Tell


def run(restarts: int, seed: int, tell: Tell) -> Outcome:
    """Restart each of the two *restarts* times."""

    async def trouble(house: House) -> None:
        for number in range(restarts):
            tell(f"restart {number + 1} of {restarts}")
            house.postgres.end(signal.SIGQUIT)
            await asyncio.to_thread(house.postgres.start)
            await house.recovered(time.monotonic())
            await house.play_on()
            house.nats.end()
            await asyncio.to_thread(house.nats.start)
            await house.recovered(time.monotonic())
            await house.play_on()

    return measure(trouble, min(100, 10 * (restarts + 1)), seed, tell, f"{restarts} restarts of each")
