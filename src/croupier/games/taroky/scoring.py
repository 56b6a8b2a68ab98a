"""The settlement of a deal of Taroky (R13): one number, X, is what each opponent pays each declarer."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, count
from croupier.games.taroky import facts
from croupier.games.taroky.vocabulary import FIVES, JACKS, NOBODY, PAGAT, QUEENS, RIDERS, SEATS, TRUMPS


def points(cards: i64) -> i64:
    """Return the card points of a set; the whole deck has 106."""
    return (
        count(cards)
        + 4 * count(cards & FIVES)
        + 3 * count(cards & QUEENS)
        + 2 * count(cards & RIDERS)
        + count(cards & JACKS)
    )


class Outcome:
    """The facts that determine the settlement of a deal."""

    def __init__(self, declarers: i64, prever: bool) -> None:
        self.declarers: i64 = declarers
        """The declaring side as a mask of seats."""
        self.prever = prever
        self.half: i64 = 1
        """The factor of a lost prever: 1, 2 or 4."""
        self.points: i64 = 0
        """The card points of the declaring side."""
        self.tricks: i64 = 1
        """The tricks of the declaring side."""
        self.valat: i64 = NOBODY
        """The seat that announced valat."""
        self.contras: i64 = 0
        self.iote: i64 = NOBODY
        """The seat that announced the I on the end."""
        self.pagat: i64 = NOBODY
        """The seat that held T01 when the play began."""
        self.last: i64 = 0
        """The cards of the twelfth trick."""
        self.contra_on_valat = True


def valat_value(outcome: Outcome) -> i64:
    """Return X of a valat before contra, or 0 if none was announced or made."""
    if outcome.valat != NOBODY:
        value: i64 = 60 if outcome.prever else 40
        if outcome.declarers >> outcome.valat & 1:
            return value if outcome.tricks == 12 else -value
        return -value if outcome.tricks == 0 else value
    value = 30 if outcome.prever else 20
    return value if outcome.tricks == 12 else -value if outcome.tricks == 0 else 0


def base_value(outcome: Outcome) -> i64:
    """Return the value of the distance to 53 points, halves rounded up."""
    distance = outcome.points - 53
    if distance < 0:
        distance = -distance
    return ((distance + 10) * (3 if outcome.prever else 2) + 5) // 10


def iote_value(outcome: Outcome) -> i64:
    """Return what the I on the end adds to X."""
    if outcome.pagat == NOBODY:
        return 0
    there = outcome.last & bit(PAGAT) != 0
    alone = outcome.last & TRUMPS == bit(PAGAT)
    value: i64 = 0
    if outcome.iote != NOBODY:
        value = 4 if alone else -4
    elif there:
        value = 2 if alone else -2
    return value if outcome.declarers >> outcome.pagat & 1 else -value


def pays(outcome: Outcome) -> i64:
    """Return X: what each opponent pays each declarer, or gets if it is negative."""
    valat = valat_value(outcome)
    if valat != 0:
        return valat << outcome.contras if outcome.contra_on_valat else valat
    value = base_value(outcome)
    won = outcome.points > 53
    if outcome.prever and not won:
        value *= outcome.half
    value <<= outcome.contras
    return (value if won else -value) + iote_value(outcome)


def payment(seat: i64, declarers: i64, x: i64) -> i64:
    """Return what *seat* receives (negative: pays) when each pair of opponents settles *x*."""
    if not declarers >> seat & 1:
        return -x
    return 3 * x if count(declarers) == 1 else x  # one against three, or two against two


def payments(declarers: i64, x: i64) -> list[int]:
    """Return what every seat receives or pays."""
    return [int(payment(seat, declarers, x)) for seat in range(SEATS)]


def steps(outcome: Outcome) -> list[tuple[str, int]]:
    """Return the steps that lead to X, in the order of the rules: each factor and addend that applies."""
    out: list[tuple[str, int]] = []
    valat = valat_value(outcome)
    if valat != 0:
        out.append(("valat", int(valat)))
        if outcome.contras and outcome.contra_on_valat:
            out.append(("contra", int(bit(outcome.contras))))
        return out
    distance = int(outcome.points - 53)
    out.append(("distance", abs(distance)))
    out.append(("base", int(base_value(outcome))))
    if outcome.prever and distance <= 0:
        out.append(("half", int(outcome.half)))
    if outcome.contras:
        out.append(("contra", int(bit(outcome.contras))))
    iote = iote_value(outcome)
    if iote:
        out.append(("iote", int(iote)))
    return out


class DealResult:
    """The result of one deal, which is public."""

    def __init__(
        self,
        povinnost: int,
        declarers: int,
        points: list[int],
        tricks: list[int],
        steps: list[tuple[str, int]],
        x: int,
        payments: list[int],
        money: list[int],
        chips: list[int],
    ) -> None:
        self.povinnost = povinnost
        self.declarers = declarers
        """The declaring side as a mask of seats."""
        self.points = points
        """The points of the declaring side and of its opponents; the tricks likewise."""
        self.tricks = tricks
        self.steps = steps
        self.x = x
        self.payments = payments
        """The payments of the settlement alone, by seat."""
        self.money = money
        """The chips that each seat has got or paid for money cards in this deal."""
        self.chips = chips
        """The chips after the deal."""

    def fact(self) -> facts.DealResult:
        return facts.DealResult(
            povinnost=self.povinnost,
            declarers=[seat for seat in range(SEATS) if self.declarers >> seat & 1],
            points=self.points[:],
            tricks=self.tricks[:],
            steps=[facts.Step(reason, value) for reason, value in self.steps],
            x=self.x,
            payments=self.payments[:],
            money=self.money[:],
            chips=self.chips[:],
        )


def ranks(chips: list[int]) -> list[int]:
    """Return the ranks of *chips*, 1 for the most; equal chips share a rank (R14)."""
    return [1 + sum(1 for other in chips if other > mine) for mine in chips]
