"""The pauses and time limits of a Tarock table (spec C8 and F)."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value, seconds_of
from croupier.games.tarock.events import (
    Announced,
    DealEnded,
    DealStarted,
    ExchangeEnded,
    KingCalled,
    Played,
    SetTaken,
    Spoke,
)


class TarockPace(Pace):
    """The options are in milliseconds, the results in seconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._turn_seconds = seconds_of(options, "turn_timeout_ms")
        self._call_pause = seconds_of(options, "call_pause_ms")
        self._card_pause = seconds_of(options, "card_pause_ms")
        self._trick_pause = seconds_of(options, "trick_pause_ms")
        self._deal_pause = seconds_of(options, "deal_pause_ms")
        self._people = True

    def before(self, event: Event) -> float:
        match event:
            case Spoke() | KingCalled() | SetTaken() | ExchangeEnded() | Announced():
                return self._call_pause
            case Played():
                return self._trick_pause if event.leads else self._card_pause
            case DealEnded():
                return self._trick_pause
            case DealStarted():
                return self._deal_pause if event.deal > 1 and self._people else 0.0
        return 0.0

    def limit(self, view: View, person: bool) -> float:
        return self._turn_seconds

    def rest(self) -> float:
        return self._deal_pause

    def begin(self, people: bool) -> None:
        self._people = people

    def autos(self, connected: bool) -> int:
        return 3 if connected else 1
