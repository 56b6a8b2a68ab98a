"""Coins: all players hide up to three coins, five times, and score them unless they exceed a die in total."""

from collections.abc import Mapping
from random import Random

from croupier.core.contract import PUBLIC, ActionTable, Draw, Event, Game, IllegalAction, Plain, State, View
from croupier.core.options import OptionTable, Value


class Fact(Event):
    def __init__(self, audience: int, kind: str, news: dict[str, list[int]]) -> None:
        super().__init__(audience)
        self.kind, self.news = kind, news

    def plain(self) -> Plain:
        return {"kind": self.kind, **self.news}


class CoinsView(View):
    known: dict[str, list[int]]

    def hear(self, event: Event) -> None:
        assert isinstance(event, Fact)
        self.known = self.known | event.news

    def facts(self) -> Plain:
        return {**self.known}


class CoinsState(State):
    def __init__(self, coins: list[int], points: list[int], rolled: list[int]) -> None:
        super().__init__()
        self.coins, self.points, self.rolled = coins[:], points[:], rolled[:]

    def to_act(self) -> int:
        return 0 if self.over() else sum(1 << seat for seat, coins in enumerate(self.coins) if coins < 0)

    def awaiting(self) -> Draw | None:
        return None if self.over() or self.to_act() else Draw([1, 2, 3, 4, 5, 6], 1, replace=True)

    def over(self) -> bool:
        return len(self.rolled) == 5

    def legal_actions(self, seat: int) -> list[int]:
        return [0, 1, 2, 3] if seat >= 0 and self.to_act() >> seat & 1 else []

    def why_not(self, seat: int, action: int) -> IllegalAction:
        return IllegalAction("not_now", f"seat {seat} may not do {action} now")

    def apply(self, seat: int, action: int) -> None:
        if action not in self.legal_actions(seat):
            raise self.why_not(seat, action)
        self.coins[seat] = action
        if self.events is not None:
            self.events.append(Fact(1 << seat, "hidden", {"mine": [action]}))

    def apply_draw(self, outcome: list[int]) -> None:
        (self.awaiting() or Draw([], 1)).check(outcome)
        gain = 1 if sum(self.coins) <= outcome[0] else 0
        points = [old + gain * new for old, new in zip(self.points, self.coins, strict=True)]
        self.rolled, self.points, self.coins = self.rolled + outcome, points, [-1] * len(points)
        if self.events is not None:
            self.events.append(Fact(PUBLIC, "scored", {"rolled": self.rolled, "points": points, "mine": []}))

    def view(self, seat: int) -> CoinsView:
        view = CoinsView(seat)
        view.to_act, view.legal = self.to_act(), self.legal_actions(seat)
        mine = [coins for coins in self.coins[seat : seat + 1] if seat >= 0 and coins >= 0]
        view.known = {"rolled": self.rolled, "points": self.points, "mine": mine}
        return view

    def deal(self) -> int:
        return len(self.rolled)

    def scores(self) -> list[int]:
        return self.points[:]

    def clone(self) -> State:
        return CoinsState(self.coins, self.points, self.rolled)


class Coins(Game):
    name, title, rules, seats = "coins", "Coins", "1", (2, 3)
    actions = ActionTable([("hide", ["0", "1", "2", "3"])])
    options = table_options = OptionTable([])

    def new(self, options: Mapping[str, Value], seats: int) -> CoinsState:
        return CoinsState([-1] * seats, [0] * seats, [])

    def sample(self, view: View, rng: Random) -> CoinsState:
        assert isinstance(view, CoinsView)
        state = CoinsState([], view.known["points"], view.known["rolled"])
        for seat in range(len(state.points)):
            hidden = view.known["mine"] if seat == view.seat else [rng.randrange(4)]
            state.coins += [-1] if state.over() or view.to_act >> seat & 1 else hidden
        return state


GAME = Coins()
