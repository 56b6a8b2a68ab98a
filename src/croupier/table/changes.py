"""A counter of changes, for those who show something that changes."""

from __future__ import annotations

import asyncio


class Changing:
    """Counts the changes of something, so that readers know when to read it again."""

    def __init__(self) -> None:
        self.changes = 0
        """Counts the changes."""
        self._changed = asyncio.Event()

    async def changed(self, since: int) -> int:
        """Wait until `changes` is not *since*; return it."""
        while self.changes == since:
            self._changed.clear()
            await self._changed.wait()
        return self.changes

    def _change(self) -> None:
        self.changes += 1
        self._changed.set()
