"""One seat against bots: Gymnasium's own checks pass, and the matches are those of the rules."""

from __future__ import annotations

import warnings
from random import Random

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from croupier import envs, games
from croupier.core.contract import RandomBot
from croupier.core.options import BadOptions
from croupier.envs.opponents import SingleEnv


def play(env: SingleEnv, seed: int | None, rng: Random) -> tuple[float, list[int]]:
    """Play an episode at random; return its reward and the actions."""
    seen, info = env.reset(seed=seed)
    actions: list[int] = []
    while True:
        assert env.observation_space.contains(seen)
        assert np.array_equal(seen["action_mask"], info["action_mask"])
        actions.append(rng.choice([int(at) for at in np.flatnonzero(seen["action_mask"])]))
        assert env.setup.game.actions.name(actions[-1]) in info["legal"]
        seen, reward, terminated, truncated, info = env.step(actions[-1])
        assert not truncated
        assert (info["result"] is not None) == terminated
        if terminated:
            return reward, actions
        assert reward == 0


@pytest.mark.parametrize("name", games.names())
def test_the_checks_of_gymnasium_pass(name: str) -> None:
    env = gymnasium.make(f"croupier/{name.capitalize()}-v1", opponents="random", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=False)


@pytest.mark.parametrize("name", games.names())
def test_an_episode_pays_the_change_of_the_own_payoff(name: str) -> None:
    env = envs.single(name, opponents="random", episode="deal")
    first, actions = play(env, 3, Random(3))
    assert first == pytest.approx(env._playing().payoffs()[env.seat])
    assert play(env, 3, Random(3)) == (first, actions)
    before = env._playing().payoffs()
    second, _ = play(env, None, Random(4))
    # The match continued with its next deal; if a match is one deal, a new one has begun.
    earned = before[env.seat] if env._playing().deal() == 2 else 0.0
    assert second == pytest.approx(env._playing().payoffs()[env.seat] - earned)


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_many_matches_are_those_of_the_rules(name: str) -> None:
    env = envs.single_vector(name, 3, opponents="random", episode="deal", dtype="uint8")
    seen, infos = env.reset(seed=5)
    own = set(infos["seats"])
    deals = 0
    for _ in range(150):
        assert env.observation_space.contains(seen)
        matches = env._batch._begun()
        for row, state in enumerate(matches.states):
            seat = int(infos["seats"][row])
            legal = [action for action in state.legal_actions(seat) if action not in env.setup.reserved]
            assert list(np.flatnonzero(seen["action_mask"][row])) == legal
        seen, rewards, ended, truncated, infos = env.step(env.random())
        assert not rewards[~ended].any()
        assert not truncated.any()
        own |= set(infos["seats"])
        deals += int(ended.sum())
    assert deals > 3
    assert len(own) > 1


def test_a_seat_may_be_fixed_and_opponents_chosen_one_by_one() -> None:
    env = envs.single_vector("hearts", 2, opponents=["random", "heuristic", RandomBot()], seat=2)
    _, infos = env.reset(seed=1)
    assert list(infos["seats"]) == [2, 2]
    alone = envs.single("sagrada", seats=1, rounds=1)
    play(alone, 1, Random(1))


def test_gymnasium_makes_many_at_once() -> None:
    env = gymnasium.make_vec("croupier/Coinche-v1", 4, opponents="heuristic", episode="deal")
    seen, _ = env.reset(seed=1)
    assert seen["observation"].shape == (4, envs.layout("coinche").size)
    env.close()


def test_an_illegal_action_ends_the_episode() -> None:
    env = envs.single("hearts", illegal_reward=-7.0)
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated) == (-7.0, True)
    assert info["illegal"] == "play 2D: the match is passing"
    with pytest.raises(RuntimeError, match=r"the episode is over: call reset\(\)"):
        env.step(0)
    _, _, terminated, *_ = (env.reset(seed=2), env.step(10**6))[1]
    assert terminated


def test_the_table_is_drawn_as_in_the_terminal() -> None:
    env = envs.single("hearts", seat=0, render_mode="ansi")
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        env.render()
    env.reset(seed=1)
    assert "Hand: " in env.render()
    assert env.view().seat == 0
    assert env.view(2).seat == 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"opponents": "nobody"}, "opponents='nobody': hearts has random"),
        ({"opponents": ["random"]}, "opponents: 1 given, expected one, or one for each of 3 seats"),
        ({"seat": 4}, "seat=4: expected 0…3"),
        ({"dtype": "int8"}, "dtype='int8': expected one of float32, uint8"),
    ],
)
def test_wrong_arguments_are_named(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        envs.single("hearts", **wrong)  # type: ignore[arg-type]  # that is the point
