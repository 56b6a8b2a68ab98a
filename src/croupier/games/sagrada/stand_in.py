"""What happens to a seat that does not answer (R11): the first pattern, the dice drawn, the turn passed."""

from __future__ import annotations

from random import Random

from croupier.core.contract import Bot, View
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import CANCEL, FORFEIT, PASS, WINDOW


class StandIn(Bot):
    """Takes back what is unfinished, then passes; a die in hand goes back to the pool."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, GlassView)
        if view.legal[0] >= WINDOW:
            return WINDOW + view.offered[0] - 1
        # Cancelling first refunds tool 8 as well, which passing would use.
        for action in (CANCEL, PASS, FORFEIT):
            if action in view.legal:
                return action
        return view.legal[0]
