"""`croupier arena`: matches between bots and programs, on the same deals from every seat."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from croupier.arena.jobs import Submit
    from croupier.arena.plan import Arena
    from croupier.arena.ratings import Summary
    from croupier.arena.results import Book

SHOWN_VERDICTS: Final = 5
"""The number of verdicts that are printed."""

file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1024),
    help="Matches played at the same time.  [default: one per core]",
)


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
@jobs_option
@click.option(
    "--on",
    "place",
    type=click.Choice(["here", "ray"]),
    default="here",
    show_default=True,
    help="Where matches run: on the cores of this machine, or on the Ray cluster at RAY_ADDRESS.",
)
@click.option(
    "--sandbox",
    is_flag=True,
    help="Run each program in isolation, with bubblewrap: it sees no other process and cannot write files.",
)
def run(file: Path, jobs: int | None, place: str, sandbox: bool) -> None:
    """Play the remaining matches of the arena in FILE, then show the table.

    Results are appended match by match to a file in ~/.local/state/croupier/arena, whose path is shown. After
    Ctrl-C or a crash the same command resumes; if FILE has more deals or contestants, it plays the new
    matches.
    """
    from croupier.arena.results import results_path
    from croupier.cli.arena_file import read

    wanted = read(file)
    results = results_path(file)
    if sandbox:
        wanted = _in_sandbox(wanted, file, results)
    _run(wanted, results, file.stem, jobs, place)


def _in_sandbox(wanted: Arena, file: Path, results: Path) -> Arena:
    from msgspec.structs import replace

    from croupier.arena.report import records_folder
    from croupier.arena.results import state_folder
    from croupier.arena.sandbox import problem

    wrong = problem()
    if wrong:
        raise click.ClickException(f"--sandbox: {wrong}")
    page = file.with_suffix(".html")
    hidden = (file, page, records_folder(page), results, state_folder())
    return replace(wanted, sandbox=True, hidden=tuple(str(path.resolve()) for path in hidden))


def _run(wanted: Arena, path: Path, title: str, jobs: int | None, place: str) -> None:
    """Play what remains of an arena whose results are in the file *path*, then show the table."""
    from croupier.arena.jobs import ArenaFailed
    from croupier.arena.ratings import summary
    from croupier.arena.results import BadResults, Book
    from croupier.arena.schedule import due, total
    from croupier.cli.progress import counting

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with Book(path, wanted) as book:
            try:
                if due(book.arena, book.results):
                    _say_how_many_deals(book)
                with _guests(book) as guests, counting(total(wanted), title) as bar:
                    bar.show(len(book.results))
                    _play(book, place, jobs, bar.show, guests)
            except KeyboardInterrupt:
                many = f"{len(book.results)} of {total(wanted)} matches"
                click.echo(f"stopped after {many}; run the same command to resume", err=True)
                raise click.Abort from None
            book.check()
    except (BadResults, ArenaFailed) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror or error}") from None
    finally:
        signal.signal(signal.SIGTERM, before)
    _show(summary(book.arena, book.results))
    click.echo(f"results: {path}\nSHA-256: {book.digest}")


def _say_how_many_deals(book: Book) -> None:
    """Print how many deals a difference of some points needs."""
    from croupier.arena.planning import examples, found_in, needed, spread

    varied = spread(book.arena, book.results)
    if varied:
        words = [f"{points:g} points takes {needed(varied, points)} deals" for points in examples(varied)]
        found = float(f"{found_in(varied, book.arena.deals):.2g}")
        click.echo(
            f"to show a difference of {', of '.join(words)}; with {book.arena.deals} it must be {found:g}",
            err=True,
        )


@arena.command()
@click.argument("game")
@click.option(
    "--deals",
    type=click.IntRange(1, 1_000_000),
    default=20,
    show_default=True,
    help="Deals per pair of bots, each played from every seat.",
)
@jobs_option
def ladder(game: str, deals: int, jobs: int | None) -> None:
    """Rank all built-in bots of GAME: every bot meets every other one in matches of one deal.

    After Ctrl-C the same command resumes; with more --deals it plays only the additional ones.
    """
    from croupier import __version__
    from croupier.arena.ladder import ladder as ladder_of
    from croupier.arena.results import state_folder
    from croupier.games import UnknownGame
    from croupier.games import game as find_game

    try:
        wanted = ladder_of(find_game(game), deals)
    except UnknownGame as error:
        raise click.UsageError(str(error)) from None
    path = state_folder() / f"ladder-{wanted.game}-{__version__}.results.jsonl"
    _run(wanted, path, wanted.game, jobs, "here")


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
    from croupier.arena.results import BadResults, digest_of, load, results_path
    from croupier.cli.arena_file import read

    page = output or file.with_suffix(".html")
    try:
        found, results = load(results_path(file), read(file))
        if not results:
            raise click.ClickException(
                f"{results_path(file)}: no results yet; run 'croupier arena run {file}' first"
            )
        told = summary(found, results)
        digest = digest_of(results_path(file))
        _show(told)
        records = write(told, page, file.stem)
    except BadResults as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or page}: {error.strerror or error}") from None
    click.echo(f"{page}" + (f", {records} records in {records_folder(page)}" if records else ""))
    click.echo(f"SHA-256 of the results: {digest}")


def _show(told: Summary) -> None:
    """Print the tables."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from croupier.arena.report import chance_words, first_verdicts, shown, verdict_lines, verdict_words

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
    judged = first_verdicts(told.results)
    for result in judged[:SHOWN_VERDICTS]:
        console.print()
        console.print(*map(Text, verdict_lines(result)), sep="\n", soft_wrap=True)
    if judged:
        console.print("\nthe page of croupier arena report has all verdicts")
    state = "all" if told.over else f"{len(told.results)} of {told.total}"
    console.print(f"\n{state} matches played" if told.over else f"\n{state} matches played so far")
