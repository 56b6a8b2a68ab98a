"""The bot that acts for an absent or late seat (R11): chooses the first pattern, draws the dice, passes."""

from __future__ import annotations

from random import Random

from croupier.core.contract import Bot, View
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import CANCEL, FORFEIT, PASS, WINDOW


class StandIn(Bot):
    """Cancels unfinished steps, then passes; a die in hand goes back to the pool."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, GlassView)
        if view.legal[0] >= WINDOW:
            return WINDOW + view.offered[0] - 1
        # Cancel first: it refunds tool 8, which passing would use.
        for action in (CANCEL, PASS, FORFEIT):
            if action in view.legal:
                return action
        return view.legal[0]
