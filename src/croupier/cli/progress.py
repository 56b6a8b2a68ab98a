"""Progress of long work on standard error: a bar on a terminal, otherwise a line from time to time."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

LARGE: Final = 1 << 20
"""The minimum size in bytes of files that get a progress bar."""
STEP: Final = 10
"""Without a terminal, a line is written after this many percent."""


class Bar:
    """The progress of some work, mostly on files; this base class shows nothing."""

    def __init__(self, sizes: dict[str, int]) -> None:
        self._before: dict[str, int] = {}
        self.total = 0
        for name, size in sizes.items():
            self._before[name] = self.total
            self.total += size

    def reach(self, file: str, end: int) -> None:
        """Set the progress of *file* to byte *end*."""
        if file in self._before and self.total:
            self.show(self._before[file] + end)

    def show(self, done: int) -> None:
        """Set the progress to *done*."""

    def stop(self) -> None:
        """Restore the terminal."""


class DrawnBar(Bar):
    """A progress bar on a terminal."""

    def __init__(self, sizes: dict[str, int], title: str) -> None:
        super().__init__(sizes)
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress: Progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task: TaskID = self._progress.add_task(title, total=self.total)
        self._progress.start()

    def show(self, done: int) -> None:
        self._progress.update(self._task, completed=done)

    def stop(self) -> None:
        self._progress.stop()


class WrittenBar(Bar):
    """Progress lines for a log."""

    def __init__(self, sizes: dict[str, int], title: str) -> None:
        super().__init__(sizes)
        self._title = title
        self._next = STEP

    def show(self, done: int) -> None:
        percent = done * 100 // self.total
        if percent >= self._next:
            click.echo(f"{self._title}: {percent} %", err=True)
            self._next = percent - percent % STEP + STEP


@contextmanager
def progress(files: Sequence[str], title: str, wanted: bool | None) -> Iterator[Bar]:
    """Show progress for *files* if *wanted*, or by default if they are large and there is a terminal."""
    sizes = {name: Path(name).stat().st_size for name in files if Path(name).is_file()}
    if wanted is None:
        wanted = sys.stderr.isatty() and sum(sizes.values()) >= LARGE
    with _bar(sizes, title, wanted) as bar:
        yield bar


@contextmanager
def counting(total: int, title: str) -> Iterator[Bar]:
    """Show progress for *total* items of one kind."""
    with _bar({title: total}, title, True) as bar:
        yield bar


@contextmanager
def _bar(sizes: dict[str, int], title: str, wanted: bool) -> Iterator[Bar]:
    kind = (DrawnBar if sys.stderr.isatty() else WrittenBar) if wanted else None
    bar = kind(sizes, title) if kind is not None else Bar(sizes)
    try:
        yield bar
    finally:
        bar.stop()
