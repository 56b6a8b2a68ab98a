"""The conformance kit and the swap test on Coinche."""

from __future__ import annotations

import pytest

from croupier.games.coinche import GAME
from croupier.games.coinche.vocabulary import PRESETS
from croupier.testing.conformance import check_game
from croupier.testing.secrecy import check_secrets


def test_the_game_keeps_its_promises() -> None:
    check_game(GAME, seeds=range(3), rate=0.05)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_game_keeps_its_promises_for_long() -> None:
    check_game(GAME, seeds=range(100, 140))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_keeps_the_promises(preset: str) -> None:
    check_game(GAME, seeds=range(200, 204), rate=0.05, options={"preset": preset})


def test_the_swap_test_had_something_to_compare() -> None:
    assert check_secrets(GAME, GAME.options.read({}), seed=5) > 100
