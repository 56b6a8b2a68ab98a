"""A deal of Hearts for the tests of the pages: `python -m tests.page_fixtures`."""

from __future__ import annotations

from pathlib import Path

from croupier.core.contract import Plain
from croupier.games.hearts import GAME
from croupier.testing.replayed import Replayed, places

FOLDER = Path(__file__).parent / "pages"


def recorded() -> Plain:
    """Return the table of the player of seat 0, what they were asked and told, and views of a watcher."""
    match = Replayed(GAME, FOLDER / "match.record")
    moments = [("played", 5), ("round_ended", 3), ("played", 20)]
    table = {
        "type": "table",
        "id": "9271ffdb",
        "game": GAME.name,
        "title": GAME.title,
        "phase": "playing",
        "started": False,
        "options": GAME.options.read({"deals": 1, "match_games": 1}),
        "table_options": GAME.table_options.read({}),
        "seed": "fixture 7",
        "you": 0,
        "watch_open": False,
        "watch_delay": 0,
        "seats": places(["ann", "bot2", "bot3", "bot4"], bot="heuristic"),
    }
    return {
        "table": table,
        "asks": {
            "pass": {"type": "ask", "seconds": 60.0, **match.asked(0, 4, turn=1)},
            "play": {"type": "ask", "seconds": 30.0, **match.asked(0, 8, turn=2)},
        },
        "events": match.heard(0),
        "moments": {
            **{f"{kind} {number}": match.at(kind, number) for kind, number in moments},
            "match_ended 1": match.end(),
        },
    }
