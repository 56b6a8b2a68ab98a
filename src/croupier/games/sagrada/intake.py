"""Between a socket and the reading of lines: how lines end, and how many may come (spec 2, 12.2)."""

from __future__ import annotations

from typing import Final

from croupier.wire.lines import CR, LF

PATIENCE: Final = 0.05
"""How long a CR waits for the LF that may belong to it."""
BURST: Final = 40.0
RATE: Final = 20.0
"""Lines a second that may come for ever."""
SLACK: Final = 1e-6
"""Sums of moments are not exact."""


class Latch:
    """Finds out how a client ends its lines: by CR, LF or both."""

    def __init__(self) -> None:
        self.found = ""
        """The end of the client's first line, once it is known."""
        self.due: float | None = None
        """When a CR has waited long enough."""

    def see(self, data: bytes, now: float) -> None:
        """Look at what has come, up to the end of the first line."""
        if self.found or not data:
            return
        if self.due is not None:
            self._decide("\r\n" if data[0] == LF else "\r")
            return
        ends = [at for at, byte in enumerate(data) if byte in (CR, LF)]
        if not ends:
            return
        at = ends[0]
        if data[at] == LF:
            self._decide("\n")
        elif at + 1 < len(data):
            self._decide("\r\n" if data[at + 1] == LF else "\r")
        else:
            self.due = now + PATIENCE

    def tick(self, now: float) -> None:
        """Take the CR for what it is when nothing has followed."""
        if self.due is not None and now >= self.due:
            self._decide("\r")

    def _decide(self, found: str) -> None:
        self.found = found
        self.due = None


class Bucket:
    """A store of lines that fills with time."""

    def __init__(self) -> None:
        self._left = BURST
        self._since = 0.0

    def take(self, now: float) -> bool:
        """Let one line through, if there is one left."""
        self._left = min(BURST, self._left + max(0.0, now - self._since) * RATE)
        self._since = now
        if self._left < 1.0 - SLACK:
            return False
        self._left = max(0.0, self._left - 1.0)
        return True

    def ready(self) -> float:
        """Return when the next line may come through."""
        return self._since + max(0.0, 1.0 - self._left) / RATE
