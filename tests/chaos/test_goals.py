"""Every goal of docs/security.md at a small size: counts decide, times are printed."""

from __future__ import annotations

import pytest

from chaos.bystander import Bystander
from chaos.goals import GOALS
from chaos.reconnects import break_some
from chaos.secrecy import compare_some


@pytest.mark.slow
@pytest.mark.parametrize("name", list(GOALS))
def test_a_goal_is_reached_at_a_small_size(name: str) -> None:
    goal = GOALS[name]
    outcome = goal.run(goal.small, 1, print)
    for figure in outcome.figures:
        print(*figure.row(), sep=" | ")  # noqa: T201
    assert outcome.counted, [*outcome.notes, f"python -m chaos {name} --size small --seed 1"]


def test_a_lobby_may_seat_players_at_one_table_after_the_other() -> None:
    tally = break_some(range(368, 369), 1)  # the workshop's second match begins when the first one has ended
    assert tally.judged.acknowledged
    assert not tally.problems.words


def test_twins_may_take_different_courses_before_a_delayed_watcher_is_told() -> None:
    # In this pair a die is rolled again in the first world only; in the second one the next round begins.
    tally = compare_some(range(726, 727), 1231220338)
    assert tally.compared["sagrada delayed"]
    assert not tally.problems.words


def test_a_bystander_without_an_answer_fails_a_goal() -> None:
    bystander = Bystander("http://127.0.0.1:1")
    bystander._answers = [(1.0, 0.005)]
    assert bystander.answered((0.0, 2.0)).reached
    assert not bystander.answered((0.0, 2.0), (2.0, 3.0)).reached
    assert bystander.p99((2.0, 3.0)) == float("inf")


def test_a_bystander_whose_connection_has_ended_fails_a_goal() -> None:
    bystander = Bystander("http://127.0.0.1:1")
    bystander._answers, bystander._lost = [(1.0, 0.005)], True
    assert not bystander.answered((0.0, 2.0)).reached
