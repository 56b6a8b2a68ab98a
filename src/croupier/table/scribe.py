"""Who keeps the ratings: reads the results that are stored, and writes what they did to whoever played.

What has been rated is in the store, so nothing is lost if the server stops in between: the rest is done after
the next start. Matches are taken as they ended and, where they did so in the same second, by their ids: the
order in which results are listed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import groupby

from croupier.games import game as find_game
from croupier.store.api import Store, StoreError
from croupier.store.people import PlayerRow
from croupier.table.ratings import after

log = logging.getLogger(__name__)


class Scribe:
    """Works in a task of its own while there is something to rate; never on the path of a move."""

    def __init__(self, store: Store, clock_text: Callable[[], str]) -> None:
        """*clock_text()* is the date of journals."""
        self._store = store
        self._clock_text = clock_text
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def poke(self) -> None:
        """There may be something to rate."""
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def done(self) -> None:
        """Wait until everything is rated that there is."""
        if self._task is not None:
            await self._task

    async def stop(self) -> None:
        """Leave the rest for the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        while self._again:
            self._again = False
            await asyncio.sleep(1.0)  # until no more matches can end in the second that the last one did
            edge = self._clock_text()
            try:
                while rows := await self._store.unrated(edge):
                    for id, seats in groupby(rows, key=lambda row: row.match):
                        await self._rate(id, list(seats))
                        break  # the others may be cut off, or depend on this one
            except StoreError:
                log.exception("ratings wait until the next match ends")

    async def _rate(self, id: str, rows: list[PlayerRow]) -> None:
        game = rows[0].game
        who = [row.who for row in rows]
        places = [row.place or 0 for row in rows]
        before = await self._store.ratings(game, filter(None, who))
        try:
            # In a thread: the first time it imports for a second.
            found = await asyncio.to_thread(after, find_game(game), who, places, before)
        except Exception:  # one match that cannot be rated must not keep all later ones from it
            log.exception("match %s is not rated", id)
            found = {}
        await self._store.rate(game, id, who, found)
