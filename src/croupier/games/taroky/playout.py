"""The playout policy of Taroky: no risky calls, then points for the seat's side."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, lowest
from croupier.core.dice import Dice
from croupier.core.tricks import above, sensible
from croupier.games.taroky.position import TarokyPosition
from croupier.games.taroky.vocabulary import FIVES, QUEENS, SEATS, TRUMPS

WILD: Final = 8
"""One card in this many is chosen at random, so that every line of play remains possible."""
RICH: Final[i64] = FIVES | QUEENS


def play(state: TarokyPosition, dice: Dice) -> i64:
    """Return a card for the seat whose turn it is."""
    may = state.may
    if may & (may - 1) == 0:
        return lowest(may)
    if state.fallen == 0 or dice.below(WILD) == 0:
        return dice.one_of(may)
    if bit(state.best) & TRUMPS:
        over = above(TRUMPS, state.best)
    else:
        over = above(state.led, state.best) | TRUMPS
    ours = (state.declarers >> state.winner ^ state.declarers >> state.turn) & 1 == 0
    return sensible(may, over, ours, state.fallen == SEATS - 1, RICH, dice)
