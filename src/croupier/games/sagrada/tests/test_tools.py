"""The twelve tools: conditions, costs, dialogues, refusals, the die in hand (R6, R7)."""

from __future__ import annotations

import pytest

from croupier.games.sagrada.events import ToolUsed
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.tests.positions import BLANK, do, in_turn, kinds_of, legal, pool, refused, window
from croupier.games.sagrada.vocabulary import EXTRA, ITEM_COLOUR, SECOND

ONE = "R1@1,1"


def ready(
    tool: int, dice: str = ONE, pool: str = "G2 B3 Y4 P5", track: str = "P1/P2", turn: int = 0
) -> GlassState:
    """Return a turn in which *tool* is on the table."""
    return in_turn(window(BLANK, dice), pool, tools=f"{tool}", track=track, turn=turn)


def tokens(state: GlassState) -> int:
    return int(state.tokens_of(0))


# In general.


@pytest.mark.parametrize(
    ("tool", "dice", "track", "turn", "key"),
    [
        (2, "", "P1", 0, "too_few_dice"),
        (3, "", "P1", 0, "too_few_dice"),
        (4, ONE, "P1", 0, "too_few_dice"),
        (5, ONE, "", 0, "empty_track"),
        (12, ONE, "", 0, "empty_track"),
        (12, ONE, "P1", 0, "colour_not_on_track"),
        (7, ONE, "P1", 0, "wrong_turn"),
        (8, ONE, "P1", 1, "wrong_turn"),
        (1, ONE, "P1", 2, "extra_turn"),
    ],
)
def test_a_tool_has_its_conditions(tool: int, dice: str, track: str, turn: int, key: str) -> None:
    assert refused(ready(tool, dice, track=track, turn=turn), f"tool {tool}") == key


@pytest.mark.parametrize("tool", range(1, 13))
def test_a_tool_is_ready_and_put_back(tool: int) -> None:
    state = ready(tool, "R1@1,1 P2@1,2", turn=SECOND if tool == 7 else 0)
    do(state, f"tool {tool}")
    assert (tokens(state), int(state.active)) == (6, tool)
    assert refused(state, f"tool {tool}") == "tool_active"
    do(state, "cancel")
    assert (tokens(state), int(state.active), int(state.spent)) == (6, 0, 0)


@pytest.mark.parametrize("tool", [1, 5, 6, 7, 9, 10, 11])
def test_some_tools_only_before_drafting(tool: int) -> None:
    state = ready(tool, turn=SECOND)
    do(state, "draft G2", "put 1,2")
    assert refused(state, f"tool {tool}") == "drafted_before"


@pytest.mark.parametrize("tool", [2, 3, 4, 8, 12])
def test_the_others_before_or_after(tool: int) -> None:
    state = ready(tool, "R1@1,1 P2@1,2")
    do(state, f"tool {tool}", "draft G4", "put 2,1") if tool == 0 else do(state, "draft G2", "put 2,1")
    do(state, f"tool {tool}")
    assert int(state.active) == tool


@pytest.mark.parametrize("tool", [2, 3, 4, 8, 12])
def test_an_ordinary_draft_leaves_such_a_tool_active(tool: int) -> None:
    state = ready(tool, "R1@1,1 P2@1,2")
    do(state, f"tool {tool}", "draft G2", "put 2,1")
    assert (int(state.active), tokens(state)) == (tool, 6)
    do(state, "cancel")
    assert state.windows[0].filled == 0b100011


@pytest.mark.parametrize(
    ("tool", "key"), [(1, "change_first"), *[(tool, "tool_first") for tool in (5, 6, 7, 10, 11)]]
)
def test_the_others_require_their_own_command_first(tool: int, key: str) -> None:
    state = ready(tool, turn=SECOND)
    do(state, f"tool {tool}")
    assert refused(state, "draft G2") == key


@pytest.mark.parametrize(
    ("tool", "step"),
    [
        (1, "raise G2"),
        (1, "lower G2"),
        (5, "swap G2"),
        (5, "for P1"),
        (5, "slot 1"),
        (6, "reroll G2"),
        (7, "reroll_all"),
        (10, "flip G2"),
        (11, "bag G2"),
        (2, "lift 1,1"),
    ],
)
def test_a_step_belongs_to_its_tool(tool: int, step: str) -> None:
    assert refused(ready(tool, turn=SECOND), step) == "tool_not_active"
    assert refused(ready(tool), "value 3") == "nothing_to_name"
    assert refused(ready(tool), "pay G2") == "nothing_to_pay"
    assert refused(ready(tool), "forfeit") == "nothing_to_forfeit"


def test_one_token_the_first_time_and_two_later_for_any_player() -> None:
    state = ready(10)
    do(state, "tool 10", "flip G2", "put 1,2", "pass")
    assert (tokens(state), int(state.cost(10))) == (5, 2)
    assert not refused(state, "tool 10", seat=1)
    state.tokens = 5 | 1 << 8
    state.resume(1, False, True)
    assert refused(state, "tool 10", seat=1) == "not_enough_tokens"
    state.tokens = 5 | 2 << 8
    state.resume(1, False, True)
    do(state, "tool 10", "flip B3", "put 1,1", "pass", seat=1)
    used = [event for event in state.events or [] if isinstance(event, ToolUsed)]
    assert [(event.cost, event.tokens) for event in used] == [(1, 5), (2, 0)]


def test_conditions_come_before_the_cost() -> None:
    state = in_turn(window(BLANK), "G2 B3", tools="2 10", tokens=0)
    assert refused(state, "tool 2") == "too_few_dice"
    assert refused(state, "tool 10") == "not_enough_tokens"
    assert refused(state, "tool 3") == "tool_not_there"


def test_one_tool_per_turn() -> None:
    state = in_turn(window(BLANK, ONE), "G2 B3 Y4", tools="2 3")
    do(state, "tool 2", "lift 1,1", "put 4,1")
    assert refused(state, "tool 3") == "tool_used"
    assert refused(state, "cancel") == "nothing_to_cancel"
    do(state, "draft G2", "put 4,2", "pass")
    assert state.seat == 1


def test_six_activations_per_turn() -> None:
    state = in_turn(window(BLANK, ONE), "G2 B3", tools="2 3")
    for tool in (2, 3) * 3:
        do(state, f"tool {tool}", "cancel")
    assert refused(state, "tool 2") == "too_many_activations"
    do(state, "pass", seat=0)
    assert state.activations == 0


def test_passing_gives_the_cost_back() -> None:
    state = ready(2)
    do(state, "tool 2", "pass")
    assert (tokens(state), state.seat, int(state.spent)) == (6, 1, 0)
    assert "tool_used" not in kinds_of(state.events)


# One by one.


def test_tool_1_raises_or_lowers_by_one() -> None:
    state = ready(1, pool="G6 B1 Y4")
    do(state, "tool 1")
    assert legal(state, "raise") == {"B1", "Y4"}
    assert legal(state, "lower") == {"G6", "Y4"}
    assert refused(state, "raise G6") == "value_limit"
    assert refused(state, "lower B1") == "value_limit"
    assert refused(state, "raise P3") == "not_in_pool"
    do(state, "raise Y4")
    assert state.view(0).facts()["picks"] == ["raise Y4"]
    do(state, "put 1,2")
    assert (pool(state), tokens(state)) == ("G6 B1", 5)
    assert state.view(1).facts()["windows"][0]["dice"][1] == "Y5"  # type: ignore[index]  # plain data


def test_tool_1_requires_a_cell_for_the_changed_die() -> None:
    state = in_turn(
        window(BLANK, " ".join(f"G5@{r},{c}" for r in (1, 2, 3, 4) for c in (1, 2, 3, 4))), "B4", tools="1"
    )
    do(state, "tool 1")
    assert refused(state, "raise B4") == "no_cell"
    assert refused(state, "lower B4", "put 1,5") == ""


def test_tools_2_and_3_make_a_real_move() -> None:
    state = ready(2, "R1@1,1 P2@1,2")
    do(state, "tool 2", "lift 1,1")
    assert refused(state, "put 1,1") == "same_cell"
    assert refused(state, "put 1,2") == "occupied"
    assert refused(state, "put 4,4") == "not_adjacent"
    do(state, "put 2,2")
    assert (tokens(state), legal(state)) == (5, {"pass", "draft G2", "draft B3", "draft Y4", "draft P5"})
    assert kinds_of(state.events) == ["tool_activated", "picked", "tool_used", "moved"]


def test_a_die_that_can_go_nowhere_is_not_lifted() -> None:
    state = in_turn(
        window(BLANK, " ".join(f"G5@{r},{c}" for r in range(1, 5) for c in range(1, 6))), "B4", tools="2"
    )
    do(state, "tool 2")
    assert refused(state, "lift 1,1") == "no_target"
    assert legal(state, "lift") == set()


def test_tool_4_may_exchange_two_dice() -> None:
    state = ready(4, "R1@1,1 P2@1,2")
    do(state, "tool 4", "lift 1,1", "lift 1,2", "put 1,2", "put 1,1")
    assert state.windows[0].dice()[:2] == window(BLANK, "P2@1,1 R1@1,2").dice()[:2]
    assert (tokens(state), kinds_of(state.events)[-2:]) == (5, ["tool_used", "moved"])
    assert (state.events or [])[-1].plain() == {
        "kind": "moved",
        "seat": 0,
        "from": ["1,1", "1,2"],
        "to": ["1,2", "1,1"],
    }


def test_tool_4_moves_both_or_none() -> None:
    state = ready(4, "R1@1,1 P2@1,2")
    before = state.windows[0].dice()
    do(state, "tool 4", "lift 1,1", "lift 1,2")
    assert refused(state, "put 1,1") == "same_cell"
    assert refused(state, "put 2,2") == "not_on_border"
    assert refused(state, "lift 1,1") == "finish_first"
    do(state, "put 4,1")
    assert refused(state, "put 1,2") == "same_cell"
    assert refused(state, "put 4,1") == "occupied"
    assert state.windows[0].dice() == before
    do(state, "cancel")
    assert (int(state.active), state.windows[0].dice(), tokens(state)) == (4, before, 6)
    do(state, "lift 1,1")
    assert refused(state, "lift 1,1") == "empty_cell"
    assert refused(state, "lift 4,4") == "empty_cell"


def test_tool_4_looks_for_a_place_for_the_second_die() -> None:
    # Blue fives all around: R1 could go to the free cell, but a blue five could then go nowhere.
    full = [f"B5@{r},{c}" for r in range(1, 5) for c in range(1, 6) if (r, c) not in ((1, 1), (1, 2))]
    state = in_turn(window(BLANK, " ".join(["R1@1,1", *full])), "G1", tools="4")
    do(state, "tool 4", "lift 1,1", "lift 4,5")
    assert refused(state, "put 1,2") == "no_second_target"
    assert legal(state) == {"cancel"}


def test_tool_5_swaps_with_the_round_track() -> None:
    state = ready(5, "R1@1,1 B2@2,2 Y3@1,3 B4@1,2", track="P1 B6/P2 B6 P1")
    do(state, "tool 5")
    assert refused(state, "swap R6") == "not_in_pool"
    assert refused(state, "for B6") == "finish_first"
    assert refused(state, "slot 1") == "finish_first"
    do(state, "swap G2")
    assert refused(state, "for B5") == "not_on_track"
    do(state, "for B6")
    assert legal(state, "slot") == {"1", "2"}
    assert refused(state, "slot 3") == "not_on_track"
    assert state.view(0).facts()["picks"] == ["swap G2", "for B6"]
    assert tokens(state) == 6
    do(state, "slot 2")
    assert (pool(state), tokens(state)) == ("B3 Y4 P5", 5)
    assert state.view(1).facts()["track"] == [["P1", "B6"], ["P2", "G2", "P1"]]
    assert state.view(1).facts()["hand"] == "B6"
    assert refused(state, "pass") == "must_place"
    assert refused(state, "draft B3") == "die_in_hand"
    assert refused(state, "put 2,3") == "equal_neighbour"
    assert refused(state, "cancel") == "nothing_to_cancel"
    do(state, "put 3,1")
    assert legal(state) == {"pass"}


def test_tool_5_requires_a_cell_for_the_die_of_the_track() -> None:
    full = [f"B5@{r},{c}" for r in range(1, 5) for c in range(1, 6) if (r, c) != (1, 1)]
    state = in_turn(window(BLANK, " ".join(full)), "G1", tools="5", track="B1 R5")
    do(state, "tool 5")
    assert refused(state, "swap G1") == "no_cell"
    state = in_turn(window(BLANK, " ".join(full)), "G1", tools="5", track="B1 R4")
    do(state, "tool 5", "swap G1")
    assert refused(state, "for B1") == "no_cell"
    assert legal(state, "for") == {"R4"}


def test_tool_6_rolls_the_die_again_and_it_must_be_placed() -> None:
    state = ready(6)
    do(state, "tool 6")
    assert refused(state, "reroll R6") == "not_in_pool"
    do(state, "reroll Y4")
    assert (state.to_act(), tokens(state)) == (0, 5)
    draw = state.awaiting()
    assert draw is not None
    assert (draw.pool, draw.take, draw.replace) == ([1, 2, 3, 4, 5, 6], 1, True)
    assert refused(state, "pass") == "wrong_phase"
    state.apply_draw([2])
    assert state.view(1).facts()["hand"] == "Y2"
    assert refused(state, "pass") == "must_place"
    do(state, "put 1,2", "pass")
    assert pool(state) == "G2 B3 P5"


def test_a_die_in_hand_without_a_cell_goes_back() -> None:
    full = [f"B5@{r},{c}" for r in range(1, 5) for c in range(1, 6) if (r, c) != (1, 1)]
    state = in_turn(window(BLANK, " ".join(full)), "G1 R2", tools="6")
    do(state, "tool 6", "reroll G1")
    state.apply_draw([5])
    assert legal(state) == {"pass"}
    assert refused(state, "forfeit") == "nothing_to_forfeit"
    do(state, "pass")
    assert pool(state) == "R2 G5"
    assert kinds_of(state.events)[-3:] == ["returned", "turn_ended", "turn_started"]


def test_tool_7_rolls_the_pool_again_before_a_draft() -> None:
    state = ready(7, turn=SECOND)
    do(state, "tool 7")
    assert legal(state) == {"pass", "cancel", "reroll_all"}
    do(state, "reroll_all")
    draw = state.awaiting()
    assert draw is not None
    assert (draw.take, draw.replace) == (4, True)
    state.apply_draw([6, 6, 1, 2])
    assert pool(state) == "G6 B6 Y1 P2"
    do(state, "draft G6", "put 1,2", "pass")


def test_tool_8_gives_an_extra_turn_for_the_second_one() -> None:
    state = ready(8)
    do(state, "tool 8", "draft G2", "put 1,2")
    assert (tokens(state), int(state.active)) == (6, 8)
    do(state, "pass")
    assert (state.seat, int(state.turn), tokens(state)) == (0, EXTRA, 5)
    assert refused(state, "tool 8") == "extra_turn"
    do(state, "draft B3", "put 2,1", "pass")
    for turn in (0, 1):
        assert (state.seat, int(state.turn)) == (1, turn)
        do(state, "pass", seat=1)
    assert state.round == 4  # seat 0's second turn is dropped


def test_tool_8_works_without_a_draft_and_after_it() -> None:
    state = ready(8)
    do(state, "tool 8", "pass")
    assert (state.seat, int(state.turn)) == (0, EXTRA)
    state = ready(8)
    do(state, "draft G2", "put 1,2", "tool 8", "pass")
    assert (state.seat, int(state.turn)) == (0, EXTRA)


def test_tool_9_keeps_the_border_rule_in_an_empty_window() -> None:
    state = ready(9, "", pool="G2")
    do(state, "tool 9", "draft G2")
    assert refused(state, "put 2,2") == "not_on_border"
    do(state, "put 1,1")
    assert tokens(state) == 5


def test_tool_10_turns_a_die_over() -> None:
    state = ready(10)
    do(state, "tool 10")
    assert refused(state, "flip R6") == "not_in_pool"
    do(state, "flip G2")
    assert state.view(1).facts()["hand"] == "G5"
    assert kinds_of(state.events)[-3:] == ["tool_used", "taken_in_hand", "hand_changed"]
    full = [f"B5@{r},{c}" for r in range(1, 5) for c in range(1, 6) if (r, c) != (1, 1)]
    state = in_turn(window(BLANK, " ".join(full)), "G2 R1", tools="10")
    do(state, "tool 10")
    assert refused(state, "flip G2") == "no_cell"
    assert legal(state, "flip") == {"R1"}


def test_tool_11_draws_another_die_and_its_value_is_chosen() -> None:
    state = ready(11)
    before = int(state.bag)
    do(state, "tool 11")
    assert refused(state, "bag R6") == "not_in_pool"
    do(state, "bag G2")
    draw = state.awaiting()
    assert draw is not None
    assert draw.pool.count(ITEM_COLOUR + 1) == (before >> 5 & 31) + 1  # it may come back itself
    state.apply_draw([ITEM_COLOUR])
    assert int(state.bag) == before + 32 - 1
    assert state.view(1).facts()["hand"] == "R0"
    assert refused(state, "pass") == "must_name"
    assert refused(state, "put 1,2") == "nothing_to_put"
    do(state, "value 4")
    assert state.view(1).facts()["hand"] == "R4"
    do(state, "put 2,2", "pass")


def test_tool_11_refuses_a_value_without_a_cell_while_another_has_one() -> None:
    full = [f"B5@{r},{c}" for r in range(1, 5) for c in range(1, 6) if (r, c) != (1, 1)]
    state = in_turn(window(BLANK, " ".join(full)), "G2 R1", tools="11")
    do(state, "tool 11", "bag G2")
    blue = state.clone()
    state.apply_draw([ITEM_COLOUR])
    assert refused(state, "value 5") == "no_cell"
    blue.apply_draw([ITEM_COLOUR + 2])
    assert legal(blue, "value") == set("123456")
    do(blue, "value 6", "pass")
    assert pool(blue) == "R1 B6"


def test_tool_12_moves_a_second_die_of_the_same_colour_or_not() -> None:
    state = in_turn(window(BLANK, "R1@1,1 R3@2,2 B5@2,3"), "G2", tools="12", track="R6 B1")
    do(state, "tool 12", "lift 1,1", "put 3,3")
    assert (tokens(state), int(state.active)) == (5, 12)
    assert refused(state, "cancel") == "nothing_to_cancel"
    assert refused(state, "lift 3,3") == "moved_before"
    assert refused(state, "lift 2,3") == "wrong_colour"
    other = state.clone()
    do(other, "draft G2", "put 1,1", "pass")
    assert other.seat == 1
    do(state, "lift 2,2", "cancel", "lift 2,2", "put 1,2")
    assert (int(state.active), legal(state)) == (0, {"pass", "draft G2"})


# When the clock runs out (R11).


def test_a_die_in_hand_is_forfeited() -> None:
    state = ready(6)
    do(state, "tool 6", "reroll Y4")
    state.apply_draw([2])
    do(state, "forfeit")
    assert (pool(state), state.seat, tokens(state)) == ("G2 B3 P5 Y2", 1, 5)


def test_a_die_from_the_bag_that_nobody_named_is_rolled() -> None:
    state = ready(11)
    do(state, "tool 11", "bag G2")
    state.apply_draw([ITEM_COLOUR + 1])
    do(state, "forfeit")
    assert state.to_act() == 0
    state.apply_draw([6])
    assert (pool(state), state.seat) == ("B3 Y4 P5 G6", 1)
