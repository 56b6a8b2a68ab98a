"""The time limits and pauses of a Coinche table (spec 10, runtime options)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value, number_of, seconds_of
from croupier.games.coinche.events import Called, DealEnded, DealStarted, Played, TrickStarted
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import BIDDING

ABANDONED: Final = 60.0
"""Seconds after which a match without any person stops."""


class CoinchePace(Pace):
    """The options give time limits in seconds and pauses in milliseconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._bid_seconds = float(number_of(options, "bid_seconds"))
        self._play_seconds = float(number_of(options, "play_seconds"))
        self._rematch_seconds = float(number_of(options, "rematch_seconds"))
        self._warn_seconds = float(number_of(options, "warn_seconds"))
        self._grace_seconds = float(number_of(options, "grace_seconds"))
        self._most_autos = number_of(options, "max_auto")
        self._fill_seconds = float(number_of(options, "fill_bots_seconds"))
        self._aborts = options["on_quit"] == "abort"
        self._call_pause = seconds_of(options, "call_pause")
        self._card_pause = seconds_of(options, "card_pause")
        self._trick_pause = seconds_of(options, "trick_pause")
        self._deal_pause = seconds_of(options, "deal_pause")

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
        return self._bid_seconds if view.phase == BIDDING else self._play_seconds

    def rest(self) -> float:
        return self._rematch_seconds

    def warning(self) -> float:
        return self._warn_seconds

    def absence(self) -> float:
        return self._grace_seconds

    def autos(self, connected: bool) -> int:
        return self._most_autos

    def absence_bot(self, connected: bool) -> str:
        return "heuristic"

    def quitting_aborts(self) -> bool:
        return self._aborts

    def abandonment(self) -> float:
        return ABANDONED

    def filling(self) -> float:
        return self._fill_seconds if self._fill_seconds else -1.0
