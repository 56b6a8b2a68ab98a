"""Hearts for four seats, as the Trend Hearts SDK of 2018 played it; the rules are in README.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from croupier.core.contract import Bot, Pace, Plain, RandomBot, RulesError, State, View
from croupier.core.deck import CardGame
from croupier.core.hidden import Odds
from croupier.core.options import Preset, Value
from croupier.games.hearts import facts
from croupier.games.hearts.protocol import HeartsProtocol
from croupier.games.hearts.refusals import REFUSALS
from croupier.games.hearts.state import HeartsState
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import (
    ACTIONS,
    CARDS,
    RULES_OPTIONS,
    SEATS,
    TABLE_OPTIONS,
    HeartsRules,
)


class HeartsGame(CardGame):
    """Hearts, as the registry of games lists it."""

    name = "hearts"
    title = "Hearts"
    rules = "1"
    seats = (SEATS,)
    actions = ACTIONS
    event_types = facts.EVENTS
    view_type = facts.Facts
    options = RULES_OPTIONS
    table_options = TABLE_OPTIONS
    cards = CARDS
    protocol = HeartsProtocol()
    refusals = REFUSALS.templates
    presets = (
        # Each deal has 26 points: after 16 deals a player has 100.
        Preset(
            "plain",
            {
                "match_games": 1,
                "deals": 16,
                "target": 100,
                "expose": False,
                "ten_of_clubs": False,
                "moon": "zero",
            },
        ),
        Preset("game", {"match_games": 1}),
        Preset("match"),
    )
    short: ClassVar[Mapping[str, Value]] = {"deals": 1, "match_games": 1}
    clocks = ("pass_cards_timeout", "expose_cards_timeout", "pick_card_timeout")
    person_clocks = ("human_pass_timeout", "human_expose_timeout", "human_pick_timeout")
    for_people: ClassVar[Mapping[str, Value]] = {
        "command_interval": 500,
        "round_interval": 1200,
        "deal_interval": 4000,
    }
    penalties = True
    commands: ClassVar[Mapping[str, Sequence[str]]] = {
        "hearts-node": ("croupier.games.hearts.node", "hearts_node", "Run the Trend Hearts game node.")
    }

    def new(self, options: Mapping[str, Value], seats: int) -> HeartsState:
        if seats != SEATS:
            raise RulesError(f"{seats} seats: Hearts is played by {SEATS}")
        return HeartsState(HeartsRules(options))

    def sample(self, view: View, rng: Random) -> State:
        from croupier.games.hearts.sample import sample

        assert isinstance(view, HeartsView)
        return sample(view, rng)

    def sample_by(self, view: View, rng: Random, odds: Odds) -> State:
        from croupier.games.hearts.sample import sample

        assert isinstance(view, HeartsView)
        return sample(view, rng, odds)

    def reasons(self, view: View) -> list[Plain]:
        from croupier.games.hearts.reasons import reasons

        assert isinstance(view, HeartsView)
        return reasons(view)

    def bots(self) -> Mapping[str, Bot]:
        from croupier.games.hearts.dummy import Dummy
        from croupier.games.hearts.heuristic import Heuristic

        return {"random": RandomBot(), "dummy": Dummy(), "heuristic": Heuristic()}

    def stand_in(self) -> Bot:
        from croupier.games.hearts.stand_in import StandIn

        return StandIn()

    def pace(self, options: Mapping[str, Value]) -> Pace:
        from croupier.games.hearts.pace import HeartsPace

        return HeartsPace(options)


GAME = HeartsGame()
