"""A histogram of durations for operators: a few integers, cheap enough for the path of a move."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper bounds of the buckets, in seconds; longer durations are in a last bucket."""


class Histogram:
    """How many durations fell into each bucket, and their sum."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """Count one duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def buckets(self) -> list[tuple[str, int]]:
        """Return the upper bound of each bucket and how many durations do not exceed it."""
        total = 0
        found: list[tuple[str, int]] = []
        for bound, many in zip([*map(str, BOUNDS), "+Inf"], self.counts, strict=True):
            total += many
            found.append((bound, total))
        return found
