"""A Taroky bot that follows rules of thumb, for every decision.

Calls compare the strength of the hand, a weighted count of trumps and kings, with thresholds found by playing
thousands of deals. Discards keep kings and trumps, shorten suits and discard points, which count for our
side. In the play every legal card gets a value: the points of the trick, times the probability that our side
takes it, minus the value of keeping the card.
"""

from __future__ import annotations

from random import Random

from croupier.core.cards import bit, cards_of, count, mask_of
from croupier.core.contract import Bot, View
from croupier.games.taroky.legality import beats, strength, suit_of
from croupier.games.taroky.scoring import points
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    CARD,
    CONTRA,
    DISCARD,
    HALF,
    IOTE,
    KINGS,
    MONEY,
    NAME,
    NO,
    NOBODY,
    PAGAT,
    PARTNER,
    PLAYING,
    PREVER,
    QUEENS,
    SEATS,
    TALON,
    TRUMP,
    TRUMPS,
    VALAT,
    WHOLE,
    YES,
)

PREVER_MARK = 9.0
"""The strength from which twelve dealt cards are good enough for prever."""
CONTRA_MARK = 9.3
RHEA_MARK = 11.5
SUPRA_MARK = 13.5
ALONE_MARK = 15.0
IOTE_MARK = 10
"""The number of trumps with which the I wins the last trick more often than not."""
HALF_MARK = 0.8
"""The minimum value of three talon cards that are kept immediately."""
WORTH = [int(points(bit(card))) for card in range(54)]


def trump_worth(card: int) -> float:
    """Return the value of a trump in a hand."""
    number = card - TRUMP
    if number >= 20:
        return 1.0 + 0.4 * (number - 19)
    return 0.6 + 0.025 * number


def hand_strength(hand: int) -> float:
    """Return the strength of a hand: about the number of its tricks, with extra weight for long trumps."""
    total = sum(trump_worth(card) for card in cards_of(hand & TRUMPS))
    total += 0.8 * int(count(hand & KINGS))
    for suit in range(4):
        held = hand >> 8 * suit & 255
        if held >> 6 == 3:
            total += 0.4  # king and queen
        elif held == 0:
            total += 0.4
    return total


class Heuristic(Bot):
    """Always gives the same answer to the same view."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, TarokyView)
        phase = view.phase
        hand = int(view.hand)
        if phase == PLAYING:
            return _Play(view).choose() if len(view.legal) > 1 else view.legal[0]
        if phase == DISCARD:
            return max(view.legal, key=lambda action: _discard_value(hand, action - CARD))
        if phase == PREVER:
            return YES if hand_strength(hand) >= PREVER_MARK else NO
        if phase == HALF:
            # Taking the first half back would double the loss again.
            return YES if view.step == 2 or sum(map(_talon_value, view.seen)) >= HALF_MARK else NO
        if phase == PARTNER:
            return NAME + 4 if hand_strength(hand) >= ALONE_MARK else view.legal[0]
        if phase == VALAT:
            return YES if _sweeps(hand) else NO
        if phase == CONTRA:
            return YES if hand_strength(hand) >= self._mark(view) else NO
        if phase == IOTE:
            return YES if count(hand & TRUMPS) >= IOTE_MARK else NO
        # Another card is another choice, and money cards pay.
        assert phase in (TALON, MONEY)
        return YES

    def _mark(self, view: TarokyView) -> float:
        return (CONTRA_MARK, RHEA_MARK, SUPRA_MARK)[len(view.contras)]


def _talon_value(card: int) -> float:
    if card > TRUMP:
        return trump_worth(card)
    return 0.8 if KINGS >> card & 1 else 0.0


def _sweeps(hand: int) -> bool:
    """Return True if a hand can take all tricks: many trumps including the highest, and kings."""
    trumps = hand & int(TRUMPS)
    top = all(hand >> (TRUMP + n) & 1 for n in (22, 21, 20, 19))
    return top and int(count(trumps)) + int(count(hand & KINGS)) >= 12


def _discard_value(hand: int, card: int) -> float:
    """Return the value of discarding *card*: its points count for our side, and short suits become voids."""
    if card > TRUMP:
        return -trump_worth(card)
    held = hand & int(suit_of(card))
    value = 1.0 * WORTH[card] - 1.4 * int(count(held))
    return value - 2.0 if held & int(KINGS) else value


class _Play:
    """The current trick as the seat to play sees it."""

    def __init__(self, view: TarokyView) -> None:
        self.view = view
        self.me = view.seat
        self.ace_high = view.options["ace_high"] is True
        self.hand = int(view.hand)
        self.void = [0] * SEATS
        """The cards that each seat is known not to hold."""
        seen = self.hand | int(mask_of(view.laid)) | int(mask_of(view.shown))
        for cards in view.thrown:
            seen |= int(mask_of(cards))
        for leader, cards in [*((t.leader, t.cards) for t in view.tricks), (view.leader, view.trick)]:
            for at, card in enumerate(cards):
                seen |= int(bit(card))
                led = int(suit_of(cards[0]))
                if not led >> card & 1:
                    self.void[(leader + at) % SEATS] |= led if card > TRUMP else led | int(TRUMPS)
        self.unseen = int(WHOLE) & ~seen
        self.friends = self._friends()
        self.after = [(self.me + n) % SEATS for n in range(1, SEATS - len(view.trick))]

    def _named_mine(self) -> bool:
        wanted = TRUMP + self.view.named
        return self.hand >> wanted & 1 == 1 or self.view.partner() == self.me

    def _friends(self) -> list[float]:
        """Return the probability for each seat that it is on our side."""
        view = self.view
        out = [0.0] * SEATS
        out[self.me] = 1.0
        others = [seat for seat in range(SEATS) if seat != self.me]
        if view.prever != NOBODY:
            if view.prever != self.me:
                for seat in others:
                    out[seat] = 0.0 if seat == view.prever else 1.0
            return out
        pov = view.povinnost
        partner = view.partner()
        discarded = any(TRUMP + view.named in cards for cards in view.thrown)
        if partner == NOBODY and self._named_mine():
            partner = self.me
        if partner != NOBODY or discarded:
            side = {pov, partner}
            for seat in others:
                out[seat] = 1.0 if (seat in side) == (self.me in side) else 0.0
            return out
        # The partner is unknown: any other seat that may still hold the named trump.
        wanted = TRUMP + view.named
        called = set(view.contras[::2]) if view.valat == NOBODY else set()
        maybe = [
            seat
            for seat in others
            if seat != pov and not self.void[seat] >> wanted & 1 and seat not in called
        ]
        for seat in others:
            chance = 1.0 / len(maybe) if seat in maybe else 0.0
            if self.me == pov:
                out[seat] = chance
            else:
                out[seat] = 0.0 if seat == pov else 1.0 - chance
        return out

    def choose(self) -> int:
        return max(self.view.legal, key=lambda action: self._value(action - CARD))

    def _value(self, card: int) -> float:
        view = self.view
        trick = view.trick
        led = int(suit_of(trick[0] if trick else card))
        best, winner = card, self.me
        for at, other in enumerate(trick):
            if at == 0 or beats(other, best, led, self.ace_high):
                best, winner = other, (view.leader + at) % SEATS
        if trick and beats(card, best, led, self.ace_high):
            best, winner = card, self.me
        lying = sum(WORTH[other] for other in trick) + WORTH[card]
        coming = 1.9 * len(self.after)
        ours, left = 0.0, 1.0
        for seat in self.after:
            chance = self._beats(seat, best, led) * (0.6 if self.friends[seat] > 0.5 else 1.0)
            if self.friends[winner] > 0.9 and self.friends[seat] > 0.9:
                chance *= 0.3
            ours += left * chance * self.friends[seat]
            left *= 1.0 - chance
        ours += left * self.friends[winner]
        value = (lying + coming) * (2.0 * ours - 1.0)
        return value - self._later(card, winner == self.me, left)

    def _beats(self, seat: int, best: int, led: int) -> float:
        """Return the probability that *seat*, which has yet to play, can beat *best*."""
        void = self.void[seat]
        trumps = self.unseen & int(TRUMPS) & ~void
        if best > TRUMP:
            higher = int(count(trumps >> (best + 1)))
            if led != int(TRUMPS):
                # Only a seat without the suit may trump.
                return self._lacks(seat, led) * _has(higher)
            return 0.8 * _has(higher)
        lacks = self._lacks(seat, led)
        suit = self.unseen & led & ~void
        mark = int(strength(best, self.ace_high))
        higher = sum(1 for card in cards_of(suit) if strength(card, self.ace_high) > mark)
        return lacks * _has(int(count(trumps))) + (1.0 - lacks) * _has(higher)

    def _lacks(self, seat: int, led: int) -> float:
        """Return the probability that *seat* has none of the suit led."""
        if self.void[seat] & led:
            return 1.0
        return (0.66) ** int(count(self.unseen & led))

    def _later(self, card: int, takes: bool, holds: float) -> float:
        """Return the value of keeping *card* for a later trick."""
        view = self.view
        trumps = int(count(self.hand & int(TRUMPS)))
        if card == PAGAT:
            if view.iote == self.me:
                return 12.0
            return -3.0 if takes and holds > 0.8 else 1.0
        if card > TRUMP:
            higher = int(count((self.unseen & int(TRUMPS)) >> (card + 1)))
            cost = 1.2 + (2.5 if higher == 0 else 1.2 if higher < 3 else 0.4)
            if not view.trick:
                # A seat with many trumps wants to draw those of the others.
                theirs = int(count(self.unseen & int(TRUMPS)))
                cost -= 3.0 if trumps > theirs / 2 and theirs else 0.0
            return cost
        if not view.trick and not self.hand & int(KINGS | QUEENS) & int(suit_of(card)):
            # A low lead from a suit without court cards costs little and may create a void.
            return 0.4 * int(count(self.hand & int(suit_of(card)))) - 1.5
        return 0.0


def _has(cards: int) -> float:
    """Return the probability that a given one of three hands holds one of these unseen cards."""
    return 1.0 - 0.66**cards
