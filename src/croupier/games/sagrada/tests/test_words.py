"""The terminal: events and questions in words, typed commands as actions."""

from __future__ import annotations

import pytest

from croupier.core.contract import WATCHER, RulesError
from croupier.games import words_of
from croupier.games.sagrada import GAME
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.tests.positions import BLANK, do, in_turn, window
from croupier.games.sagrada.tests.test_bots import play
from croupier.games.sagrada.vocabulary import ACTIONS, ITEM_COLOUR

words = words_of(GAME)
NAMES = ["Ann", "Bob"]


def typed(state: GlassState, text: str) -> list[str]:
    return [ACTIONS.name(action) for action in words.read(state.view(0), text)]


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("place R5 2 3", ["draft R5", "put 2,3"]),
        ("place r5 2,3", ["draft R5", "put 2,3"]),
        ("place R5 2 3 +1", ["raise R5", "put 2,3"]),
        ("place R5 2 3 -", ["lower R5", "put 2,3"]),
        ("2 3", ["put 2,3"]),
        ("move 1 1 2 2", ["lift 1,1", "put 2,2"]),
        ("move 1 1 2 2 3 3 4 4", ["lift 1,1", "lift 3,3", "put 2,2", "put 4,4"]),
        ("tool 5", ["tool 5"]),
        ("tool 5 G3", ["tool 5", "pay G3"]),
        ("swap R5 B3", ["swap R5", "for B3", "slot 2"]),
        ("swap R5 B3@1", ["swap R5", "for B3", "slot 1"]),
        ("reroll R5", ["reroll R5"]),
        ("reroll all", ["reroll_all"]),
        ("flip R5", ["flip R5"]),
        ("bag R5", ["bag R5"]),
        ("value 4", ["value 4"]),
        ("slot 3", ["slot 3"]),
        ("p", ["pass"]),
        ("cancel", ["cancel"]),
    ],
)
def test_commands(text: str, actions: list[str]) -> None:
    state = in_turn(window(BLANK, "R1@1,1"), "R5 G2", track="P1/B3 B3")
    assert typed(state, text) == actions


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dance",
        "place",
        "place R7 1 1",
        "place R5 5 1",
        "place R5 1 1 +2",
        "move 1 1",
        "tool 13",
        "value x",
    ],
)
def test_invalid_commands(text: str) -> None:
    with pytest.raises(RulesError, match="expected"):
        words.read(in_turn(window(BLANK), "R5").view(0), text)


def test_the_die_in_hand_is_placed_without_taking_it() -> None:
    state = in_turn(window(BLANK), "R5 G2", tools="10")
    do(state, "tool 10", "flip R5")
    assert words.question(state.view(0), NAMES).startswith("Place the R2 on a marked cell [1 1, 1 2, ")
    assert typed(state, "place R2 1 1") == ["put 1,1"]
    with pytest.raises(RulesError, match="'G2': expected R2"):
        typed(state, "place G2 1 1")


@pytest.mark.parametrize(
    ("steps", "question"),
    [
        ([], "Your first turn: take a die [place R5 1 3, tool 4, tool 5, pass]"),
        (["draft R5"], "Place it in your window ["),
        (["tool 5"], "Swap with the track: Exchange a die from the pool"),
        (["tool 5", "swap R5"], "Choose the die you want from the round track"),
        (["tool 5", "swap R5", "for B3"], "From which round? [slot 1]"),
        (["tool 4", "lift 1,1"], "Pick up the second die"),
    ],
)
def test_questions(steps: list[str], question: str) -> None:
    state = in_turn(window(BLANK, "R1@1,1 P2@1,2"), "R5 G2", tools="4 5", track="B3")
    do(state, *steps)
    assert words.question(state.view(0), NAMES).startswith(question)


def test_in_the_solo_variant_the_player_is_asked_which_die_pays() -> None:
    state = in_turn(window(BLANK), "G5 G2", tools="10", seats=1)
    do(state, "tool 10")
    assert words.question(state.view(0), NAMES) == (
        "Choose the die from the pool to pay with (paid with a green die)"
    )


def test_the_table() -> None:
    state = in_turn(window(6, "B3@1,1"), "B1 G2", tools="4 5", track="B3/")
    lines = words.table(state.view(0), NAMES)
    assert lines[:2] == ["Ann 6 favor tokens   Bob 6 favor tokens", "B3 6  .  .  Y        .  .  .  .  ."]
    assert lines[5:] == [
        "Tools: 4 Move two (costs 1 token), 5 Swap with the track (costs 1 token)",
        "Objectives: 1 Rows of five colours, 5 Pairs of 1 and 2, 9 Same colour at a corner",
        "You collect red.",
        "Round track: 1: B3   2: -",
    ]
    assert words.hand(state.view(0)) == [[("B1", False), ("G2", True)]]
    assert words.scores(state.view(0), NAMES)[1:] == [
        ["Ann", "0", "0", "0", "0", "6", "-19", "?"],
        ["Bob", "0", "0", "0", "?", "6", "-20", "?"],
    ]


@pytest.mark.parametrize("seats", [1, 2])
def test_whole_matches_are_told(seats: int) -> None:
    state, _ = play(GAME.bots()["heuristic"], seats, 4)
    names = NAMES[:seats]
    told = [words.describe(event, names) for event in state.events or []]
    assert any(line.startswith("Round 10: ") for line in told)
    assert any(" places " in line for line in told)
    assert (" against " in told[-1]) if seats == 1 else told[-1].startswith("The match is over: ")
    for observer in (0, WATCHER):
        view = state.view(observer)
        for event in state.events or []:
            assert isinstance(words.tell(event, view, names), str)
        assert words.table(view, names)
        assert len(words.scores(view, names)) == seats + 1
        assert words.last(view, names).startswith("1: ")


@pytest.mark.parametrize(
    ("tool", "steps", "draw", "told"),
    [
        (1, ["raise G2", "put 1,2"], None, "Ann places G3, taken as G2, at 1,2."),
        (2, ["lift 1,1", "put 4,1"], None, "Ann moves the die at 1,1 to 4,1."),
        (5, ["swap G2", "for B3", "slot 1"], None, "Ann exchanges G2 for B3 from round 1."),
        (6, ["reroll G2"], 5, "Ann rolls G5."),
        (7, ["reroll_all"], 5, "The pool is rolled again: G5."),
        (10, ["flip G2"], None, "Ann turns the die over: G5."),
        (11, ["bag G2"], ITEM_COLOUR, "Ann draws a red die from the bag."),
    ],
)
def test_tools_are_told(tool: int, steps: list[str], draw: int | None, told: str) -> None:
    state = in_turn(window(BLANK, "R1@1,1"), "G2", tools=str(tool), track="B3", turn=1 if tool == 7 else 0)
    do(state, f"tool {tool}", *steps)
    if draw is not None:
        state.apply_draw([draw])
    lines = [words.describe(event, NAMES) for event in state.events or []]
    assert lines[-1] == told
    assert any(line.startswith("Ann uses “") and line.endswith("” for 1 favor token.") for line in lines)


def test_a_die_from_the_bag_is_given_its_value() -> None:
    state = in_turn(window(BLANK, "R1@1,1"), "G2", tools="11", track="B3")
    do(state, "tool 11", "bag G2")
    state.apply_draw([ITEM_COLOUR])
    assert "Ann puts G2 into the bag." in [words.describe(event, NAMES) for event in state.events or []]
    assert words.question(state.view(0), NAMES) == (
        "Choose the value of the new die [value 1, value 2, value 3, value 4, value 5, value 6]"
    )


def test_choosing_a_window() -> None:
    state = GAME.new(GAME.options.read({}), 2)
    assert words.table(state.view(0), NAMES) == []
    while (draw := state.awaiting()) is not None:
        state.apply_draw(draw.pool[: draw.take])
    assert words.question(state.view(0), NAMES) == "Choose your window [1, 7, 2, 8]"
    assert typed(state, "7") == ["window 7"]
    assert typed(state, "window 7") == ["window 7"]
    assert words.table(state.view(0), NAMES)[1].split() == ["1", "7", "2", "8"]
    assert words.hand(state.view(0)) == []
    do(state, "window 1")
    do(state, "window 3", seat=1)
    assert words.question(state.view(0), NAMES) == "You start round 1: draw the dice [Enter]"
    assert typed(state, "e") == ["extract"]
