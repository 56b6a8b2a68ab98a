"""The scores of piles, deals and matches of Tarock (R2, R11, R12, R13).

A `DealResult` holds the few numbers that determine a score; the same functions compute the score and, on
request, its lines. Compiled, a deal is scored without creating a list.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import NOTHING, count
from croupier.games.tarock import facts
from croupier.games.tarock.contracts import ALL, CONTRACTS, FEW, NONE, SOLO_WITHOUT, VALAT
from croupier.games.tarock.vocabulary import (
    ANNOUNCED,
    B_VALAT,
    CONTRACT_NAMES,
    ITEMS,
    JACKS,
    KINGS,
    KNIGHTS,
    NOBODY,
    QUEENS,
    SEATS,
    SILENT,
    SUITS,
    TRICKS,
    TRULA,
    TarockRules,
    seat_or_none,
)


def points(pile: i64) -> i64:
    """Return the points of *pile*: minus two for every three cards, minus one for a rest (R2.2)."""
    many = count(pile)
    infos = many + 4 * count(pile & (KINGS | TRULA)) + 3 * count(pile & QUEENS)
    infos += 2 * count(pile & KNIGHTS) + count(pile & JACKS)
    return infos - 2 * (many // 3) - (1 if many % 3 else 0)


def rounded(number: i64, unit: i64) -> i64:
    """Return the multiple of *unit* (5 or 1) nearest to *number*, which is not negative."""
    return (number + unit // 2) // unit * unit


def factor(steps: i64, item: i64) -> i64:
    """Return the factor of *item*; *steps* counts its doublings, packed, three bits per item."""
    return 1 << (steps >> 3 * item & 7)


class Line:
    """One line of a deal's score: it includes kontra, not the radelc."""

    def __init__(
        self,
        item: int,
        score: int,
        kontra: int,
        value: int = 0,
        difference: int = 0,
        announced: bool = False,
        by: int = NOBODY,
        made: bool = True,
    ) -> None:
        self.item = item
        """A place in ITEMS: the game or a bonus."""
        self.score = score
        self.kontra = kontra
        self.value = value
        self.difference = difference
        self.announced = announced
        self.by = by
        """The seat that announced the bonus or, unannounced, played the ultimo's card; otherwise NOBODY."""
        self.made = made

    def fact(self) -> facts.Line:
        if self.item == 0:
            return facts.Line(
                item=ITEMS[0],
                value=self.value,
                difference=self.difference,
                kontra=self.kontra,
                score=self.score,
            )
        return facts.Line(
            item=ITEMS[self.item],
            announced=self.announced,
            by=seat_or_none(self.by),
            made=self.made,
            kontra=self.kontra,
            score=self.score,
        )


class DealResult:
    """The result of one deal."""

    def __init__(self, rules: TarockRules, contract: i64, declarer: i64, partner: i64, king: i64) -> None:
        self.rules = rules
        self.contract = contract
        self.declarer = declarer
        self.partner = partner
        self.king = king
        """The suit that was called, or -1."""
        bonuses = CONTRACTS[int(contract)].bonuses
        self.rich: bool = bonuses or (contract == SOLO_WITHOUT and rules.rich_without)
        """Whether difference and bonuses count."""
        # The numbers that determine the score.
        self.side: i64 = 0
        """The points of declarer's side."""
        self.each: vec[i64] = NOTHING
        """The points of every seat in klop."""
        self.tricks: i64 = 0
        """How many tricks declarer's side has taken."""
        self.ahead: i64 = 0
        """The bonuses won by declarer's side: it made them, or the others lost an ultimo."""
        self.behind: i64 = 0
        """The bonuses won by the opponents."""
        self.failed: i64 = 0
        """The bonuses of either side that are lost ultimos."""
        self.ours: i64 = 0
        """The bonuses declarer's side has announced, and ..."""
        self.theirs: i64 = 0
        """... the opponents."""
        self.by: i64 = 0
        """The seat of each bonus in the lines, three bits each, seats from 1."""
        self.steps: i64 = 0
        """How often each item was doubled, three bits each."""
        self.mond: i64 = NOBODY
        """The seat that has lost the mond."""
        # The score: see `settle`.
        self.won: i64 = NOBODY
        """1 if declarer won the contract, 0 if not, -1 in klop, where nobody does."""
        self.doubled: i64 = 0
        """The seats whose own radelc has doubled the deal, as a mask."""
        self.gains: vec[i64] = NOTHING[:]
        """The score of each seat."""
        self.owned: vec[i64] = NOTHING
        """The radelci each seat owns after the deal."""

    # The score of declarer's side (R11).

    def made(self) -> bool:
        """Return True if declarer has made the contract itself."""
        aim = CONTRACTS[int(self.contract)].aim
        if aim == NONE:
            return self.tricks == 0
        return self.tricks == TRICKS if aim == ALL else self.side >= 36

    def value(self) -> i64:
        """Return the value of the contract."""
        return self.rules.valat_value if self.contract == VALAT else CONTRACTS[int(self.contract)].value

    def difference(self) -> i64:
        """Return the rounded difference to 35 points that is added to the value."""
        if not self.rich:
            return 0
        return rounded(self.side - 35 if self.side >= 36 else 35 - self.side, self.rules.rounding)

    def game_score(self) -> i64:
        """Return the score of the game itself, kontra included."""
        score = (self.value() + self.difference()) * factor(self.steps, 0)
        return score if self.made() else -score

    def valat_score(self) -> i64:
        """Return the score of a valat that replaces everything else, or 0 (R11.5)."""
        if not self.rich:
            return 0
        value: i64 = ANNOUNCED[B_VALAT]
        if self.ours >> B_VALAT & 1:
            value *= factor(self.steps, B_VALAT + 1)
            return value if self.tricks == TRICKS else -value
        if self.theirs >> B_VALAT & 1:
            value *= factor(self.steps, B_VALAT + 1)
            return -value if self.tricks == 0 else value
        value = SILENT[B_VALAT] * factor(self.steps, 0)
        if self.tricks == TRICKS:
            return value
        return -value if self.tricks == 0 else 0

    def bonus_score(self, bonus: i64) -> i64:
        """Return the score of one of the other bonuses (R11.4)."""
        ahead = self.ahead >> bonus & 1
        behind = self.behind >> bonus & 1
        if self.ours >> bonus & 1:
            value: i64 = ANNOUNCED[int(bonus)] * factor(self.steps, bonus + 1)
            return value if ahead else -value
        if self.theirs >> bonus & 1:
            value = ANNOUNCED[int(bonus)] * factor(self.steps, bonus + 1)
            return -value if behind else value
        if self.failed >> bonus & 1 and not self.rules.ultimo_costs:
            return 0
        return (ahead - behind) * SILENT[int(bonus)]

    def total(self) -> i64:
        """Return the score of declarer's side, without the radelc."""
        score = self.valat_score()
        if score:
            return score
        score = self.game_score()
        if self.rich:
            bonus: i64 = 0
            while bonus < B_VALAT:
                score += self.bonus_score(bonus)
                bonus += 1
        return score

    def lines(self) -> list[Line]:
        """Return the lines of the deal's score; klop has none."""
        if CONTRACTS[int(self.contract)].aim == FEW:
            return []
        valat = self.valat_score()
        if valat:
            announced = (self.ours | self.theirs) >> B_VALAT & 1 == 1
            item = B_VALAT + 1 if announced else 0
            made = valat > 0 if not self.theirs >> B_VALAT & 1 else valat < 0
            kontra = int(factor(self.steps, item))
            by = self._by(B_VALAT) if announced else NOBODY
            return [
                Line(B_VALAT + 1, int(valat), kontra, announced=announced, by=by, made=made or not announced)
            ]
        kontra = int(factor(self.steps, 0))
        lines = [Line(0, int(self.game_score()), kontra, int(self.value()), int(self.difference()))]
        if self.rich:
            for bonus in range(B_VALAT):
                score = self.bonus_score(bonus)
                if score:
                    lines.append(self._bonus_line(bonus, int(score)))
        return lines

    def _bonus_line(self, bonus: int, score: int) -> Line:
        announced = (self.ours | self.theirs) >> bonus & 1 == 1
        if self.ours >> bonus & 1:
            made = score > 0
        elif self.theirs >> bonus & 1:
            made = score < 0
        else:
            made = not self.failed >> bonus & 1
        kontra = int(factor(self.steps, bonus + 1)) if announced else 1
        return Line(bonus + 1, score, kontra, announced=announced, by=self._by(bonus), made=made)

    def _by(self, bonus: int) -> int:
        return int(self.by >> 3 * bonus & 7) - 1

    # Everyone's score (R11, R12, R13).

    def settle(self, owned: vec[i64]) -> None:
        """Compute scores and radelci from the radelci everyone owned before."""
        rules = self.rules
        self.owned = owned[:] if rules.radelci else owned
        kind = CONTRACTS[int(self.contract)]
        if kind.aim == FEW:
            self._settle_klop()
        else:
            self._settle_side()
        if rules.radelci and (kind.radelc or self.valat_score()):
            seat: i64 = 0
            while seat < SEATS:
                self.owned[seat] += 1
                seat += 1
        if self.mond >= 0:
            self.gains[self.mond] -= rules.mond_penalty

    def _settle_side(self) -> None:
        total = self.total()
        valat = self.valat_score()
        self.won = 1 if valat > 0 or (valat == 0 and self.made()) else 0
        if self.rules.radelci and self.owned[self.declarer] > 0:
            self.doubled = 1 << self.declarer
            total += total
            if self.won == 1:
                self.owned[self.declarer] -= 1  # R13.2
        self.gains[self.declarer] += total
        if self.partner >= 0:
            if self.rules.half_share:
                # Rounded toward zero; // would round down.
                total = total // 2 if total >= 0 else -(-total // 2)
            self.gains[self.partner] += total

    def _settle_klop(self) -> None:
        """Score a klop (R11.7): seats above 35 points or without a trick; if there are none, all seats."""
        each = self.each
        full = each[0] > 35 or each[1] > 35 or each[2] > 35 or each[3] > 35
        none = each[0] == 0 or each[1] == 0 or each[2] == 0 or each[3] == 0
        seat: i64 = 0
        while seat < SEATS:
            taken = each[seat]
            score: i64 = 0
            if taken == 0:
                score = 70
            elif taken > 35:
                score = -70
            elif not (full or none):
                score = -rounded(taken, self.rules.rounding)
            if self.rules.radelc_klop and self.rules.radelci and self.owned[seat] > 0:
                self.doubled |= 1 << seat
                score += score
                if score > 0:
                    self.owned[seat] -= 1
            self.gains[seat] += score
            seat += 1

    # For people.

    def points(self) -> list[int]:
        """Return the points of both sides; of every seat in klop; [] if points do not count."""
        aim = CONTRACTS[int(self.contract)].aim
        if aim == FEW:
            return [int(points) for points in self.each]
        return [] if aim in (NONE, ALL) else [int(self.side), int(70 - self.side)]

    def scores(self) -> list[int]:
        """Return the score of each seat, including radelc and mond."""
        return [int(score) for score in self.gains]

    def radelci(self) -> list[int]:
        """Return the radelci each seat owns after the deal."""
        return [int(many) for many in self.owned]

    def mond_penalties(self) -> list[int]:
        """Return the cost of a lost mond for each seat."""
        return [-int(self.rules.mond_penalty) if seat == self.mond else 0 for seat in range(SEATS)]

    def fact(self) -> facts.DealResult:
        return facts.DealResult(
            contract=CONTRACT_NAMES[int(self.contract)],
            declarer=int(self.declarer),
            partner=seat_or_none(int(self.partner)),
            king=SUITS[int(self.king)] if self.king >= 0 else None,
            won=None if self.won < 0 else self.won == 1,
            points=self.points(),
            lines=[line.fact() for line in self.lines()],
            doubled=[seat for seat in range(SEATS) if self.doubled >> seat & 1],
            mond=self.mond_penalties(),
            scores=self.scores(),
            radelci=self.radelci(),
        )


def final_scores(totals: list[int], radelci: list[int], rules: TarockRules) -> list[int]:
    """Return the totals minus the cost of the remaining radelci (R13.3)."""
    return [total - own * int(rules.radelc_end) for total, own in zip(totals, radelci, strict=True)]


def ranking(final: list[int]) -> list[list[int]]:
    """Return the seats from the best to the worst, those with equal scores together (R13.4)."""
    scores = sorted(set(final), reverse=True)
    return [[seat for seat in range(SEATS) if final[seat] == score] for score in scores]
