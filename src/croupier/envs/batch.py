"""Many matches of one game, stepped together; the loop over them is compiled (native.py)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from croupier.core.contract import Bot, IllegalAction
from croupier.core.dice import Dice
from croupier.envs.arrays import Array
from croupier.envs.native import Matches
from croupier.envs.setup import Setup

Ints: TypeAlias = NDArray[np.integer]
Floats: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Turn:
    """The next decision in each of the *n* matches, and the results of the last step; the arrays are new."""

    seats: NDArray[np.uint8]
    """The seat to act (n)."""
    masks: NDArray[np.bool_]
    """Its legal actions (n × actions)."""
    observations: Array
    """Its observation (n × size of the layout; n × 0 without observations)."""
    rewards: Floats
    """The rewards of an episode that ended with this step, else 0 (n × seats)."""
    ended: NDArray[np.bool_]
    """True if an episode ended; the next one has already begun (n)."""


class VectorEnv:
    """*n* matches: `reset` begins them all, `step` does one action in each.

    With *bots* only one seat per match is asked for its decisions: the seat *own*, or a random one in each
    episode if *own* is None. The bots play the other seats, in playing order after that seat.
    """

    def __init__(
        self,
        setup: Setup,
        n: int,
        observations: bool,
        dtype: str,
        bots: list[Bot] | None = None,
        own: int | None = None,
    ) -> None:
        if n < 1:
            raise ValueError(f"n={n}: expected at least 1 match")
        assert len(setup.reserved) <= 1, "the loop supports one reserved action"
        self.setup = setup
        self.n = n
        self.actions = len(setup.game.actions)
        self.observes = observations
        self._seen = setup.observations(n if observations else 1, dtype)
        self._masks = setup.masks(n)
        self._bots = bots
        self._own = -1 if own is None else own
        self._rows = np.arange(n)
        self._legal = np.zeros((n, self.actions), np.uint8)
        self._matches: Matches | None = None

    def reset(self, seed: int | None = None) -> Turn:
        """Begin *n* new matches; with a *seed* everything that follows is reproducible."""
        setup = self.setup
        self._matches = Matches(
            setup.start(),
            self.n,
            setup.by_deal,
            Dice(secrets.randbits(64) if seed is None else seed),
            self._masks.out,
            self._seen.out if self.observes else None,
            setup.encode,
            next(iter(setup.reserved), -1),
            self._bots,
            self._own,
        )
        self._matches.begin()
        return self._turn(np.zeros((self.n, setup.seats), np.float32), np.zeros(self.n, np.bool_))

    def step(self, actions: ArrayLike) -> Turn:
        """Do one action in each match; if one is illegal, raise IllegalAction and do none."""
        matches = self._begun()
        codes = self._checked(np.asarray(actions))
        rewards = np.zeros((self.n, self.setup.seats), np.float32)
        ended = np.zeros(self.n, np.uint8)
        # numpy's type stubs declare every buffer as integers
        matches.step(
            codes.astype("<u2").tobytes(), cast("memoryview[float]", rewards.reshape(-1).data), ended.data
        )
        return self._turn(rewards, ended.view(np.bool_))

    def space(self) -> spaces.Box:
        """Return the space of one observation."""
        return self._seen.space()

    def random(self) -> NDArray[np.uint16]:
        """Return a random action for each match, uniform over the legal ones."""
        out = np.empty(self.n, np.uint16)
        self._begun().random(out.data)
        return out

    def _turn(self, rewards: Floats, ended: NDArray[np.bool_]) -> Turn:
        self._legal = self._masks.array()
        seats = np.frombuffer(self._begun().seats, np.int64).astype(np.uint8)  # type: ignore[call-overload]  # a vec is a buffer
        seen = self._seen.array() if self.observes else np.empty((self.n, 0), np.float32)
        return Turn(seats, self._legal.view(np.bool_).copy(), seen, rewards, ended)

    def _begun(self) -> Matches:
        if self._matches is None:
            raise RuntimeError("the matches have not begun: call reset() first")
        return self._matches

    def _checked(self, codes: Ints) -> Ints:
        if codes.shape != (self.n,) or not np.issubdtype(codes.dtype, np.integer):
            raise ValueError(
                f"actions of shape {codes.shape} and type {codes.dtype}: expected {self.n} integers"
            )
        known = (codes >= 0) & (codes < self.actions)
        fine = known & (self._legal[self._rows, np.where(known, codes, 0)] == 1)
        if not fine.all():
            match = int(np.argmin(fine))
            code = int(codes[match])
            why = self.setup.refused(code) or self._begun().why_not(match, code)
            raise IllegalAction(why.reason, f"match {match}: {why}", why.arguments)
        return codes
