"""The pauses and time limits of a Hearts table (spec 4.2 and 5.1)."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value, seconds_of
from croupier.games.hearts.events import (
    DealEnded,
    DealStarted,
    ExposingStarted,
    GameEnded,
    PassingStarted,
    Played,
    TrickStarted,
)
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import EXPOSING, PASSING, PLAYING


class HeartsPace(Pace):
    """Options in milliseconds, answers in seconds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._card_pause = seconds_of(options, "command_interval")
        self._trick_pause = seconds_of(options, "round_interval")
        self._deal_pause = seconds_of(options, "deal_interval")
        self._game_pause = seconds_of(options, "game_interval")
        self._only_turns = options["count_timeouts"] == "turns"
        # By phase: for a program, for a person.
        self._pass_seconds = (
            seconds_of(options, "pass_cards_timeout"),
            seconds_of(options, "human_pass_timeout"),
        )
        self._expose_seconds = (
            seconds_of(options, "expose_cards_timeout"),
            seconds_of(options, "human_expose_timeout"),
        )
        self._play_seconds = (
            seconds_of(options, "pick_card_timeout"),
            seconds_of(options, "human_pick_timeout"),
        )

    def before(self, event: Event) -> float:
        match event:
            case Played() | PassingStarted() | ExposingStarted() | DealEnded():
                return self._card_pause
            case TrickStarted():
                return self._trick_pause if event.number == 1 else self._card_pause + self._trick_pause
            case DealStarted():
                return self._deal_pause if event.deal > 1 else 0.0
            case GameEnded():
                return self._deal_pause
        return 0.0

    def limit(self, view: View, person: bool) -> float:
        assert isinstance(view, HeartsView)
        if view.phase == PASSING:
            return self._pass_seconds[person]
        if view.phase == EXPOSING:
            return self._expose_seconds[person]
        return self._play_seconds[person]

    def counts(self, view: View) -> bool:
        assert isinstance(view, HeartsView)
        return not self._only_turns or view.phase == PLAYING

    def rest(self) -> float:
        # Clients that leave after a game need time to join again before the next one.
        return max(self._deal_pause, self._game_pause)
