"""Runs the matches of an arena on the cores of this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context, parent_process
from typing import Final

import msgspec

from croupier.arena import jobs
from croupier.arena.plan import Arena, Play, encode
from croupier.arena.results import Book
from croupier.arena.signals import heed, undisturbed

AHEAD: Final = 4
"""The number of running and queued matches per process."""


def run(book: Book, many: int, show: Callable[[int], None], guests: jobs.Submit | None = None) -> None:
    """Play all matches that are due in *many* processes; *show* gets the number of results."""
    jobs.run(book, lambda: Processes(book.arena, many), show, guests)


class Processes:
    """A pool of processes; if one of them dies, all are replaced."""

    def __init__(self, arena: Arena, many: int) -> None:
        self.room = AHEAD * many
        self._arena = arena
        self._many = many
        self._others = set(active_children())
        self._pool = self._fresh()

    def _fresh(self) -> ProcessPoolExecutor:
        # Spawned, not forked: the progress bar has a thread, and a fork would copy its locks in their current
        # state.
        return ProcessPoolExecutor(
            self._many, get_context("spawn"), initializer=_begin, initargs=(encode(self._arena),)
        )

    def submit(self, play: str) -> Future[str]:
        try:
            with undisturbed():
                return self._pool.submit(_work, play)
        except BrokenProcessPool as error:  # a process has died since the last result
            lost: Future[str] = Future()
            lost.set_exception(error)
            return lost

    def died(self, error: BaseException) -> bool:
        return isinstance(error, BrokenProcessPool)

    def replace(self) -> None:
        self.stop()
        self._pool = self._fresh()

    def close(self) -> None:
        self._pool.shutdown()

    def stop(self) -> None:
        ours = [child for child in active_children() if child not in self._others]
        for child in ours:
            child.terminate()
        for child in ours:
            child.join()
        # Wait for the thread of the pool: Python would wake it up at exit while it closes its pipes.
        self._pool.shutdown(cancel_futures=True)


# In a process of the pool.

_arena: Arena | None = None


def _begin(arena: str) -> None:
    """Prepare this process; Ctrl-C is handled by the parent, which stops the pool."""
    global _arena
    _arena = msgspec.json.decode(arena, type=Arena)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _die())
    heed()
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    _die()


def _die() -> None:
    """Exit this process and its programs; an exception would count as the error of a match."""
    try:
        if _arena is not None and any(one.command for one in _arena.contestants):
            from croupier.arena.process import (
                kill_all,
            )  # not importable on systems that cannot limit processes

            kill_all()
    finally:
        os._exit(1)


def _work(text: str) -> str:
    assert _arena is not None
    return encode(jobs.play_one(_arena, msgspec.json.decode(text, type=Play)))
