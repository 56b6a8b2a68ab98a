"""One PettingZoo AEC environment for every game."""

from __future__ import annotations

import secrets
from operator import index
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from croupier.core.contract import State, View, first_seat
from croupier.core.dice import Dice
from croupier.envs.arrays import Array
from croupier.envs.info import drawn, info_of
from croupier.envs.setup import Setup

Observation: TypeAlias = dict[str, Array | NDArray[np.int8]]


class SeatsEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """The seats of a match as agents ``seat_0``, ``seat_1`` … in playing order.

    If several seats have to decide, the lowest is asked first; the others do not see its answer. Rewards are
    given at the end of an episode: the change of the payoffs. An illegal action raises IllegalAction and
    changes nothing.
    """

    def __init__(self, setup: Setup, dtype: str, info: bool) -> None:
        super().__init__()
        self._informs = info
        self._seen = setup.observations(1, dtype)
        self._masks = setup.masks(1)
        self.metadata = {
            "name": f"croupier_{setup.game.name}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = "ansi"
        self.setup = setup
        self.possible_agents = [f"seat_{seat}" for seat in range(setup.seats)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        many = len(setup.game.actions)
        space = spaces.Dict(
            {
                "observation": self._seen.space(),
                "action_mask": spaces.Box(0, 1, (many,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(many) for agent in self.possible_agents}
        self._dice = Dice(secrets.randbits(64))
        self._state: State | None = None
        self._ended = 0
        self._before: list[float] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; with a *seed* everything that follows is reproducible.

        If episodes are deals and the last one is finished, the match continues with its next deal.
        """
        state = self._state
        if seed is not None:
            self._dice = Dice(seed)
        if seed is not None or state is None or state.over() or state.deal() == self._ended:
            state = self._state = self.setup.start()
        self._ended = state.deal()
        self._before = state.payoffs()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._proceed(state)

    def observe(self, agent: str) -> Observation:
        """Return the observation and the action mask of *agent* as arrays."""
        state, seat = self._playing(), self._seat[agent]
        return {
            "observation": self._seen.of_state(state, seat),
            "action_mask": self._masks.of_state(state, seat),
        }

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation (None if not wanted), reward, termination, truncation and info of the current
        agent."""
        agent = self._asked()
        if self._informs:
            self.infos[agent] = info_of(self.setup, self._playing(), self._seat[agent])
        found: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def step(self, action: SupportsIndex | None) -> None:
        agent = self._asked()
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        state = self._playing()
        if action is None:
            raise ValueError(f"{agent}: no action given, expected one allowed by its mask")
        try:
            seat, code = self._seat[agent], index(action)
        except TypeError:
            raise ValueError(f"{agent}: action {action!r}, expected an integer") from None
        if (refused := self.setup.refused(code)) is not None:
            raise refused
        state.apply(seat, code)
        self._cumulative_rewards[agent] = 0.0
        if self._proceed(state):
            self._accumulate_rewards()

    def _asked(self) -> str:
        self._playing()
        if not self.agents:
            raise RuntimeError("the episode is over: call reset() to begin the next")
        return str(self.agent_selection)

    def _playing(self) -> State:
        if self._state is None:
            raise RuntimeError("the environment has not begun: call reset() first")
        return self._state

    def _proceed(self, state: State) -> bool:
        """Make all draws that are due and ask the next seat; return whether the episode is over."""
        while not (waiting := state.to_act()):
            if state.over() or (self.setup.by_deal and state.deal() != self._ended):
                self._finish(state)
                return True
            state.roll(self._dice)
        self.agent_selection = self.possible_agents[int(first_seat(waiting))]
        return False

    def _finish(self, state: State) -> None:
        for agent, after, before in zip(self.possible_agents, state.payoffs(), self._before, strict=True):
            self.rewards[agent] = after - before
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def view(self, seat: int) -> View:
        """Return everything that *seat* may know now."""
        return self._playing().view(seat)

    def render(self) -> str:
        """Return the table as the terminal shows it to the seat to act."""
        return drawn(self.setup, self.view(self._seat[self.agent_selection]))

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
