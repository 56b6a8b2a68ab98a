"""Files of notations of any size: read line by line, checked by several processes, reported in order.

Only a few chunks of lines are in progress at any time, so that memory does not grow with the file.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple

import click

from croupier.arena.signals import leave_interrupts_to_the_parent, undisturbed

if TYPE_CHECKING:
    from croupier.games.taroky.notation import NotationError

CHUNK: Final = 400
"""Lines per chunk."""
AHEAD: Final = 3
"""Chunks in progress per process."""
WIDEST: Final = 1 << 13
"""Longer lines are cut: they cannot be notations, and memory stays constant."""
WINDOW: Final = 72
"""The maximum number of characters shown of an invalid line."""


class Line(NamedTuple):
    """A line that may contain a notation, and its position."""

    file: str
    number: int
    text: str
    end: int
    """The number of bytes of the file up to the end of this line."""


class Wrong(NamedTuple):
    """An invalid line, in a form that processes can exchange."""

    file: str
    number: int
    text: str
    offset: int
    field: int
    reason: str
    words: str


class Checked(NamedTuple):
    """The result of a chunk of lines."""

    hands: int
    finished: int
    wrong: list[Wrong]
    last: Line


# Reading


def read_lines(files: Sequence[str]) -> Iterator[Line]:
    """Yield the lines of *files*, or of standard input, that are neither blank nor comments."""
    for name in files or ["-"]:
        if name == "-":
            yield from _numbered("standard input", getattr(sys.stdin, "buffer", sys.stdin))
            continue
        try:
            with Path(name).open("rb") as stream:
                yield from _numbered(name, stream)
        except OSError as error:
            raise click.ClickException(f"{name}: {error.strerror or error}") from error


def _numbered(name: str, stream: IO[bytes] | IO[str]) -> Iterator[Line]:
    number = read = 0
    while piece := stream.readline(WIDEST):
        number += 1
        read += len(piece)
        # The rest of a line that is too long is skipped, piece by piece.
        rest: bytes | str = piece
        while rest and len(rest) == WIDEST and rest[-1:] not in (b"\n", "\n"):
            rest = stream.readline(WIDEST)
            read += len(rest)
        text = piece.decode("ascii", "replace") if isinstance(piece, bytes) else piece
        text = text.strip()
        if text and not text.startswith("#"):
            yield Line(name, number, text, read)


# Checking


def check_all(lines: Iterable[Line], jobs: int, size: int = CHUNK) -> Iterator[Checked]:
    """Parse, validate and settle *lines* in *jobs* processes; yield the result of each chunk, in order."""
    chunks = _chunks(lines, size)
    first = list(islice(chunks, 2))
    if len(first) < 2 or jobs == 1:
        # Checking one chunk is faster than starting a process.
        yield from map(check_lines, chain(first, chunks))
        return
    waiting: deque[Future[Checked]] = deque()
    # Spawned, not forked: the progress bar has a thread, and a fork would copy its locks in their current
    # state.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=leave_interrupts_to_the_parent)
    try:
        for chunk in chain(first, chunks):
            if len(waiting) == AHEAD * jobs:
                yield waiting.popleft().result()
            with undisturbed():
                waiting.append(pool.submit(check_lines, chunk))
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def check_lines(lines: Sequence[Line]) -> Checked:
    """Parse, validate and settle *lines*; runs in a worker process."""
    from croupier.games.taroky.notation import NotationError
    from croupier.games.taroky.reader import parse
    from croupier.games.taroky.vocabulary import OVER

    finished = 0
    wrong: list[Wrong] = []
    for line in lines:
        try:
            game = parse(line.text)
        except NotationError as error:
            wrong.append(wrong_line(line, error))
            continue
        if game.phase == OVER:
            game.result()
            finished += 1
    return Checked(len(lines), finished, wrong, lines[-1])


def _chunks(lines: Iterable[Line], size: int) -> Iterator[list[Line]]:
    chunk: list[Line] = []
    for line in lines:
        chunk.append(line)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


# Telling


def wrong_line(line: Line, error: NotationError) -> Wrong:
    """Return *error* with the line it was found in."""
    return Wrong(line.file, line.number, line.text, error.offset, error.field, error.reason, str(error))


def pointed(wrong: Wrong) -> str:
    """Return the error and its line, with a caret under the wrong character."""
    start = max(0, min(wrong.offset - WINDOW // 2, len(wrong.text) - WINDOW))
    end = min(len(wrong.text), start + WINDOW)
    left = "…" if start else ""
    right = "…" if end < len(wrong.text) else ""
    part = "".join(sign if sign.isprintable() else "?" for sign in wrong.text[start:end])
    place = f"field {wrong.field}, offset {wrong.offset}"
    return (
        f"{wrong.file}:{wrong.number}: {wrong.words} ({wrong.reason}, {place})\n"
        f"  {left}{part}{right}\n"
        f"  {' ' * (len(left) + wrong.offset - start)}^"
    )
