"""The pauses and time limits of a Taroky table (spec 5 and 8)."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value
from croupier.games.taroky.events import (
    ContraCalled,
    ContraEnded,
    DealStarted,
    IoteEnded,
    MatchEnded,
    Played,
    TrickEnded,
)
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import BOT_OF, PLAYING, SECRET

SHORTEST = 20_000
"""A table's clock runs at least so long, in milliseconds, if it runs at all."""
ABSENCE = 20.0
"""So long a player may be gone before a bot decides for him."""
EXPIRIES = 10
"""After more late answers in a row a seat is away."""


class TarokyPace(Pace):
    """Options in milliseconds, answers in seconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._limit = _seconds(options["timeout"])
        self._card = _seconds(options["card_pause"])
        self._trick = _seconds(options["trick_pause"])
        self._deal = _seconds(options["deal_pause"])
        self._secret = _seconds(options["secret_pause"])
        self._bot_card = _seconds(options["bot_play_time"])
        self._bot_call = _seconds(options["bot_think_time"])
        difficulty = options["difficulty"]
        assert isinstance(difficulty, int)
        self._bot = BOT_OF[difficulty]

    def before(self, event: Event) -> float:
        match event:
            case Played():
                return self._card
            case TrickEnded():
                return self._trick
            case DealStarted():
                return self._deal if event.deal > 1 else 0.0
            case MatchEnded():
                return self._deal  # the last settlement too is to be looked at
        return 0.0

    def floor(self, event: Event) -> float:
        return self._secret if isinstance(event, ContraCalled | ContraEnded | IoteEnded) else 0.0

    def thinking(self, view: View) -> float:
        assert isinstance(view, TarokyView)
        if view.phase in SECRET:
            return 0.0  # time must not tell who is asked
        return self._bot_card if view.phase == PLAYING else self._bot_call

    def limit(self, view: View, person: bool) -> float:
        # Programs may have any clock; for people the spec sets a least.
        return max(self._limit, SHORTEST / 1000) if person and self._limit else self._limit

    def counts(self, view: View) -> bool:
        assert isinstance(view, TarokyView)
        return view.phase not in SECRET  # being away from then on would tell who was asked

    def absence(self) -> float:
        return ABSENCE

    def autos(self, connected: bool) -> int:
        return EXPIRIES + 1

    def minder(self, connected: bool) -> str:
        return "" if connected else self._bot

    def rest(self) -> float:
        return self._deal


def _seconds(value: Value) -> float:
    assert isinstance(value, int)
    return value / 1000
