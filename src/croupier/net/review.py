"""Reviews of finished matches over HTTP, deal by deal, each decision told as soon as it is judged.

A review is computed when somebody asks for it, in a process of its own with low priority. Whoever asks for
the same deal meanwhile reads along; when the last reader goes the process ends, and what was finished is kept
for the next ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

import msgspec
from aiohttp import web

from croupier.bots.strengths import EXPERT, SIMULATIONS
from croupier.core import record
from croupier.games import game as find_game
from croupier.net.api import Handler, Problem, deal_of, finished_match
from croupier.net.reviewer import Order

log = logging.getLogger(__name__)

MOST: Final = 2
"""So many reviews are computed at the same time."""
KEPT: Final = 64
"""So many deals are kept; the one that has not been asked for longest goes first."""
LOOK: Final = 0.5
"""Seconds between two looks whether a reader is still there."""
LONGEST: Final = 1 << 20
"""More than any line of a review has, in bytes."""
BUDGET = SIMULATIONS[EXPERT]

BROKEN: Final = msgspec.json.encode({"key": "broken_off", "words": "the review broke off: try again"}) + b"\n"


class Review:
    """What is known so far about one deal."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.over = False
        """Nothing more will come."""
        self.whole = False
        self.readers = 0
        self._more = asyncio.Event()

    def add(self, line: bytes) -> None:
        self.lines.append(line)
        self._more.set()
        self._more = asyncio.Event()

    async def more(self) -> None:
        """Wait until there is more to read, not for ever."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._more.wait(), LOOK)

    async def compute(self, order: Order) -> None:
        """Let a process do *order*, and take in what it says."""
        try:
            await self._compute(order)
        except (OSError, ValueError) as error:  # no process to be had, or a line without end
            log.warning("a review broke off: %s", error)
        finally:
            self.over = True
            if not self.whole:
                self.add(BROKEN)

    async def _compute(self, order: Order) -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "croupier.net.reviewer"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(msgspec.json.encode(order))
            process.stdin.close()
            async for line in process.stdout:
                self.whole = line.startswith(b'{"done"')
                self.over = self.whole
                self.add(line)
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
            await process.communicate()  # to the end of what it said, so that nothing stays open


class Reviews:
    """The reviews that are being made, and the last ones that were."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], Review] = OrderedDict()
        self._tasks: dict[Review, asyncio.Task[None]] = {}
        """Every review whose process may still run, also of those that nobody knows any more."""

    @property
    def computing(self) -> int:
        return sum(not one.over for one in self._known.values())

    @contextlib.contextmanager
    def reading(self, match: str, deal: int, text: str) -> Iterator[Review]:
        """Give the review of a deal to one reader; *text* is the record of *match*."""
        key = (match, deal)
        review = self._known.get(key)
        if review is None:
            if self.computing >= MOST:
                raise Problem(503, "busy", f"{MOST} other deals are being reviewed: try again in a minute")
            review = self._known[key] = self._start(Order(text, deal, BUDGET))
        self._known.move_to_end(key)
        review.readers += 1
        try:
            yield review
        finally:
            review.readers -= 1
            if not review.readers and not review.whole and self._known.get(key) is review:
                del self._known[key]
                self._end(review)
            self._forget()

    def _start(self, order: Order) -> Review:
        review = Review()
        task = asyncio.get_running_loop().create_task(review.compute(order))
        self._tasks[review] = task
        task.add_done_callback(lambda _: self._tasks.pop(review))
        return review

    def _end(self, review: Review) -> None:
        if review in self._tasks:
            self._tasks[review].cancel()

    def _forget(self) -> None:
        """Drop the oldest of what nobody reads."""
        idle = [key for key, one in self._known.items() if not one.readers]
        for key in idle[: max(0, len(self._known) - KEPT)]:
            del self._known[key]

    async def stop(self) -> None:
        """End every process."""
        tasks = list(self._tasks.values())
        for task in tasks:
            if not task.cancelling():  # a second time would break off the first one's cleaning up
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


REVIEWS = web.AppKey("reviews", Reviews)


async def review(request: web.Request) -> web.StreamResponse:
    """GET /api/matches/<id>/review?deal=<n>"""
    row, written = await finished_match(request)
    deal = deal_of(request)
    deals = (await asyncio.to_thread(record.replay, written, find_game(row.game))).deal()
    if not 1 <= deal <= deals:
        raise Problem(400, "bad_deal", f"deal={deal}: the match has {deals}")
    with request.app[REVIEWS].reading(row.id, deal, record.write(written)) as now:
        return await _told(request, now)


async def _told(request: web.Request, now: Review) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.content_type = "application/x-ndjson"
    with contextlib.suppress(ConnectionError):  # the reader has gone
        await response.prepare(request)
        at = 0
        while True:
            while at < len(now.lines):
                await response.write(now.lines[at])
                at += 1
            if now.over:
                break
            await now.more()
            if request.transport is None or request.transport.is_closing():
                break
    return response


async def stop(app: web.Application) -> None:
    """End what is being computed, as the server stops."""
    await app[REVIEWS].stop()


ROUTES: list[tuple[str, str, Handler]] = [("GET", "/api/matches/{id}/review", review)]
