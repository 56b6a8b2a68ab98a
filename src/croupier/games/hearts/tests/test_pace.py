"""The pauses of section 4.2 and the limits of section 5.1 of the spec."""

from __future__ import annotations

import pytest

from croupier.core.contract import Event
from croupier.games.hearts import GAME
from croupier.games.hearts.events import (
    DealEnded,
    DealStarted,
    Dealt,
    ExposingEnded,
    ExposingStarted,
    GameEnded,
    GameStarted,
    MatchEnded,
    Passed,
    PassingEnded,
    PassingStarted,
    Picked,
    Played,
    Received,
    TrickStarted,
    TrickTaken,
)
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import EXPOSING, PASSING, PLAYING

ZERO = [0, 0, 0, 0]


def deal_ended() -> DealEnded:
    return DealEnded(1, [], [], [], ZERO, ZERO, -1, -1)


@pytest.mark.parametrize(
    ("event", "pause"),
    [
        (GameStarted(1, {}), 0.0),
        (DealStarted(1, "left"), 0.0),
        (DealStarted(2, "right"), 2.0),
        (Dealt(0, 0), 0.0),
        (PassingStarted(), 0.5),
        (Picked(0, 0), 0.0),
        (Passed(0), 0.0),
        (Received(0, 3, []), 0.0),
        (PassingEnded(), 0.0),
        (ExposingStarted(), 0.5),
        (ExposingEnded(-1), 0.0),
        (TrickStarted(1, 0), 2.0),
        (Played(0, 0, False), 0.5),
        (TrickTaken(0, 0, ZERO), 0.0),
        (TrickStarted(2, 0), 2.5),
        (deal_ended(), 0.5),
        (GameEnded(1, ZERO, ZERO), 2.0),
        (MatchEnded(ZERO, ZERO), 0.0),
    ],
)
def test_the_pause_before_an_event(event: Event, pause: float) -> None:
    assert GAME.pace(GAME.table_options.read({})).before(event) == pause


def test_the_pauses_are_options() -> None:
    raw = {"command_interval": 10, "round_interval": 200, "deal_interval": 3000}
    pace = GAME.pace(GAME.table_options.read(raw))
    events = (Played(0, 0, False), TrickStarted(2, 0), DealStarted(2, "none"))
    assert [pace.before(event) for event in events] == pytest.approx([0.01, 0.21, 3.0])


@pytest.mark.parametrize(
    ("phase", "program", "person"), [(PASSING, 3.0, 60.0), (EXPOSING, 3.0, 30.0), (PLAYING, 1.0, 30.0)]
)
def test_the_time_to_think(phase: int, program: float, person: float) -> None:
    pace = GAME.pace(GAME.table_options.read({}))
    view = HeartsView(0)
    view.phase = phase
    assert (pace.limit(view, False), pace.limit(view, True)) == (program, person)


def test_no_limit_is_none() -> None:
    pace = GAME.pace(GAME.table_options.read({"pick_card_timeout": 0, "human_pick_timeout": 0}))
    view = HeartsView(0)
    view.phase = PLAYING
    assert (pace.limit(view, False), pace.limit(view, True)) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("options", "rest"),
    [
        ({}, 2.0),
        ({"deal_interval": 0}, 1.0),
        ({"deal_interval": 0, "game_interval": 0}, 0.0),
        ({"deal_interval": 100, "game_interval": 3000}, 3.0),
    ],
)
def test_automatic_games_start_after_at_least_a_second(options: dict[str, int], rest: float) -> None:
    assert GAME.pace(GAME.table_options.read(options)).rest() == rest
