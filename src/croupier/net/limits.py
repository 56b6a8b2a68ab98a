"""How much one peer may ask: frames a second, refused joins a while."""

from __future__ import annotations

from collections import deque
from typing import Final

FRAMES_A_SECOND: Final = 50
REFUSALS: Final = 3
REFUSAL_WINDOW: Final = 10.0
REFUSAL_DELAY: Final = 1.0
MESSAGE_BYTES: Final = 16 * 1024


class Crowd:
    """Counts the connections of a server."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.count = 0

    def enter(self) -> bool:
        """Take note of a connection; False when there is no room for it, and it is to end at once."""
        self.count += 1
        return self.count <= self._most

    def leave(self) -> None:
        """The connection has ended."""
        self.count -= 1


class FrameLimit:
    """Counts the frames of one connection in whole seconds; what is over is to be ignored.

    The first frame after a question is not counted: at a table without pauses a fast program is asked,
    and answers, more often than that.
    """

    def __init__(self, most: int = FRAMES_A_SECOND) -> None:
        self._most = most
        self._second = -1
        self._count = 0
        self._question: object = None

    def allows(self, now: float, question: object = None) -> bool:
        """Take note of a frame, sent while *question* is open; False when this second has had enough."""
        if question is not None and question is not self._question:
            self._question = question
            return True
        if int(now) != self._second:
            self._second = int(now)
            self._count = 0
        self._count += 1
        return self._count <= self._most

    def just_passed(self) -> bool:
        """Say whether the last frame was the first one too many of its second."""
        return self._count == self._most + 1


class RefusalLimit:
    """Slows down addresses whose joins are refused again and again.

    Clients of 2018 come back at once and without end when they are turned away.
    """

    def __init__(self) -> None:
        self._refused: dict[str, deque[float]] = {}

    def delay(self, address: str, now: float) -> float:
        """Take note of a refusal and return how long to keep it back."""
        times = self._refused.setdefault(address, deque())
        while times and now - times[0] > REFUSAL_WINDOW:
            times.popleft()
        times.append(now)
        if len(self._refused) > 10_000:
            self._refused = {a: t for a, t in self._refused.items() if t and now - t[-1] <= REFUSAL_WINDOW}
        return REFUSAL_DELAY if len(times) > REFUSALS else 0.0


class Attempts:
    """Counts attempts by whatever names who makes them; more than *most* in *window* seconds are too many."""

    def __init__(self, most: int, window: float) -> None:
        self._most = most
        self._window = window
        self._times: dict[object, deque[float]] = {}

    def wait(self, by: object, now: float) -> float:
        """Return how long to wait before the next attempt; 0 is not at all."""
        times = self._recent(by, now)
        return times[0] + self._window - now if len(times) >= self._most else 0.0

    def note(self, by: object, now: float) -> None:
        """Take note of an attempt."""
        if len(self._times) > 10_000:
            self._times = {key: times for key in self._times if (times := self._recent(key, now))}
        self._times.setdefault(by, deque(maxlen=self._most)).append(now)

    def forgive(self, by: object) -> None:
        """Take back the last attempt: it was a good one."""
        times = self._times.get(by)
        if times:
            times.pop()

    def _recent(self, by: object, now: float) -> deque[float]:
        times = self._times.get(by, deque())
        while times and now - times[0] > self._window:
            times.popleft()
        return times
