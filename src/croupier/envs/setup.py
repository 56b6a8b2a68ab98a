"""The configuration of both environments: a game, its parsed options, its observations as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import index
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier import games
from croupier.core.contract import Game, IllegalAction, State, View
from croupier.core.layout import Field, Layout, Writer, turned
from croupier.core.options import BadOptions, Value
from croupier.envs.native import marks

Floats: TypeAlias = NDArray[np.float32]
EPISODES = ("match", "deal")


class PlainEncoding:
    """The observations of a game without an encoding: who has to act, and the legal actions."""

    def __init__(self, game: Game) -> None:
        self._seats = max(game.seats)
        self._actions = len(game.actions)
        sets = [
            Field("to_act", self._seats, "the seats that have to act, from the own seat on"),
            Field("legal", self._actions, "the legal actions"),
        ]
        self.LAYOUT = Layout(sets, [])

    def encode(self, view: View) -> bytearray:
        """Return *view* as the bytes of an observation."""
        writer = Writer(self.LAYOUT)
        writer.put(turned(view.to_act, max(view.seat, 0), self._seats), self._seats)
        writer.several(view.legal, self._actions)
        return writer.done()


@dataclass(frozen=True, slots=True)
class Setup:
    """A game with its options for an environment."""

    game: Game
    seats: int
    by_deal: bool
    options: Mapping[str, Value]
    layout: Layout
    encode: Callable[[View], bytearray]
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

    def unknown(self, code: int) -> IllegalAction:
        """Return the refusal of a number that is not an action."""
        return IllegalAction("unknown_action", f"action {code}: expected 0…{len(self.game.actions) - 1}")

    def observe(self, view: View) -> Floats:
        """Return *view* as a row of numbers, as described by `layout`."""
        return np.frombuffer(self.encode(view), np.float32)

    def mask(self, view: View) -> NDArray[np.int8]:
        """Return the action mask for the seat of *view*."""
        return np.frombuffer(marks(view.legal, len(self.game.actions), self.reserved), np.int8)
