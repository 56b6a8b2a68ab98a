"""The playout policy of Coinche: no more bids; give points to the partner, take tricks from the opponents."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import lowest
from croupier.core.dice import Dice
from croupier.core.tricks import sensible
from croupier.games.coinche.position import CoinchePosition
from croupier.games.coinche.vocabulary import ALL_TRUMPS, PASS, PLAY, PLAYING, SEATS, SUIT

WILD: Final = 8
"""One card in this many is chosen at random, so that every line of play remains possible."""
TENS: Final[i64] = 0x88888888
"""Aces and tens."""
JACKS: Final[i64] = 0x14141414
"""Jacks and nines, which are valuable as trumps."""


def policy(state: CoinchePosition, dice: Dice) -> i64:
    """Return the action of the seat whose turn it is."""
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
