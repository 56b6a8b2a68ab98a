"""The kit of the contract."""

from __future__ import annotations

import pytest

from croupier.games.taroky import GAME
from croupier.testing.conformance import check_game
from croupier.testing.secrecy import check_secrets


def test_the_game_keeps_its_promises() -> None:
    check_game(GAME, seeds=range(3), rate=0.02)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_game_keeps_its_promises_for_long() -> None:
    check_game(GAME, seeds=range(120, 140), rate=0.1)


def test_the_swap_test_has_something_to_compare() -> None:
    assert sum(check_secrets(GAME, GAME.options.read({}), seed) for seed in range(4)) > 400
