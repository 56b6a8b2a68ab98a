"""The pauses and time limits of a Taroky table (spec 5 and 8)."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value, number_of, seconds_of
from croupier.games.taroky.events import (
    ContraCalled,
    ContraEnded,
    DealStarted,
    IoteEnded,
    MatchEnded,
    Played,
    TrickTaken,
)
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import BOT_OF, PLAYING, SECRET

SHORTEST = 20_000
"""The shortest time limit for people in milliseconds, if there is a limit."""
ABSENCE = 20.0
"""Seconds after which a bot decides for a disconnected player."""
EXPIRIES = 10
"""A seat is away after more late answers in a row than this."""


class TarokyPace(Pace):
    """The options are in milliseconds, the results in seconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._turn_seconds = seconds_of(options, "timeout")
        self._card_pause = seconds_of(options, "card_pause")
        self._trick_pause = seconds_of(options, "trick_pause")
        self._deal_pause = seconds_of(options, "deal_pause")
        self._secret_pause = seconds_of(options, "secret_pause")
        self._bot_card_seconds = seconds_of(options, "bot_play_time")
        self._bot_call_seconds = seconds_of(options, "bot_think_time")
        self._bot = BOT_OF[number_of(options, "difficulty")]

    def before(self, event: Event) -> float:
        match event:
            case Played():
                return self._card_pause
            case TrickTaken():
                return self._trick_pause
            case DealStarted():
                return self._deal_pause if event.deal > 1 else 0.0
            case MatchEnded():
                return self._deal_pause  # people want to see the last settlement too
        return 0.0

    def floor(self, event: Event) -> float:
        return self._secret_pause if isinstance(event, ContraCalled | ContraEnded | IoteEnded) else 0.0

    def thinking(self, view: View) -> float:
        assert isinstance(view, TarokyView)
        if view.phase in SECRET:
            return 0.0  # the time must not reveal who is asked
        return self._bot_card_seconds if view.phase == PLAYING else self._bot_call_seconds

    def limit(self, view: View, person: bool) -> float:
        # Programs may have any limit; for people the spec sets a minimum.
        if person and self._turn_seconds:
            return max(self._turn_seconds, SHORTEST / 1000)
        return self._turn_seconds

    def counts(self, view: View) -> bool:
        assert isinstance(view, TarokyView)
        return view.phase not in SECRET  # being shown as away afterwards would reveal who was asked

    def absence(self) -> float:
        return ABSENCE

    def autos(self, connected: bool) -> int:
        return EXPIRIES + 1

    def absence_bot(self, connected: bool) -> str:
        return "" if connected else self._bot

    def rest(self) -> float:
        return self._deal_pause
