"""Signals and the processes of a pool: none is lost, and none meets a process that is not ready for it."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Let signals wait while a process may be started: half started, nobody would end it.

    The process begins life with them waiting, too, until it knows what to do about them.
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
    """Get ready in a process of a pool: Ctrl-C reaches it too, but its parent is the one to end it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    heed()


def heed() -> None:
    """Take the signals that have waited since the process was started."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
