"""Tricks on card sets, shared by the trick games: which cards follow, which card wins, who takes.

A card's number grows with its strength within its suit; *suit* and *trumps* are sets of cards, so that suits
of any length are possible, and an empty set of *trumps*.
"""

from __future__ import annotations

from typing import TypeVar

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, mask_of
from croupier.core.dice import Dice


class TakenTrick:
    """A finished trick: its cards starting with the *leader*, and the seat that took it."""

    def __init__(self, leader: int, cards: list[int], taker: int) -> None:
        self.leader = leader
        self.cards = cards
        self.taker = taker

    def spoils(self) -> i64:
        """Return all cards that its taker got, as a set."""
        return mask_of(self.cards)


T = TypeVar("T", bound=TakenTrick)


def played(tricks: list[T], seat: int) -> i64:
    """Return the cards that *seat* played to *tricks*."""
    cards: i64 = 0
    for trick in tricks:
        cards |= bit(trick.cards[(seat - trick.leader) % len(trick.cards)])
    return cards


def taken(tricks: list[T], seat: int) -> i64:
    """Return the cards that *seat* took in *tricks*."""
    cards: i64 = 0
    for trick in tricks:
        if trick.taker == seat:
            cards |= trick.spoils()
    return cards


# A finished trick in a position: four cards of six bits each, then the leader.


def cards_in(packed: i64) -> i64:
    """Return the four cards of a *packed* trick as a set."""
    return bit(packed & 63) | bit(packed >> 6 & 63) | bit(packed >> 12 & 63) | bit(packed >> 18 & 63)


def played_by(tricks: vec[i64], many: i64, seat: i64) -> i64:
    """Return the cards that *seat* played to the first *many* of the packed *tricks*."""
    cards: i64 = 0
    at: i64 = 0
    while at < many:
        packed = tricks[at]
        cards |= bit(packed >> 6 * (seat - (packed >> 24) & 3) & 63)
        at += 1
    return cards


def lying(trick: i64, fallen: i64, leader: i64, seat: i64) -> i64:
    """Return the card of *seat* in the packed unfinished *trick* of *fallen* cards, or -1."""
    at = (seat - leader) & 3
    if at >= fallen:
        return -1
    return trick >> 6 * at & 63


def above(cards: i64, card: i64) -> i64:
    """Return those of *cards* with a higher number than *card*."""
    return cards & ~((bit(card) << 1) - 1)


def below(cards: i64, card: i64) -> i64:
    """Return those of *cards* with a lower number than *card*."""
    return cards & (bit(card) - 1)


def beats(card: i64, best: i64, suit: i64, trumps: i64) -> bool:
    """Return whether *card* takes a trick of *suit* from *best*, its best card so far."""
    if bit(card) & trumps:
        return not bit(best) & trumps or card > best
    return bit(card) & suit != 0 and not bit(best) & trumps and card > best


def sensible(may: i64, over: i64, ours: bool, last: bool, rich: i64, dice: Dice) -> i64:
    """Return a card for a playout of a game that counts card points; *may* is the set of legal cards.

    The cards of *over* would take the trick, which is *ours* if a partner holds it; *rich* cards are worth
    most. Play a rich card to our own trick. Take the trick of the opponents if possible (with a rich card if
    it is the *last* card), else play a poor card.
    """
    if ours:
        some = may & ~over
        if some & rich:
            some &= rich
    else:
        some = may & over
        if not some:
            some = may & ~rich
        elif last and some & rich:
            some &= rich
    if not some:
        some = may
    return dice.one_of(some)


def taken_by(trick: list[int], leader: int, suit: i64, trumps: i64 = 0) -> int:
    """Return the seat that takes the whole *trick*, led by *leader* in *suit*."""
    best = 0
    for i in range(1, len(trick)):
        if beats(trick[i], trick[best], suit, trumps):
            best = i
    return (leader + best) % len(trick)
