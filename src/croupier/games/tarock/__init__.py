"""Slovenian Tarock for four seats, the game of the opentarock protocol of 2014; rules are in README.md."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from croupier.core.contract import Bot, Pace, RandomBot, RulesError, State, View
from croupier.core.deck import CardGame
from croupier.core.options import Value
from croupier.games.tarock import facts
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    ACTIONS,
    CARDS,
    PLAYING,
    RULES_OPTIONS,
    SEATS,
    TABLE_OPTIONS,
    TarockRules,
)


class TarockGame(CardGame):
    """Slovenian Tarock, as the registry of games lists it."""

    name = "tarock"
    title = "Slovenian Tarock"
    rules = "1"
    seats = (SEATS,)
    actions = ACTIONS
    event_types = facts.EVENTS
    view_type = facts.Facts
    options = RULES_OPTIONS
    table_options = TABLE_OPTIONS
    cards = CARDS

    def new(self, options: Mapping[str, Value], seats: int) -> TarockState:
        if seats != SEATS:
            raise RulesError(f"{seats} seats: Tarock is played by {SEATS}")
        return TarockState(TarockRules(options))

    def sample(self, view: View, rng: Random) -> State:
        from croupier.games.tarock.sample import sample

        assert isinstance(view, TarockView)
        return sample(view, rng)

    def trust(self, view: View) -> float:
        assert isinstance(view, TarockView)
        return 0.5 if view.phase == PLAYING else 3.0

    def bots(self) -> Mapping[str, Bot]:
        from croupier.games.tarock.heuristic import Heuristic
        from croupier.games.tarock.stand_in import StandIn

        return {"random": RandomBot(), "default": StandIn(), "heuristic": Heuristic()}

    def stand_in(self) -> Bot:
        from croupier.games.tarock.stand_in import StandIn

        return StandIn()

    def pace(self, options: Mapping[str, Value]) -> Pace:
        from croupier.games.tarock.pace import TarockPace

        return TarockPace(options)


GAME = TarockGame()
