"""Plays given out to workers that die."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import msgspec
import pytest

from croupier.arena import jobs
from croupier.arena.plan import Contestant, Play, encode
from croupier.arena.results import Book
from croupier.arena.schedule import total
from tests.arena.arenas import arena, bots, played


class Mortal:
    """Plays at once, unless a killer is among the players: that is its end."""

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
    """Dies of a killer among others, never of one alone."""

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
