"""The playout policy of the dice game: draft and place, own colour and restrictive cells first."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, count, highest, nth
from croupier.core.dice import Dice
from croupier.games.sagrada.material import PRIVATE_COLOURS
from croupier.games.sagrada.placement import field
from croupier.games.sagrada.position import GlassPosition
from croupier.games.sagrada.vocabulary import CANCEL, DRAFT, FORFEIT, PASS, PLACING

WILD: Final = 4
"""One choice in this many is made at random, so that every line of play remains possible."""
COLOUR: Final[i64] = 0x3F000000
"""The six kinds of dice of the last colour; shifted right it gives the others."""


def policy(state: GlassPosition, dice: Dice) -> i64:
    """Return the action of the seat whose turn it is; tools are used only if the search has activated one."""
    one = state.one
    many = count(one)
    if state.active == 0:
        if many:
            if dice.below(WILD):
                if state.phase == PLACING:
                    one = _picky(state, one)
                elif state.verb_one == DRAFT:
                    one = _wanted(state, one)
            return state.verb_one + dice.one_of(one)
        if state.simple & bit(PASS):
            return PASS
    some = state.simple & ~bit(FORFEIT)
    onward = some & ~bit(CANCEL)
    if onward or many or state.two:
        some = onward
    simple = count(some)
    k = dice.below(simple + many + count(state.two))
    return nth(some, k) if k < simple else state.offered_at(count(state.simple) + k - simple)


def _wanted(state: GlassPosition, kinds: i64) -> i64:
    """Return the highest die of the seat's private colour among *kinds*, else all of them."""
    colour: i64 = PRIVATE_COLOURS[state.privates[int(state.seat)][0] - 1]
    mine = kinds & COLOUR >> (24 - 6 * colour)
    return bit(highest(mine)) if mine else kinds


def _picky(state: GlassPosition, cells: i64) -> i64:
    """Return those of *cells* that would not take a die of another colour and value, else all of them."""
    pattern = state.window().pattern
    die = state.becomes
    colours = field(pattern.low_colours, pattern.high_colours, (die // 6 + 1) % 5)
    values = field(pattern.low_values, pattern.high_values, (die + 1) % 6)
    picky = cells & ~(colours & values)
    return picky if picky else cells
