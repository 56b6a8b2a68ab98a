"""What happens for a seat that does not answer: the automatic actions of the spec (C8)."""

from __future__ import annotations

from random import Random

from croupier.core.cards import bit
from croupier.core.contract import Bot, View
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import ANNOUNCING, CALL, CALLING, DONE


class Default(Bot):
    """Passes, or bids the lowest; lays away, announces and plays as little as the order of cards gives."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, TarockView)
        if view.phase == CALLING:
            for suit in range(4):
                if not view.hand & bit(8 * suit + 7):
                    return CALL + suit
        if view.phase == ANNOUNCING:
            return DONE
        # To pass is the lowest bid of all, set 0 the first, and cards ascend in canonical order.
        return view.legal[0]
