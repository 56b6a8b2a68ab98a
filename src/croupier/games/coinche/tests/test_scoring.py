"""The score of a deal: the worked examples of the spec (section 16) and every option of section 8."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import cards_of, mask_of
from croupier.games.coinche.ranks import PLAIN_ABOVE, TRUMP_ABOVE, points, stronger, suit_of
from croupier.games.coinche.scoring import Tally, belotes, is_made, rounded, score
from croupier.games.coinche.tests.positions import cards
from croupier.games.coinche.vocabulary import (
    DECK,
    DENOMINATIONS,
    LEVELS,
    PRESETS,
    RANKS,
    RULES_OPTIONS,
    CoincheRules,
)

COLUMNS = ["standard", "club", "whole", "announced"]
# number, contract, points, tricks, belote, result, then a score for each preset of COLUMNS
WORKED = """
S1  | 80 Hearts                | 80-82  | 4-4 | 0-0   | made   | 160-82  | 160-80  | 160-80  | 80-0
S2  | 80 Hearts                | 79-83  | 4-4 | 0-0   | failed | 0-242   | 0-240   | 0-240   | 0-80
S3  | 110 Spades               | 113-49 | 6-2 | 0-0   | made   | 223-49  | 220-50  | 220-50  | 110-0
S4  | 100 Clubs                | 84-78  | 5-3 | 20-0  | made   | 204-78  | 200-80  | 200-80  | 100-0
S5  | 100 Clubs                | 84-78  | 5-3 | 0-20  | failed | 0-282   | 0-280   | 0-280   | 0-100
S6  | 90 Diamonds              | 70-92  | 4-4 | 20-0  | made   | 180-92  | 180-90  | 180-90  | 90-0
S7  | 100 Hearts               | 69-93  | 4-4 | 20-0  | failed | 20-262  | 20-260  | 20-260  | 0-100
S8  | 120 Spades coinched      | 131-31 | 6-2 | 0-0   | made   | 402-0   | 400-0   | 560-0   | 240-0
S9  | 120 Spades coinched      | 119-43 | 6-2 | 0-0   | failed | 0-402   | 0-400   | 0-560   | 0-240
S10 | 90 Hearts surcoinched    | 95-67  | 5-3 | 0-20  | made   | 522-20  | 520-20  | 1000-20 | 360-0
S11 | 90 Hearts surcoinched    | 60-102 | 3-5 | 20-0  | failed | 20-522  | 20-520  | 20-1000 | 0-360
S12 | 160 Clubs                | 162-0  | 7-1 | 0-0   | made   | 322-0   | 320-0   | 320-0   | 160-0
S13 | 130 Hearts               | 252-0  | 8-0 | 20-0  | made   | 402-0   | 400-0   | 400-0   | 130-0
S14 | 90 Spades coinched       | 252-0  | 8-0 | 0-0   | made   | 432-0   | 430-0   | 680-0   | 180-0
S15 | capot Spades             | 252-0  | 8-0 | 0-0   | made   | 502-0   | 500-0   | 500-0   | 250-0
S16 | capot Spades             | 152-10 | 7-1 | 20-0  | failed | 20-412  | 20-410  | 20-410  | 0-250
S17 | capot Hearts             | 140-22 | 6-2 | 0-20  | failed | 0-432   | 0-430   | 0-430   | 0-250
S18 | generale Spades          | 252-0  | 8-0 | 0-0   | made   | 752-0   | 750-0   | 750-0   | 500-0
S19 | generale Spades          | 252-0  | 8-0 | 0-0   | failed | 0-662   | 0-660   | 0-660   | 0-500
S20 | generale Hearts coinched | 100-62 | 5-3 | 20-0  | failed | 20-1162 | 20-1160 | 20-1320 | 0-1000
S21 | 100 TA                   | 101-61 | 5-3 | 40-20 | made   | 241-81  | 240-80  | 240-80  | 100-0
S22 | 100 TA                   | 85-77  | 5-3 | 20-0  | made   | 205-77  | 210-80  | 210-80  | 100-0
S23 | 110 SA                   | 112-50 | 5-3 | 0-0   | made   | 222-50  | 220-50  | 220-50  | 110-0
S24 | 110 SA surcoinched       | 109-53 | 4-4 | 0-0   | failed | 0-602   | 0-600   | 0-1080  | 0-440
S25 | 80 Clubs                 | 0-252  | 0-8 | 0-0   | failed | 0-242   | 0-240   | 0-240   | 0-80
"""


@dataclass(frozen=True)
class Row:
    number: str
    level: int
    doubled: int
    points: tuple[int, int]
    tricks: tuple[int, int]
    belote: tuple[int, int]
    made: bool
    scores: dict[str, tuple[int, int]]

    def tally(self) -> Tally:
        tally = Tally(*self.points, *self.belote)
        tally.all_tricks = self.tricks[0] == 8
        # S19: the team took all eight tricks, but the partner won one.
        tally.alone = tally.all_tricks and self.number != "S19"
        return tally


def pair(text: str) -> tuple[int, int]:
    left, right = text.split("-")
    return int(left), int(right)


def rows() -> list[Row]:
    found: list[Row] = []
    for line in WORKED.strip().splitlines():
        number, contract, won, tricks, belote, result, *scores = (cell.strip() for cell in line.split("|"))
        level, _, *doubled = contract.split()
        found.append(
            Row(
                number,
                LEVELS.index(level),
                ["", "coinched", "surcoinched"].index("".join(doubled)),
                pair(won),
                pair(tricks),
                pair(belote),
                result == "made",
                dict(zip(COLUMNS, map(pair, scores), strict=True)),
            )
        )
    return found


ROWS = {row.number: row for row in rows()}


def rules(**options: object) -> CoincheRules:
    return CoincheRules(RULES_OPTIONS.read(options))


def scored(row: Row, by: CoincheRules) -> tuple[bool, tuple[int, int]]:
    made = is_made(row.level, row.tally(), by)
    mine, theirs = score(row.level, row.doubled, made, row.tally(), by)
    return made, (int(mine), int(theirs))


def test_there_are_25_worked_examples() -> None:
    assert list(ROWS) == [f"S{number}" for number in range(1, 26)]


@pytest.mark.parametrize("preset", COLUMNS)
@pytest.mark.parametrize("number", ROWS)
def test_the_worked_examples(number: str, preset: str) -> None:
    row = ROWS[number]
    assert scored(row, rules(preset=preset)) == (row.made, row.scores[preset])


# The options of section 8, one by one.


@pytest.mark.parametrize(
    ("number", "options", "expected"),
    [
        ("S7", {"belote_on_loss": "winner"}, (False, (0, 282))),  # failed: the belote goes to the winner
        ("S5", {"belote_on_loss": "winner"}, (False, (0, 282))),
        ("S10", {"belote_on_loss": "winner"}, (True, (542, 0))),  # coinched and made: T gets D's belote
        ("S11", {"belote_on_loss": "winner"}, (False, (0, 542))),
        ("S4", {"belote_on_loss": "winner"}, (True, (204, 78))),  # made and not coinched: it stays
        ("S21", {"belote_on_loss": "winner"}, (True, (241, 81))),
        ("S1", {"eighty_needs_82": True}, (False, (0, 242))),
        ("S3", {"eighty_needs_82": True}, (True, (223, 49))),
        ("S1", {"must_beat_defence": True}, (False, (0, 242))),
        ("S6", {"must_beat_defence": True}, (False, (20, 252))),  # 90 is not more than 92
        ("S4", {"must_beat_defence": True}, (True, (204, 78))),
        ("S4", {"belote_for_contract": False}, (False, (20, 262))),
        ("S13", {"belote_for_contract": False}, (True, (402, 0))),
        ("S10", {"surcoinche_factor": 3}, (True, (432, 20))),
        ("S8", {"coinche_factor": 3}, (True, (522, 0))),
        ("S15", {"capot_value": 300}, (True, (552, 0))),
        ("S18", {"generale_value": 700}, (True, (952, 0))),
        ("S2", {"total": 160}, (False, (0, 240))),
        ("S14", {"total_all_tricks": 262}, (True, (442, 0))),
        ("S22", {"rounding": "nearest10_down5"}, (True, (200, 80))),
        ("S22", {"rounding": "nearest10"}, (True, (210, 80))),
        ("S8", {"rounding": "nearest10_down5", "coinche_scope": "all"}, (True, (560, 0))),
        ("S10", {"scoring": "contract_only", "surcoinche_factor": 3}, (True, (270, 0))),
        ("S16", {"preset": "contree"}, (False, (0, 432))),
        ("S11", {"preset": "contree"}, (False, (0, 452))),
    ],
)
def test_options_of_scoring(
    number: str, options: dict[str, object], expected: tuple[bool, tuple[int, int]]
) -> None:
    assert scored(ROWS[number], rules(**options)) == expected


def test_a_number_must_beat_the_defence_with_what_helps_it() -> None:
    strict = rules(must_beat_defence=True, belote_for_contract=False)
    assert is_made(0, Tally(82, 80, 20, 0), strict)
    assert not is_made(0, Tally(82, 80, 0, 20), strict)
    assert not is_made(0, Tally(81, 81, 20, 0), strict)


@given(st.integers(0, 300))
def test_rounding_goes_to_the_nearest_ten(number: int) -> None:
    up, down = rules(rounding="nearest10"), rules(rounding="nearest10_down5")
    assert rounded(number, rules()) == number
    for to in (int(rounded(number, up)), int(rounded(number, down))):
        assert to % 10 == 0
        assert abs(to - number) <= 5
    assert rounded(number, up) - rounded(number, down) == (10 if number % 10 == 5 else 0)


def test_the_constants_are_rounded_before_they_are_multiplied() -> None:
    whole = rules(preset="whole")
    assert [int(rounded(total, whole)) for total in (whole.total, whole.total_all)] == [160, 250]


# Ranks and points (section 5).

ORDERS = {"trump": "J 9 A 10 K Q 8 7", "plain": "A 10 K Q J 9 8 7"}


@pytest.mark.parametrize(("name", "table"), [("trump", TRUMP_ABOVE), ("plain", PLAIN_ABOVE)])
def test_strength_follows_the_order_of_the_spec(name: str, table: int) -> None:
    order = ORDERS[name].split()
    for card in range(DECK):
        above = {RANKS[other % 8] for other in cards_of(stronger(card, table))}
        assert above == set(order[: order.index(RANKS[card % 8])])
        assert stronger(card, table) & ~suit_of(card) == 0


@pytest.mark.parametrize(
    ("denomination", "suit", "expected"),
    [
        ("Hearts", "H", "J 20, 9 14, A 11, 10 10, K 4, Q 3, 8 0, 7 0"),
        ("Spades", "S", "J 20, 9 14, A 11, 10 10, K 4, Q 3, 8 0, 7 0"),
        ("Hearts", "S", "A 11, 10 10, K 4, Q 3, J 2, 9 0, 8 0, 7 0"),
        ("SA", "D", "A 19, 10 10, K 4, Q 3, J 2, 9 0, 8 0, 7 0"),
        ("TA", "C", "J 14, 9 9, A 6, 10 5, K 3, Q 1, 8 0, 7 0"),
    ],
)
def test_points_are_those_of_the_spec(denomination: str, suit: str, expected: str) -> None:
    for item in expected.split(", "):
        rank, worth = item.split()
        card = cards(rank + suit)[0]
        assert points(card, DENOMINATIONS.index(denomination), rules()) == int(worth)


def test_the_other_values_of_all_trumps() -> None:
    by = rules(ta_values="13-9-6-5-3-2")
    values = [int(points(card, 4, by)) for card in cards("JS 9S AS 10S KS QS 8S 7S")]
    assert values == [13, 9, 6, 5, 3, 2, 0, 0]


@pytest.mark.parametrize("values", ["14-9-6-5-3-1", "13-9-6-5-3-2"])
@pytest.mark.parametrize("denomination", range(6))
def test_cards_total_152_in_every_contract(denomination: int, values: str) -> None:
    by = rules(ta_values=values)
    assert sum(points(card, denomination, by) for card in range(DECK)) == 152


# Belotes (section 7).


@pytest.mark.parametrize(
    ("hand", "denomination", "options", "expected"),
    [
        ("KH QH 7S", "Hearts", {}, 20),
        ("KH QH 7S", "Spades", {}, 0),
        ("KH QS", "Hearts", {}, 0),
        ("KH QH KS QS KD QC", "TA", {}, 40),
        ("KH QH KS QS KD QD KC QC", "TA", {}, 80),
        ("KH QH KS QS", "TA", {"ta_belote": False}, 0),
        ("KH QH KS QS", "SA", {}, 0),
    ],
)
def test_belotes_are_king_and_queen_of_trump(
    hand: str, denomination: str, options: dict[str, object], expected: int
) -> None:
    assert belotes(mask_of(cards(hand)), DENOMINATIONS.index(denomination), rules(**options)) == expected


def test_every_preset_of_the_worked_examples_exists() -> None:
    assert {*COLUMNS, "contree"} == set(PRESETS)
