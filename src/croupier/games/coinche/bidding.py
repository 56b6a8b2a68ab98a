"""The bids of the heuristic bot: the points a hand should take in each denomination, the value of a call.

The weights below were fitted to 10,000 deals that the bot played against itself with contracts of every
kind. They predict the points of the contract's team, belote included, from the bidder's hand, from the
partner's hand given the bid, and from a defender's hand. The value of a call is what it earns if the
contract is made, times the probability of that, minus what it costs if it fails. The other constants were
chosen by playing versions of the bot against each other.
"""

from __future__ import annotations

from math import erf, sqrt

from croupier.core.cards import cards_of, count
from croupier.games.coinche.ranks import strength, stronger
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import (
    ALL_TRUMPS,
    CAPOT,
    COINCHE,
    CONTRACT,
    GENERALE,
    KINDS,
    NO_TRUMPS,
    PASS,
    RANKS,
    RULES,
    SUIT,
    SURCOINCHE,
)

_NINE, _TEN, _JACK, _QUEEN, _KING, _ACE = (RANKS.index(rank) for rank in ("9", "10", "J", "Q", "K", "A"))

# A constant, then one weight per feature: see features().
OWN = {
    "suit": (31.6, 10.7, 23.0, 8.4, 6.9, 2.8, 5.4, 19.0, 11.4, 5.8, 4.3, 7.7, 1.9),
    "SA": (54.8, 20.0, 6.8, 4.9, 3.3),
    "TA": (66.5, 16.0, 6.7, 4.3, 19.8, 4.2),
}
SUPPORT = {
    "suit": (-40.1, 10.1, 29.0, 14.1, 7.0, 4.3, 0.2, 21.5, 15.3, 3.3, 5.4, 3.4, 0.5),
    "SA": (-25.4, 28.4, 2.4, 7.9, 0.8),
    "TA": (-27.1, 24.1, 8.5, 8.2, 18.7, 3.0),
}
DEFENCE = {
    "suit": (21.4, -5.1, -14.6, -5.8, -2.6, -1.0, -2.0, -2.6, -8.2, -0.8, -3.4, -7.8, -1.9),
    "SA": (14.3, -14.6, -3.7, -4.8, -3.7),
    "TA": (11.4, -12.2, -2.6, -4.6, 0.7, -3.3),
}
ALONE = 20.0
"""The standard deviation of the points from the estimate of one hand."""
TOGETHER = 17.0
"""The same when both partners have bid the denomination."""
AGAINST = 25.0
"""The same for a defender's estimate of the others' contract."""
SLACK = 26.0
"""The points that this bot's hand is worth beyond its bid, on average."""
BELIEF = 10.0
"""The points that opponents are assumed to have beyond their last bid, at least."""
DOUBT = 0.4
"""A contract with a lower probability of being made than this is coinched."""
MARGIN = 4.0
"""By how much the value of a bid must exceed that of a pass."""
TOTAL = 162.0
SOLID = (0.0, 0.0, 0.0, 0.0, 0.0, 0.02, 0.1, 0.3, 0.9)
"""The probability that the team takes every trick, by the number of top tricks in a hand."""


def features(hand: int, denomination: int) -> list[int]:
    """Return the features of *hand* if *denomination* is played."""
    suits = [[card % 8 for card in cards_of(hand & int(suit))] for suit in SUIT]
    if denomination == NO_TRUMPS:
        return [
            sum(_ACE in suit for suit in suits),
            sum(_ACE in suit and _TEN in suit for suit in suits),
            sum(_TEN in suit and _ACE not in suit and len(suit) > 1 for suit in suits),
            sum(max(len(suit) - 3, 0) for suit in suits if _ACE in suit),
        ]
    if denomination == ALL_TRUMPS:
        return [
            sum(_JACK in suit for suit in suits),
            sum(_JACK in suit and _NINE in suit for suit in suits),
            sum(_NINE in suit and _JACK not in suit and len(suit) > 1 for suit in suits),
            sum(_KING in suit and _QUEEN in suit for suit in suits),
            sum(max(len(suit) - 3, 0) for suit in suits if _JACK in suit),
        ]
    trumps = suits.pop(denomination)
    return [
        len(trumps),
        _JACK in trumps,
        _NINE in trumps,
        _ACE in trumps,
        _TEN in trumps,
        _JACK in trumps and _NINE in trumps,
        _KING in trumps and _QUEEN in trumps,
        sum(_ACE in suit for suit in suits),
        sum(_ACE in suit and _TEN in suit for suit in suits),
        sum(_TEN in suit and _ACE not in suit and len(suit) > 1 for suit in suits),
        sum(not suit for suit in suits),
        sum(len(suit) == 1 and _ACE not in suit for suit in suits),
    ]


def weighed(hand: int, denomination: int, weights: dict[str, tuple[float, ...]]) -> float:
    """Return the weighted sum of the features of *hand* in *denomination*."""
    kind = "SA" if denomination == NO_TRUMPS else "TA" if denomination == ALL_TRUMPS else "suit"
    constant, *rest = weights[kind]
    return constant + sum(w * x for w, x in zip(rest, features(hand, denomination)))  # noqa: B905  # mypyc knows no strict


def on_top(hand: int, denomination: int, leads: bool) -> int:
    """Return how many tricks *hand* takes in a row once it has the lead; 0 if it may never get the lead."""
    if denomination >= ALL_TRUMPS and not leads:
        return 0
    tricks = 0
    for at, suit in enumerate(SUIT):
        cards = hand & int(suit)
        many = int(count(cards))
        table = strength(suit, denomination)
        top = sum(not stronger(card, table) & ~hand for card in cards_of(cards))
        # Once nobody else has the suit, low cards take tricks as well, unless they can be trumped.
        runs = denomination >= ALL_TRUMPS or at == denomination
        tricks += many if runs and top >= 7 - many else top
    return tricks


def chance(expected: float, needed: float, spread: float) -> float:
    """Return the probability of at least *needed* points if *expected* are expected."""
    return 0.5 * (1.0 + erf((expected - needed + 0.5) / (spread * sqrt(2.0))))


def number(level: int) -> float:
    """Return the points that a bid of *level* stands for."""
    return 80.0 + 10.0 * min(level, CAPOT - 1)


class Bidding:
    """One decision in the auction: the calls so far, the value of the hand, the call to make."""

    def __init__(self, view: CoincheView) -> None:
        self.view = view
        self.rules = RULES.of(view.options)
        self.hand = int(view.hand)
        self.stake = 0.0 if self.rules.contract_only else TOTAL
        """The points that the winner of the deal gets in addition to the contract."""
        self.bids: dict[int, list[tuple[int, int]]] = {0: [], 1: [], 2: [], 3: []}
        """Everyone's contracts in this auction (level and denomination), by distance from this seat."""
        self.opened: dict[int, int] = {}
        """The seat that bid each denomination first."""
        self.passed = [0, 0, 0, 0]
        self.estimates: dict[int, tuple[float, float]] = {}
        """The results of `expected`."""
        for seat, action in view.calls:
            away = (seat - view.seat) % 4
            if action >= CONTRACT:
                self.bids[away].append(((action - CONTRACT) // KINDS, (action - CONTRACT) % KINDS))
                self.opened.setdefault((action - CONTRACT) % KINDS, seat)
            elif action == PASS and not self.bids[away]:
                self.passed[away] = 1

    def call(self) -> int:
        """Return the call with the highest value."""
        legal = self.view.legal
        if SURCOINCHE in legal:
            return SURCOINCHE if self.made(15.0) > 0.75 else PASS
        best, worth = PASS, self.passing() + MARGIN
        if COINCHE in legal and self.made() < DOUBT and self.coinching() > worth:
            best, worth = COINCHE, self.coinching()
        for action in legal:
            if action >= CONTRACT:
                value = self.bidding((action - CONTRACT) // KINDS, (action - CONTRACT) % KINDS)
                if value > worth:
                    best, worth = action, value
        return best

    # Estimates.

    def expected(self, denomination: int) -> tuple[float, float]:
        """Return the points this team should take in *denomination*, and their standard deviation."""
        if denomination not in self.estimates:
            self.estimates[denomination] = self._expected(denomination)
        return self.estimates[denomination]

    def _expected(self, denomination: int) -> tuple[float, float]:
        own = weighed(self.hand, denomination, OWN)
        mine = [level for level, kind in self.bids[0] if kind == denomination]
        partner = [level for level, kind in self.bids[2] if kind == denomination]
        if partner and mine and self.opened[denomination] == self.view.seat:
            # The partner's first raise shows what they have beyond the average; a later one repeats it.
            return own + 10.0 * (partner[0] - mine[0]), TOGETHER
        if partner:
            return number(partner[0]) + SLACK + weighed(self.hand, denomination, SUPPORT), TOGETHER
        against = sum(5.0 + 2.0 * bids[0][0] for bids in (self.bids[1], self.bids[3]) if bids)
        return own - 6.0 * self.passed[2] - against, ALONE

    def theirs(self) -> tuple[float, float]:
        """Return the points the opponents should take in the contract they have bid."""
        kind = self.view.denomination
        first = [[level for level, other in self.bids[away] if other == kind][:1] for away in (1, 3)]
        # Their first bids show what they hold; later ones may only be raises against other bids.
        said = min(number(level) for levels in first for level in levels)
        both = 8.0 if all(first) else 0.0
        least = number(self.view.level) + BELIEF
        return max(said + SLACK + both, least) + weighed(self.hand, kind, DEFENCE), AGAINST

    def made(self, doubt: float = 0.0) -> float:
        """Return the probability that the contract is made; *doubt* is subtracted if it is our own."""
        level, kind = self.view.level, self.view.denomination
        ours = (self.view.bidder ^ self.view.seat) & 1 == 0
        if level >= CAPOT:
            return SOLID[self.solid(kind)] if ours else (0.1 if on_top(self.hand, kind, True) else 0.6)
        expected, spread = self.expected(kind) if ours else self.theirs()
        return chance(expected - doubt, number(level), spread)

    def solid(self, denomination: int) -> int:
        """Return the number of top tricks in this hand."""
        return on_top(self.hand, denomination, self.view.first() == self.view.seat)

    # The value of a call, as the difference between the teams.

    def outcome(self, level: int, expected: float, made: float) -> float:
        """Return what a contract of *level*, not coinched, earns its team."""
        value = float(self.rules.value(level))
        taken = min(max(expected, number(level) + 8.0), TOTAL)
        points = 2.0 * taken - TOTAL if self.stake else 0.0
        if level >= CAPOT:
            points = 252.0 if self.stake else 0.0
        return made * (value + points) - (1.0 - made) * (self.stake + value)

    def passing(self) -> float:
        """Return the value of a pass."""
        view = self.view
        if view.level < 0:
            return 0.0
        if (view.bidder ^ view.seat) & 1:
            return -self.outcome(view.level, self.theirs()[0], self.made())
        return self.outcome(view.level, self.expected(view.denomination)[0], self.made())

    def coinching(self) -> float:
        """Return the value of a coinche."""
        value = float(self.rules.value(self.view.level) * self.rules.factor(1))
        return (1.0 - 2.0 * self.made()) * (self.stake + value)

    def bidding(self, level: int, denomination: int) -> float:
        """Return the value of bidding this contract."""
        expected, spread = self.expected(denomination)
        if level < CAPOT:
            made = chance(expected, number(level), spread)
            return self.outcome(level, expected, made) if made > 0.5 else -TOTAL * 4
        solid = self.solid(denomination)
        if level == GENERALE:
            return self.outcome(level, expected, 0.85 if solid == 8 else 0.0)
        return self.outcome(level, expected, SOLID[solid])
