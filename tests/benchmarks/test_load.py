"""The load on a real server: open loops keep their schedule, results add up, every row is measured."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.clients import Play
from benchmarks.pace import DEAL, Schedule, Turns, ahead, keep
from benchmarks.server import Probe, croupier, load
from benchmarks.tally import median, part
from tests.benchmarks.results import result
from tests.cli.command import run

# The open loop.


def test_actions_are_due_at_fixed_times_and_at_each_table_in_turn() -> None:
    schedule = Schedule(begin=10.0, rate=625.0, tables=250, moves=1000)
    assert schedule.at(0) == 10.0
    assert schedule.at(625) == 11.0
    assert [schedule.table(number) for number in (0, 249, 250, 999)] == [0, 249, 0, 249]
    assert schedule.at(250) - schedule.at(0) == pytest.approx(0.4)


def test_the_moves_that_are_due_are_counted() -> None:
    schedule = Schedule(begin=10.0, rate=100.0, tables=4, moves=50)
    assert [schedule.due(now) for now in (9.0, 9.999, 10.0, 10.005, 10.01)] == [0, 0, 1, 1, 2]
    assert schedule.due(99.0) == 50
    assert all(schedule.due(schedule.at(number)) == number + 1 for number in range(50))


def test_a_move_waits_for_its_time_and_a_time_for_its_move() -> None:
    turns = Turns()
    went: list[float] = []
    turns.asked(went.append)
    assert turns.waiting()
    assert went == []
    turns.due(1.0)
    assert went == [1.0]
    assert not turns.waiting()
    turns.due(2.0)
    turns.due(3.0)  # the server is late: there is no question yet
    turns.asked(went.append)
    assert went == [1.0, 2.0]  # the time counts from when it was due
    turns.asked(went.append)
    turns.asked(went.append)
    assert went == [1.0, 2.0, 3.0]


def test_tables_end_their_deals_one_after_the_other() -> None:
    for moves in (14, 52, 60):
        ends = Counter(DEAL - ahead(number, moves) for number in range(520))
        assert [ends[move] for move in range(1, min(moves, DEAL) + 1)] == [10] * min(moves, DEAL)


def test_a_late_client_catches_up() -> None:
    turns = [Turns(), Turns()]
    went: list[float] = []
    for turn in turns:
        turn.asked(went.append)
    begin = time.perf_counter() - 1.0  # everything is already due
    late = asyncio.run(keep(Schedule(begin, 100.0, 2, 2), turns))
    assert went == [begin, begin + 0.01]
    assert all(one > 0.9 for one in late)


# Numbers.


def test_percentiles_of_a_list() -> None:
    numbers = [float(number) for number in range(1, 101)]
    assert part(numbers[::-1], 0.5) == 51.0
    assert part(numbers, 0.99) == 100.0
    assert part([7.0], 0.99) == 7.0


def test_medians_are_taken_number_by_number() -> None:
    runs = [
        result(p99_ms=5.0, moves=10, errors=1, cpu_seconds=None),
        result(p99_ms=1.0, moves=30),
        result(p99_ms=3.0, moves=20, errors=2),
    ]
    found = median(runs)
    assert (found.p99_ms, found.moves, found.errors) == (3.0, 20, 3)
    assert found.cpu_seconds is None
    assert found.library == "picows"


def test_costs_are_computed_from_results() -> None:
    found = result(moves=100, cpu_seconds=0.05, idle_bytes=1 << 20, peak_bytes=3 << 20)
    assert found.cpu_us == 500.0
    assert found.grown(4) == 512.0
    assert result(cpu_seconds=None).cpu_us is None
    assert result(peak_bytes=None).grown(4) is None


# A real server.


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["hearts", "house"])
def test_an_open_loop_makes_its_moves_in_its_time(tmp_path: Path, protocol: str) -> None:
    with croupier(tmp_path) as server, Probe(server.url) as probe:
        found = load(Play(server.url, server.pid, 3, protocol, deals=1, rate=30.0, seconds=1.0))
        stall = probe.worst_ms(found)
    assert (found.moves, found.errors) == (30, 0)
    assert found.seconds > 0.9
    assert 0 < found.p50_ms <= found.p99_ms
    assert stall > 0
    assert (found.events_per_move > 0) == (protocol == "house")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("house", "as fast as possible"),
        ("rate", "100 connections"),
        ("crowd", "200 connections"),
        ("watchers", "raw echo, a frame"),
        pytest.param("nodes", "forwarded: the clients are at another node", marks=pytest.mark.nightly),
    ],
)
def test_rows_of_the_server_are_measured_and_reported(tmp_path: Path, what: str, words: str) -> None:
    path = tmp_path / "report.md"
    done = run("bench", what, "--quick", "-o", path, "--folder", tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"| {words} |" in path.read_text()
    assert "; 0 answers were wrong or late" in path.read_text() or what == "watchers"
