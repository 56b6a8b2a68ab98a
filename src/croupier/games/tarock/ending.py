"""The end of a deal and of a match: piles, scores, events (R11, R12, R13)."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, unpack
from croupier.games.tarock import sides
from croupier.games.tarock.contracts import KLOP
from croupier.games.tarock.events import DealEnded, MatchEnded
from croupier.games.tarock.position import TarockPosition
from croupier.games.tarock.scoring import DealResult, final_scores, points, ranking
from croupier.games.tarock.vocabulary import (
    B_KING,
    B_KINGS,
    B_PAGAT,
    B_TRULA,
    B_VALAT,
    DEALING,
    KINGS,
    MOND_BIT,
    NOBODY,
    OVER,
    PAGAT,
    PAGAT_BIT,
    TRULA,
)


class TarockEnding(TarockPosition):
    """Adds the scoring of deals; `TarockState` adds the rules."""

    def player_of(self, card: i64) -> i64:
        """Return the seat that has played *card* to the current trick."""
        at: i64 = 0
        while self.trick >> 6 * at & 63 != card:
            at += 1
        return (self.leader + at) & 3

    def _tricks_of(self, seat: i64) -> i64:
        return self.won >> 4 * seat & 15

    def end_deal(self) -> None:
        """Score the deal after its last trick."""
        result = DealResult(self.rules, self.contract, self.declarer, self.partner, self.king)
        if self.contract == KLOP:
            piles = self.piles
            result.each = vec[i64]([points(piles[0]), points(piles[1]), points(piles[2]), points(piles[3])])
        else:
            taken = self.piles[self.declarer] | self.laid
            result.tricks = self._tricks_of(self.declarer)
            if self.partner >= 0:
                taken |= self.piles[self.partner]
                result.tricks += self._tricks_of(self.partner)
            result.side = points(taken)
            result.steps = self.steps
            if result.rich:
                self._count_bonuses(result, taken)
        result.mond = self.declarer if self.rest & MOND_BIT else self.mond  # R12
        result.settle(self.owned)
        self._close_deal(result)

    def _count_bonuses(self, result: DealResult, taken: i64) -> None:
        """Record the outcome of the bonuses; declarer's side has *taken* these cards."""
        bonus: i64 = 0
        while self.announcers and bonus <= B_VALAT:
            seat = sides.announcer(self.announcers, bonus)
            if seat >= 0:
                result.by |= (seat + 1) << 3 * bonus
                if self._ours(seat):
                    result.ours |= 1 << bonus
                else:
                    result.theirs |= 1 << bonus
            bonus += 1
        if taken & TRULA == TRULA:
            result.ahead |= 1 << B_TRULA
        elif taken & TRULA == 0:
            result.behind |= 1 << B_TRULA
        if taken & KINGS == KINGS:
            result.ahead |= 1 << B_KINGS
        elif taken & KINGS == 0:
            result.behind |= 1 << B_KINGS
        if self.table & self.king_bit:
            self._count_ultimo(result, B_KING, self.player_of(8 * self.king + 7), self._ours(self.winner))
        if self.table & PAGAT_BIT:
            self._count_ultimo(result, B_PAGAT, self.player_of(PAGAT), self.best == PAGAT)

    def _count_ultimo(self, result: DealResult, bonus: i64, player: i64, made: bool) -> None:
        """Record the outcome of an ultimo whose card *player* has played to the last trick."""
        if self._ours(player) == made:
            result.ahead |= 1 << bonus
        else:
            result.behind |= 1 << bonus
        if not made:
            result.failed |= 1 << bonus
        if not result.by >> 3 * bonus & 7:
            result.by |= (player + 1) << 3 * bonus

    def _ours(self, seat: i64) -> bool:
        """Return True if *seat* is on declarer's side."""
        return seat == self.declarer or (self.partner >= 0 and seat == self.partner)

    def _enter(self, result: DealResult) -> None:
        """Add a result to the totals."""
        sums = self.sums
        gains = result.gains
        self.sums = vec[i64]([sums[0] + gains[0], sums[1] + gains[1], sums[2] + gains[2], sums[3] + gains[3]])
        self.owned = result.owned

    def _close_deal(self, result: DealResult) -> None:
        self._enter(result)
        self.ended += 1
        self.leader = self.winner
        self.fallen = 0
        self.trick = 0
        self.table = 0
        self.turn = NOBODY
        self.phase = OVER if self.number == self.rules.deals else DEALING
        if self.contract != KLOP:
            self.found = self.partner
        self.last = result
        if self.events is not None:
            self._tell_end(result)

    def _tell_end(self, result: DealResult) -> None:
        assert self.events is not None
        talon = unpack(self.talon, 6)
        rest: list[int] = []
        if self.picked >= 0:
            taken = self.talon_set(self.picked)
            rest = [card for card in talon if not taken & bit(card)]
        hands = list(self.dealt)
        self.events.append(
            DealEnded(int(self.number), result, self.totals(), self.discarded(), rest, hands, talon)
        )
        if self.phase == OVER:
            final = self.scores()
            self.events.append(MatchEnded(self.totals(), self.all_radelci(), final, ranking(final)))

    def deal(self) -> int:
        return int(self.ended)

    def scores(self) -> list[int]:
        totals = self.totals()
        return final_scores(totals, self.all_radelci(), self.rules) if self.phase == OVER else totals

    # For sampling and tests.

    def resume(self, results: list[DealResult], void: bool) -> None:
        """Set a fresh state to the point after deals with these *results*; *void* if void deals followed."""
        assert self.number == 0, "only a fresh state can be resumed"
        self.books = results
        self.number = len(results)
        self.ended = len(results)
        self.void = void
        for result in results:
            self._enter(result)
