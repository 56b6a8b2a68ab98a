"""The limits of one client: messages per second, consecutive errors."""

from __future__ import annotations

from typing import Final

from croupier.wire.token_bucket import MessageLimit

ERRORS_IN_A_ROW: Final = 100


class ClientLimits(MessageLimit):
    """Counts the messages and errors of one client."""

    def __init__(self) -> None:
        super().__init__()
        self._errors = 0

    def erred(self) -> bool:
        """Count an error; return True if there were too many since the last success."""
        self._errors += 1
        return self._errors >= ERRORS_IN_A_ROW

    def succeeded(self) -> None:
        self._errors = 0
