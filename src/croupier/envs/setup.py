"""What both environments are made of: a game, its options read once, its observations as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier import games
from croupier.core.contract import Game, State, View
from croupier.core.layout import Encoded, Layout
from croupier.core.options import BadOptions, Value

Floats: TypeAlias = NDArray[np.float32]
EPISODES = ("match", "deal")


@dataclass(frozen=True, slots=True)
class Setup:
    """A game as it is played in an environment."""

    game: Game
    seats: int
    by_deal: bool
    options: Mapping[str, Value]
    layout: Layout
    encode: Callable[[View], Encoded]
    reserved: frozenset[int]
    """The actions that only a clock may take: no mask has them."""

    @classmethod
    def read(cls, name: str, seats: int | None, episode: str, options: Mapping[str, object]) -> Setup:
        """Return the set-up that these wishes stand for; BadOptions says what is wrong with one."""
        game = games.game(name)
        if episode not in EPISODES:
            raise BadOptions(f"episode={episode!r}: expected one of {', '.join(EPISODES)}")
        many = game.seats[-1] if seats is None else seats
        if many not in game.seats:
            raise BadOptions(f"seats={many}: {name} has {' or '.join(map(str, game.seats))}")
        module = import_module(f"{games.REGISTRY[name]}.encoding")
        values = game.options.read(options)
        reserved = frozenset(game.reserved())
        return cls(game, many, episode == "deal", values, module.LAYOUT, module.encode, reserved)

    def start(self) -> State:
        """Return a match that has not begun."""
        return self.game.new(self.options, self.seats)

    def observe(self, views: Sequence[View]) -> Floats:
        """Return a row of numbers for each view; `layout` says which is which."""
        layout = self.layout
        found = [self.encode(view) for view in views]
        sets = b"".join([layout.pack(one.sets) for one in found])
        bits = np.frombuffer(sets, np.uint8).reshape(len(found), layout.width)
        out = np.empty((len(found), layout.size), np.float32)
        out[:, : layout.bits] = np.unpackbits(bits, axis=1, count=layout.bits, bitorder="little")
        out[:, layout.bits :] = [one.numbers for one in found]
        return out

    def observe_one(self, view: View) -> Floats:
        """Return the row of `observe` for *view* alone, in half the time."""
        layout = self.layout
        found = self.encode(view)
        bits = np.frombuffer(layout.pack(found.sets), np.uint8)
        out = np.empty(layout.size, np.float32)
        out[: layout.bits] = np.unpackbits(bits, count=layout.bits, bitorder="little")
        out[layout.bits :] = found.numbers
        return out

    def mask(self, view: View) -> NDArray[np.int8]:
        """Return a one for every action that the seat of *view* may do."""
        out = bytearray(len(self.game.actions))
        for action in view.legal:
            if action not in self.reserved:
                out[action] = 1
        return np.frombuffer(out, np.int8)
