"""The final score of a seat, line by line, and the ranking (R8, R9, R10)."""

from __future__ import annotations

from croupier.games.sagrada import facts
from croupier.games.sagrada.objectives import private_points, public_points
from croupier.games.sagrada.placement import Window

SOLO_EMPTY = 3
"""The cost of an empty cell in the solo variant."""


class Score:
    """The score of one window, line by line."""

    def __init__(self, publics: list[int], private: int, tokens: int, empty: int, fine: int) -> None:
        self.publics = publics
        self.private = private
        self.tokens = tokens
        self.empty = empty
        self.fine = fine
        """The cost of each empty cell."""
        self.total = sum(publics) + private + tokens - fine * empty

    def fact(self) -> facts.Score:
        return facts.Score(
            publics=self.publics[:],
            private=self.private,
            tokens=self.tokens,
            empty=self.empty,
            fine=self.fine * self.empty,
            total=self.total,
        )


def score(window: Window, publics: list[int], privates: list[int], tokens: int, solo: bool) -> Score:
    """Return the score of *window*; of two private objectives only the better one counts (R10)."""
    private = 0
    for number in privates:
        private = max(private, private_points(number, window))
    return Score(
        [public_points(number, window) for number in publics],
        private,
        tokens,
        int(window.empty()),
        SOLO_EMPTY if solo else 1,
    )


def ranking(scores: list[Score], last_start: int) -> list[int]:
    """Return the seats, best first; *last_start* is the start seat of the last round (R9)."""
    many = len(scores)
    keys: list[tuple[int, int, int, int, int]] = []
    for seat in range(many):
        found = scores[seat]
        keys.append((found.total, found.private, found.tokens, (seat - last_start) % many, seat))
    keys.sort(reverse=True)
    return [key[4] for key in keys]
