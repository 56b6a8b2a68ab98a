"""Placement, rows L1 to L24 of the specification's section 16.1: actions with the protocol's replies."""

from __future__ import annotations

import pytest

from croupier.games.sagrada.material import PATTERNS
from croupier.games.sagrada.placement import BORDER, around, beside, diagonal
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.tests.positions import BLANK, MOVE, PLACE, do, in_turn, legal, refused, window
from croupier.games.sagrada.vocabulary import CELL_NAMES

BOARDS = {"empty": "", "b1": "R6@1,2", "b2": "R6@1,2 Y2@2,1"}


def place(state: GlassState, die: str, cell: str) -> str:
    key = refused(state, f"draft {die}", f"put {cell}")
    return PLACE[key] if key else "ok"


def move(state: GlassState, text: str) -> str:
    """Return the reply to ``move r c r c``, or to a pair of them."""
    cells = [f"{row},{column}" for row, column in zip(*[iter(text.split())] * 2, strict=True)]
    lifts = [f"lift {cell}" for cell in cells[::2]]
    key = refused(state, *lifts, *[f"put {cell}" for cell in cells[1::2]])
    return MOVE[key] if key else "ok"


OK, NO = "ok", "constrains_violated"


@pytest.mark.parametrize(
    ("row", "board", "die", "cell", "answer"),
    [
        ("L1", "empty", "B2", "1,1", OK),
        ("L2", "empty", "R2", "1,1", NO),
        ("L3", "empty", "Y6", "1,2", OK),
        ("L3", "empty", "Y5", "1,2", NO),
        ("L4", "empty", "B5", "3,2", NO),
        ("L5", "b1", "P2", "3,4", NO),
        ("L6", "b1", "G3", "2,2", OK),
        ("L6", "b1", "R3", "2,2", NO),
        ("L7", "b1", "Y6", "1,3", NO),
        ("L7", "b1", "Y6", "2,1", OK),
        ("L8", "b1", "R1", "2,1", OK),
        ("L8", "b1", "R1", "2,3", NO),
        ("L9", "b1", "B6", "1,1", NO),
        ("L9", "b1", "B3", "1,1", OK),
        ("L10", "b1", "B3", "1,2", NO),
    ],
)
def test_a_die_is_placed(row: str, board: str, die: str, cell: str, answer: str) -> None:
    state = in_turn(window(6, BOARDS[board]), f"{die} G1")
    assert place(state, die, cell) == answer


@pytest.mark.parametrize("cell", ["5,1", "0,1"])
def test_l10_cells_that_do_not_exist_have_no_action(cell: str) -> None:
    assert cell not in CELL_NAMES


@pytest.mark.parametrize(
    ("die", "cell", "answer", "key"),
    [("P1", "4,4", OK, ""), ("P2", "2,1", NO, "touches"), ("B5", "3,3", NO, "printed")],
)
def test_l11_tool_9_places_apart(die: str, cell: str, answer: str, key: str) -> None:
    state = in_turn(window(6, BOARDS["b1"]), f"{die} G1", tools="9")
    do(state, "tool 9")
    assert place(state, die, cell) == answer
    assert refused(state, f"draft {die}", f"put {cell}") == key


def test_l12_all_cells_for_p1_with_tool_9() -> None:
    state = in_turn(window(6, BOARDS["b1"]), "P1", tools="9")
    do(state, "tool 9", "draft P1")
    assert legal(state, "put") == {"1,4", "2,4", "2,5", "3,1", "3,5", "4,1", "4,3", "4,4"}


@pytest.mark.parametrize(
    ("row", "board", "tool", "cells", "answer"),
    [
        ("L13", "b2", 2, "2 1 1 1", OK),
        ("L13", "b2", 3, "2 1 1 1", "constraints_violated"),
        ("L14", "b2", 3, "1 2 2 2", OK),
        ("L14", "b2", 2, "1 2 2 2", "constraints_violated"),
        ("L15", "b1", 3, "1 2 3 3", "constraints_violated"),
        ("L15", "b1", 3, "1 2 4 1", OK),
        ("L16", "b2", 2, "2 2 2 3", "empty_cell"),
        ("L16", "b2", 2, "1 2 2 1", "cell_already_occupied"),
        ("L16", "b2", 2, "1 2 1 2", "cell_already_occupied"),
    ],
)
def test_a_die_is_moved(row: str, board: str, tool: int, cells: str, answer: str) -> None:
    state = in_turn(window(6, BOARDS[board]), "G1", tools=str(tool))
    do(state, f"tool {tool}")
    assert move(state, cells) == answer


@pytest.mark.parametrize(
    ("row", "cells", "answer"),
    [
        ("L17", "4 5 1 5 3 5 2 5", OK),
        ("L18", "3 5 2 4 4 5 1 5", "constraints_violated"),
        ("L19", "3 5 4 5 4 5 3 5", "constraints_violated"),
        ("L20", "3 5 2 5 3 5 2 4", "empty_cell"),
    ],
)
def test_two_dice_are_moved(row: str, cells: str, answer: str) -> None:
    state = in_turn(window(16, "G1@3,5 Y6@4,5"), "G1", tools="4")
    do(state, "tool 4")
    assert move(state, cells) == answer


FILLED = "R1 G2 B3 Y4 P5 Y3 P4 R5 G6 B1 G5 B6 Y1 P2 R3 P2 R1 G4 B5 Y6"
DIAGONAL = "G3@1,1 Y5@2,2 G2@3,3"


def one_colour(track: str) -> GlassState:
    return in_turn(window(BLANK, DIAGONAL), "B1", tools="12", track=track)


def test_l21_two_dice_of_a_colour_on_the_track_move() -> None:
    state = one_colour("G6")
    do(state, "tool 12", "lift 1,1", "put 1,3", "lift 3,3", "put 3,1")
    assert state.windows[0].dice() == window(BLANK, "G3@1,3 Y5@2,2 G2@3,1").dice()


@pytest.mark.parametrize(
    ("row", "cells", "key"), [("L22", "1 1 2 3", "equal_neighbour"), ("L23", "2 2 2 1", "wrong_colour")]
)
def test_a_die_of_one_colour_may_not_move(row: str, cells: str, key: str) -> None:
    state = one_colour("G6")
    do(state, "tool 12")
    assert move(state, cells) == "constraints_violated"
    a, b, c, d = cells.split()
    assert refused(state, f"lift {a},{b}", f"put {c},{d}") == key


def test_l24_no_colour_of_the_window_is_on_the_track() -> None:
    assert refused(one_colour("P1"), "tool 12") == "colour_not_on_track"


def test_neighbours_do_not_wrap_round_the_edges() -> None:
    for cell in range(20):
        row, column = divmod(cell, 5)
        near = [
            (r, c)
            for r in range(4)
            for c in range(5)
            if (r, c) != (row, column) and abs(r - row) <= 1 and abs(c - column) <= 1
        ]
        one = 1 << cell
        assert int(around(one)) == one | sum(1 << 5 * r + c for r, c in near)
        assert int(beside(one)) == sum(1 << 5 * r + c for r, c in near if r == row or c == column)
        assert int(diagonal(one)) == sum(1 << 5 * r + c for r, c in near if r != row and c != column)
        assert bool(BORDER & one) == (row in (0, 3) or column in (0, 4))


def test_masks_agree_with_a_plain_reading_of_the_rules() -> None:
    """Try every die on every cell of every pattern, on windows filled die by die."""
    for pattern in PATTERNS:
        for holes in range(1, 20, 3):
            dice = [f"{die}@{CELL_NAMES[c]}" for c, die in enumerate(FILLED.split()) if c % 7 % holes == 0]
            own = window(pattern, " ".join(dice))
            lying = own.dice()
            for die in range(30):
                expected = sum(1 << cell for cell in range(20) if allowed(pattern.grid, lying, die, cell))
                assert int(own.cells(die, 0, 0)) == expected


def allowed(grid: str, lying: list[int], die: int, cell: int) -> bool:
    """A second, simple implementation of P1 to P5."""
    if lying[cell] >= 0:
        return False
    if grid[cell] != "." and grid[cell] not in ("RGBYP"[die // 6], str(die % 6 + 1)):
        return False
    row, column = divmod(cell, 5)
    if all(other < 0 for other in lying):
        return row in (0, 3) or column in (0, 4)
    touched = False
    for other, lies in enumerate(lying):
        down, right = abs(other // 5 - row), abs(other % 5 - column)
        if lies < 0 or max(down, right) != 1:
            continue
        touched = True
        if down + right == 1 and (lies // 6 == die // 6 or lies % 6 == die % 6):
            return False
    return touched
