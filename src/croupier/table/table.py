"""One table: seats, clocks, a match after the other. Commands in, effects out; no I/O, no clock of its own.

How a decision travels. The rules run ahead: an accepted action changes `state` at once and its events go
into `pending`. From there they are told one by one, each after the pause the game's pace asks for, and
every seat's *told view* hears them in that order; so what a connection sees never depends on how fast the
rules went on. Only when nothing is pending is the next seat asked, and only then does its clock start.

The runner calls, over and over: `handle` (a request), stores the `Write`s, then `release` (tell what is
due) and `proceed` (what the table does by itself: draws, bots, late seats), until nothing comes back.
"""

from __future__ import annotations

from typing import assert_never

from croupier.core.contract import WATCHER, IllegalAction
from croupier.table import journal
from croupier.table.clockwork import Clockwork
from croupier.table.effects import Bind, Cut, Effect, Key, Reply
from croupier.table.seating import arrangement_error
from croupier.wire import talk
from croupier.wire.talk import BOT, CLOSED, PLAYING


class Table(Clockwork):
    """See the module's head."""

    def handle(self, key: Key, seat: int, request: talk.Request, now: float) -> list[Effect]:
        """Carry out a request of the connection *key*, which plays *seat* (or WATCHER)."""
        if self.phase == CLOSED:
            return [Reply(key, talk.Refused(request, "closed", "this table is closed"))]
        if isinstance(request, talk.Start | talk.Arrange) and not self._may_manage(seat):
            words = "the players at this table decide: sit down first"
            return [Reply(key, talk.Refused(request, "not_seated", words))]
        match request:
            case talk.Join():
                return self._join(key, seat, request, now)
            case talk.Act():
                return self._act(key, seat, request, now)
            case talk.Here():
                return self._show_up(seat, now)
            case talk.Wrong(turn):
                return self._wrong(seat, turn, now)
            case talk.Start(id):
                return self._start(key, id, now)
            case talk.Arrange():
                return self._arrange(key, request, now)
            case talk.Leave(id):
                if seat < 0:
                    return [Reply(key, talk.Refused(request, "not_joined", "join first"))]
                return [*self._leave(seat, now), Reply(key, talk.Accepted(id))]
            case talk.Rename():
                return self._rename(key, seat, request)
            case talk.Say(text, id):
                if seat < 0:
                    return [Reply(key, talk.Refused(request, "not_joined", "join first"))]
                said = talk.Said(seat, self.places[seat].name, text)
                return [Reply(key, talk.Accepted(id)), *self._everybody(said)]
            case _:
                assert_never(request)

    def seat_of(self, key: Key) -> int:
        """Return the seat that the connection *key* plays, or WATCHER.

        A conversation learns its seat when the join has been stored; the table knows it at once.
        """
        return self._seating.seat_of(key)

    def _may_manage(self, seat: int) -> bool:
        """Say whether whoever plays *seat*, or watches, may start and arrange this table."""
        players = any(place.name and place.kind != BOT for place in self.places)
        return seat >= 0 or self.setup.anybody_starts or not players

    def lost(self, key: Key, seat: int, now: float) -> list[Effect]:
        """The connection has ended. In a game the seat is kept; before and after, it is free."""
        if seat < 0 or self._seating.keys.get(seat) != key:
            return []
        del self._seating.keys[seat]
        place = self.places[seat]
        place.connected = False
        changed = talk.PlacesChanged(talk.LOST, seat, place.name)
        effects: list[Effect] = []
        if self.phase == PLAYING:
            self._presence.lost(seat, now)
            place.away = place.away or self._presence.skips(seat)
            self._presence.count(self.places, now)
        else:
            effects.append(self._rise(seat))
        self._reset_clock(seat, now)
        return [*effects, *self._everybody(changed)]

    def _join(self, key: Key, seat: int, request: talk.Join, now: float) -> list[Effect]:
        if seat >= 0:
            return [Reply(key, talk.Refused(request, "already_joined", f"you have seat {seat}"))]
        claim = request.claim
        try:
            seat = claim.seat(self)
        except talk.JoinRefused as error:
            return [Reply(key, talk.Refused(request, error.key, str(error)))]
        if self.places[seat].name:  # a takeover: the newest connection wins
            effects: list[Effect] = []
            old = self._seating.connect(seat, key)
            if old is not None:
                effects.append(Cut(old))
            self._reset_clock(seat, now)
            effects.append(Bind(key, seat))
            effects += self._everybody(talk.PlacesChanged(talk.BACK, seat, claim.name))
            effects += self._show_up(seat, now)
            effects.append(Reply(key, talk.Seated(seat, True, request.id)))
            asked = self.asked(seat)
            if asked is not None:
                effects.append(Reply(key, talk.AskedNow(asked)))
            return effects
        number = claim.number if claim.number is not None else seat + 1
        entry = journal.Sat(seat, claim.name, number, self.register.seal(claim.token), claim.person)
        self._seating.sit(entry)
        self._seating.connect(seat, key)
        self._newcomer_at = now
        return [
            self._write(entry),
            Bind(key, seat),
            Reply(key, talk.Seated(seat, False, request.id)),
            *self._everybody(talk.PlacesChanged(talk.CAME, seat, claim.name)),
        ]

    def _rename(self, key: Key, seat: int, request: talk.Rename) -> list[Effect]:
        if seat < 0:
            return [Reply(key, talk.Refused(request, "not_joined", "join first"))]
        changed = talk.PlacesChanged(talk.RENAMED, seat, self.places[seat].name, request.name)
        entry = journal.Renamed(seat, request.name)
        self._call(entry)
        return [self._write(entry), Reply(key, talk.Accepted(request.id)), *self._everybody(changed)]

    def _show_up(self, seat: int, now: float) -> list[Effect]:
        """The player of *seat* is there: nobody decides for him any more."""
        if seat < 0:
            return []
        self._presence.back(seat)
        place = self.places[seat]
        was_away = place.away
        place.away = False
        self._presence.count(self.places, now)
        return self._everybody(talk.PlacesChanged(talk.PRESENT, seat, place.name)) if was_away else []

    def _act(self, key: Key, seat: int, request: talk.Act, now: float) -> list[Effect]:
        if seat < 0:
            return [Reply(key, talk.Refused(request, "not_joined", "join first"))]
        if self._questions.repeats(seat, request):
            return [Reply(key, talk.Accepted(request.id))]  # a repeated answer has its effect once
        asked = self.asked(seat)
        if request.turn >= 0 and (asked is None or request.turn != asked.turn):
            due = f"question {asked.turn} is open" if asked else "nothing is asked of you now"
            words = f"question {request.turn} is past or not yet asked: {due}"
            return [Reply(key, talk.Refused(request, "stale", words))]
        if self._questions.late(seat, now):
            return [Reply(key, talk.Refused(request, "too_late", "the time for this question is up"))]
        if self.state is None or not request.actions:
            return [Reply(key, talk.Refused(request, "not_now", "no game is running or no action given"))]
        question = self.state.question(seat)
        trial = self.state.clone()
        trial.events = []
        try:
            for number, action in enumerate(request.actions):
                if number and not self._goes_on(trial, seat, question):
                    # What the rules say of the next decision could tell what this seat may not know yet.
                    words = "these are more actions than this decision takes: wait until you are asked again"
                    return [Reply(key, talk.Refused(request, "too_soon", words))]
                if action in self._reserved:
                    words = "only the clock may do that"
                    return [Reply(key, talk.Refused(request, "reserved", words))]
                if trial.awaiting() is not None:
                    words = "the rest of the actions depends on a draw"
                    return [Reply(key, talk.Refused(request, "too_soon", words))]
                trial.apply(seat, action)
        except IllegalAction as error:
            return [Reply(key, talk.Refused(request, error.key, str(error)))]
        if self._shows(seat):
            self.places[seat].late = False
        if not self._goes_on(trial, seat, question):
            self._presence.answered(seat)
        write = self._acted(trial, seat, request.actions, "", False, now)
        present = self._show_up(seat, now) if self.places[seat].away else []
        return [write, Reply(key, talk.Accepted(request.id)), *present]

    def _wrong(self, seat: int, turn: int, now: float) -> list[Effect]:
        asked = self.asked(seat)
        if asked is None or asked.turn != turn:
            return []
        self.places[seat].errors += 1
        return [self._decide(seat, "fault", True, now)]

    def _start(self, key: Key, id: object, now: float) -> list[Effect]:
        if self.phase == PLAYING:
            return [Reply(key, talk.Refused(talk.Start(id), "not_now", "a game is running"))]
        self.started = True
        return [
            self._write(journal.Started()),
            Reply(key, talk.Accepted(id)),
            *self._everybody(talk.PhaseChanged()),
        ]

    def _arrange(self, key: Key, request: talk.Arrange, now: float) -> list[Effect]:
        if self.phase == PLAYING:
            words = "a game is running: the seats are fixed until it ends"
            return [Reply(key, talk.Refused(request, "not_now", words))]
        if self.setup.guests:
            words = "the seats of this table are kept for those who were sent here"
            return [Reply(key, talk.Refused(request, "not_now", words))]
        wrong = arrangement_error(self.game, request.seats, len(self.places))
        wrong = wrong or self._seating.clash(request.seats)
        if wrong:
            return [Reply(key, talk.Refused(request, "bad_seats", wrong))]
        effects: list[Effect] = self._end_match("other seats") if self.state is not None else []
        self._finished = None
        entry = journal.Arranged(list(request.seats))
        effects.append(self._write(entry))
        keys = self._seating.keys
        effects += [Cut(keys.pop(seat)) for seat in self._seating.arrange(entry.seats) if seat in keys]
        self.started = False
        return [*effects, Reply(key, talk.Accepted(request.id)), *self._everybody(talk.PlacesChanged())]

    def _leave(self, seat: int, now: float) -> list[Effect]:
        key = self._seating.keys.pop(seat, None)
        effects: list[Effect] = [] if key is None else [Bind(key, WATCHER)]
        changed = talk.PlacesChanged(talk.QUIT, seat, self.places[seat].name)
        if self.phase != PLAYING:
            return [*effects, self._rise(seat), *self._everybody(changed)]
        entry = journal.Left(seat, self._filler)
        self._hand_over(entry)
        effects.append(self._write(entry))
        effects += self._everybody(changed)
        self._presence.count(self.places, now)
        if self.pace.quitting_aborts():
            return [*effects, *self._break_off("quit", now)]
        if all(place.kind == BOT for place in self.places):
            return [*effects, *self._break_off("abandoned", now)]
        return effects
