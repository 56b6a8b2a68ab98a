"""Legal discards and plays, money cards and partners: pure functions of card sets."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, count
from croupier.games.taroky.vocabulary import FIVES, KINGS, PLAIN, TRUL, TRUMP, TRUMPS


def discardable(hand: i64) -> i64:
    """Return what *hand* may discard next: suit cards except kings, otherwise trumps except the trul (R8)."""
    plain = hand & PLAIN
    return plain if plain else hand & TRUMPS & ~TRUL


def suit_of(card: i64) -> i64:
    """Return the suit of *card* as a set."""
    if card > TRUMP:
        return TRUMPS
    return bit(card | 7) | (bit(card | 7) - bit(card & ~7))


def playable(hand: i64, led: i64) -> i64:
    """Return what *hand* may play to a trick of the suit *led*, a set (R12)."""
    following = hand & led
    if following:
        return following
    trumps = hand & TRUMPS
    return trumps if trumps else hand


def strength(card: i64, ace_high: bool) -> i64:
    """Return a number that grows with the rank of *card* in its suit (R2)."""
    if ace_high and card & 20 == 16 and card < 32:
        return card & ~3 | (card + 3) & 3  # the red pips: 2 3 4 1
    return card


def beats(card: i64, best: i64, led: i64, ace_high: bool) -> bool:
    """Return True if *card* beats *best*, the best card so far of a trick of the suit *led*."""
    if card > TRUMP:
        return card > best  # trumps have higher numbers than all suits
    return best <= TRUMP and bit(card) & led != 0 and strength(card, ace_high) > strength(best, ace_high)


def money_cards(hand: i64) -> i64:
    """Return the money cards of twelve cards, bit *n* for code *n* of MONEY_CODES (R9)."""
    trumps = count(hand & TRUMPS)
    codes: i64 = 0
    if trumps == 0:
        codes = 1  # U
    elif trumps < 3:
        codes = 2  # B
    elif trumps > 9:
        codes = 8  # R
    elif trumps > 7:
        codes = 4  # T
    if hand & TRUL == TRUL:
        codes |= 16  # 3
    fives = count(hand & FIVES)
    if hand & KINGS == KINGS:
        codes |= 64 if fives == 4 else 128  # K, P
    elif fives >= 4:
        codes |= 32  # H
    return codes


def money_value(codes: i64) -> i64:
    """Return what each of the other players pays for a set of money cards."""
    value: i64 = 2 * count(codes & 0b0011_0110)
    value += 4 * count(codes & 0b0100_1001)
    return value + 6 if codes & 128 else value


def partner_choice(hand: i64) -> i64:
    """Return the lower trump (15 to 18) that may be named instead of XIX, or 0 (R10)."""
    if not hand & bit(TRUMP + 19):
        return 0
    trump: i64 = 18
    while trump >= 15:
        if not hand & bit(TRUMP + trump):
            return trump
        trump -= 1
    return 0
