"""Tournaments on the server: entering, rounds, standings. Their tables are tested in test_http.py."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.options import BadOptions
from croupier.core.refusal import Refusal
from croupier.tournaments.tournament import (
    FORMATS,
    KNOCKOUT,
    ROUND_ROBIN,
    RUNNING,
    SWISS,
    Board,
    Entrant,
    Tournament,
    enter,
    finished,
    next_round,
    remaining,
    standings,
    withdraw,
)


def cup(entrants: int, seats: int = 4, format: str = SWISS, rounds: int = 3) -> Tournament:
    made = Tournament("t1", "Cup", "hearts", seats, 0.0, format, rounds)
    for number in range(entrants):
        enter(made, Entrant(f"player {number}", f"digest {number}"))
    return made


def board(table: str, seats: list[int], scores: list[int]) -> Board:
    places = [1 + sum(other > own for other in scores) for own in scores]
    return Board(table, seats, f"{table}-1", scores, places)


def play_round(tournament: Tournament) -> None:
    """Let players who entered earlier do better, and bots worst."""
    boards = []
    for at, seats in enumerate(next_round(tournament)):
        scores = [-entrant if entrant >= 0 else -1000 + entrant for entrant in seats]
        boards.append(board(f"{len(tournament.played)}.{at}", seats, scores))
    tournament.played.append(boards)


@pytest.mark.slow
@given(st.integers(1, 23), st.integers(2, 4), st.sampled_from(FORMATS))
def test_every_remaining_player_has_one_seat_per_round(entrants: int, seats: int, format: str) -> None:
    made = cup(entrants, seats, format)
    for _ in range(10):
        if finished(made):
            break
        due = remaining(made)
        tables = next_round(made)
        assert sorted(one for table in tables for one in table if one >= 0) == sorted(due)
        assert all(len(table) == seats for table in tables)
        assert len(tables) == -(-len(due) // seats)
        sizes = [sum(one >= 0 for one in table) for table in tables]
        assert max(sizes) - min(sizes) <= 1  # no player meets only bots while others play each other
        play_round(made)
    else:
        raise AssertionError("the tournament does not end")
    assert standings(made)[0].entrant == 0


def test_a_knockout_halves_its_tables_until_one_is_left() -> None:
    made = cup(16, format=KNOCKOUT)
    left = []
    while not finished(made):
        left.append(len(remaining(made)))
        play_round(made)
    assert left == [16, 8, 4, 2]
    order = [line.entrant for line in standings(made)]
    assert order[:2] == [0, 1]
    assert [line.round for line in standings(made)][:2] == [5, 4]  # the winner has advanced from the last


def test_in_a_round_robin_of_pairs_everyone_meets_everyone() -> None:
    made = cup(6, seats=2, format=ROUND_ROBIN, rounds=5)
    while not finished(made):
        play_round(made)
    met = {frozenset(board.entrants) for boards in made.played for board in boards}
    assert len(met) == 15


def test_in_a_round_robin_of_fours_meetings_are_spread() -> None:
    made = cup(8, format=ROUND_ROBIN, rounds=4)
    while not finished(made):
        play_round(made)
    times = Counter(
        frozenset(pair)
        for boards in made.played
        for board in boards
        for pair in combinations(board.entrants, 2)
    )
    assert len(times) >= 26  # of 28 pairs
    assert max(times.values()) <= 3


def test_a_point_for_each_opponent_beaten_and_half_for_equals() -> None:
    made = cup(3)
    made.played = [[board("a", [0, -1, 1, 2], [5, 1, 5, 0])]]
    lines = {line.entrant: line for line in standings(made)}
    assert [lines[entrant].points for entrant in (0, 1, 2, -1)] == [2.5, 2.5, 0.0, 1.0]
    assert [lines[entrant].score for entrant in (0, 1, 2, -1)] == [5, 5, 0, 1]
    assert [(line.entrant, line.place) for line in standings(made)] == [(0, 1), (1, 1), (-1, 3), (2, 4)]


@pytest.mark.parametrize("format", FORMATS)
def test_a_player_who_came_last_does_not_lead(format: str) -> None:
    made = cup(1, format=format)
    made.played = [[board("a", [-1, 0, -2, -3], [-2, -17, -3, -4])]]
    assert [line.entrant for line in standings(made)] == [-1, -2, -3, 0]
    assert finished(made) == (format == KNOCKOUT)


def test_equal_points_are_decided_by_the_scores_of_the_game() -> None:
    made = cup(4, seats=2)
    made.played = [[board("a", [0, 1], [40, 30]), board("b", [2, 3], [90, -5])]]
    assert [(line.entrant, line.score) for line in standings(made)] == [(2, 90), (0, 40), (1, 30), (3, -5)]


def test_only_players_in_the_better_half_of_a_table_advance_in_a_knockout() -> None:
    made = cup(2, format=KNOCKOUT)
    made.played = [[board("a", [-1, 0, -2, 1], [9, 1, 8, 7])]]
    assert remaining(made) == []
    assert finished(made)
    made.played = [[board("a", [-1, 0, -2, 1], [9, 1, 7, 8])]]
    assert remaining(made) == [1]


def test_bots_have_names_of_their_own() -> None:
    made = cup(5)
    enter(made, Entrant("Clara Bell", "another"))
    tables = next_round(made)
    bots = [made.name_of(one) for table in tables for one in table if one < 0]
    assert sorted(bots) == ["Anton Rey", "Zora Hren"]


def test_an_aborted_match_gives_no_points() -> None:
    made = cup(2)
    made.played = [[Board("a", [0, 1, -1, -1], "a-1", [])]]
    assert [(line.points, line.matches, line.round) for line in standings(made)] == [(0, 0, 1)] * 3


def test_an_entrant_cannot_enter_again_under_another_name() -> None:
    made = cup(1)
    with pytest.raises(Refusal, match="as 'player 0'") as refused:
        enter(made, Entrant("another", "digest 0"))
    assert refused.value.key == "already_entered"
    with pytest.raises(Refusal, match="another player has entered with it"):
        enter(made, Entrant("Pláyer-0", "another"))
    for name in ("!!", "??"):
        enter(made, Entrant(name, f"digest of {name}"))
    assert [one.name for one in made.entrants] == ["player 0", "!!", "??"]


def test_a_name_can_be_entered_only_once_with_its_token() -> None:
    made = cup(1)
    enter(made, Entrant("PLAYER 0", "digest 0"))
    assert len(made.entrants) == 1
    with pytest.raises(Refusal, match="another player has entered with it") as refused:
        enter(made, Entrant("Player 0", "another"))
    assert refused.value.key == "name_taken"
    with pytest.raises(Refusal, match="no player has entered"):
        withdraw(made, "another")
    withdraw(made, "digest 0")
    assert not made.entrants


def test_entries_close_with_the_start() -> None:
    made = cup(1)
    made.phase = RUNNING
    with pytest.raises(Refusal, match="entries are closed"):
        enter(made, Entrant("new", "x"))
    with pytest.raises(Refusal, match="leave your table instead"):
        withdraw(made, "digest 0")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": ""}, "name of 0 characters"),
        ({"seats": 1}, "1 seat: expected at least 2"),
        ({"format": "lottery"}, "expected round-robin, swiss, knockout"),
        ({"rounds": 0}, "0 rounds: expected 1"),
        ({"patience": 1.0}, "patience of 1 s"),
    ],
)
def test_settings_that_cannot_be_played_are_refused_with_the_cause(
    change: dict[str, object], words: str
) -> None:
    made = cup(0)
    for name, value in change.items():
        setattr(made, name, value)
    with pytest.raises(BadOptions, match=words):
        made.check()
