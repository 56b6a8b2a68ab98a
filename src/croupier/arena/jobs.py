"""The matches of an arena as jobs: distributed to workers one by one, with their results stored.

A job is a match as text; its answer is a result as text. Workers are processes on this machine (local.py),
a cluster (ray.py) or, for programs from outside, the gate through which they connect (outside.py).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Final, Protocol, TypeAlias

import msgspec

from croupier.arena.plan import Arena, Contestant, Play, Result, Verdict, encode, from_outside
from croupier.arena.results import Book
from croupier.arena.schedule import due
from croupier.bots.strengths import filler
from croupier.games import game as find_game

MOST_FAILED: Final = 10
"""The arena stops after this many internal failures."""


DIED: Final = "its process died"
APART: Final = "run with --sandbox, so that programs cannot reach each other"


class ArenaFailed(Exception):
    """Matches that could not be played; the results of the others are in the results file."""


class Workers(Protocol):
    """Runs the matches."""

    @property
    def room(self) -> int:
        """Return how many matches may run or wait for a worker."""
        ...

    def submit(self, play: str) -> Future[str]: ...
    def died(self, error: BaseException) -> bool:
        """Return True if *error* means that a worker died; then its matches can be repeated."""
        ...

    def replace(self) -> None:
        """Replace the workers: one has died, and all matches in progress are lost."""
        ...

    def close(self) -> None:
        """Stop: all work is done."""
        ...

    def stop(self) -> None:
        """Stop immediately, with all programs that were started."""
        ...


Submit: TypeAlias = Callable[[str], Future[str]]
"""Plays matches with programs from outside, one at a time."""


def run(
    book: Book, hire: Callable[[], Workers], show: Callable[[int], None], guests: Submit | None = None
) -> None:
    """Play all matches that are due on the given workers; *show* gets the number of results."""
    if not due(book.arena, book.results):
        return
    workers = hire()
    try:
        while plays := due(book.arena, book.results):
            failed = _Hands(book, workers, show, guests).play(plays)
            if failed:
                raise ArenaFailed(f"{len(failed)} matches could not be played: {failed[0]}")
    except BaseException:
        workers.stop()
        raise
    workers.close()


class _Hands:
    """The matches in progress and the queues; when a worker or a program is killed, matches are repeated."""

    def __init__(
        self, book: Book, workers: Workers, show: Callable[[int], None], guests: Submit | None
    ) -> None:
        self._book = book
        self._workers = workers
        self._guests = guests
        self._show = show
        self._waiting: deque[Play] = deque()
        self._running: dict[Future[str], Play] = {}
        self._waiting_guests: deque[Play] = deque()
        self._guest: dict[Future[str], Play] = {}
        """The match with programs from outside that is in progress, if any."""
        self._failed: list[str] = []
        self._apart: set[Play] = set()
        """Matches to be played while no other one is in progress, to find the cause of a violent end."""
        self._suspects: dict[Play, set[str]] = {}
        """For matches that have killed a worker: the programs that may have caused it."""
        self._violent: dict[Play, Result] = {}
        """Matches in which a signal ended a program, with their first results."""

    def play(self, plays: Sequence[Play]) -> list[str]:
        """Play all of *plays*; return the errors of those without a result."""
        for play in plays:
            self._queue(play).append(play)
        while self._waiting or self._running or self._waiting_guests or self._guest:
            if len(self._failed) >= MOST_FAILED:
                break
            while len(self._running) < self._workers.room and (found := self._next(self._waiting)):
                self._running[self._workers.submit(encode(found))] = found
            if not self._guest and (found := self._next(self._waiting_guests)):
                assert self._guests is not None  # programs from outside connect once for each seat of a match
                self._guest[self._guests(encode(found))] = found
            done, _ = wait([*self._running, *self._guest], return_when=FIRST_COMPLETED)
            self._collect({future: self._guest.pop(future) for future in done if future in self._guest}, None)
            self._collect(
                {future: self._running.pop(future) for future in done if future in self._running},
                self._workers,
            )
        return self._failed

    def _queue(self, play: Play) -> deque[Play]:
        outside = not play.suspect and from_outside(self._book.arena, play)
        return self._waiting_guests if outside else self._waiting

    def _next(self, queue: deque[Play]) -> Play | None:
        """Take the next match that may be played now from *queue*."""
        busy = [*self._running.values(), *self._guest.values()]
        if self._apart and busy:
            return None
        deals = {_deal(play) for play in busy} if self._book.arena.sandbox else set()
        for play in queue:
            if (play in self._apart or not self._apart) and _deal(play) not in deals:
                queue.remove(play)
                return play
        return None

    def _collect(self, done: dict[Future[str], Play], workers: Workers | None) -> None:
        results: list[Result] = []
        lost: list[Play] = []
        for future, play in done.items():
            error = future.exception()
            if error is None:
                result = msgspec.json.decode(future.result(), type=Result)
                results += self._accepted(play, result)
            elif workers is not None and workers.died(error):
                lost.append(play)
            else:
                self._apart.discard(play)
                told = str(error).strip().splitlines() or [""]  # errors of a cluster are long
                words = f"{type(error).__name__}: {told[-1]}"
                self._failed.append(_failure(play, words))
        self._add(results)
        if workers is not None and lost:
            lost += self._running.values()
            self._running.clear()
            workers.replace()
            for play in reversed(lost):
                if play in self._apart:
                    self._apart.discard(play)
                    self._died(play)
                else:
                    self._play_apart(play)

    def _add(self, results: Sequence[Result]) -> None:
        if results:
            self._book.add(results)
            self._show(len(self._book.results))

    def _play_apart(self, play: Play) -> None:
        self._apart.add(play)
        self._queue(play).appendleft(play)

    def _accepted(self, play: Play, result: Result) -> list[Result]:
        """Return the results that count after the end of *play*."""
        self._apart.discard(play)
        whole = _without_suspect(play)
        if play.suspect and whole in self._violent:
            return self._tried(whole, play.suspect, result.verdict)
        if play.suspect:
            self._clear(play)
            return []
        verdict = result.verdict
        if verdict is None or not verdict.killed:
            return [result]
        name = play.seats[verdict.seat]
        if play in self._violent:
            others = (one.name for one in self._book.arena.contestants if one.command and one.name != name)
            words = f"{name} {verdict.words} beside {' or '.join(others)}, but not among bots: {APART}"
            self._failed.append(_failure(play, words))
        else:
            self._violent[play] = result
            self._play_apart(msgspec.structs.replace(play, suspect=name))
        return []

    def _tried(self, play: Play, name: str, verdict: Verdict | None) -> list[Result]:
        """Judge the program *name*, which was killed in *play*, if it has failed among bots too."""
        if verdict is None or play.seats[verdict.seat] != name:
            self._queue(play).appendleft(play)
            return []
        first = self._violent[play]
        assert first.verdict is not None
        return [msgspec.structs.replace(first, verdict=msgspec.structs.replace(first.verdict, killed=False))]

    def _died(self, play: Play) -> None:
        """Find the program at fault after *play*, running alone, has killed its worker."""
        programs = {name for name in play.seats if self._book.arena.called(name).is_program}
        if play.suspect:
            whole = _without_suspect(play)
            if self._suspects.pop(whole, None) or whole in self._violent:  # or another program is at fault
                self._convict(whole, play.suspect)
        elif len(programs) == 1:
            self._convict(play, programs.pop())
        elif programs:
            self._suspects[play] = programs
            for name in sorted(programs, reverse=True):
                self._play_apart(msgspec.structs.replace(play, suspect=name))
        else:
            self._failed.append(_failure(play, DIED))

    def _convict(self, play: Play, name: str) -> None:
        words = "the process of the match died with it"
        self._add([Result(play, verdict=Verdict(play.seats.index(name), "crash", words))])

    def _clear(self, play: Play) -> None:
        """Clear the suspect: it has played, and its worker is alive."""
        whole = _without_suspect(play)
        if suspects := self._suspects.get(whole):
            suspects.discard(play.suspect)
            if not suspects:
                self._failed.append(_failure(whole, DIED))


def _deal(play: Play) -> tuple[int, int]:
    return play.meeting.round, play.deal


def _without_suspect(play: Play) -> Play:
    return msgspec.structs.replace(play, suspect="")


def _failure(play: Play, words: str) -> str:
    return f"{', '.join(play.seats)} on deal {play.deal}: {words}"


def play_one(arena: Arena, play: Play) -> Result:
    """Play one match in this process."""
    game = find_game(arena.game)
    if play.suspect:
        bot = filler(game)
        contestants = (
            Contestant(one.name, bot) if one.is_program and one.name != play.suspect else one
            for one in arena.contestants
        )
        arena = msgspec.structs.replace(arena, contestants=tuple(contestants))
    if any(arena.called(name).is_program for name in play.seats):
        from croupier.arena.external import play_programs

        return asyncio.run(play_programs(arena, play, game))
    from croupier.arena.play import play_bots

    return play_bots(arena, play, game)
