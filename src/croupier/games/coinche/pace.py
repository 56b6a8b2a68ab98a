"""The time limits and pauses of a Coinche table (spec 10, runtime options)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value
from croupier.games.coinche.events import Called, DealEnded, DealStarted, Played, TrickStarted
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import BIDDING

ABANDONED: Final = 60.0
"""A match in which no person is left any more stops after this."""


class CoinchePace(Pace):
    """Clocks in seconds, pauses in milliseconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._bid = _number(options, "bid_seconds")
        self._play = _number(options, "play_seconds")
        self._rematch = _number(options, "rematch_seconds")
        self._warn = _number(options, "warn_seconds")
        self._grace = _number(options, "grace_seconds")
        self._most_autos = int(_number(options, "max_auto"))
        self._fill = _number(options, "fill_bots_seconds")
        self._aborts = options["on_quit"] == "abort"
        self._call_pause = _number(options, "call_pause") / 1000
        self._card_pause = _number(options, "card_pause") / 1000
        self._trick_pause = _number(options, "trick_pause") / 1000
        self._deal_pause = _number(options, "deal_pause") / 1000

    def before(self, event: Event) -> float:
        match event:
            case Called():
                return self._call_pause
            case Played():
                return self._card_pause
            case TrickStarted():
                return self._trick_pause if event.number > 1 else 0.0
            case DealEnded():
                return self._trick_pause
            case DealStarted():
                return self._deal_pause if event.deal > 1 else 0.0
        return 0.0

    def limit(self, view: View, person: bool) -> float:
        assert isinstance(view, CoincheView)
        return self._bid if view.phase == BIDDING else self._play

    def rest(self) -> float:
        return self._rematch

    def warning(self) -> float:
        return self._warn

    def absence(self) -> float:
        return self._grace

    def autos(self, connected: bool) -> int:
        return self._most_autos

    def minder(self, connected: bool) -> str:
        return "heuristic"

    def quitting_aborts(self) -> bool:
        return self._aborts

    def abandonment(self) -> float:
        return ABANDONED

    def filling(self) -> float:
        return self._fill if self._fill else -1.0


def _number(options: Mapping[str, Value], name: str) -> float:
    value = options[name]
    assert isinstance(value, int), name
    return float(value)
