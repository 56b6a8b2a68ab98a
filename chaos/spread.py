"""Divides the cases of a pure goal among processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from random import Random
from typing import Final, Protocol, TypeVar

from chaos.outcome import Problems, Tell, guarded
from chaos.stopping import stopping

Found = TypeVar("Found")

ALONE: Final = 4
"""Up to this many parts run in this process, where a test can plant faults."""
CHUNK: Final = 50


def spread(
    work: Callable[[range, int], Found], many: int, seed: int, tell: Tell, size: int = CHUNK
) -> Iterator[Found]:
    """Yield the results of *work* for the cases 0 to *many*, at most *size* at a time.

    End early if the program is asked to stop.
    """
    chunks = [range(first, min(many, first + size)) for first in range(0, many, size)]
    if len(chunks) <= ALONE:
        for chunk in chunks:
            tell(f"{chunk.start} of {many}")
            yield work(chunk, seed)
        return
    stopping.heeded = True
    # Ctrl-C reaches all processes of a terminal: those of the pool finish their chunk.
    ignore = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn"), ignore) as pool:
        done = 0
        for future in as_completed([pool.submit(work, chunk, seed) for chunk in chunks]):
            done += size
            tell(f"{min(done, many):,} of {many:,}")
            yield future.result()
            if stopping.asked:
                tell("asked to stop: no more cases are begun")
                pool.shutdown(cancel_futures=True)
                break
    stopping.heeded = False


class Counted(Protocol):
    """The findings of some cases."""

    problems: Problems


class Case(Protocol):
    """A case that is being played."""

    def run(self) -> None: ...


Tally = TypeVar("Tally", bound=Counted)


def each_case(
    cases: range,
    kinds: Sequence[tuple[str, str]],
    label: str,
    tally: Tally,
    case: Callable[[str, str, Random, Tally], Case],
) -> Tally:
    """Play the cases with these numbers, each a game and a protocol of *kinds* in turn; return *tally*.

    *label* has the name and the seed of the run: with the number it repeats a case.
    """
    for number in cases:
        name, way = kinds[number % len(kinds)]
        with guarded(tally.problems, f"{label}, case {number}, {name} over {way}"):
            case(name, way, Random(f"{label} {number}"), tally).run()
    return tally
