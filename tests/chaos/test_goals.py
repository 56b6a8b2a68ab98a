"""Every goal of docs/security.md at a small size: counts decide, times are printed."""

from __future__ import annotations

import pytest

from chaos.goals import GOALS


@pytest.mark.slow
@pytest.mark.parametrize("name", list(GOALS))
def test_a_goal_is_reached_at_a_small_size(name: str) -> None:
    goal = GOALS[name]
    outcome = goal.run(goal.small, 1, print)
    for figure in outcome.figures:
        print(*figure.row(), sep=" | ")  # noqa: T201
    assert outcome.counted, [*outcome.notes, f"python -m chaos {name} --size small --seed 1"]
