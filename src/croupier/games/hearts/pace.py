"""The pauses and time limits of a Hearts table (spec 4.2 and 5.1)."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value
from croupier.games.hearts.events import (
    DealEnded,
    DealStarted,
    ExposingStarted,
    GameEnded,
    PassingStarted,
    Played,
    RoundStarted,
)
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import EXPOSING, PASSING, PLAYING


class HeartsPace(Pace):
    """Options in milliseconds, answers in seconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._command = _seconds(options["command_interval"])
        self._round = _seconds(options["round_interval"])
        self._deal = _seconds(options["deal_interval"])
        self._only_turns = options["count_timeouts"] == "turns"
        # By phase: for a program, for a person.
        self._pass = _seconds(options["pass_cards_timeout"]), _seconds(options["human_pass_timeout"])
        self._expose = _seconds(options["expose_cards_timeout"]), _seconds(options["human_expose_timeout"])
        self._play = _seconds(options["pick_card_timeout"]), _seconds(options["human_pick_timeout"])

    def before(self, event: Event) -> float:
        match event:
            case Played() | PassingStarted() | ExposingStarted() | DealEnded():
                return self._command
            case RoundStarted():
                return self._round if event.number == 1 else self._command + self._round
            case DealStarted():
                return self._deal if event.deal > 1 else 0.0
            case GameEnded():
                return self._deal
        return 0.0

    def limit(self, view: View, person: bool) -> float:
        assert isinstance(view, HeartsView)
        if view.phase == PASSING:
            return self._pass[person]
        if view.phase == EXPOSING:
            return self._expose[person]
        return self._play[person]

    def counts(self, view: View) -> bool:
        assert isinstance(view, HeartsView)
        return not self._only_turns or view.phase == PLAYING

    def rest(self) -> float:
        return self._deal


def _seconds(value: Value) -> float:
    assert isinstance(value, int)
    return value / 1000
