"""A table's match: beginning, ending, and becoming again what its journal says.

Everything here changes what a table is; what it tells and asks is in announcer.py, what it does by itself in
clockwork.py, what connections ask of it in table.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

from croupier.bots.strengths import filler, players, quick
from croupier.core.chance import Stream
from croupier.core.contract import CHANCE, WATCHER, Draw, Event, Pace, State, View
from croupier.core.options import Value
from croupier.table import journal
from croupier.table.dealing import Dealing
from croupier.table.effects import Effect, Setup, Tell, Write
from croupier.table.gallery import Gallery, Heard, Moment, open_to_watchers
from croupier.table.presence import Presence
from croupier.table.questions import Questions
from croupier.table.seating import Seating
from croupier.table.task import Course, Thought
from croupier.table.telling import Due, Telling
from croupier.wire import talk
from croupier.wire.accounts import Register
from croupier.wire.talk import BOT, CLOSED, GATHERING, PLAYING, RESTING, Asked, Place

SECRET_DEAL: Final = 0
"""The 'deal' whose seed feeds bots and stand-ins instead of draws."""
GRACE: Final = 15.0
"""How long a table waits for its players after a restart, and for an absent seat that has no clock."""


class Match:
    """The state of a table. Implements `talk.Face` for conversations."""

    def __init__(
        self,
        setup: Setup,
        entropy: Callable[[int, int], bytes],
        clock_text: Callable[[], str],
        stream: Callable[[bytes], Stream] = Stream,
        pace: Pace | None = None,
    ) -> None:
        """*entropy(match, deal)* gives 32 bytes of chance; *clock_text()* the date for the journal.

        *stream* makes draws of such bytes; a test may stack the deck there. *pace* replaces the game's own:
        where one person plays in a process, nobody has to wait.
        """
        self.setup = setup
        self.game = setup.game
        self.pace = pace or setup.game.pace(setup.table_options)
        self.phase = GATHERING
        self.started = setup.start
        self.state: State | None = None
        self.match = 0
        """How many matches have begun here; `match_id` names the present one."""
        self.match_id = ""
        self.players: list[str] = []
        """The names of the present match, by seat."""
        self.who: list[str] = []
        """Who they are: see `journal.Began`."""
        self.entries = 0
        """How many lines the journal has."""
        self._entropy = entropy
        self._clock_text = clock_text
        self._secret = b""
        self._seating = Seating(setup.seats, setup.seat_tokens, setup.guests)
        self._new_stream = stream
        self._dealing = Dealing(stream)
        self._telling = Telling(self.pace)
        self._questions = Questions(len(setup.seats))
        self._presence = Presence(self.pace, len(setup.seats))
        self._reserved = frozenset(setup.game.reserved())
        self._options = setup.rules_options
        self._drawn = 0
        """How many draws this match has had."""
        self._finished: State | None = None
        """How the match before ended, if it was played to its end and all its players still sit."""
        self._newcomer_at: float | None = None
        """When somebody last came to a table that gathers."""
        self._rest_since = 0.0
        self._hold_until = float("-inf")
        self._guests_until: float | None = None
        """How long the first match waits for guests."""
        self._at_rest = False
        """A game has ended, as far as has been told, and the next one has not begun."""
        self._bots = players(setup.game)
        self._filler = setup.filler or filler(setup.game)
        self._quick = quick(setup.game)
        """Who decides where a searching bot does not."""
        self._stand_in = setup.game.stand_in()
        self._course = Course()
        """What has happened in this match."""
        self._thoughts: dict[int, Thought] = {}
        """What searching bots are thinking about, by seat."""
        self._thought_number = 0
        self._usual: dict[str, float] = {}
        """How long the searching bots thought about their last free choices."""
        self._gallery: Gallery | None = None
        """What watchers see, where they see it later."""
        if setup.watch_delay:
            self._gallery = Gallery(setup)
            self._gallery.show(self._moment())

    # The face that conversations see.

    @property
    def id(self) -> str:
        return self.setup.id

    @property
    def rules_options(self) -> Mapping[str, Value]:
        return self._options

    @property
    def table_options(self) -> Mapping[str, Value]:
        return self.setup.table_options

    @property
    def seed(self) -> str | None:
        return None if self.setup.secret_seed else self.setup.seed

    @property
    def places(self) -> list[Place]:
        return self._seating.places

    @property
    def watch_open(self) -> bool:
        return open_to_watchers(self.setup, self.places)

    @property
    def watch_delay(self) -> int:
        return self.setup.watch_delay

    @property
    def gallery(self) -> talk.Face:
        return self if self._gallery is None else self._gallery

    @property
    def register(self) -> Register:
        return self.setup.register

    def view(self, seat: int) -> View:
        if not self._telling.audiences:
            self._telling.begin(self._new_state(), len(self.places))
        return self._telling.audiences[seat].view

    def asked(self, seat: int) -> Asked | None:
        return self._questions.open[seat] if seat >= 0 else None

    def number(self, seat: int) -> int:
        audience = self._telling.audiences.get(seat)
        return audience.number if audience is not None else 0

    @property
    def committed(self) -> talk.Committed | None:
        return self._dealing.published

    def missed(self, seat: int, last: int) -> list[talk.Told] | None:
        return self._telling.missed(seat, last)

    # Beginning and ending.

    def _begin(self, now: float) -> list[Effect]:
        """Begin a match, or the next game of the present one if the same players still sit."""
        self.started = False
        self.phase = PLAYING
        names = [place.name for place in self.places]
        if self.state is not None and names == self.players:
            return self._everybody(talk.PhaseChanged())
        effects: list[Effect] = self._end_match("other players") if self.state is not None else []
        options = None
        if self._finished is not None:
            options = self.game.options.changed(self.game.rematch(self._options, self._finished))
        match = f"{self.id}-{self.match + 1}"
        entry = journal.Began(match, names, self._clock_text(), options, self._known())
        self._new_match(entry)
        for seat in self._seating.absent():  # guests who have not come: nobody waits for them any longer
            self.places[seat].away = True
        self._presence.count(self.places, now)
        effects.append(self._write(entry))
        effects += self._everybody(talk.PhaseChanged())
        return effects if self.match > 1 else [*effects, *self._open(now)]

    def _open(self, now: float) -> list[Effect]:
        """Let the first match begin with the position it was set up with, all of it told at once."""
        effects: list[Effect] = []
        for entry in self.setup.opening:
            self._restore(entry)
            effects.append(self._write(entry))
        self._telling.resume(now)
        return [*effects, *self._everybody(talk.Resumed())] if effects else []

    def _new_match(self, entry: journal.Began) -> None:
        self.match += 1
        self.match_id = entry.match
        self.players = list(entry.players)
        self.who = list(entry.who)
        self.phase = PLAYING
        self._drawn = 0
        self._course = Course()
        changed = entry.options
        self._options = self.setup.rules_options if changed is None else self.game.options.read(changed)
        self._presence = Presence(self.pace, len(self.places))
        self.pace.begin(any(place.person for place in self.places))
        self._secret = self._entropy(self.match, SECRET_DEAL)
        self._dealing = Dealing(self._new_stream)
        self.state = self._new_state()
        self._telling.begin(self.state, len(self.places))
        self._questions = Questions(len(self.places))

    def _known(self) -> list[str]:
        """Return who sits where, as far as that is known; nothing if nobody here has an account."""
        accounts = [self.register.account(self.register.person(place.token)) for place in self.places]
        if not any(accounts):
            return []
        bots = [f"bot {place.bot}" if place.kind == BOT else "" for place in self.places]
        return [account.seal if account else bot for account, bot in zip(accounts, bots, strict=True)]

    def _new_state(self) -> State:
        return self.game.new(self._options, len(self.places))

    def _break_off(self, reason: str, now: float) -> list[Effect]:
        """End the match before its end; whoever is still there waits for the next one."""
        effects: list[Effect] = [*self._end_match(reason), *self._everybody(talk.Stopped(reason))]
        self.phase = GATHERING
        return [*effects, *self._gather(now)]

    def _gather(self, now: float) -> list[Effect]:
        """After a match: bots that helped out get up, and so does whoever is not there."""
        self._rest_since = now
        self._newcomer_at = now
        freed = self._free([*self._seating.helpers(), *self._seating.absent()])
        for place in self.places:
            place.away = False
        if self.setup.single:
            return [*freed, *self.close("the match is over", now)]
        return [*freed, *self._everybody(talk.PlacesChanged() if freed else talk.PhaseChanged())]

    def _end_match(self, reason: str) -> list[Effect]:
        """Close the record of the present match; without a reason it was played to its end."""
        assert self.state is not None
        entry = journal.Ended(
            self.match_id,
            self._clock_text(),
            None if reason else self.state.scores(),
            reason,
            self.state.places() if self.who and not reason else [],
        )
        self._forget_match(bool(reason))
        return [self._write(entry)]

    def _forget_match(self, broken_off: bool) -> None:
        self._finished = None if broken_off else self.state
        self.state = None
        self._dealing = Dealing(self._new_stream)
        self._telling.clear()
        self._questions.forget()

    def close(self, reason: str, now: float) -> list[Effect]:
        """End the table for good: no more games."""
        if self.phase == CLOSED:
            return []
        effects: list[Effect] = self._end_match(reason) if self.state is not None else []
        effects.append(self._write(journal.Closed(reason)))
        self._gallery = None  # nothing follows that could come later
        effects += self._everybody(talk.Closed(reason))
        self.phase = CLOSED
        self._telling.clear()
        return effects

    def _rise(self, seat: int) -> Effect:
        entry = journal.Rose(seat)
        self._get_up(entry)
        return self._write(entry)

    def _free(self, seats: Sequence[int]) -> list[Effect]:
        return [self._rise(seat) for seat in seats]

    def _get_up(self, entry: journal.Rose) -> None:
        """Free a seat, which a match goes on to keep for its player."""
        self._seating.rise(entry.seat, self.players[entry.seat] if self.state is not None else "")
        self._finished = None

    def _hand_over(self, entry: journal.Left) -> None:
        self._seating.hand_over(entry)
        if self.state is not None:
            self.players[entry.seat] = self.places[entry.seat].name
        self._questions.open[entry.seat] = None

    def _call(self, entry: journal.Renamed) -> None:
        self.places[entry.seat].name = entry.name
        if self.state is not None:
            self.players[entry.seat] = entry.name

    # Telling.

    def _take_in(self, event: Event, due: Due) -> None:
        """Let the places show what *event* says about them."""
        if due.actor >= 0 and due.auto is not None:
            self.places[due.actor].auto = due.auto
        if event.opens:
            for place in self.places:
                place.timeouts = place.errors = 0
        if event.rests:
            self._at_rest = True

    def _everybody(self, note: talk.Note) -> list[Effect]:
        return [*(Tell(seat, note) for seat in range(len(self.places))), *self._watchers(note)]

    def _watchers(self, note: talk.Note) -> list[Effect]:
        """Tell the watchers, now or when it is time."""
        if self._gallery is None:
            return [Tell(WATCHER, note)]
        self._gallery.keep(note, self._moment())
        return []

    def _moment(self) -> Moment:
        """Return how the table looks now to whoever watches."""
        audiences = self._telling.audiences
        shown = audiences if self.setup.watch_open else [WATCHER] if audiences else []
        return Moment(
            self.phase,
            self.started,
            self.match,
            self._options,
            [replace(place) for place in self.places],
            self.committed,
            {seat: (audiences[seat].view.to_act, audiences[seat].view.legal) for seat in shown},
            self.state is not None,
        )

    def _write(self, entry: journal.AnyEntry) -> Write:
        self.entries += 1
        return Write(entry)

    # After a crash.

    def restore(self, entries: Sequence[journal.AnyEntry], now: float) -> list[Effect]:
        """Become what the journal says; everything in it counts as told, and no time has passed."""
        for entry in entries:
            self.entries += 1
            self._restore(entry)
        self._telling.resume(now)
        self._rest_since = now
        self._newcomer_at = now
        freed: list[Effect] = []
        if self.phase != PLAYING:
            freed = self._free(self._seating.absent())
        else:
            self._hold_until = now + GRACE
            for seat in self._seating.absent():
                self._presence.lost(seat, now)
            self._presence.count(self.places, now)
        if self._gallery is not None:
            self._gallery.resume(self._moment())
        return freed

    def _restore(self, entry: journal.AnyEntry) -> None:
        match entry:
            case journal.Arranged(seats):
                self._forget_match(True)
                self._seating.arrange(seats)
                self.started = False
            case journal.Sat():
                self._seating.sit(entry)
            case journal.Rose():
                self._get_up(entry)
            case journal.Left():
                self._hand_over(entry)
            case journal.Renamed():
                self._call(entry)
            case journal.Concluded(seat):
                self._concluded(seat, float("-inf"))
                self._hear_all()
            case journal.Started():
                self.started = True
            case journal.Began():
                self.started = False
                self._new_match(entry)
                if self._gallery is not None:
                    self._gallery.forget()
            case journal.Committed():
                self._dealing.open(entry)
            case journal.Revealed():
                self._dealing.reveal()
            case journal.Drew(items):
                assert self.state is not None
                draw = self.state.awaiting()
                assert draw is not None
                if self._given(draw) is None:
                    self._dealing.draw(draw)  # the stream moves on as it did then
                self.phase = PLAYING
                self.started = False
                self.state.events = []
                outcome = [self.game.parse_draw(item) for item in items]
                self.state.apply_draw(outcome)
                self._course.note(CHANCE, outcome)
                self._catch_up(-1, False)
            case journal.Acted(seat, actions, by, counted):
                assert self.state is not None
                self.state.events = []
                codes = tuple(self.game.actions.parse(action) for action in actions)
                auto, shown = self._stood_in(seat, by), self._shows(seat)
                for action in codes:
                    self.state.apply(seat, action)
                self._course.note(seat, codes)
                self._recount(seat, by, counted, shown)
                self._catch_up(seat, auto)
                self._answered(seat, codes, by)
            case journal.Rested():
                self.phase = RESTING
                self._at_rest = False
            case journal.Ended(reason=reason):
                self._forget_match(bool(reason))
                self.phase = GATHERING
                self._at_rest = False
            case journal.Closed():
                self.phase = CLOSED
            case _:
                assert_never(entry)

    def _shows(self, seat: int) -> bool:
        """Say whether everybody may see whether *seat* answers in time what it is asked now.

        Where it is secret who is asked that is secret, too, unless the game counts it in the open.
        """
        assert self.state is not None
        public = self.state.to_act_for(WATCHER) >> seat & 1 == 1
        return public or self.pace.counts(self._telling.audiences[seat].view)

    def _stood_in(self, seat: int, by: str) -> bool | None:
        """Say whether *by* is somebody else deciding for *seat*; None where that is nobody's to know."""
        return by not in ("", "bot") if self._shows(seat) else None

    def _recount(self, seat: int, by: str, counted: bool, shown: bool) -> None:
        place = self.places[seat]
        if by == "fault":
            place.errors += 1
        elif by == "clock":
            place.timeouts += counted
            place.late = place.late or shown
        elif by == "" and shown:
            place.late = False

    def _catch_up(self, actor: int, auto: bool | None) -> None:
        assert self.state is not None
        self._queue(self.state, actor, auto, float("-inf"))
        self._hear_all()

    def _hear_all(self) -> None:
        """Take everything that waits as told."""
        while (due := self._telling.next(float("inf"))) is not None:
            assert isinstance(due.what, Event)
            self._take_in(due.what, due)
            heard = dict(self._telling.hear(due.what, due))
            if self._gallery is not None:
                self._gallery.overhear(Heard(due.what, heard.get(WATCHER)))

    def _answered(self, seat: int, actions: tuple[int, ...], by: str) -> None:
        self._questions.answer(seat, actions if by == "" else None)
        self._telling.audiences[seat].view.legal = []

    def _queue(self, state: State, actor: int, auto: bool | None, now: float) -> None:
        self.state = state
        events = state.events or []
        state.events = None
        self._telling.queue(events, actor, auto, now)

    def _given(self, draw: Draw) -> list[int] | None:
        """Return what the set-up fixed for the next draw, if it did."""
        if not draw.take:
            return None
        self._drawn += 1
        if self._drawn > len(self.setup.draws):
            return None
        return [self.game.parse_draw(item) for item in self.setup.draws[self._drawn - 1]]

    def _concluded(self, present: int, now: float) -> None:
        assert self.state is not None
        self.state.events = []
        self.state.conclude(present)
        self._queue(self.state, -1, False, now)
