"""Pairings, duplicate deals and rotations are pure functions: they give the same result every time."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.arena.plan import KNOCKOUT, SWISS, seed_of
from croupier.arena.rotations import neighbours, rotations
from croupier.arena.schedule import bracket, due, total
from tests.arena.arenas import arena, finished, meetings


@given(st.integers(2, 6), st.integers(2, 6))
def test_everybody_plays_every_seat_equally_often(many: int, seats: int) -> None:
    if many > seats:
        many = seats
    found = rotations(range(many), seats)
    assert len(set(found)) == len(found)
    for seat in range(seats):
        counts = Counter(way[seat] for way in found)
        assert set(counts) == set(range(many))
        assert len(set(counts.values())) == 1


def test_two_at_four_seats_sit_across_and_change_places() -> None:
    assert rotations("ab", 4) == [("a", "b", "a", "b"), ("b", "a", "b", "a")]
    assert len(rotations("ab", 3)) == 6
    assert len(rotations("abcd", 4)) == 4


def test_neighbours_change_with_the_deal_but_not_between_two() -> None:
    assert {tuple(neighbours("ab", deal)) for deal in range(20)} == {("a", "b")}
    assert len({tuple(neighbours("abcd", deal)) for deal in range(50)}) > 10


def test_a_round_robin_is_due_at_once_and_deal_by_deal() -> None:
    wanted = arena("a b c", deals=3)
    plays = due(wanted, [])
    assert len(plays) == total(wanted) == 3 * 3 * 2
    assert [play.deal for play in plays] == sorted(play.deal for play in plays)
    assert len({seed_of(wanted, play) for play in plays}) == 3


def test_tables_of_three_meet_in_every_combination() -> None:
    wanted = arena("a b c d", at_table=3, seats=3, game="sagrada", deals=1)
    plays = due(wanted, [])
    assert len(plays) == total(wanted) == 4 * 3
    assert {tuple(sorted(play.seats)) for play in plays} == {
        tuple("abc"),
        tuple("abd"),
        tuple("acd"),
        tuple("bcd"),
    }


@given(st.randoms(use_true_random=False))
def test_what_is_left_does_not_depend_on_what_came_first(rng: Random) -> None:
    wanted = arena("a b c", deals=2)
    results = finished(wanted, {"a": 1, "b": 2, "c": 3})
    rng.shuffle(results)
    cut = rng.randrange(len(results) + 1)
    left = {(play.meeting, play.deal, play.rotation) for play in due(wanted, results[:cut])}
    rest = {(one.play.meeting, one.play.deal, one.play.rotation) for one in results[cut:]}
    assert left == rest


def test_a_swiss_tournament_pairs_equals_and_nobody_twice() -> None:
    names = "a b c d e f g"
    wanted = arena(names, format=SWISS, rounds=4)
    results = finished(wanted, {name: ord(name) for name in names.split()})
    assert len(results) == total(wanted) == 4 * 3 * 2 * 2
    met = [frozenset(pair) for round in range(1, 5) for pair in meetings(results, round)]
    assert len(met) == len(set(met)) == 12
    rested = Counter(name for pair in met for name in pair)
    assert sorted(rested.values()) == [3, 3, 3, 3, 4, 4, 4]  # four have rested, each once


@pytest.mark.parametrize("many", range(2, 12))
def test_a_swiss_tournament_has_as_many_rounds_as_it_is_told(many: int) -> None:
    names = "abcdefghijk"[:many]
    rounds = many - 1 + many % 2
    wanted = arena(" ".join(names), format=SWISS, rounds=rounds, deals=1)
    results = finished(wanted, {name: ord(name) for name in names})
    assert len(results) == total(wanted)


def test_the_best_two_of_a_knockout_meet_last() -> None:
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    names = "a b c d e f"
    wanted = arena(names, format=KNOCKOUT)
    results = finished(wanted, {name: -ord(name) for name in names.split()})
    assert len(results) == total(wanted) == 5 * 2 * 2
    assert meetings(results, 1) == [("d", "e"), ("c", "f")]
    assert meetings(results, 2) == [("a", "d"), ("b", "c")]
    assert meetings(results, 3) == [("a", "b")]


def test_the_next_round_waits_until_the_last_is_whole() -> None:
    wanted = arena("a b c d", format=KNOCKOUT)
    results = finished(wanted, {"a": 4, "b": 3, "c": 2, "d": 1})
    first = [one for one in results if one.play.meeting.round == 1]
    assert {play.meeting.round for play in due(wanted, first[:-1])} == {1}
    assert {play.meeting.round for play in due(wanted, first)} == {2}
