"""What a seat does in a playout of Coinche: no more bids; points to the partner, tricks from the others."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import lowest
from croupier.core.dice import Dice
from croupier.core.tricks import sensible
from croupier.games.coinche.position import CoinchePosition
from croupier.games.coinche.vocabulary import ALL_TRUMPS, PASS, PLAY, PLAYING, SEATS, SUIT

WILD: Final = 8
"""One card in so many is any card: no line of play is left out for good."""
TENS: Final[i64] = 0x88888888
"""Aces and tens."""
JACKS: Final[i64] = 0x14141414
"""Jacks and nines, which count where their suit is trump."""


def policy(state: CoinchePosition, dice: Dice) -> i64:
    """Return what the seat does whose turn it is."""
    if state.phase != PLAYING:
        return PASS
    may = state.may
    if may & (may - 1) == 0:
        return PLAY + lowest(may)
    if state.fallen == 0 or dice.below(WILD) == 0:
        return PLAY + dice.one_of(may)
    kind = state.auction.denomination
    rich = TENS
    if kind == ALL_TRUMPS:
        rich |= JACKS
    elif kind < ALL_TRUMPS:
        rich |= JACKS & SUIT[kind]
    ours = (state.winner ^ state.turn) & 1 == 0
    return PLAY + sensible(may, state.over_best, ours, state.fallen == SEATS - 1, rich, dice)
