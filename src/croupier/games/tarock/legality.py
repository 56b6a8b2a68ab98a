"""Which cards may be discarded (R7) and played (R10): pure functions on card sets.

State, views and sampling share them, so that the rules, the legal actions told to a seat and the
inferences from its actions always agree.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, count
from croupier.core.tricks import above, beats
from croupier.games.tarock.vocabulary import (
    MOND_BIT,
    PAGAT,
    PAGAT_BIT,
    PLAIN,
    SKIS_BIT,
    TAROCKS,
    TRULA,
    WHOLE,
)

TOP_EIGHT: Final[i64] = 0xFF0000000000
"""Eight bits above all suits. Shifted right they give every suit (a small literal shifts in 32 bits)."""


def suit_of(card: i64) -> i64:
    """Return the suit of *card* as a set; the tarocks are one."""
    if card >= PAGAT:
        return TAROCKS
    return TOP_EIGHT >> (40 - (card >> 3 << 3))


# Discarding.


def discardable(cards: i64, many: i64, free: bool) -> i64:
    """Return which of *cards*, hand and set together, may be among the *many* discards (R7.2)."""
    plain = cards & PLAIN
    if not free and count(plain) >= many:
        return plain
    return plain | (cards & TAROCKS & ~TRULA)


def next_discards(cards: i64, laid: i64, many: i64, free: bool) -> i64:
    """Return which of *cards*, hand and set without *laid*, may be discarded next, *many* in all."""
    whole = cards | laid
    allowed = discardable(whole, many, free) & cards
    if not free and count(laid & TAROCKS) + count(whole & PLAIN) >= many:
        return allowed & PLAIN  # R7.2: the remaining discards must be plain cards
    return allowed


# Playing. *led* is the suit led as a set, 0 when leading; *best* the highest card on the table, by tarocks
# and the suit led; *table* all cards on it; *kept* the cards that must be kept for an announced ultimo.


def playable(hand: i64, led: i64, best: i64, table: i64, negative: bool, kept: i64) -> i64:
    """Return which cards of *hand* may be played (R10)."""
    legal = _negative(hand, led, best, table) if negative else _following(hand, led)
    others = legal & ~kept
    return others if others else legal  # R8.3


def _following(hand: i64, led: i64) -> i64:
    if not led:
        return hand
    following = hand & led
    if following:
        return following  # R10.1
    tarocks = hand & TAROCKS
    return tarocks if tarocks else hand


def _negative(hand: i64, led: i64, best: i64, table: i64) -> i64:
    if not led:
        others = hand & ~PAGAT_BIT
        return others if others else hand  # R10.5
    allowed = hand & led
    suit = led
    if not allowed:
        allowed = hand & TAROCKS
        suit = TAROCKS
        if not allowed:
            return hand
    if allowed & PAGAT_BIT and table & MOND_BIT and table & SKIS_BIT:
        return PAGAT_BIT  # R10.6
    if bit(best) & suit:
        higher = above(allowed, best)
        if higher:
            allowed = higher  # R10.7
    others = allowed & ~PAGAT_BIT
    return others if others else allowed  # R10.8


def ruled_out(card: i64, led: i64, best: i64, table: i64, negative: bool, kept: i64) -> i64:
    """Return the cards that a seat that played *card* cannot hold, because *card* was legal."""
    one = bit(card)
    out: i64 = 0
    kin = WHOLE
    if not led:
        if negative and card == PAGAT:
            return WHOLE & ~PAGAT_BIT
    elif one & led:
        kin = led
    elif one & TAROCKS:
        out = led
        kin = TAROCKS
    else:
        out = led | TAROCKS
    if negative and led and kin != WHOLE:
        emperor = table & MOND_BIT != 0 and table & SKIS_BIT != 0 and kin == TAROCKS
        if card == PAGAT:
            if not emperor:
                out |= TAROCKS & ~PAGAT_BIT
        else:
            if emperor:
                out |= PAGAT_BIT
            if bit(best) & kin and card < best:
                out |= above(kin, best)
    if kept & one:
        out |= kin & ~kept
    return out & ~one


# Whole tricks, beginning with the leader's card.


def best_of(trick: list[int], trumps: i64) -> i64:
    """Return the highest card of *trick*, ignoring the emperor's trick; *trumps* beat the suit led."""
    best: i64 = trick[0]
    led = suit_of(best)
    for card in trick[1:]:
        if beats(card, best, led, trumps):
            best = card
    return best
