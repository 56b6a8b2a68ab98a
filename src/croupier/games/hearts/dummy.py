"""The game node's dummy player (spec 7.3)."""

from __future__ import annotations

from random import Random

from croupier.core.contract import View
from croupier.games.hearts.stand_in import StandIn
from croupier.games.hearts.vocabulary import EXPOSE, PASS


class Dummy(StandIn):
    """Passes its first three cards in display order; otherwise acts like the stand-in."""

    def choose(self, view: View, rng: Random) -> int:
        if PASS <= view.legal[0] < EXPOSE:
            return view.legal[-1]  # display order is descending
        return super().choose(view, rng)
