"""A dice-drafting game for one to four seats; the rules are in README.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from croupier.core.contract import Bot, Game, Pace, RandomBot, RulesError, State, View
from croupier.core.options import Preset, Value
from croupier.games.sagrada import facts
from croupier.games.sagrada.protocol import GlassProtocol
from croupier.games.sagrada.refusals import REFUSALS
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    ACTIONS,
    CANCEL,
    FORFEIT,
    ITEM_CODES,
    ITEMS,
    RULES_OPTIONS,
    TABLE_OPTIONS,
    GlassRules,
)


class GlassGame(Game):
    """The dice game, as the registry of games lists it."""

    name = "sagrada"
    title = "Glass Workshop"
    rules = "1"
    seats = (1, 2, 3, 4)
    actions = ACTIONS
    event_types = facts.EVENTS
    view_type = facts.Facts
    options = RULES_OPTIONS
    table_options = TABLE_OPTIONS
    protocol = GlassProtocol()
    refusals = REFUSALS.templates
    presets = (
        Preset("two", seats=2),
        Preset("three", seats=3),
        Preset("four", seats=4),
        Preset("alone", seats=1),
        Preset("hard", {"solo_tools": 1}, seats=1),
    )
    short: ClassVar[Mapping[str, Value]] = {"rounds": 2}
    clocks = ("schema_time", "extract_time", "turn_time")
    for_people: ClassVar[Mapping[str, Value]] = {
        "schema_time": 180,
        "extract_time": 60,
        "turn_time": 240,
        "turn_interval": 1200,
    }

    def reserved(self) -> Sequence[int]:
        return (FORFEIT,)

    def retreats(self) -> Sequence[int]:
        return (CANCEL,)

    def new(self, options: Mapping[str, Value], seats: int) -> GlassState:
        if seats not in self.seats:
            raise RulesError(f"{seats} seats: expected 1 to 4")
        return GlassState(GlassRules(options, seats))

    def sample(self, view: View, rng: Random) -> State:
        from croupier.games.sagrada.sample import sample

        assert isinstance(view, GlassView)
        return sample(view, rng)

    def draw_name(self, item: int) -> str:
        return ITEMS[item]

    def parse_draw(self, text: str) -> int:
        if text not in ITEM_CODES:
            raise RulesError(f"unknown item {text!r}: expected one like 'R', '4' or 'tool5'")
        return ITEM_CODES[text]

    def trust(self, view: View) -> float:
        return 3.0

    def bots(self) -> Mapping[str, Bot]:
        from croupier.games.sagrada.heuristic import Heuristic

        return {"random": RandomBot(), "heuristic": Heuristic()}

    def stand_in(self) -> Bot:
        from croupier.games.sagrada.stand_in import StandIn

        return StandIn()

    def pace(self, options: Mapping[str, Value]) -> Pace:
        from croupier.games.sagrada.pace import GlassPace

        return GlassPace(options)


GAME = GlassGame()
