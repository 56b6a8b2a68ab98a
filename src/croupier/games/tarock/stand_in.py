"""The bot that acts for an absent or late seat: the automatic actions of the spec (C8)."""

from __future__ import annotations

from random import Random

from croupier.core.cards import bit
from croupier.core.contract import Bot, View
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import ANNOUNCING, CALL, CALLING, DONE


class StandIn(Bot):
    """Passes or makes the lowest bid, announces nothing, discards and plays the first legal card."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, TarockView)
        if view.phase == CALLING:
            for suit in range(4):
                if not view.hand & bit(8 * suit + 7):
                    return CALL + suit
        if view.phase == ANNOUNCING:
            return DONE
        # Pass is the lowest bid, set 0 comes first, and cards ascend in canonical order.
        return view.legal[0]
