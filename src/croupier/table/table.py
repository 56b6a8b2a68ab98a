"""One table: requests in, effects out; no I/O, no clock of its own.

    Table           handles requests and automatic steps (draws, bots, timeouts)
      Seating       who sits where, tokens, reservations
      Match         the state of the match, its draws and seeds
      Clock         questions, deadlines, presence
      NextDeal      the seed of the next deal, and what the seats add to it
      Feed          pending events, and what every audience has been told
      Bots          which bot decides for a seat, and how long it takes
  BotDecisions  the decisions that searching bots are working on

The path of a decision: an accepted action changes the match at once, and its events are queued in the feed.
They are told one by one, each after the pause that the game's pace prescribes, and every seat's told view is
updated in that order. What a connection sees therefore does not depend on how far the rules are ahead. The
next seat is asked when all events have been told; its clock starts at that moment.

The shell calls `handle` with a request, stores the `Write`s and carries out the other effects. Then, in the
same way, it calls `release` (tell what is due, ask) until it returns nothing, and `proceed` (automatic
steps), and repeats both until neither returns an effect.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, assert_never

from croupier.core.chance import Stream
from croupier.core.contract import PUBLIC, WATCHER, Event, Game, IllegalAction, Pace, Plain, State, View
from croupier.core.options import Value
from croupier.core.refusal import Refusal, case, house_refusal
from croupier.table import journal
from croupier.table.bot_decisions import BotDecisions, so_far
from croupier.table.bot_task import BotDecision
from croupier.table.bots import Bots
from croupier.table.clock import NEVER, PAST, Clock
from croupier.table.complaint import ChatLine, Complaint
from croupier.table.delayed import DelayedFeed, Heard, Moment, open_to_watchers
from croupier.table.effects import (
    WATCHERS,
    Bind,
    Complain,
    Cut,
    Effect,
    Expel,
    Key,
    Reply,
    Tell,
    Write,
)
from croupier.table.feed import Due, Feed
from croupier.table.match import Match, goes_on
from croupier.table.next_deal import NextDeal
from croupier.table.seating import Seating
from croupier.table.setup import Setup
from croupier.wire import talk
from croupier.wire.identity import Identities
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import BOT, CLOSED, GATHERING, PLAYING, RESTING, Asked, Place

STRIDE: Final = 16
"""The number of steps a table of bots takes before other tables get processor time."""
CHAT_LINES: Final = 30
"""How many chat messages are kept for reports."""
SEATED: Final = (talk.Leave, talk.Continue, talk.Undo, talk.Report, talk.Contribute, talk.Say)
"""Requests that only a player may make."""
MANAGING: Final = (talk.Start, talk.Arrange, talk.Fill)
"""Requests that `Table._may_manage` decides about."""


class Table:
    """One table (see the module docstring). Implements `talk.TableInfo` for conversations."""

    def __init__(
        self,
        setup: Setup,
        entropy: Callable[[int, int], bytes],
        clock_text: Callable[[], str],
        stream: Callable[[bytes], Stream] = Stream,
        pace: Pace | None = None,
        bot_pause: float = 0.0,
    ) -> None:
        """*entropy(match, deal)* returns 32 random bytes; *clock_text()* returns the date for the journal.

        *stream* turns such bytes into draws; tests use it to fix the cards. *pace* replaces the game's own
        pace, for example without pauses if one person plays alone. *bot_pause* is the minimum number of
        seconds between two decisions while only bots play.
        """
        self.setup = setup
        self.spec: TableSpec = setup.spec
        self.game: Game = setup.game
        self.pace = pace or setup.game.pace(setup.table_options)
        self.phase = GATHERING
        self.started = self.spec.start
        self.current: Match | None = None
        """The current match."""
        self.match = 0
        """The number of matches that have begun at this table."""
        self.entries = 0
        """The number of lines in the journal."""
        self.rendered: dict[str, object] = {}
        self._chat: deque[ChatLine] = deque(maxlen=CHAT_LINES)
        """The last chat messages, for reports to the operator; they are not stored."""
        self._entropy = entropy
        self._clock_text = clock_text
        self._new_stream = stream
        self._options = setup.rules_options
        self._has_accounts = False
        """True if a player of the current match has an account."""
        self._finished: State | None = None
        """The final state of the previous match, if it was completed and all its players are still seated."""
        self._committed: talk.Committed | None = None
        """The commitment to the seed of the current deal, after it has been told."""
        self._next_deal = NextDeal(len(self.spec.seats))
        self._seating = Seating(self.spec.seats, self.spec.seat_tokens, self.spec.guests)
        if not setup.fixed_deal:
            self._next_deal.seal(entropy(1, 1))
        # A tournament does not wait: the others wait for the end of every match of a round.
        self._clock = Clock(self.pace, len(self.spec.seats), not self.spec.guests, self.spec.quick_match)
        self._feed = Feed(self.pace)
        self._bots = Bots(setup.game, self.pace, self.spec.filler, bot_pause)
        self._bot_decisions = BotDecisions(setup.id, self.pace)
        self._delayed: DelayedFeed | None = None
        """The feed of the watchers, if they see the match with a delay."""
        if self.spec.watch_delay:
            self._delayed = DelayedFeed(setup)
            self._delayed.show(self._moment())

    # The interface for conversations (`talk.TableInfo`).

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
        return None if self.spec.secret_seed else self.spec.seed

    @property
    def fixed_deal(self) -> bool:
        return self.setup.fixed_deal

    @property
    def private(self) -> bool:
        return self.spec.private

    @property
    def places(self) -> list[Place]:
        return self._seating.places

    @property
    def watch_open(self) -> bool:
        return open_to_watchers(self.spec, self.places)

    @property
    def watch_delay(self) -> int:
        return self.spec.watch_delay

    @property
    def for_watchers(self) -> talk.TableInfo:
        return self if self._delayed is None else self._delayed

    @property
    def identities(self) -> Identities:
        return self.setup.identities

    @property
    def state(self) -> State | None:
        """Return the state of the current match; conversations must not use it."""
        return self.current.state if self.current is not None else None

    @property
    def actions(self) -> int:
        """Return how many actions everyone has been told since the start; a secret one is not counted."""
        return self._feed.actions

    @property
    def waits_for_players(self) -> bool:
        return self._clock.holding()

    @property
    def committed(self) -> talk.Committed | None:
        return self._committed

    @property
    def next_deal(self) -> str | None:
        return self._next_deal.digest

    @property
    def quick_match(self) -> bool:
        return self.spec.quick_match > 0

    @property
    def bots_at(self) -> float | None:
        at = self._clock.fills_at(self.places)
        return at if at < NEVER and self.phase in (GATHERING, RESTING) else None

    @property
    def answers_until(self) -> float | None:
        until = self._clock.answers_until
        return until if until < NEVER else None

    def view(self, seat: int) -> View:
        audience = self._feed.audience(seat)
        if audience is None:
            self._feed.begin(len(self.places), self.game.new(self._options, len(self.places)))
            audience = self._feed.audience(seat)
            assert audience is not None
        return audience.view

    def asked(self, seat: int) -> Asked | None:
        return self._clock.questions.open[seat] if seat >= 0 else None

    def number(self, seat: int) -> int:
        audience = self._feed.audience(seat)
        return audience.number if audience is not None else 0

    def missed(self, seat: int, last: int) -> list[tuple[int, talk.Told]] | None:
        return self._feed.missed(seat, last)

    def seat_of(self, key: Key) -> int:
        """Return the seat that the connection *key* plays, or WATCHER.

        The table knows the seat as soon as it has handled the join; the conversation gets it when the join
        has been stored.
        """
        return self._seating.seat_of(key)

    # Requests.

    def handle(self, key: Key, seat: int, request: talk.Request, now: float) -> list[Effect]:
        """Carry out a request of the connection *key*, which plays *seat* (or WATCHER), or refuse it."""
        try:
            return self._carry_out(key, seat, request, now)
        except Refusal as refusal:
            return [Reply(key, talk.Refused(request, refusal.key, refusal.words, refusal.about))]

    def _carry_out(self, key: Key, seat: int, request: talk.Request, now: float) -> list[Effect]:
        if self.phase == CLOSED:
            raise house_refusal("closed")
        if isinstance(request, talk.Act):
            return self._act(key, seat, request, now)
        if isinstance(request, MANAGING) and not self._may_manage(seat):
            raise house_refusal("not_seated")
        if seat < 0 and isinstance(request, SEATED):
            raise house_refusal("not_joined")
        match request:
            case talk.Join():
                return self._join(key, seat, request, now)
            case talk.Here():
                return self._mark_present(seat, now)
            case talk.Wrong(turn):
                return self._wrong(seat, turn, now)
            case talk.Start():
                return self._start(key, seat, request, now)
            case talk.Fill():
                return self._fill_seat(key, request)
            case talk.Arrange():
                return self._arrange(key, request)
            case talk.Leave(id):
                return [*self._leave(seat, now), Reply(key, talk.Accepted(id))]
            case talk.Continue(id):
                self._continue(seat)
                return [Reply(key, talk.Accepted(id))]
            case talk.Undo():
                return self._undo(key, seat, request, now)
            case talk.Rename():
                return self._rename(key, seat if request.seat < 0 else request.seat, request)
            case talk.Report():
                return self._report(key, seat, request)
            case talk.Remove():
                return self._remove(key, request, now)
            case talk.Contribute():
                return self._contribute(key, seat, request)
            case talk.Say(text, id):
                said = talk.Said(seat, self.places[seat].name, text)
                self._chat.append(ChatLine(self._clock_text(), said.name, text))
                return [Reply(key, talk.Accepted(id)), *self._tell_all(said)]
            case _:
                assert_never(request)

    def _continue(self, seat: int) -> None:
        """End the current pause for the player of *seat*, unless another player needs it."""
        if not self._seating.alone(seat):
            raise house_refusal("not_alone")
        self._feed.end_pause()

    def _undo(self, key: Key, seat: int, request: talk.Undo, now: float) -> list[Effect]:
        """Take back the last decision of *seat*: abort the match and begin one with the lines before it."""
        match = self.current
        if match is None or self.phase != PLAYING or match.lines is None:
            raise house_refusal("no_undo")
        lines = match.before_last_decision(seat)
        if lines is None:
            raise house_refusal("nothing_to_undo")
        options = self.game.options.changed(self._options)
        effects = self._end_match("taken back")
        effects += self._begin_match(options, now, match.id)
        effects += self._replay(lines, now)
        return [*effects, Reply(key, talk.Accepted(request.id)), *self._tell_all(talk.Resumed())]

    def _may_manage(self, seat: int) -> bool:
        """Return True if the player of *seat*, or a watcher, may start and arrange this table."""
        return seat >= 0 or self.spec.anybody_starts or not self._seating.people()

    def lost(self, key: Key, seat: int, now: float) -> list[Effect]:
        """Handle the end of a connection: during a game the player keeps the seat, otherwise it is freed."""
        waits = self._seating.expected(key)
        if waits >= 0:
            self._seating.forget_newcomer(waits)
            return self._tell_all(talk.PlacesChanged())
        if not self._seating.disconnect(seat, key):
            return []
        name = self.places[seat].name
        changed = talk.PlacesChanged(talk.LOST, seat, name)
        effects: list[Effect] = []
        if self.phase == PLAYING:
            self._clock.lost(self.places, seat, now)
        else:
            self._clock.note_lost(name, now)
            effects.append(self._rise(seat))
        if self._clock.presence.parked():
            self._reset_clocks(now)
        self._reset_clock(seat, now)
        return [*effects, *self._tell_all(changed)]

    def _join(self, key: Key, seat: int, request: talk.Join, now: float) -> list[Effect]:
        if seat >= 0:
            raise house_refusal("already_joined", {"seat": seat})
        waits = self._seating.expected(key)
        if waits >= 0:
            raise house_refusal("already_joined.waiting", {"seat": waits})
        claim = request.claim
        seat = claim.seat(self)
        if self._seating.player(seat) is not None:
            return self._return(key, seat, request, now)
        if self.places[seat].kind == BOT and self.phase == PLAYING:
            self._seating.expect(seat, key, request, self.identities.mark(claim.token))
            return [Reply(key, talk.Accepted(request.id)), *self._tell_all(talk.PlacesChanged())]
        return self._sit_down(key, seat, request, talk.Seated(seat, False, request.id), now)

    def _return(self, key: Key, seat: int, request: talk.Join, now: float) -> list[Effect]:
        """Give *seat* to the newest connection of its player."""
        empty = self._clock.presence.empty()
        old = self._seating.connect(seat, key)
        self.places[seat].answers = request.answers
        effects: list[Effect] = [Cut(old)] if old is not None else []
        self._reset_clock(seat, now)
        effects += self._added(seat, request.nonce)
        effects.append(Bind(key, seat))
        effects += self._tell_all(talk.PlacesChanged(talk.BACK, seat, request.claim.name))
        effects += self._mark_present(seat, now)
        effects.append(Reply(key, talk.Seated(seat, True, request.id)))
        if empty:  # the open questions have waited without a limit
            self._reset_clocks(now)
        asked = self.asked(seat)
        if asked is not None:
            effects.append(Reply(key, talk.AskedNow(asked)))
        return effects

    def _sit_down(
        self, key: Key, seat: int, request: talk.Join, answer: talk.Seated, now: float
    ) -> list[Effect]:
        """Give *seat*, which is free or that of a bot, to the player who has made *request*."""
        claim, identities = request.claim, self.identities
        number = claim.number if claim.number is not None else seat + 1
        token, address = identities.mark(claim.token), identities.address_mark(claim.address)
        entry = journal.Sat(seat, claim.name, number, token, claim.person, address)
        returns = self.phase == GATHERING and claim.name in self._seating.players  # still sees the result
        if self.phase != PLAYING:
            self._clock.note_return(claim.name)
            rematch = self.match > 0 and self.phase == GATHERING and not returns
            self._clock.note_newcomer(not self._seating.people(), rematch, now)
        self._sit(entry)
        self._seating.connect(seat, key)
        self.places[seat].answers = request.answers
        self.places[seat].ready = not returns
        return [
            self._write(entry),
            *self._added(seat, request.nonce),
            Bind(key, seat),
            Reply(key, answer),
            *self._tell_all(talk.PlacesChanged(talk.CAME, seat, claim.name)),
        ]

    def _sit(self, entry: journal.Sat) -> None:
        """Give a seat to a player; if they take over from a bot, no decision can be taken back any more."""
        if self._seating.sit(entry) and self.current is not None:
            self.current.lines = None

    def _admit(self, now: float) -> list[Effect]:
        """Give the people who have waited for it the seats of bots."""
        effects: list[Effect] = []
        for seat, (key, join) in self._seating.admit().items():
            effects += self._sit_down(key, seat, join, talk.Seated(seat, False, promised=True), now)
        self._clock.presence.count(self.places, now)
        return effects

    def _rename(self, key: Key, seat: int, request: talk.Rename) -> list[Effect]:
        if seat < 0:
            raise house_refusal("not_joined")
        changed = talk.PlacesChanged(talk.RENAMED, seat, self.places[seat].name, request.name)
        self._seating.rename(seat, request.name)
        entry = journal.Renamed(seat, request.name)
        return [
            self._write(entry),
            Reply(key, talk.Accepted(request.id)),
            *self._tell_all(changed),
        ]

    def _report(self, key: Key, seat: int, request: talk.Report) -> list[Effect]:
        """Pass a report of the player of *seat* on to the operator."""
        about = self._seating.player(request.seat)
        if about is None or about.seat == seat:
            raise house_refusal("not_seated.other_player", {"seat": request.seat})
        by = self.places[seat].name
        complaint = Complaint(self.id, self.game.name, by, about.name, request.text, list(self._chat))
        return [Complain(key, request, complaint)]

    def _remove(self, key: Key, request: talk.Remove, now: float) -> list[Effect]:
        """Let the player of a seat leave, by order of the operator, and end their connection."""
        if self._seating.player(request.seat) is None:
            raise house_refusal("not_seated.empty", {"seat": request.seat})
        peer = self._seating.keys.pop(request.seat, None)
        effects = [*self._leave(request.seat, now), Reply(key, talk.Accepted(request.id))]
        return effects if peer is None else [*effects, Expel(peer, request.words)]

    def _contribute(self, key: Key, seat: int, request: talk.Contribute) -> list[Effect]:
        self._next_deal.check(seat, request)
        return [*self._added(seat, request), Reply(key, talk.Accepted(request.id))]

    def _added(self, seat: int, given: talk.Contribute | None) -> list[Effect]:
        """Add the nonce of *given* to the seed of the next deal, if that is possible."""
        entry = self._next_deal.add(seat, given) if given is not None else None
        return [self._write(entry)] if entry is not None else []

    def _mark_present(self, seat: int, now: float) -> list[Effect]:
        """Mark the player of *seat* as present: from now on they decide themselves."""
        if seat < 0 or not self._clock.back(self.places, seat, now):
            return []
        return self._tell_all(talk.PlacesChanged(talk.PRESENT, seat, self.places[seat].name))

    def _act(self, key: Key, seat: int, request: talk.Act, now: float) -> list[Effect]:
        if seat < 0:
            raise house_refusal("not_joined")
        questions = self._clock.questions
        if questions.repeats(seat, request):
            return [Reply(key, talk.Accepted(request.id))]  # a repeated answer takes effect once
        questions.check(seat, request, now)
        match = self.current
        if match is None or not request.actions:
            raise house_refusal("not_now")
        question = match.state.question(seat)
        try:
            trial = match.attempt(seat, request.actions)
        except IllegalAction as error:
            about: Plain = {"action": self.game.actions.name(error.action), **case(error.reason)}
            if error.arguments:
                about["arguments"] = dict(error.arguments)
            raise Refusal(error.key, str(error), about=about) from error
        if not goes_on(trial, seat, question):
            self._clock.presence.answered(seat)
        effects = self._acted(match, trial, seat, request.actions, "", False, now)
        effects.insert(1, Reply(key, talk.Accepted(request.id)))
        if self.places[seat].away:
            effects += self._mark_present(seat, now)
        return effects

    def _wrong(self, seat: int, turn: int, now: float) -> list[Effect]:
        asked = self.asked(seat)
        if asked is None or asked.turn != turn or self.current is None:
            return []
        return self._decide(self.current, seat, "fault", True, now)

    def _start(self, key: Key, seat: int, request: talk.Start, now: float) -> list[Effect]:
        if self.phase == PLAYING:
            raise house_refusal("not_now.running")
        accepted = Reply(key, talk.Accepted(request.id))
        if seat >= 0 and self.match and self.phase == GATHERING:
            self.places[seat].ready = True
            self._clock.ask_again(now)
            return [accepted, *self._tell_all(talk.PlacesChanged())]
        self.started = True
        return [self._write(journal.Started()), accepted, *self._tell_all(talk.PhaseChanged())]

    def _rematch(self, now: float) -> list[Effect]:
        """Start another match if all people have agreed to it; those who do not answer lose their seats."""
        undecided = self._seating.undecided()
        returning = self._clock.awaits_return(now) and not self._seating.filled()
        if now < self._clock.answers_until and (undecided or returning):
            return []
        if not any(place.ready for place in self.places):
            self._clock.forget_wish()
            return self._tell_all(talk.PhaseChanged())
        self._clock.answers_until = NEVER
        self.started = True
        effects: list[Effect] = [self._write(journal.Started())]
        for seat in undecided:
            effects += self._leave(seat, now)
        return [*effects, *self._tell_all(talk.PhaseChanged())]

    def _arrange(self, key: Key, request: talk.Arrange) -> list[Effect]:
        if self.phase == PLAYING:
            raise house_refusal("not_now.seats_fixed")
        if self.spec.guests or self.quick_match:
            raise house_refusal("not_now.reserved_table")
        self._seating.check_arrangement(self.game, request.seats)
        effects: list[Effect] = self._end_match("other seats") if self.current is not None else []
        self._finished = None
        entry = journal.Arranged(list(request.seats))
        effects += [self._write(entry), Reply(key, talk.Accepted(request.id))]
        keys = self._seating.keys
        effects += [Cut(keys.pop(seat)) for seat in self._seating.arrange(entry.seats) if seat in keys]
        self._next_deal.forget()
        self.started = False
        return [*effects, *self._tell_all(talk.PlacesChanged())]

    def _leave(self, seat: int, now: float) -> list[Effect]:
        key = self._seating.keys.pop(seat, None)
        effects: list[Effect] = [] if key is None else [Bind(key, WATCHER)]
        changed = talk.PlacesChanged(talk.QUIT, seat, self.places[seat].name)
        if self.phase != PLAYING:
            return [*effects, self._rise(seat), *self._tell_all(changed)]
        effects += [self._hand_over(seat), *self._tell_all(changed)]
        self._clock.presence.count(self.places, now)
        if self.pace.quitting_aborts():
            return [*effects, *self._abort("quit", now)]
        if self._seating.only_bots():
            return [*effects, *self._abort("abandoned", now)]
        return effects

    def answer(self, number: int, action: int | None) -> None:
        """Accept the answer of a searching bot to `Search` *number*; None means that the search failed."""
        self._bot_decisions.answer(number, action)

    # Automatic steps.

    def release(self, now: float) -> list[Effect]:
        """Return what is to be told now: one event at a time, because each one updates the told views.

        When everything has been told, ask for the next decision; after that, return nothing.
        """
        due = self._feed.next(now)
        if due is not None:
            what = due.what
            if isinstance(what, Event):
                return self._tell(what, due)
            self._committed = what
            return self._tell_all(what)
        due = self._feed.early()
        if due is not None:
            return [Tell(self._feed.tell_early(due), 1 << due.actor)]
        effects = self._when_silent(now) if self._feed.silent() else []
        if not effects and self._delayed is not None:
            note = self._delayed.next(now)
            if note is not None:
                return [Tell(note, WATCHERS)]
        return effects

    def _when_silent(self, now: float) -> list[Effect]:
        """Return what to do when everything has been told: absences, a seed, the end, the next question."""
        match = self.current
        if match is None or self.phase != PLAYING:
            return []
        for seat in self._clock.presence.leaving(self.places, now):
            return self._mark_away(seat, now)
        if match.seed_due():
            revealed = match.reveal()
            self._committed = None
            return [self._write(journal.Revealed(revealed.deal)), *self._tell_all(revealed)]
        state = match.state
        if self._feed.at_rest or state.over():
            return self._stop(match, now)
        if state.awaiting() is not None or self._clock.holds(self.places, now):
            return []
        return self._ask(match, now) or self._warn(match, now)

    def _tell(self, event: Event, due: Due) -> list[Effect]:
        self._seating.follow(event, due.actor, due.auto)
        early = self._feed.early_seat
        told = self._feed.tell(event, due)
        audience = event.audience if early < 0 else event.audience & ~(1 << early)
        if self._delayed is not None:
            self._delayed.keep(self._heard(told), self._moment())
            audience &= ~WATCHERS
        effects: list[Effect] = [Tell(told, audience, due.actor)]
        if self._delayed is None and audience & WATCHERS == 0 and self.watch_open:
            effects.append(Tell(talk.Shown(event), WATCHERS))
        return effects

    def _mark_away(self, seat: int, now: float) -> list[Effect]:
        """Mark the player of *seat* as away: from now on a bot decides for them without waiting."""
        self._clock.away(self.places, seat, now)
        self._feed.view(seat).legal = []
        return self._tell_all(talk.PlacesChanged(talk.AWAY, seat, self.places[seat].name))

    def _ask(self, match: Match, now: float) -> list[Effect]:
        state = match.state
        waiting = state.to_act()
        questions = self._clock.questions
        fresh = 0
        begun = 0
        for seat, place in enumerate(self.places):
            if waiting >> seat & 1 and questions.open[seat] is None and place.kind != BOT and not place.away:
                fresh |= 1 << seat
                view = self._feed.view(seat)
                view.legal = match.offered(state, seat)
                if self._clock.ask(place, view, state.question(seat), now):
                    begun |= 1 << seat
        effects: list[Effect] = []
        for audience, known in self._feed.turns(state, fresh, begun):
            effects.append(self._tell_some(talk.TurnChanged(questions.last_deadline(known)), audience))
        for seat in range(len(self.places)):
            if fresh >> seat & 1:
                asked = questions.open[seat]
                assert asked is not None
                effects.append(Tell(talk.AskedNow(asked), 1 << seat))
        return effects

    def _warn(self, match: Match, now: float) -> list[Effect]:
        ahead = self.pace.warning()
        if not ahead:
            return []
        effects: list[Effect] = []
        for seat, left in self._clock.questions.running_out(now, ahead):
            if match.asks_openly(seat):
                effects += self._tell_all(talk.Warned(seat, left))
        return effects

    def _stop(self, match: Match, now: float) -> list[Effect]:
        """End a game, and the match if this was its last game."""
        self._feed.at_rest = False
        self._clock.rest_since = now
        if match.state.over():
            self.phase = GATHERING
            return [*self._end_match(""), *self._gather(now)]
        self.phase = RESTING
        rested = self._write(journal.Rested())
        freed = [*self._free(self._seating.absent()), *self._admit(now)]
        return [rested, *freed, *self._tell_all(talk.PlacesChanged() if freed else talk.PhaseChanged())]

    def proceed(self, now: float) -> list[Effect]:
        """Return the effects of automatic steps: starts, draws, bots, timeouts.

        Stop at an event that has to be told after a pause. Several steps of bots therefore need only one
        write to the disk.
        """
        effects = self._think(now)
        for _ in range(STRIDE):
            if self._clock.holds(self.places, now) or self._feed.pauses():
                break
            more = self._next(now)
            if not more:
                break
            effects += more
        return effects

    def _next(self, now: float) -> list[Effect]:
        """Return the effects of the next automatic step, or nothing."""
        match = self.current
        if self.phase != PLAYING or match is None:
            return self._next_between(now)
        state = match.state
        if state.over() or self._feed.rests():
            return []  # the end has not been told yet
        presence = self._clock.presence
        if presence.abandoned(now):
            return self._abort("abandoned", now)
        if state.awaiting() is not None:
            if match.seed_due():
                return []
            if self._seating.newcomers and match.between_deals():
                return self._admit(now)
            return self._draw(match, now)
        if presence.alone(now):
            return [self._conclude(match, now)]
        waiting = state.to_act()
        for seat, place in enumerate(self.places):
            if waiting >> seat & 1:
                effects = self._seat_next(match, seat, place, now)
                if effects:
                    return effects
        return []

    def _next_between(self, now: float) -> list[Effect]:
        if self.phase == CLOSED:
            return []
        if self.spec.closes_empty and self.entries and not self._seating.people():
            return self.close(talk.ABANDONED)
        if self._clock.answers_until < NEVER:
            effects = self._rematch(now)
            if effects:
                return effects
        if self._ready(now):
            return self._begin(now)
        return self._fill() if self._clock.fills_at(self.places) <= now else []

    def _seat_next(self, match: Match, seat: int, place: Place, now: float) -> list[Effect]:
        """Return the effects of an automatic decision of *seat*, which is to act."""
        if place.kind != BOT and (not place.away or self.asked(seat) is not None):
            return self._late(match, seat, now) if self._clock.questions.late(seat, now) else []
        if self._bots.searcher(place, self.asked(seat) is not None):
            return self._bot_decided(match, place, now)
        if place.kind == BOT:
            return self._decide(match, seat, "bot", False, now) if now >= self._bot_at(seat) else []
        deserted = self._clock.presence.deserted()
        return [] if deserted else self._decide(match, seat, "absent", False, now)

    def _late(self, match: Match, seat: int, now: float) -> list[Effect]:
        """Decide for the player of *seat*, whose time is up."""
        told = self._tell_all(talk.TimedOut(seat)) if self._shows(match, seat) else []
        counts = self.pace.counts(self._feed.view(seat))
        if counts:
            self._clock.presence.missed(seat)
        connected = self.places[seat].connected
        by = "clock" if connected else "absent"
        return [*self._decide(match, seat, by, counts and connected, now), *told]

    def _conclude(self, match: Match, now: float) -> Effect:
        """End the match because only one player is left."""
        present = self._seating.present()
        self._clock.questions.forget()
        self._feed.queue(match.conclude(present), -1, False, now)
        return self._write(journal.Concluded(present))

    def _ready(self, now: float) -> bool:
        """Return True if the next game can begin now."""
        if not self._seating.filled():
            return False
        if not self.match:
            waits = self.spec.guests and self._seating.absent()
            return self.started and not (waits and self._clock.waits_for_guests(self.spec.patience, now))
        return self.started or (self.spec.auto_cycle and now >= self._clock.rests_until())

    def _fill(self) -> list[Effect]:
        effects: list[Effect] = []
        for place in list(self.places):
            if not place.name:
                effects += self._add_bot(place.seat)
        return effects

    def _add_bot(self, seat: int) -> list[Effect]:
        """Let a bot take a free seat until the match ends."""
        taken = self._hand_over(seat)
        return [taken, *self._tell_all(talk.PlacesChanged(talk.CAME, seat, self.places[seat].name))]

    def _fill_seat(self, key: Key, request: talk.Fill) -> list[Effect]:
        if self.phase == PLAYING or self.spec.guests:
            raise house_refusal("not_now.no_bots")
        self._seating.check_free(request.seat)
        return [*self._add_bot(request.seat), Reply(key, talk.Accepted(request.id))]

    def wake(self) -> float | None:
        """Return the time of the next automatic step, or None."""
        soonest = NEVER
        telling = self._feed.wake()
        if telling is not None:
            soonest = telling
        elif self.phase == PLAYING and self.current is not None:
            soonest = self._clock.wake_in_match(self.places)
            soonest = min(soonest, self._bots_wake(self.current))
        elif self.phase != CLOSED:
            guests = bool(self.spec.guests) and not self.match
            cycles = bool(self.match) and self.spec.auto_cycle and self._seating.filled()
            soonest = self._clock.wake_between(self.places, guests, cycles)
        if self._delayed is not None:
            later = self._delayed.wake()
            soonest = min(soonest, later) if later is not None else soonest
        return soonest if soonest < NEVER else None

    # Decisions of bots and stand-ins.

    def _decide(self, match: Match, seat: int, by: str, counted: bool, now: float) -> list[Effect]:
        """Let a bot that does not search, or the stand-in, make the whole decision due from *seat*."""
        bot = self._bots.decider(self.places[seat], by)
        dice = match.dice(f"{self.entries} {seat}")
        trial, actions = match.decide(seat, bot, dice, by == "bot")
        return self._acted(match, trial, seat, actions, by, counted, now)

    def _acted(
        self,
        match: Match,
        trial: State,
        seat: int,
        actions: tuple[int, ...],
        by: str,
        counted: bool,
        now: float,
    ) -> list[Effect]:
        """Make *trial*, in which *seat* has acted, the state of the match; store that first."""
        shown = self._shows(match, seat)
        auto = by not in ("", "bot") if shown else None  # None: it is a secret whether the stand-in decided
        ends_secretly = not match.asks_openly(seat) and not goes_on(trial, seat, match.state.question(seat))
        person = not by and self.places[seat].person
        self._seating.mark(seat, by, counted, shown)
        self._feed.queue(match.take(trial, seat, actions), seat, auto, now, person)
        self._clock.questions.answer(seat, None if by else actions)
        self._feed.view(seat).legal = []
        effects: list[Effect] = [self._write(journal.Acted(seat, match.words(actions), by, counted))]
        if ends_secretly:
            effects += self._end_secret_turn(seat)
        return effects

    def _end_secret_turn(self, seat: int) -> list[Effect]:
        """Tell *seat* at once that its secret turn has ended.

        If that waited for the next question, its time would reveal whether another seat is asked.
        """
        known = self._feed.end_turn(seat)
        if known is None:
            return []
        return [Tell(talk.TurnChanged(self._clock.questions.last_deadline(known)), 1 << seat)]

    def _shows(self, match: Match, seat: int) -> bool:
        """Return True if it is public whether *seat* answers its current question in time.

        It is secret if the question itself is secret, unless the game counts late answers in public.
        """
        return match.asks_openly(seat) or self.pace.counts(self._feed.view(seat))

    def _draw(self, match: Match, now: float) -> list[Effect]:
        following = self._next_deal
        opened, drew, events = match.draw(following.seed, following.nonces)
        effects: list[Effect] = []
        if opened is not None:
            if following.seed is not None:
                following.seal(self._entropy(self.match, opened.deal + 1))
            effects.append(self._write(opened))
            assert match.committed is not None
            self._feed.queue([match.committed], -1, False, now)
        self._feed.queue(events, -1, False, now)
        effects.append(self._write(drew))
        return effects

    # Searching bots.

    def _think(self, now: float) -> list[Effect]:
        """Cancel searches that are no longer needed, and ask the searching bots whose decision is due."""
        bots = self._searching(now)
        if not bots and not self._bot_decisions.of:
            return []
        watched = not self._seating.only_bots()
        return self._bot_decisions.want(self.current, bots, watched, self.entries, now)

    def _searching(self, now: float) -> dict[int, str]:
        """Return the searching bots whose decision is due, by seat."""
        match = self.current
        if match is None or self.phase != PLAYING:
            return {}
        found = self._bots.searching(self.places, match.state.to_act(), self._clock.questions.open)
        held = found and (
            match.state.awaiting() is not None
            or match.state.over()
            or self._feed.rests()
            or self._clock.holds(self.places, now)
        )
        return {} if held else found

    def _bot_at(self, seat: int) -> float:
        """Return the earliest time at which the bot in *seat* may act."""
        seconds = self._bots.thinks(self._feed.view(seat), self._seating.only_bots())
        if not seconds:
            return PAST
        # Its time begins when everything has been told.
        return self._feed.told_at + seconds if self._feed.silent() else NEVER

    def _bot_decided(self, match: Match, place: Place, now: float) -> list[Effect]:
        """Return the effects of a searching bot's decision, or of the heuristic's if the search is late."""
        decision = self._bot_decisions.of.get(place.seat)
        if decision is None or now < self._bot_decides_at(decision):
            return []
        by = "bot" if place.kind == BOT else "absent"
        cancelled = self._bot_decisions.forget(decision)
        if not decision.done:
            return [*self._decide(match, place.seat, by, False, now), *cancelled]
        trial = so_far(match, decision, events=[])
        return self._acted(match, trial, place.seat, tuple(decision.actions), by, False, now)

    def _bot_decides_at(self, decision: BotDecision) -> float:
        """Return when the table acts on *decision*, as far as is known."""
        at = self._bot_at(decision.seat) if self.places[decision.seat].kind == BOT else PAST
        return max(at, decision.used_at)

    def _bots_wake(self, match: Match) -> float:
        if self._clock.holding():
            return NEVER  # bots do not act before the players had time to return
        soonest = NEVER
        for decision in self._bot_decisions.of.values():
            soonest = min(soonest, self._bot_decides_at(decision))
        waiting = match.state.to_act()
        for place in self.places:
            if place.kind == BOT and waiting >> place.seat & 1 and not self._bots.searcher(place, False):
                soonest = min(soonest, self._bot_at(place.seat))
        return soonest

    # Beginning and ending.

    def _begin(self, now: float) -> list[Effect]:
        """Begin a match, or the next game of the current match if its players are still seated."""
        self.started = False
        self.phase = PLAYING
        names = [place.name for place in self.places]
        if self.current is not None and names == self._seating.players:
            return self._tell_all(talk.PhaseChanged())
        effects: list[Effect] = self._end_match("other players") if self.current is not None else []
        options = None
        if self._finished is not None:
            options = self.game.options.changed(self.game.rematch(self._options, self._finished))
        effects += self._begin_match(options, now)
        return effects if self.match > 1 else [*effects, *self._open(now)]

    def _begin_match(self, options: dict[str, Value] | None, now: float, undid: str = "") -> list[Effect]:
        """Begin a match with the players who are seated; see `journal.Began` for *undid*."""
        entry = journal.Began(
            f"{self.id}-{self.match + 1}",
            [place.name for place in self.places],
            self._clock_text(),
            options,
            self._known(),
            self._seating.snapshot(),
            self._feed.numbers() if self.match else [],
            undid,
        )
        self._feed.begin(len(self.places), self._new_match(entry))
        for seat in self._seating.absent():  # guests who have not come: the match does not wait for them
            self.places[seat].away = True
        self._clock.presence.count(self.places, now)
        return [self._write(entry), *self._tell_all(talk.PhaseChanged())]

    def _open(self, now: float) -> list[Effect]:
        """Apply the opening position of the first match; all of it counts as told."""
        effects = self._replay(self.setup.opening, now)
        return [*effects, *self._tell_all(talk.Resumed())] if effects else []

    def _new_match(self, entry: journal.Began) -> State:
        """Begin a match; return its state."""
        self.match += 1
        self._seating.begin(entry.players)
        self._has_accounts = len(entry.who) > 0
        self.phase = PLAYING
        changed = entry.options
        self._options = self.setup.rules_options if changed is None else self.game.options.read(changed)
        self.pace.begin(any(place.person for place in self.places))
        number = self.match
        seats = len(self.places)
        self.current = Match(
            self.game,
            entry.match,
            self._options,
            seats,
            lambda deal: self._entropy(number, deal),
            self._new_stream,
            self.spec.draws,
        )
        self._clock.begin(seats)
        if self._may_undo():
            self.current.lines = []
        return self.current.state

    def _may_undo(self) -> bool:
        """Return True if the match does not count anywhere, and only one player is not a bot."""
        rated = self._has_accounts and not self.fixed_deal
        contest = self.spec.single or len(self.spec.guests) > 0  # of an arena or a tournament
        people = sum(place.kind != BOT for place in self.places)
        return people == 1 and not rated and not contest and self._delayed is None

    def _known(self) -> list[str]:
        """Return the account or bot of each seat; an empty list if no player has an account."""
        accounts = [self.identities.account(self.identities.person(place.token)) for place in self.places]
        if not any(accounts):
            return []
        bots = [f"bot {place.bot}" if place.kind == BOT else "" for place in self.places]
        return [account.id if account else bot for account, bot in zip(accounts, bots, strict=True)]

    def _abort(self, reason: str, now: float) -> list[Effect]:
        """Abort the match; the remaining players wait for the next one."""
        effects: list[Effect] = [*self._end_match(reason), *self._tell_all(talk.Stopped(reason))]
        self.phase = GATHERING
        return [*effects, *self._gather(now)]

    def _gather(self, now: float) -> list[Effect]:
        """Free the seats of replacement bots and absent players after a match."""
        self._clock.rest(now)
        freed = self._free([*self._seating.helpers(), *self._seating.absent()])
        self._seating.rest()
        freed += self._admit(now)
        if self.spec.single:
            return [*freed, *self.close(talk.MATCH_OVER)]
        return [*freed, *self._tell_all(talk.PlacesChanged() if freed else talk.PhaseChanged())]

    def _end_match(self, reason: str) -> list[Effect]:
        """End the record of the current match; an empty *reason* means that it was completed."""
        match = self.current
        assert match is not None
        entry = journal.Ended(
            match.id,
            self._clock_text(),
            None if reason else match.state.scores(),
            reason,
            match.state.places() if self._has_accounts and not reason else [],
        )
        self._forget_match(bool(reason))
        return [self._write(entry)]

    def _forget_match(self, aborted: bool) -> None:
        self._finished = None if aborted else self.state
        self.current = None
        self._seating.end()
        self._committed = None
        self._feed.clear()
        self._clock.questions.forget()

    def close(self, reason: str) -> list[Effect]:
        """Close the table permanently."""
        if self.phase == CLOSED:
            return []
        effects: list[Effect] = self._end_match(reason) if self.current is not None else []
        effects.append(self._write(journal.Closed(reason)))
        self._delayed = None  # watchers are told of the closing without a delay
        effects += self._tell_all(talk.Closed(reason))
        self.phase = CLOSED
        self._feed.clear()
        return effects

    def disconnect(self) -> None:
        """Forget all connections."""
        self._seating.disconnect_all()

    def _rise(self, seat: int) -> Effect:
        self._free_seat(seat)
        return self._write(journal.Rose(seat))

    def _free(self, seats: Sequence[int]) -> list[Effect]:
        return [self._rise(seat) for seat in seats]

    def _free_seat(self, seat: int) -> None:
        self._seating.rise(seat)
        self._next_deal.withdraw(seat)
        self._finished = None

    def _hand_over(self, seat: int) -> Effect:
        """Let a bot take *seat* until the match ends."""
        entry = journal.Left(seat, self._bots.filler)
        self._take_over(entry)
        return self._write(entry)

    def _take_over(self, entry: journal.Left) -> None:
        self._seating.hand_over(entry)
        self._clock.questions.withdraw(entry.seat)

    def _reset_clock(self, seat: int, now: float) -> None:
        if self.asked(seat) is not None:
            self._clock.reset(self.places[seat], self._feed.view(seat), now)

    def _reset_clocks(self, now: float) -> None:
        for seat in range(len(self.places)):
            self._reset_clock(seat, now)

    # Notes to all connections.

    def _tell_all(self, note: talk.Note) -> list[Effect]:
        return [self._tell_some(note, PUBLIC)]

    def _tell_some(self, note: talk.Note, audience: int) -> Effect:
        """Tell *note* to *audience*, to watchers with their delay."""
        if self._delayed is not None and audience & WATCHERS:
            self._delayed.keep(note, self._moment())
            audience &= ~WATCHERS
        return Tell(note, audience)

    def _heard(self, told: talk.Told) -> Heard:
        heard = told.event.heard_by(WATCHER)
        return Heard(told, self.number(WATCHER) if heard else None)

    def _moment(self) -> Moment:
        """Return the current state of the table as a watcher sees it."""
        return Moment(
            self.phase,
            self.started,
            self.match,
            self._options,
            self._seating.copies(),
            self.committed,
            self._feed.hands(self.spec.watch_open),
            self.current is not None,
            self.next_deal,
        )

    def _write(self, entry: journal.AnyEntry) -> Write:
        self._count(entry)
        return Write(entry)

    def _count(self, entry: journal.AnyEntry) -> None:
        """Count a line of the journal, and keep it if it may be needed to take a decision back."""
        self.entries += 1
        if self.current is not None:
            self.current.keep(entry)

    # From the journal.

    def _replay(self, entries: Sequence[journal.AnyEntry], now: float) -> list[Effect]:
        """Apply *entries* and store them; all of it counts as told."""
        effects: list[Effect] = []
        for entry in entries:
            self._restore(entry)
            effects.append(self._write(entry))
        self._feed.resume(now)
        if entries:
            self._look()
        return effects

    def restore(self, entries: Sequence[journal.AnyEntry], now: float, first: int = 0) -> list[Effect]:
        """Restore the table from its journal; everything in it counts as told, just now.

        *entries* are its lines from number *first* on: the whole journal, or the part that starts with a
        `Began` that contains the seats.
        """
        self.entries = first
        for entry in entries:
            if isinstance(entry, journal.Acted):  # most lines
                self._restore_act(entry)
            else:
                self._restore(entry)
            self._count(entry)
        self._look()
        self._feed.resume(now)
        self._clock.rest(now)
        freed: list[Effect] = []
        if self.phase != PLAYING:
            freed = self._free(self._seating.absent())
        else:
            self._clock.hold(now)
            for seat in self._seating.absent():
                self._clock.presence.lost(seat, now)
            self._clock.presence.count(self.places, now)
        if self._delayed is not None:
            self._delayed.resume(self._moment())
        return freed

    def _restore(self, entry: journal.AnyEntry) -> None:
        match entry:
            case journal.Arranged():
                self._look()
                self._forget_match(True)
                self._seating.arrange(entry.seats)
                self._next_deal.forget()
                self.started = False
            case journal.Sat():
                self._sit(entry)
            case journal.Rose():
                self._free_seat(entry.seat)
            case journal.Left():
                self._take_over(entry)
            case journal.Renamed():
                self._seating.rename(entry.seat, entry.name)
            case journal.Started():
                self.started = True
            case journal.Began():
                self._restore_began(entry)
            case journal.Contributed():
                self._next_deal.restore(entry)
            case journal.Committed() | journal.Revealed() | journal.Drew() | journal.Concluded():
                self._restore_step(entry)
            case journal.Acted():
                self._restore_act(entry)
            case journal.Rested():
                self.phase = RESTING
                self._feed.at_rest = False
            case journal.Ended():
                self._look()
                self._forget_match(bool(entry.reason))
                self.phase = GATHERING
                self._feed.at_rest = False
            case journal.Closed():
                self.phase = CLOSED
            case _:
                assert_never(entry)

    def _restore_began(self, entry: journal.Began) -> None:
        self.started = False
        if entry.seats:
            self._seating.restore(entry.seats)
            self.match = int(entry.match.rpartition("-")[2]) - 1
        self._new_match(entry)
        self._feed.begin(len(self.places), None)
        if entry.numbers:
            self._feed.count_from(entry.numbers)
        if self._delayed is not None:
            self._delayed.forget()

    def _restore_step(
        self, entry: journal.Committed | journal.Revealed | journal.Drew | journal.Concluded
    ) -> None:
        assert self.current is not None
        if isinstance(entry, journal.Drew):
            self.phase = PLAYING
            self.started = False
        self._catch_up(self.current.replay(entry), -1, False)
        self._committed = self.current.committed
        if isinstance(entry, journal.Committed) and self._next_deal.seed is not None:
            self._next_deal.seal(self._entropy(self.match, entry.deal + 1))

    def _restore_act(self, entry: journal.Acted) -> None:
        match, seat, by = self.current, entry.seat, entry.by
        assert match is not None
        place = self.places[seat]
        stands_in = by not in ("", "bot")
        shown = True
        if stands_in or place.auto or place.late:  # otherwise it makes no difference
            # Everything so far counts as told, so the state's view is the told view that `_shows` would use.
            shown = match.asks_openly(seat) or self.pace.counts(match.state.view(seat))
        actions = tuple([self.game.actions.parse(action) for action in entry.actions])
        events = match.repeat(seat, actions)
        self._seating.mark(seat, by, entry.counted, shown)
        self._catch_up(events, seat, stands_in if shown else None)
        self._clock.questions.answer(seat, None if by else actions)

    def _catch_up(self, events: Sequence[Event], actor: int, auto: bool | None) -> None:
        """Count *events* as told; `_look` brings the told views up to date afterwards."""
        for event in events:
            self._seating.follow(event, actor, auto)
            told = self._feed.count(event, auto)
            if self._delayed is not None:
                self._delayed.keep_untold(self._heard(told))

    def _look(self) -> None:
        """Take the views of the current state for what everyone has been told."""
        if self.current is not None:
            self._feed.look(self.current.state)
