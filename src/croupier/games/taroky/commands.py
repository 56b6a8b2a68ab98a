"""`croupier notation`: Taroky Notation, one deal per line: check, show, settle, replay, import, export."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from croupier.cli.database import Database, database_options
from croupier.cli.progress import progress
from croupier.games.taroky.checking import Line, check_all, pointed, read_lines, wrong_line

if TYPE_CHECKING:
    from croupier.games.taroky.notation import Notation

files_argument = click.argument("files", metavar="[FILE]...", nargs=-1)
progress_option = click.option(
    "--progress/--no-progress",
    "show_progress",
    default=None,
    help="Show progress on standard error.  [default: for large files on a terminal]",
)


@click.group()
def notation() -> None:
    """Read Taroky Notation, one deal per line, from files or standard input.

    Blank lines and lines that begin with # are skipped.
    """


@notation.command()
@files_argument
@click.option("--jobs", type=click.IntRange(1), help="Number of processes; one per core by default.")
@click.option(
    "--errors",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Maximum number of invalid lines to show; all are counted.",
)
@progress_option
def check(files: Sequence[str], jobs: int | None, errors: int, show_progress: bool | None) -> None:
    """Check every line against the rules and show the position of errors.

    The exit status is 1 if a line is invalid. Files may have any size: memory use does not grow with them.
    """
    started = time.monotonic()
    hands = finished = wrong = 0
    stopped = False
    with progress(files, "checking", show_progress) as bar:
        try:
            for done in check_all(read_lines(files), jobs or os.cpu_count() or 1):
                hands += done.hands
                finished += done.finished
                for fault in done.wrong[: max(errors - wrong, 0)]:
                    click.echo(pointed(fault))
                wrong += len(done.wrong)
                bar.reach(done.last.file, done.last.end)
        except KeyboardInterrupt:
            stopped = True
    seconds = time.monotonic() - started
    if wrong > errors:
        click.echo(f"… and {_many(wrong - errors, 'more invalid line')}")
    speed = f", {hands / seconds:,.0f} per second" if hands >= 1000 else ""
    click.echo(f"{_many(hands, 'deal')}, {finished:,} finished, {wrong:,} invalid{speed}")
    if stopped:
        click.echo("croupier: stopped before the end", err=True)
        sys.exit(130)
    if wrong:
        sys.exit(1)


@notation.command()
@files_argument
def show(files: Sequence[str]) -> None:
    """Show the deal, the calls and the tricks of every line."""
    from croupier.games.taroky.explain import show_lines

    for line, game in _read(files):
        click.echo("\n".join([_title(line), *show_lines(game), ""]))


@notation.command()
@files_argument
@progress_option
def settle(files: Sequence[str], show_progress: bool | None) -> None:
    """Explain every payment, line by line."""
    from croupier.games.taroky.explain import settle_lines

    # The settlements are already on the screen, unless they go to a file.
    if show_progress is None and sys.stdout.isatty():
        show_progress = False
    with progress(files, "settling", show_progress) as bar:
        for line, game in _read(files):
            click.echo("\n".join([_title(line), *settle_lines(game), ""]))
            bar.reach(line.file, line.end)


@notation.command()
@files_argument
@click.option("--step", is_flag=True, help="Wait for a key after each action; q quits.")
def replay(files: Sequence[str], step: bool) -> None:
    """Replay every line through the rules and print all events, including secret answers."""
    if step and not (files and sys.stdin.isatty()):
        raise click.UsageError("--step needs a file and a terminal")
    for line, game in _read(files):
        click.echo(_title(line))
        for told in _played_again(game):
            click.echo("\n".join(told))
            if step and click.getchar() in ("q", "Q", "\x1b"):
                return
        click.echo()


@notation.command("import")
@files_argument
@database_options
def import_(files: Sequence[str], database: Database) -> None:
    """Import every finished deal into the database, where the pages show it as a match.

    Unfinished deals and deals that are already stored are refused; the exit status is then 1. The server must
    not run on the same database at the same time.
    """
    database.make_folder()
    if asyncio.run(_import(files, database)):
        sys.exit(1)


async def _import(files: Sequence[str], database: Database) -> int:
    """Import the valid lines and return how many were refused, each with a reason."""
    from croupier.core.options import BadOptions
    from croupier.core.record import BadRecord
    from croupier.games.taroky.exchange import to_record
    from croupier.games.taroky.notation import NotationError
    from croupier.games.taroky.reader import parse
    from croupier.store import StoreConflict
    from croupier.table.archive import keep_record

    bad = 0
    async with database.open(read_only=False) as store:
        for line in read_lines(files):
            try:
                match = await keep_record(store, to_record(parse(line.text)))
            except NotationError as error:
                click.echo(f"croupier: {pointed(wrong_line(line, error))}", err=True)
            except (BadOptions, BadRecord, StoreConflict) as error:
                click.echo(f"croupier: {line.file}:{line.number}: {error}", err=True)
            else:
                click.echo(f"{line.file}:{line.number}: match {match}")
                continue
            bad += 1
    return bad


@notation.command()
@click.argument("matches", nargs=-1, required=True, metavar="MATCH…")
@database_options
def export(matches: Sequence[str], database: Database) -> None:
    """Write the deals of stored Taroky matches, one per line, even while the server runs.

    Only finished matches: a notation shows every hand.
    """
    asyncio.run(_export(matches, database))


async def _export(matches: Sequence[str], database: Database) -> None:
    from croupier.games.taroky import GAME
    from croupier.games.taroky.exchange import to_notations
    from croupier.table.archive import read_record

    async with database.open() as store:
        for id in matches:
            row = await store.match(id)
            if row is None:
                raise click.ClickException(f"match {id}: not found in {database}")
            if row.game != GAME.name:
                raise click.ClickException(
                    f"match {id}: it is a match of {row.game}; only Taroky has a notation"
                )
            if row.result is None:
                raise click.ClickException(f"match {id}: not finished")
            for line in to_notations(await read_record(store, row)):
                click.echo(line)


def _played_again(game: Notation) -> Iterator[list[str]]:
    """Yield the text for the deal and for each action."""
    from croupier.games import words_of
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

    describe = words_of(GAME).describe
    # For these the action says everything, and the match consists only of this deal.
    echoes = (ContraDeclined, IoteDeclined, LaidAway, MatchEnded, Played, TalonAnswered)
    # Chips may exceed the limits of a table; they come from the notation itself.
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


def _read(files: Sequence[str]) -> Iterator[tuple[Line, Notation]]:
    """Yield every line with its notation; at an invalid line show its position and exit."""
    from croupier.games.taroky.notation import NotationError
    from croupier.games.taroky.reader import parse

    for line in read_lines(files):
        try:
            game = parse(line.text)
        except NotationError as error:
            raise click.ClickException(pointed(wrong_line(line, error))) from None
        yield line, game


def _title(line: Line) -> str:
    return f"{line.file}:{line.number}"


def _many(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
