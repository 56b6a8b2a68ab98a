"""The events of a table that are still to be told, and what every audience has been told so far.

The rules may be ahead of what has been told; events wait here for their pauses. Each audience (a seat, or all
watchers) has a *told view*, which is updated in the order in which events are told, and consecutive numbers
of its own. The events of the current deal are kept for players who reconnect.

A person is told of their own action at once (`early`), even if the others are told after a pause.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from croupier.core.contract import PUBLIC, WATCHER, Event, Pace, State, View
from croupier.table.effects import WATCHERS
from croupier.wire import talk


@dataclass(frozen=True, slots=True)
class Due:
    """An event of the rules, or the commitment to a deal's seed, that is still to be told."""

    what: Event | talk.Committed
    actor: int
    """The seat whose action caused it, or -1."""
    auto: bool | None
    """True if the stand-in decided for the actor; None if that is secret."""
    person: bool
    """True if this is the actor's own action and the actor is a person, who is told without a pause."""
    since: float
    counts: bool = False
    """True for the first event of an action that everyone is told."""


class Audience:
    """What one seat, or the watchers, have been told."""

    def __init__(self, view: View, number: int) -> None:
        self.view = view
        self.number = number
        """The number of events it has been told."""
        self.turn = 0
        """The seats to act, as it was last told."""
        self.turn_number = -1
        """The number of events it had been told then."""


class Feed:
    """The events and audiences of one table (see the module docstring)."""

    def __init__(self, pace: Pace) -> None:
        self.told_at = float("-inf")
        self._public_at = float("-inf")
        """When a public event was last told."""
        self._pace = pace
        self._pending: list[Due] = []
        self._seats: list[Audience] = []
        self._watchers: Audience | None = None
        self._backlog: list[talk.Told] = []
        """The events of the current deal that have been told to at least one audience."""
        self.early_seat = -1
        """The seat that has already been told of the next event, or -1."""
        self._pause_over = False
        """True if the next pause is omitted."""
        self.actions = 0
        """The number of actions since the start that everyone has been told; a secret one is not counted."""
        self.at_rest = False
        """True if the end of a game has been told and the next game has not begun."""

    def resume(self, now: float) -> None:
        """Note that everything so far counts as told at *now*."""
        self.told_at = self._public_at = now

    def begin(self, seats: int, state: State | None) -> None:
        """Start with the views of a new match; the numbers continue.

        Without *state* the audiences get their views later, by `look`.
        """
        numbers = self.numbers() or [0] * (seats + 1)
        self._seats = [Audience(View(seat), numbers[seat]) for seat in range(seats)]
        self._watchers = Audience(View(WATCHER), numbers[seats])
        self._backlog = []
        if state is not None:
            self.look(state)

    def numbers(self) -> list[int]:
        """Return the number of events that each seat and, last, the watchers have been told."""
        return [audience.number for audience in self.audiences()]

    def count_from(self, numbers: list[int]) -> None:
        """Set the numbers of the audiences at the start of a match."""
        for audience, number in zip(self.audiences(), numbers, strict=True):
            audience.number = number

    def audiences(self) -> list[Audience]:
        """Return the audiences of the seats and, last, of the watchers; empty before the first match."""
        return [*self._seats, self._watchers] if self._watchers is not None else []

    def audience(self, seat: int) -> Audience | None:
        """Return the audience of *seat* or WATCHER, if a match has begun."""
        return self._seats[seat] if 0 <= seat < len(self._seats) else self._watchers

    def view(self, seat: int) -> View:
        """Return the told view of *seat*, after a match has begun."""
        return self._seats[seat].view

    def missed(self, seat: int, last: int) -> list[tuple[int, talk.Told]] | None:
        """Return what *seat* was told after number *last*, or None if some of it is no longer kept."""
        audience = self.audience(seat)
        if audience is None or not 0 <= last <= audience.number:
            return None
        told = self._backlog
        if self.early_seat not in (-1, seat):
            told = told[:-1]
        heard = [one for one in told if one.event.heard_by(seat)]
        missed = audience.number - last
        if missed > len(heard):
            return None
        return list(enumerate(heard[len(heard) - missed :], last + 1))

    def hands(self, everyone: bool) -> dict[int, tuple[int, list[int]]]:
        """Return the seats to act and the legal actions in the watchers' view; if *everyone*, by seat in all
        views."""
        return {
            audience.view.seat: (audience.view.to_act, audience.view.legal)
            for audience in self.audiences()
            if everyone or audience.view.seat < 0
        }

    def look(self, state: State) -> None:
        """Replace the told views with the views of *state*."""
        for audience in self.audiences():
            audience.view = _blank(state, audience.view.seat)

    def count(self, event: Event, auto: bool | None) -> talk.Told:
        """Count *event* as told and keep it, without adding it to the views, because `look` replaces them."""
        for seat, audience in enumerate(self._seats):
            audience.number += event.audience >> seat & 1
        assert self._watchers is not None
        self._watchers.number += event.audience == PUBLIC
        self.at_rest = self.at_rest or event.rests
        return self._keep(event, auto)

    # Pending events.

    def queue(
        self,
        what: Iterable[Event | talk.Committed],
        actor: int,
        auto: bool | None,
        now: float,
        person: bool = False,
    ) -> None:
        """Append *what* to the pending events.

        If *actor* is a *person*, the first event is their own action; the others are its consequences.
        """
        counted = actor < 0
        for one in what:
            counts = not counted and isinstance(one, Event) and one.audience == PUBLIC
            counted = counted or counts
            self._pending.append(Due(one, actor, auto, person, now, counts))
            person = False

    def clear(self) -> None:
        """Forget what has not been told."""
        self._pending.clear()
        self._pause_over = False
        if self.early_seat != -1:
            self._backlog = []  # its last event was told to one seat only, and the others will not get it
            self.early_seat = -1

    def silent(self) -> bool:
        """Return True if everything has been told."""
        return not self._pending

    def pauses(self) -> bool:
        """Return True if a pending event has a pause."""
        for due in self._pending:
            what = due.what
            if isinstance(what, Event) and (self._pace.before(what) or self._pace.floor(what)):
                return True
        return False

    def rests(self) -> bool:
        """Return True if the end of a game is pending."""
        for due in self._pending:
            what = due.what
            if isinstance(what, Event) and what.rests:
                return True
        return False

    def wake(self) -> float | None:
        """Return when the next event is due, or None."""
        return self._due_at(self._pending[0]) if self._pending else None

    def end_pause(self) -> None:
        """Omit the pause before the next event, if one waits; times that guard secrets remain."""
        self._pause_over = self.wake() is not None

    def next(self, now: float) -> Due | None:
        """Remove and return the next event if it is due, else None."""
        if not self._pending or self._due_at(self._pending[0]) > now:
            return None
        self.told_at = now
        due = self._pending.pop(0)
        what = due.what
        if isinstance(what, Event):
            if what.audience == PUBLIC:
                self._public_at = now
            if self._pace.before(what):
                self._pause_over = False
        return due

    def early(self) -> Due | None:
        """Return the next event if it waits for a pause and its author can be told now; only once."""
        if not self._pending or self.early_seat != -1:
            return None
        due = self._pending[0]
        what = due.what
        if not due.person or not isinstance(what, Event) or not what.heard_by(due.actor):
            return None
        return due if self._pace.before(what) and not self._pace.floor(what) else None

    def _due_at(self, due: Due) -> float:
        what = due.what
        if not isinstance(what, Event):
            return due.since
        pause = 0.0 if self._pause_over else self._pace.before(what)
        floor = self._pace.floor(what)
        at = max(self.told_at, due.since) + pause if pause else due.since
        return max(at, self._public_at + floor) if floor else at

    # Telling events.

    def tell_early(self, due: Due) -> talk.Told:
        """Tell only the author the event that `early` returned."""
        assert isinstance(due.what, Event)
        self.early_seat = due.actor
        told = self._keep(due.what, due.auto)
        self._hear(self._seats[due.actor], due.what, due.actor)
        return told

    def tell(self, event: Event, due: Due) -> talk.Told:
        """Tell *event* to every audience that may know it, except to an author who was told early."""
        early = self.early_seat
        self.early_seat = -1
        self.actions += due.counts
        self.at_rest = self.at_rest or event.rests
        told = self._keep(event, due.auto) if early < 0 else self._backlog[-1]
        for seat, audience in enumerate(self._seats):
            if seat != early:
                self._hear(audience, event, due.actor)
        assert self._watchers is not None
        self._hear(self._watchers, event, due.actor)
        return told

    # Whose turn it is.

    def turns(self, state: State, fresh: int, begun: int) -> list[tuple[int, int]]:
        """Update who is to act in the told views when the seats *fresh* are asked.

        *begun* are those of them with a new decision; a step within one may be a secret. Return the audiences
        to be told and the seats to act as far as they may know them. The audiences that know no more than the
        public come last, together.
        """
        waiting = state.to_act()
        public = state.to_act_for(WATCHER)
        alike = 0
        news: list[tuple[int, int]] = []
        for audience in self.audiences():
            view = audience.view
            # Watchers know the least, so if they know everything there is no secret.
            known = public if public == waiting else state.to_act_for(view.seat)
            view.to_act = known
            asked = begun if audience.number == audience.turn_number else fresh
            if known == audience.turn and not known & asked:
                continue
            audience.turn = known
            audience.turn_number = audience.number
            bit = WATCHERS if view.seat < 0 else 1 << view.seat
            if known == public:
                alike |= bit
            else:
                news.append((bit, known))
        if alike:
            news.append((alike, public))
        return news

    def end_turn(self, seat: int) -> int | None:
        """End the turn of *seat* in its own view; return the seats to act that it has to be told, or None."""
        audience = self._seats[seat]
        known = audience.view.to_act & ~(1 << seat)
        audience.view.to_act = known
        if known == audience.turn:
            return None
        audience.turn = known
        return known

    def _keep(self, event: Event, auto: bool | None) -> talk.Told:
        if event.starts_deal:
            self._backlog = []
        told = talk.Told(event, bool(auto))
        self._backlog.append(told)
        return told

    def _hear(self, audience: Audience, event: Event, actor: int) -> None:
        view = audience.view
        if actor >= 0:
            view.to_act &= ~(1 << actor)
        if event.heard_by(view.seat):
            view.hear(event)
            audience.number += 1


def _blank(state: State, seat: int) -> View:
    view = state.view(seat)
    view.to_act = 0
    view.legal = []
    return view
