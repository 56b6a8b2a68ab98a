"""One table: seats, clocks, a match after the other. Commands in, effects out; no I/O, no clock of its own.

How a decision travels. The rules run ahead: an accepted action changes `state` at once and its events go
into `pending`. From there they are told one by one, each after the pause the game's pace asks for, and
every seat's *told view* hears them in that order; so what a connection sees never depends on how fast the
rules went on. Only when nothing is pending is the next seat asked, and only then does its clock start.

The runner calls, over and over: `handle` (a request), stores the `Write`s, then `release` (tell what is
due) and `proceed` (what the table does by itself: draws, bots, late seats), until nothing comes back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, assert_never

from croupier.core.chance import Stream, commitment, rng
from croupier.core.contract import WATCHER, Event, Game, IllegalAction, State, View
from croupier.core.options import Value
from croupier.table import journal
from croupier.wire import talk
from croupier.wire.talk import (
    BOT,
    CLOSED,
    GATHERING,
    OPEN,
    PERSON,
    PLAYING,
    RESTING,
    Asked,
    Place,
    token_digest,
)

SECRET_DEAL: Final = 0
"""The 'deal' whose seed feeds bots and stand-ins instead of draws."""
STRIDE: Final = 64
"""How many steps a table of bots takes before others have a turn."""
GRACE: Final = 15.0
"""How long a table waits for its players after a restart, and for an absent seat that has no clock."""

Key: TypeAlias = Hashable
"""A connection, as the runner names it."""


@dataclass(slots=True)
class Setup:
    """How a table was made; the store keeps it."""

    id: str
    game: Game
    rules_options: Mapping[str, Value]
    table_options: Mapping[str, Value]
    seats: Sequence[str]
    """For each seat ``open``, ``person`` or ``bot <strength>``."""
    seed: str | None = None
    auto_cycle: bool = False
    start: bool = True
    """Play as soon as the seats are filled, without anybody pressing start."""
    watch_open: bool = False
    seat_tokens: Sequence[str] = ()
    """Digests of the tokens that seats are reserved for; an empty one reserves nothing."""


# What the runner is to do, in order. Every Write of a list is on disk before anything else of it happens.


@dataclass(frozen=True, slots=True)
class Write:
    entry: journal.AnyEntry


@dataclass(frozen=True, slots=True)
class Reply:
    """To the connection that asked."""

    key: Key
    note: talk.Note


@dataclass(frozen=True, slots=True)
class Tell:
    """To whoever sits in *seat*, or to every watcher."""

    seat: int
    note: talk.Note


@dataclass(frozen=True, slots=True)
class Bind:
    """The connection now plays *seat*."""

    key: Key
    seat: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection has lost its seat to a newer one."""

    key: Key


Effect: TypeAlias = Write | Reply | Tell | Bind | Cut


@dataclass(frozen=True, slots=True)
class _Due:
    """Something to be told, since *since*: a fact of the rules, or a word about the seed of a deal."""

    what: Event | talk.Committed
    actor: int
    auto: bool
    since: float


@dataclass(slots=True)
class _Audience:
    """What one seat, or the watchers, have been told."""

    view: View
    number: int = 0
    turn: int = 0
    """The seats it was last told to be to act."""
    backlog: list[talk.Told] = field(default_factory=list)
    """The current deal's events, for a seat that comes back."""


class Table:
    """See the module's head. Implements `talk.Face` for conversations."""

    def __init__(
        self, setup: Setup, entropy: Callable[[int, int], bytes], clock_text: Callable[[], str]
    ) -> None:
        """*entropy(match, deal)* gives 32 bytes of chance; *clock_text()* the date for the journal."""
        self.setup = setup
        self.game = setup.game
        self.pace = setup.game.pace(setup.table_options)
        self.phase = GATHERING
        self.started = setup.start
        self.places: list[Place] = []
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
        self._stream: Stream | None = None
        self._stream_deal = 0
        self._seed_hex = ""
        self._audiences: dict[int, _Audience] = {}
        self._pending: deque[_Due] = deque()
        self._told_at = float("-inf")
        self._asked: list[Asked | None] = [None] * len(setup.seats)
        self._acts = [0] * len(setup.seats)
        self._last_act: list[tuple[int, tuple[int, ...]]] = [(-1, ())] * len(setup.seats)
        self._keys: dict[int, Key] = {}
        self._rest_since = 0.0
        self._hold_until = float("-inf")
        self._at_rest = False
        """A game has ended, as far as has been told, and the next one has not begun."""
        self._bots = setup.game.bots()
        self._stand_in = setup.game.stand_in()
        self._seat_up(setup.seats)

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
    def watch_open(self) -> bool:
        return self.setup.watch_open and not any(place.person for place in self.places)

    def view(self, seat: int) -> View:
        if not self._audiences:
            self._fresh_audiences(self._new_state())
        return self._audiences[seat].view

    def asked(self, seat: int) -> Asked | None:
        return self._asked[seat] if seat >= 0 else None

    def number(self, seat: int) -> int:
        return self._audiences[seat].number if self._audiences else 0

    def missed(self, seat: int, last: int) -> list[talk.Told] | None:
        """Return what *seat* was told after number *last*, or None when that is no longer kept."""
        audience = self._audiences.get(seat)
        if audience is None or not 0 <= last <= audience.number:
            return None
        missed = audience.number - last
        return audience.backlog[len(audience.backlog) - missed :] if missed <= len(audience.backlog) else None

    # Requests.

    def handle(self, key: Key, seat: int, request: talk.Request, now: float) -> list[Effect]:
        """Carry out a request of the connection *key*, which plays *seat* (or WATCHER)."""
        if self.phase == CLOSED:
            return [Reply(key, talk.Refused(request, "closed", "this table is closed"))]
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
        return next((seat for seat, owner in self._keys.items() if owner == key), WATCHER)

    def lost(self, key: Key, seat: int, now: float) -> list[Effect]:
        """The connection has ended. In a game the seat is kept; before and after, it is free."""
        if seat < 0 or self._keys.get(seat) != key:
            return []
        del self._keys[seat]
        self.places[seat].connected = False
        effects: list[Effect] = []
        if self.phase != PLAYING:
            effects.append(Write(self._wrote(journal.Rose(seat))))
            self._rise(seat)
        self._reset_clock(seat, now)
        return [*effects, *self._everybody(talk.PlacesChanged())]

    def close(self, reason: str, now: float) -> list[Effect]:
        """End the table for good: no more games."""
        if self.phase == CLOSED:
            return []
        effects: list[Effect] = self._end_match(reason) if self.state is not None else []
        effects.append(Write(self._wrote(journal.Closed(reason))))
        effects += self._everybody(talk.Closed(reason))
        self.phase = CLOSED
        self._pending.clear()
        return effects

    def _join(self, key: Key, seat: int, request: talk.Join, now: float) -> list[Effect]:
        if seat >= 0:
            return [Reply(key, talk.Refused(request, "already_joined", f"you have seat {seat}"))]
        claim = request.claim
        try:
            seat = claim.seat(self)
        except talk.JoinRefused as error:
            return [Reply(key, talk.Refused(request, error.key, str(error)))]
        place = self.places[seat]
        if place.name:  # a takeover: the newest connection wins
            effects: list[Effect] = []
            old = self._keys.get(seat)
            if old is not None:
                effects.append(Cut(old))
            self._keys[seat] = key
            place.connected = True
            self._reset_clock(seat, now)
            effects.append(Bind(key, seat))
            effects += self._everybody(talk.PlacesChanged())
            effects.append(Reply(key, talk.Seated(seat, True, request.id)))
            asked = self._asked[seat]
            if asked is not None:
                effects.append(Reply(key, talk.AskedNow(asked)))
            return effects
        number = claim.number if claim.number is not None else seat + 1
        entry = journal.Sat(seat, claim.name, number, token_digest(claim.token), claim.person)
        self._sit(entry)
        place.connected = True
        self._keys[seat] = key
        return [
            Write(self._wrote(entry)),
            Bind(key, seat),
            Reply(key, talk.Seated(seat, False, request.id)),
            *self._everybody(talk.PlacesChanged()),
        ]

    def _act(self, key: Key, seat: int, request: talk.Act, now: float) -> list[Effect]:
        if seat < 0:
            return [Reply(key, talk.Refused(request, "not_joined", "join first"))]
        if request.turn >= 0 and (request.turn, request.actions) == self._last_act[seat]:
            return [Reply(key, talk.Accepted(request.id))]  # a repeated answer has its effect once
        asked = self._asked[seat]
        if request.turn >= 0 and (asked is None or request.turn != asked.turn):
            due = f"question {asked.turn} is open" if asked else "nothing is asked of you now"
            words = f"question {request.turn} is past or not yet asked: {due}"
            return [Reply(key, talk.Refused(request, "stale", words))]
        if asked is not None and asked.deadline is not None and now >= asked.deadline:
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
        self._last_act[seat] = (request.turn, request.actions)
        return [write, Reply(key, talk.Accepted(request.id))]

    def _wrong(self, seat: int, turn: int, now: float) -> list[Effect]:
        asked = self._asked[seat] if seat >= 0 else None
        if asked is None or asked.turn != turn:
            return []
        self.places[seat].errors += 1
        return [self._decide(seat, "fault", True, now)]

    def _start(self, key: Key, id: object, now: float) -> list[Effect]:
        if self.phase == PLAYING:
            return [Reply(key, talk.Refused(talk.Start(id), "not_now", "a game is running"))]
        self.started = True
        return [
            Write(self._wrote(journal.Started())),
            Reply(key, talk.Accepted(id)),
            *self._everybody(talk.PhaseChanged()),
        ]

    def _arrange(self, key: Key, request: talk.Arrange, now: float) -> list[Effect]:
        if self.phase == PLAYING:
            words = "a game is running: the seats are fixed until it ends"
            return [Reply(key, talk.Refused(request, "not_now", words))]
        wrong = self.arrangement_error(self.game, request.seats, len(self.places))
        if wrong:
            return [Reply(key, talk.Refused(request, "bad_seats", wrong))]
        effects: list[Effect] = self._end_match("other seats") if self.state is not None else []
        entry = journal.Arranged(list(request.seats))
        effects.append(Write(self._wrote(entry)))
        effects += [Cut(self._keys.pop(seat)) for seat in self._seat_up(entry.seats) if seat in self._keys]
        self.started = False
        return [*effects, Reply(key, talk.Accepted(request.id)), *self._everybody(talk.PlacesChanged())]

    @staticmethod
    def arrangement_error(game: Game, seats: Sequence[str], expected: int) -> str:
        """Return what is wrong with *seats* of an arrangement, or nothing."""
        if len(seats) != expected:
            return f"{len(seats)} seats: expected {expected}"
        for number, kind in enumerate(seats):
            if kind not in (OPEN, PERSON) and kind.removeprefix("bot ") not in game.bots():
                known = ", ".join(f"bot {name}" for name in game.bots())
                return f"seat {number} {kind!r}: expected open, person, {known}"
        return ""

    def _leave(self, seat: int) -> list[Effect]:
        key = self._keys.pop(seat, None)
        effects: list[Effect] = [] if key is None else [Bind(key, WATCHER)]
        if self.phase == PLAYING:
            entry = journal.Left(seat, list(self._bots)[-1])
            self._hand_over(entry)
            effects.append(Write(self._wrote(entry)))
        else:
            effects.append(Write(self._wrote(journal.Rose(seat))))
            self._rise(seat)
        return [*effects, *self._everybody(talk.PlacesChanged())]

    # What the table does by itself.

    def proceed(self, now: float) -> list[Effect]:
        """Return what happens now without anybody's request: starts, draws, bots, late answers.

        Goes on as long as nothing has to be told after a pause first, so that a bot's whole turn, or
        a table of bots, costs one write to the disk.
        """
        effects: list[Effect] = []
        for _ in range(STRIDE):
            if self._held(now) or self._waits_to_tell():
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
        if self.state.over() or self._rests():
            return None  # the end is still to be told; release() sees to it
        if self.state.awaiting() is not None:
            return None if self._seed_due() else self._draw(now)
        waiting = self.state.to_act()
        for seat, place in enumerate(self.places):
            if not waiting >> seat & 1:
                continue
            if place.kind == BOT:
                return [self._decide(seat, "bot", False, now)]
            asked = self._asked[seat]
            if asked is not None and asked.deadline is not None and now >= asked.deadline:
                return [self._late(seat, now)]
        return None

    def _late(self, seat: int, now: float) -> Effect:
        place = self.places[seat]
        if not place.connected:
            return self._decide(seat, "absent", False, now)
        assert self.state is not None
        counted = self.pace.counts(self._audiences[seat].view)
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
        self._answered(seat)
        words = [self.game.actions.name(action) for action in actions]
        return Write(self._wrote(journal.Acted(seat, words, by, counted)))

    def _answered(self, seat: int) -> None:
        self._acts[seat] += 1
        self._asked[seat] = None
        self._audiences[seat].view.legal = []

    def _queue(self, state: State, actor: int, auto: bool, now: float) -> None:
        self.state = state
        events = state.events or []
        state.events = None
        self._pending.extend(_Due(event, actor, auto, now) for event in events)

    def _draw(self, now: float) -> list[Effect]:
        assert self.state is not None
        draw = self.state.awaiting()
        assert draw is not None
        effects: list[Effect] = []
        if draw.take and self._stream_deal != self.state.deal() + 1:
            deal = self.state.deal() + 1
            entry = journal.Committed(deal, self._entropy(self.match, deal).hex())
            effects.append(Write(self._wrote(entry)))
            self._open_deal(entry)
            digest = commitment(bytes.fromhex(entry.seed))
            self._pending.append(_Due(talk.Committed(deal, digest), -1, False, now))
        outcome = self._stream.draw(draw) if draw.take and self._stream is not None else []
        items = [self.game.draw_name(item) for item in outcome]
        self.state.events = []
        self.state.apply_draw(outcome)
        self._queue(self.state, -1, False, now)
        effects.append(Write(self._wrote(journal.Drew(items))))
        return effects

    def _open_deal(self, entry: journal.Committed) -> None:
        self._stream_deal = entry.deal
        self._seed_hex = entry.seed
        self._stream = Stream(bytes.fromhex(entry.seed))

    def _seed_due(self) -> bool:
        """Say whether a deal has ended whose seed is still secret."""
        return self._stream is not None and self.state is not None and self.state.deal() >= self._stream_deal

    def _reveal(self) -> list[Effect]:
        """Give away the seed of the deal that has ended."""
        self._stream = None
        note = talk.Revealed(self._stream_deal, self._seed_hex)
        return [Write(self._wrote(journal.Revealed(self._stream_deal))), *self._everybody(note)]

    # Starting, resting, ending.

    def _filled(self) -> bool:
        return all(place.name for place in self.places)

    def _ready(self, now: float) -> bool:
        if not self._filled():
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
        effects.append(Write(self._wrote(entry)))
        self._new_match(entry)
        return [*effects, *self._everybody(talk.PhaseChanged())]

    def _new_match(self, entry: journal.Began) -> None:
        self.match += 1
        self.match_id = entry.match
        self.players = entry.players
        self.phase = PLAYING
        self._secret = self._entropy(self.match, SECRET_DEAL)
        self._stream = None
        self._stream_deal = 0
        self.state = self._new_state()
        self._fresh_audiences(self.state)
        self._acts = [0] * len(self.places)
        self._last_act = [(-1, ())] * len(self.places)

    def _new_state(self) -> State:
        return self.game.new(self.setup.rules_options, len(self.places))

    def _fresh_audiences(self, state: State) -> None:
        numbers = {seat: audience.number for seat, audience in self._audiences.items()}
        for seat in (*range(len(self.places)), WATCHER):
            view = state.view(seat)
            view.to_act = 0
            view.legal = []
            self._audiences[seat] = _Audience(view, numbers.get(seat, 0))

    def _rests(self) -> bool:
        return any(isinstance(due.what, Event) and due.what.rests for due in self._pending)

    def _end_match(self, reason: str) -> list[Effect]:
        """Close the record of the present match; without a reason it was played to its end."""
        assert self.state is not None
        entry = journal.Ended(
            self.match_id, self._clock_text(), None if reason else self.state.scores(), reason
        )
        self._forget_match()
        return [Write(self._wrote(entry))]

    def _forget_match(self) -> None:
        self.state = None
        self._stream = None
        self._pending.clear()
        self._asked = [None] * len(self.places)

    # Telling.

    def release(self, now: float) -> Iterator[Effect]:
        """Tell what is due, one thing at a time; then ask whoever owes a decision.

        A generator: each effect is to be carried out before the next is taken, for the told views
        move on with every step.
        """
        while self._pending and self._due_at(self._pending[0]) <= now:
            due = self._pending.popleft()
            self._told_at = now
            if isinstance(due.what, Event):
                yield from self._tell(due.what, due)
            else:
                yield from self._everybody(due.what)
        if self._pending or self.state is None or self.phase != PLAYING:
            return
        if self._seed_due():
            yield from self._reveal()
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
            yield Write(self._wrote(journal.Rested()))
        freed = self._free_the_absent()
        yield from freed
        yield from self._everybody(talk.PlacesChanged() if freed else talk.PhaseChanged())

    def _free_the_absent(self) -> list[Effect]:
        effects: list[Effect] = []
        for seat, place in enumerate(self.places):
            if place.name and place.kind != BOT and not place.connected:
                effects.append(Write(self._wrote(journal.Rose(seat))))
                self._rise(seat)
        return effects

    def _tell(self, event: Event, due: _Due) -> Iterator[Effect]:
        if due.actor >= 0:
            self.places[due.actor].auto = due.auto
            for audience in self._audiences.values():
                audience.view.to_act &= ~(1 << due.actor)
        if event.opens:
            for place in self.places:
                place.timeouts = place.errors = 0
        if event.rests:
            self._at_rest = True
        for seat, audience in self._audiences.items():
            if event.heard_by(seat):
                yield Tell(seat, self._hear(audience, event, due.auto))
        if self.watch_open and not event.heard_by(WATCHER):
            yield Tell(WATCHER, talk.Shown(event))

    def _hear(self, audience: _Audience, event: Event, auto: bool) -> talk.Told:
        if event.starts_deal:
            audience.backlog.clear()
        audience.view.hear(event)
        audience.number += 1
        told = talk.Told(audience.number, event, auto)
        audience.backlog.append(told)
        return told

    def _ask(self, now: float) -> Iterator[Effect]:
        assert self.state is not None
        waiting = self.state.to_act()
        fresh: list[int] = []
        for seat, place in enumerate(self.places):
            if waiting >> seat & 1 and self._asked[seat] is None and place.kind != BOT:
                fresh.append(seat)
                self._audiences[seat].view.legal = self.state.legal_actions(seat)
                limit = self._limit(seat)
                self._asked[seat] = Asked(self._acts[seat] + 1, now + limit if limit else None)
                self._reset_clock(seat, now)
        for seat, audience in self._audiences.items():
            known = self.state.to_act_for(seat)
            audience.view.to_act = known
            if known != audience.turn or any(known >> other & 1 for other in fresh):
                audience.turn = known
                yield Tell(seat, talk.TurnChanged(self._deadline(known)))
        for seat in fresh:
            asked = self._asked[seat]
            assert asked is not None
            yield Tell(seat, talk.AskedNow(asked))

    def _limit(self, seat: int) -> float:
        return self.pace.limit(self._audiences[seat].view, self.places[seat].person)

    def _reset_clock(self, seat: int, now: float) -> None:
        """Where there is no time limit, wait for an absent seat for a while only."""
        asked = self._asked[seat]
        if asked is not None and not self._limit(seat):
            self._asked[seat] = replace(asked, deadline=None if self.places[seat].connected else now + GRACE)

    def _deadline(self, seats: int) -> float | None:
        deadlines = [
            asked.deadline
            for seat, asked in enumerate(self._asked)
            if asked is not None and asked.deadline is not None and seats >> seat & 1
        ]
        return max(deadlines, default=None)

    def _everybody(self, note: talk.Note) -> list[Effect]:
        return [Tell(seat, note) for seat in (*range(len(self.places)), WATCHER)]

    # Time.

    def wake(self) -> float | None:
        """Return when something will be due without anybody's doing."""
        moments: list[float] = []
        if self._hold_until > float("-inf"):
            moments.append(self._hold_until)
        if self._pending:
            moments.append(self._due_at(self._pending[0]))
        else:
            moments += [asked.deadline for asked in self._asked if asked and asked.deadline is not None]
            if self.phase in (GATHERING, RESTING) and self.match and self.setup.auto_cycle and self._filled():
                moments.append(self._rest_since + self.pace.rest())
        return min(moments, default=None)

    def _due_at(self, due: _Due) -> float:
        pause = self.pace.before(due.what) if isinstance(due.what, Event) else 0.0
        return max(self._told_at, due.since) + pause if pause else due.since

    def _waits_to_tell(self) -> bool:
        return any(isinstance(due.what, Event) and self.pace.before(due.what) for due in self._pending)

    def _held(self, now: float) -> bool:
        """Say whether the table still waits for its players after a restart."""
        if now < self._hold_until and any(
            place.name and place.kind != BOT and not place.connected for place in self.places
        ):
            return True
        self._hold_until = float("-inf")
        return False

    # Seats and the journal.

    def _wrote(self, entry: journal.AnyEntry) -> journal.AnyEntry:
        self.entries += 1
        return entry

    def _seat_up(self, seats: Sequence[str]) -> list[int]:
        """Arrange the places; return the seats whose players had to get up."""
        evicted: list[int] = []
        before = self.places
        self.places = []
        for seat, kind in enumerate(seats):
            place = Place(seat)
            old = before[seat] if before else place
            if kind.startswith("bot "):
                place.kind = BOT
                place.bot = kind.removeprefix("bot ")
                # The name of a dummy is fixed by the Hearts protocol.
                place.name = f"player{seat + 1}" if place.bot == "dummy" else f"bot{seat + 1}"
                place.number = seat + 1
                place.connected = True
            elif old.name and old.kind != BOT:
                place = old
                place.kind = kind
            else:
                place.kind = kind
                place.token = self.setup.seat_tokens[seat] if self.setup.seat_tokens else ""
            if old.name and old.kind != BOT and place is not old:
                evicted.append(seat)
            self.places.append(place)
        return evicted

    def _sit(self, entry: journal.Sat) -> None:
        place = self.places[entry.seat]
        place.name = entry.name
        place.number = entry.number
        place.token = entry.token
        place.person = entry.person

    def _rise(self, seat: int) -> None:
        kind = self.places[seat].kind
        token = self.setup.seat_tokens[seat] if self.setup.seat_tokens else ""
        # A match goes on with the same players in the same seats, in whatever order they come back.
        former = self.players[seat] if self.state is not None else ""
        self.places[seat] = Place(seat, kind, former=former, token=token)

    def _hand_over(self, entry: journal.Left) -> None:
        place = self.places[entry.seat]
        place.kind = BOT
        place.bot = entry.bot
        place.token = ""
        place.connected = True
        place.person = False
        self._asked[entry.seat] = None

    # After a crash.

    def restore(self, entries: Sequence[journal.AnyEntry], now: float) -> list[Effect]:
        """Become what the journal says; everything in it counts as told, and no time has passed."""
        for entry in entries:
            self._wrote(entry)
            self._restore(entry)
        self._told_at = now
        self._rest_since = now
        if self.phase != PLAYING:
            return self._free_the_absent()
        self._hold_until = now + GRACE
        return []

    def _restore(self, entry: journal.AnyEntry) -> None:
        match entry:
            case journal.Arranged(seats):
                self._forget_match()
                self._seat_up(seats)
                self.started = False
            case journal.Sat():
                self._sit(entry)
            case journal.Rose(seat):
                self._rise(seat)
            case journal.Left():
                self._hand_over(entry)
            case journal.Started():
                self.started = True
            case journal.Began():
                self.started = False
                self._new_match(entry)
            case journal.Committed():
                self._open_deal(entry)
            case journal.Revealed():
                self._stream = None
            case journal.Drew(items):
                assert self.state is not None
                draw = self.state.awaiting()
                if draw is not None and draw.take and self._stream is not None:
                    self._stream.draw(draw)
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
                if by == "":
                    self._last_act[seat] = (self._acts[seat] + 1, codes)
                self._recount(seat, by, counted)
                self._catch_up(seat, by not in ("", "bot"))
                self._answered(seat)
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
        while self._pending:
            due = self._pending.popleft()
            assert isinstance(due.what, Event)
            for _ in self._tell(due.what, due):
                pass
