"""Many matches of one game, stepped together; the loop over them is compiled (native.py)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.core.contract import IllegalAction
from croupier.core.dice import Dice
from croupier.envs.native import WORD, Matches
from croupier.envs.setup import Floats, Setup

Ints: TypeAlias = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Turn:
    """The next decision in each of the *n* matches, and the results of the last step; the arrays are new."""

    seats: NDArray[np.uint8]
    """The seat to act (n)."""
    masks: NDArray[np.bool_]
    """Its legal actions (n × actions)."""
    observations: Floats
    """Its observation (n × size of the layout; n × 0 without observations)."""
    rewards: Floats
    """The rewards of an episode that ended with this step, else 0 (n × seats)."""
    ended: NDArray[np.bool_]
    """Whether an episode ended; the next one has already begun (n)."""


class VectorEnv:
    """*n* matches: `reset` begins them all, `step` does one action in each."""

    def __init__(self, setup: Setup, n: int, observations: bool) -> None:
        if n < 1:
            raise ValueError(f"n={n}: expected at least 1 match")
        self.setup = setup
        self.n = n
        self.actions = len(setup.game.actions)
        self.observes = observations
        width = -(-self.actions // WORD)
        self._words = np.zeros((n, width), np.uint64)
        self._seats = np.zeros(n, np.uint8)
        self._rows = np.arange(n)
        self._matches: Matches | None = None

    def reset(self, seed: int | None = None) -> Turn:
        """Begin *n* new matches; with a *seed* everything that follows is reproducible."""
        dice = Dice(secrets.randbits(64) if seed is None else seed)
        width = self._words.shape[1]
        setup = self.setup
        assert len(setup.reserved) <= 1, "the loop supports one reserved action"
        reserved = next(iter(setup.reserved), -1)
        self._matches = Matches(setup.start(), self.n, width, setup.by_deal, reserved, dice)
        self._words[:] = 0
        self._matches.begin(self._words.reshape(-1).data, self._seats.data)
        return self._turn(np.zeros((self.n, setup.seats), np.float32), np.zeros(self.n, np.bool_))

    def step(self, actions: ArrayLike) -> Turn:
        """Do one action in each match; if one is illegal, raise IllegalAction and do none."""
        matches = self._begun()
        codes = self._checked(np.asarray(actions))
        rewards = np.zeros((self.n, self.setup.seats), np.float32)
        ended = np.zeros(self.n, np.uint8)
        self._words[:] = 0
        matches.step(
            codes.astype("<u2").tobytes(),
            self._words.reshape(-1).data,
            self._seats.data,
            cast(
                "memoryview[float]", rewards.reshape(-1).data
            ),  # numpy's type stubs declare every buffer as integers
            ended.data,
        )
        return self._turn(rewards, ended.view(np.bool_))

    def random(self) -> NDArray[np.uint16]:
        """Return a random action for each match, uniform over the legal ones."""
        out = np.empty(self.n, np.uint16)
        self._begun().random(out.data)
        return out

    def _turn(self, rewards: Floats, ended: NDArray[np.bool_]) -> Turn:
        width = self._words.shape[1]
        octets = self._words.astype("<u8", copy=False).view(np.uint8).reshape(self.n, width, 8)
        packed = octets[:, :, : WORD // 8].reshape(self.n, -1)
        masks = np.unpackbits(packed, axis=1, count=self.actions, bitorder="little").view(np.bool_)
        return Turn(self._seats.copy(), masks, self._observed(), rewards, ended)

    def _observed(self) -> Floats:
        if not self.observes:
            return np.empty((self.n, 0), np.float32)
        encoded = self._begun().observed(self.setup.encode)
        return np.frombuffer(encoded, np.float32).reshape(self.n, self.setup.layout.size)

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
        at = np.where(known, codes, 0).astype(np.uint64)
        fine = known & (self._words[self._rows, at // WORD] >> at % WORD & 1 == 1)
        if not fine.all():
            match = int(np.argmin(fine))
            code = int(codes[match])
            why = self._begun().why_not(match, code) if known[match] else self.setup.unknown(code)
            raise IllegalAction(why.key, f"match {match}: {why}")
        return codes
