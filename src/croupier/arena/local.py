"""All plays of an arena on the cores of this machine; processes exchange plays and results as text."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context, parent_process
from typing import Final

import msgspec

from croupier.arena.plan import Arena, Play, Result, encode
from croupier.arena.results import Book
from croupier.arena.schedule import due
from croupier.games import game as find_game

AHEAD: Final = 4
"""Plays that are under way or wait for each process."""
MOST_FAILED: Final = 10
"""So many plays may fail through a fault of ours before the arena stops."""


class ArenaFailed(Exception):
    """Plays that could not be played through a fault of ours; the others are in the results file."""


def run(book: Book, jobs: int, show: Callable[[int], None]) -> None:
    """Play everything that is due; *show* hears how many results there are."""
    pool = _Pool(book.arena, jobs)
    try:
        while plays := due(book.arena, book.results):
            failed = pool.play(plays, book, show)
            if failed:
                raise ArenaFailed(f"{len(failed)} matches could not be played: {failed[0]}")
    except BaseException:
        pool.stop()
        raise
    pool.close()


class _Pool:
    """Processes that play; when one of them dies all are replaced, and what they had begun is begun again."""

    def __init__(self, arena: Arena, jobs: int) -> None:
        self._arena = arena
        self._jobs = jobs
        self._others = set(active_children())
        self._pool = self._fresh()

    def _fresh(self) -> ProcessPoolExecutor:
        # Spawned, not forked: the bar of progress has a thread, and a fork would copy its locks as they are.
        return ProcessPoolExecutor(
            self._jobs, get_context("spawn"), initializer=_begin, initargs=(encode(self._arena),)
        )

    def play(self, plays: Sequence[Play], book: Book, show: Callable[[int], None]) -> list[str]:
        """Play all of *plays*; return what went wrong with those that have no result."""
        waiting = deque(plays)
        running: dict[Future[str], Play] = {}
        failed: list[str] = []
        alone = 0  # so many are played one by one, to find the one that kills its process
        while (waiting or running) and len(failed) < MOST_FAILED:
            while waiting and len(running) < (1 if alone else AHEAD * self._jobs):
                play = waiting.popleft()
                running[self._pool.submit(_work, encode(play))] = play
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            results: list[Result] = []
            lost: list[Play] = []
            for future in done:
                play = running.pop(future)
                error = future.exception()
                if error is None:
                    results.append(msgspec.json.decode(future.result(), type=Result))
                elif isinstance(error, BrokenProcessPool):
                    lost.append(play)
                else:
                    failed.append(_failure(play, f"{type(error).__name__}: {error}"))
            if results:
                book.add(results)
                show(len(book.results))
            if lost:
                lost += running.values()
                running.clear()
                self.stop()
                self._pool = self._fresh()
            if alone:
                alone -= 1
                failed += [_failure(play, "its process died") for play in lost]
            elif lost:
                waiting.extendleft(reversed(lost))
                alone = len(lost)
        return failed

    def close(self) -> None:
        """Let the processes end; they have nothing left to do."""
        self._pool.shutdown()

    def stop(self) -> None:
        """End the processes at once, with the programs they have started."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        ours = [child for child in active_children() if child not in self._others]
        for child in ours:
            child.terminate()
        for child in ours:
            child.join()


def _failure(play: Play, words: str) -> str:
    return f"{', '.join(play.seats)} on deal {play.deal}: {words}"


# In a process of the pool.

_arena: Arena | None = None


def _begin(arena: str) -> None:
    """Get ready to play; Ctrl-C is for the process that gives out the work, which ends the others."""
    global _arena
    _arena = msgspec.json.decode(arena, type=Arena)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _die())
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    _die()


def _die() -> None:
    """End this process and the programs it has started; an exception would be taken for a play's."""
    if _arena is not None and any(one.command for one in _arena.contestants):
        from croupier.arena.process import kill_all  # there are none where programs cannot be limited

        kill_all()
    os._exit(1)


def _work(text: str) -> str:
    assert _arena is not None
    return encode(play_one(_arena, msgspec.json.decode(text, type=Play)))


def play_one(arena: Arena, play: Play) -> Result:
    """Play one match here and now."""
    game = find_game(arena.game)
    if any(arena.called(name).command for name in play.seats):
        from croupier.arena.external import play_programs

        return asyncio.run(play_programs(arena, play, game))
    from croupier.arena.play import play_bots

    return play_bots(arena, play, game)
