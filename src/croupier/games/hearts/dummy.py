"""The two simplest players of the spec: the game node's dummy and the absent seat's stand-in."""

from __future__ import annotations

from random import Random

from croupier.core.contract import Bot, RandomBot, View
from croupier.games.hearts.vocabulary import EXPOSE, KEEP, PASS


class StandIn(Bot):
    """Passes at random, never exposes, plays at random (spec 5.4)."""

    def choose(self, view: View, rng: Random) -> int:
        if view.legal[0] >= EXPOSE:
            return KEEP
        return RandomBot().choose(view, rng)


class Dummy(StandIn):
    """Passes its first three cards in display order; else like the stand-in (spec 7.3)."""

    def choose(self, view: View, rng: Random) -> int:
        if PASS <= view.legal[0] < EXPOSE:
            return view.legal[-1]  # display order is descending
        return super().choose(view, rng)
