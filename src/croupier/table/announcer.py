"""What a table says when it is due, and whom it asks.

The rest of what a table is lies in match.py; what it does by itself in clockwork.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.contract import WATCHER, Event
from croupier.table import journal
from croupier.table.effects import Effect, Tell
from croupier.table.gallery import Heard
from croupier.table.match import GRACE, Match
from croupier.table.telling import Due
from croupier.wire import talk
from croupier.wire.talk import BOT, GATHERING, PLAYING, RESTING


class Announcer(Match):
    """A match that is told and asked about."""

    def release(self, now: float) -> Iterator[Effect]:
        """Tell what is due, one thing at a time; then ask whoever owes a decision.

        A generator: each effect is to be carried out before the next is taken, for the told views
        move on with every step.
        """
        yield from self._release(now)
        if self._gallery is not None:
            for note in self._gallery.release(now):
                yield Tell(WATCHER, note)

    def _release(self, now: float) -> Iterator[Effect]:
        while (due := self._telling.next(now)) is not None:
            if isinstance(due.what, Event):
                yield from self._tell(due.what, due)
            else:
                yield from self._everybody(due.what)
        if not self._telling.silent() or self.state is None or self.phase != PLAYING:
            return
        for seat in self._presence.leaving(self.places, now):
            yield from self._go_away(seat, now)
        if self._dealing.seed_due(self.state):
            revealed = self._dealing.reveal()
            yield self._write(journal.Revealed(revealed.deal))
            yield from self._everybody(revealed)
        if self.state.over() or self._at_rest:
            yield from self._stop(now)
        elif self.state.awaiting() is None and not self._held(now):
            yield from self._ask(now)
            yield from self._warn(now)

    def _go_away(self, seat: int, now: float) -> list[Effect]:
        """Somebody else decides for *seat* from now on, without waiting."""
        place = self.places[seat]
        place.away = True
        self._questions.withdraw(seat)
        self._telling.audiences[seat].view.legal = []
        self._presence.count(self.places, now)
        return self._everybody(talk.PlacesChanged(talk.AWAY, seat, place.name))

    def _warn(self, now: float) -> Iterator[Effect]:
        assert self.state is not None
        for seat, left in self._questions.running_out(now, self.pace.warning()):
            if self.state.to_act_for(WATCHER) >> seat & 1:
                yield from self._everybody(talk.Warned(seat, left))

    def _stop(self, now: float) -> Iterator[Effect]:
        """A game has ended and so, perhaps, has the match."""
        assert self.state is not None
        self._at_rest = False
        self._rest_since = now
        if self.state.over():
            self.phase = GATHERING
            yield from self._end_match("")
            yield from self._gather(now)
            return
        self.phase = RESTING
        yield self._write(journal.Rested())
        freed = self._free(self._seating.absent())
        yield from freed
        yield from self._everybody(talk.PlacesChanged() if freed else talk.PhaseChanged())

    def _tell(self, event: Event, due: Due) -> Iterator[Effect]:
        self._take_in(event, due)
        for_watchers: talk.Told | None = None
        for seat, told in self._telling.hear(event, due):
            if seat == WATCHER and self._gallery is not None:
                for_watchers = told
            else:
                yield Tell(seat, told)
        if self._gallery is not None:
            self._gallery.keep(Heard(event, for_watchers), self._moment())
        elif self.watch_open and not event.heard_by(WATCHER):
            yield Tell(WATCHER, talk.Shown(event))

    def _ask(self, now: float) -> Iterator[Effect]:
        assert self.state is not None
        waiting = self.state.to_act()
        fresh: list[int] = []
        for seat, place in enumerate(self.places):
            if waiting >> seat & 1 and self.asked(seat) is None and place.kind != BOT and not place.away:
                fresh.append(seat)
                self._telling.audiences[seat].view.legal = self._offered(self.state.legal_actions(seat))
                limit = self._limit(seat)
                self._questions.ask(seat, self.state.question(seat), now + limit if limit else None)
                self._reset_clock(seat, now)
        for seat, audience in self._telling.audiences.items():
            known = self.state.to_act_for(seat)
            audience.view.to_act = known
            if known != audience.turn or any(known >> other & 1 for other in fresh):
                audience.turn = known
                deadline = max(self._questions.deadlines(known), default=None)
                changed = talk.TurnChanged(deadline)
                yield from self._watchers(changed) if seat == WATCHER else [Tell(seat, changed)]
        for seat in fresh:
            asked = self.asked(seat)
            assert asked is not None
            yield Tell(seat, talk.AskedNow(asked))

    def _limit(self, seat: int) -> float:
        return self.pace.limit(self._telling.audiences[seat].view, self.places[seat].person)

    def _reset_clock(self, seat: int, now: float) -> None:
        """Where there is no time limit, wait for an absent seat for a while only.

        Unless somebody will decide for it anyway, or nobody waits.
        """
        if self.asked(seat) is not None and not self._limit(seat):
            patient = self.places[seat].connected or self.pace.absence() > 0 or self._presence.deserted()
            self._questions.limit(seat, None if patient else now + GRACE)

    def _offered(self, legal: list[int]) -> list[int]:
        return [action for action in legal if action not in self._reserved]

    def _held(self, now: float) -> bool:
        """Say whether the table still waits for its players after a restart."""
        if now < self._hold_until and self._seating.absent():
            return True
        if self._hold_until > float("-inf"):
            self._hold_until = float("-inf")
            for seat in self._seating.absent():
                self.places[seat].away = self.places[seat].away or self._presence.skips(seat)
            self._presence.count(self.places, now)
        return False
