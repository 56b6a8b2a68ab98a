"""Limits: connections, refused joins, bytes per frame."""

from __future__ import annotations

from typing import Final

from croupier.wire.token_bucket import TokenBuckets

REFUSALS: Final = 3
REFUSAL_WINDOW: Final = 10.0
REFUSAL_DELAY: Final = 1.0
MESSAGE_BYTES: Final = 16 * 1024


class ConnectionCount:
    """Counts the connections of a server."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.count = 0

    def enter(self) -> bool:
        """Count a connection; return False if there are too many and it has to be closed at once."""
        self.count += 1
        return self.count <= self._most

    def leave(self) -> None:
        """Count the end of a connection."""
        self.count -= 1


def refusal_limit() -> TokenBuckets:
    """Return the limit of refused joins per address: beyond it answers are delayed by REFUSAL_DELAY seconds.

    Clients of 2018 reconnect at once and without limit when their connection is closed. The rate delays
    every refusal after the third within REFUSAL_WINDOW seconds.
    """
    return TokenBuckets(REFUSALS, 1 / REFUSAL_WINDOW)
