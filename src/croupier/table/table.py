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
from croupier.core.contract import WATCHER, Bot, Draw, Event, IllegalAction, Pace, State, View
from croupier.core.options import Value
from croupier.table import journal
from croupier.table.dealing import Dealing
from croupier.table.effects import Bind, Cut, Effect, Key, Reply, Setup, Tell, Write
from croupier.table.presence import Presence
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
        self._presence = Presence(self.pace, len(setup.seats))
        self._reserved = frozenset(setup.game.reserved())
        self._options = setup.rules_options
        self._drawn = 0
        """How many draws this match has had."""
        self._finished: State | None = None
        """How the match before ended, if it was played to its end."""
        self._newcomer_at: float | None = None
        """When somebody last came to a table that gathers."""
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
        return self._options

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
                return [*self._show_up(seat, now), *self._act(key, seat, request, now)]
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
            effects += self._everybody(talk.PlacesChanged(talk.BACK, seat, claim.name))
            effects += self._show_up(seat, now)
            effects.append(Reply(key, talk.Seated(seat, True, request.id)))
            asked = self.asked(seat)
            if asked is not None:
                effects.append(Reply(key, talk.AskedNow(asked)))
            return effects
        number = claim.number if claim.number is not None else seat + 1
        entry = journal.Sat(seat, claim.name, number, token_digest(claim.token), claim.person)
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
        changed = talk.PlacesChanged(talk.RENAMED, seat, self.places[seat].name)
        entry = journal.Renamed(seat, request.name)
        self._call(entry)
        return [self._write(entry), Reply(key, talk.Accepted(request.id)), *self._everybody(changed)]

    def _call(self, entry: journal.Renamed) -> None:
        self.places[entry.seat].name = entry.name
        if self.state is not None:
            self.players[entry.seat] = entry.name

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
        trial = self.state.clone()
        trial.events = []
        try:
            for action in request.actions:
                if action in self._reserved:
                    words = "only the clock may do that"
                    return [Reply(key, talk.Refused(request, "reserved", words))]
                if trial.awaiting() is not None:
                    words = "the rest of the actions depends on a draw"
                    return [Reply(key, talk.Refused(request, "too_soon", words))]
                trial.apply(seat, action)
        except IllegalAction as error:
            return [Reply(key, talk.Refused(request, error.key, str(error)))]
        self.places[seat].late = False
        self._presence.answered(seat)
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

    def _leave(self, seat: int, now: float) -> list[Effect]:
        key = self._seating.keys.pop(seat, None)
        effects: list[Effect] = [] if key is None else [Bind(key, WATCHER)]
        changed = talk.PlacesChanged(talk.QUIT, seat, self.places[seat].name)
        if self.phase != PLAYING:
            return [*effects, self._rise(seat), *self._everybody(changed)]
        entry = journal.Left(seat, list(self._bots)[-1])
        self._hand_over(entry)
        effects.append(self._write(entry))
        effects += self._everybody(changed)
        self._presence.count(self.places, now)
        if self.pace.quitting_aborts():
            return [*effects, *self._break_off("quit", now)]
        if all(place.kind == BOT for place in self.places):
            return [*effects, *self._break_off("abandoned", now)]
        return effects

    def _rise(self, seat: int) -> Effect:
        """Free a seat, which a match goes on to keep for its player."""
        self._seating.rise(seat, self.players[seat] if self.state is not None else "")
        return self._write(journal.Rose(seat))

    def _hand_over(self, entry: journal.Left) -> None:
        self._seating.hand_over(entry)
        if self.state is not None:
            self.players[entry.seat] = self.places[entry.seat].name
        self._questions.open[entry.seat] = None

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

    def _free(self, seats: Sequence[int]) -> list[Effect]:
        return [self._rise(seat) for seat in seats]

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
            if self._ready(now):
                return self._begin(now)
            return self._fill() if self._fills_at() <= now else None
        assert self.state is not None
        if self.state.over() or self._telling.rests():
            return None  # the end is still to be told; release() sees to it
        if self._presence.abandoned(now):
            return self._break_off("abandoned", now)
        if self._presence.alone(now):
            return [self._conclude(now)]
        if self.state.awaiting() is not None:
            return None if self._dealing.seed_due(self.state) else self._draw(now)
        waiting = self.state.to_act()
        for seat, place in enumerate(self.places):
            if not waiting >> seat & 1:
                continue
            if place.kind == BOT:
                if now >= self._thought_at(seat):
                    return [self._decide(seat, "bot", False, now)]
            elif place.away and self.asked(seat) is None:
                return [self._decide(seat, "absent", False, now)]
            elif self._questions.late(seat, now):
                return self._late(seat, now)
        return None

    def _thought_at(self, seat: int) -> float:
        """Return when the bot in *seat* will have thought long enough."""
        thinking = self.pace.thinking(self._telling.audiences[seat].view)
        return self._telling.told_at + thinking if thinking else float("-inf")

    def _late(self, seat: int, now: float) -> list[Effect]:
        assert self.state is not None
        place = self.places[seat]
        # Where it is secret who is asked, it is secret who was late.
        public = self.state.to_act_for(WATCHER) >> seat & 1
        told = self._everybody(talk.TimedOut(seat)) if public else []
        counts = self.pace.counts(self._telling.audiences[seat].view)
        if counts:
            self._presence.missed(seat)
        if not place.connected:
            return [self._decide(seat, "absent", False, now), *told]
        place.timeouts += counts
        place.late = True
        return [self._decide(seat, "clock", counts, now), *told]

    def _conclude(self, now: float) -> Effect:
        """End the match because one player alone is left."""
        present = next(
            place.seat for place in self.places if place.kind == BOT or (place.connected and not place.away)
        )
        self._questions.forget()
        self._concluded(present, now)
        return self._write(journal.Concluded(present))

    def _concluded(self, present: int, now: float) -> None:
        assert self.state is not None
        self.state.events = []
        self.state.conclude(present)
        self._queue(self.state, -1, False, now)

    def _fills_at(self) -> float:
        """Return when bots take the seats that are still free."""
        after = self.pace.filling()
        somebody = any(place.name and place.kind != BOT for place in self.places)
        if after < 0 or self._newcomer_at is None or not somebody or self._seating.filled():
            return float("inf")
        return self._newcomer_at + after

    def _fill(self) -> list[Effect]:
        effects: list[Effect] = []
        for place in list(self.places):
            if not place.name:
                entry = journal.Left(place.seat, list(self._bots)[-1])
                self._hand_over(entry)
                effects.append(self._write(entry))
                came = talk.PlacesChanged(talk.CAME, place.seat, self.places[place.seat].name)
                effects += self._everybody(came)
        return effects

    def _decide(self, seat: int, by: str, counted: bool, now: float) -> Effect:
        """Let a bot or the stand-in make the whole decision that *seat* owes."""
        assert self.state is not None
        bot = self._decider(self.places[seat], by)
        dice = rng(self._secret, f"{self.entries} {seat}")
        trial = self.state.clone()
        trial.events = []
        actions: list[int] = []
        question = trial.question(seat)
        while True:
            view = trial.view(seat)
            if by == "bot" and self._reserved:
                view.legal = self._offered(view.legal)
            action = bot.choose(view, dice)
            trial.apply(seat, action)
            actions.append(action)
            if question < 0 or trial.question(seat) != question or not trial.to_act() >> seat & 1:
                break
        return self._acted(trial, seat, tuple(actions), by, counted, now)

    def _decider(self, place: Place, by: str) -> Bot:
        if by == "bot":
            return self._bots[place.bot]
        minder = self.pace.minder(place.connected) if place.away else ""
        return self._bots[minder] if minder else self._stand_in

    def _offered(self, legal: list[int]) -> list[int]:
        return [action for action in legal if action not in self._reserved]

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
        given = self._given(draw)
        if given is None and self._dealing.needs_seed(self.state, draw):
            deal = self.state.deal() + 1
            entry = journal.Committed(deal, self._entropy(self.match, deal).hex())
            effects.append(self._write(entry))
            self._telling.queue([self._dealing.open(entry)], -1, False, now)
        outcome = self._dealing.draw(draw) if given is None else given
        items = [self.game.draw_name(item) for item in outcome]
        self.state.events = []
        self.state.apply_draw(outcome)
        self._queue(self.state, -1, False, now)
        effects.append(self._write(journal.Drew(items)))
        return effects

    def _given(self, draw: Draw) -> list[int] | None:
        """Return what the set-up fixed for the next draw, if it did."""
        if not draw.take:
            return None
        self._drawn += 1
        if self._drawn > len(self.setup.draws):
            return None
        return [self.game.parse_draw(item) for item in self.setup.draws[self._drawn - 1]]

    # Starting, resting, ending.

    def _ready(self, now: float) -> bool:
        if not self._seating.filled():
            return False
        if self.phase == RESTING or self.match:
            return self.started or (self.setup.auto_cycle and now >= self._rest_since + self.pace.rest())
        return self.started

    def _begin(self, now: float) -> list[Effect]:
        """Begin a match, or the next game of the present one if the same players still sit."""
        self.started = False
        self.phase = PLAYING
        names = [place.name for place in self.places]
        if self.state is not None and names == self.players:
            return self._everybody(talk.PhaseChanged())
        effects: list[Effect] = self._end_match("other players") if self.state is not None else []
        options: Mapping[str, Value] = {}
        if self._finished is not None:
            options = self.game.options.changed(self.game.rematch(self._options, self._finished))
        entry = journal.Began(f"{self.id}-{self.match + 1}", names, self._clock_text(), dict(options))
        self._new_match(entry)
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
        self.phase = PLAYING
        self._drawn = 0
        if entry.options:
            self._options = self.game.options.read(entry.options)
        self._presence = Presence(self.pace, len(self.places))
        self.pace.begin(any(place.person for place in self.places))
        self._secret = self._entropy(self.match, SECRET_DEAL)
        self._dealing = Dealing(self._new_stream)
        self.state = self._new_state()
        self._telling.begin(self.state, len(self.places))
        self._questions = Questions(len(self.places))

    def _new_state(self) -> State:
        return self.game.new(self._options, len(self.places))

    def _end_match(self, reason: str) -> list[Effect]:
        """Close the record of the present match; without a reason it was played to its end."""
        assert self.state is not None
        entry = journal.Ended(
            self.match_id, self._clock_text(), None if reason else self.state.scores(), reason
        )
        self._forget_match(bool(reason))
        return [self._write(entry)]

    def _forget_match(self, broken_off: bool) -> None:
        self._finished = None if broken_off else self.state
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
            moments += self._questions.warnings(self.pace.warning())
            if self.phase == PLAYING and self.state is not None:
                moments += self._presence.moments(self.places)
                moments += self._bots_think(self.state)
            elif (fills := self._fills_at()) < float("inf"):
                moments.append(fills)
            if (
                self.phase in (GATHERING, RESTING)
                and self.match
                and self.setup.auto_cycle
                and self._seating.filled()
            ):
                moments.append(self._rest_since + self.pace.rest())
        return min(moments, default=None)

    def _bots_think(self, state: State) -> list[float]:
        waiting = state.to_act()
        return [
            self._thought_at(place.seat)
            for place in self.places
            if place.kind == BOT and waiting >> place.seat & 1
        ]

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
        self._telling.resume(now)
        self._rest_since = now
        self._newcomer_at = now
        if self.phase != PLAYING:
            return self._free(self._seating.absent())
        self._hold_until = now + GRACE
        for seat in self._seating.absent():
            self._presence.lost(seat, now)
        self._presence.count(self.places, now)
        return []

    def _restore(self, entry: journal.AnyEntry) -> None:
        match entry:
            case journal.Arranged(seats):
                self._forget_match(True)
                self._seating.arrange(seats)
                self.started = False
            case journal.Sat():
                self._seating.sit(entry)
            case journal.Rose(seat):
                self._seating.rise(seat, self.players[seat] if self.state is not None else "")
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
            case journal.Ended(reason=reason):
                self._forget_match(bool(reason))
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
        self._hear_all()

    def _hear_all(self) -> None:
        """Take everything that waits as told."""
        while (due := self._telling.next(float("inf"))) is not None:
            assert isinstance(due.what, Event)
            for _ in self._tell(due.what, due):
                pass
