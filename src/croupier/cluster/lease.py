"""What a node may do by its lease.

The lease is a row in the database and ends by the database's clock. A node knows only when it *sent* its last
successful renewal, by its own monotonic clock, which is earlier. It stops acting `MARGIN` seconds before the
lease can end, and acts again after a renewal: as long as its row is there, nobody has taken over anything.
"""

from __future__ import annotations

from typing import Final

LEASE: Final = 3.0
"""Seconds until others may take over from a node that does not renew its lease."""
MARGIN: Final = 0.5


class Lease:
    """The lease of one node; times are seconds of its monotonic clock."""

    def __init__(self, begun: float, seconds: float = LEASE) -> None:
        """*begun* is when the lease was requested."""
        self._seconds = seconds
        self._renewed = begun
        self._steady_since = begun
        self._lost = False

    def renewed(self, begun: float) -> None:
        """Note that a renewal sent at *begun* has succeeded."""
        if begun - self._renewed > self._seconds - MARGIN:
            self._steady_since = begun  # there was no lease for a while
        self._renewed = max(self._renewed, begun)

    def lose(self) -> None:
        """Note that the row is gone: other nodes have taken over everything for good."""
        self._lost = True

    @property
    def lost(self) -> bool:
        return self._lost

    def acts(self, now: float) -> bool:
        """Return True if the node may serve what it owns."""
        return not self._lost and now - self._renewed < self._seconds - MARGIN

    def may_replace(self, now: float) -> bool:
        """Return True if the node may take over from others whose lease has expired.

        After the database was unavailable, every lease has expired: each node waits as long as a lease
        lasts, so that the others can renew theirs.
        """
        return self.acts(now) and now - self._steady_since >= self._seconds
