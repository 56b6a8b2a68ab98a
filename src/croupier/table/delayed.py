"""A table as its watchers see it, if they see matches with a delay.

Notes to watchers are kept here together with the state of the table at that time, and told `delay` seconds
after the players were told. A delayed feed implements `talk.TableInfo` for that earlier time, so new watchers
see the same as those who have been there longer. Between matches there is no delay.

Notes get their time when the table next calls `next`: everything kept before that call counts as told at that
moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from croupier.core.contract import WATCHER, Game, View
from croupier.core.options import Value
from croupier.table.setup import Setup
from croupier.wire import talk
from croupier.wire.identity import Identities
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import GATHERING, Asked, Place


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a table at the time of a note."""

    phase: str
    started: bool
    match: int
    options: Mapping[str, Value]
    places: Sequence[Place]
    committed: talk.Committed | None
    turns: Mapping[int, tuple[int, list[int]]]
    """For the watchers, and for every seat if watchers may see the hands: the seats to act, and the seat's
    legal actions."""
    held: bool
    """True during a match, which watchers see with a delay."""
    next_deal: str | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """An event that was told, and its number for watchers, or None if watchers may not know it."""

    told: talk.Told
    number: int | None


@dataclass(frozen=True, slots=True)
class _Kept:
    notes: Sequence[Heard | talk.Note]
    before: Sequence[Heard]
    """Events that are applied first, without a note to watchers."""
    moment: Moment


class DelayedFeed:
    """A table with a delay (see the module docstring). Implements `talk.TableInfo` for watchers."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._spec: TableSpec = setup.spec
        self._delay = self._spec.watch_delay
        self.rendered: dict[str, object] = {}
        self._fresh: list[_Kept] = []
        self._waiting: deque[tuple[float, _Kept]] = deque()
        self._ready: deque[talk.Note] = deque()
        """Notes that are due; they belong to the state shown now."""
        self._untold: list[Heard] = []
        self._number = 0
        self._now = Moment(GATHERING, self._spec.start, 0, setup.rules_options, (), None, {}, False)
        self._views = self._new_views(len(self._spec.seats))

    # The interface for watchers (`talk.TableInfo`).

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
        return None if self._spec.secret_seed else self._spec.seed

    @property
    def fixed_deal(self) -> bool:
        return self._setup.fixed_deal

    @property
    def private(self) -> bool:
        return self._spec.private

    @property
    def places(self) -> Sequence[Place]:
        return self._now.places

    @property
    def watch_open(self) -> bool:
        return open_to_watchers(self._spec, self.places)

    @property
    def watch_delay(self) -> int:
        return self._delay

    @property
    def for_watchers(self) -> DelayedFeed:
        return self

    @property
    def identities(self) -> Identities:
        return self._setup.identities

    @property
    def waits_for_players(self) -> bool:
        return False  # watchers do not act

    @property
    def quick_match(self) -> bool:
        return self._spec.quick_match > 0

    @property
    def bots_at(self) -> float | None:
        return None

    @property
    def answers_until(self) -> float | None:
        return None

    @property
    def committed(self) -> talk.Committed | None:
        return self._now.committed

    @property
    def next_deal(self) -> str | None:
        return self._now.next_deal

    def view(self, seat: int) -> View:
        return self._views[seat]

    def asked(self, seat: int) -> Asked | None:
        return None

    def number(self, seat: int) -> int:
        return self._number

    def missed(self, seat: int, last: int) -> list[tuple[int, talk.Told]] | None:
        return None

    # Called by the table.

    def show(self, moment: Moment) -> None:
        """Show *moment* from now on, without a note to watchers."""
        if moment.match != self._now.match:
            self._now = moment
            self._views = self._new_views(len(moment.places))
        self._now = moment
        for seat, (to_act, legal) in moment.turns.items():
            self._views[seat].to_act = to_act
            self._views[seat].legal = legal

    def keep_untold(self, heard: Heard) -> None:
        """Keep an event of a restored match; it is applied together with the next note, and not told."""
        self._untold.append(heard)

    def forget(self) -> None:
        """Drop the events of earlier matches, when the journal that is being restored begins a new one."""
        self._untold.clear()

    def keep(self, what: Heard | talk.Note, moment: Moment) -> None:
        """Keep *what* for watchers until it is due."""
        self._fresh.append(_Kept([what], self._untold, moment))
        self._untold = []

    def resume(self, moment: Moment) -> None:
        """Continue after a restart.

        The times of events are not stored, so the whole current match counts as told just now. Until the
        delay has passed, watchers see the players and the start of the match.
        """
        self.show(replace(moment, places=[_bare(place) for place in moment.places], committed=None, turns={}))
        notes: list[talk.Note] = [talk.Resumed(), talk.PlacesChanged()]
        if moment.committed is not None:
            notes.append(moment.committed)
        self._fresh.append(_Kept(notes, self._untold, moment))
        self._untold = []

    # Telling watchers.

    def wake(self) -> float | None:
        """Return when the next note is due, or None."""
        return self._waiting[0][0] if self._waiting else None

    def next(self, now: float) -> talk.Note | None:
        """Return the next note that is due, or None, and show the state of the table that belongs to it."""
        for kept in self._fresh:
            due = now + self._delay if kept.moment.held else now
            self._waiting.append((max(due, self._waiting[-1][0]) if self._waiting else due, kept))
        self._fresh.clear()
        while not self._ready and self._waiting and self._waiting[0][0] <= now:
            self._take(self._waiting.popleft()[1])
        return self._ready.popleft() if self._ready else None

    def _take(self, kept: _Kept) -> None:
        if kept.moment.match != self._now.match:
            self.show(replace(kept.moment, turns={}))
        for heard in kept.before:
            self._hear(heard)
        for what in kept.notes:
            if isinstance(what, Heard):
                self._hear(what)
        self.show(kept.moment)
        for what in kept.notes:
            if isinstance(what, Heard):
                if what.number is not None:
                    self._ready.append(what.told)
                elif self.watch_open:
                    self._ready.append(talk.Shown(what.told.event))
            elif isinstance(what, talk.TurnChanged) and what.deadline is not None:
                self._ready.append(talk.TurnChanged(what.deadline + self._delay))
            else:
                self._ready.append(what)

    def _hear(self, heard: Heard) -> None:
        for seat, view in self._views.items():
            if heard.told.event.heard_by(seat):
                view.hear(heard.told.event)
        if heard.number is not None:
            self._number = heard.number

    def _new_views(self, seats: int) -> dict[int, View]:
        """Return the views at the start of a match: the watchers', and the seats' if hands may be shown."""
        state = self.game.new(self._now.options, seats)
        views = {
            seat: state.view(seat) for seat in (*(range(seats) if self._spec.watch_open else ()), WATCHER)
        }
        for view in views.values():
            view.to_act = 0
            view.legal = []
        return views


def open_to_watchers(spec: TableSpec, places: Sequence[Place]) -> bool:
    """Return True if watchers may see every hand."""
    return spec.watch_open and not any(place.person for place in places)


def _bare(place: Place) -> Place:
    """Return a copy of *place* without the marks of the current match."""
    return replace(place, away=False, late=False, auto=False, timeouts=0, errors=0)
