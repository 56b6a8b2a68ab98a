"""Matches of the dice game for the tests of the pages: `python -m tests.page_fixtures`."""

from __future__ import annotations

from pathlib import Path

from croupier.core.contract import Plain
from croupier.games.sagrada import GAME
from croupier.testing.replayed import Replayed, places

FOLDER = Path(__file__).parent / "pages"
STEPS = {
    "match": {
        "window": 4,
        "extract": 6,
        "turn": 72,
        "placed": 74,
        "picks 0 1": 10,
        "tool 5": 137,
        "picks 5 1": 138,
        "hand 5": 140,
        "value": 26,
    },
    "tools": {"tool 1": 11, "picks 4 1": 29, "picks 4 3": 31},
    "alone": {"alone turn": 17},
}
"""The steps of each record at which seat 0 is asked something."""


def recorded() -> Plain:
    """Return what seat 0 was asked and told in two matches of two and in one alone, and two final views."""
    matches = {name: Replayed(GAME, FOLDER / f"{name}.record") for name in STEPS}
    return {
        "seats": places(["Ann", "Ben"]),
        "asks": {
            name: matches[match].asked(0, step, turn=7)
            for match, steps in STEPS.items()
            for name, step in steps.items()
        },
        "events": [event for match in matches.values() for event in match.heard(0)],
        "final": matches["match"].end(0),
        "solo": matches["alone"].end(0),
    }
