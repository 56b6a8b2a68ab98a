"""The bot that acts for an absent or late seat: the default action of the specification (section 14)."""

from __future__ import annotations

from random import Random

from croupier.core.contract import Bot, View
from croupier.games.coinche.ranks import points
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import PASS, PLAY, RULES_OPTIONS, CoincheRules


class StandIn(Bot):
    """Passes; plays the legal card with the fewest points, then the lowest rank, then by suit."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, CoincheView)
        if PASS in view.legal:
            return PASS
        rules = CoincheRules(RULES_OPTIONS.read(view.options))
        cards = [action - PLAY for action in view.legal]
        kind = view.denomination
        return PLAY + min(cards, key=lambda card: (int(points(card, kind, rules)), card % 8, card))
