"""How many lines a connection may send (spec 14, flood)."""

from __future__ import annotations

from typing import Final

RATE: Final = 50.0
"""Lines a second on average."""
BURST: Final = 200.0
PATIENCE: Final = 1000
"""So many lines above the limit in a row end the connection."""


class Bucket:
    """A store of lines that fills with time. Whoever asks when it is empty is counted."""

    def __init__(self) -> None:
        self._left = BURST
        self._since = 0.0
        self.refused = 0
        """How many lines in a row have come while it was empty."""

    def take(self, now: float) -> bool:
        """Let one line through, if there is room for it."""
        if not self.spend(now):
            self.refused += 1
            return False
        self.refused = 0
        return True

    def spend(self, now: float) -> bool:
        """Count a line that has its answer anyway; say whether there was room for it."""
        self._left = min(BURST, self._left + max(0.0, now - self._since) * RATE)
        self._since = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
