"""The clocks of a table (R11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.core.contract import Event, Pace, View
from croupier.core.options import Value, number_of, seconds_of
from croupier.games.sagrada.events import TurnEnded
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import CHOOSING, EXTRACTING

AT_ONCE: Final = 0.001
"""A limit that expires at once: for a pace 0 means no limit."""


class GlassPace(Pace):
    """Separate clocks for choosing a window, drawing the dice and a whole turn; none in the solo variant.

    A pause before the end of a turn lets people see what a bot did in it.
    """

    def __init__(self, options: Mapping[str, Value]) -> None:
        self._window_seconds = float(number_of(options, "schema_time"))
        self._extract_seconds = float(number_of(options, "extract_time"))
        self._turn_seconds = float(number_of(options, "turn_time"))
        self._turn_pause = seconds_of(options, "turn_interval")
        self._most_late = number_of(options, "max_timeouts")
        self._abandon_seconds = float(number_of(options, "abandon_wait"))

    def before(self, event: Event) -> float:
        return self._turn_pause if isinstance(event, TurnEnded) else 0.0

    def limit(self, view: View, person: bool) -> float:
        assert isinstance(view, GlassView)
        if view.seats == 1:
            return 0.0
        if view.phase == CHOOSING:
            return self._window_seconds
        if view.phase == EXTRACTING:
            return self._extract_seconds or AT_ONCE
        return self._turn_seconds

    def counts(self, view: View) -> bool:
        """Return True for turns: only late turns count towards a suspension."""
        assert isinstance(view, GlassView)
        return view.phase not in (CHOOSING, EXTRACTING)

    def absence(self) -> float:
        """Return 0: turns that begin while a player is away are skipped at once."""
        return 0.0

    def autos(self, connected: bool) -> int:
        return self._most_late

    def abandonment(self) -> float:
        return self._abandon_seconds

    def solitude(self) -> float:
        return self._abandon_seconds
