"""The variant for one (R10)."""

from __future__ import annotations

from croupier.core.contract import PUBLIC, WATCHER, as_plain
from croupier.games.sagrada import GAME
from croupier.games.sagrada.events import MatchEnded, ObjectiveDealt
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.tests.positions import BLANK, do, in_turn, legal, pool, refused, window
from croupier.games.sagrada.vocabulary import EXTRA, ITEM_PRIVATE


def solo(dice: str, pool: str, tools: str, **more: object) -> GlassState:
    track = more.get("track", "")
    turn = more.get("turn", 0)
    round_ = more.get("round_", 3)
    assert isinstance(track, str)
    assert isinstance(turn, int)
    assert isinstance(round_, int)
    return in_turn(window(BLANK, dice), pool, tools, track, turn, round_=round_, seats=1)


def test_the_set_up_of_one() -> None:
    state = GAME.new(GAME.options.read({"solo_tools": 5}), 1)
    state.events = []
    takes: list[tuple[int, int]] = []
    while (draw := state.awaiting()) is not None:
        takes.append((draw.pool[0], draw.take))
        state.apply_draw(draw.pool[: draw.take])
    assert takes[0] == (ITEM_PRIVATE + 1, 2)
    assert [take for _, take in takes] == [2, 2, 5, 2]
    dealt = [event for event in state.events if isinstance(event, ObjectiveDealt)]
    assert [(event.privates, event.audience) for event in dealt] == [([1, 2], PUBLIC)]
    assert state.view(WATCHER).facts()["privates"] == [1, 2]
    do(state, "window 1", "extract")
    assert state.tokens_of(0) == 0
    draw = state.awaiting()
    assert draw is not None
    assert draw.take == 4


def test_a_tool_is_paid_with_a_die_of_its_colour_and_works_once() -> None:
    state = solo("R1@1,1", "G2 G3 Y4 P5", "10 5", track="R1")
    do(state, "tool 10")
    assert legal(state) == {"cancel", "pay G2", "pay G3"}
    assert refused(state, "pay Y4") == "not_enough_tokens"
    assert refused(state, "pay G6") == "not_enough_tokens"
    do(state, "pay G3")
    assert legal(state, "flip") == {"G2", "Y4", "P5"}  # what pays is set aside
    assert pool(state) == "G2 G3 Y4 P5"
    assert state.view(0).facts()["paying"] == "G3"
    do(state, "flip Y4")
    assert (pool(state), state.view(WATCHER).facts()["paid"]) == ("G2 P5", ["G3"])
    do(state, "put 1,2", "pass")
    assert refused(state, "tool 10") == "tool_not_there"
    assert not refused(state, "tool 5", "pay G2")


def test_without_a_die_of_the_colour_there_is_no_tool() -> None:
    state = solo("R1@1,1", "G2 G3 Y4 Y5", "1")
    assert refused(state, "tool 1") == "not_enough_tokens"


def test_the_payment_comes_back() -> None:
    state = solo("R1@1,1", "G2 G3 Y4 P5", "10")
    do(state, "tool 10", "cancel", "tool 10", "pay G2", "cancel")
    assert (pool(state), state.activations) == ("G2 G3 Y4 P5", 2)
    do(state, "tool 10", "pay G2", "pass")
    assert (pool(state), int(state.turn)) == ("G2 G3 Y4 P5", 1)


def test_two_turns_and_an_extra_turn_instead_of_the_second() -> None:
    state = solo("R1@1,1", "R2 G3 Y4 P5", "8")
    do(state, "tool 8", "pay R2", "draft G3", "put 1,2", "pass")
    assert (int(state.turn), pool(state)) == (EXTRA, "Y4 P5")
    do(state, "pass")
    assert (state.round, state.view(0).facts()["track"]) == (4, [["Y4", "P5"]])


def test_the_pool_may_be_used_up() -> None:
    state = solo("R1@1,1", "G3 G2", "10", turn=1)
    do(state, "tool 10", "pay G2", "flip G3", "put 1,2", "pass")
    assert state.view(0).facts()["track"] == [[]]


def test_one_wins_with_more_than_the_track_shows() -> None:
    own = "R1@1,1 R6@2,2 R6@3,3 R6@4,4"  # private red 19, diagonals 4 are not asked for
    state = solo(own, "G6", "1", track="B5 Y4", turn=1, round_=10)
    do(state, "pass")
    end = (state.events or [])[-1]
    assert isinstance(end, MatchEnded)
    assert end.target == 5 + 4 + 6
    assert as_plain(end.scores[0].fact()) == {
        "publics": [0, 0],
        "private": 19,
        "tokens": 0,
        "empty": 16,
        "fine": 48,
        "total": -29,
    }
    assert state.payoffs() == [-29.0 - 15]
