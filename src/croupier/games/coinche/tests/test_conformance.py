"""The conformance kit and the swap test on Coinche."""

from __future__ import annotations

import pytest

from croupier.games.coinche import GAME
from croupier.games.coinche.vocabulary import PRESETS
from croupier.testing.conformance import check_game


@pytest.mark.slow
@pytest.mark.compiled
def test_the_game_conforms_over_many_matches() -> None:
    check_game(GAME, seeds=range(112, 140))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_conforms(preset: str) -> None:
    check_game(GAME, seeds=range(200, 204), rate=0.05, options={"preset": preset})
