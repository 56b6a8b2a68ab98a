"""The bot that acts for an absent or late seat: the most passive action (spec 5)."""

from __future__ import annotations

from random import Random

from croupier.core.contract import Bot, View
from croupier.games.taroky.legality import strength
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import CARD, HALF, NAME, NO, TALON, YES

ORDER = (0, 2, 1, 3, 4, 4, 4)
"""The place of each suit in the order S, H, C, D, T; trumps take as many numbers as three suits."""


class StandIn(Bot):
    """Declines, draws, rejects, keeps, names the lower trump, and plays the first legal card."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, TarokyView)
        legal = view.legal
        if legal[0] >= CARD:
            ace_high = view.options["ace_high"] is True
            return CARD + min((action - CARD for action in legal), key=lambda card: _place(card, ace_high))
        if legal[0] >= NAME:
            return legal[0]
        if view.phase == TALON:
            return NO if view.player(view.seat) == 4 else YES
        return YES if view.phase == HALF else NO


def _place(card: int, ace_high: bool) -> tuple[int, int]:
    return ORDER[card // 8], int(strength(card, ace_high))
