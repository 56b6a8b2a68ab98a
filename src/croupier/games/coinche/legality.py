"""Which cards may be played to a trick, and which rule a card breaks (R6).

*over* is the set of cards that would take the trick now: the stronger cards of the suit that holds it
and, while no trump has been played to it, every trump. *led* is the suit led, *trumps* the trump suit
(empty in TA and SA), both as sets.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.games.coinche.ranks import TRUMP_ABOVE, strength, stronger, trumps_of
from croupier.games.coinche.vocabulary import ALL_TRUMPS, CoincheRules


def cards_over(best: i64, led: i64, denomination: i64) -> i64:
    """Return the cards that beat *best*, the best card of the trick so far (R6.5)."""
    trumps = trumps_of(denomination)
    if bit(best) & trumps:
        return stronger(best, TRUMP_ABOVE)
    return stronger(best, strength(led, denomination)) | trumps


def must_rise(led: i64, denomination: i64) -> bool:
    """Return True if a seat that follows *led* has to go higher: it is trump, or all suits are (R6.1)."""
    return denomination == ALL_TRUMPS or led == trumps_of(denomination)


def playable(
    hand: i64, led: i64, best: i64, over: i64, partner_holds: bool, denomination: i64, rules: CoincheRules
) -> i64:
    """Return the cards of *hand* that may be played to a trick after its lead."""
    following = hand & led
    if following:
        if must_rise(led, denomination) and following & over:
            return following & over  # R6.1
        return following
    trumps = trumps_of(denomination)
    if partner_holds:
        if rules.partner_strict and bit(best) & trumps and hand & over:
            return hand & (over | ~trumps)  # R6.4
        return hand  # R6.2
    mine = hand & trumps
    if not mine:
        return hand  # R6.2, R6.3: nothing to trump with
    higher = mine & over
    if higher:
        return higher  # R6.3
    return hand if rules.undertrump_free else mine  # R6.3


def broken_rule(card: i64, hand: i64, led: i64, over: i64, partner_holds: bool, denomination: i64) -> str:
    """Return the key of the first rule that an illegal *card* of *hand* breaks."""
    if hand & led:
        if not bit(card) & led:
            return "must_follow"
        return "must_go_higher" if denomination == ALL_TRUMPS else "must_play_higher_trump"
    if partner_holds:
        return "no_undertrump"
    return "must_overtrump" if bit(card) & trumps_of(denomination) else "must_trump"
