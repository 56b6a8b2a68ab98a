"""The seed of the deal under way: committed to before its first draw, revealed after its last card."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core.chance import Stream, commitment
from croupier.core.contract import Draw, State
from croupier.table import journal
from croupier.wire import talk


class Dealing:
    """One seed a deal, for every draw in it."""

    def __init__(self, stream: Callable[[bytes], Stream]) -> None:
        self._new_stream = stream
        self._deal = 0
        self._seed = ""
        self._stream: Stream | None = None
        self.published: talk.Committed | None = None
        """What was told of the seed of the deal under way."""

    def needs_seed(self, state: State, draw: Draw) -> bool:
        """Say whether *draw* opens a deal that has no seed yet."""
        return draw.take > 0 and self._deal != state.deal() + 1

    def open(self, entry: journal.Committed) -> talk.Committed:
        """Begin a deal with its seed; return what is published of it."""
        seed = bytes.fromhex(entry.seed)
        self._deal = entry.deal
        self._seed = entry.seed
        self._stream = self._new_stream(seed)
        self.published = talk.Committed(entry.deal, commitment(seed))
        return self.published

    def draw(self, draw: Draw) -> list[int]:
        """Return what chance gives; an empty draw needs none."""
        return self._stream.draw(draw) if draw.take and self._stream is not None else []

    def seed_due(self, state: State) -> bool:
        """Say whether the deal has ended and its seed is still secret."""
        return self._stream is not None and state.deal() >= self._deal

    def reveal(self) -> talk.Revealed:
        """Give away the seed of the deal that has ended."""
        self._stream = None
        self.published = None
        return talk.Revealed(self._deal, self._seed)
