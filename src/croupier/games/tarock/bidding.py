"""The probability that a hand makes a contract, for the bids of the heuristic bot.

Each weight is a change of the log-odds. The weights were fitted to deals in which our own bots played the
contract against each other.
"""

from __future__ import annotations

from math import exp

from croupier.core.cards import cards_of, count
from croupier.games.tarock.contracts import (
    BEGGAR,
    COLOR_VALAT,
    CONTRACTS,
    ONE,
    OPEN_BEGGAR,
    SOLO_ONE,
    SOLO_THREE,
    SOLO_TWO,
    SOLO_WITHOUT,
    THREE,
    TWO,
    VALAT,
)
from croupier.games.tarock.vocabulary import (
    KINGS,
    MOND_BIT,
    PAGAT,
    PAGAT_BIT,
    QUEENS,
    SKIS_BIT,
    SUIT,
    TAROCKS,
)

# Constant; tarocks, tarocks from XII and from XVII; škis, mond, pagat; kings, queens without and with their
# king; voids, singletons, cards beyond three in a suit.
FOR_POINTS = {
    THREE: (-1.93, 0.26, 0.01, 0.32, 0.38, 0.38, 0.52, 0.55, 0.08, -0.08, 0.41, 0.19, -0.07),
    TWO: (-2.38, 0.24, 0.11, 0.15, 0.55, 0.64, 0.34, 0.59, 0.07, -0.09, 0.30, 0.20, 0.03),
    ONE: (-2.85, 0.28, 0.05, 0.28, 0.52, 0.38, 0.31, 0.60, 0.09, -0.05, 0.15, 0.10, 0.12),
    SOLO_THREE: (-5.42, 0.31, 0.03, 0.34, 1.01, 0.62, 0.62, 0.81, 0.08, -0.02, 0.73, 0.24, -0.06),
    SOLO_TWO: (-7.15, 0.34, 0.09, 0.40, 0.96, 0.56, 0.49, 0.93, 0.15, 0.05, 1.04, 0.39, 0.01),
    SOLO_ONE: (-8.50, 0.31, 0.04, 0.33, 1.03, 0.79, 0.51, 1.09, 0.04, -0.17, 1.61, 0.60, -0.25),
    SOLO_WITHOUT: (-12.91, 0.38, 0.02, 0.36, 1.45, 1.33, 1.04, 1.61, 0.11, -0.16, 2.07, 0.40, -0.81),
}

# Constant; tarocks, the number of the highest, its excess over XII, the pagat, tarocks from X; voids,
# singletons; cards that nothing can beat, cards with many lower ones unseen, suits without a low card.
FOR_NONE = {
    BEGGAR: (2.57, -0.72, 0.11, -0.31, 0.18, -0.39, -0.60, 0.11, -0.24, -0.32, -0.10),
    OPEN_BEGGAR: (1.69, -0.30, 0.01, -0.08, -0.07, -0.28, -1.44, -0.22, -0.15, -0.22, -0.14),
}


def odds(hand: int, contract: int) -> float:
    """Return the probability that *hand*, before the exchange, makes *contract*."""
    if contract in FOR_POINTS:
        return _chance(FOR_POINTS[contract], for_points(hand))
    if contract in FOR_NONE:
        return _chance(FOR_NONE[contract], for_none(hand))
    if contract in (COLOR_VALAT, VALAT):
        return 1.0 if sure_tricks(hand, trumps=contract == VALAT) else 0.0
    return 0.0


def gain(hand: int, contract: int) -> float:
    """Return the expected score of *contract*."""
    kind = CONTRACTS[contract]
    extra = 10 if kind.bonuses else 0
    return (2.0 * odds(hand, contract) - 1.0) * (int(kind.value) + extra)


def _chance(weights: tuple[float, ...], found: list[float]) -> float:
    total = sum(weight * value for weight, value in zip(weights, found))  # noqa: B905  # mypyc knows no strict
    return 1.0 / (1.0 + exp(-total))


def for_points(hand: int) -> list[float]:
    """Return the features of a hand for a contract that needs points."""
    tarocks = [card - PAGAT + 1 for card in cards_of(hand & int(TAROCKS))]
    suits = [hand & int(SUIT[suit]) for suit in range(4)]
    sizes = [int(count(suit)) for suit in suits]
    kings = queens = both = 0
    for suit in suits:
        king = suit & int(KINGS) != 0
        queen = suit & QUEENS != 0
        kings += king
        queens += queen
        both += king and queen
    return [
        1.0,
        len(tarocks),
        sum(1 for number in tarocks if number >= 12),
        sum(1 for number in tarocks if number >= 17),
        1.0 if hand & int(SKIS_BIT) else 0.0,
        1.0 if hand & int(MOND_BIT) else 0.0,
        1.0 if hand & int(PAGAT_BIT) else 0.0,
        kings,
        queens - both,
        both,
        sizes.count(0),
        sizes.count(1),
        sum(max(0, size - 3) for size in sizes),
    ]


def for_none(hand: int) -> list[float]:
    """Return the features of a hand for a beggar."""
    tarocks = [card - PAGAT + 1 for card in cards_of(hand & int(TAROCKS))]
    highest = max(tarocks, default=0)
    empty = single = bare = high = without_low = 0.0
    for suit in range(4):
        held = [card - 8 * suit for card in cards_of(hand & int(SUIT[suit]))]
        empty += not held
        single += len(held) == 1
        without_low += bool(held) and held[0] >= 3
        for at, card in enumerate(held):
            lower = card - at
            higher = 8 - len(held) - lower
            bare += higher <= at
            high += (lower / max(1, 8 - len(held))) ** 2
    return [
        1.0,
        len(tarocks),
        highest,
        max(0, highest - 12),
        1.0 if hand & int(PAGAT_BIT) else 0.0,
        sum(1 for number in tarocks if number >= 10),
        empty,
        single,
        bare,
        high,
        without_low,
    ]


def sure_tricks(hand: int, trumps: bool) -> bool:
    """Return True if *hand*, leading, wins every trick against any distribution of the other cards."""
    for suit in range(4 if not trumps else 5):
        if not _runs(hand, int(SUIT[suit])):
            return False
    if trumps:
        # The others' tarocks must be drawn before a plain suit is led.
        return int(count(hand & int(TAROCKS))) >= 11 and _runs(hand, int(TAROCKS))
    return _runs(hand, int(TAROCKS))


def _runs(hand: int, suit: int) -> bool:
    """Return True if the cards of *hand* in *suit*, led highest first, cannot be beaten."""
    held = int(count(hand & suit))
    out = int(count(suit & ~hand))
    top = 0
    for card in reversed(cards_of(suit)):
        if not hand >> card & 1:
            break
        top += 1
    return top == held or top >= out
