"""What is still to be told at a table, and what every seat has been told so far.

The rules run ahead; events wait here for their pauses. Each audience (a seat, or all watchers) has a
*told view* that hears the events in the order they are told, its own numbers without holes, and the
events of the current deal for whoever comes back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from croupier.core.contract import PUBLIC, WATCHER, Event, Pace, State, View
from croupier.wire import talk


@dataclass(frozen=True, slots=True)
class Due:
    """Something to be told, since *since*: a fact of the rules, or the commitment to a deal's seed."""

    what: Event | talk.Committed
    actor: int
    auto: bool | None
    """Somebody else has decided for the actor; None: nobody may know."""
    since: float


@dataclass(slots=True)
class Audience:
    """What one seat, or the watchers, have been told."""

    view: View
    number: int = 0
    turn: int = 0
    """The seats it was last told to be to act."""
    backlog: list[talk.Told] = field(default_factory=list)
    """The current deal's events."""


class Telling:
    """See the module's head."""

    def __init__(self, pace: Pace) -> None:
        self.audiences: dict[int, Audience] = {}
        self.told_at = float("-inf")
        self._public_at = float("-inf")
        """When everybody was last told something."""
        self._pace = pace
        self._pending: deque[Due] = deque()

    def resume(self, now: float) -> None:
        """Everything up to now counts as told just now."""
        self.told_at = self._public_at = now

    def begin(self, state: State, seats: int) -> None:
        """Start with the views of a new match; numbers go on."""
        numbers = {seat: audience.number for seat, audience in self.audiences.items()}
        for seat in (*range(seats), WATCHER):
            view = state.view(seat)
            view.to_act = 0
            view.legal = []
            self.audiences[seat] = Audience(view, numbers.get(seat, 0))

    def missed(self, seat: int, last: int) -> list[talk.Told] | None:
        """Return what *seat* was told after number *last*, or None when that is no longer kept."""
        audience = self.audiences.get(seat)
        if audience is None or not 0 <= last <= audience.number:
            return None
        missed = audience.number - last
        return audience.backlog[len(audience.backlog) - missed :] if missed <= len(audience.backlog) else None

    # What is still to be told.

    def queue(
        self, what: Iterable[Event | talk.Committed], actor: int, auto: bool | None, now: float
    ) -> None:
        """Let *what* be told in turn; *actor* is the seat whose action it follows from, or -1."""
        self._pending.extend(Due(one, actor, auto, now) for one in what)

    def clear(self) -> None:
        """Forget what has not been told."""
        self._pending.clear()

    def silent(self) -> bool:
        """Say whether everything has been told."""
        return not self._pending

    def pauses(self) -> bool:
        """Say whether something waits for a pause to pass."""
        return any(
            isinstance(due.what, Event) and (self._pace.before(due.what) or self._pace.floor(due.what))
            for due in self._pending
        )

    def rests(self) -> bool:
        """Say whether the end of a game is still to be told."""
        return any(isinstance(due.what, Event) and due.what.rests for due in self._pending)

    def wake(self) -> float | None:
        """Return when the next thing is to be told."""
        return self._due_at(self._pending[0]) if self._pending else None

    def next(self, now: float) -> Due | None:
        """Return what is to be told now, if anything is due."""
        if not self._pending or self._due_at(self._pending[0]) > now:
            return None
        self.told_at = now
        due = self._pending.popleft()
        if isinstance(due.what, Event) and due.what.audience == PUBLIC:
            self._public_at = now
        return due

    def _due_at(self, due: Due) -> float:
        if not isinstance(due.what, Event):
            return due.since
        pause = self._pace.before(due.what)
        floor = self._pace.floor(due.what)
        at = max(self.told_at, due.since) + pause if pause else due.since
        return max(at, self._public_at + floor) if floor else at

    # Telling it.

    def hear(self, event: Event, due: Due) -> Iterator[tuple[int, talk.Told]]:
        """Let every audience that may hear *event* hear it; one by one, for wires read the views."""
        if due.actor >= 0:
            for audience in self.audiences.values():
                audience.view.to_act &= ~(1 << due.actor)
        for seat, audience in self.audiences.items():
            if event.heard_by(seat):
                if event.starts_deal:
                    audience.backlog.clear()
                audience.view.hear(event)
                audience.number += 1
                told = talk.Told(audience.number, event, bool(due.auto))
                audience.backlog.append(told)
                yield seat, told
