"""Estimates from a view for the heuristic bot: the unseen cards, who may beat what, the value of a card.

The probabilities are rough: a hidden card is in each hidden hand with a probability proportional to the
size of that hand, unless the hand is known to lack the suit.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.core.cards import bit, cards_of, count, mask_of
from croupier.core.tricks import above, beats
from croupier.games.tarock import sides
from croupier.games.tarock.contracts import KLOP
from croupier.games.tarock.legality import best_of, suit_of
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    JACKS,
    KINGS,
    KNIGHTS,
    QUEENS,
    SEATS,
    SUIT,
    TAROCKS,
    TRULA,
    WHOLE,
)


def info(card: int) -> int:
    """Return the face value of *card*."""
    one = bit(card)
    if one & (KINGS | TRULA):
        return 5
    if one & QUEENS:
        return 4
    return 3 if one & KNIGHTS else 2 if one & JACKS else 1


FACES = [info(card) for card in range(54)]
WORTH = [value - 2 / 3 for value in FACES]
"""The points that each card adds to a pile."""


@dataclass(frozen=True)
class Weights:
    """The parameters of the heuristic, in card points; tuned by playing many deals."""

    maybe_partner: float = 0.3
    """The probability, for declarer, that a seat of unknown side is the partner."""
    maybe_fellow: float = 0.55
    """The probability, for an opponent, that a seat of unknown side is an opponent too."""
    help: float = 0.8
    """The probability that a friend takes a trick that is not ours, if they can."""
    friend_adds: float = 0.7
    foe_adds: float = 0.2
    tarock: float = 0.15
    """The value of keeping any tarock, and ..."""
    tarock_step: float = 0.3
    """... the value added by each higher number."""
    king: float = 1.0
    queen: float = 0.25
    mond: float = 12.0
    attack_lead: float = 1.5
    """The value of drawing tarocks for declarer's side."""
    defend_lead: float = -0.8
    long_lead: float = 0.3
    under_king: float = 1.0
    klop_more: float = 1.2
    """The points that each later card may add to a trick in a negative contract."""
    klop_gift: float = 1.0
    klop_danger: float = 1.6


WEIGHTS = Weights()


class Evaluator:
    """The facts and estimates for one card to play."""

    def __init__(self, view: TarockView, weights: Weights) -> None:
        self.view = view
        self.weights = weights
        self.me = view.seat
        self.hand = int(view.hand)
        self.trumps = int(view.trumps())
        seen = self.hand | int(mask_of(view.laid)) | int(view.discarded) | int(mask_of(view.trick))
        for trick in view.tricks:
            seen |= int(mask_of(trick.cards))
            if trick.gift >= 0:
                seen |= int(bit(trick.gift))
        seen |= int(mask_of(view.rest()))
        self.out = int(WHOLE) & ~seen
        """The unseen cards: in other hands, in the hidden talon or among hidden discards."""
        self.void = self._voids()
        self.size = max(1, int(count(self.out)))
        self.share = [view.counts[seat] / self.size for seat in range(SEATS)]
        self.friends = [self._friend(seat) for seat in range(SEATS)]

    def _voids(self) -> list[int]:
        """Return the cards that each seat is known not to hold, suit by suit."""
        void = [0, 0, 0, 0]
        tricks = [(trick.leader, trick.cards) for trick in self.view.tricks]
        for leader, cards in [*tricks, (self.view.leader, self.view.trick)]:
            for at, card in enumerate(cards):
                led = int(suit_of(cards[0]))
                if not int(bit(card)) & led:
                    void[(leader + at) % SEATS] |= led
                    if not int(bit(card)) & int(TAROCKS):
                        void[(leader + at) % SEATS] |= int(TAROCKS)
        if self.view.revealed:
            void[self.view.declarer] |= int(WHOLE) & ~int(self.view.revealed)
        return void

    def _friend(self, seat: int) -> float:
        """Return the probability that *seat* is on our side."""
        view = self.view
        if seat == self.me:
            return 1.0
        if view.contract == KLOP:
            return 0.0
        side = view.side(seat)
        own = view.side(self.me)
        if side != sides.UNKNOWN:
            return 1.0 if side == own else 0.0
        # For declarer an unknown seat may be the partner; for an opponent it may be another opponent.
        return self.weights.maybe_partner if own == sides.DECLARERS else self.weights.maybe_fellow

    # Probabilities.

    def has_some(self, seat: int, cards: int) -> float:
        """Return the probability that *seat* holds at least one of *cards*."""
        left = cards & self.out & ~self.void[seat]
        if not left:
            return 0.0
        if self.view.revealed and seat == self.view.declarer:
            return 1.0 if left & int(self.view.revealed) else 0.0
        return 1.0 - (1.0 - min(0.95, self.share[seat])) ** int(count(left))

    def can_beat(self, seat: int, best: int, led: int) -> float:
        """Return the probability that *seat* can beat *best* in a trick of suit *led*."""
        suit = int(suit_of(best))
        higher = int(above(suit, best))
        if suit == int(TAROCKS) and led != suit:
            if not self.trumps:
                return 0.0
            return (1.0 - self.has_some(seat, led)) * self.has_some(seat, higher)
        direct = self.has_some(seat, higher)
        if suit == int(TAROCKS) or not self.trumps:
            return direct
        lacks = 1.0 - self.has_some(seat, led)
        return max(direct, lacks * self.has_some(seat, int(TAROCKS)) + (1.0 - lacks) * direct)

    def later(self) -> list[int]:
        """Return the seats that play to this trick after this one."""
        done = len(self.view.trick)
        return [(self.me + i) % SEATS for i in range(1, SEATS - done)]

    def ours(self, card: int) -> float:
        """Return the probability that our side wins the trick if this seat plays *card*."""
        view = self.view
        led = int(suit_of(view.trick[0])) if view.trick else int(suit_of(card))
        if view.trick:
            best = int(best_of(view.trick, self.trumps))
            holder = (view.leader + view.trick.index(best)) % SEATS
            win = self.friends[holder]
            if beats(card, best, led, self.trumps):
                best, win = card, 1.0
        else:
            best, win = card, 1.0
        for seat in self.later():
            beat = self.can_beat(seat, best, led)
            friend = self.friends[seat]
            # An opponent takes every trick they can; a friend only if the trick is not ours already.
            win = win * (1.0 - (1.0 - friend) * beat) + (1.0 - win) * friend * beat * self.weights.help
        return win

    def mine(self, card: int) -> float:
        """Return the probability that *card* wins the trick in a contract in which nobody wants tricks."""
        view = self.view
        led = int(suit_of(view.trick[0])) if view.trick else int(suit_of(card))
        if view.trick:
            best = int(best_of(view.trick, self.trumps))
            if not beats(card, best, led, self.trumps):
                return 0.0
        chance = 1.0
        for seat in self.later():
            chance *= 1.0 - self.can_beat(seat, card, led)  # a seat that can beat it must
        return chance

    def lying(self) -> float:
        """Return the points of the cards on the table."""
        return sum(WORTH[card] for card in self.view.trick)


def suit_cards(hand: int, suit: int) -> list[int]:
    """Return the cards of *hand* in *suit*, ascending."""
    return cards_of(hand & int(SUIT[suit]))
