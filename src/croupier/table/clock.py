"""Everything about a table that depends on time: questions and their deadlines, who is present, and how
long a table waits for players, bots or its next game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.core.contract import Pace, View
from croupier.table.presence import Presence
from croupier.table.questions import Questions
from croupier.wire.talk import BOT, Place

GRACE: Final = 15.0
"""How long a table waits for its players after a restart, and for an absent seat that has no clock."""
RETURN: Final = 10.0
"""How long the start of an agreed rematch waits for a player whose connection was lost: they may be reloading
the page.
"""
REMATCH: Final = 60.0
"""How long players may think about another match after one of them has asked for it; in a quick match as long
as for the first one."""
NEVER: Final = float("inf")
PAST: Final = float("-inf")


class Clock:
    """The deadlines of one table. The table decides what to do when they pass."""

    def __init__(self, pace: Pace, seats: int, parks: bool = False, wait: float = 0.0) -> None:
        """*parks* as in `Presence`; *wait* is `TableSpec.quick_match`."""
        self.pace = pace
        self._parks = parks
        self._wait = wait
        self.questions = Questions(seats)
        self.presence = Presence(pace, seats, parks)
        self.rest_since = 0.0
        """When the last game ended."""
        self.newcomer_at = NEVER
        """When a player last joined a table that waits for players."""
        self.answers_until = NEVER
        """Until when players may agree to another match; NEVER if nobody has asked for one."""
        self._returning: dict[str, float] = {}
        """Until when an agreed rematch waits for the players whose connection was lost, by name."""
        self._bots_at = NEVER
        """When bots take the free seats of a quick match."""
        self._guests_until = NEVER
        """Until when the first match waits for its guests; NEVER before the wait has begun."""
        self._hold_until = PAST

    def begin(self, seats: int) -> None:
        """Start a match without open questions and without known absences."""
        self.questions = Questions(seats)
        self.presence = Presence(self.pace, seats, self._parks)

    def rest(self, now: float) -> None:
        """Start the waiting times after a game or after the table has been restored."""
        self.rest_since = now
        self.newcomer_at = now
        self.answers_until = self._bots_at = NEVER

    # Questions.

    def ask(self, place: Place, view: View, decision: int, now: float) -> bool:
        """Start the clock of the next question to the seat of *view*; return True if it begins a decision."""
        limit = self.pace.limit(view, place.person)
        runs = limit > 0 and not self.presence.parked()
        begins = self.questions.ask(place.seat, decision, now + limit if runs else None)
        if not limit:
            self._set_grace(place, now)
        return begins

    def reset(self, place: Place, view: View, now: float) -> None:
        """Update the question of *place* when a connection begins or ends: a question without a limit waits
        for an absent player only for `GRACE`, and a parked match has no limits."""
        asked = self.questions.open[place.seat]
        limit = self.pace.limit(view, place.person)
        if asked is not None and not limit:
            self._set_grace(place, now)
        elif self.presence.parked():
            self.questions.limit(place.seat, None)
        elif asked is not None and asked.deadline is None:
            self.questions.limit(place.seat, now + limit)

    def _set_grace(self, place: Place, now: float) -> None:
        # No deadline if the pace handles absences itself, or if all players are absent.
        patient = place.connected or self.pace.absence() > 0 or self.presence.empty()
        self.questions.limit(place.seat, None if patient else now + GRACE)

    # Absences during a match.

    def lost(self, places: Sequence[Place], seat: int, now: float) -> None:
        """Note that the connection of *seat* has ended."""
        self.presence.lost(seat, now)
        places[seat].away = places[seat].away or self.presence.skips(seat)
        self.presence.count(places, now)

    def back(self, places: Sequence[Place], seat: int, now: float) -> bool:
        """Note that the player of *seat* is back; return True if they were away."""
        was_away = places[seat].away
        self.presence.back(seat)
        places[seat].away = False
        self.presence.count(places, now)
        return was_away

    def away(self, places: Sequence[Place], seat: int, now: float) -> None:
        """Mark the player of *seat* as away: a bot decides for them without waiting."""
        places[seat].away = True
        self.questions.withdraw(seat)
        self.presence.count(places, now)

    # The wait for players after a restart.

    def hold(self, now: float) -> None:
        """Start the wait for the players of a match that has been restored."""
        self._hold_until = now + GRACE

    def holds(self, places: Sequence[Place], now: float) -> bool:
        """Return True while the table waits for its players after a restart."""
        if self._hold_until == PAST:
            return False
        absent = [place for place in places if place.name and place.kind != BOT and not place.connected]
        if absent and now < self._hold_until:
            return True
        self._hold_until = PAST
        for place in absent:
            place.away = place.away or self.presence.skips(place.seat)
        self.presence.count(places, now)
        return False

    def holding(self) -> bool:
        """Return True if the wait after a restart has not ended."""
        return self._hold_until != PAST

    # The wait for players before a match.

    def note_newcomer(self, first: bool, rematch: bool, now: float) -> None:
        """Note that a player has joined, the *first* one at the table, or after a match (*rematch*).

        In a quick match the wait begins with the first player: it is not longer for everyone who joins.
        """
        self.newcomer_at = now
        if first:
            self.answers_until = NEVER
        if self._wait and rematch:
            self.ask_again(now)
        elif self._wait and first:
            self._bots_at = now + self._wait

    def ask_again(self, now: float) -> None:
        """Start the time in which players may agree to another match, unless it is running."""
        if self.answers_until == NEVER:
            self.answers_until = self._bots_at = now + (self._wait or REMATCH)

    def note_lost(self, name: str, now: float) -> None:
        """Note that the connection of a player was lost while a table waits for players."""
        if self.answers_until < NEVER:
            self._returning[name] = now + RETURN

    def note_return(self, name: str) -> None:
        """Note that a player has joined again."""
        self._returning.pop(name, None)

    def awaits_return(self, now: float) -> bool:
        """Return True while an agreed rematch waits for a player whose connection was lost."""
        self._returning = {name: until for name, until in self._returning.items() if until > now}
        return bool(self._returning)

    def forget_wish(self) -> None:
        """Forget the request for another match."""
        self.answers_until = self._bots_at = NEVER

    def fills_at(self, places: Sequence[Place]) -> float:
        """Return when bots take the seats that are still free."""
        after = self.pace.filling()
        somebody = any(place.name and place.kind != BOT for place in places)
        if not somebody or all(place.name for place in places):
            return NEVER
        if self._wait:
            return self._bots_at
        return max([self.newcomer_at + after, *self._returning.values()]) if after >= 0 else NEVER

    def rests_until(self) -> float:
        """Return when the next game starts automatically."""
        return self.rest_since + self.pace.rest()

    def waits_for_guests(self, seconds: float, now: float) -> bool:
        """Return True while the first match waits for absent guests: *seconds* seconds from the first call
        on."""
        if self._guests_until == NEVER:
            self._guests_until = now + seconds
        return now < self._guests_until

    # When the next thing is due.

    def wake_in_match(self, places: Sequence[Place]) -> float:
        """Return when the next question, warning or absence is due."""
        if self._hold_until != PAST:
            return self._hold_until
        return min(self.questions.wake(self.pace.warning()), self.presence.wake(places))

    def wake_between(self, places: Sequence[Place], guests: bool, cycles: bool) -> float:
        """Return the next deadline between matches: bots take the free seats, the time to agree to another
        match ends, the wait for guests ends (*guests*), or the next game starts (*cycles*)."""
        soonest = min(self.fills_at(places), self.answers_until)
        if self.answers_until < NEVER:
            soonest = min([soonest, *self._returning.values()])
        if guests:
            soonest = min(soonest, self._guests_until)
        return min(soonest, self.rests_until()) if cycles else soonest
