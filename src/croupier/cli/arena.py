"""`croupier arena`: matches between bots and programs, on the same deals from every seat."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from croupier.arena.jobs import Submit
    from croupier.arena.ratings import Summary
    from croupier.arena.results import Book

file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


def _cores() -> int:
    """Return how many processes can run at once on this machine."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def arena() -> None:
    """Let bots and programs play each other, and rank them.

    An arena file (TOML; see docs/arena.md and examples/arena.toml) lists the game and the contestants. Every
    deal is played from every seat, so that luck cancels out.
    """


@arena.command()
@file_argument
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1024),
    help="Matches played at the same time.  [default: one per core]",
)
@click.option(
    "--on",
    "place",
    type=click.Choice(["here", "ray"]),
    default="here",
    show_default=True,
    help="Where matches run: on the cores of this machine, or on the Ray cluster at RAY_ADDRESS.",
)
def run(file: Path, jobs: int | None, place: str) -> None:
    """Play the remaining matches of the arena in FILE, then show the table.

    Results are appended to NAME.results.jsonl beside FILE, match by match. After Ctrl-C or a crash the same
    command resumes; if FILE has more deals or contestants, it plays the new matches.
    """
    from croupier.arena.jobs import ArenaFailed
    from croupier.arena.ratings import summary
    from croupier.arena.results import BadResults, Book, results_path
    from croupier.arena.schedule import total
    from croupier.cli.arena_file import read
    from croupier.cli.progress import counting

    wanted = read(file)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with Book(results_path(file), wanted) as book:
            try:
                with _guests(book) as guests, counting(total(wanted), file.stem) as bar:
                    bar.show(len(book.results))
                    _play(book, place, jobs, bar.show, guests)
            except KeyboardInterrupt:
                many = f"{len(book.results)} of {total(wanted)} matches"
                click.echo(f"stopped after {many}; run the same command to resume", err=True)
                raise click.Abort from None
    except (BadResults, ArenaFailed) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{results_path(file)}: {error.strerror or error}") from None
    finally:
        signal.signal(signal.SIGTERM, before)
    _show(summary(book.arena, book.results))


def _play(
    book: Book, place: str, jobs: int | None, show: Callable[[int], None], guests: Submit | None
) -> None:
    """Play the matches that are due, on this machine or on a cluster."""
    if place == "ray":
        from croupier.arena import ray

        ray.run(book, jobs, show, guests)
    else:
        from croupier.arena import local

        local.run(book, jobs or _cores(), show, guests)


@contextmanager
def _guests(book: Book) -> Iterator[Submit | None]:
    """Accept programs from outside, if there are any, and wait for them."""
    from croupier.arena.schedule import connections, due

    plays = due(book.arena, book.results)
    if not plays or not any(one.listen for one in book.arena.contestants):
        yield None
        return
    from croupier.arena.outside import Gate

    gate = Gate(book.arena)
    try:
        needed = connections(book.arena, plays)
        for name, address in gate.addresses.items():
            many = needed.get(name, 1)  # a program without a meeting in this round may connect later
            times = "once" if many == 1 else f"{many} times"
            click.echo(f"{name}: connect {times} to {address}, again for each match", err=True)
        said = [""]

        def tell(words: str, left: float) -> None:
            if words != said[0]:
                said[0] = words
                click.echo(f"waiting for {words}, at most {left:.0f} s", err=True)

        gate.wait(needed, tell)
        yield gate.submit
    finally:
        gate.close()


@arena.command()
@file_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Path of the page; the records are written to a folder beside it.  [default: NAME.html beside FILE]",
)
def report(file: Path, output: Path | None) -> None:
    """Show the table of the arena in FILE and write a page with plots and the records of all matches."""
    from croupier.arena.ratings import summary
    from croupier.arena.report import records_folder, write
    from croupier.arena.results import BadResults, load, results_path
    from croupier.cli.arena_file import read

    page = output or file.with_suffix(".html")
    try:
        found, results = load(results_path(file), read(file))
        if not results:
            raise click.ClickException(
                f"{results_path(file)}: no results yet; run 'croupier arena run {file}' first"
            )
        told = summary(found, results)
        _show(told)
        records = write(told, page, file.stem)
    except BadResults as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or page}: {error.strerror or error}") from None
    click.echo(f"{page}" + (f", {records} records in {records_folder(page)}" if records else ""))


def _show(told: Summary) -> None:
    """Print the tables."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from croupier.arena.report import chance_words, shown, verdict_words

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 160  # no wrapping in a file
    table = Table(
        "", "contestant", "points", "rating", "won-drawn-lost", "points per match", "verdicts", box=None
    )
    for number, line in enumerate(told.standings, 1):
        table.add_row(
            str(number),
            Text(line.name),
            f"{line.points:g}",
            f"{line.rating.value:.1f} ± {line.rating.margin:.1f}",
            f"{line.won}-{line.drawn}-{line.lost}",
            shown(line.gap),
            verdict_words(line.verdicts),
        )
    console.print(table)
    pairs = Table("", "", "deals", "difference", "probability if equal", box=None)
    for one in told.differences:
        style = "bold" if one.significant else "dim"
        gap, chance = Text(shown(one.gap), style), Text(chance_words(one.chance), style)
        pairs.add_row(Text(one.first), Text(one.second), str(one.duplicates), gap, chance)
    console.print()
    console.print(pairs)
    state = "all" if told.over else f"{len(told.results)} of {told.total}"
    console.print(f"\n{state} matches played" if told.over else f"\n{state} matches played so far")
