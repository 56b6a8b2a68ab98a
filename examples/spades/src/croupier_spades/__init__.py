"""Spades for four players in two partnerships, as a package of its own; the rules are in README.md."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from croupier.core.contract import Bot, Event, Pace, RandomBot, RulesError, State, View
from croupier.core.deck import CardGame
from croupier.core.options import Preset, Value, number_of, seconds_of
from croupier_spades.events import Bid, DealEnded, DealStarted, Played, TrickTaken
from croupier_spades.heuristic import Heuristic
from croupier_spades.sample import sample
from croupier_spades.state import REFUSALS, SpadesState
from croupier_spades.view import SpadesView
from croupier_spades.vocabulary import ACTIONS, BIDDING, CARDS, RULES_OPTIONS, SEATS, TABLE_OPTIONS


class SpadesPace(Pace):
    """The pauses and the time limit of a table."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._turn = float(number_of(options, "turn_seconds"))
        self._card, self._trick, self._deal = (
            seconds_of(options, name) for name in ("card_pause", "trick_pause", "deal_pause")
        )

    def before(self, event: Event) -> float:
        match event:
            case Bid() | Played() | DealEnded():
                return self._card
            case TrickTaken():
                return self._trick
            case DealStarted():
                return self._deal if event.deal > 1 else 0.0
        return 0.0

    def limit(self, view: View, person: bool) -> float:
        return self._turn


class SpadesGame(CardGame):
    """Spades, as the registry of games lists it."""

    name = "spades"
    title = "Spades"
    rules = "1"
    seats = (SEATS,)
    actions = ACTIONS
    options = RULES_OPTIONS
    refusals = REFUSALS.templates
    table_options = TABLE_OPTIONS
    cards = CARDS
    presets = (
        Preset("short", {"target": 250}),
        Preset("match"),
        Preset("plain", {"nil": False, "sandbags": False}),
    )
    short: ClassVar[Mapping[str, Value]] = {"target": 50}
    clocks = ("turn_seconds",)
    for_people: ClassVar[Mapping[str, Value]] = {"card_pause": 600, "trick_pause": 1400, "deal_pause": 5000}

    def new(self, options: Mapping[str, Value], seats: int) -> SpadesState:
        if seats != SEATS:
            raise RulesError(f"{seats} seats: Spades is played by {SEATS}")
        return SpadesState(options)

    def sides(self, seats: int) -> list[list[int]]:
        return [[0, 2], [1, 3]]

    def sample(self, view: View, rng: Random) -> State:
        assert isinstance(view, SpadesView)
        return sample(view, rng)

    def trust(self, view: View) -> float:
        assert isinstance(view, SpadesView)
        return 10.0 if view.phase == BIDDING else 0.5  # playouts say little about bids

    def bots(self) -> Mapping[str, Bot]:
        return {"random": RandomBot(), "heuristic": Heuristic()}

    def stand_in(self) -> Bot:
        return Heuristic()

    def pace(self, options: Mapping[str, Value]) -> Pace:
        return SpadesPace(options)


GAME = SpadesGame()
