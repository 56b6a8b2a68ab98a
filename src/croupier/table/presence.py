"""Who of the players is there: lost connections, late answers in a row, how long nobody has been."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core.contract import Pace
from croupier.wire.talk import BOT, Place


class Presence:
    """One match's memory of absences. `Place.away` itself is set by the table."""

    def __init__(self, pace: Pace, seats: int) -> None:
        self._pace = pace
        self._lost: dict[int, float] = {}
        """Since when the connections of these seats are gone."""
        self._autos = [0] * seats
        self._nobody: float | None = None
        self._one: float | None = None

    def lost(self, seat: int, now: float) -> None:
        """The connection of *seat* has ended; only what it misses from now on tells whether it is away."""
        self._lost[seat] = now
        self._autos[seat] = 0

    def back(self, seat: int) -> None:
        """The player of *seat* has shown up."""
        self._lost.pop(seat, None)
        self._autos[seat] = 0

    def answered(self, seat: int) -> None:
        """*seat* has decided itself."""
        self._autos[seat] = 0

    def missed(self, seat: int) -> None:
        """*seat* was late."""
        self._autos[seat] += 1

    def leaving(self, places: Sequence[Place], now: float) -> list[int]:
        """Return the seats that are away from now on."""
        absence = self._pace.absence()
        found: list[int] = []
        for place in places:
            if place.away or place.kind == BOT or not place.name:
                continue
            most = self._pace.autos(place.connected)
            gone = absence > 0 and place.seat in self._lost and now >= self._lost[place.seat] + absence
            if gone or (most and self._autos[place.seat] >= most):
                found.append(place.seat)
        return found

    def deserted(self) -> bool:
        """Say whether nobody is there for whom absent seats should be passed over."""
        return self._nobody is not None and self._pace.absence() == 0

    def skips(self, seat: int) -> bool:
        """Say whether *seat*, whose connection is gone, is passed over from its next decision on."""
        return seat in self._lost and self._pace.absence() == 0

    def count(self, places: Sequence[Place], now: float) -> None:
        """Take note of who is present now."""
        counted = self._pace.solitude() >= 0  # such a game knows suspended players, and bots are company
        present = [place for place in places if self._present(place, counted)]
        self._nobody = None if present else now if self._nobody is None else self._nobody
        alone = len(present) == 1 and len(places) > 1  # a match for one is no solitude
        self._one = None if not alone else now if self._one is None else self._one

    def _present(self, place: Place, counted: bool) -> bool:
        if place.kind == BOT:
            return counted
        return place.connected and not (counted and place.away)

    def abandoned(self, now: float) -> bool:
        """Say whether nobody has been there for too long."""
        end = self._ends(self._nobody, self._pace.abandonment())
        return end is not None and now >= end

    def alone(self, now: float) -> bool:
        """Say whether one player has been alone for too long."""
        end = self._ends(self._one, self._pace.solitude())
        return end is not None and now >= end

    def _ends(self, since: float | None, limit: float) -> float | None:
        return since + limit if since is not None and limit >= 0 else None

    def moments(self, places: Sequence[Place]) -> list[float]:
        """Return when something of this may change without anybody's doing."""
        absence = self._pace.absence()
        moments = [
            since + absence for seat, since in self._lost.items() if absence > 0 and not places[seat].away
        ]
        ends = (
            self._ends(self._nobody, self._pace.abandonment()),
            self._ends(self._one, self._pace.solitude()),
        )
        return moments + [end for end in ends if end is not None]
