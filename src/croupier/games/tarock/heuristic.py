"""A Tarock bot that follows rules of thumb, for every decision.

In the auction it bids contracts that it is likely to make (bidding.py) and, if it must bid, the one with the
best expected score. It takes the set and the discards that leave the strongest hand. In the play every legal
card gets a value: the probability that our side wins the trick, times the points in it, minus the value of
keeping the card (evaluation.py). In negative contracts the signs are reversed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from random import Random

from croupier.core.cards import bit, cards_of, count, mask_of
from croupier.core.contract import Bot, View
from croupier.core.tricks import above, below
from croupier.games.tarock.bidding import FOR_POINTS, for_points, gain, odds
from croupier.games.tarock.contracts import ALL, CONTRACTS, KLOP, NONE, SOLO_THREE, THREE
from croupier.games.tarock.evaluation import FACES, WEIGHTS, WORTH, Evaluator, Weights, suit_cards
from croupier.games.tarock.events import sets_of
from croupier.games.tarock.legality import discardable, suit_of
from croupier.games.tarock.sides import DECLARERS
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    ANNOUNCE,
    ANNOUNCING,
    B_KINGS,
    B_PAGAT,
    B_TRULA,
    BID,
    BIDDING,
    CALL,
    CALLING,
    DISCARD,
    DONE,
    EXCHANGING,
    KINGS,
    KONTRA,
    MOND,
    MOND_BIT,
    PAGAT,
    PAGAT_BIT,
    QUEENS,
    SEATS,
    SKIS,
    SKIS_BIT,
    SUIT,
    TAKE,
    TAROCKS,
    TRULA,
)

ENOUGH = 0.57
"""The probability of making a contract from which it is bid."""
ENOUGH_FOR_NONE = 0.66
"""The same for beggars, whose probability is harder to estimate."""


class Heuristic(Bot):
    """Always gives the same answer to the same view."""

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self.weights = weights

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, TarockView)
        if len(view.legal) == 1:
            return view.legal[0]
        if view.phase == BIDDING:
            return _bid(view)
        if view.phase == CALLING:
            return CALL + _king(int(view.hand))
        if view.phase == EXCHANGING:
            return _exchange(view)
        if view.phase == ANNOUNCING:
            return _announce(view)
        return _Play(view, self.weights).card()


# The auction.


def _bid(view: TarockView) -> int:
    hand = int(view.hand)
    bids = [action - BID - 1 for action in view.legal if action > BID]
    good = [contract for contract in bids if odds(hand, contract) >= _enough(contract)]
    if view.legal[0] == BID:
        return BID + 1 + good[0] if good else BID
    # The last seat left has to bid: the contract with the best expected score.
    if good:
        return BID + 1 + max(good, key=lambda contract: gain(hand, contract))
    if bids[0] == KLOP and odds(hand, THREE) >= 0.5:
        return BID + 1 + THREE
    return BID + 1 + bids[0]


def _enough(contract: int) -> float:
    return ENOUGH_FOR_NONE if CONTRACTS[contract].aim == NONE else ENOUGH


def _king(hand: int) -> int:
    """Return the suit whose king to call: a king we do not hold, in a suit with few cards."""
    missing = [suit for suit in range(4) if not hand & int(SUIT[suit]) & int(KINGS)]
    if not missing:
        return 0
    return min(missing, key=lambda suit: (len(suit_cards(hand, suit)), suit))


# The talon.


def _strength(hand: int) -> float:
    """Return the strength of *hand* after the exchange."""
    weights = FOR_POINTS[SOLO_THREE]
    return sum(weight * value for weight, value in zip(weights, for_points(hand)))  # noqa: B905  # mypyc knows no strict


def _kept_worth(hand: int, laid: Iterable[int], king: int) -> float:
    """Return the value of a hand after discarding *laid*."""
    worth = _strength(hand) + 0.25 * sum(WORTH[card] for card in laid)
    for suit in range(4):
        held = suit_cards(hand, suit)
        if not held and suit != king:
            worth += 0.3
        # A queen or knight without the king is likely to be lost.
        if not hand & int(SUIT[suit]) & int(KINGS):
            worth -= 0.12 * sum(FACES[card] - 1 for card in held)
    return worth


def _best_discards(cards: int, laid: list[int], many: int, free: bool, king: int) -> tuple[float, list[int]]:
    """Return the best discards to complete *many* from *cards*, and their value."""
    gone = int(mask_of(laid))
    able = cards_of(int(discardable(cards | gone, many, free)) & cards)
    must = [] if free else [card for card in able if not int(bit(card)) & int(TAROCKS)]
    best = -1e9
    choice: list[int] = []
    for combo in combinations(able, many - len(laid)):
        if combo[-1] >= PAGAT and any(card not in combo for card in must):
            continue  # plain cards have to go before tarocks
        worth = _kept_worth(cards & ~int(mask_of(list(combo))), [*laid, *combo], king)
        if worth > best:
            best, choice = worth, list(combo)
    return best, choice


def _exchange(view: TarockView) -> int:
    hand = int(view.hand)
    free = view.options["discard_tarocks"] == "free"
    if view.picked >= 0:
        _, cards = _best_discards(hand, view.laid, view.many, free, view.king)
        return DISCARD + cards[0]
    king = int(view.king_card())
    worths: list[float] = []
    for number, cards in enumerate(sets_of(view.talon, view.many)):
        taken = int(mask_of(cards))
        worth, _ = _best_discards(hand | taken, [], view.many, free, view.king)
        left = int(mask_of(view.talon)) & ~taken
        if left & int(MOND_BIT):
            worth -= 1.5  # losing the mond costs 20
        worth -= 0.1 * sum(WORTH[card] for card in cards_of(left))
        worths.append(worth + (0.5 if king & taken else 0.0) - 0.001 * number)
    return TAKE + worths.index(max(worths))


# Announcements.


def _announce(view: TarockView) -> int:
    hand = int(view.hand)
    tarocks = int(count(hand & int(TAROCKS)))
    wanted: list[int] = []
    if hand & int(TRULA) == int(TRULA) and tarocks >= 6:
        wanted.append(ANNOUNCE + B_TRULA)
    if hand & int(KINGS) == int(KINGS) and tarocks >= 6:
        wanted.append(ANNOUNCE + B_KINGS)
    if hand & int(PAGAT_BIT) and tarocks >= 9 and hand & int(SKIS_BIT):
        wanted.append(ANNOUNCE + B_PAGAT)
    if odds(hand, SOLO_THREE) >= 0.4 and view.side(view.seat) != DECLARERS:
        wanted.append(KONTRA)
    for action in wanted:
        if action in view.legal:
            return action
    return DONE


# The play.


class _Play:
    """One card to play."""

    def __init__(self, view: TarockView, weights: Weights) -> None:
        self.view = view
        self.weights = weights
        self.evaluator = Evaluator(view, weights)
        self.kind = CONTRACTS[view.contract]
        self.played = len(view.tricks)
        self.attack = view.contract != KLOP and view.side(view.seat) == DECLARERS

    def card(self) -> int:
        if self.kind.aim == NONE:
            worth = self._duck if self.attack else self._tempt
        elif self.kind.aim == ALL:
            worth = self._grab if self.attack else self._spoil
        elif self.kind.negative:
            worth = self._shed
        else:
            worth = self._gain
        return max(self.view.legal, key=lambda card: (worth(card), -card))

    # Contracts for points.

    def _gain(self, card: int) -> float:
        evaluator = self.evaluator
        win = evaluator.ours(card)
        at_stake = evaluator.lying() + WORTH[card]
        for seat in evaluator.later():
            # A friend adds points to our tricks, an opponent avoids it: about a point each.
            at_stake += self.weights.friend_adds if evaluator.friends[seat] > 0.5 else self.weights.foe_adds
        value = (2.0 * win - 1.0) * at_stake - self._spent(card)
        value -= self._mond_risk(card)
        if not self.view.trick:
            value += self._lead(card)
        return value

    def _spent(self, card: int) -> float:
        """Return the value of keeping *card*."""
        one = int(bit(card))
        if one & int(TAROCKS):
            number = card - PAGAT + 1
            return self.weights.tarock + self.weights.tarock_step * number if card != PAGAT else 0.0
        if one & int(KINGS):
            return self.weights.king
        return self.weights.queen if one & QUEENS and self._master(card) else 0.0

    def _master(self, card: int) -> bool:
        return not above(int(suit_of(card)) & self.evaluator.out, card)

    def _mond_risk(self, card: int) -> float:
        evaluator = self.evaluator
        if card == MOND and evaluator.out & int(SKIS_BIT):
            later = sum(evaluator.has_some(seat, int(SKIS_BIT)) for seat in evaluator.later())
            return self.weights.mond * min(1.0, later) + (20.0 if SKIS in self.view.trick else 0.0)
        if card == SKIS and MOND in self.view.trick:
            seat = (self.view.leader + self.view.trick.index(MOND)) % SEATS
            return -10.0 * (1.0 - 2.0 * evaluator.friends[seat])
        if card == SKIS and evaluator.out & int(MOND_BIT) and self.played < 7:
            return 1.0  # the škis may still catch the mond
        return 0.0

    def _lead(self, card: int) -> float:
        """Return the value of leading *card* beyond its own trick."""
        evaluator = self.evaluator
        one = int(bit(card))
        tarocks = int(count(evaluator.hand & int(TAROCKS)))
        out = int(count(evaluator.out & int(TAROCKS)))
        if one & int(TAROCKS):
            if self.attack:
                return self.weights.attack_lead if out and tarocks * 2 >= out else 0.0
            return self.weights.defend_lead
        suit = int(suit_of(card))
        own = int(count(evaluator.hand & suit))
        value = 0.0
        if not self.attack:
            value += self.weights.long_lead * own  # a long suit draws tarocks from seats that lack it
        king = suit & int(KINGS) & evaluator.out
        if king and FACES[card] > 1:
            value -= self.weights.under_king
        return value

    # Negative contracts.

    def _shed(self, card: int) -> float:
        """Return the value of *card* in klop: few points for this seat."""
        evaluator = self.evaluator
        win = evaluator.mine(card)
        at_stake = evaluator.lying() + WORTH[card] + self.weights.klop_more * len(evaluator.later())
        if self.played < 6:
            at_stake += self.weights.klop_gift
        return -win * at_stake - self._danger(evaluator.hand & ~int(bit(card)))

    def _danger(self, hand: int) -> float:
        """Return the expected cost of holding *hand* in a negative contract."""
        danger = 0.0
        for suit in range(5):
            held = hand & int(SUIT[suit])
            if not held:
                continue
            out = self.evaluator.out & int(SUIT[suit])
            many = int(count(out))
            for at, card in enumerate(cards_of(held)):
                lower = int(count(below(out, card)))
                if many - lower <= at:
                    danger += self.weights.klop_danger
                elif many:
                    danger += self.weights.klop_danger * (lower / many) ** 2
        return danger

    def _duck(self, card: int) -> float:
        """Return the value of *card* for a beggar's declarer: no trick."""
        return -20.0 * self.evaluator.mine(card) - self._danger(self.evaluator.hand & ~int(bit(card)))

    def _tempt(self, card: int) -> float:
        """Return the value of *card* against a beggar: let declarer win the trick, keep low cards."""
        evaluator = self.evaluator
        declarer = self.view.declarer
        led = int(suit_of(self.view.trick[0])) if self.view.trick else int(suit_of(card))
        if declarer not in evaluator.later():
            return 0.1 * _height(card)  # declarer has played already: get rid of high cards
        caught = evaluator.can_beat(declarer, card, led) if led == int(suit_of(card)) else 0.0
        return 2.0 * caught - 0.02 * _height(card)

    # Valat.

    def _grab(self, card: int) -> float:
        return 10.0 * self.evaluator.ours(card) - 0.01 * FACES[card]

    def _spoil(self, card: int) -> float:
        return 10.0 * self.evaluator.ours(card) - 0.05 * _height(card)


def _height(card: int) -> int:
    """Return how high *card* is in its suit."""
    return card % 8 if card < PAGAT else card - PAGAT
