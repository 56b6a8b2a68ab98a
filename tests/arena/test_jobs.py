"""Matches distributed to workers that die."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import msgspec
import pytest

from croupier.arena import jobs
from croupier.arena.plan import Contestant, Play, Result, Verdict, encode
from croupier.arena.results import Book
from croupier.arena.schedule import total
from tests.arena.arenas import arena, bots, played


class Mortal:
    """Plays immediately, but dies if a killer is among the players."""

    room = 4

    def submit(self, play: str) -> Future[str]:
        found = msgspec.json.decode(play, type=Play)
        future: Future[str] = Future()
        if "killer" in found.seats and found.suspect in ("", "killer"):
            future.set_exception(EOFError())
        else:
            future.set_result(encode(played(found, dict.fromkeys(found.seats, 1.0))))
        return future

    def died(self, error: BaseException) -> bool:
        return isinstance(error, EOFError)

    def replace(self) -> None: ...
    def close(self) -> None: ...
    def stop(self) -> None: ...


def test_the_only_program_of_a_match_that_kills_its_worker_has_crashed(tmp_path: Path) -> None:
    wanted = arena(contestants=(*bots("a", "b"), Contestant("killer", command=("x",))))
    seen: list[int] = []
    with Book(tmp_path / "results.jsonl", wanted) as book:
        jobs.run(book, Mortal, seen.append)
    assert len(book.results) == total(wanted) == seen[-1]
    verdicts = {"killer" in result.play.seats: result.verdict for result in book.results}
    assert verdicts.keys() == {True, False}
    for result in book.results:
        crash = ("crash", "killer") if "killer" in result.play.seats else None
        verdict = result.verdict
        assert (verdict and (verdict.kind, result.play.seats[verdict.seat])) == crash


def test_of_two_programs_the_one_that_kills_a_worker_among_bots_has_crashed(tmp_path: Path) -> None:
    programs = (Contestant("killer", command=("x",)), Contestant("innocent", command=("x",)))
    wanted = arena(contestants=(*bots("a"), *programs), deals=20)
    with Book(tmp_path / "results.jsonl", wanted) as book:
        jobs.run(book, Mortal, lambda done: None)
    assert len(book.results) == total(wanted)
    assert not any(result.play.suspect for result in book.results)
    for result in book.results:
        guilty = None if result.verdict is None else result.play.seats[result.verdict.seat]
        assert guilty == ("killer" if "killer" in result.play.seats else None)


class OnlyTogether(Mortal):
    """Dies if a killer plays with other programs, but not if it plays alone."""

    def submit(self, play: str) -> Future[str]:
        found = msgspec.json.decode(play, type=Play)
        if not found.suspect:
            return super().submit(play)
        future: Future[str] = Future()
        future.set_result(encode(played(found, dict.fromkeys(found.seats, 1.0))))
        return future


@pytest.mark.parametrize("other", [Contestant("killer", "random"), Contestant("c", command=("x",))])
def test_otherwise_nobody_knows_who_it_was(other: Contestant, tmp_path: Path) -> None:
    contestants = (*bots("a"), other) if other.bot else (other, Contestant("killer", command=("x",)))
    with (
        Book(tmp_path / "results.jsonl", arena(contestants=contestants)) as book,
        pytest.raises(jobs.ArenaFailed, match=r"4 matches could not be played: .*its process died"),
    ):
        jobs.run(book, OnlyTogether, lambda done: None)


class Slow(Mortal):
    """Ends the oldest match when no more are distributed; notes which deals are played together."""

    def __init__(self) -> None:
        self.together: list[int] = []
        self.running: list[tuple[Future[str], Play]] = []

    def submit(self, play: str) -> Future[str]:
        found = msgspec.json.decode(play, type=Play)
        future: Future[str] = Future()
        self.running.append((future, found))
        self.together.append(sum(other.deal == found.deal for _, other in self.running))
        if len(self.running) == min(self.room, 2):
            for one, other in self.running:
                one.set_result(encode(played(other, dict.fromkeys(other.seats, 1.0))))
            self.running.clear()
        return future


@pytest.mark.parametrize("sandbox", [False, True])
def test_in_a_sandbox_no_deal_is_played_twice_at_the_same_time(sandbox: bool, tmp_path: Path) -> None:
    workers = Slow()
    wanted = arena(deals=4, sandbox=sandbox)
    with Book(tmp_path / "results.jsonl", wanted) as book:
        jobs.run(book, lambda: workers, lambda done: None)
    assert len(book.results) == total(wanted)
    assert max(workers.together) == (1 if sandbox else 2)


class Violent(Mortal):
    """Ends the program "victim" by a signal: *often* times in whole matches, and among bots if *ill*."""

    def __init__(self, often: int, ill: bool = False) -> None:
        self.often = often
        self.ill = ill
        self.tried: list[str] = []

    def submit(self, play: str) -> Future[str]:
        found = msgspec.json.decode(play, type=Play)
        result = played(found, dict.fromkeys(found.seats, 1.0))
        verdict = Verdict(found.seats.index("victim"), "crash", "ended by signal 9", killed=not found.suspect)
        if found.suspect:
            self.tried.append(found.suspect)
            if self.ill:
                result = Result(found, verdict=verdict)
        elif self.tried.count("victim") < self.often:
            result = Result(found, verdict=verdict)
        future: Future[str] = Future()
        future.set_result(encode(result))
        return future


def after_a_kill(folder: Path, workers: Violent) -> list[Result]:
    programs = (Contestant("killer", command=("x",)), Contestant("victim", command=("x",)))
    with Book(folder / "results.jsonl", arena(contestants=programs, deals=1)) as book:
        jobs.run(book, lambda: workers, lambda done: None)
    assert len(book.results) == total(book.arena)
    assert not any(result.play.suspect for result in book.results)
    return book.results


def test_a_program_that_was_killed_once_plays_again(tmp_path: Path) -> None:
    workers = Violent(often=1)
    assert [result.verdict for result in after_a_kill(tmp_path, workers)] == [None, None]
    assert "victim" in workers.tried


def test_a_program_that_dies_among_bots_too_has_crashed(tmp_path: Path) -> None:
    for result in after_a_kill(tmp_path, Violent(often=9, ill=True)):
        assert result.verdict is not None
        assert (result.play.seats[result.verdict.seat], result.verdict.killed) == ("victim", False)


def test_a_program_that_is_killed_twice_is_named_and_nobody_judged(tmp_path: Path) -> None:
    with pytest.raises(jobs.ArenaFailed, match="victim ended by signal 9 beside killer, but not among bots"):
        after_a_kill(tmp_path, Violent(often=9))
