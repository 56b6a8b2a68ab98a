"""Divides the cases of a pure goal among processes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Final, TypeVar

from chaos.outcome import Tell

Found = TypeVar("Found")

ALONE: Final = 4
"""Up to this many parts run in this process, where a test can plant faults."""
CHUNK: Final = 50


def spread(
    work: Callable[[range, int], Found], many: int, seed: int, tell: Tell, size: int = CHUNK
) -> Iterator[Found]:
    """Yield the results of *work* for the cases 0 to *many*, at most *size* at a time."""
    chunks = [range(first, min(many, first + size)) for first in range(0, many, size)]
    if len(chunks) <= ALONE:
        for chunk in chunks:
            tell(f"{chunk.start} of {many}")
            yield work(chunk, seed)
        return
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
        done = 0
        for future in as_completed([pool.submit(work, chunk, seed) for chunk in chunks]):
            done += size
            tell(f"{min(done, many):,} of {many:,}")
            yield future.result()
