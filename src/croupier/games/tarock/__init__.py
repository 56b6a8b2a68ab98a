"""Slovenian Tarock for four seats, the game of the opentarock protocol of 2014; rules are in README.md."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from croupier.core.contract import Bot, Pace, Plain, RandomBot, RulesError, State, View
from croupier.core.deck import CardGame
from croupier.core.hidden import Odds
from croupier.core.options import Preset, Value
from croupier.games.tarock import facts
from croupier.games.tarock.protocol import TarockProtocol
from croupier.games.tarock.refusals import REFUSALS
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
    protocol = TarockProtocol()
    refusals = REFUSALS.templates
    presets = (
        Preset("short", {"deals": 4}),
        Preset("match"),
        Preset("kontra", {"deals": 4, "kontra": True}),
        Preset(  # the options of the preset with this name in the protocol
            "exact",
            {
                "rounding": 1,
                "mond_penalty": 21,
                "radelc_end": 40,
                "discard_tarocks": "free",
                "silent_ultimo_penalty": False,
                "open_beggar_reveal": "at_start",
            },
        ),
    )
    short: ClassVar[Mapping[str, Value]] = {"deals": 1}
    clocks = ("turn_timeout_ms",)
    for_people: ClassVar[Mapping[str, Value]] = {
        "turn_timeout_ms": 120_000,
        "call_pause_ms": 700,
        "card_pause_ms": 600,
        "trick_pause_ms": 1600,
        "deal_pause_ms": 8000,
    }
    http = "croupier.games.tarock.http"

    def new(self, options: Mapping[str, Value], seats: int) -> TarockState:
        if seats != SEATS:
            raise RulesError(f"{seats} seats: Tarock is played by {SEATS}")
        return TarockState(TarockRules(options))

    def sample(self, view: View, rng: Random) -> State:
        from croupier.games.tarock.sample import sample

        assert isinstance(view, TarockView)
        return sample(view, rng)

    def sample_by(self, view: View, rng: Random, odds: Odds) -> State:
        from croupier.games.tarock.sample import sample

        assert isinstance(view, TarockView)
        return sample(view, rng, odds)

    def trust(self, view: View) -> float:
        assert isinstance(view, TarockView)
        return 0.5 if view.phase == PLAYING else 3.0

    def reasons(self, view: View) -> list[Plain]:
        from croupier.games.tarock.reasons import reasons

        assert isinstance(view, TarockView)
        return reasons(view)

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
