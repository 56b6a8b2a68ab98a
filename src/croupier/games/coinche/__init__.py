"""Coinche for four seats in two teams, as the jCoinche note of 2016 intended it; rules are in README.md."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from croupier.core.contract import Bot, Pace, Plain, RandomBot, RulesError, State, View
from croupier.core.deck import CardGame
from croupier.core.hidden import Odds
from croupier.core.options import Preset, Value
from croupier.games.coinche import facts
from croupier.games.coinche.protocol import CoincheProtocol
from croupier.games.coinche.refusals import REFUSALS
from croupier.games.coinche.state import CoincheState
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import (
    ACTIONS,
    DRAWN,
    PLAYING,
    RULES_OPTIONS,
    SEATS,
    TABLE_OPTIONS,
    CoincheRules,
)


class CoincheGame(CardGame):
    """Coinche, as the registry of games lists it."""

    name = "coinche"
    title = "Coinche"
    rules = "1"
    seats = (SEATS,)
    actions = ACTIONS
    event_types = facts.EVENTS
    view_type = facts.Facts
    options = RULES_OPTIONS
    table_options = TABLE_OPTIONS
    cards = DRAWN
    protocol = CoincheProtocol()
    refusals = REFUSALS.templates
    presets = (
        Preset("short", {"target": 500}),
        Preset("standard"),
        Preset("club", {"rounding": "nearest10", "undertrump": "free"}),
        Preset("whole", {"coinche_scope": "all", "rounding": "nearest10"}),
        Preset("announced", {"scoring": "contract_only"}),
        Preset(
            "contree",
            {
                "undertrump": "free",
                "surcoinche_factor": 3,
                "belote_on_loss": "winner",
                "capot_closes": False,
                "allow_generale": False,
                "allow_ta_sa": False,
            },
        ),
    )
    short: ClassVar[Mapping[str, Value]] = {"target": 100}
    clocks = ("bid_seconds", "play_seconds")
    for_people: ClassVar[Mapping[str, Value]] = {
        "call_pause": 700,
        "card_pause": 600,
        "trick_pause": 1400,
        "deal_pause": 7000,
    }

    def new(self, options: Mapping[str, Value], seats: int) -> CoincheState:
        if seats != SEATS:
            raise RulesError(f"{seats} seats: Coinche is played by {SEATS}")
        return CoincheState(CoincheRules(options))

    def rematch(self, options: Mapping[str, Value], state: State) -> Mapping[str, Value]:
        """Let the next seat deal first in a rematch (R9.3)."""
        assert isinstance(state, CoincheState)
        return {**options, "first_dealer": str(int(state.dealer + 1) % SEATS + 1)}

    def sides(self, seats: int) -> list[list[int]]:
        return [[0, 2], [1, 3]]

    def sample(self, view: View, rng: Random) -> State:
        from croupier.games.coinche.sample import sample

        assert isinstance(view, CoincheView)
        return sample(view, rng)

    def sample_by(self, view: View, rng: Random, odds: Odds) -> State:
        from croupier.games.coinche.sample import sample

        assert isinstance(view, CoincheView)
        return sample(view, rng, odds)

    def trust(self, view: View) -> float:
        assert isinstance(view, CoincheView)
        return 0.5 if view.phase == PLAYING else 10.0  # playouts say little about calls

    def reasons(self, view: View) -> list[Plain]:
        from croupier.games.coinche.reasons import reasons

        assert isinstance(view, CoincheView)
        return reasons(view)

    def bots(self) -> Mapping[str, Bot]:
        from croupier.games.coinche.heuristic import Heuristic

        return {"random": RandomBot(), "heuristic": Heuristic()}

    def stand_in(self) -> Bot:
        from croupier.games.coinche.stand_in import StandIn

        return StandIn()

    def pace(self, options: Mapping[str, Value]) -> Pace:
        from croupier.games.coinche.pace import CoinchePace

        return CoinchePace(options)


GAME = CoincheGame()
