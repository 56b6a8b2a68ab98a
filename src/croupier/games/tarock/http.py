"""The protocol over HTTP: POST /relay, and events from GET /events."""

from __future__ import annotations

from croupier.http import Route
from croupier.net.house import House
from croupier.net.relay import Relay


def routes(house: House) -> list[Route]:
    """Return the routes of the relay, if the server has lobbies."""
    return Relay(house.lobbies, "tarock").routes() if "tarock" in house.lobbies else []
