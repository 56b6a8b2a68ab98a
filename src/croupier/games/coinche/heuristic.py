"""A Coinche bot that follows rules of thumb.

In play every legal card gets a value in points: the probability that the team takes the trick with it,
times the points in the trick, minus the value of keeping the card. Probabilities come from counting:
which cards are unseen, who may hold them, how many cards each seat has. The auction is in bidding.py.
"""

from __future__ import annotations

from functools import cache
from math import comb
from random import Random

from croupier.core.cards import bit, count
from croupier.core.contract import Bot, View
from croupier.games.coinche.bidding import Bidding
from croupier.games.coinche.legality import cards_over
from croupier.games.coinche.ranks import LAST_TRICK, points, strength, stronger, suit_of, trumps_of
from croupier.games.coinche.sample import bounds
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import (
    BIDDING,
    CAPOT,
    GENERALE,
    PLAY,
    RULES,
    SEATS,
)

TO_COME = 5.0
"""The average points of a card that has yet to be played to the trick."""
EVERY_TRICK = 60.0
"""The value of a trick if one trick decides the contract."""


class Heuristic(Bot):
    """Always gives the same answer to the same view."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, CoincheView)
        if len(view.legal) == 1:
            return view.legal[0]
        if view.phase == BIDDING:
            return Bidding(view).call()
        play = _CardPlay(view)
        return PLAY + max(
            (action - PLAY for action in view.legal), key=lambda card: (play.value(card), -card)
        )


class _CardPlay:
    """One card to play: the unseen cards, who may hold them, the value of each legal card."""

    def __init__(self, view: CoincheView) -> None:
        self.view = view
        self.me = view.seat
        self.kind = view.denomination
        self.rules = RULES.of(view.options)
        self.hand = int(view.hand)
        self.trumps = int(trumps_of(self.kind))
        self.known, self.possible = bounds(view)
        self.out = 0
        """The cards the others hold."""
        for seat in range(SEATS):
            if seat != self.me:
                self.out |= self.known[seat] | self.possible[seat]
        self.attacks = (view.bidder ^ self.me) & 1 == 0
        self.order = [(view.leader + i) % SEATS for i in range(SEATS)]
        self.after = self.order[self.order.index(self.me) + 1 :]
        self._read_table()

    def _read_table(self) -> None:
        self.lying = 0
        self.led = 0
        self.best = -1
        self.winner = -1
        over = 0
        for seat in self.order:
            card = self.view.table[seat]
            if card < 0:
                break
            self.lying += self.points(card)
            if self.best < 0:
                self.led = int(suit_of(card))
            if self.best < 0 or bit(card) & over:
                self.best, self.winner = card, seat
                over = int(cards_over(card, self.led, self.kind))

    def points(self, card: int) -> int:
        return int(points(card, self.kind, self.rules))

    # The value of a card in this trick.

    def value(self, card: int) -> float:
        """Return the value of playing *card*, in points."""
        led = self.led or int(suit_of(card))
        takes = self.best < 0 or bool(bit(card) & cards_over(self.best, led, self.kind))
        best, winner = (card, self.me) if takes else (self.best, self.winner)
        chance = self.chance(best, winner, led)
        trick = self.lying + self.points(card) + TO_COME * len(self.after)
        if self.view.trick == 8:
            trick += LAST_TRICK
        if self.view.level == GENERALE and self.attacks and self.view.bidder != self.me:
            # The bidder's own cards have to take it.
            return (-EVERY_TRICK if takes else 0.0) - self.kept(card)
        value = (2.0 * chance - 1.0) * trick - self.kept(card)
        if self.view.level >= CAPOT and self._all_so_far():
            value += EVERY_TRICK * chance
        if self.best < 0:
            value += self.lead(card)
        return value

    def _all_so_far(self) -> bool:
        return all((trick.taker ^ self.view.bidder) & 1 == 0 for trick in self.view.tricks)

    def chance(self, best: int, winner: int, led: int) -> float:
        """Return the probability that the team takes the trick if *winner* holds it with *best*."""
        ours = 1.0 if (winner ^ self.me) & 1 == 0 else 0.0
        beaten = 1.0
        for seat in self.after:
            beats = self.beats(seat, best, led)
            if (seat ^ self.me) & 1:
                ours *= 1.0 - beats * beaten
            else:
                ours += (1.0 - ours) * beats * beaten
                beaten *= 0.6  # a later opponent has more to beat
        return ours

    def beats(self, seat: int, best: int, led: int) -> float:
        """Return the probability that *seat* can beat *best* in a trick of the suit *led*."""
        over = int(cards_over(best, led, self.kind))
        known = self.known[seat]
        maybe = self.possible[seat]
        cards = self.view.counts[seat] - int(count(known))
        pool = int(count(maybe))
        in_suit = int(count(maybe & led))
        higher = int(count(maybe & led & over))
        chance = 1.0 if known & led & over else _some(pool, higher, cards)
        ruffs = over & self.trumps & ~led
        if ruffs and not known & led:
            void = 1.0 - _some(pool, in_suit, cards)
            trump = 1.0 if known & ruffs else _some(pool - in_suit, int(count(maybe & ruffs)), cards)
            chance += void * trump
        return min(1.0, chance)

    # The value of keeping a card.

    def kept(self, card: int) -> float:
        """Return the value of *card* if it stays in the hand."""
        suit = int(suit_of(card))
        higher = int(count(stronger(card, strength(suit, self.kind)) & self.out))
        worth = self.points(card)
        if suit == self.trumps:
            if not self.out & self.trumps:
                return worth + 14.0  # nobody else has the suit: it takes a trick whenever it is led
            if higher == 0:
                return worth + 12.0
            guard = int(count(self.hand & self.trumps)) - 1
            return (0.4 if higher <= guard else -0.2) * worth + 7.0
        left = int(count(self.out & suit))
        ruffed = 0.35 if self.trumps and self.out & self.trumps else 0.05
        if higher == 0:
            return (1.0 - 2.0 * ruffed) * worth + 6.0 if left else 0.3 * worth + 3.0
        mine = int(count(self.hand & suit)) - 1
        if higher <= mine:
            return 0.1 * worth + 1.5
        return -0.35 * worth

    def lead(self, card: int) -> float:
        """Return the extra value of leading *card*."""
        suit = int(suit_of(card))
        foes = [(self.me + 1) % SEATS, (self.me + 3) % SEATS]
        if suit == self.trumps:
            theirs = any((self.known[foe] | self.possible[foe]) & self.trumps for foe in foes)
            if not self.attacks:
                return -10.0
            return (14.0 if self.me == self.view.bidder or self.view.trick < 3 else 6.0) if theirs else -14.0
        mine = int(count(self.hand & suit))
        if self.trumps and not self.attacks and mine == 1 and self.hand & self.trumps:
            return 5.0  # a void: the seat can trump the suit next time
        return 0.0


@cache
def _some(pool: int, good: int, cards: int) -> float:
    """Return the probability that one of *good* cards is among *cards* drawn from *pool*."""
    if good <= 0 or cards <= 0:
        return 0.0
    if pool - good < cards:
        return 1.0
    return 1.0 - comb(pool - good, cards) / comb(pool, cards)
