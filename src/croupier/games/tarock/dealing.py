"""The beginning of a deal: resetting the position, and the events (R3)."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import NOTHING
from croupier.games.tarock import sides
from croupier.games.tarock.ending import TarockEnding
from croupier.games.tarock.events import DealStarted, Dealt, MatchStarted
from croupier.games.tarock.position import NO_TURNS
from croupier.games.tarock.vocabulary import NOBODY, SEATS, TRICKS


class TarockDealing(TarockEnding):
    """Adds the reset for the next deal; `TarockState` adds the rules."""

    def clear(self) -> None:
        """Reset everything that belongs to the last deal."""
        self.hands = self.dealt[:]
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
        self.piles = NOTHING[:]
        self.won = 0
        self.mond = NOBODY
        self.shown = False
        self.played = vec[i64]([0] * TRICKS)

    def tell_deal(self) -> None:
        """Write the events of a new deal, with each seat's hand to that seat."""
        assert self.events is not None
        if self.number == 1:
            self.events.append(MatchStarted(self.rules.options))
        self.events.append(
            DealStarted(
                int(self.number), int(self.dealer), self.totals(), self.all_radelci(), self.compulsory
            )
        )
        for seat in range(SEATS):
            self.events.append(Dealt(seat, self.dealt[seat]))
