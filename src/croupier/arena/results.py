"""The results file: one line a match, added and synced as matches end, so that a killed arena goes on.

Every line is a JSON object: a *head* says what was played (one at the start, one more whenever the arena file
has grown), a *result* what became of a match. A line that a crash cut off is taken away; anything else that
cannot be read is somebody's mistake and is told.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final

import msgspec

from croupier.arena.plan import ROUND_ROBIN, Arena, Contestant, Result

try:
    import fcntl
except ImportError:  # Windows has no such lock: two runs at once are the user's care there
    LOCKS = False
else:
    LOCKS = True

SEED_BYTES: Final = 8


class BadResults(Exception):
    """A results file that does not go with its arena file: what was found, and what would do."""


class Line(msgspec.Struct, omit_defaults=True):
    """A line of the file."""

    head: Arena | None = None
    result: Result | None = None


def results_path(file: Path) -> Path:
    """Return where the results of an arena file are."""
    return file.with_name(f"{file.stem}.results.jsonl")


def load(path: Path, arena: Arena) -> tuple[Arena, list[Result]]:
    """Return the arena with the seed it was played with, and its results; none if there is no file."""
    data = path.read_bytes() if path.exists() else b""
    heads, results, _ = _read(path, data)
    return _joined(path, arena, heads), _counted(arena, results)


class Book:
    """An open results file."""

    def __init__(self, path: Path, arena: Arena) -> None:
        """Open or make the file; *arena* is what is to be played, with or without a seed."""
        self._stream = path.open("a+b")
        try:
            self._lock(path)
            self._stream.seek(0)
            data = self._stream.read()
            heads, results, whole = _read(path, data)
            self.arena = _joined(path, arena, heads)
            if not self.arena.seed:
                self.arena = msgspec.structs.replace(self.arena, seed=secrets.token_hex(SEED_BYTES))
            self.results = _counted(self.arena, results)
            if whole < len(data):
                self._stream.truncate(whole)
            played = msgspec.structs.replace(self.arena, folder=".")  # where it lies is nobody's business
            if heads[-1:] != [played]:
                self._append([Line(head=played)])
        except BaseException:
            self._stream.close()
            raise

    def __enter__(self) -> Book:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def _lock(self, path: Path) -> None:
        if LOCKS:
            try:
                fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BadResults(f"{path}: another run is writing it; wait for it or stop it") from None

    def add(self, results: Iterable[Result]) -> None:
        """Add *results*; they are on the disk when this returns."""
        found = list(results)
        self._append([Line(result=result) for result in found])
        self.results += found

    def _append(self, lines: Iterable[Line]) -> None:
        self._stream.write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        self._stream.flush()
        os.fsync(self._stream.fileno())


def _read(path: Path, data: bytes) -> tuple[list[Arena], list[Result], int]:
    """Return all heads, all results, and how many bytes of *data* are whole lines."""
    heads: list[Arena] = []
    results: list[Result] = []
    whole = data.rfind(b"\n") + 1
    for number, text in enumerate(data[:whole].splitlines(), 1):
        try:
            line = msgspec.json.decode(text, type=Line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadResults(
                f"{path}: line {number}: {error}; mend or remove it, or move the file away"
            ) from None
        if line.head is not None:
            heads.append(line.head)
        if line.result is not None:
            results.append(line.result)
    if results and not heads:
        raise BadResults(f"{path}: no line says what was played; move the file away")
    return heads, results, whole


def _joined(path: Path, arena: Arena, heads: list[Arena]) -> Arena:
    """Return *arena* with the seed of *heads*; BadResults if they are not one tournament."""
    if not heads:
        return arena
    head = heads[-1]
    if not arena.seed:
        arena = msgspec.structs.replace(arena, seed=head.seed)
    same = ["game", "seats", "seed", "format", "at_table", "options", "limits"]
    if arena.format != ROUND_ROBIN:  # there the past decides who meets whom
        same += ["deals", "rounds", "names"]
    for name in same:
        before, now = getattr(head, name), getattr(arena, name)
        if before != now:
            raise BadResults(
                f"{path}: it was played with {name} {_shown(before)}, the arena file has {_shown(now)}; "
                "change it back, or move the results away"
            )
    # All heads: somebody may have been left out for a while, and the results are still there.
    known = {_identity(one) for head in heads for one in head.contestants}
    for one in arena.contestants:
        if any(other.name == one.name and other != _identity(one) for other in known):
            raise BadResults(
                f"{path}: contestant {one.name!r} was another one; give the new one a name of its own, "
                "or move the results away"
            )
    return arena


def _identity(one: Contestant) -> Contestant:
    """Return *one* without what may change: where a program from outside connects to."""
    return msgspec.structs.replace(one, listen="outside" if one.listen else "")


def _counted(arena: Arena, results: Iterable[Result]) -> list[Result]:
    """Return the results that belong to *arena*: of contestants and deals that it still has."""
    names = set(arena.names)
    return [
        result
        for result in results
        if names.issuperset(result.play.meeting.contestants) and result.play.deal <= arena.deals
    ]


def _shown(value: object) -> str:
    text = (msgspec.json.encode(value) if not isinstance(value, str) else value.encode()).decode()
    return text if len(text) <= 60 else text[:57] + "..."
