"""A game with every kind of draw, for tests of records: cards dealt, bids at once, dice in mid-deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.core.contract import PUBLIC, ActionTable, Draw, Event, Game, IllegalAction, RulesError, State
from croupier.core.options import Option, OptionTable, Value

CARDS: Final = ["C1", "C2", "C3", "C4", "C5", "C6"]
FACES: Final = ["1", "2", "3", "4", "5", "6"]


class Scored(Event):
    def __init__(self, deal: int) -> None:
        super().__init__(PUBLIC)
        self.deal = deal


class ToyState(State):
    def __init__(self, deals: int) -> None:
        super().__init__()
        self.deals = deals
        self.ended = 0
        self.cards: list[int] = []
        self.bids: dict[int, int] = {}
        self.points = [0, 0]

    def to_act(self) -> int:
        if self.over() or self.awaiting() is not None:
            return 0
        return sum(1 << seat for seat in range(2) if seat not in self.bids)

    def awaiting(self) -> Draw | None:
        if self.over():
            return None
        if not self.cards:
            return Draw(list(range(6)), 2)
        return Draw(list(range(10, 16)), 2, replace=True) if len(self.bids) == 2 else None

    def over(self) -> bool:
        return self.ended == self.deals

    def legal_actions(self, seat: int) -> list[int]:
        return [0, 1] if self.to_act() >> seat & 1 else []

    def why_not(self, seat: int, action: int) -> IllegalAction:
        return IllegalAction("not_now", f"seat {seat} is not to act")

    def apply(self, seat: int, action: int) -> None:
        if action not in self.legal_actions(seat):
            raise self.why_not(seat, action)
        self.bids[seat] = action

    def apply_draw(self, outcome: list[int]) -> None:
        if not self.cards:
            self.cards = outcome
            return
        for seat in range(2):
            self.points[seat] += self.cards[seat] + (outcome[seat] if self.bids[seat] else 0) - 8
        self.cards = []
        self.bids = {}
        self.ended += 1
        if self.events is not None:
            self.events.append(Scored(self.ended))

    def deal(self) -> int:
        return self.ended

    def scores(self) -> list[int]:
        return self.points[:]


class Toy(Game):
    name = "toy"
    title = "Toy"
    rules = "3"
    seats = (2,)
    actions = ActionTable([("hold", []), ("bid", ["1,1"])])
    options = OptionTable([Option("deals", 2, "deals in a match", low=1, high=5)])
    table_options = OptionTable([])

    def new(self, options: Mapping[str, Value], seats: int) -> ToyState:
        deals = options["deals"]
        assert isinstance(deals, int)
        return ToyState(deals)

    def draw_name(self, item: int) -> str:
        return CARDS[item] if item < 10 else FACES[item - 10]

    def parse_draw(self, text: str) -> int:
        if text in CARDS:
            return CARDS.index(text)
        if text in FACES:
            return FACES.index(text) + 10
        raise RulesError(f"unknown item {text!r}: expected one like 'C1' or '6'")


TOY: Final = Toy()
