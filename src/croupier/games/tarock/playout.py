"""The playout policy of Tarock: no more bids and announcements, then points for the seat's side."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, lowest
from croupier.core.dice import Dice
from croupier.core.tricks import above, sensible
from croupier.games.tarock.position import TarockPosition
from croupier.games.tarock.vocabulary import KINGS, SEATS, TAROCKS, TRULA

WILD: Final = 8
"""One card in this many is chosen at random, so that every line of play remains possible."""
RICH: Final[i64] = KINGS | KINGS >> 1 | TRULA
"""Kings, queens and the trula."""


def play(state: TarockPosition, dice: Dice) -> i64:
    """Return a card for the seat whose turn it is."""
    may = state.may
    if may & (may - 1) == 0:
        return lowest(may)
    if state.fallen == 0 or dice.below(WILD) == 0:
        return dice.one_of(may)
    best = bit(state.best)
    if best & TAROCKS:
        over = above(TAROCKS, state.best)
    else:
        over = above(state.led, state.best) | state.trumps
    last = state.fallen == SEATS - 1
    if state.negative:
        # Tricks are bad: play below the best card if possible, with the most valuable card that cannot win.
        under = may & ~over
        return sensible(under, 0, True, last, RICH, dice) if under else lowest(may)
    ours = _attacks(state, state.winner) == _attacks(state, state.turn)
    return sensible(may, over, ours, last, RICH, dice)


def _attacks(state: TarockPosition, seat: i64) -> bool:
    return seat == state.declarer or seat == state.partner
