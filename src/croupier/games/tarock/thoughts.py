"""What a Tarock player makes of a view: what is out, who may beat what, what a card is worth.

Chances are rough: every hidden card is as likely with one hidden hand as with another, in proportion to
its size, unless a hand has shown that it lacks a suit.
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


def face(card: int) -> int:
    """Return the face value of *card*."""
    one = bit(card)
    if one & (KINGS | TRULA):
        return 5
    if one & QUEENS:
        return 4
    return 3 if one & KNIGHTS else 2 if one & JACKS else 1


FACES = [face(card) for card in range(54)]
WORTH = [value - 2 / 3 for value in FACES]
"""What each card adds to a pile."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers behind the rules of thumb, in card points; found by playing many deals."""

    maybe_partner: float = 0.3
    """How far declarer trusts a seat that may be his partner."""
    maybe_fellow: float = 0.55
    """How far an opponent trusts a seat that may be declarer's partner."""
    help: float = 0.8
    """How readily a friend takes a trick that is not ours."""
    friend_adds: float = 0.7
    foe_adds: float = 0.2
    tarock: float = 0.15
    """What any tarock is good for later, and ..."""
    tarock_step: float = 0.3
    """... what each step up adds."""
    king: float = 1.0
    queen: float = 0.25
    mond: float = 12.0
    attack_lead: float = 1.5
    """What declarer's side gains by drawing tarocks."""
    defend_lead: float = -0.8
    long_lead: float = 0.3
    under_king: float = 1.0
    klop_more: float = 1.2
    """What each card still to come may add to a trick nobody wants."""
    klop_gift: float = 1.0
    klop_danger: float = 1.6


WEIGHTS = Weights()


class Thoughts:
    """One decision in the play: what can be known and guessed."""

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
        """The cards that others hold (or that lie hidden in the talon or among the discards)."""
        self.void = self._voids()
        self.size = max(1, int(count(self.out)))
        self.share = [view.counts[seat] / self.size for seat in range(SEATS)]
        self.friends = [self._friend(seat) for seat in range(SEATS)]

    def _voids(self) -> list[int]:
        """Return the cards each seat has shown not to hold, suit by suit."""
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
        """Return how likely *seat* is on our side."""
        view = self.view
        if seat == self.me:
            return 1.0
        if view.contract == KLOP:
            return 0.0
        side = view.side(seat)
        own = view.side(self.me)
        if side != sides.UNKNOWN:
            return 1.0 if side == own else 0.0
        # Declarer asks who his partner is; an opponent, which of two is none.
        return self.weights.maybe_partner if own == sides.DECLARERS else self.weights.maybe_fellow

    # Chances.

    def has_some(self, seat: int, cards: int) -> float:
        """Return how likely *seat* holds at least one of *cards*."""
        left = cards & self.out & ~self.void[seat]
        if not left:
            return 0.0
        if self.view.revealed and seat == self.view.declarer:
            return 1.0 if left & int(self.view.revealed) else 0.0
        return 1.0 - (1.0 - min(0.95, self.share[seat])) ** int(count(left))

    def can_beat(self, seat: int, best: int, led: int) -> float:
        """Return how likely *seat* can beat *best* in a trick of suit *led*."""
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
        """Return who plays after me to this trick."""
        done = len(self.view.trick)
        return [(self.me + i) % SEATS for i in range(1, SEATS - done)]

    def ours(self, card: int) -> float:
        """Return how likely our side wins the trick if I play *card*."""
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
            # A foe takes what he can; a friend, what is not ours already.
            win = win * (1.0 - (1.0 - friend) * beat) + (1.0 - win) * friend * beat * self.weights.help
        return win

    def mine(self, card: int) -> float:
        """Return how likely I win the trick myself with *card*, where the others would rather not."""
        view = self.view
        led = int(suit_of(view.trick[0])) if view.trick else int(suit_of(card))
        if view.trick:
            best = int(best_of(view.trick, self.trumps))
            if not beats(card, best, led, self.trumps):
                return 0.0
        chance = 1.0
        for seat in self.later():
            chance *= 1.0 - self.can_beat(seat, card, led)  # who can beat it must
        return chance

    def lying(self) -> float:
        """Return what lies on the table."""
        return sum(WORTH[card] for card in self.view.trick)


def suit_cards(hand: int, suit: int) -> list[int]:
    """Return the cards of *hand* in *suit*, ascending."""
    return cards_of(hand & int(SUIT[suit]))
