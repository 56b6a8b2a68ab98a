"""Signals in a process pool: no signal is lost, and none reaches a process before it has its handlers."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Block signals while a process is being started: a half-started process would not be stopped.

    The new process inherits the blocked signals until it has installed its handlers.
    """
    if not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_interrupts_to_the_parent() -> None:
    """Prepare a process of a pool: Ctrl-C reaches it too, but its parent stops it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    heed()


def heed() -> None:
    """Deliver the signals that were blocked since the process was started."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
