"""What piles, deals and matches of Tarock are worth (R2, R11, R12, R13).

A `DealResult` holds the few numbers a score rests on; the score itself and, for whoever asks, its lines
are worked out from them by the same functions. Compiled, a deal is scored without making a list.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import count
from croupier.core.contract import Plain
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
    """Return what *pile* counts as a whole: in threes, minus two each, minus one for a rest (R2.2)."""
    many = count(pile)
    faces = many + 4 * count(pile & (KINGS | TRULA)) + 3 * count(pile & QUEENS)
    faces += 2 * count(pile & KNIGHTS) + count(pile & JACKS)
    return faces - 2 * (many // 3) - (1 if many % 3 else 0)


def rounded(number: i64, unit: i64) -> i64:
    """Return the multiple of *unit* (5 or 1) nearest to *number*, which is not negative."""
    return (number + unit // 2) // unit * unit


def factor(steps: i64, item: i64) -> i64:
    """Return what an item counts that was doubled so often; *steps* are packed, three bits an item."""
    return 1 << (steps >> 3 * item & 7)


class Line:
    """One line of the account of a deal: its score contains kontra, not the radelc."""

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
        """Who announced the bonus or, unannounced, played the card it hangs on; NOBODY if no single seat."""
        self.made = made

    def plain(self) -> Plain:
        if self.item == 0:
            return {
                "item": ITEMS[0],
                "value": self.value,
                "difference": self.difference,
                "kontra": self.kontra,
                "score": self.score,
            }
        return {
            "item": ITEMS[self.item],
            "announced": self.announced,
            "by": seat_or_none(self.by),
            "made": self.made,
            "kontra": self.kontra,
            "score": self.score,
        }


class DealResult:
    """How one deal ended."""

    def __init__(self, rules: TarockRules, contract: i64, declarer: i64, partner: i64, king: i64) -> None:
        self.rules = rules
        self.contract = contract
        self.declarer = declarer
        self.partner = partner
        self.king = king
        """The suit that was called, or -1."""
        # What the score rests on.
        self.p0: i64 = 0
        self.p1: i64 = 0
        self.p2: i64 = 0
        self.p3: i64 = 0
        """``p0`` to ``p3``: the points of every seat in klop; else ``p0`` those of declarer's side."""
        self.tricks: i64 = 0
        """How many tricks declarer's side has taken."""
        self.ahead: i64 = 0
        """The bonuses that came out for declarer's side: it made them, or the others lost an ultimo."""
        self.behind: i64 = 0
        """Those that came out for the opponents."""
        self.failed: i64 = 0
        """Those of both that are lost ultimos."""
        self.ours: i64 = 0
        """The bonuses declarer's side has announced, and ..."""
        self.theirs: i64 = 0
        """... the opponents."""
        self.by: i64 = 0
        """A seat for each bonus in the account, three bits each, seats from 1."""
        self.steps: i64 = 0
        """How often each item was doubled, three bits each."""
        self.mond: i64 = NOBODY
        """Who has lost the mond."""
        # What it comes to: see `settle`.
        self.won: i64 = NOBODY
        """1 if declarer won the contract, 0 if not, -1 in klop, where nobody does."""
        self.doubled: i64 = 0
        """The seats whose own radelc has doubled the deal, as a mask."""
        self.s0: i64 = 0
        self.s1: i64 = 0
        self.s2: i64 = 0
        self.s3: i64 = 0
        """``s0`` to ``s3``: what each seat scores."""
        self.r0: i64 = 0
        self.r1: i64 = 0
        self.r2: i64 = 0
        self.r3: i64 = 0
        """``r0`` to ``r3``: the radelci each seat owns after the deal."""

    # The score of declarer's side (R11).

    def rich(self) -> bool:
        """Say whether difference and bonuses count."""
        kind = CONTRACTS[int(self.contract)]
        return kind.bonuses or (self.contract == SOLO_WITHOUT and self.rules.rich_without)

    def made(self) -> bool:
        """Say whether declarer has made the contract itself."""
        aim = CONTRACTS[int(self.contract)].aim
        if aim == NONE:
            return self.tricks == 0
        return self.tricks == TRICKS if aim == ALL else self.p0 >= 36

    def value(self) -> i64:
        """Return the value of the contract."""
        return self.rules.valat_value if self.contract == VALAT else CONTRACTS[int(self.contract)].value

    def difference(self) -> i64:
        """Return what is added to the value for points beyond or short of 35."""
        if not self.rich():
            return 0
        return rounded(self.p0 - 35 if self.p0 >= 36 else 35 - self.p0, self.rules.rounding)

    def game_score(self) -> i64:
        """Return the score of the game itself, kontra included."""
        score = (self.value() + self.difference()) * factor(self.steps, 0)
        return score if self.made() else -score

    def valat_score(self) -> i64:
        """Return the score of a valat that replaces everything else, or 0 (R11.5)."""
        if not self.rich():
            return 0
        value: i64 = ANNOUNCED[B_VALAT]
        if self.ours >> B_VALAT & 1:
            value *= factor(self.steps, B_VALAT + 1)
            return value if self.tricks == TRICKS else -value
        if self.theirs >> B_VALAT & 1:
            value *= factor(self.steps, B_VALAT + 1)
            return -value if self.tricks == 0 else value
        value = SILENT[B_VALAT] * factor(self.steps, 0)
        return value if self.tricks == TRICKS else -value if self.tricks == 0 else 0

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
        if self.rich():
            bonus: i64 = 0
            while bonus < B_VALAT:
                score += self.bonus_score(bonus)
                bonus += 1
        return score

    def lines(self) -> list[Line]:
        """Return the account of the deal, line by line; klop has none."""
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
        if self.rich():
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

    # Everybody's score (R11, R12, R13).

    def settle(self, r0: i64, r1: i64, r2: i64, r3: i64) -> None:
        """Work out scores and radelci, given the radelci everybody owned before."""
        rules = self.rules
        self.r0 = r0
        self.r1 = r1
        self.r2 = r2
        self.r3 = r3
        kind = CONTRACTS[int(self.contract)]
        if kind.aim == FEW:
            self._settle_klop()
        else:
            self._settle_side()
        if rules.radelci and (kind.radelc or self.valat_score()):
            self.r0 += 1
            self.r1 += 1
            self.r2 += 1
            self.r3 += 1
        if self.mond >= 0:
            self._add(self.mond, -rules.mond_penalty)

    def _settle_side(self) -> None:
        total = self.total()
        valat = self.valat_score()
        self.won = 1 if valat > 0 or (valat == 0 and self.made()) else 0
        if self.rules.radelci and self._radelci_of(self.declarer) > 0:
            self.doubled = 1 << self.declarer
            total += total
            if self.won == 1:
                self._take_radelc(self.declarer)  # R13.2
        self._add(self.declarer, total)
        if self.partner >= 0:
            if self.rules.half_share:
                # Rounded toward zero, where // would round down.
                total = total // 2 if total >= 0 else -(-total // 2)
            self._add(self.partner, total)

    def _settle_klop(self) -> None:
        """R11.7: who is full or took nothing scores alone; otherwise everybody loses his points."""
        full = self.p0 > 35 or self.p1 > 35 or self.p2 > 35 or self.p3 > 35
        none = self.p0 == 0 or self.p1 == 0 or self.p2 == 0 or self.p3 == 0
        seat: i64 = 0
        while seat < SEATS:
            taken = self.p0 if seat == 0 else self.p1 if seat == 1 else self.p2 if seat == 2 else self.p3
            score: i64 = 0
            if taken == 0:
                score = 70
            elif taken > 35:
                score = -70
            elif not (full or none):
                score = -rounded(taken, self.rules.rounding)
            if self.rules.radelc_klop and self.rules.radelci and self._radelci_of(seat) > 0:
                self.doubled |= 1 << seat
                score += score
                if score > 0:
                    self._take_radelc(seat)
            self._add(seat, score)
            seat += 1

    def _add(self, seat: i64, score: i64) -> None:
        if seat == 0:
            self.s0 += score
        elif seat == 1:
            self.s1 += score
        elif seat == 2:
            self.s2 += score
        else:
            self.s3 += score

    def _radelci_of(self, seat: i64) -> i64:
        return self.r0 if seat == 0 else self.r1 if seat == 1 else self.r2 if seat == 2 else self.r3

    def _take_radelc(self, seat: i64) -> None:
        if seat == 0:
            self.r0 -= 1
        elif seat == 1:
            self.r1 -= 1
        elif seat == 2:
            self.r2 -= 1
        else:
            self.r3 -= 1

    # For people.

    def points(self) -> list[int]:
        """Return the points of declarer's side and of the others; of every seat in klop; else none."""
        aim = CONTRACTS[int(self.contract)].aim
        if aim == FEW:
            return [int(self.p0), int(self.p1), int(self.p2), int(self.p3)]
        return [] if aim in (NONE, ALL) else [int(self.p0), int(70 - self.p0)]

    def scores(self) -> list[int]:
        """Return what each seat scores, radelc and mond included."""
        return [int(self.s0), int(self.s1), int(self.s2), int(self.s3)]

    def radelci(self) -> list[int]:
        """Return the radelci each seat owns after the deal."""
        return [int(self.r0), int(self.r1), int(self.r2), int(self.r3)]

    def mond_penalties(self) -> list[int]:
        """Return what losing the mond has cost each seat."""
        return [-int(self.rules.mond_penalty) if seat == self.mond else 0 for seat in range(SEATS)]

    def plain(self) -> Plain:
        return {
            "contract": CONTRACT_NAMES[int(self.contract)],
            "declarer": int(self.declarer),
            "partner": seat_or_none(int(self.partner)),
            "king": SUITS[int(self.king)] if self.king >= 0 else None,
            "won": None if self.won < 0 else self.won == 1,
            "points": self.points(),
            "lines": [line.plain() for line in self.lines()],
            "doubled": [seat for seat in range(SEATS) if self.doubled >> seat & 1],
            "mond": self.mond_penalties(),
            "scores": self.scores(),
            "radelci": self.radelci(),
        }


def final_scores(totals: list[int], radelci: list[int], rules: TarockRules) -> list[int]:
    """Return the totals less what the radelci left cost (R13.3)."""
    return [total - own * int(rules.radelc_end) for total, own in zip(totals, radelci, strict=True)]


def ranking(final: list[int]) -> list[list[int]]:
    """Return the seats from the best to the worst, those with equal scores together (R13.4)."""
    scores = sorted(set(final), reverse=True)
    return [[seat for seat in range(SEATS) if final[seat] == score] for score in scores]
