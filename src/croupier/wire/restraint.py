"""How much one client may ask: messages a second, errors in a row."""

from __future__ import annotations

from collections import deque
from typing import Final

MESSAGES_A_SECOND: Final = 50
ERRORS_IN_A_ROW: Final = 100


class Restraint:
    """Counts what one client sends."""

    def __init__(self) -> None:
        self._arrivals: deque[float] = deque(maxlen=MESSAGES_A_SECOND)
        self._question: object = None
        self._errors = 0

    def floods(self, now: float, question: object) -> bool:
        """Take note of a message that comes while *question* is open; say whether it is one too many.

        The first one after a question is not counted: at a table without pauses a fast program is asked,
        and answers, more often than that.
        """
        if question is not None and question is not self._question:
            self._question = question
            return False
        full = len(self._arrivals) == MESSAGES_A_SECOND
        if full and now - self._arrivals[0] < 1.0:
            return True
        self._arrivals.append(now)
        return False

    def erred(self) -> bool:
        """Take note of an error; say whether there were too many since the last success."""
        self._errors += 1
        return self._errors >= ERRORS_IN_A_ROW

    def succeeded(self) -> None:
        self._errors = 0
