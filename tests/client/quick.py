"""Short matches without pauses, in every game."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from croupier.games import game
from tests.arena.arenas import SHORT
from tests.integration.servers import TIMEOUT, Server


def wish(name: str, seats: list[str] | None = None) -> dict[str, Any]:
    """Return the request that opens a table: one open seat, and bots that answer at once."""
    if seats is None:
        seats = ["open", *["bot random"] * (min(many for many in game(name).seats if many > 1) - 1)]
    return {"seats": seats, "options": SHORT[name], "table_options": no_pauses(name)}


def no_pauses(name: str) -> Mapping[str, int]:
    """Return the table options without pauses."""
    return {
        option: 0 for option in game(name).table_options.options if "pause" in option or "interval" in option
    }


def finished(server: Server, table: str) -> dict[str, Any]:
    """Return the finished match of *table*; it is stored a moment after its last event has been told."""
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        for row in server.ask("/api/matches")[1]:
            if row["table"] == table:
                found: dict[str, Any] = row
                return found
    raise AssertionError("the match has not been finished")
