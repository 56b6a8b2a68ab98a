"""The results file: one line per match, appended and synced as matches end, so that a killed arena can
resume.

Every line is a JSON object: a *head* describes the arena (one at the start, one more each time the arena file
has grown), a *result* one match, and the *digest* is computed from everything before it in the file, so that
a line that was edited is found. A line cut off by a crash is removed; any other unreadable line is reported
as an error. Files of versions before 0.3 have no digests; the next line that is added protects them.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final

import msgspec

from croupier.arena.plan import ENVIRONMENT, ROUND_ROBIN, Arena, Contestant, Result

try:
    import fcntl
except ImportError:  # Windows has no such lock: users must avoid two runs at once
    LOCKS = False
else:
    LOCKS = True

SEED_BYTES: Final = 8
DIGEST: Final = re.compile(rb',"digest":"([0-9a-f]{64})"}$')


class BadResults(Exception):
    """A results file that does not match its arena file: what was found, and what to do."""


class Line(msgspec.Struct, omit_defaults=True):
    """A line of the file."""

    head: Arena | None = None
    result: Result | None = None
    digest: str = ""


def results_path(file: Path) -> Path:
    """Return the path of the results of an arena file.

    Results and seed are not beside the file, where the programs run, unless they are already there.
    """
    beside = file.with_name(f"{file.stem}.results.jsonl")
    if beside.exists():
        return beside
    return (
        state_folder()
        / f"{file.stem}-{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]}.results.jsonl"
    )


def state_folder() -> Path:
    """Return the user's folder for the results of arenas."""
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "croupier" / "arena"


def load(path: Path, arena: Arena) -> tuple[Arena, list[Result]]:
    """Return the arena with the seed it was played with, and its results; none if there is no file."""
    data = path.read_bytes() if path.exists() else b""
    heads, results, _ = _read(path, data)
    return _joined(path, arena, heads), _counted(arena, results)


def digest_of(path: Path) -> str:
    """Return the SHA-256 digest of a results file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Book:
    """An open results file."""

    def __init__(self, path: Path, arena: Arena) -> None:
        """Open or create the file; *arena* is to be played, with or without a seed."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
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
            self._written = hashlib.sha256(data[:whole])
            played = msgspec.structs.replace(self.arena, folder=".", hidden=())  # do not store paths
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
                raise BadResults(
                    f"{path}: another run is writing to it; wait for that run or stop it"
                ) from None

    def add(self, results: Iterable[Result]) -> None:
        """Append *results*; they are on disk when this returns."""
        found = list(results)
        self._append([Line(result=result) for result in found])
        self.results += found

    def _append(self, lines: Iterable[Line]) -> None:
        for line in lines:
            bare = msgspec.json.encode(line)
            text = b'%s,"digest":"%s"}\n' % (bare[:-1], _digest(self._written, bare))
            self._written.update(text)
            self._stream.write(text)
        self._stream.flush()
        os.fsync(self._stream.fileno())

    @property
    def digest(self) -> str:
        """Return the SHA-256 digest of the whole file."""
        return self._written.hexdigest()

    def check(self) -> None:
        """Raise BadResults if the file is not what this run has read and written."""
        if digest_of(self._path) != self.digest:
            raise BadResults(f"{self._path}: it was changed during the run; move it away and run again")


def _digest(before: hashlib._Hash, line: bytes) -> bytes:
    """Return the digest of *line* without its digest, and of all bytes *before* it."""
    whole = before.copy()
    whole.update(line)
    return whole.hexdigest().encode()


def _read(path: Path, data: bytes) -> tuple[list[Arena], list[Result], int]:
    """Return all heads, all results, and the number of bytes in complete lines of *data*."""
    heads: list[Arena] = []
    results: list[Result] = []
    whole = data.rfind(b"\n") + 1
    before = hashlib.sha256()
    protected = False
    for number, text in enumerate(data[:whole].split(b"\n")[:-1], 1):
        found = DIGEST.search(text)
        right = found is not None and found[1] == _digest(before, text[: found.start()] + b"}")
        if not right and (found is not None or protected):
            raise BadResults(
                f"{path}: line {number}: its digest is wrong: it or a line before it was changed; "
                "restore the file from a backup, or move it away"
            )
        protected = right
        before.update(text + b"\n")
        try:
            line = msgspec.json.decode(text, type=Line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadResults(
                f"{path}: line {number}: {error}; repair or remove the line, or move the file away"
            ) from None
        if line.head is not None:
            heads.append(line.head)
        if line.result is not None:
            results.append(line.result)
    if results and not heads:
        raise BadResults(f"{path}: no line describes the arena; move the file away")
    return heads, results, whole


def _joined(path: Path, arena: Arena, heads: list[Arena]) -> Arena:
    """Return *arena* with the seed of *heads*; raise BadResults if they do not belong to one tournament."""
    if not heads:
        return arena
    head = heads[-1]
    if not arena.seed:
        arena = msgspec.structs.replace(arena, seed=head.seed)
    same = ["game", "seats", "seed", "format", "at_table", "options", "limits"]
    if arena.format != ROUND_ROBIN:  # earlier results decide who meets
        same += ["deals", "rounds", "names"]
    for name in same:
        before, now = getattr(head, name), getattr(arena, name)
        if before != now:
            raise BadResults(
                f"{path}: it was played with {name} {_shown(before)}, the arena file has {_shown(now)}; "
                "change it back, or move the results away"
            )
    # All heads: contestants may have been removed for a while, but their results are still there.
    known = {_identity(one) for head in heads for one in head.contestants}
    for one in arena.contestants:
        if any(other.name == one.name and other != _identity(one) for other in known):
            raise BadResults(
                f"{path}: contestant {one.name!r} was different; give the new one another name, "
                "or move the results away"
            )
    return arena


def _identity(one: Contestant) -> Contestant:
    """Return *one* without the fields that may change: the address of a program from outside, and keys."""
    return msgspec.structs.replace(one, listen="outside" if one.listen else "", keys=ENVIRONMENT)


def _counted(arena: Arena, results: Iterable[Result]) -> list[Result]:
    """Return the results that belong to *arena*: those of contestants and deals that it still has."""
    names = set(arena.names)
    return [
        result
        for result in results
        if names.issuperset(result.play.meeting.contestants) and result.play.deal <= arena.deals
    ]


def _shown(value: object) -> str:
    text = (msgspec.json.encode(value) if not isinstance(value, str) else value.encode()).decode()
    return text if len(text) <= 60 else text[:57] + "..."
