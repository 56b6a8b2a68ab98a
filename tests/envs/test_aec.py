"""The PettingZoo environment: its own tests pass, and it plays what the rules play."""

from __future__ import annotations

import warnings
from random import Random

import numpy as np
import pytest
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from croupier import envs, games
from croupier.core.contract import IllegalAction
from croupier.core.options import BadOptions
from croupier.envs.agents import SeatsEnv
from croupier.envs.arrays import Array
from croupier.games.sagrada.vocabulary import FORFEIT

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # where pygame is installed, they load games of their own that warn
    from pettingzoo.test import api_test, seed_test


def play(env: SeatsEnv, seed: int | None) -> tuple[dict[str, float], list[int]]:
    """Play an episode at random; return the total reward of each agent, and the actions."""
    rng = Random(seed)
    env.reset(seed=seed)
    sums = dict.fromkeys(env.possible_agents, 0.0)
    actions: list[int] = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        sums[agent] += reward
        assert not truncated
        if terminated:
            env.step(None)
            continue
        actions.append(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        env.step(actions[-1])
    assert not env.agents
    return sums, actions


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Observation")  # its warning about observations that are dictionaries
@pytest.mark.parametrize("episode", ["match", "deal"])
@pytest.mark.parametrize("name", games.names())
def test_the_tests_of_pettingzoo_pass(name: str, episode: str) -> None:
    api_test(envs.aec(name, episode=episode), num_cycles=150)
    seed_test(lambda: envs.aec(name, episode=episode), num_cycles=60)


@pytest.mark.parametrize(("name", "seats"), [("sagrada", 1), ("sagrada", 3)])
def test_every_number_of_seats_can_be_trained_for(name: str, seats: int) -> None:
    env = envs.aec(name, seats=seats, rounds=2)
    sums, _ = play(env, 1)
    assert list(sums) == [f"seat_{seat}" for seat in range(seats)]


@pytest.mark.parametrize("name", games.names())
def test_rewards_are_what_an_episode_changed_in_the_payoffs(name: str) -> None:
    env = envs.aec(name, episode="deal")
    env.reset(seed=4)
    before = env._playing().payoffs()
    sums, _ = play(env, 4)
    after = env._playing().payoffs()
    assert list(sums.values()) == pytest.approx([b - a for a, b in zip(before, after, strict=True)])


def test_the_deals_of_a_match_follow_each_other() -> None:
    env = envs.aec("hearts", episode="deal", deals=3, match_games=1)
    directions = []
    totals = np.zeros(4)
    for seed in (9, None, None):
        sums, _ = play(env, seed)
        totals += list(sums.values())
        directions.append(env._playing().view(0).facts()["direction"])
    assert list(totals) == pytest.approx(env._playing().payoffs())
    play(env, None)  # the match is over: the next one begins
    directions.append(env._playing().view(0).facts()["direction"])
    assert directions == ["left", "right", "across", "left"]


def test_a_match_is_one_episode() -> None:
    env = envs.aec("hearts", deals=2, match_games=2)
    _, actions = play(env, 3)
    assert env._playing().over()
    assert env._playing().deal() == 4
    assert len(actions) > 4 * 52


def test_a_reset_in_mid_deal_begins_a_new_match() -> None:
    env = envs.aec("hearts", episode="deal")
    env.reset(seed=1)
    env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    env.reset()
    assert env._playing().view(0).facts()["picked"] == []
    assert env._playing().deal() == 0


def test_equal_seeds_play_equal_matches() -> None:
    assert play(envs.aec("taroky", hands=2), 5) == play(envs.aec("taroky", hands=2), 5)
    assert play(envs.aec("taroky", hands=2), 5) != play(envs.aec("taroky", hands=2), 6)


def test_simultaneous_answers_stay_secret() -> None:
    """The lowest seat passes its cards first; the seat asked next sees the same for any choice."""
    seen: list[Array] = []
    for pick in (0, -1):
        env = envs.aec("hearts")
        env.reset(seed=8)
        for _ in range(3):
            env.step(int(np.flatnonzero(env.observe("seat_0")["action_mask"])[pick]))
        assert env.agent_selection == "seat_1"
        seen.append(env.setup.observe(env._playing().view(1)))
        assert np.array_equal(seen[-1], env.observe("seat_1")["observation"])
    assert np.array_equal(seen[0], seen[1])


def test_an_illegal_action_changes_nothing() -> None:
    env = envs.aec("hearts")
    env.reset(seed=1)
    before = env.observe("seat_0")["observation"]
    with pytest.raises(IllegalAction, match="play 2D: the match is passing"):
        env.step(0)
    with pytest.raises(ValueError, match="no action given"):
        env.step(None)
    for wrong in (1.5, "1"):
        with pytest.raises(ValueError, match=r"seat_0: action .*, expected an integer"):
            env.step(wrong)  # type: ignore[arg-type]  # that is the point
    for code in (-1, 106, 2**64):
        with pytest.raises(IllegalAction, match=f"action {code}: expected 0…105"):
            env.step(code)
    assert env.agent_selection == "seat_0"
    assert np.array_equal(before, env.observe("seat_0")["observation"])


def test_the_wrappers_of_pettingzoo_fit() -> None:
    env = OrderEnforcingWrapper(TerminateIllegalWrapper(envs.aec("hearts"), illegal_reward=-50))
    env.reset(seed=1)
    env.step(0)
    assert env.rewards["seat_0"] == -50
    assert all(env.terminations.values())


@pytest.mark.slow
def test_what_only_a_clock_does_is_in_no_mask() -> None:
    env = envs.aec("sagrada", seats=2)
    rng = Random(2)
    met = 0
    for seed in range(12):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, terminated, *_ = env.last()
            if terminated:
                env.step(None)
                continue
            assert not observation["action_mask"][FORFEIT]
            legal = env._playing().legal_actions(int(agent[-1]))
            if FORFEIT in legal:
                met += 1
                with pytest.raises(IllegalAction, match="only a clock"):
                    env.step(FORFEIT)
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert met > 0, "the walk never came to where it is legal"


def test_outside_an_episode_it_says_what_to_do() -> None:
    env = envs.aec("hearts", episode="deal")
    for call in (env.last, lambda: env.step(0)):
        with pytest.raises(RuntimeError, match=r"has not begun: call reset\(\) first"):
            call()
    play(env, 1)
    for call in (env.last, lambda: env.step(0), lambda: env.step(None)):
        with pytest.raises(RuntimeError, match=r"the episode is over: call reset\(\) to begin the next"):
            call()
    play(env, None)


def test_words_for_people() -> None:
    env = envs.aec("coinche")
    with pytest.raises(RuntimeError, match="reset"):
        env.observe("seat_0")
    env.reset(seed=1)
    assert "The auction: seat 0 …" in env.render()
    assert env.view(3).seat == 3
    assert env.observation_space("seat_0") is env.observation_space("seat_0")
    env.close()


def test_infos_tell_what_is_legal_and_how_it_ended() -> None:
    env = envs.aec("hearts", episode="deal", info=True)
    env.reset(seed=1)
    info = env.last()[-1]
    assert info["phase"] == "passing"
    assert info["legal"][0].startswith("pass ")
    assert np.array_equal(info["action_mask"], env.observe("seat_0")["action_mask"])
    assert info["scores"][0][0] == "player"
    assert info["result"] is None
    while not env.terminations["seat_0"]:
        env.step(int(np.argmax(env.last()[0]["action_mask"])))
    assert sum(env.last()[-1]["result"]) == pytest.approx(0)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"episode": "trick"}, "episode='trick': expected one of match, deal"),
        ({"seats": 5}, "seats=5: hearts has 4"),
        ({"seats": "4"}, "seats='4': expected a number"),
        ({"seats": 4.0}, "seats=4.0: expected a number"),
        ({"deals": 0}, "option deals=0: expected 1…16"),
        ({"rubbish": 1}, "option rubbish: unknown"),
    ],
)
def test_wrong_wishes_are_told(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        envs.aec("hearts", **wrong)  # type: ignore[arg-type]  # that is the point


def test_an_unknown_game_is_told() -> None:
    with pytest.raises(games.UnknownGame, match="expected one of hearts"):
        envs.layout("poker")


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.envs.find_spec", lambda name: None if name == "pettingzoo" else True)
    with pytest.raises(
        ModuleNotFoundError, match=r"pettingzoo is not installed: run pip install 'croupier\[train\]'"
    ):
        envs.aec("hearts")
