"""Scores and ranking: section 16.2 row by row, and the check values of section 17."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from croupier.games.sagrada.material import PATTERNS, PRIVATE_COLOURS, PUBLIC_OBJECTIVES, TOOLS, faces_of
from croupier.games.sagrada.objectives import private_points, public_points
from croupier.games.sagrada.scoring import Score, ranking, score
from croupier.games.sagrada.tests.positions import BLANK, board, window

BOARDS = {
    "S1": "R1 G2 B3 Y4 P5  Y3 P4 R5 G6 B1  G5 B6 Y1 P2 R3  P2 R1 G4 B5 Y6",
    "S2": "R1 G2 B3 Y4 P5  Y3 P4 .. G6 B1  G5 B6 Y1 P2 R3  .. R1 G4 B5 Y6",
    "S3": "Y1 .. Y2 .. Y3  .. Y4 .. Y5 ..  Y6 .. Y1 .. Y2  .. Y3 .. Y4 ..",
    "S4": "P6 B5 P6 B5 P6  B1 P2 B1 P2 B1  P4 B3 P4 B3 P4  B5 P6 B5 P6 B5",
    "S8": "R1 R2 .. .. ..  .. .. .. .. ..  .. .. .. .. ..  .. .. .. .. ..",
    "S9": "R6 B6 R6 B6 R6  .. .. .. .. ..  .. .. .. .. ..  .. .. .. .. ..",
}


@pytest.mark.parametrize(
    ("row", "publics", "privates", "empty"),
    [
        ("S1", "24 25 20 20 6 6 6 15 0 16", "10 14 17 15 13", 0),
        ("S2", "12 15 10 12 4 6 6 10 0 12", "5 14 17 15 11", 2),
        ("S3", "0 0 0 0 4 4 2 5 10 0", "0 31 0 0 0", 10),
        ("S4", "0 0 0 20 4 4 10 10 20 0", "0 0 0 34 46", 0),
        ("S9", "0 0 0 0 0 0 0 0 0 0", "18 0 0 12 0", 15),
    ],
)
def test_objectives(row: str, publics: str, privates: str, empty: int) -> None:
    found = board(BOARDS[row])
    assert [public_points(number, found) for number in range(1, 11)] == [int(p) for p in publics.split()]
    assert [private_points(number, found) for number in range(1, 6)] == [int(p) for p in privates.split()]
    assert found.empty() == empty


@pytest.mark.parametrize(
    ("row", "name", "publics", "private", "tokens", "total"),
    [
        ("S5", "S1", [1, 8, 9], 4, 3, 57),
        ("S6", "S2", [1, 4, 10], 1, 0, 39),
        ("S7", "S3", [9, 10, 5], 2, 6, 41),
        ("S8", "S8", [5, 6, 7], 1, 4, -9),
    ],
)
def test_totals(row: str, name: str, publics: list[int], private: int, tokens: int, total: int) -> None:
    found = score(board(BOARDS[name]), publics, [private], tokens, solo=False)
    assert found.total == total
    assert found.fact().total == total


def line(private: int, tokens: int) -> Score:
    """Return a score of 40 with these points from the private objective and tokens."""
    return Score([40 - private - tokens], private, tokens, 0, 1)


def test_s10_ties() -> None:
    # In a round that seat 0 starts, bob (seat 1) comes after anna.
    anna, bob = line(12, 1), line(12, 1)
    assert ranking([anna, bob], 0) == [1, 0]
    carl = line(12, 2)
    assert ranking([carl, bob, anna], 0)[0] == 0
    dora = line(13, 0)
    assert ranking([dora, carl, bob, anna], 0)[:2] == [0, 1]
    assert ranking([bob, line(12, 1), carl], 2) == [2, 1, 0]


def test_a_higher_total_comes_before_everything() -> None:
    assert ranking([Score([41], 0, 0, 0, 1), line(30, 6)], 1) == [0, 1]


def test_alone_the_better_private_objective_counts_and_empty_cells_cost_three() -> None:  # R10
    found = score(board(BOARDS["S3"]), [9, 5], [1, 2], 0, solo=True)
    assert (found.private, found.total) == (31, 10 + 4 + 31 - 30)


def test_an_empty_window() -> None:
    assert score(window(BLANK), [1, 8, 10], [1], 0, solo=False).total == -20


# Section 17 and the data files.


def test_the_patterns_are_those_of_the_check_value() -> None:
    text = "".join(f"{pattern.number} {pattern.tokens} {pattern.grid}\n" for pattern in PATTERNS)
    assert (
        sha256(text.encode()).hexdigest()
        == "738d9ac9ccb48d5d91a8fc0561e75d6f2bf32e1a5d677607aa14dcbea732d387"
    )
    counts = Counter("".join(pattern.grid for pattern in PATTERNS))
    expected = {".": 180, "1": 28, "2": 27, "3": 26, "4": 27, "5": 36, "6": 26}
    assert counts == {**expected, "R": 25, "G": 23, "B": 27, "Y": 30, "P": 25}
    assert sum(pattern.tokens for pattern in PATTERNS) == 112


def test_no_two_neighbours_print_the_same() -> None:
    for pattern in PATTERNS:
        for cell, symbol in enumerate(pattern.grid):
            beside = [cell + 1] if cell % 5 < 4 else []
            below = [cell + 5] if cell < 15 else []
            assert symbol == "." or all(pattern.grid[other] != symbol for other in beside + below)


def test_a_card_has_two_faces() -> None:
    assert [faces_of(card) for card in (1, 6, 7, 10, 12)] == [[1, 7], [6, 12], [13, 19], [16, 22], [18, 24]]
    assert sorted(info for card in range(1, 13) for info in faces_of(card)) == list(range(1, 25))


def test_the_data_is_read_whole() -> None:
    assert [tool.number for tool in TOOLS] == list(range(1, 13))
    assert [tool.number for tool in TOOLS if tool.before] == [1, 5, 6, 7, 9, 10, 11]
    assert {tool.number: tool.turn for tool in TOOLS if tool.turn >= 0} == {7: 1, 8: 0}
    assert {tool.number: tool.dice for tool in TOOLS if tool.dice} == {2: 1, 3: 1, 4: 2, 12: 1}
    assert [tool.number for tool in TOOLS if tool.track] == [5, 12]
    assert "".join("RGBYP"[tool.solo_colour] for tool in TOOLS) == "PBRYGPBRYGPB"
    assert [objective.number for objective in PUBLIC_OBJECTIVES] == list(range(1, 11))
    assert "".join("RGBYP"[colour] for colour in PRIVATE_COLOURS) == "RYGBP"


def test_dice_of_a_match() -> None:  # 50, 70, 90 of 90
    assert [10 * (2 * seats + 1) for seats in (2, 3, 4)] == [50, 70, 90]
