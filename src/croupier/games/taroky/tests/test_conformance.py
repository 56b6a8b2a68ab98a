"""The conformance kit on Taroky."""

from __future__ import annotations

import pytest

from croupier.games.taroky import GAME
from croupier.testing.conformance import check_game


@pytest.mark.slow
@pytest.mark.compiled
def test_the_game_conforms_over_many_matches() -> None:
    check_game(GAME, seeds=range(120, 140), rate=0.1)
