"""One table: seats, clocks, a match after the other. Commands in, effects out; no I/O, no clock of its own.

How a decision travels. The rules run ahead: an accepted action changes `state` at once and its events go
into `pending`. From there they are told one by one, each after the pause the game's pace asks for, and
every seat's *told view* hears them in that order; so what a connection sees never depends on how fast the
rules went on. Only when nothing is pending is the next seat asked, and only then does its clock start.

The runner calls, over and over: `handle` (a request), stores the `Write`s, then `release` (tell what is
due) and `proceed` (what the table does by itself: draws, bots, late seats), until nothing comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, assert_never

from croupier.core.chance import Stream, rng
from croupier.core.contract import WATCHER, Event, IllegalAction, State, View
from croupier.core.options import Value
from croupier.table import journal
from croupier.table.dealing import Dealing
from croupier.table.effects import Bind, Cut, Effect, Key, Reply, Setup, Tell, Write
from croupier.table.questions import Questions
from croupier.table.seating import Seating, arrangement_error
from croupier.table.telling import Due, Telling
from croupier.wire import talk
from croupier.wire.talk import BOT, CLOSED, GATHERING, PLAYING, RESTING, Asked, Place, token_digest

SECRET_DEAL: Final = 0
"""The 'deal' whose seed feeds bots and stand-ins instead of draws."""
STRIDE: Final = 16
"""How many steps a table of bots takes before others have a turn."""
GRACE: Final = 15.0
"""How long a table waits for its players after a restart, and for an absent seat that has no clock."""


class Table:
    """See the module's head. Implements `talk.Face` for conversations."""

    def __init__(
        self,
        setup: Setup,
        entropy: Callable[[int, int], bytes],
        clock_text: Callable[[], str],
        stream: Callable[[bytes], Stream] = Stream,
    ) -> None:
        """*entropy(match, deal)* gives 32 bytes of chance; *clock_text()* the date for the journal.

        *stream* makes draws of such bytes; a test may stack the deck there.
        """
        self.setup = setup
        self.game = setup.game
        self.pace = setup.game.pace(setup.table_options)
        self.phase = GATHERING
        self.started = setup.start
        self.state: State | None = None
        self.match = 0
        """How many matches have begun here; `match_id` names the present one."""
        self.match_id = ""
        self.players: list[str] = []
        """The names of the present match, by seat."""
        self.entries = 0
        """How many lines the journal has."""
        self._entropy = entropy
        self._clock_text = clock_text
        self._secret = b""
        self._seating = Seating(setup.seats, setup.seat_tokens)
        self._new_stream = stream
        self._dealing = Dealing(stream)
        self._telling = Telling(self.pace)
        self._questions = Questions(len(setup.seats))
        self._rest_since = 0.0
        self._hold_until = float("-inf")
        self._at_rest = False
        """A game has ended, as far as has been told, and the next one has not begun."""
        self._bots = setup.game.bots()
        self._stand_in = setup.game.stand_in()

    # The face that conversations see.

    @property
    def id(self) -> str:
        return self.setup.id

    @property
    def rules_options(self) -> Mapping[str, Value]:
        return self.setup.rules_options

    @property
    def table_options(self) -> Mapping[str, Value]:
        return self.setup.table_options

    @property
    def seed(self) -> str | None:
        return self.setup.seed

    @property
    def places(self) -> list[Place]:
        return self._seating.places

    @property
    def watch_open(self) -> bool:
        return self.setup.watch_open and not any(place.person for place in self.places)

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

    # Requests.

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
            case talk.Wrong(turn):
                return self._wrong(seat, turn, now)
            case talk.Start(id):
                return self._start(key, id, now)
            case talk.Arrange():
                return self._arrange(key, request, now)
            case talk.Leave(id):
                if seat < 0:
                    return [Reply(key, talk.Refused(request, "not_joined", "join first"))]
                return [*self._leave(seat), Reply(key, talk.Accepted(id))]
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
        self.places[seat].connected = False
        effects: list[Effect] = []
        if self.phase != PLAYING:
            effects.append(self._rise(seat))
        self._reset_clock(seat, now)
        return [*effects, *self._everybody(talk.PlacesChanged())]

    def close(self, reason: str, now: float) -> list[Effect]:
        """End the table for good: no more games."""
        if self.phase == CLOSED:
            return []
        effects: list[Effect] = self._end_match(reason) if self.state is not None else []
        effects.append(self._write(journal.Closed(reason)))
        effects += self._everybody(talk.Closed(reason))
        self.phase = CLOSED
        self._telling.clear()
        return effects

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
            effects += self._everybody(talk.PlacesChanged())
            effects.append(Reply(key, talk.Seated(seat, True, request.id)))
            asked = self.asked(seat)
            if asked is not None:
                effects.append(Reply(key, talk.AskedNow(asked)))
            return effects
        number = claim.number if claim.number is not None else seat + 1
        entry = journal.Sat(seat, claim.name, number, token_digest(claim.token), claim.person)
        self._seating.sit(entry)
        self._seating.connect(seat, key)
        return [
            self._write(entry),
            Bind(key, seat),
            Reply(key, talk.Seated(seat, False, request.id)),
            *self._everybody(talk.PlacesChanged()),
        ]

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
        trial = self.state.clone()
        trial.events = []
        try:
            for action in request.actions:
                if trial.awaiting() is not None:
                    words = "the rest of the actions depends on a draw"
                    return [Reply(key, talk.Refused(request, "too_soon", words))]
                trial.apply(seat, action)
        except IllegalAction as error:
            return [Reply(key, talk.Refused(request, error.key, str(error)))]
        self.places[seat].late = False
        write = self._acted(trial, seat, request.actions, "", False, now)
        return [write, Reply(key, talk.Accepted(request.id))]

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
        wrong = arrangement_error(self.game, request.seats, len(self.places))
        if wrong:
            return [Reply(key, talk.Refused(request, "bad_seats", wrong))]
        effects: list[Effect] = self._end_match("other seats") if self.state is not None else []
        entry = journal.Arranged(list(request.seats))
        effects.append(self._write(entry))
        keys = self._seating.keys
        effects += [Cut(keys.pop(seat)) for seat in self._seating.arrange(entry.seats) if seat in keys]
        self.started = False
        return [*effects, Reply(key, talk.Accepted(request.id)), *self._everybody(talk.PlacesChanged())]

    def _leave(self, seat: int) -> list[Effect]:
        key = self._seating.keys.pop(seat, None)
        effects: list[Effect] = [] if key is None else [Bind(key, WATCHER)]
        if self.phase == PLAYING:
            entry = journal.Left(seat, list(self._bots)[-1])
            self._hand_over(entry)
            effects.append(self._write(entry))
        else:
            effects.append(self._rise(seat))
        return [*effects, *self._everybody(talk.PlacesChanged())]

    def _rise(self, seat: int) -> Effect:
        """Free a seat, which a match goes on to keep for its player."""
        self._seating.rise(seat, self.players[seat] if self.state is not None else "")
        return self._write(journal.Rose(seat))

    def _hand_over(self, entry: journal.Left) -> None:
        self._seating.hand_over(entry)
        self._questions.open[entry.seat] = None

    # What the table does by itself.

    def proceed(self, now: float) -> list[Effect]:
        """Return what happens now without anybody's request: starts, draws, bots, late answers.

        Goes on as long as nothing has to be told after a pause first, so that a bot's whole turn, or
        a table of bots, costs one write to the disk.
        """
        effects: list[Effect] = []
        for _ in range(STRIDE):
            if self._held(now) or self._telling.pauses():
                break
            more = self._next(now)
            if more is None:
                break
            effects += more
        return effects

    def _next(self, now: float) -> list[Effect] | None:
        """Return the effects of the next step, or None when nothing is to be done."""
        if self.phase == CLOSED:
            return None
        if self.phase != PLAYING:
            return self._begin() if self._ready(now) else None
        assert self.state is not None
        if self.state.over() or self._telling.rests():
            return None  # the end is still to be told; release() sees to it
        if self.state.awaiting() is not None:
            return None if self._dealing.seed_due(self.state) else self._draw(now)
        waiting = self.state.to_act()
        for seat, place in enumerate(self.places):
            if not waiting >> seat & 1:
                continue
            if place.kind == BOT:
                return [self._decide(seat, "bot", False, now)]
            if self._questions.late(seat, now):
                return [self._late(seat, now)]
        return None

    def _late(self, seat: int, now: float) -> Effect:
        place = self.places[seat]
        if not place.connected:
            return self._decide(seat, "absent", False, now)
        assert self.state is not None
        counted = self.pace.counts(self._telling.audiences[seat].view)
        place.timeouts += counted
        place.late = True
        return self._decide(seat, "clock", counted, now)

    def _decide(self, seat: int, by: str, counted: bool, now: float) -> Effect:
        """Let a bot or the stand-in make the whole decision that *seat* owes."""
        assert self.state is not None
        bot = self._bots[self.places[seat].bot] if by == "bot" else self._stand_in
        dice = rng(self._secret, f"{self.entries} {seat}")
        trial = self.state.clone()
        trial.events = []
        actions: list[int] = []
        question = trial.question(seat)
        while True:
            action = bot.choose(trial.view(seat), dice)
            trial.apply(seat, action)
            actions.append(action)
            if question < 0 or trial.question(seat) != question or not trial.to_act() >> seat & 1:
                break
        return self._acted(trial, seat, tuple(actions), by, counted, now)

    def _acted(
        self, trial: State, seat: int, actions: tuple[int, ...], by: str, counted: bool, now: float
    ) -> Effect:
        """Make *trial*, in which *seat* has acted, the state of the match."""
        self._queue(trial, seat, by not in ("", "bot"), now)
        self._answered(seat, actions, by)
        words = [self.game.actions.name(action) for action in actions]
        return self._write(journal.Acted(seat, words, by, counted))

    def _answered(self, seat: int, actions: tuple[int, ...], by: str) -> None:
        self._questions.answer(seat, actions if by == "" else None)
        self._telling.audiences[seat].view.legal = []

    def _queue(self, state: State, actor: int, auto: bool, now: float) -> None:
        self.state = state
        events = state.events or []
        state.events = None
        self._telling.queue(events, actor, auto, now)

    def _draw(self, now: float) -> list[Effect]:
        assert self.state is not None
        draw = self.state.awaiting()
        assert draw is not None
        effects: list[Effect] = []
        if self._dealing.needs_seed(self.state, draw):
            deal = self.state.deal() + 1
            entry = journal.Committed(deal, self._entropy(self.match, deal).hex())
            effects.append(self._write(entry))
            self._telling.queue([self._dealing.open(entry)], -1, False, now)
        outcome = self._dealing.draw(draw)
        items = [self.game.draw_name(item) for item in outcome]
        self.state.events = []
        self.state.apply_draw(outcome)
        self._queue(self.state, -1, False, now)
        effects.append(self._write(journal.Drew(items)))
        return effects

    # Starting, resting, ending.

    def _ready(self, now: float) -> bool:
        if not self._seating.filled():
            return False
        if self.phase == RESTING or self.match:
            return self.started or (self.setup.auto_cycle and now >= self._rest_since + self.pace.rest())
        return self.started

    def _begin(self) -> list[Effect]:
        """Begin a match, or the next game of the present one if the same players still sit."""
        self.started = False
        self.phase = PLAYING
        names = [place.name for place in self.places]
        if self.state is not None and names == self.players:
            return self._everybody(talk.PhaseChanged())
        effects: list[Effect] = self._end_match("other players") if self.state is not None else []
        entry = journal.Began(f"{self.id}-{self.match + 1}", names, self._clock_text())
        effects.append(self._write(entry))
        self._new_match(entry)
        return [*effects, *self._everybody(talk.PhaseChanged())]

    def _new_match(self, entry: journal.Began) -> None:
        self.match += 1
        self.match_id = entry.match
        self.players = entry.players
        self.phase = PLAYING
        self._secret = self._entropy(self.match, SECRET_DEAL)
        self._dealing = Dealing(self._new_stream)
        self.state = self._new_state()
        self._telling.begin(self.state, len(self.places))
        self._questions = Questions(len(self.places))

    def _new_state(self) -> State:
        return self.game.new(self.setup.rules_options, len(self.places))

    def _end_match(self, reason: str) -> list[Effect]:
        """Close the record of the present match; without a reason it was played to its end."""
        assert self.state is not None
        entry = journal.Ended(
            self.match_id, self._clock_text(), None if reason else self.state.scores(), reason
        )
        self._forget_match()
        return [self._write(entry)]

    def _forget_match(self) -> None:
        self.state = None
        self._dealing = Dealing(self._new_stream)
        self._telling.clear()
        self._questions.forget()

    # Telling.

    def release(self, now: float) -> Iterator[Effect]:
        """Tell what is due, one thing at a time; then ask whoever owes a decision.

        A generator: each effect is to be carried out before the next is taken, for the told views
        move on with every step.
        """
        while (due := self._telling.next(now)) is not None:
            if isinstance(due.what, Event):
                yield from self._tell(due.what, due)
            else:
                yield from self._everybody(due.what)
        if not self._telling.silent() or self.state is None or self.phase != PLAYING:
            return
        if self._dealing.seed_due(self.state):
            revealed = self._dealing.reveal()
            yield self._write(journal.Revealed(revealed.deal))
            yield from self._everybody(revealed)
        if self.state.over() or self._at_rest:
            yield from self._stop(now)
        elif self.state.awaiting() is None and not self._held(now):
            yield from self._ask(now)

    def _stop(self, now: float) -> Iterator[Effect]:
        """A game has ended and so, perhaps, has the match."""
        assert self.state is not None
        self._at_rest = False
        self._rest_since = now
        if self.state.over():
            self.phase = GATHERING
            yield from self._end_match("")
        else:
            self.phase = RESTING
            yield self._write(journal.Rested())
        freed = self._free_the_absent()
        yield from freed
        yield from self._everybody(talk.PlacesChanged() if freed else talk.PhaseChanged())

    def _free_the_absent(self) -> list[Effect]:
        return [self._rise(seat) for seat in self._seating.absent()]

    def _tell(self, event: Event, due: Due) -> Iterator[Effect]:
        if due.actor >= 0:
            self.places[due.actor].auto = due.auto
        if event.opens:
            for place in self.places:
                place.timeouts = place.errors = 0
        if event.rests:
            self._at_rest = True
        for seat, told in self._telling.hear(event, due):
            yield Tell(seat, told)
        if self.watch_open and not event.heard_by(WATCHER):
            yield Tell(WATCHER, talk.Shown(event))

    def _ask(self, now: float) -> Iterator[Effect]:
        assert self.state is not None
        waiting = self.state.to_act()
        fresh: list[int] = []
        for seat, place in enumerate(self.places):
            if waiting >> seat & 1 and self.asked(seat) is None and place.kind != BOT:
                fresh.append(seat)
                self._telling.audiences[seat].view.legal = self.state.legal_actions(seat)
                limit = self._limit(seat)
                self._questions.ask(seat, self.state.question(seat), now + limit if limit else None)
                self._reset_clock(seat, now)
        for seat, audience in self._telling.audiences.items():
            known = self.state.to_act_for(seat)
            audience.view.to_act = known
            if known != audience.turn or any(known >> other & 1 for other in fresh):
                audience.turn = known
                deadline = max(self._questions.deadlines(known), default=None)
                yield Tell(seat, talk.TurnChanged(deadline))
        for seat in fresh:
            asked = self.asked(seat)
            assert asked is not None
            yield Tell(seat, talk.AskedNow(asked))

    def _limit(self, seat: int) -> float:
        return self.pace.limit(self._telling.audiences[seat].view, self.places[seat].person)

    def _reset_clock(self, seat: int, now: float) -> None:
        """Where there is no time limit, wait for an absent seat for a while only."""
        if self.asked(seat) is not None and not self._limit(seat):
            self._questions.limit(seat, None if self.places[seat].connected else now + GRACE)

    def _everybody(self, note: talk.Note) -> list[Effect]:
        return [Tell(seat, note) for seat in (*range(len(self.places)), WATCHER)]

    # Time.

    def wake(self) -> float | None:
        """Return when something will be due without anybody's doing."""
        moments: list[float] = []
        if self._hold_until > float("-inf"):
            moments.append(self._hold_until)
        if (telling := self._telling.wake()) is not None:
            moments.append(telling)
        else:
            moments += self._questions.deadlines()
            if (
                self.phase in (GATHERING, RESTING)
                and self.match
                and self.setup.auto_cycle
                and self._seating.filled()
            ):
                moments.append(self._rest_since + self.pace.rest())
        return min(moments, default=None)

    def _held(self, now: float) -> bool:
        """Say whether the table still waits for its players after a restart."""
        if now < self._hold_until and self._seating.absent():
            return True
        self._hold_until = float("-inf")
        return False

    def _write(self, entry: journal.AnyEntry) -> Write:
        self.entries += 1
        return Write(entry)

    # After a crash.

    def restore(self, entries: Sequence[journal.AnyEntry], now: float) -> list[Effect]:
        """Become what the journal says; everything in it counts as told, and no time has passed."""
        for entry in entries:
            self.entries += 1
            self._restore(entry)
        self._telling.told_at = now
        self._rest_since = now
        if self.phase != PLAYING:
            return self._free_the_absent()
        self._hold_until = now + GRACE
        return []

    def _restore(self, entry: journal.AnyEntry) -> None:
        match entry:
            case journal.Arranged(seats):
                self._forget_match()
                self._seating.arrange(seats)
                self.started = False
            case journal.Sat():
                self._seating.sit(entry)
            case journal.Rose(seat):
                self._seating.rise(seat, self.players[seat] if self.state is not None else "")
            case journal.Left():
                self._hand_over(entry)
            case journal.Started():
                self.started = True
            case journal.Began():
                self.started = False
                self._new_match(entry)
            case journal.Committed():
                self._dealing.open(entry)
            case journal.Revealed():
                self._dealing.reveal()
            case journal.Drew(items):
                assert self.state is not None
                draw = self.state.awaiting()
                assert draw is not None
                self._dealing.draw(draw)  # the stream moves on as it did then
                self.phase = PLAYING
                self.started = False
                self.state.events = []
                self.state.apply_draw([self.game.parse_draw(item) for item in items])
                self._catch_up(-1, False)
            case journal.Acted(seat, actions, by, counted):
                assert self.state is not None
                self.state.events = []
                codes = tuple(self.game.actions.parse(action) for action in actions)
                for action in codes:
                    self.state.apply(seat, action)
                self._recount(seat, by, counted)
                self._catch_up(seat, by not in ("", "bot"))
                self._answered(seat, codes, by)
            case journal.Rested():
                self.phase = RESTING
                self._at_rest = False
            case journal.Ended():
                self._forget_match()
                self.phase = GATHERING
                self._at_rest = False
            case journal.Closed():
                self.phase = CLOSED
            case _:
                assert_never(entry)

    def _recount(self, seat: int, by: str, counted: bool) -> None:
        place = self.places[seat]
        if by == "fault":
            place.errors += 1
        elif by == "clock":
            place.timeouts += counted
            place.late = True
        elif by == "":
            place.late = False

    def _catch_up(self, actor: int, auto: bool) -> None:
        assert self.state is not None
        self._queue(self.state, actor, auto, float("-inf"))
        while (due := self._telling.next(float("inf"))) is not None:
            assert isinstance(due.what, Event)
            for _ in self._tell(due.what, due):
                pass
