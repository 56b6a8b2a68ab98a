"""Luck cancels out, verdicts lose, intervals and significance are correct."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from croupier.arena.outcomes import duplicates, gaps, price_of, winner
from croupier.arena.plan import KNOCKOUT, SWISS, Result
from croupier.arena.ratings import chance, differences, summary
from croupier.arena.schedule import due
from croupier.bots.duel import mean
from tests.arena.arenas import arena, failed, finished, played


def test_the_luck_of_the_seats_cancels() -> None:
    wanted = arena(deals=3)
    found = duplicates(wanted, finished(wanted, {"a": 5, "b": 2}))
    assert gaps(found, "a", "b", 1.0) == [3.0, 3.0, 3.0]
    assert gaps(found, "b", "a", 1.0) == [-3.0, -3.0, -3.0]


@pytest.mark.parametrize(
    ("name", "scores", "payoffs", "expected"),
    [
        ("coinche", (0, 500, 0, 500), (-500.0, 500.0, -500.0, 500.0), [-500.0]),
        ("hearts", (-2, -28, -4, -6), (8.0, -18.0, 6.0, 4.0), [14.0]),
        ("fewest", (2, 28, 4, 6), (8.0, -18.0, 6.0, 4.0), [14.0]),
        ("nothing", (3, 3, 3, 3), (0.0, 0.0, 0.0, 0.0), [0.0]),
    ],
)
def test_differences_are_in_the_game_s_own_points(
    name: str, scores: tuple[int, ...], payoffs: tuple[float, ...], expected: list[float]
) -> None:
    wanted = arena(game=name, deals=1)
    here, there = due(wanted, [])
    results = [
        Result(here, payoffs, scores),
        Result(there, payoffs[1:] + payoffs[:1], scores[1:] + scores[:1]),
    ]
    found = duplicates(wanted, results)
    assert gaps(found, "a", "b", 1.0) == expected
    assert price_of(found) == abs(expected[0] or 1.0)


def test_who_has_more_seats_in_a_match_gains_nothing_by_its_level() -> None:
    wanted = arena("a b c", at_table=3, game="sagrada", deals=1)
    strength = {"a": 5.0, "b": 3.0, "c": 0.0}
    results = [
        Result(one.play, one.payoffs, tuple(score + 100 * one.play.rotation for score in one.scores))
        for one in finished(wanted, strength)
    ]
    found = duplicates(wanted, results)
    assert gaps(found, "a", "b", 1.0) == [pytest.approx(2.0)]
    assert gaps(found, "b", "c", 1.0) == [pytest.approx(3.0)]


def test_a_deal_counts_when_all_its_rotations_are_played() -> None:
    wanted = arena(deals=1)
    first, second = due(wanted, [])
    assert duplicates(wanted, [played(first, {"a": 1, "b": 0})]) == []
    twice = [played(first, {"a": 1, "b": 0}), played(first, {"a": 9, "b": 0})]
    assert duplicates(wanted, twice) == []
    assert len(duplicates(wanted, [*twice, played(second, {"a": 1, "b": 0})])) == 1


def test_who_loses_by_verdict_loses_by_the_largest_difference() -> None:
    wanted = arena(deals=3)
    results = finished(wanted, {"a": 5, "b": 2})
    results[0] = failed(results[0].play, "a")
    found = duplicates(wanted, results)
    assert gaps(found, "a", "b", price_of(found)) == [-3.0, 3.0, 3.0]
    told = summary(wanted, results)
    by_name = {line.name: line for line in told.standings}
    assert by_name["a"].verdicts == {"timeout": 1}
    assert (by_name["a"].won, by_name["a"].lost) == (2, 1)
    assert by_name["b"].verdicts == {}


def test_a_third_contestant_s_verdict_is_not_the_others() -> None:
    wanted = arena("a b c", at_table=3, seats=3, game="sagrada", deals=1)
    results = [failed(play, "c") for play in due(wanted, [])]
    found = duplicates(wanted, results)
    assert gaps(found, "a", "b", 1.0) == []
    assert gaps(found, "a", "c", 1.0) == [1.0]
    assert [line.name for line in summary(wanted, results).standings][-1] == "c"


@pytest.mark.parametrize("form", ["round-robin", SWISS, KNOCKOUT])
def test_the_strongest_comes_first_in_every_format(form: str) -> None:
    wanted = arena("a b c d", format=form, rounds=2 if form == SWISS else 0, deals=8)
    told = summary(wanted, finished(wanted, {"a": 1, "b": 4, "c": 3, "d": 2}))
    assert told.over
    assert told.standings[0].name == "b"
    best = max(told.standings, key=lambda line: line.rating.value)
    assert best.name == "b"
    assert best.rating.margin < 16


def test_equals_go_on_in_a_knockout_as_the_file_lists_them() -> None:
    wanted = arena("a b", format=KNOCKOUT)
    results = finished(wanted, {"a": 1, "b": 1})
    found = duplicates(wanted, results)
    assert winner(found, found[0].meeting) == "a"
    assert [line.points for line in summary(wanted, results).standings] == [1.0, 0.0]


def test_the_result_does_not_depend_on_who_finished_first() -> None:
    wanted = arena("a b c", deals=4)
    rng = Random(1)
    noisy = finished(
        wanted,
        {"a": 1, "b": 2, "c": 3},
        lambda one: Result(one.play, one.payoffs, tuple(score + rng.randint(-9, 9) for score in one.scores)),
    )
    shuffled = noisy[:]
    rng.shuffle(shuffled)
    assert summary(wanted, noisy).standings == summary(wanted, shuffled).standings


@pytest.mark.slow
def test_equals_are_rarely_called_different() -> None:
    rng = Random(7)
    for many, times in ((8, 100), (20, 20), (60, 400)):
        wrong = sum(chance([rng.gauss(0, 1) for _ in range(many)]) < 0.05 for _ in range(times))
        assert wrong <= 0.05 * times + 4 * (0.0475 * times) ** 0.5, many  # four deviations


def test_a_clear_difference_is_seen() -> None:
    rng = Random(8)
    for many in (8, 20, 60):
        assert chance([rng.gauss(2, 1) for _ in range(many)]) < 0.02
    assert chance([1.0] * 40) == 0.0
    assert chance([0.0] * 40) == 1.0
    assert chance([0.0, 0.0]) == 1.0


def test_many_pairs_make_significance_harder() -> None:
    values = [1.0] * 8
    alone = differences({("a", "b"): values})
    among = differences({("a", "b"): values, ("a", "c"): [1.0, -1.0], ("b", "c"): []})
    assert alone[0].chance == 2 / 256
    assert [one.chance for one in among] == [4 / 256, 1.0]
    assert alone[0].significant


def test_an_interval_is_wider_the_fewer_values_there_are() -> None:
    assert mean([4.0]).margin == inf
    assert mean([1.0, 2.0, 3.0]).margin == pytest.approx(4.30 / 3**0.5)
    values = [float(i % 2) for i in range(100)]
    assert mean(values).margin == pytest.approx(1.96 * 0.5025 / 10, rel=1e-3)
