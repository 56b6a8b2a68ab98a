"""`croupier notation`: Taroky Notation checked, drawn, settled and replayed, a deal a line."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from croupier.games.taroky.notation import Notation, NotationError

CHUNK = 400
"""Lines that go to a process at once."""
WIDEST = 1 << 13
"""A longer line is cut: it is too long for a notation anyway, and memory stays constant."""
WINDOW = 72
"""Characters of a wrong line that are shown."""
LARGE = 1 << 20
"""From this size on, in bytes, a file gets a bar of progress."""


class Line(NamedTuple):
    """A line that may hold a notation, and where it came from."""

    file: str
    number: int
    text: str
    end: int
    """How many bytes of the file are read with it."""


class Wrong(NamedTuple):
    """A line that is no notation, in a form that processes can exchange."""

    file: str
    number: int
    text: str
    offset: int
    field: int
    reason: str
    words: str


class Checked(NamedTuple):
    """What became of a chunk of lines."""

    hands: int
    finished: int
    wrong: list[Wrong]


files_argument = click.argument("files", metavar="[FILE]...", nargs=-1)


@click.group()
def notation() -> None:
    """Read Taroky Notation, a deal a line, from files or standard input.

    Blank lines and lines that begin with # are passed over.
    """


@notation.command()
@files_argument
@click.option("--jobs", type=click.IntRange(1), help="Processes to use; by default one a processor.")
@click.option(
    "--errors",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Wrong lines to show; all are counted.",
)
def check(files: Sequence[str], jobs: int | None, errors: int) -> None:
    """Check every line against the rules and say where a wrong one is wrong.

    The exit status is 1 if there is a wrong line.
    """
    started = time.monotonic()
    hands = finished = wrong = 0
    with _progress(files) as bar:
        for done in _check_all(files, jobs or os.cpu_count() or 1, bar):
            hands += done.hands
            finished += done.finished
            for fault in done.wrong[: max(errors - wrong, 0)]:
                click.echo(_pointed(fault))
            wrong += len(done.wrong)
    seconds = time.monotonic() - started
    if wrong > errors:
        click.echo(f"… and {_many(wrong - errors, 'more wrong line')}")
    speed = f", {hands / seconds:,.0f} a second" if hands >= 1000 else ""
    click.echo(f"{_many(hands, 'deal')}, {finished} finished, {wrong} wrong{speed}")
    if wrong:
        sys.exit(1)


@notation.command()
@files_argument
def show(files: Sequence[str]) -> None:
    """Draw the deal, the calls and the tricks of every line."""
    from croupier.games.taroky.explain import show_lines

    for title, game in _games(files):
        click.echo(title)
        for line in show_lines(game):
            click.echo(line)
        click.echo()


@notation.command()
@files_argument
def settle(files: Sequence[str]) -> None:
    """Explain what every chip was paid for, line by line."""
    from croupier.games.taroky.explain import settle_lines

    for title, game in _games(files):
        click.echo(title)
        for line in settle_lines(game):
            click.echo(line)
        click.echo()


@notation.command()
@files_argument
@click.option("--step", is_flag=True, help="Wait for a key after each action; q stops.")
def replay(files: Sequence[str], step: bool) -> None:
    """Play every line again through the rules and tell what happens, secret answers too."""
    if step and not (files and sys.stdin.isatty()):
        raise click.UsageError("--step needs a file and a terminal to wait for keys on")
    for title, game in _games(files):
        click.echo(title)
        for told in _played_again(game):
            click.echo("\n".join(told))
            if step and click.getchar() in ("q", "Q", "\x1b"):
                return
        click.echo()


def _played_again(game: Notation) -> Iterator[list[str]]:
    """Yield what is to be told of the deal and of each action."""
    from croupier.games.taroky import GAME
    from croupier.games.taroky.events import (
        ContraDeclined,
        IoteDeclined,
        LaidAway,
        MatchEnded,
        Played,
        TalonAnswered,
    )
    from croupier.games.taroky.explain import PLAYERS
    from croupier.games.taroky.vocabulary import OFFERED, log_text
    from croupier.games.taroky.words import describe

    # Of these the action says it all, and the match is but this deal.
    echoes = (ContraDeclined, IoteDeclined, LaidAway, MatchEnded, Played, TalonAnswered)
    # Chips may be larger than a table's; they come from the notation itself.
    options = {key: value for key, value in game.options().items() if key != "chips"}
    state = GAME.new(GAME.options.read(options), 4)
    state.events = []
    state.apply_draw(game.draw())
    yield [text for event in state.events if (text := describe(event, PLAYERS))]
    for seat, action in game.actions():
        state.events = []
        offered = OFFERED in (state.gift2, state.gift3)
        told = [f"{PLAYERS[seat]}: {log_text(int(state.phase), offered, action)}"]
        state.apply(seat, action)
        events = [event for event in state.events if not isinstance(event, echoes)]
        told += [f"  {text}" for event in events if (text := describe(event, PLAYERS))]
        yield told


def _games(files: Sequence[str]) -> Iterator[tuple[str, Notation]]:
    """Yield every notation with a title; a wrong line ends the command and is pointed at."""
    from croupier.games.taroky.notation import NotationError
    from croupier.games.taroky.reader import parse

    for line in _lines(files):
        try:
            game = parse(line.text)
        except NotationError as error:
            raise click.ClickException(_pointed(_wrong(line, error))) from None
        yield f"{line.file}:{line.number}", game


# Reading


def _lines(files: Sequence[str]) -> Iterator[Line]:
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
        # What is left of a line that is too long is passed over, piece by piece.
        rest: bytes | str = piece
        while rest and len(rest) == WIDEST and rest[-1:] not in (b"\n", "\n"):
            rest = stream.readline(WIDEST)
            read += len(rest)
        text = piece.decode("ascii", "replace") if isinstance(piece, bytes) else piece
        text = text.strip()
        if text and not text.startswith("#"):
            yield Line(name, number, text, read)


# Checking


def check_lines(lines: Sequence[Line]) -> Checked:
    """Parse, validate and settle *lines*; runs in a process of its own."""
    from croupier.games.taroky.notation import NotationError
    from croupier.games.taroky.reader import parse
    from croupier.games.taroky.vocabulary import OVER

    finished = 0
    wrong: list[Wrong] = []
    for line in lines:
        try:
            game = parse(line.text)
        except NotationError as error:
            wrong.append(_wrong(line, error))
            continue
        if game.phase == OVER:
            game.result()
            finished += 1
    return Checked(len(lines), finished, wrong)


def _check_all(files: Sequence[str], jobs: int, bar: _Bar) -> Iterator[Checked]:
    """Yield what became of each chunk, in order; a few chunks at most wait at any time."""
    chunks = _chunks(files)
    first = next(chunks, [])
    second = next(chunks, None)
    if second is None or jobs == 1:
        # One chunk is done sooner than a process starts.
        for chunk in [first] if second is None else _all(first, second, chunks):
            yield check_lines(chunk)
            bar.reach(chunk)
        return
    waiting: deque[tuple[list[Line], Future[Checked]]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        for chunk in _all(first, second, chunks):
            waiting.append((chunk, pool.submit(check_lines, chunk)))
            while len(waiting) > 3 * jobs:
                lines, future = waiting.popleft()
                yield future.result()
                bar.reach(lines)
        for lines, future in waiting:
            yield future.result()
            bar.reach(lines)


def _all(first: list[Line], second: list[Line], rest: Iterator[list[Line]]) -> Iterator[list[Line]]:
    yield first
    yield second
    yield from rest


def _chunks(files: Sequence[str]) -> Iterator[list[Line]]:
    chunk: list[Line] = []
    for line in _lines(files):
        chunk.append(line)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


# Telling


class _Bar:
    """Progress through files whose sizes are known; silent where there is no terminal or little to do."""

    def __init__(self, sizes: dict[str, int]) -> None:
        self._before: dict[str, int] = {}
        total = 0
        for name, size in sizes.items():
            self._before[name] = total
            total += size
        self._total = total
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("checking", total=self._total)
        self._progress.start()

    def reach(self, lines: Sequence[Line]) -> None:
        """Say that *lines* are done."""
        if self._progress is not None and self._task is not None and lines:
            last = lines[-1]
            self._progress.update(self._task, completed=self._before.get(last.file, 0) + last.end)

    def stop(self) -> None:
        if self._progress is not None:
            self._progress.stop()


@contextmanager
def _progress(files: Sequence[str]) -> Iterator[_Bar]:
    """Show progress while large files are worked on, if somebody watches."""
    sizes = {name: Path(name).stat().st_size for name in files if Path(name).is_file()}
    bar = _Bar(sizes)
    if sum(sizes.values()) >= LARGE and sys.stderr.isatty():
        bar.start()
    try:
        yield bar
    finally:
        bar.stop()


def _wrong(line: Line, error: NotationError) -> Wrong:
    return Wrong(line.file, line.number, line.text, error.offset, error.field, error.reason, str(error))


def _pointed(wrong: Wrong) -> str:
    """Return the error with the offending character of its line under a caret."""
    start = max(0, min(wrong.offset - WINDOW // 2, len(wrong.text) - WINDOW))
    end = min(len(wrong.text), start + WINDOW)
    left = "…" if start else ""
    right = "…" if end < len(wrong.text) else ""
    part = "".join(sign if sign.isprintable() else "?" for sign in wrong.text[start:end])
    return (
        f"{wrong.file}:{wrong.number}: {wrong.words} ({wrong.reason}, field {wrong.field})\n"
        f"  {left}{part}{right}\n"
        f"  {' ' * (len(left) + wrong.offset - start)}^"
    )


def _many(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
