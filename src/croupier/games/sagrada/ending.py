"""The end of a match: scores and ranking (R8, R9, R10)."""

from __future__ import annotations

from croupier.games.sagrada.events import MatchEnded
from croupier.games.sagrada.position import GlassPosition, unpack
from croupier.games.sagrada.scoring import Score, ranking, score
from croupier.games.sagrada.vocabulary import OVER


class GlassEnding(GlassPosition):
    """Adds the scoring to the table; `GlassState` adds the rules."""

    def end_match(self) -> None:
        """End the match and tell the result."""
        self.phase = OVER
        self.waiting = 0
        if self.events is not None:
            found = self.score_lines()
            order = self.ranked(found)
            self.events.append(MatchEnded(found, self.privates, order, self.track_sum()))

    def ranked(self, scores: list[Score]) -> list[int]:
        """Return the seats in ranking order; a player who is the only one left comes first (R10)."""
        order = ranking(scores, int(self.start_seat()))
        if self.alone >= 0:
            order.remove(int(self.alone))
            order.insert(0, int(self.alone))
        return order

    def score_lines(self) -> list[Score]:
        """Return every seat's current score."""
        return [
            score(window, self.publics, self.privates[seat], int(self.tokens_of(seat)), self.rules.solo)
            for seat, window in enumerate(self.windows)
        ]

    def track_sum(self) -> int:
        """Return the points to beat in the solo variant, -1 with more seats."""
        if not self.rules.solo:
            return -1
        return sum([die % 6 + 1 for slot in self.track for die in unpack(slot)])

    def scores(self) -> list[int]:
        if not self.windows:
            return [0] * self.rules.seats
        return [found.total for found in self.score_lines()]

    def payoffs(self) -> list[float]:
        return [float(self.scores()[0] - self.track_sum())] if self.rules.solo else super().payoffs()

    def places(self) -> list[int]:
        if self.rules.solo:
            return [1 if self.payoffs()[0] > 0 else 2]
        order = self.ranked(self.score_lines())
        return [order.index(seat) + 1 for seat in range(len(order))]
