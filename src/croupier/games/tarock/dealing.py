"""The beginning of a deal: chance for playouts, a clear table, what everybody is told (R3)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, count, nth
from croupier.core.dice import Dice
from croupier.games.tarock import sides
from croupier.games.tarock.ending import TarockEnding
from croupier.games.tarock.events import DealStarted, Dealt, MatchStarted
from croupier.games.tarock.position import NO_TURNS
from croupier.games.tarock.vocabulary import NOBODY, SEATS

HALF_WORD: Final[i64] = 0x8000000
"""2**27: two words of so many values make up the 54 bits of a pack."""


class TarockDealing(TarockEnding):
    """A match whose table can be cleared for the next deal; `TarockState` plays it."""

    def clear(self) -> None:
        """Forget the deal before."""
        self.h0 = self.d0
        self.h1 = self.d1
        self.h2 = self.d2
        self.h3 = self.d3
        self.passed = 0
        self.high = NOBODY
        self.holder = NOBODY
        self.spoken = 0
        self.b0 = self.b1 = 0
        self.contract = NOBODY
        self.declarer = NOBODY
        self.king = NOBODY
        self.king_bit = 0
        self.partner = NOBODY
        self.found = sides.UNKNOWN
        self.foes = 0
        self.many = 0
        self.picked = NOBODY
        self.laid = 0
        self.laid_order = 0
        self.rest = 0
        self.exchanged = False
        self.turns = 0
        self.idle = 0
        self.claimed = 0
        self.raised = 0
        self.announcers = 0
        self.steps = 0
        self.a0 = 0
        if self.later:
            self.later = NO_TURNS
        self.tricks = 0
        self.leader = NOBODY
        self.fallen = 0
        self.trick = 0
        self.table = 0
        self.p0 = self.p1 = self.p2 = self.p3 = 0
        self.won = 0
        self.mond = NOBODY
        self.shown = False
        self.l0 = self.l1 = self.l2 = self.l3 = self.l4 = self.l5 = 0

    def tell_deal(self) -> None:
        """Tell that a deal begins, and everybody the own hand."""
        assert self.events is not None
        if self.number == 1:
            self.events.append(MatchStarted(self.rules.options))
        self.events.append(
            DealStarted(
                int(self.number), int(self.dealer), self.totals(), self.all_radelci(), self.compulsory
            )
        )
        for seat in range(SEATS):
            self.events.append(Dealt(seat, self.dealt(seat)))


def some_of(cards: i64, many: i64, dice: Dice) -> i64:
    """Return *many* of *cards* at random, every choice as likely as another.

    A random half of them, however many it holds, is as good as any other half; what it has too many or
    too few is then taken out or added one by one.
    """
    half = cards & (dice.below(HALF_WORD) * HALF_WORD + dice.below(HALF_WORD))
    held = count(half)
    while held > many:
        half &= ~bit(nth(half, dice.below(held)))
        held -= 1
    while held < many:
        rest = cards & ~half
        half |= bit(dice.one_of(rest))
        held += 1
    return half
