"""`croupier arena`: bots and programs against each other, on the same deals from every seat."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from croupier.arena.ratings import Summary

file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


def _cores() -> int:
    """Return how many processes can run at once here."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def arena() -> None:
    """Let bots and programs play each other, and say who is better.

    An arena file (TOML; see docs/arena.md and examples/arena.toml) names the game and the contestants.
    Every deal is played from every seat, so that luck cancels.
    """


@arena.command()
@file_argument
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1024),
    help="Matches played at the same time.  [default: one for each core]",
)
def run(file: Path, jobs: int | None) -> None:
    """Play what is left to play of the arena in FILE, then show the table.

    Results go into NAME.results.jsonl beside FILE, match by match. After Ctrl-C, or a crash, the same
    command goes on where it was; with more deals or contestants in FILE it plays what is new.
    """
    from croupier.arena.local import ArenaFailed
    from croupier.arena.local import run as play
    from croupier.arena.ratings import summary
    from croupier.arena.results import BadResults, Book, results_path
    from croupier.arena.schedule import total
    from croupier.cli.arena_file import read
    from croupier.cli.progress import counting

    wanted = read(file)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with Book(results_path(file), wanted) as book, counting(total(wanted), file.stem) as bar:
            bar.show(len(book.results))
            try:
                play(book, jobs or _cores(), bar.show)
            except KeyboardInterrupt:
                bar.stop()
                many = f"{len(book.results)} of {total(wanted)} matches"
                click.echo(f"stopped after {many}; the same command goes on from there", err=True)
                raise click.Abort from None
    except (BadResults, ArenaFailed) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{results_path(file)}: {error.strerror or error}") from None
    finally:
        signal.signal(signal.SIGTERM, before)
    _show(summary(book.arena, book.results))


@arena.command()
@file_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the page goes; the records go into a folder beside it.  [default: NAME.html beside FILE]",
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
                f"{results_path(file)}: no results yet; 'croupier arena run {file}' makes them"
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
        console.width = 160  # a file has no edge to wrap at
    table = Table(
        "", "contestant", "points", "rating", "won-drawn-lost", "points a match", "verdicts", box=None
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
    pairs = Table("", "", "deals", "difference", "chance of luck", box=None)
    for one in told.differences:
        style = "bold" if one.significant else "dim"
        gap, chance = Text(shown(one.gap), style), Text(chance_words(one.chance), style)
        pairs.add_row(Text(one.first), Text(one.second), str(one.duplicates), gap, chance)
    console.print()
    console.print(pairs)
    state = "all" if told.over else f"{len(told.results)} of {told.total}"
    console.print(f"\n{state} matches played" if told.over else f"\n{state} matches played: not over")
