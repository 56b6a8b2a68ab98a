"""A finished match as its seats and watchers saw it: the tests of the pages are given such matches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from croupier.core import record
from croupier.core.contract import WATCHER, Event, Game, Plain, State, View
from croupier.wire.house_messages import Place


class Replayed:
    """The match of a record. Step *n* is the position after its first *n* entries."""

    def __init__(self, game: Game, path: Path) -> None:
        written = record.read(path.read_text(encoding="utf-8"))
        replayer = record.Replayer(written, game)
        self.game = game
        self.seats = written.seats
        self._steps = [replayer.state.clone()]
        self._events: list[Event] = []
        for entry in written.entries:
            self._events += replayer.feed(entry)
            self._steps.append(replayer.state.clone())

    def heard(self, seat: int) -> list[Plain]:
        """Return every event that *seat* (or WATCHER) was told."""
        return [event.plain() for event in self._events if event.heard_by(seat)]

    def view(self, seat: int, step: int) -> Plain:
        """Return what *seat* (or WATCHER) sees at *step*, with what a table would offer."""
        state = self._steps[step]
        view = state.view(seat)
        reserved = set(self.game.reserved())
        view.legal = [action for action in view.legal if action not in reserved]
        return self._shown(view)

    def asked(self, seat: int, step: int, turn: int) -> Plain:
        """Return the question to *seat* at *step* with the number *turn*, and its view."""
        view = self.view(seat, step)
        return {"turn": turn, "legal": view["legal"], "view": view}

    def at(self, kind: str, number: int) -> Plain:
        """Return what a watcher sees on hearing the *number*th event *kind*, before anyone is asked."""
        view = self._start().view(WATCHER)
        for event in self._events:
            if event.heard_by(WATCHER):
                view.hear(event)
                number -= event.plain()["kind"] == kind
            if not number:
                break
        view.to_act, view.legal = 0, []
        return self._shown(view)

    def end(self, seat: int = WATCHER) -> Plain:
        """Return what *seat* sees when the match is over."""
        return self.view(seat, len(self._steps) - 1)

    def _start(self) -> State:
        return self._steps[0]

    def _shown(self, view: View) -> Plain:
        return {
            "seat": view.seat if view.seat >= 0 else None,
            "to_act": [seat for seat in range(self.seats) if view.to_act >> seat & 1],
            "legal": [self.game.actions.name(action) for action in view.legal],
            **view.facts(),
        }


def places(names: Sequence[str], bot: str = "") -> list[Plain]:
    """Return the places of a table where people called *names* sit; with *bot* only the first is a person."""
    return [
        msgspec.to_builtins(
            Place(
                seat=seat,
                kind="bot" if seat and bot else "person",
                bot=bot if seat else "",
                name=name,
                account=None,
                number=seat + 1,
                person=not (seat and bot),
                connected=True,
                late=False,
                auto=False,
                timeouts=0,
                errors=0,
            )
        )
        for seat, name in enumerate(names)
    ]
