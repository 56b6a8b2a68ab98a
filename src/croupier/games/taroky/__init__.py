"""Taroky for four seats, Texan-Czech, with Taroky Notation; the rules are in README.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from croupier.core.contract import Bot, Pace, Plain, RandomBot, RulesError, State, View
from croupier.core.deck import CardGame
from croupier.core.hidden import Odds
from croupier.core.options import Preset, Value
from croupier.games.taroky import facts
from croupier.games.taroky.bodies import BODIES
from croupier.games.taroky.protocol import TarokyProtocol
from croupier.games.taroky.refusals import REFUSALS
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    ACTIONS,
    CARDS,
    PLAYING,
    RULES_OPTIONS,
    SEATS,
    TABLE_OPTIONS,
    TarokyRules,
)


class TarokyGame(CardGame):
    """Taroky, as the registry of games lists it."""

    name = "taroky"
    title = "Taroky"
    rules = "1"
    seats = (SEATS,)
    actions = ACTIONS
    event_types = facts.EVENTS
    view_type = facts.Facts
    body_types = BODIES
    options = RULES_OPTIONS
    table_options = TABLE_OPTIONS
    cards = CARDS
    protocol = TarokyProtocol()
    refusals = REFUSALS.templates
    presets = (
        Preset("short", {"hands": 4}),
        Preset("match"),
        Preset("tournament", {"ace_high": True}),
        Preset("single", {"hands": 1}),
    )
    short: ClassVar[Mapping[str, Value]] = {"hands": 1}
    clocks = ("timeout",)
    for_people: ClassVar[Mapping[str, Value]] = {
        "timeout": 120_000,
        "card_pause": 700,
        "trick_pause": 1600,
        "deal_pause": 9000,
        "secret_pause": 1500,
    }
    http = "croupier.games.taroky.http"
    pages = ("/notation",)
    commands: ClassVar[Mapping[str, Sequence[str]]] = {
        "notation": (
            "croupier.games.taroky.commands",
            "notation",
            "Check, show, settle, replay, import or export Taroky Notation.",
        )
    }

    def new(self, options: Mapping[str, Value], seats: int) -> TarokyState:
        if seats != SEATS:
            raise RulesError(f"{seats} seats: Taroky is played by {SEATS}")
        return TarokyState(TarokyRules(options))

    def sample(self, view: View, rng: Random) -> State:
        from croupier.games.taroky.sample import sample

        assert isinstance(view, TarokyView)
        return sample(view, rng)

    def sample_by(self, view: View, rng: Random, odds: Odds) -> State:
        from croupier.games.taroky.sample import sample

        assert isinstance(view, TarokyView)
        return sample(view, rng, odds)

    def trust(self, view: View) -> float:
        assert isinstance(view, TarokyView)
        return 0.5 if view.phase == PLAYING else 3.0

    def reasons(self, view: View) -> list[Plain]:
        from croupier.games.taroky.reasons import reasons

        assert isinstance(view, TarokyView)
        return reasons(view)

    def bots(self) -> Mapping[str, Bot]:
        from croupier.games.taroky.heuristic import Heuristic
        from croupier.games.taroky.stand_in import StandIn

        return {"random": RandomBot(), "default": StandIn(), "heuristic": Heuristic()}

    def stand_in(self) -> Bot:
        from croupier.games.taroky.stand_in import StandIn

        return StandIn()

    def pace(self, options: Mapping[str, Value]) -> Pace:
        from croupier.games.taroky.pace import TarokyPace

        return TarokyPace(options)


GAME = TarokyGame()
