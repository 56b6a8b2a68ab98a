"""A deal of Coinche for the tests of the pages: `python -m tests.page_fixtures`."""

from __future__ import annotations

from pathlib import Path

from croupier.core.contract import WATCHER, Plain
from croupier.games.coinche import GAME
from croupier.testing.replayed import Replayed

FOLDER = Path(__file__).parent / "pages"


def recorded() -> Plain:
    """Return questions to the players, other moments, and what seat 0 was told."""
    match = Replayed(GAME, FOLDER / "match.record")
    return {
        "asks": {
            "open": match.view(0, 1),
            "bid": match.view(1, 2),
            "coinche": match.view(2, 3),
            "surcoinche": match.view(2, 7),
            "play": match.view(0, 15),
        },
        "moments": {
            "auction over": match.view(WATCHER, 9),
            "played 14": match.view(WATCHER, 23),
            "over": match.end(0),
        },
        "events": match.heard(0),
    }
