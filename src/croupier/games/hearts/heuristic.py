"""A Hearts bot that follows rules of thumb.

Every legal card gets a cost in points: the probability that it takes the trick, times the points the
trick may hold, plus the danger of the cards that stay in the hand. The bot plays the cheapest card and
passes the cards whose absence makes the hand safest. When the hand looks strong enough to take every
penalty card, it tries to shoot the moon, which gains four times the points.
"""

from __future__ import annotations

from random import Random

from croupier.core.cards import bit, cards_of, count, mask_of
from croupier.core.contract import Bot, View
from croupier.core.tricks import above, below
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import (
    ACE_OF_HEARTS,
    EXPOSE,
    EXPOSING,
    HEART,
    HEARTS,
    KEEP,
    PASS,
    PASSING,
    PENALTY,
    QUEEN,
    QUEEN_OF_SPADES,
    SEATS,
    SUIT,
    TEN_OF_CLUBS,
    WHOLE,
)

TEN: int = int(bit(TEN_OF_CLUBS))
SPADE = 3
WORTH = (1.0, 2.0, 4.0, 5.0)
"""What a trick in clubs or diamonds may cost, by how often the suit was led before."""
LONE_QUEEN = (0.85, 0.6, 0.4, 0.22, 0.12)
"""The probability that the holder of QS has to take it, by the number of lower spades in the hand."""
OVER_QUEEN = (0.45, 0.35, 0.22, 0.12, 0.06)
"""The probability that AS or KS takes QS, by the number of lower spades in the hand."""


class Heuristic(Bot):
    """Always gives the same answer to the same view."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, HeartsView)
        if len(view.legal) == 1:
            return view.legal[0]
        decision = _Decision(view)
        if view.phase == PASSING:
            return PASS + decision.card_to_pass()
        if view.phase == EXPOSING:
            return EXPOSE if decision.wants_to_expose() else KEEP
        return decision.card_to_play()


class _Decision:
    """One decision: the unseen cards, the danger of each suit, the choice."""

    def __init__(self, view: HeartsView) -> None:
        self.view = view
        self.hand = int(view.hand)
        seen = self.hand
        for cards in view.played:
            seen |= int(mask_of(cards))
        self.out = int(WHOLE) & ~seen
        """The cards the others hold."""
        self.mine = int(view.taken[view.seat])
        self.heart = 2.0 if view.exposed >= 0 else 1.0
        plus4 = view.options.get("moon") == "plus4"
        self.moon = 4.0 if plus4 else 1.0
        self.ten_counts = view.options.get("ten_of_clubs") is True
        self.others_taken = 0
        for seat in range(SEATS):
            if seat != view.seat:
                self.others_taken |= int(view.taken[seat]) & int(PENALTY)
        self.danger = [self.suit_danger(suit, self.hand & int(SUIT[suit])) for suit in range(4)]

    # The danger of a hand.

    def suit_danger(self, suit: int, cards: int) -> float:
        """Return what holding *cards* of *suit* may cost in the rest of the deal."""
        if not cards:
            return -0.8 if suit < HEART else -0.4  # a void lets the seat throw dangerous cards
        out = self.out & int(SUIT[suit])
        if suit == SPADE:
            return self._spade_danger(cards)
        ranks = cards_of(cards)
        many = int(count(out))
        total = 0.0
        for at, card in enumerate(ranks):
            if many == 0:
                total += 0.6
                continue
            lower = int(count(below(out, card)))
            take = (lower / many) ** min(3, many)
            worth = 3.5 * self.heart if suit == HEART else WORTH[min(at, 3)]
            if card == TEN_OF_CLUBS and self.ten_counts:
                worth += 2.0
            total += take * worth
        if len(ranks) == 1 and suit < HEART:
            total -= 0.3
        return total

    def _spade_danger(self, cards: int) -> float:
        low = int(count(below(cards, QUEEN_OF_SPADES)))
        total = 0.0
        if cards & QUEEN:
            total += 13.0 * LONE_QUEEN[min(low, 4)]
        elif self.out & QUEEN:
            high = int(count(above(cards, QUEEN_OF_SPADES)))
            total += 13.0 * high * OVER_QUEEN[min(low, 4)]
        else:
            out = self.out & int(SUIT[SPADE])
            many = int(count(out))
            for at, card in enumerate(cards_of(cards)):
                take = (int(count(below(out, card))) / many) ** min(3, many) if many else 0.3
                total += take * WORTH[min(at, 3)]
        return total

    def left_behind(self, card: int) -> float:
        """Return how the danger of the hand changes when *card* has left it."""
        suit = card // 13
        cards = self.hand & int(SUIT[suit]) & ~int(bit(card))
        return self.suit_danger(suit, cards) - self.danger[suit]

    # The moon.

    def losers(self, hand: int) -> float:
        """Return how many tricks *hand* is expected to lose if it leads its highest cards first."""
        total = 0.0
        for suit in range(4):
            out = self.out & int(SUIT[suit])
            many = int(count(out))
            for at, card in enumerate(reversed(cards_of(hand & int(SUIT[suit])))):
                higher = int(count(above(out, card)))
                if higher == 0 or many == 0:
                    continue
                # Each lead before this one draws about three cards, high ones or not.
                left = max(0.0, 1.0 - 3.0 * at / many)
                total += min(1.0, higher * left * 0.9)
        return total

    def shoots(self) -> bool:
        """Return True if the seat should try to take all the penalty cards."""
        if self.others_taken:
            return False
        hearts = int(count(self.mine & HEARTS))
        bound = 0.7 + 0.06 * (hearts + (13 if self.mine & QUEEN else 0))
        return self.losers(self.hand) <= bound

    # The decisions.

    def card_to_pass(self) -> int:
        cards = cards_of(self.hand)
        keep = sorted(cards, key=lambda card: (self.moon_worth(card), card))
        gone = 3 - len(self.view.picked)
        rest = self.hand & ~int(mask_of(keep[:gone]))
        if self.losers(rest) <= 1.0:
            return keep[0]
        return min(cards, key=lambda card: (self.left_behind(card), -card))

    def moon_worth(self, card: int) -> float:
        """Return how much *card* helps to take every trick."""
        higher = int(count(above(self.out & int(SUIT[card // 13]), card)))
        return -higher - (2 if card // 13 == HEART and higher else 0)

    def wants_to_expose(self) -> bool:
        if self.losers(self.hand) <= 0.7:
            return True
        hearts = self.hand & int(HEARTS)
        low = int(count(below(hearts, ACE_OF_HEARTS - 6)))
        return low >= 3 and sum(self.danger) < 3.0

    def card_to_play(self) -> int:
        legal = self.view.legal
        if self.shoots():
            return self._grab(legal)
        return min(legal, key=lambda card: (self.cost(card), -card))

    def _grab(self, legal: list[int]) -> int:
        """Return the card for a seat that wants every trick."""
        table = self.view.table
        led = table[self.view.leader]
        if led < 0:
            # Cards that cannot be beaten first, hearts after the other suits, high cards before low ones.
            return max(legal, key=lambda card: (self._sure(card), card // 13 != HEART, card % 13))
        best = self._best()
        winners = [card for card in legal if card // 13 == led // 13 and card > best]
        last = sum(1 for card in table if card >= 0) == SEATS - 1
        if winners:
            return winners[0] if last else winners[-1]
        return min(legal, key=lambda card: (bit(card) & PENALTY != 0, self.moon_worth(card) * -1, card))

    def _sure(self, card: int) -> bool:
        return above(self.out & int(SUIT[card // 13]), card) == 0

    def _best(self) -> int:
        """Return the card that takes the trick so far, or -1."""
        led = self.view.table[self.view.leader]
        if led < 0:
            return -1
        return max(card for card in self.view.table if card >= 0 and card // 13 == led // 13)

    def cost(self, card: int) -> float:
        """Return what playing *card* may cost, in points."""
        led = self.view.table[self.view.leader]
        suit = card // 13 if led < 0 else led // 13
        after = [s for s in range(SEATS) if self.view.table[s] < 0 and s != self.view.seat]
        takes = self._takes(card, suit, after)
        cost = takes * self._trick_worth(card, suit, after) + self.left_behind(card)
        if takes == 0.0 and card // 13 == HEART and self._menace() >= 0:
            cost += 6.0 * self.heart  # a heart that is kept may prevent another player's moon
        return cost

    def _takes(self, card: int, suit: int, after: list[int]) -> float:
        """Return the chance that *card* takes the trick."""
        if card // 13 != suit or card < self._best():
            return 0.0
        out = self.out & int(SUIT[suit])
        higher = int(count(above(out, card)))
        lower = int(count(below(out, card)))
        chance = 1.0
        for seat in after:
            if self.view.void[seat] >> suit & 1 or higher == 0:
                continue
            chance *= 1.0 - 0.85 * higher / (higher + lower)
        return chance

    def _trick_worth(self, card: int, suit: int, after: list[int]) -> float:
        """Return how many points the trick may cost the seat that takes it."""
        lying = int(bit(card)) | int(mask_of([c for c in self.view.table if c >= 0]))
        worth = self.heart * int(count(lying & HEARTS)) + (13.0 if lying & QUEEN else 0.0)
        out = self.out & int(SUIT[suit])
        queen_out = self.out & QUEEN != 0
        hearts_out = self.out & int(HEARTS) != 0
        thrown = (4.5 if queen_out and suit != SPADE else 0.0) + (1.2 * self.heart if hearts_out else 0.0)
        clean = self.view.round == 1 and self.view.options.get("first_round_points") == "forbid"
        for seat in after:
            void = 1.0 if self.view.void[seat] >> suit & 1 else (2 / 3) ** int(count(out))
            if suit == HEART:
                worth += (1.0 - void) * self.heart
            elif suit == SPADE and queen_out and card > QUEEN_OF_SPADES:
                worth += (1.0 - void) * 13.0 / 3.0
            if not clean:
                thrown = (4.5 if queen_out and suit != SPADE else 0.0) + (
                    1.2 * self.heart if hearts_out else 0.0
                )
                worth += void * thrown
        if self.ten_counts:
            if self.mine & TEN:
                worth *= 2.0
            elif lying & TEN:
                points = self.heart * int(count(self.mine & HEARTS)) + (13.0 if self.mine & QUEEN else 0.0)
                worth = 2.0 * worth + points + 3.0
        menace = self._menace()
        if menace >= 0 and worth > 0.0:
            worth = min(worth, 6.0) - 20.0 * (self.moon / 4.0)
        return worth

    def _menace(self) -> int:
        """Return the seat that may be shooting the moon, or -1."""
        if self.mine & PENALTY:
            return -1
        takers = [seat for seat in range(SEATS) if self.view.taken[seat] & PENALTY]
        if len(takers) != 1:
            return -1
        taken = int(self.view.taken[takers[0]])
        points = int(count(taken & HEARTS)) + (13 if taken & QUEEN else 0)
        return takers[0] if points >= 16 or int(count(taken & HEARTS)) >= 6 else -1
