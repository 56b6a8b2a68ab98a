"""The scores of deals and games: every row of section 2 of the spec."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import mask_of
from croupier.games.hearts import GAME
from croupier.games.hearts.scoring import deal_scores, ranks, shoots
from croupier.games.hearts.tests.positions import cards
from croupier.games.hearts.vocabulary import RANKS, HeartsRules

HEARTS = " ".join(rank + "H" for rank in RANKS)
TWELVE = " ".join(rank + "H" for rank in RANKS[1:])
"""All hearts except 2H."""


def rules(**options: object) -> HeartsRules:
    return HeartsRules(GAME.options.read(options))


def scores(*taken: str, exposed: bool = False, **options: object) -> list[int]:
    """Return the scores of a deal, given the score cards taken by the first seats."""
    piles = [mask_of(cards(pile)) for pile in (*taken, "", "", "", "")[:4]]
    return deal_scores(vec[i64](piles), exposed, rules(**options))


@pytest.mark.parametrize(
    ("row", "taken", "exposed", "score"),
    [
        (1, "", False, 0),
        (2, "", True, 0),
        (3, "2H", False, -1),
        (4, "2H", True, -2),
        (5, "QS", False, -13),
        (6, "QS", True, -13),
        (7, "TC", False, 0),
        (8, "9H 4H 3H 2H", False, -4),
        (9, "QS JH 8H 6H 5H", False, -17),
        (10, "AH KH QH TH 7H TC", False, -10),
        (11, "AH QH TH 9H 8H 7H 4H TC", False, -14),
        (12, "JH 6H 4H", True, -6),
        (13, "QS JH 8H 6H 4H TC", True, -42),
        (14, "QS JH 8H 6H 4H 3H TC", True, -46),
        (15, "QS TC", False, -26),
        (16, "QS TC", True, -26),
        (17, HEARTS, False, -13),
        (18, f"{HEARTS} TC", False, -26),
        (19, HEARTS, True, -26),
        (20, f"QS {TWELVE}", False, -25),
        (21, f"QS {TWELVE} TC", True, -74),
        (22, f"QS {HEARTS}", False, 104),
        (23, f"QS {HEARTS} TC", False, 208),
        (24, f"QS {HEARTS}", True, 156),
        (25, f"QS {HEARTS} TC", True, 312),
    ],
)
def test_what_a_pile_of_score_cards_is_worth(row: int, taken: str, exposed: bool, score: int) -> None:  # R9
    assert scores(taken, exposed=exposed)[0] == score


def test_the_ten_of_clubs_is_worth_nothing_beside_a_moon() -> None:  # row 26
    assert scores("TC", f"QS {HEARTS}") == [0, 104, 0, 0]


@pytest.mark.parametrize(
    ("row", "piles", "exposed", "expected"),
    [
        (27, ["QS JH 8H 6H 5H", "9H 4H 3H 2H", "AH KH QH TH 7H TC", ""], False, [-17, -4, -10, 0]),
        (28, ["QS 6H 5H 3H 2H", "AH QH TH 9H 8H 7H 4H TC", "", "KH JH"], False, [-17, -14, 0, -2]),
        (29, ["AH KH TH 7H 2H", "QS JH 8H 6H 4H 3H TC", "", "QH 9H 5H"], True, [-10, -46, 0, -6]),
        (30, [f"QS {HEARTS} TC", "", "", ""], False, [208, 0, 0, 0]),
        (30, [f"QS {HEARTS}", "TC", "", ""], False, [104, 0, 0, 0]),
        (31, [f"QS {TWELVE} TC", "2H", "", ""], True, [-74, -2, 0, 0]),
    ],
)
def test_whole_deals(row: int, piles: list[str], exposed: bool, expected: list[int]) -> None:  # R9
    assert scores(*piles, exposed=exposed) == expected


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ([0, 0, 0, 104], [2, 2, 2, 1]),
        ([7, 7, 7, 7], [1, 1, 1, 1]),
        ([-9, -50, -50, -60], [1, 2, 2, 4]),
        ([-20, -5, -20, -5], [3, 1, 3, 1]),
    ],
)
def test_equal_scores_share_a_rank_and_the_next_is_skipped(totals: list[int], expected: list[int]) -> None:
    assert ranks(totals) == expected  # row 32, R10


@pytest.mark.parametrize(
    ("exposed", "others", "expected"),
    [
        (False, ["TC", "", ""], [0, -52, -26, -26]),
        (False, ["", "", ""], [0, -26, -26, -26]),
        (True, ["", "", ""], [0, -39, -39, -39]),
        (True, ["", "TC", ""], [0, -39, -78, -39]),
    ],
)
def test_with_moon_zero_the_others_pay(exposed: bool, others: list[str], expected: list[int]) -> None:
    moon = f"QS {HEARTS}"
    assert scores(moon, *others, exposed=exposed, moon="zero") == expected  # row 33, R9


def test_with_moon_zero_the_shooters_own_ten_of_clubs_doubles_nothing() -> None:  # R9.4
    assert scores(f"QS {HEARTS} TC", moon="zero") == [0, -26, -26, -26]


def test_the_ten_of_clubs_may_be_an_ordinary_card() -> None:
    assert scores("QS TC", "2H TC", ten_of_clubs=False) == [-13, -1, 0, 0]
    assert scores(f"QS {HEARTS} TC", ten_of_clubs=False) == [104, 0, 0, 0]


def test_all_hearts_without_the_queen_are_no_moon() -> None:  # R9.3
    assert not shoots(mask_of(cards(HEARTS)))
    assert not shoots(mask_of(cards(f"QS {TWELVE} TC")))
    assert shoots(mask_of(cards(f"QS {HEARTS}")))
