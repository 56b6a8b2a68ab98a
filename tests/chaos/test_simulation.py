"""The simulated house finds each planted fault, and the same seed gives the same run."""

from __future__ import annotations

import pytest

from chaos.simulation import FAULTS, simulate


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    assert any(simulate(seed, fault)[0] for seed in range(100)), fault


def test_a_seed_repeats_its_run() -> None:
    words, moves = simulate(3, "ack before commit")
    assert words.startswith("seed 3: ")
    assert simulate(3, "ack before commit") == (words, moves)


def test_some_schedules_keep_every_promise() -> None:
    assert [words for words, _ in map(simulate, range(20)) if words] == []
