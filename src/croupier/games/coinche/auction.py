"""The auction: whose turn it is, legal calls, and when it ends (R4)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import count, nth
from croupier.games.coinche.vocabulary import (
    CAPOT,
    COINCHE,
    CONTRACT,
    KINDS,
    PASS,
    SURCOINCHE,
    CoincheRules,
)

NOBODY: Final = -1
NO_CONTRACT: Final = -1


class Auction:
    """One auction. It does not change once it is over."""

    def __init__(self, rules: CoincheRules, first: i64) -> None:
        self.rules = rules
        self.turn: i64 = first
        """The seat whose turn it is, or NOBODY when the auction is over."""
        self.level: i64 = NO_CONTRACT
        self.denomination: i64 = NO_CONTRACT
        self.bidder: i64 = NOBODY
        self.doubled: i64 = 0
        """1 once the contract is coinched, 2 once it is surcoinched."""
        self.open: i64 = rules.levels
        """The levels that may still be bid, as a mask."""
        self.passes: i64 = 0
        """Passes in a row."""
        self.calls: list[int] = []
        """All calls, each ``action * 4 + seat``."""

    def clone(self) -> Auction:
        """Return an independent copy."""
        twin = Auction(self.rules, self.turn)
        twin.level = self.level
        twin.denomination = self.denomination
        twin.bidder = self.bidder
        twin.doubled = self.doubled
        twin.open = self.open
        twin.passes = self.passes
        twin.calls = self.calls[:]
        return twin

    def passed_out(self) -> bool:
        """Return True if all four have passed without a contract (R4.4)."""
        return self.turn == NOBODY and self.level == NO_CONTRACT

    # Legal calls.

    def may_coinche(self) -> bool:
        """Return True if the seat whose turn it is may coinche (R4.2)."""
        return self.doubled == 0 and self.bidder != NOBODY and (self.bidder ^ self.turn) & 1 == 1

    def may_surcoinche(self) -> bool:
        """Return True if a surcoinche is legal: after a coinche only the contract's team is asked (R4.3)."""
        return self.doubled == 1

    def choices(self) -> i64:
        """Return the number of legal calls."""
        many = 1 + count(self.open) * self.rules.kinds
        return many + 1 if self.may_coinche() or self.may_surcoinche() else many

    def choice(self, k: i64) -> i64:
        """Return the *k*-th legal call, ascending."""
        if k == 0:
            return PASS
        if self.may_surcoinche():
            return SURCOINCHE
        if self.may_coinche():
            if k == 1:
                return COINCHE
            k -= 1
        k -= 1
        kinds = self.rules.kinds
        return CONTRACT + KINDS * nth(self.open, k // kinds) + k % kinds

    def allows(self, action: i64) -> bool:
        """Return True if the seat whose turn it is may make this call."""
        if action >= CONTRACT:
            level = (action - CONTRACT) // KINDS
            return self.open >> level & 1 == 1 and (action - CONTRACT) % KINDS < self.rules.kinds
        if action == PASS:
            return True
        return self.may_coinche() if action == COINCHE else self.may_surcoinche()

    # Making a call.

    def call(self, action: i64) -> None:
        """Make a legal call for the seat whose turn it is."""
        self.calls.append(int(action * 4 + self.turn))
        if action == PASS:
            self._pass()
        elif action == COINCHE:
            self.doubled = 1
            self.open = 0
            self.passes = 0
            self.turn = (self.turn + 1) & 3  # R4.3: the contract's team answers
        elif action == SURCOINCHE:
            self.doubled = 2
            self.turn = NOBODY
        else:
            self._bid((action - CONTRACT) // KINDS, (action - CONTRACT) % KINDS)

    def _pass(self) -> None:
        self.passes += 1
        if self.doubled == 1 and self.passes < 2:
            self.turn = (self.turn + 2) & 3
        elif self.doubled == 1:
            self.turn = NOBODY
        elif self.passes < 3 or (self.passes == 3 and self.level == NO_CONTRACT):
            self.turn = (self.turn + 1) & 3
        else:
            self.turn = NOBODY

    def _bid(self, level: i64, denomination: i64) -> None:
        self.level = level
        self.denomination = denomination
        self.bidder = self.turn
        self.passes = 0
        # R4.5: after a capot nothing more is bid, even if it does not end the auction.
        self.open = 0
        if level < CAPOT:
            self.open = self.rules.levels & ~((2 << level) - 1)
        closes = self.rules.capot_closes if level == CAPOT else self.rules.generale_closes
        self.turn = (self.turn + 1) & 3
        if level >= CAPOT and closes:
            self.turn = NOBODY
