"""Rate limits: token buckets. The time is an argument.

A bucket holds at most *capacity* tokens and gains *rate* tokens per second. Each message or attempt takes one
token; it is refused if the bucket is empty. All rate limits of the server are token buckets: messages and
lines of a connection, refused joins and failed logins of an address.
"""

from __future__ import annotations

from math import floor
from typing import Final

from mypy_extensions import mypyc_attr

MESSAGES_A_SECOND: Final = 50
"""The limit of messages of a connection in the protocols that count them per second."""
SLACK: Final = 1e-6
"""Tolerance for rounding errors of times."""
MOST_KEYS: Final = 10_000
"""With more keys than this, full buckets are dropped."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TokenBucket:
    """One rate limit (see the module docstring)."""

    def __init__(self, capacity: float, rate: float, step: float = 0.0) -> None:
        """With *step*, tokens are added only at multiples of *step* seconds, for protocols that count per
        second."""
        self._capacity = capacity
        self._rate = rate
        self._step = step
        self._left = capacity
        self._since = 0.0
        self.refused = 0
        """The number of consecutive calls of `take` that found the bucket empty."""

    def take(self, now: float) -> bool:
        """Take a token; if there is none, count it in `refused` and return False."""
        if not self.spend(now):
            self.refused += 1
            return False
        self.refused = 0
        return True

    def spend(self, now: float) -> bool:
        """Take a token without counting refusals; return False if there is none."""
        self._fill(now)
        if self._left < 1.0 - SLACK:
            return False
        self._left = max(0.0, self._left - 1.0)
        return True

    def put_back(self) -> None:
        """Put the last token back, because it was not needed."""
        self._left = min(self._capacity, self._left + 1.0)

    def ready(self) -> float:
        """Return the time at which the next token will be available."""
        return self._since + max(0.0, 1.0 - self._left) / self._rate

    def wait(self, now: float) -> float:
        """Return the seconds until a token is available; 0 if one is available now."""
        self._fill(now)
        return 0.0 if self._left >= 1.0 - SLACK else self.ready() - now

    def full(self, now: float) -> bool:
        """Return True if the bucket is full."""
        self._fill(now)
        return self._left >= self._capacity

    def _fill(self, now: float) -> None:
        passed = max(0.0, now - self._since)
        if self._step:
            passed = max(0, floor(now / self._step) - floor(self._since / self._step)) * self._step
        self._left = min(self._capacity, self._left + passed * self._rate)
        self._since = now


class TokenBuckets:
    """A bucket for each key: the address of a peer, a name, or both."""

    def __init__(self, capacity: float, rate: float) -> None:
        self._capacity = capacity
        self._rate = rate
        self._buckets: dict[object, TokenBucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: object, now: float) -> bool:
        """Take a token of *key*; return False if there is none."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MOST_KEYS:
                self._buckets = {key: one for key, one in self._buckets.items() if not one.full(now)}
            bucket = self._buckets[key] = TokenBucket(self._capacity, self._rate)
        return bucket.take(now)

    def wait(self, key: object, now: float) -> float:
        """Return the seconds until `take` would succeed; 0 if it would now."""
        bucket = self._buckets.get(key)
        return bucket.wait(now) if bucket is not None else 0.0

    def put_back(self, key: object) -> None:
        """Put the last token of *key* back, because it was not needed."""
        bucket = self._buckets.get(key)
        if bucket is not None:
            bucket.put_back()


@mypyc_attr(allow_interpreted_subclasses=True)
class MessageLimit(TokenBucket):
    """Limits the messages of one connection.

    The first message after a question is not counted, because at a table without pauses a fast program is
    asked, and answers, more often than the limit.
    """

    def __init__(self, step: float = 0.0, most: int = MESSAGES_A_SECOND) -> None:
        super().__init__(most, most, step)
        self._question: object = None

    def allows(self, now: float, question: object = None) -> bool:
        """Count a message that arrives while *question* is open; return False if it exceeds the limit."""
        if question is not None and question is not self._question:
            self._question = question
            return True
        return self.take(now)
