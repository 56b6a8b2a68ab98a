"""The heuristic, the stand-in and the clocks."""

from __future__ import annotations

from random import Random

import pytest

from croupier.bots.duel import duel
from croupier.core.contract import Bot, sample
from croupier.core.dice import Dice
from croupier.games.sagrada import GAME
from croupier.games.sagrada.events import Returned, ToolUsed
from croupier.games.sagrada.pace import AT_ONCE, GlassPace
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.tests.positions import BLANK, do, in_turn, pool, window
from croupier.games.sagrada.vocabulary import ACTIONS, CHOOSING, EXTRACTING, FORFEIT, ITEM_COLOUR


def play(bot: Bot, seats: int, seed: int, **options: object) -> tuple[GlassState, int]:
    """Return a match of *bot* against itself and the longest turn in actions."""
    state = GAME.new(GAME.options.read(options), seats)
    state.events = []
    dice, rng = Dice(seed), Random(seed)
    longest = steps = 0
    asked = -1
    while not state.over():
        draw = state.awaiting()
        if draw is not None:
            state.apply_draw(sample(draw, dice))
            continue
        seat = (state.to_act() & -state.to_act()).bit_length() - 1
        steps = steps + 1 if state.question(seat) == asked else 1
        asked = state.question(seat)
        longest = max(longest, steps)
        action = bot.choose(state.view(seat), rng)
        assert action != FORFEIT, "only the clock may do this"
        state.apply(seat, action)
    return state, longest


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_heuristic_uses_tools_and_never_stalls(seats: int) -> None:
    used: set[int] = set()
    for seed in range(2):
        state, longest = play(GAME.bots()["heuristic"], seats, seed)
        used |= {event.tool for event in state.events or [] if isinstance(event, ToolUsed)}
        assert longest < 20
    assert len(used) >= 3


@pytest.mark.parametrize("tool", range(1, 13))
def test_the_heuristic_knows_every_tool(tool: int) -> None:
    """Play a few matches with this tool on the table; the bot uses it at least once."""
    others = [other for other in (2, 3, 9, 12) if other != tool][:2]
    for seed in range(12):
        state, _ = play(GAME.bots()["heuristic"], 2, seed, deal={"tools": [tool, *others]})
        if any(isinstance(event, ToolUsed) and event.tool == tool for event in state.events or []):
            return
    pytest.fail(f"tool {tool} was never used")


def test_the_heuristic_is_far_better_than_random() -> None:
    bots = GAME.bots()
    assert duel(GAME, bots["heuristic"], bots["random"], 4, seed=3, seats=2).difference.value > 20


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.nightly
def test_the_heuristic_beats_random_by_twenty_points_over_a_thousand_games() -> None:
    bots = GAME.bots()
    found = duel(GAME, bots["heuristic"], bots["random"], 500, seed=1, seats=2)
    assert found.difference.value - found.difference.margin > 20


# The stand-in (R11).


def stand_in(state: GlassState) -> list[str]:
    """Let the stand-in finish the turn; return its actions."""
    done: list[str] = []
    asked = state.question(0)
    while state.to_act() & 1 and state.question(0) == asked:
        action = GAME.stand_in().choose(state.view(0), Random(1))
        state.apply(0, action)
        done.append(ACTIONS.name(action))
    return done


def test_the_stand_in_chooses_the_first_window_and_draws_the_dice() -> None:
    state = GAME.new(GAME.options.read({"deal": {"start": 1, "cards": [[6, 7], [10, 1]]}}), 2)
    while (draw := state.awaiting()) is not None:
        state.apply_draw(draw.pool[: draw.take])
    choices = [ACTIONS.name(GAME.stand_in().choose(state.view(seat), Random(1))) for seat in (0, 1)]
    assert choices == ["window 6", "window 16"]
    do(state, choices[0])
    do(state, choices[1], seat=1)
    assert ACTIONS.name(GAME.stand_in().choose(state.view(0), Random(1))) == "extract"


@pytest.mark.parametrize(
    ("steps", "ends"),
    [
        ([], ["pass"]),
        (["draft G2"], ["cancel", "pass"]),
        (["tool 4", "lift 1,1"], ["cancel", "cancel", "pass"]),
        (["tool 8"], ["cancel", "pass"]),
        (["tool 4", "lift 1,1", "lift 1,2", "put 2,1", "put 2,2"], ["pass"]),
    ],
)
def test_the_clock_cancels_unfinished_steps(steps: list[str], ends: list[str]) -> None:
    state = in_turn(window(BLANK, "R1@1,1 P2@1,2"), "G2 B3 Y4", tools="4 8 6")
    do(state, *steps)
    assert stand_in(state) == ends
    assert (state.seat, int(state.tokens_of(0))) == (1, 5 if len(steps) > 3 else 6)
    assert pool(state) == "G2 B3 Y4"


def test_the_clock_returns_a_die_in_hand() -> None:
    state = in_turn(window(BLANK, "R1@1,1"), "G2 B3 Y4", tools="6 11")
    unnamed = state.clone()
    do(state, "tool 6", "reroll G2")
    state.apply_draw([5])
    assert stand_in(state) == ["forfeit"]
    assert pool(state) == "B3 Y4 G5"
    assert any(isinstance(event, Returned) for event in state.events or [])
    do(unnamed, "tool 11", "bag G2")
    unnamed.apply_draw([ITEM_COLOUR + 4])
    assert stand_in(unnamed) == ["forfeit"]
    unnamed.apply_draw([3])
    assert pool(unnamed) == "B3 Y4 P3"


def test_a_match_of_stand_ins_ends() -> None:
    state, _ = play(GAME.stand_in(), 4, 1)
    assert all(score.empty == 20 for score in state.score_lines())


# The clocks.


def test_clocks() -> None:
    pace = GAME.pace(GAME.table_options.read({}))
    assert isinstance(pace, GlassPace)
    view = in_turn(window(BLANK), "R1").view(0)
    assert (pace.limit(view, True), pace.counts(view)) == (60.0, True)
    view.phase = CHOOSING
    assert (pace.limit(view, False), pace.counts(view)) == (60.0, False)
    view.phase = EXTRACTING
    assert (pace.limit(view, False), pace.counts(view)) == (10.0, False)
    at_once = GAME.pace(GAME.table_options.read({"extract_time": 0, "turn_time": 0}))
    assert at_once.limit(view, True) == AT_ONCE
    alone = in_turn(window(BLANK), "R1", seats=1).view(0)
    assert pace.limit(alone, True) == 0.0
