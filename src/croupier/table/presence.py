"""The absences of players: lost connections, consecutive late answers, how long all have been absent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.core.contract import Pace
from croupier.wire.talk import BOT, Place

DESERTED: Final = 3600.0
"""Seconds after which a match that all players have left is aborted, if the game has no limit of its own."""


class Presence:
    """The absences in one match. The table sets `Place.away`."""

    def __init__(self, pace: Pace, seats: int, parks: bool = False) -> None:
        """With *parks*, a match whose only person has left waits for them, even if it has clocks, unless the
        game limits such a wait itself."""
        self._pace = pace
        self._parks = parks and pace.abandonment() < 0
        self._lost: dict[int, float] = {}
        """The time at which the connection of a seat was lost."""
        self._autos = [0] * seats
        self._nobody: float | None = None
        self._one: float | None = None
        self._one_person = False

    def lost(self, seat: int, now: float) -> None:
        """Note that the connection of *seat* has ended, and start its count of late answers from zero."""
        self._lost[seat] = now
        self._autos[seat] = 0

    def back(self, seat: int) -> None:
        """Note that the player of *seat* is back."""
        self._lost.pop(seat, None)
        self._autos[seat] = 0

    def answered(self, seat: int) -> None:
        """Note that the player of *seat* has answered in time."""
        self._autos[seat] = 0

    def missed(self, seat: int) -> None:
        """Note that the player of *seat* did not answer in time."""
        self._autos[seat] += 1

    def leaving(self, places: Sequence[Place], now: float) -> list[int]:
        """Return the seats whose players count as away from now on."""
        found: list[int] = []
        if not self._lost and not any(self._autos):
            return found
        absence = self._pace.absence()
        for place in places:
            if place.away or place.kind == BOT or not place.name:
                continue
            most = self._pace.autos(place.connected)
            gone = absence > 0 and place.seat in self._lost and now >= self._lost[place.seat] + absence
            if gone or (most and self._autos[place.seat] >= most):
                found.append(place.seat)
        return found

    def deserted(self) -> bool:
        """Return True if all players are absent, so that nobody has to decide for absent seats."""
        return self._nobody is not None and (self._pace.absence() == 0 or self.parked())

    def parked(self) -> bool:
        """Return True if the match waits for its only person without clocks."""
        return self._nobody is not None and self._parks and self._one_person

    def empty(self) -> bool:
        """Return True if all players are absent."""
        return self._nobody is not None

    def skips(self, seat: int) -> bool:
        """Return True if *seat* has lost its connection and the pace allows no time to return."""
        return seat in self._lost and self._pace.absence() == 0

    def count(self, places: Sequence[Place], now: float) -> None:
        """Update since when no player, or only one, has been present."""
        self._one_person = [place.person for place in places if place.kind != BOT] == [True]
        counted = self._pace.solitude() >= 0  # in such a game bots count as present, and away players do not
        present = [place for place in places if self._present(place, counted)]
        left = not present and any(place.kind != BOT for place in places)  # a match of bots has no players
        self._nobody = None if not left else now if self._nobody is None else self._nobody
        alone = len(present) == 1 and len(places) > 1  # does not apply to matches for one player
        self._one = None if not alone else now if self._one is None else self._one

    def _present(self, place: Place, counted: bool) -> bool:
        if place.kind == BOT:
            return counted
        return place.connected and not (counted and place.away)

    def abandoned(self, now: float) -> bool:
        """Return True if all players have been absent for too long."""
        end = self._ends(self._nobody, self._patience())
        return end is not None and now >= end

    def _patience(self) -> float:
        """Return how long a match waits without any player."""
        own = self._pace.abandonment()
        return own if own >= 0 else DESERTED

    def alone(self, now: float) -> bool:
        """Return True if one player has been alone for too long."""
        end = self._ends(self._one, self._pace.solitude())
        return end is not None and now >= end

    def _ends(self, since: float | None, limit: float) -> float | None:
        return since + limit if since is not None and limit >= 0 else None

    def wake(self, places: Sequence[Place]) -> float:
        """Return when an absence next has a consequence."""
        soonest = float("inf")
        absence = self._pace.absence()
        if absence > 0:
            for seat, since in self._lost.items():
                if not places[seat].away:
                    soonest = min(soonest, since + absence)
        for end in (
            self._ends(self._nobody, self._patience()),
            self._ends(self._one, self._pace.solitude()),
        ):
            if end is not None:
                soonest = min(soonest, end)
        return soonest
