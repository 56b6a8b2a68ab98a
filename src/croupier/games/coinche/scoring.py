"""The score of a deal of Coinche: the contract, belotes, factors, variants (R7, R8)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.games.coinche.vocabulary import ALL_TRUMPS, CAPOT, KING, NO_TRUMPS, QUEEN, CoincheRules

BELOTE: Final = 20


def belote_suits(denomination: i64, rules: CoincheRules) -> i64:
    """Return the suits whose king and queen form a belote, as a mask of suits (R7.1)."""
    if denomination == NO_TRUMPS or (denomination == ALL_TRUMPS and not rules.ta_belote):
        return 0
    return 0b1111 if denomination == ALL_TRUMPS else 1 << denomination


def pair(suit: i64) -> i64:
    """Return the king and queen of *suit* (0 to 3)."""
    return bit(8 * suit + KING) | bit(8 * suit + QUEEN)


def belotes(hand: i64, denomination: i64, rules: CoincheRules) -> i64:
    """Return the belote points of a *hand* as it was dealt (R7.1)."""
    total: i64 = 0
    suits = belote_suits(denomination, rules)
    suit: i64 = 0
    while suit < 4:
        if suits >> suit & 1 and hand & pair(suit) == pair(suit):
            total += BELOTE
        suit += 1
    return total


class Tally:
    """The facts from which a deal is scored: *mine* is the contract's team, *theirs* the other one."""

    def __init__(self, mine: i64, theirs: i64, my_belote: i64, their_belote: i64) -> None:
        self.mine: i64 = mine
        """The points of the contract's team: cards and last trick, or the points for all eight tricks."""
        self.theirs: i64 = theirs
        self.my_belote: i64 = my_belote
        self.their_belote: i64 = their_belote
        self.all_tricks = False
        """The contract's team took all eight tricks."""
        self.alone = False
        """The bidder's own cards took all eight tricks."""


def is_made(level: i64, tally: Tally, rules: CoincheRules) -> bool:
    """Return True if a contract of *level* is made; always by exact points (R8.2)."""
    if level >= CAPOT:
        return tally.all_tricks if level == CAPOT else tally.alone
    reached = tally.mine
    if rules.belote_helps:
        reached += tally.my_belote
    needed = rules.value(level)
    if rules.eighty_needs_82 and level == 0:
        needed = 82
    if reached < needed:
        return False
    return not rules.must_beat or reached > tally.theirs + tally.their_belote


def rounded(points: i64, rules: CoincheRules) -> i64:
    """Return *points* as they are scored: exact, or rounded to the nearest ten (R8.5)."""
    if not rules.rounds:
        return points
    return (points + (5 if rules.five_up else 4)) // 10 * 10


def score(level: i64, doubled: i64, made: bool, tally: Tally, rules: CoincheRules) -> tuple[i64, i64]:
    """Return the scores of the contract's team and of the other one (R8.3).

    *doubled* is 1 for a coinched contract, 2 for a surcoinched one.
    """
    value = rules.value(level)
    factor = rules.factor(doubled)
    if rules.contract_only:  # R8.6
        return (value * factor, 0) if made else (0, value * factor)
    mine = tally.my_belote
    theirs = tally.their_belote
    if made and doubled == 0:
        return rounded(tally.mine, rules) + value + mine, rounded(tally.theirs, rules) + theirs
    if rules.belote_moves:  # R8.7
        if made:
            mine, theirs = mine + theirs, 0
        else:
            mine, theirs = 0, mine + theirs
    total = rounded(rules.total_all if made and tally.all_tricks else rules.total, rules)
    won = (total + value) * factor if rules.multiplies_all else total + value * factor  # R8.4
    return (won + mine, theirs) if made else (mine, won + theirs)
