"""One seat to train, against the bots of the house: environments of Gymnasium, for one match and for many."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from operator import index
from random import Random
from typing import Any, SupportsIndex, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from croupier.bots.strengths import players
from croupier.core.contract import Bot, IllegalAction, State, View, first_seat
from croupier.core.dice import Dice
from croupier.core.options import BadOptions
from croupier.envs.arrays import Array
from croupier.envs.batch import Turn
from croupier.envs.batch import VectorEnv as Batch
from croupier.envs.info import drawn, info_of
from croupier.envs.setup import Setup

Opponents: TypeAlias = str | Bot | Sequence[str | Bot]
Seen: TypeAlias = dict[str, Array | NDArray[np.int8]]


def bots_for(setup: Setup, opponents: Opponents) -> list[Bot]:
    """Return the bots of the other seats, in playing order from the trained seat on."""
    many = setup.seats - 1
    chosen = [opponents] * many if isinstance(opponents, str | Bot) else list(opponents)
    if len(chosen) != many:
        raise BadOptions(f"opponents: {len(chosen)} given, expected one, or one for each of {many} seats")
    return [_bot(setup, one) for one in chosen]


def _bot(setup: Setup, name: str | Bot) -> Bot:
    if isinstance(name, Bot):
        return name
    known = players(setup.game)
    if name not in known:
        raise BadOptions(f"opponents={name!r}: {setup.game.name} has {', '.join(known)}")
    return known[name]


def checked_seat(setup: Setup, seat: int | None) -> int | None:
    """Return *seat* if it exists or is None."""
    if seat is not None and seat not in range(setup.seats):
        raise BadOptions(
            f"seat={seat!r}: expected 0…{setup.seats - 1}, or None for a different one in each episode"
        )
    return seat


def space_of(setup: Setup, seen: spaces.Box) -> spaces.Dict:
    """Return the space of an observation with its mask."""
    many = len(setup.game.actions)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (many,), np.int8)})


class SingleEnv(gymnasium.Env[dict[str, Any], Any]):
    """One seat of a match; bots play the others.

    The reward comes at the end of an episode: the change of the seat's payoff. An illegal action ends the
    episode with *illegal_reward*.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        setup: Setup,
        bots: list[Bot],
        seat: int | None,
        dtype: str,
        illegal_reward: float,
        render_mode: str | None,
    ) -> None:
        self.setup = setup
        self.render_mode = render_mode
        self.illegal_reward = illegal_reward
        self._bots = bots
        self._fixed = checked_seat(setup, seat)
        self._seen = setup.observations(1, dtype)
        self._masks = setup.masks(1)
        self.observation_space = space_of(setup, self._seen.space())
        self.action_space = spaces.Discrete(len(setup.game.actions))
        self.seat = 0
        """The seat that is trained in this episode."""
        self._dice = Dice(secrets.randbits(64))
        self._rng = Random(secrets.randbits(64))
        self._state: State | None = None
        self._ended = 0
        self._before: list[float] = []
        self._done = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode; with a *seed* everything that follows is reproducible.

        If episodes are deals and the last one is finished, the match continues with its next deal.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._dice, self._rng = Dice(seed), Random(seed)
        state = self._state
        if seed is not None or state is None or state.over() or not self._done or state.deal() == self._ended:
            state = self._state = self.setup.start()
        self.seat = int(self._dice.below(self.setup.seats)) if self._fixed is None else self._fixed
        self._ended = state.deal()
        self._before = state.payoffs()
        self._done = self._advance(state)
        return self._observed(state), info_of(self.setup, state, self.seat)

    def step(self, action: SupportsIndex) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        state = self._playing()
        if self._done:
            raise RuntimeError("the episode is over: call reset() to begin the next")
        code = index(action)
        try:
            if (refused := self.setup.refused(code)) is not None:
                raise refused
            state.apply(self.seat, code)
        except IllegalAction as error:
            self._done = True
            info = {**info_of(self.setup, state, self.seat), "illegal": str(error)}
            return self._observed(state), self.illegal_reward, True, False, info
        self._done = self._advance(state)
        reward = state.payoffs()[self.seat] - self._before[self.seat] if self._done else 0.0
        return self._observed(state), reward, self._done, False, info_of(self.setup, state, self.seat)

    def view(self, seat: int | None = None) -> View:
        """Return everything that *seat*, by default the trained one, may know now."""
        return self._playing().view(self.seat if seat is None else seat)

    def render(self) -> str:
        """Return the table as the terminal shows it to the trained seat."""
        return drawn(self.setup, self.view())

    def _advance(self, state: State) -> bool:
        """Make all draws and decisions of bots that are due; return whether the episode is over."""
        while True:
            waiting = state.to_act()
            if waiting >> self.seat & 1:
                return False
            if waiting:
                seat = int(first_seat(waiting))
                bot = self._bots[(seat - self.seat) % self.setup.seats - 1]
                state.apply(seat, bot.choose_at(state, seat, self._rng))
            elif state.over() or (self.setup.by_deal and state.deal() != self._ended):
                return True
            else:
                state.roll(self._dice)

    def _observed(self, state: State) -> Seen:
        return {
            "observation": self._seen.of_state(state, self.seat),
            "action_mask": self._masks.of_state(state, self.seat),
        }

    def _playing(self) -> State:
        if self._state is None:
            raise RuntimeError("the environment has not begun: call reset() first")
        return self._state


class SingleVectorEnv(VectorEnv[dict[str, Any], Any, Any]):
    """The same seat of many matches, stepped together; the loop over matches and bots is compiled.

    When an episode ends, the observation is already the first one of the next episode. An illegal action
    raises IllegalAction and none is done.
    """

    def __init__(self, setup: Setup, num_envs: int, bots: list[Bot], seat: int | None, dtype: str) -> None:
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.num_envs = num_envs
        self.setup = setup
        self._batch = Batch(setup, num_envs, True, dtype, bots, checked_seat(setup, seat))
        self.single_observation_space = space_of(setup, self._batch.space())
        self.single_action_space = spaces.Discrete(len(setup.game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seats: NDArray[np.uint8] = np.zeros(num_envs, np.uint8)
        self._rows = np.arange(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin all matches; with a *seed* everything that follows is reproducible."""
        first = seed[0] if isinstance(seed, list) else seed
        turn = self._batch.reset(first)
        self._seats = turn.seats
        return self._seen(turn), {"seats": turn.seats}

    def step(
        self, actions: ArrayLike
    ) -> tuple[dict[str, Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        turn = self._batch.step(actions)
        rewards = turn.rewards[self._rows, self._seats].astype(np.float64)
        self._seats = turn.seats
        return self._seen(turn), rewards, turn.ended, np.zeros(self.num_envs, np.bool_), {"seats": turn.seats}

    def random(self) -> NDArray[np.uint16]:
        """Return a random legal action for each match."""
        return self._batch.random()

    def _seen(self, turn: Turn) -> dict[str, Any]:
        return {"observation": turn.observations, "action_mask": turn.masks.view(np.int8)}
