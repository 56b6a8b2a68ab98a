"""Passwords: argon2 in threads of its own, so that a flood of logins costs others nothing but the logins."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE: Final = 2
"""Each takes 19 MiB and a tenth of a second of a processor."""
QUEUE: Final = 50
"""More do not wait: they are told to come back."""

T = TypeVar("T")


class TooBusy(Exception):
    """So many passwords are being checked that another one would wait for too long."""


class Passwords:
    """Makes and checks hashes."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
        self._waiting = 0
        self._decoy = ""

    async def hash(self, password: str) -> str:
        """Return what is kept of *password*."""
        return await self._run(lambda: self._hasher.hash(_spelt(password)))

    async def fits(self, kept: str | None, password: str) -> bool:
        """Say whether *kept* is of *password*; None, for a name that nobody has, takes as long."""
        return await self._run(lambda: self._fits(kept, password))

    def outdated(self, kept: str) -> bool:
        """Say whether a hash was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(kept)

    def close(self) -> None:
        """Let the threads end."""
        self._threads.shutdown(wait=False)

    def _fits(self, kept: str | None, password: str) -> bool:
        if not self._decoy:  # also where it is not needed, for time must not tell
            self._decoy = self._hasher.hash("nobody's")
        try:
            self._hasher.verify(kept or self._decoy, _spelt(password))
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= QUEUE:
            raise TooBusy
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _spelt(password: str) -> bytes:
    """Return the bytes of *password*, however a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
