"""The playout policy of Hearts: duck, and discard dangerous cards."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, count, highest, lowest
from croupier.core.dice import Dice
from croupier.games.hearts.position import HeartsPosition
from croupier.games.hearts.vocabulary import HEARTS, KEEP, PASS, PASSING, PLAYING, QUEEN, SEATS

WILD: Final = 8
"""One card in this many is chosen at random, so that every line of play remains possible."""
SPADES: Final[i64] = 0xFFF8000000000
HIGH_SPADES: Final[i64] = 0xE000000000000
RANKS: Final[i64] = 0x8004002001
"""The lowest card of every suit."""


def policy(state: HeartsPosition, seat: i64, dice: Dice) -> i64:
    """Return the action of *seat*."""
    if state.phase == PLAYING:
        return card(state, dice)
    if state.phase == PASSING:
        return PASS + _pick(state.hands[seat], dice)
    return KEEP


def _pick(hand: i64, dice: Dice) -> i64:
    """Return a card to pass: a high spade, else one of the highest cards."""
    spades = hand & HIGH_SPADES
    if spades and count(hand & SPADES) < 5:
        return dice.one_of(spades)
    rank: i64 = 12
    while True:
        high = hand & RANKS << rank
        if high:
            return dice.one_of(high)
        rank -= 1


def card(state: HeartsPosition, dice: Dice) -> i64:
    """Return the card of the seat whose turn it is."""
    may = state.may
    if may & (may - 1) == 0:
        return lowest(may)
    if dice.below(WILD) == 0:
        return dice.one_of(may)
    if state.fallen == 0:
        return lowest(_suit(may, dice.one_of(may)))
    if not may & state.led:
        return _discard(may, dice)
    under = may & (bit(state.best) - 1)
    if state.fallen == SEATS - 1 and not state.pile:
        # The trick costs nothing: take it with the highest card, except the queen of spades.
        clean = may & ~QUEEN
        return highest(clean if clean else may)
    if under:
        return highest(QUEEN if under & QUEEN else under)
    clean = may & ~QUEEN
    if not clean:
        return highest(may)
    return highest(clean) if state.fallen == SEATS - 1 else lowest(clean)


def _discard(may: i64, dice: Dice) -> i64:
    if may & QUEEN:
        return highest(QUEEN)
    hearts = may & HEARTS
    if hearts and dice.below(2):
        return highest(hearts)
    return highest(_suit(may, dice.one_of(may)))


def _suit(cards: i64, card: i64) -> i64:
    """Return the cards among *cards* that have the suit of *card*."""
    return cards & SPADES >> (39 - card // 13 * 13)
