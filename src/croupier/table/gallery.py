"""The table as its watchers see it: a while later, if the table says so.

What watchers are to hear is kept here together with how the table looked then, and told `delay` seconds
after the players heard it. The gallery is the face of a table at that earlier moment: whoever comes to
watch finds the same past as those who were there. While no match is under way nothing has to wait.

Times are given when the table releases: whatever was kept until then happened just now.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from croupier.core.contract import WATCHER, Event, Game, View
from croupier.core.options import Value
from croupier.table.effects import Setup
from croupier.wire import talk
from croupier.wire.accounts import Register
from croupier.wire.talk import GATHERING, Asked, Place


@dataclass(frozen=True, slots=True)
class Moment:
    """How a table looked when something was told."""

    phase: str
    started: bool
    match: int
    options: Mapping[str, Value]
    places: Sequence[Place]
    committed: talk.Committed | None
    turns: Mapping[int, tuple[int, list[int]]]
    """For the watchers, and for every seat of an open table: who is to act, and what the seat may do."""
    held: bool
    """A match is under way, so this is told later."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An event, and how watchers are told of it if they are."""

    event: Event
    told: talk.Told | None


@dataclass(frozen=True, slots=True)
class _Kept:
    notes: Sequence[Heard | talk.Note]
    before: Sequence[Heard]
    """What is taken in first, without a word."""
    moment: Moment


class Gallery:
    """See the module's head. Implements `talk.Face` for conversations that watch."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._delay = setup.watch_delay
        self._fresh: list[_Kept] = []
        self._waiting: deque[tuple[float, _Kept]] = deque()
        self._unsaid: list[Heard] = []
        self._number = 0
        self._now = Moment(GATHERING, setup.start, 0, setup.rules_options, (), None, {}, False)
        self._views = self._new_views(len(setup.seats))

    # The face that watchers see.

    @property
    def id(self) -> str:
        return self._setup.id

    @property
    def game(self) -> Game:
        return self._setup.game

    @property
    def phase(self) -> str:
        return self._now.phase

    @property
    def match(self) -> int:
        return self._now.match

    @property
    def started(self) -> bool:
        return self._now.started

    @property
    def rules_options(self) -> Mapping[str, Value]:
        return self._now.options

    @property
    def table_options(self) -> Mapping[str, Value]:
        return self._setup.table_options

    @property
    def seed(self) -> str | None:
        return None if self._setup.secret_seed else self._setup.seed

    @property
    def places(self) -> Sequence[Place]:
        return self._now.places

    @property
    def watch_open(self) -> bool:
        return open_to_watchers(self._setup, self.places)

    @property
    def watch_delay(self) -> int:
        return self._delay

    @property
    def gallery(self) -> Gallery:
        return self

    @property
    def register(self) -> Register:
        return self._setup.register

    @property
    def committed(self) -> talk.Committed | None:
        return self._now.committed

    def view(self, seat: int) -> View:
        return self._views[seat]

    def asked(self, seat: int) -> Asked | None:
        return None

    def number(self, seat: int) -> int:
        return self._number

    def missed(self, seat: int, last: int) -> list[talk.Told] | None:
        return None

    # What the table lets it keep.

    def show(self, moment: Moment) -> None:
        """Look like *moment* from now on; nobody is told."""
        if moment.match != self._now.match:
            self._now = moment
            self._views = self._new_views(len(moment.places))
        self._now = moment
        for seat, (to_act, legal) in moment.turns.items():
            self._views[seat].to_act = to_act
            self._views[seat].legal = legal

    def overhear(self, heard: Heard) -> None:
        """Take an event in that nobody is told: the next thing kept brings it along."""
        self._unsaid.append(heard)

    def forget(self) -> None:
        """A match begins while the past is being restored: what came before it is not seen any more."""
        self._unsaid.clear()

    def keep(self, what: Heard | talk.Note, moment: Moment) -> None:
        """Let watchers hear *what* when it is time."""
        self._fresh.append(_Kept([what], self._unsaid, moment))
        self._unsaid = []

    def resume(self, moment: Moment) -> None:
        """Begin anew after a restart.

        When things happened is not known any more, so all of the present match counts as just told. Until
        then watchers see who plays, and a match of which they have heard nothing yet.
        """
        self.show(
            replace(moment, places=[_veiled(place) for place in moment.places], committed=None, turns={})
        )
        notes: list[talk.Note] = [talk.Resumed(), talk.PlacesChanged()]
        if moment.committed is not None:
            notes.append(moment.committed)
        self._fresh.append(_Kept(notes, self._unsaid, moment))
        self._unsaid = []

    # Telling it.

    def wake(self) -> float | None:
        """Return when the next thing is to be told."""
        return self._waiting[0][0] if self._waiting else None

    def release(self, now: float) -> Iterator[talk.Note]:
        """Return what watchers are to hear now, one by one: with each the gallery moves on."""
        for kept in self._fresh:
            due = now + self._delay if kept.moment.held else now
            self._waiting.append((max(due, self._waiting[-1][0]) if self._waiting else due, kept))
        self._fresh.clear()
        while self._waiting and self._waiting[0][0] <= now:
            yield from self._tell(self._waiting.popleft()[1])

    def _tell(self, kept: _Kept) -> Iterator[talk.Note]:
        if kept.moment.match != self._now.match:
            self.show(replace(kept.moment, turns={}))
        for heard in kept.before:
            self._hear(heard)
        for what in kept.notes:
            if isinstance(what, Heard):
                self._hear(what)
        self.show(kept.moment)
        for what in kept.notes:
            match what:
                case Heard(event, told):
                    if told is not None:
                        yield told
                    elif self.watch_open:
                        yield talk.Shown(event)
                case talk.TurnChanged(float(deadline)):
                    yield talk.TurnChanged(deadline + self._delay)
                case _:
                    yield what

    def _hear(self, heard: Heard) -> None:
        for seat, view in self._views.items():
            if heard.event.heard_by(seat):
                view.hear(heard.event)
        if heard.told is not None:
            self._number = heard.told.number

    def _new_views(self, seats: int) -> dict[int, View]:
        """Begin with what is known at the start of a match; hands only where watchers may see them."""
        state = self.game.new(self._now.options, seats)
        views = {
            seat: state.view(seat) for seat in (*(range(seats) if self._setup.watch_open else ()), WATCHER)
        }
        for view in views.values():
            view.to_act = 0
            view.legal = []
        return views


def open_to_watchers(setup: Setup, places: Sequence[Place]) -> bool:
    """Say whether watchers may see every hand."""
    return setup.watch_open and not any(place.person for place in places)


def _veiled(place: Place) -> Place:
    """Return who sits there, without what the match has shown of him."""
    return replace(place, away=False, late=False, auto=False, timeouts=0, errors=0)
