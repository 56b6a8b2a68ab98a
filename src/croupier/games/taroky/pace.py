"""The pauses and time limits of a Taroky table (spec 5 and 8)."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value
from croupier.games.taroky.events import ContraEnded, DealStarted, IoteEnded, Played, TrickEnded

SHORTEST = 20_000
"""A table's clock runs at least so long, in milliseconds, if it runs at all."""


class TarokyPace(Pace):
    """Options in milliseconds, answers in seconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._limit = _seconds(options["timeout"])
        self._card = _seconds(options["card_pause"])
        self._trick = _seconds(options["trick_pause"])
        self._deal = _seconds(options["deal_pause"])
        self._secret = _seconds(options["secret_pause"])

    def before(self, event: Event) -> float:
        match event:
            case Played():
                return self._card
            case TrickEnded():
                return self._trick
            case DealStarted():
                return self._deal if event.deal > 1 else 0.0
            case ContraEnded() | IoteEnded():
                # The pause runs from what was told before, so it is the least the phase takes, asked or not.
                return self._secret
        return 0.0

    def limit(self, view: View, person: bool) -> float:
        # Programs may have any clock; for people the spec sets a least.
        return max(self._limit, SHORTEST / 1000) if person and self._limit else self._limit

    def rest(self) -> float:
        return self._deal


def _seconds(value: Value) -> float:
    assert isinstance(value, int)
    return value / 1000
