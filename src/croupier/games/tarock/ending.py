"""The end of a deal and of a match: what was taken, what it is worth, who is told (R11, R12, R13)."""

from __future__ import annotations

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
    """A match whose deals can be scored; `TarockState` plays them."""

    def player_of(self, card: i64) -> i64:
        """Return who has played *card* to the trick on the table."""
        at: i64 = 0
        while self.trick >> 6 * at & 63 != card:
            at += 1
        return (self.leader + at) & 3

    def _tricks_of(self, seat: i64) -> i64:
        return self.won >> 4 * seat & 15

    def end_deal(self) -> None:
        """Score the deal, whose last trick lies on the table."""
        result = DealResult(self.rules, self.contract, self.declarer, self.partner, self.king)
        if self.contract == KLOP:
            result.p0 = points(self.p0)
            result.p1 = points(self.p1)
            result.p2 = points(self.p2)
            result.p3 = points(self.p3)
        else:
            taken = self.pile(self.declarer) | self.laid
            result.tricks = self._tricks_of(self.declarer)
            if self.partner >= 0:
                taken |= self.pile(self.partner)
                result.tricks += self._tricks_of(self.partner)
            result.p0 = points(taken)
            result.steps = self.steps
            if result.rich():
                self._count_bonuses(result, taken)
        result.mond = self.declarer if self.rest & MOND_BIT else self.mond  # R12
        result.settle(self.r0, self.r1, self.r2, self.r3)
        self._close_deal(result)

    def _count_bonuses(self, result: DealResult, taken: i64) -> None:
        """Note how the bonuses came out; declarer's side has *taken* these cards."""
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
        """Note an ultimo whose card *player* has played to the last trick."""
        if self._ours(player) == made:
            result.ahead |= 1 << bonus
        else:
            result.behind |= 1 << bonus
        if not made:
            result.failed |= 1 << bonus
        if not result.by >> 3 * bonus & 7:
            result.by |= (player + 1) << 3 * bonus

    def _ours(self, seat: i64) -> bool:
        """Say whether *seat* is on declarer's side."""
        return seat == self.declarer or (self.partner >= 0 and seat == self.partner)

    def _close_deal(self, result: DealResult) -> None:
        self.s0 += result.s0
        self.s1 += result.s1
        self.s2 += result.s2
        self.s3 += result.s3
        self.r0 = result.r0
        self.r1 = result.r1
        self.r2 = result.r2
        self.r3 = result.r3
        self.ended += 1
        self.leader = self.winner
        self.fallen = 0
        self.trick = 0
        self.table = 0
        self.turn = NOBODY
        self.phase = OVER if self.number == self.rules.deals else DEALING
        if self.contract != KLOP:
            self.found = self.partner
        # A new list rather than append: a clone shares the old one.
        self.results = [*self.results, result]
        if self.events is not None:
            self._tell_end(result)

    def _tell_end(self, result: DealResult) -> None:
        assert self.events is not None
        talon = unpack(self.talon, 6)
        rest: list[int] = []
        if self.picked >= 0:
            taken = self.talon_set(self.picked)
            rest = [card for card in talon if not taken & bit(card)]
        hands: list[i64] = [self.d0, self.d1, self.d2, self.d3]
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
        """Make a fresh state one whose deals with these *results* are played; *void* ones came after."""
        assert self.number == 0, "only a fresh state can be resumed"
        self.results = results
        self.number = len(results)
        self.ended = len(results)
        self.void = void
        for result in results:
            self.s0 += result.s0
            self.s1 += result.s1
            self.s2 += result.s2
            self.s3 += result.s3
            self.r0 = result.r0
            self.r1 = result.r1
            self.r2 = result.r2
            self.r3 = result.r3
