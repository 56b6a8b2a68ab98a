"""Many matches together: masks, seats, rewards and observations are those of the matches one by one."""

from __future__ import annotations

import numpy as np
import pytest

from croupier import envs, games
from croupier.core.contract import IllegalAction
from croupier.envs.batch import VectorEnv
from croupier.games.sagrada.vocabulary import FORFEIT


def check(env: VectorEnv, turn: object) -> None:
    """Compare *turn* with the state of each match."""
    from croupier.envs.batch import Turn

    assert isinstance(turn, Turn)
    matches = env._begun()
    for i, state in enumerate(matches.states):
        seat = int(turn.seats[i])
        assert state.to_act() >> seat & 1
        assert state.to_act() & ((1 << seat) - 1) == 0
        legal = [action for action in state.legal_actions(seat) if action not in env.setup.reserved]
        assert list(np.flatnonzero(turn.masks[i])) == legal
    views = [state.view(int(seat)) for state, seat in zip(matches.states, turn.seats, strict=True)]
    assert np.array_equal(turn.observations, [env.setup.observe(view) for view in views])


@pytest.mark.slow
@pytest.mark.parametrize("episode", ["match", "deal"])
@pytest.mark.parametrize("name", games.names())
def test_arrays_are_what_the_matches_say(name: str, episode: str) -> None:
    env = envs.vector(name, 5, episode=episode)
    turn = env.reset(seed=2)
    check(env, turn)
    for _ in range(90):
        turn = env.step(env.random())
        check(env, turn)
        assert not turn.rewards[~turn.ended].any()


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_it_plays_the_matches_of_the_rules(name: str) -> None:
    """One match beside the AEC environment with the same seed and the same actions."""
    one = envs.aec(name, episode="deal")
    many = envs.vector(name, 1, episode="deal")
    one.reset(seed=11)
    turn = many.reset(seed=11)
    rng = np.random.default_rng(3)
    rewards: list[tuple[list[float], list[float]]] = []
    for _ in range(400):
        agent = f"seat_{turn.seats[0]}"
        assert one.agent_selection == agent
        seen = one.observe(agent)
        assert np.array_equal(seen["observation"], turn.observations[0])
        assert np.array_equal(seen["action_mask"], turn.masks[0])
        action = int(rng.choice(np.flatnonzero(turn.masks[0])))
        one.step(action)
        turn = many.step([action])
        assert turn.ended[0] == any(one.terminations.values())
        if turn.ended[0]:
            rewards.append((list(turn.rewards[0]), list(one.rewards.values())))
            one.reset()
    assert rewards
    assert all(mine == pytest.approx(theirs) for mine, theirs in rewards)


def test_a_match_pays_at_its_end() -> None:
    env = envs.vector("hearts", 16, observations=False, deals=2, match_games=1, expose=False)
    turn = env.reset(seed=1)
    assert turn.observations.shape == (16, 0)
    for number in range(1, 4 * (12 + 52) + 1):
        turn = env.step(env.random())
        assert turn.ended.all() == turn.ended.any() == (number % (2 * 64) == 0)
    assert turn.rewards.any(axis=1).any()
    assert np.allclose(turn.rewards.sum(axis=1), 0, atol=1e-4)


def test_equal_seeds_play_equal_matches() -> None:
    def play(seed: int) -> list[list[int]]:
        env = envs.vector("tarock", 6, observations=False)
        env.reset(seed=seed)
        found = []
        for _ in range(60):
            actions = env.random()
            env.step(actions)
            found.append([int(action) for action in actions])
        return found

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_matches_go_their_own_ways() -> None:
    env = envs.vector("hearts", 64)
    turn = env.reset()
    assert len({row.tobytes() for row in turn.masks}) > 60


def test_an_illegal_action_stops_the_whole_step() -> None:
    env = envs.vector("hearts", 4)
    turn = env.reset(seed=1)
    actions = np.argmax(turn.masks, axis=1)
    wrong = actions.copy()
    wrong[2] = 0
    with pytest.raises(IllegalAction, match="match 2: play 2D: the match is passing"):
        env.step(wrong)
    for code in (-1, 106, 60_000):
        wrong[2] = code
        with pytest.raises(IllegalAction, match=f"match 2: action {code}: expected 0…105"):
            env.step(wrong)
    with pytest.raises(IllegalAction, match=f"match 0: action {2**64 - 1}: expected"):
        env.step(np.full(4, 2**64 - 1, np.uint64))
    check(env, turn)
    turn.masks[:] = True  # the caller's own copy
    wrong[2] = 0
    with pytest.raises(IllegalAction, match="match 2"):
        env.step(wrong)
    env.step(actions)


def test_what_only_a_clock_does_is_never_offered() -> None:
    env = envs.vector("sagrada", 8, seats=2, observations=False)
    turn = env.reset(seed=1)
    met = 0
    for _ in range(400):
        assert not turn.masks[:, FORFEIT].any()
        for i, state in enumerate(env._begun().states):
            met += FORFEIT in state.legal_actions(int(turn.seats[i]))
        actions = env.random()
        assert FORFEIT not in actions
        turn = env.step(actions)
    assert met > 0, "the walk never came to where it is legal"
    with pytest.raises(IllegalAction, match="only a clock"):
        env.step(np.full(8, FORFEIT))


@pytest.mark.parametrize("wrong", [[1, 2], [[1], [2], [3]], [0.5, 0.5, 0.5], 3])
def test_arrays_that_do_not_fit_are_told(wrong: object) -> None:
    env = envs.vector("coinche", 3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="expected 3 integers"):
        env.step(wrong)  # type: ignore[arg-type]  # that is the point


def test_it_says_what_to_do_first() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        envs.vector("hearts", 0)
    env = envs.vector("hearts", 1)
    with pytest.raises(RuntimeError, match="reset"):
        env.step([0])
    with pytest.raises(RuntimeError, match="reset"):
        env.random()
