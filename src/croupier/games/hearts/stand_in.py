"""The bot that acts for an absent seat (spec 5.4)."""

from __future__ import annotations

from random import Random

from croupier.core.contract import Bot, RandomBot, View
from croupier.games.hearts.vocabulary import EXPOSE, KEEP


class StandIn(Bot):
    """Passes and plays at random, never exposes."""

    def choose(self, view: View, rng: Random) -> int:
        if view.legal[0] >= EXPOSE:
            return KEEP
        return RandomBot().choose(view, rng)
