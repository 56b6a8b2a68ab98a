"""The pauses and time limits of a Tarock table (spec C8 and F)."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value
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
    """Options in milliseconds, answers in seconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._turn = _seconds(options["turn_timeout_ms"])
        self._call = _seconds(options["call_pause_ms"])
        self._card = _seconds(options["card_pause_ms"])
        self._trick = _seconds(options["trick_pause_ms"])
        self._deal = _seconds(options["deal_pause_ms"])
        self._people = True

    def before(self, event: Event) -> float:
        match event:
            case Spoke() | KingCalled() | SetTaken() | ExchangeEnded() | Announced():
                return self._call
            case Played():
                return self._trick if event.leads else self._card
            case DealEnded():
                return self._trick
            case DealStarted():
                return self._deal if event.deal > 1 and self._people else 0.0
        return 0.0

    def limit(self, view: View, person: bool) -> float:
        return self._turn

    def rest(self) -> float:
        return self._deal

    def begin(self, people: bool) -> None:
        self._people = people

    def autos(self, connected: bool) -> int:
        return 3 if connected else 1


def _seconds(value: Value) -> float:
    assert isinstance(value, int)
    return value / 1000
