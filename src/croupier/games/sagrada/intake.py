"""Split the input of a client into lines, and limit their rate (spec 2, 12.2)."""

from __future__ import annotations

from collections import deque
from typing import Final

from croupier.wire.lines import CR, LF, LineReader, Overlong
from croupier.wire.token_bucket import TokenBucket

CR_SECONDS: Final = 0.05
"""How many seconds a CR waits for an LF that may follow."""
BURST: Final = 40.0
RATE: Final = 20.0
"""The average number of lines per second."""


class Intake:
    """The lines of one client that wait to be answered.

    The first line shows how the client ends its lines: with CR, LF or both. If its CR is the last byte so
    far, all lines wait for a moment, because an LF may follow. After that lines are released at a limited
    rate.
    """

    def __init__(self, reader: LineReader, spaced: bool) -> None:
        """*spaced* is True for the line port, whose lines end with CR LF."""
        self.terminator = "\r\n" if spaced else "\r"
        """The line ending of the lines to send."""
        self._reader = reader
        self._known = spaced
        """Whether the line ending of the client is known."""
        self._due: float | None = None
        """The time until which a CR waits for an LF."""
        self._lines: deque[str | bytes | Overlong] = deque()
        self._bucket = TokenBucket(BURST, RATE)

    def feed(self, data: bytes, now: float) -> None:
        """Add bytes of a stream."""
        self._lines.extend(self._reader.feed(data))
        if not self._known and data:
            self._look(data, now)

    def receive(self, frame: str | bytes) -> None:
        """Add a WebSocket frame, which is a line."""
        self._lines.append(frame)

    def _look(self, data: bytes, now: float) -> None:
        """Find the end of the first line in *data*."""
        if self._due is not None:
            self._decide("\r\n" if data[0] == LF else "\r")
            return
        at = next((at for at, byte in enumerate(data) if byte in (CR, LF)), -1)
        if at < 0:
            return
        if data[at] == LF:
            self._decide("\n")
        elif at + 1 < len(data):
            self._decide("\r\n" if data[at + 1] == LF else "\r")
        else:
            self._due = now + CR_SECONDS

    def _decide(self, terminator: str) -> None:
        self.terminator = terminator
        self._known = True
        self._due = None

    def take(self, now: float) -> list[str | bytes | Overlong]:
        """Return the lines that may be answered now."""
        if self._due is not None:
            if now < self._due:
                return []
            self._decide("\r")
        lines: list[str | bytes | Overlong] = []
        while self._lines and self._bucket.spend(now):
            lines.append(self._lines.popleft())
        return lines

    def wake(self) -> float | None:
        """Return the time at which `take` has more to return without further input, or None."""
        if self._due is not None:
            return self._due
        return self._bucket.ready() if self._lines else None

    @property
    def full(self) -> bool:
        """Return True while lines wait because of the rate limit."""
        return bool(self._lines) and self._due is None

    @property
    def empty(self) -> bool:
        """Return True if no line is waiting."""
        return not self._lines

    def clear(self) -> None:
        """Drop all lines: the connection has ended."""
        self._lines.clear()
