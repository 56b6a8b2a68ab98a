"""A bot that counts its tricks, takes what its side has bid, and then tries not to take more."""

from __future__ import annotations

from random import Random

from croupier.core.cards import bit, cards_of, count
from croupier.core.contract import Bot, View
from croupier.core.tricks import beats
from croupier_spades.state import estimate
from croupier_spades.view import SpadesView
from croupier_spades.vocabulary import BID, BIDDING, PLAY, SEATS, SPADES, SUIT


class Heuristic(Bot):
    """Bids by high cards and long spades; plays for the bid of its side."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, SpadesView)
        if view.phase == BIDDING:
            return self._bid(view)
        cards = [action - PLAY for action in view.legal]
        return PLAY + (self._lead(view, cards) if not view.trick else self._follow(view, cards))

    def _bid(self, view: SpadesView) -> int:
        high = [card for card in cards_of(view.hand) if card % 13 >= 10]
        weak = not high and count(view.hand & SPADES) <= 2
        if weak and BID in view.legal:
            return BID
        return BID + estimate(view.hand)

    def _wants(self, view: SpadesView) -> bool:
        """Return whether this seat should take a trick."""
        me, partner = view.seat, (view.seat + 2) % SEATS
        if view.bids[me] == 0:
            return False
        if view.bids[partner] == 0 and view.taken(partner) == 0:
            return True  # protect the partner's nil
        bid = view.bids[me] + view.bids[partner]
        return view.taken(me) + view.taken(partner) < bid

    def _lead(self, view: SpadesView, cards: list[int]) -> int:
        if self._wants(view):
            sides = [card for card in cards if card % 13 == 12] or cards
            return max(sides, key=lambda card: (card % 13, -count(view.hand & SUIT[card // 13])))
        return min(cards, key=lambda card: (bool(bit(card) & SPADES), card % 13))

    def _follow(self, view: SpadesView, cards: list[int]) -> int:
        suit = SUIT[view.trick[0] // 13]
        best = 0
        for step in range(1, len(view.trick)):
            if beats(view.trick[step], view.trick[best], suit, SPADES):
                best = step
        ours = (view.leader + best) % SEATS == (view.seat + 2) % SEATS
        over = [card for card in cards if beats(card, view.trick[best], suit, SPADES)]
        under = [card for card in cards if card not in over]
        if self._wants(view) and over and not (ours and view.bids[(view.seat + 2) % SEATS]):
            last = len(view.trick) == SEATS - 1
            return min(over, key=cheap) if last else max(over, key=lambda card: (-cheap(card)[0], card % 13))
        if under:
            # If the side needs no tricks, get rid of high cards; otherwise keep them.
            return min(under, key=cheap) if self._wants(view) else max(under, key=lambda card: card % 13)
        return min(over, key=cheap)


def cheap(card: int) -> tuple[bool, int]:
    """Return the order in which cards are discarded: other suits before spades, low before high."""
    return bool(bit(card) & SPADES), card % 13
