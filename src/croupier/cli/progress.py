"""Progress through long work on standard error: a bar on a terminal, a line now and then elsewhere."""

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
"""From this size on, in bytes, files get a bar."""
STEP: Final = 10
"""Where there is no terminal, a line is written each time so many hundredths are done."""


class Bar:
    """How much of some work is done, mostly files; as it is, it shows nothing."""

    def __init__(self, sizes: dict[str, int]) -> None:
        self._before: dict[str, int] = {}
        self.total = 0
        for name, size in sizes.items():
            self._before[name] = self.total
            self.total += size

    def reach(self, file: str, end: int) -> None:
        """Say that *file* is done up to byte *end*."""
        if file in self._before and self.total:
            self.show(self._before[file] + end)

    def show(self, done: int) -> None:
        """Show that *done* of the whole is done."""

    def stop(self) -> None:
        """Leave the terminal as it was."""


class DrawnBar(Bar):
    """A bar on a terminal."""

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
    """Lines for a log."""

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
    """Show progress through *files* if it is *wanted*, or else where they are large and somebody watches."""
    sizes = {name: Path(name).stat().st_size for name in files if Path(name).is_file()}
    if wanted is None:
        wanted = sys.stderr.isatty() and sum(sizes.values()) >= LARGE
    with _bar(sizes, title, wanted) as bar:
        yield bar


@contextmanager
def counting(total: int, title: str) -> Iterator[Bar]:
    """Show progress through *total* things of one kind."""
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
