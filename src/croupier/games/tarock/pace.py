"""The pauses and time limits of a Tarock table (spec C8 and F)."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value
from croupier.games.tarock.events import DealStarted


class TarockPace(Pace):
    """Options in milliseconds, answers in seconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._turn = _seconds(options["turn_timeout_ms"])
        self._deal = _seconds(options["deal_pause_ms"])

    def before(self, event: Event) -> float:
        return self._deal if isinstance(event, DealStarted) and event.deal > 1 else 0.0

    def limit(self, view: View, person: bool) -> float:
        return self._turn

    def rest(self) -> float:
        return self._deal


def _seconds(value: Value) -> float:
    assert isinstance(value, int)
    return value / 1000
