"""The settlement of a deal: every row of the specification's table of worked payments, and its parts."""

from __future__ import annotations

import pytest

from croupier.core.cards import mask_of
from croupier.games.taroky.legality import money_cards, money_value
from croupier.games.taroky.scoring import (
    Outcome,
    payments,
    pays,
    points,
    ranks,
    steps,
)
from croupier.games.taroky.tests.positions import cards
from croupier.games.taroky.vocabulary import WHOLE, money_names

ALONE = "T01 S1 C1 H1"
BEATEN = "T01 T21 SR T17"
WITHOUT = "SK S1 C1 T05"

# number: players of D, prever with its half, points (None: all tricks; -1: none), valat, contras,
# announced I, holder of T01, last trick, X, payments
ROWS = {
    1: ("13", "", 59, 0, 0, 0, 2, WITHOUT, 3, "+3 -3 +3 -3"),
    2: ("13", "", 47, 0, 0, 0, 2, WITHOUT, -3, "-3 +3 -3 +3"),
    3: ("13", "", 54, 0, 0, 0, 2, WITHOUT, 2, "+2 -2 +2 -2"),
    4: ("13", "", 53, 0, 0, 0, 2, WITHOUT, -2, "-2 +2 -2 +2"),
    5: ("13", "", 56, 0, 0, 0, 2, WITHOUT, 3, "+3 -3 +3 -3"),
    6: ("13", "", 63, 0, 0, 0, 2, WITHOUT, 4, "+4 -4 +4 -4"),
    7: ("13", "", 70, 0, 0, 0, 2, WITHOUT, 5, "+5 -5 +5 -5"),
    8: ("1", "", 60, 0, 0, 0, 2, WITHOUT, 3, "+9 -3 -3 -3"),
    9: ("1", "", 40, 0, 0, 0, 2, WITHOUT, -5, "-15 +5 +5 +5"),
    10: ("13", "", 45, 0, 1, 0, 2, WITHOUT, -8, "-8 +8 -8 +8"),
    11: ("13", "", 60, 0, 2, 0, 2, WITHOUT, 12, "+12 -12 +12 -12"),
    12: ("13", "", 50, 0, 3, 0, 2, WITHOUT, -24, "-24 +24 -24 +24"),
    13: ("13", "", 59, 0, 0, 0, 3, ALONE, 5, "+5 -5 +5 -5"),
    14: ("13", "", 50, 0, 0, 2, 2, WITHOUT, 1, "+1 -1 +1 -1"),
    15: ("13", "", 59, 0, 1, 1, 1, ALONE, 10, "+10 -10 +10 -10"),
    16: ("13", "", 55, 0, 0, 3, 3, BEATEN, -2, "-2 +2 -2 +2"),
    17: ("13", "", 54, 0, 0, 0, 4, BEATEN, 4, "+4 -4 +4 -4"),
    18: ("1", "T", 59, 0, 0, 0, 2, WITHOUT, 5, "+15 -5 -5 -5"),
    19: ("1", "T", 58, 0, 0, 0, 2, WITHOUT, 5, "+15 -5 -5 -5"),
    20: ("3", "B", 47, 0, 0, 0, 2, WITHOUT, -10, "+10 +10 -30 +10"),
    21: ("2", "R", 50, 0, 1, 0, 2, WITHOUT, -32, "+32 -96 +32 +32"),
    22: ("4", "R", 60, 0, 0, 0, 2, WITHOUT, 5, "-5 -5 -5 +15"),
    23: ("1", "B", 53, 0, 0, 0, 2, WITHOUT, -6, "-18 +6 +6 +6"),
    24: ("4", "T", 53, 0, 0, 0, 2, WITHOUT, -3, "+3 +3 +3 -9"),
    25: ("13", "", None, 0, 0, 0, 2, WITHOUT, 20, "+20 -20 +20 -20"),
    26: ("13", "", -1, 0, 0, 0, 2, WITHOUT, -20, "-20 +20 -20 +20"),
    27: ("2", "T", None, 0, 0, 0, 2, WITHOUT, 30, "-30 +90 -30 -30"),
    28: ("2", "R", -1, 0, 0, 0, 2, WITHOUT, -30, "+30 -90 +30 +30"),
    29: ("13", "", None, 3, 0, 0, 2, WITHOUT, 40, "+40 -40 +40 -40"),
    30: ("13", "", 90, 1, 0, 0, 2, WITHOUT, -40, "-40 +40 -40 +40"),
    31: ("13", "", 20, 2, 0, 0, 2, WITHOUT, 40, "+40 -40 +40 -40"),
    32: ("3", "T", None, 3, 0, 0, 2, WITHOUT, 60, "-60 -60 +180 -60"),
    33: ("13", "", None, 3, 1, 0, 2, WITHOUT, 80, "+80 -80 +80 -80"),
    34: ("13", "", None, 0, 0, 1, 1, ALONE, 20, "+20 -20 +20 -20"),
}


def outcome(row: int) -> Outcome:
    side, half, total, valat, contras, iote, pagat, last, _, _ = ROWS[row]
    out = Outcome(sum(1 << int(player) - 1 for player in side), bool(half))
    out.half = {"": 1, "T": 1, "B": 2, "R": 4}[half]
    out.points = 100 if total is None else max(total, 0)
    out.tricks = 12 if total is None else 0 if total < 0 else 6
    out.valat = valat - 1
    out.contras = contras
    out.iote = iote - 1
    out.pagat = pagat - 1
    out.last = mask_of(cards(last))
    return out


@pytest.mark.parametrize("row", ROWS)
def test_worked_payments(row: int) -> None:  # spec 7, rows 1 to 34
    *_, x, paid = ROWS[row]
    found = outcome(row)
    assert pays(found) == x
    assert payments(found.declarers, x) == [int(word) for word in paid.split()]


@pytest.mark.parametrize(
    ("row", "hand", "codes", "value"),
    [
        (35, "T01 T21 T22 SK T02 T03 T04 T05 T06 T07 S1 S2", "T3H", 6),
        (36, "SK CK HK DK T21 T05 S1 S2 C1 C2 H1 H2", "BP", 8),
    ],
)
def test_worked_money_cards(row: int, hand: str, codes: str, value: int) -> None:  # spec 7, rows 35 and 36
    found = money_cards(mask_of(cards(hand)))
    assert "".join(money_names(found)) == codes
    assert money_value(found) == value


@pytest.mark.parametrize(
    ("hand", "codes"),
    [
        ("S1 S2 S3 S4 C1 C2 C3 C4 H1 H2 H3 H4", "U"),
        ("T02 S2 S3 S4 C1 C2 C3 C4 H1 H2 H3 H4", "B"),
        ("T02 T03 S3 S4 C1 C2 C3 C4 H1 H2 H3 H4", "B"),
        ("T02 T03 T04 S4 C1 C2 C3 C4 H1 H2 H3 H4", ""),
        ("T02 T03 T04 T05 T06 T07 T08 S4 C1 C2 C3 C4", ""),
        ("T02 T03 T04 T05 T06 T07 T08 T09 C1 C2 C3 C4", "T"),
        ("T02 T03 T04 T05 T06 T07 T08 T09 T10 C2 C3 C4", "T"),
        ("T02 T03 T04 T05 T06 T07 T08 T09 T10 T11 C3 C4", "R"),
        ("T01 T21 T22 S1 S2 S3 S4 C1 C2 C3 C4 H1", "3"),
        ("T01 T21 T22 SK S2 S3 S4 C1 C2 C3 C4 H1", "3H"),
        ("T01 T21 CK SK S2 S3 S4 C1 C2 C3 T05 H1", "H"),
        ("DK HK CK SK S2 S3 S4 C1 C2 C3 T05 H1", "BK"),
        ("DK HK CK SK S2 S3 S4 C1 C2 C3 C4 H1", "UK"),
        ("DK HK CK SK T01 T21 T22 C1 C2 C3 C4 H1", "3P"),
        ("DK HK CK T01 T02 T03 S4 C1 C2 C3 C4 H1", "H"),
        ("DK HK T01 T02 T03 S3 S4 C1 C2 C3 C4 H1", ""),
    ],
)
def test_money_cards(hand: str, codes: str) -> None:  # R9
    assert "".join(money_names(money_cards(mask_of(cards(hand))))) == codes


def test_each_code_has_its_value() -> None:  # R9
    assert [int(money_value(1 << n)) for n in range(8)] == [4, 2, 2, 4, 2, 2, 4, 6]


def test_the_deck_has_106_points() -> None:  # R2
    assert points(WHOLE) == 106
    assert points(mask_of(cards("SK T01 T21 T22 HQ DR CJ S1 T02"))) == 5 * 4 + 4 + 3 + 2 + 1 + 1


@pytest.mark.parametrize("row", [25, 33])
def test_contra_does_not_multiply_a_valat_with_the_option(row: int) -> None:  # R13
    found = outcome(row)
    found.contras = 2
    found.contra_on_valat = False
    assert pays(found) == (20 if row == 25 else 40)
    assert [name for name, _ in steps(found)] == ["valat"]


def test_steps_tell_how_x_comes_about() -> None:
    assert steps(outcome(15)) == [("distance", 6), ("base", 3), ("contra", 2), ("iote", 4)]
    assert steps(outcome(21)) == [("distance", 3), ("base", 4), ("half", 4), ("contra", 2)]
    assert steps(outcome(22)) == [("distance", 7), ("base", 5)]
    assert steps(outcome(33)) == [("valat", 40), ("contra", 2)]


def test_an_announced_i_counts_for_the_side_of_its_holder() -> None:  # R13
    found = outcome(1)
    found.iote = found.pagat = 1
    assert pays(found) == 3 + 4  # an opponent announced it, and it fell earlier
    found.last = mask_of(cards(ALONE))
    assert pays(found) == 3 - 4
    found.pagat = -1
    found.iote = -1
    assert pays(found) == 3


def test_equal_chips_share_a_rank() -> None:  # R14
    assert ranks([100, 120, 100, 80]) == [2, 1, 2, 4]
