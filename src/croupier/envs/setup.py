"""The configuration of all environments: a game, its parsed options, its observations as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index

import numpy as np
from numpy.typing import NDArray

from croupier import games
from croupier.core.contract import Game, IllegalAction, Refusals, State, View
from croupier.core.layout import Field, Layout, Writer, turned
from croupier.core.options import BadOptions, Value
from croupier.envs.arrays import Array, Encode, Masks, Observations

EPISODES = ("match", "deal")


class PlainEncoding:
    """The observations of a game without an encoding: who has to act, and the legal actions."""

    def __init__(self, game: Game) -> None:
        self._seats = max(game.seats)
        self._actions = len(game.actions)
        sets = [
            Field("to_act", self._seats, "the seats that have to act, starting with the observer's"),
            Field("legal", self._actions, "the legal actions"),
        ]
        self.LAYOUT = Layout(sets, [])

    def encode(self, view: View, out: Writer) -> None:
        """Write the observation of *view*."""
        out.put(turned(view.to_act, max(view.seat, 0), self._seats), self._seats)
        out.several(view.legal, self._actions)


@dataclass(frozen=True, slots=True)
class Setup:
    """A game with its options for an environment."""

    game: Game
    seats: int
    by_deal: bool
    options: Mapping[str, Value]
    layout: Layout
    encode: Encode
    reserved: frozenset[int]
    """The actions that only a clock may take: no mask contains them."""

    @classmethod
    def read(cls, name: str, seats: int | None, episode: str, options: Mapping[str, object]) -> Setup:
        """Return the configuration for these arguments; raise BadOptions for an invalid one."""
        game = games.game(name)
        if episode not in EPISODES:
            raise BadOptions(f"episode={episode!r}: expected one of {', '.join(EPISODES)}")
        try:
            many = game.seats[-1] if seats is None else index(seats)
        except TypeError:
            raise BadOptions(f"seats={seats!r}: expected a number") from None
        if many not in game.seats:
            raise BadOptions(f"seats={many}: {name} has {' or '.join(map(str, game.seats))}")
        module = games.part(game, "encoding") or PlainEncoding(game)
        values = game.options.read(options)
        reserved = frozenset(game.reserved())
        return cls(game, many, episode == "deal", values, module.LAYOUT, module.encode, reserved)

    def start(self) -> State:
        """Return a match that has not begun."""
        return self.game.new(self.options, self.seats)

    def refused(self, code: int) -> IllegalAction | None:
        """Return why no seat may do *code* (it is not an action, or only a clock may do it), or None."""
        shared = Refusals(self.game.actions, {})
        if not 0 <= code < len(self.game.actions):
            return shared.unknown(code)
        if code in self.reserved:
            return shared.of("reserved.environment", code)
        return None

    def observe(self, view: View) -> Array:
        """Return *view* as a row of numbers, as described by `layout`."""
        return self.observations(1, "float32").of_view(view)

    def mask(self, view: View) -> NDArray[np.int8]:
        """Return the action mask for the seat of *view*."""
        found = np.zeros(len(self.game.actions), np.int8)
        found[[action for action in view.legal if action not in self.reserved]] = 1
        return found

    def observations(self, rows: int, dtype: str) -> Observations:
        """Return room for *rows* observations."""
        return Observations(self.layout, self.encode, rows, dtype)

    def masks(self, rows: int) -> Masks:
        """Return room for *rows* masks."""
        return Masks(len(self.game.actions), self.reserved, rows)
