"""Set-up, rounds, turns and refusals (R2, R3, R4), and what each seat is told."""

from __future__ import annotations

import pytest

from croupier.core.contract import WATCHER, BadDraw, IllegalAction, RulesError
from croupier.core.dice import Dice
from croupier.core.options import BadOptions
from croupier.games.sagrada import GAME
from croupier.games.sagrada.events import (
    MatchEnded,
    ObjectiveDealt,
    RoundEnded,
    RoundStarted,
    TurnStarted,
    WindowPicked,
    WindowsOffered,
)
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.tests.positions import BLANK, do, in_turn, kinds_of, legal, pool, refused, window
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    ITEM_CARD,
    ITEM_COLOUR,
    ITEM_PRIVATE,
    ITEM_PUBLIC,
    ITEM_SEAT,
    ITEM_TOOL,
)


def new(seats: int = 2, **options: object) -> GlassState:
    state = GAME.new(GAME.options.read(options), seats)
    state.events = []
    return state


def set_up(seats: int = 2, **options: object) -> GlassState:
    """Return a match whose set-up is drawn: the lowest of everything, in order."""
    state = new(seats, **options)
    while (draw := state.awaiting()) is not None:
        state.apply_draw(draw.pool[: draw.take])
    return state


def started(seats: int = 2, **options: object) -> GlassState:
    """Return a match in which all have chosen their first window."""
    state = set_up(seats, **options)
    for seat in range(seats):
        state.apply(seat, state.legal_actions(seat)[0])
    return state


def draw_dice(state: GlassState, text: str) -> None:
    """Let the start seat draw these dice."""
    do(state, "extract", seat=int(state.seat))
    dice = text.split()
    state.apply_draw([ITEM_COLOUR + "RGBYP".index(die[0]) for die in dice])
    state.apply_draw([int(die[1]) for die in dice])


# Set-up.


def test_the_draws_of_the_set_up_come_in_their_order() -> None:  # section 14
    state = new(3)
    pools: list[tuple[int, int, int]] = []
    while (draw := state.awaiting()) is not None:
        pools.append((draw.pool[0], len(draw.pool), draw.take))
        assert state.view(0).facts()["phase"] == "setup"
        state.apply_draw(draw.pool[: draw.take])
    assert pools == [
        (ITEM_SEAT, 3, 1),
        (ITEM_PRIVATE + 1, 5, 3),
        (ITEM_CARD + 1, 12, 6),
        (ITEM_TOOL + 1, 12, 3),
        (ITEM_PUBLIC + 1, 10, 3),
    ]
    assert state.to_act() == 0b111


def test_the_start_seat_can_be_fixed() -> None:
    draw = new(2, start="2").awaiting()
    assert draw is not None
    assert draw.pool[0] == ITEM_PRIVATE + 1
    assert [started(seats, start="3").start_seat() for seats in (2, 3, 4)] == [0, 2, 2]


def test_each_seat_is_told_only_its_own_objective_and_cards() -> None:
    state = set_up(2)
    heard = [
        (type(event), event.audience)
        for event in state.events or []
        if isinstance(event, ObjectiveDealt | WindowsOffered)
    ]
    assert heard == [(ObjectiveDealt, 1), (WindowsOffered, 1), (ObjectiveDealt, 2), (WindowsOffered, 2)]
    assert [state.offers, state.privates] == [[[1, 7, 2, 8], [3, 9, 4, 10]], [[1], [2]]]
    assert state.view(WATCHER).facts()["privates"] == []
    assert state.view(0).facts()["publics"] == []
    assert state.view(0).facts()["start"] is None


def test_windows_are_chosen_in_secret_and_shown_together() -> None:
    state = set_up(2)
    state.events = []
    do(state, "window 10", seat=1)
    assert [(type(e).__name__, e.audience) for e in state.events] == [
        ("WindowPicked", 2),
        ("WindowChosen", -1),
    ]
    assert isinstance(state.events[0], WindowPicked)
    assert state.view(0).facts()["windows"] == []
    assert state.view(1).facts()["window"] == 10
    assert refused(state, "window 3", seat=1) == "already_chosen"
    assert refused(state, "window 3", seat=0) == "not_offered"
    assert refused(state, "pass", seat=0) == "wrong_phase"
    assert refused(state, "window 1", seat=2) == "not_your_turn"
    state.events = []
    do(state, "window 1", seat=0)
    assert kinds_of(state.events)[2:] == ["windows_shown", "objectives_shown", "round_started"]
    view = state.view(WATCHER)
    assert isinstance(view, GlassView)
    assert [own.pattern.number for own in view.windows] == [1, 10]
    assert view.tokens == [4, 6]
    assert refused(state, "window 1", seat=0) == "wrong_phase"


@pytest.mark.parametrize("seats", [0, 5])
def test_other_numbers_of_seats(seats: int) -> None:
    with pytest.raises(RulesError, match="expected 1 to 4"):
        new(seats)


# Rounds and turns.


def test_turns_go_round_and_back_and_the_start_moves_on() -> None:  # R3, section 17: 2n turns a round
    state = started(3, start="2", rounds=4)
    while not state.over():
        if state.phase == 6:
            many = 2 * 3 + 1
            do(state, "extract", seat=int(state.seat))
            draw = state.awaiting()
            assert draw is not None
            assert draw.take == many
            state.apply_draw(draw.pool[::9][:many])
            state.apply_draw([1] * many)
        else:
            do(state, "pass", seat=int(state.seat))
    starts = [event.start for event in state.events or [] if isinstance(event, RoundStarted)]
    assert starts == [1, 2, 0, 1]
    turns = [(event.seat, event.turn) for event in state.events or [] if isinstance(event, TurnStarted)]
    assert turns[:6] == [(1, 0), (2, 0), (0, 0), (0, 1), (2, 1), (1, 1)]
    assert len(turns) == 4 * 6
    left = [len(event.dice) for event in state.events or [] if isinstance(event, RoundEnded)]
    assert left == [7, 7, 7, 7]
    assert isinstance((state.events or [])[-1], MatchEnded)
    assert state.scores() == [-20 + tokens for tokens in (4, 3, 4)]


def test_only_the_start_seat_draws_the_dice() -> None:
    state = started(2, start="1")
    assert refused(state, "extract", seat=1) == "not_your_turn"
    assert refused(state, "pass") == "wrong_phase"
    draw_dice(state, "B3 R5 Y6 G1 P4")
    assert pool(state) == "B3 R5 Y6 G1 P4"
    assert refused(state, "extract") == "wrong_phase"
    assert int(state.bag >> 5 * 2 & 31) == 17


def test_dice_that_are_not_in_the_bag_are_refused() -> None:
    state = started(2, start="1")
    with pytest.raises(BadDraw, match="none is due"):
        state.apply_draw([1])
    do(state, "extract")
    with pytest.raises(BadDraw, match="expected 5"):
        state.apply_draw([ITEM_COLOUR] * 4)
    with pytest.raises(BadDraw):
        state.apply_draw([ITEM_COLOUR + 5] * 5)
    state.bag = 4
    with pytest.raises(BadDraw, match="drawn before"):
        state.apply_draw([ITEM_COLOUR] * 5)
    assert refused(state, "pass") == "wrong_phase"


def test_a_turn_is_one_draft_and_ends_by_passing() -> None:
    state = in_turn(window(BLANK), "R1 G2 B3 Y4 P5")
    assert "pass" in legal(state)
    do(state, "draft R1", "put 1,1")
    assert pool(state) == "G2 B3 Y4 P5"
    assert legal(state) == {"pass"}
    assert refused(state, "draft G2") == "already_drafted"
    do(state, "pass")
    assert state.seat == 1
    assert refused(state, "draft G2") == "not_your_turn"


def test_equal_dice_leave_the_pool_in_its_order() -> None:
    state = in_turn(window(BLANK), "R5 B3 R5 G1 P4")
    do(state, "draft R5", "put 1,1")
    assert pool(state) == "B3 R5 G1 P4"


def test_a_picked_die_can_be_put_back() -> None:
    state = in_turn(window(BLANK), "R1 G2")
    do(state, "draft R1")
    assert legal(state) == {"cancel", *(f"put {row},{column}" for row, column in border())}
    assert refused(state, "pass") == "finish_first"
    assert refused(state, "draft G2") == "finish_first"
    assert state.view(0).facts()["picks"] == ["draft R1"]
    assert state.view(1).facts()["picks"] == []
    do(state, "cancel")
    assert legal(state) == {"pass", "draft R1", "draft G2"}
    assert refused(state, "cancel") == "nothing_to_cancel"
    assert refused(state, "put 1,1") == "nothing_to_put"


def border() -> list[tuple[int, int]]:
    return [(r, c) for r in range(1, 5) for c in range(1, 6) if r in (1, 4) or c in (1, 5)]


def test_the_last_turn_of_a_round_fills_the_track() -> None:
    state = in_turn(window(BLANK), "R1 G2 B3", turn=1, track="P1/P2")
    do(state, "draft G2", "put 1,1", "pass")
    view = state.view(1)
    assert isinstance(view, GlassView)
    assert view.facts()["track"] == [["P1"], ["P2"], ["R1", "B3"]]
    assert (view.round, view.start, view.pool) == (4, 1, [])
    assert state.deal() == 0


def test_only_the_seat_itself_is_told_of_steps_that_can_be_cancelled() -> None:
    state = in_turn(window(BLANK, "R1@1,1"), "G2 B3", tools="2 5 8")
    do(state, "tool 2", "lift 1,1", "cancel", "cancel")
    assert [(type(e).__name__, e.audience) for e in state.events or []] == [
        ("ToolActivated", 1),
        ("Picked", 1),
        ("PicksDropped", 1),
        ("ToolDropped", 1),
    ]


def test_the_whole_turn_is_one_question() -> None:
    state = in_turn(window(BLANK), "R1 G2", tools="6")
    asked = state.question(0)
    do(state, "tool 6", "reroll R1")
    state.apply_draw([4])
    assert state.question(0) == asked
    do(state, "put 1,1", "pass")
    assert state.question(1) != asked


def test_actions_that_do_not_exist() -> None:
    state = started(2, start="1")
    for action in (-1, 367, 1 << 70):
        with pytest.raises(IllegalAction, match="expected 0…366"):
            state.apply(0, action)


def test_after_the_end_nothing_is_legal() -> None:
    state = in_turn(window(BLANK), "R1 G2", turn=1, round_=10)
    do(state, "pass")
    assert state.over()
    assert refused(state, "pass") == "match_over"
    assert (state.deal(), state.awaiting()) == (1, None)


def test_the_end_tells_every_line_of_the_score() -> None:
    state = in_turn(window(BLANK, "R1@1,1 G2@1,2 B3@1,3 Y4@1,4 P5@1,5"), "R1", turn=1, round_=10)
    do(state, "pass")
    end = (state.events or [])[-1]
    assert isinstance(end, MatchEnded)
    assert end.plain() == {
        "kind": "match_ended",
        "scores": [
            {"publics": [6, 2, 0], "private": 1, "tokens": 6, "empty": 15, "fine": 15, "total": 0},
            {"publics": [0, 0, 0], "private": 0, "tokens": 6, "empty": 20, "fine": 20, "total": -14},
        ],
        "privates": [[1], [2]],
        "ranking": [0, 1],
        "target": None,
    }
    assert state.payoffs() == [7.0, -7.0]


# A fixed deal (R12).

DEAL = {
    "start": 1,
    "private": [4, 1],
    "cards": [[6, 7], [10, 1]],
    "tools": [1, 5, 8],
    "public": [1, 5, 9],
    "draws": [["B3", "R5", "Y6", "G1", "P4"]],
    "chance": ["G0", "4"],
}


def test_the_transcript_of_section_15() -> None:
    state = new(2, deal=DEAL)
    while (draw := state.awaiting()) is not None:
        assert (draw.pool, draw.take) == ([], 0)
        state.apply_draw([])
    assert state.offers == [[6, 12, 13, 19], [16, 22, 1, 7]]
    do(state, "window 6")
    do(state, "window 16", seat=1)
    do(state, "extract")
    state.apply_draw([])
    state.apply_draw([])
    assert pool(state) == "B3 R5 Y6 G1 P4"
    do(state, "tool 1", "raise R5", "put 1,2", "pass")
    assert [int(state.tokens_of(0)), pool(state)] == [2, "B3 Y6 G1 P4"]
    assert refused(state, "draft R5", "put 1,1", seat=1) == "not_in_pool"
    assert refused(state, "tool 5", seat=1) == "empty_track"
    do(state, "tool 8", seat=1)
    assert refused(state, "draft G1", "put 2,3", seat=1) == "printed"
    state.events = []
    do(state, "draft G1", "put 3,5", "pass", seat=1)
    assert kinds_of(state.events) == ["picked", "placed", "tool_used", "turn_ended", "turn_started"]
    assert (state.seat, state.turn) == (1, 2)
    do(state, "draft Y6", "put 4,5", "pass", seat=1)
    assert (state.seat, state.turn) == (0, 1)
    do(state, "draft B3", "put 1,1")
    assert refused(state, "draft P4", "put 2,1") == "already_drafted"
    do(state, "pass")
    assert state.view(0).facts()["track"] == [["P4"]]
    assert (state.round, state.seat) == (2, 1)


def test_chance_decides_what_a_fixed_deal_omits() -> None:
    state = new(2, deal={"tools": [6, 7, 11]})
    draw = state.awaiting()
    assert draw is not None
    assert draw.take == 1
    state = started(2, deal=DEAL)
    do(state, "extract")
    state.apply_draw([])
    state.apply_draw([])
    for seat in (0, 1, 1, 0):
        do(state, "pass", seat=seat)
    do(state, "extract", seat=1)
    draw = state.awaiting()
    assert draw is not None
    assert draw.take == 5


def scripted(tool: int, chance: list[str], turn: int = 0) -> GlassState:
    """Return a turn in a match whose chance is fixed."""
    deal = {"draws": [["R1"] * 5], "chance": chance}
    return in_turn(window(BLANK), "G2 B3 Y4", tools=str(tool), turn=turn, options={"deal": deal})


def test_fixed_results_of_rolls_and_of_the_bag() -> None:
    state = scripted(6, ["4", "R5"])
    do(state, "tool 6", "reroll G2")
    state.apply_draw([])
    assert state.view(0).facts()["hand"] == "G4"
    assert state.chance_at == 1
    state = scripted(7, ["6", "P5", "1", "2"], turn=1)
    do(state, "tool 7", "reroll_all")
    state.roll(Dice(1))
    assert (pool(state), state.chance_at) == ("G6 B5 Y1", 3)
    state = scripted(11, ["P0", "3"])
    do(state, "tool 11", "bag G2")
    state.apply_draw([])
    assert state.view(0).facts()["hand"] == "P0"
    do(state, "forfeit")
    state.apply_draw([])
    assert pool(state) == "B3 Y4 P3"


@pytest.mark.parametrize("chance", [[], ["G0"], ["G0", "4"]])
def test_a_fixed_result_that_does_not_fit_waits(chance: list[str]) -> None:
    state = scripted(6, chance)
    do(state, "tool 6", "reroll G2")
    draw = state.awaiting()
    assert draw is not None
    assert draw.take == 1
    state.apply_draw([6])
    assert state.chance_at == 0


def test_dice_that_have_left_the_bag_are_drawn_by_chance() -> None:
    state = scripted(6, [])
    state.round = 1
    state.bag -= 14  # four red ones are left, five are needed
    state.resume(0, True, False)
    draw = state.awaiting()
    assert draw is not None
    assert draw.take == 5
    state.apply_draw(draw.pool[3:8])
    draw = state.awaiting()
    assert draw is not None
    assert draw.take == 5


def test_a_fixed_deal_stays_secret_and_is_spelt_in_one_way() -> None:
    values = GAME.options.read({"deal": DEAL})
    assert isinstance(values["deal"], str)
    assert GAME.options.read({"deal": values["deal"]}) == values
    assert "deal" not in str(GAME.new(values, 2).view(0).facts())


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        ('{"tools"', "not JSON"),
        ("[]", "expected a JSON object"),
        (7, "expected a JSON object"),
        ({"tols": [1]}, "unknown member 'tols'"),
        ({"start": 5}, "start: expected numbers from 1 to 4"),
        ({"tools": [1, 1, 2]}, "one of them comes twice"),
        ({"tools": [1, 13, 2]}, "numbers from 1 to 12"),
        ({"private": [True, 2]}, "numbers from 1 to 5"),
        ({"cards": [[1]]}, "1 cards for a seat"),
        ({"cards": [[1, 2], [2, 3]]}, "comes twice"),
        ({"cards": 3}, "cards: expected a list"),
        ({"draws": [["R7"]]}, "dice like 'R5'"),
        ({"draws": [["R5"] * 5] * 11}, "11 draws"),
        ({"draws": [["R1"] * 5] * 3 + [["R1"] * 4 + ["G1"]]}, "19 dice R, there are 18"),
        ({"chance": ["X1"]}, "dice like 'G0'"),
        ({"chance": ["7"]}, "dice like 'G0'"),
    ],
)
def test_inconsistent_deals_are_refused(deal: object, words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        GAME.options.read({"deal": deal})


@pytest.mark.parametrize(
    ("seats", "deal"),
    [
        (2, {"start": 3}),
        (2, {"private": [1, 2, 3]}),
        (3, {"cards": [[1, 2]]}),
        (2, {"tools": [1, 2]}),
        (1, {"public": [1, 2, 3]}),
        (4, {"draws": [["R5"] * 5]}),
    ],
)
def test_deals_for_other_seats_are_refused(seats: int, deal: dict[str, object]) -> None:
    with pytest.raises(BadOptions, match="not for this number of seats"):
        GAME.new(GAME.options.read({"deal": deal}), seats)
