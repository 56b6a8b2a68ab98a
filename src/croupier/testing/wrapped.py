"""A game whose states pass everything on to those of another: tests put a fault or a choice in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from croupier.core.contract import Draw, Game, IllegalAction, State, View
from croupier.core.options import Value


class Wrapped(State):
    """A state that passes everything on to *inner*; subclasses override what should differ.

    Compiled states take no interpreted subclasses; this works with both.
    """

    def __init__(self, inner: State) -> None:
        super().__init__()
        self.inner = inner

    def to_act(self) -> int:
        return self.inner.to_act()

    def awaiting(self) -> Draw | None:
        return self.inner.awaiting()

    def over(self) -> bool:
        return self.inner.over()

    def legal_actions(self, seat: int) -> list[int]:
        return self.inner.legal_actions(seat)

    def why_not(self, seat: int, action: int) -> IllegalAction:
        return self.inner.why_not(seat, action)

    def apply(self, seat: int, action: int) -> None:
        self.inner.events = self.events
        self.inner.apply(seat, action)

    def apply_draw(self, outcome: list[int]) -> None:
        self.inner.events = self.events
        self.inner.apply_draw(outcome)

    def view(self, seat: int) -> View:
        return self.inner.view(seat)

    def deal(self) -> int:
        return self.inner.deal()

    def scores(self) -> list[int]:
        return self.inner.scores()

    def payoffs(self) -> list[float]:
        return self.inner.payoffs()

    def clone(self) -> State:
        return type(self)(self.inner.clone())


class WrappedGame(Game):
    """The game *inner* with every state of it wrapped by *wrap*."""

    def __init__(self, inner: Game, wrap: Callable[[State], State]) -> None:
        self.inner = inner
        self.wrap = wrap
        self.__dict__.update(
            name=inner.name,
            title=inner.title,
            rules=inner.rules,
            seats=inner.seats,
            actions=inner.actions,
            options=inner.options,
            table_options=inner.table_options,
            event_types=inner.event_types,
            view_type=inner.view_type,
        )

    def new(self, options: Mapping[str, Value], seats: int) -> State:
        return self.wrap(self.inner.new(options, seats))

    def sample(self, view: View, rng: Random) -> State:
        return self.inner.sample(view, rng)

    def draw_name(self, item: int) -> str:
        return self.inner.draw_name(item)

    def parse_draw(self, text: str) -> int:
        return self.inner.parse_draw(text)
