"""The clocks of a table (R11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value
from croupier.games.sagrada.events import TurnEnded
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import CHOOSING, EXTRACTING

AT_ONCE: Final = 0.001
"""A limit of no time at all: in a pace 0 means for ever."""


class GlassPace(Pace):
    """One clock for the window, one for drawing the dice, one for a whole turn; none for one alone.

    A pause before the end of a turn lets people see what a bot did in it.
    """

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._window = _seconds(options["schema_time"])
        self._extract = _seconds(options["extract_time"])
        self._turn = _seconds(options["turn_time"])
        self._pause = _seconds(options["turn_interval"]) / 1000
        self._most_late = int(_seconds(options["max_timeouts"]))
        self._abandon = _seconds(options["abandon_wait"])

    def before(self, event: Event) -> float:
        return self._pause if isinstance(event, TurnEnded) else 0.0

    def limit(self, view: View, person: bool) -> float:
        assert isinstance(view, GlassView)
        if view.seats == 1:
            return 0.0
        if view.phase == CHOOSING:
            return self._window
        if view.phase == EXTRACTING:
            return self._extract or AT_ONCE
        return self._turn

    def counts(self, view: View) -> bool:
        """Only late turns count towards a suspension."""
        assert isinstance(view, GlassView)
        return view.phase not in (CHOOSING, EXTRACTING)

    def absence(self) -> float:
        """Turns that begin while a player is gone are skipped at once."""
        return 0.0

    def autos(self, connected: bool) -> int:
        return self._most_late

    def abandonment(self) -> float:
        return self._abandon

    def solitude(self) -> float:
        return self._abandon


def _seconds(value: Value) -> float:
    assert isinstance(value, int)
    return float(value)
