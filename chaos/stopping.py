"""Ctrl-C or SIGTERM in the middle of a goal: what was found so far is reported."""

from __future__ import annotations

import signal
from types import FrameType


class Stopping:
    """Whether the program was asked to stop.

    A goal of many independent cases asks from time to time, and ends early; any other ends at once.
    """

    def __init__(self) -> None:
        self.asked = False
        self.heeded = False
        """True while a goal runs that asks."""

    def listen(self) -> None:
        """Be asked by signals from now on; the second one ends any goal at once."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        at_once = self.asked or not self.heeded
        self.asked = True
        if at_once:
            raise KeyboardInterrupt


stopping = Stopping()
