"""Reviews of finished matches, deal by deal; each finding is sent as soon as it is computed.

A review is computed on request, in a process of its own with low priority. All readers of a deal share one
process, which is killed when the last of them disconnects. Finished reviews are kept for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator
from typing import Final

import msgspec

from croupier.bots.strengths import EXPERT, SIMULATIONS
from croupier.core.refusal import Refusal
from croupier.reviews.hint import HintOrder
from croupier.reviews.worker import Order
from croupier.table.bot_task import BotTask

log = logging.getLogger(__name__)

MOST: Final = 2
"""How many reviews are computed at the same time."""
KEPT: Final = 64
"""How many deals are kept; the least recently requested one is dropped first."""
LOOK: Final = 0.5
"""Seconds between two checks that a reader is still connected."""
LONGEST: Final = 1 << 20
"""The maximum size of a line of the process, in bytes; lines of reviews are shorter."""
BUDGET = SIMULATIONS[EXPERT]

BROKEN: Final = msgspec.json.encode({"key": "broken_off", "words": "the review failed: try again"}) + b"\n"


class Review:
    """The lines of a review of one deal so far."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.over = False
        """True when no more lines will be added."""
        self.whole = False
        self.readers = 0
        self.address = ""
        """The address of its first reader."""
        self._more = asyncio.Event()

    def add(self, line: bytes) -> None:
        self.lines.append(line)
        self._more.set()
        self._more = asyncio.Event()

    async def more(self) -> None:
        """Wait until there is more to read, at most LOOK seconds."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._more.wait(), LOOK)

    async def compute(self, order: Order) -> None:
        """Run a process for *order*, and collect its lines."""
        try:
            await self._compute(order)
        except (OSError, ValueError) as error:  # the process could not be started, or a line is too long
            log.warning("review failed: %s; its readers are told to try again", error)
        finally:
            self.over = True
            if not self.whole:
                self.add(BROKEN)

    async def _compute(self, order: Order) -> None:
        async with contextlib.aclosing(_lines(order)) as lines:
            async for line in lines:
                self.whole = line.startswith(b'{"done"')
                self.over = self.whole
                self.add(line)


async def _lines(order: Order | HintOrder) -> AsyncGenerator[bytes, None]:
    """Run a process for *order*, and yield its lines; kill it if they are no longer wanted."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "croupier.reviews.worker"),
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
            yield line
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.communicate()  # read to the end, so that no pipe stays open


class Reviews:
    """The running reviews and the last finished ones."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], Review] = OrderedDict()
        self._tasks: dict[Review, asyncio.Task[None]] = {}
        """All reviews whose process may still run, including dropped ones."""
        self._hints: set[str] = set()
        """The addresses for which a hint is being computed."""

    @property
    def computing(self) -> int:
        return sum(not one.over for one in self._known.values())

    @contextlib.contextmanager
    def reading(self, match: str, deal: int, text: str, address: str = "") -> Iterator[Review]:
        """Give the review of a deal to one reader at *address*; *text* is the record of *match*.

        For one address only one review is computed at a time.
        """
        key = (match, deal)
        review = self._known.get(key)
        if review is None:
            if self.computing >= MOST:
                raise Refusal("busy", f"{MOST} other deals are being reviewed: try again in a minute")
            if address and any(one.address == address and not one.over for one in self._known.values()):
                words = "another deal is being reviewed for your address: try again in a minute"
                raise Refusal("busy", words)
            review = self._known[key] = self._start(Order(text, deal, BUDGET))
            review.address = address
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
        """Drop the oldest reviews without readers."""
        idle = [key for key, one in self._known.items() if not one.readers]
        for key in idle[: max(0, len(self._known) - KEPT)]:
            del self._known[key]

    async def hint(self, task: BotTask, address: str) -> bytes:
        """Return the hint for the seat of *task* as JSON; one at a time for each address."""
        if address in self._hints or len(self._hints) >= MOST:
            raise Refusal("busy", "other hints are being computed: try again in a few seconds")
        self._hints.add(address)
        try:
            async with contextlib.aclosing(_lines(HintOrder(task, BUDGET))) as lines:
                async for line in lines:
                    return line
        except OSError as error:
            log.warning("hint failed: %s; the player is told to try again", error)
        finally:
            self._hints.discard(address)
        raise Refusal("busy", "the hint could not be computed: try again")

    async def stop(self) -> None:
        """End every process."""
        tasks = list(self._tasks.values())
        for task in tasks:
            if not task.cancelling():  # a second cancellation would interrupt the cleanup of the first
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
