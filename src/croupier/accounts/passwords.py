"""Passwords: argon2 runs in its own threads, so that many simultaneous logins delay only other logins."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from croupier.core.refusal import Refusal

AT_ONCE: Final = 2
"""Each computation takes 19 MiB and 0.1 s of CPU time."""
QUEUE: Final = 50
"""Further requests are refused with `busy`."""

T = TypeVar("T")


class Passwords:
    """Computes and checks hashes."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
        self._waiting = 0
        self._decoy = ""

    async def hash(self, password: str) -> str:
        """Return the hash of *password* to store."""
        return await self._run(lambda: self._hasher.hash(_spelt(password)))

    async def fits(self, kept: str | None, password: str) -> bool:
        """Return True if *kept* is the hash of *password*.

        None, for an unknown name, returns False after the same time.
        """
        return await self._run(lambda: self._fits(kept, password))

    def outdated(self, kept: str) -> bool:
        """Return True if a hash was computed with parameters other than the current ones."""
        return self._hasher.check_needs_rehash(kept)

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False)

    def _fits(self, kept: str | None, password: str) -> bool:
        if not self._decoy:  # even if it is not needed: the time must not depend on it
            self._decoy = self._hasher.hash("no password")
        try:
            self._hasher.verify(kept or self._decoy, _spelt(password))
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= QUEUE:
            raise Refusal("busy", "too many people are logging in at the moment: try again", 5.0)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _spelt(password: str) -> bytes:
    """Return the bytes of *password*, independent of how the keyboard composes letters."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
