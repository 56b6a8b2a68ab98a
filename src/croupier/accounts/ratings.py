"""Ratings of people and bots, computed from their matches.

Ratings are updated match by match in the order in which matches ended and, within a second, by id: the order
in which results are listed. The database stores which matches have been rated, so nothing is lost if the
server stops: the remaining matches are rated after the next start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING

import msgspec

from croupier.accounts.rows import Rating
from croupier.accounts.store import AccountStore
from croupier.core.contract import Game
from croupier.games import game as find_game
from croupier.store.api import PlayerRow, Store, StoreError, report
from croupier.table.setup import cards_given
from croupier.wire.table_spec import TableSpec

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

log = logging.getLogger(__name__)


@cache
def _model() -> PlackettLuce:
    from openskill.models import (
        PlackettLuce,
    )  # the import takes a second, and a server without accounts does not need it

    return PlackettLuce()


def after(
    game: Game, who: Sequence[str], places: Sequence[int], before: Mapping[str, Rating]
) -> dict[str, Rating]:
    """Return the ratings of the players after a match that they finished in *places*, by seat.

    A guest (an empty name) counts as a new player and gets no rating. A bot that sat in several seats gets
    the mean of the results of these seats.
    """
    sides = game.sides(len(who))
    if len(sides) < 2:
        return {}
    model = _model()
    start = {one: model.rating(mu=known.mu, sigma=known.sigma) for one, known in before.items()}
    teams = [[start.get(who[seat]) or model.rating() for seat in side] for side in sides]
    ranks = [float(min(places[seat] for seat in side)) for side in sides]
    brought: dict[str, list[tuple[float, float]]] = {}
    for side, team in zip(sides, model.rate(teams, ranks=ranks), strict=True):
        for seat, one in zip(side, team, strict=True):
            if who[seat]:
                brought.setdefault(who[seat], []).append((one.mu, one.sigma))
    return {
        one: Rating(
            fmean(mu for mu, _ in values),
            fmean(sigma for _, sigma in values),
            (before[one].matches if one in before else 0) + 1,
        )
        for one, values in brought.items()
    }


class Ratings:
    """Rates finished matches, in a task of its own that runs while there are unrated matches."""

    def __init__(
        self, store: Store, accounts: AccountStore, clock_text: Callable[[], str], delay: float = 1.0
    ) -> None:
        """*clock_text()* returns the current time as written in journals, in whole seconds.

        After *delay* seconds no further match can end in the same second as the last one.
        """
        self._store = store
        self._accounts = accounts
        self._clock_text = clock_text
        self._delay = delay
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def update(self) -> None:
        """Start to rate the matches that have ended since the last update."""
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def done(self) -> None:
        """Wait until all finished matches are rated."""
        if self._task is not None:
            await self._task

    async def stop(self) -> None:
        """Stop; the remaining matches are rated after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        while self._again:
            self._again = False
            await asyncio.sleep(self._delay)
            edge = self._clock_text()
            try:
                while rows := await self._accounts.unrated(edge):
                    for id, seats in groupby(rows, key=lambda row: row.match):
                        await self._rate(id, list(seats))
                        break  # the rows of later matches may be incomplete, or depend on this match
            except StoreError as error:
                report(log, error, "rating matches failed; retrying when the next match ends")

    async def _rate(self, id: str, rows: list[PlayerRow]) -> None:
        game = rows[0].game
        who = [row.who for row in rows]
        places = [row.place or 0 for row in rows]
        before = await self._accounts.ratings(game, filter(None, who))
        found: dict[str, Rating] = {}
        try:
            if not await self._fixed(id):
                # In a thread: the import at the first call takes a second.
                found = await asyncio.to_thread(after, find_game(game), who, places, before)
        except StoreError:
            raise
        except Exception:  # a match that cannot be rated must not block all later ones
            log.exception("rating match %s failed; it stays unrated", id)
        await self._accounts.rate(game, id, who, found)

    async def _fixed(self, id: str) -> bool:
        """Return True if a player could know the cards of match *id* in advance: it is not rated."""
        match = await self._store.match(id)
        table = await self._store.table(match.table) if match is not None else None
        if table is None:
            return False
        return cards_given(find_game(table.game), msgspec.json.decode(table.config, type=TableSpec))
