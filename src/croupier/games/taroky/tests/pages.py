"""Two deals of Taroky for the tests of the pages: `python -m tests.page_fixtures`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from croupier.core.contract import Plain
from croupier.games.taroky import GAME
from croupier.testing.replayed import Replayed

FOLDER = Path(__file__).parent / "pages"
Moments = Mapping[str, tuple[int, int]]


def recorded() -> Plain:
    """Return a deal with partners and one of prever, as seats that are asked and others saw them."""
    return {
        "partner": deal(
            "partner",
            asks={
                "prever": (0, 2),
                "talon": (1, 6),
                "offered": (3, 7),
                "discard": (0, 9),
                "partner": (0, 15),
                "valat": (0, 16),
                "contra": (1, 20),
                "iote": (0, 26),
                "play": (3, 43),
            },
            others={"contra": (2, 20), "iote": (1, 26)},
        ),
        "prever": deal(
            "prever",
            asks={
                "prever": (0, 2),
                "prever_talon1": (1, 4),
                "prever_talon2": (1, 5),
                "discard": (1, 6),
                "valat": (0, 9),
                "contra": (2, 13),
                "iote": (1, 15),
                "play": (1, 32),
            },
            others={"contra": (3, 13), "iote": (2, 15)},
        ),
    }


def deal(name: str, asks: Moments, others: Moments) -> Plain:
    """Return moments of a recorded deal, each by seat and step, and what seat 0 was told."""
    match = Replayed(GAME, FOLDER / f"{name}.record")
    return {
        "asks": {name: match.view(seat, step) for name, (seat, step) in asks.items()},
        "others": {name: match.view(seat, step) for name, (seat, step) in others.items()},
        "events": match.heard(0),
        "final": match.end(0),
    }
