"""`croupier export`, `import` and `verify`: write, read and check records."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.database import Database, database_options

if TYPE_CHECKING:
    from croupier.core.contract import Game
    from croupier.core.record import Record
    from croupier.store import MatchRow, Store

PAGE = 200
"""How many matches are loaded at a time."""


def find_record(what: str, database: Database, ended: bool = False) -> tuple[Record, Game]:
    """Return the record in the file *what* or of the stored match *what*, after replaying it."""
    if Path(what).exists():
        return read_file(Path(what))
    return asyncio.run(_stored(what, database, ended))


def read_file(path: Path) -> tuple[Record, Game]:
    """Return the record in a file and its game; raise ClickException with the line of an error."""
    from croupier.core import record
    from croupier.core.record import BadRecord
    from croupier.games import UnknownGame
    from croupier.games import game as find_game

    try:
        with path.open("rb") as file:
            data = file.read(record.LARGEST + 1)
        if len(data) > record.LARGEST:
            line = data.count(b"\n") + 1
            raise click.ClickException(
                f"{path}: line {line}: expected at most {record.LARGEST} bytes up to here"
            )
        text = data.decode("utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise click.ClickException(f"{path}: not a record, because it is not text") from None
    number = 0
    try:
        found = record.read(text)
        game = find_game(found.game)
        replayer = record.Replayer(found, game)
        for number, entry in enumerate(found.entries, 1):  # noqa: B007  # used below
            replayer.feed(entry)
    except BadRecord as error:
        where = f"line {_line(text, len(found.entries), number)}: " if number else ""
        raise click.ClickException(f"{path}: {where}{error}") from None
    except UnknownGame as error:
        raise click.ClickException(f"{path}: {error}") from None
    return found, game


def _line(text: str, entries: int, number: int) -> int:
    """Return the line of entry *number*: entries are the last lines that are neither blank nor comments."""
    full = [
        at for at, line in enumerate(text.split("\n"), 1) if line.strip("\r") and not line.startswith("#")
    ]
    return full[len(full) - entries + number - 1]


async def _stored(id: str, database: Database, ended: bool) -> tuple[Record, Game]:
    from croupier.games import game as find_game
    from croupier.table.archive import read_record

    if database.is_missing():
        words = f"{id}: no such file, and {database} contains no database with such a match"
        raise click.ClickException(words)
    async with database.open() as store:
        row = await store.match(id)
        if row is None:
            raise click.ClickException(f"{id}: no such file, and no such match in {database}")
        if ended and row.ended is None:
            raise click.ClickException(f"match {id}: still being played, so its cards are secret")
        return await read_record(store, row), find_game(row.game)


# Export


@click.command()
@click.argument("matches", nargs=-1, metavar="[MATCH]…")
@click.option("--all", "all_", is_flag=True, help="Export all matches.")
@click.option("--game", help="With --all: only matches of this game.")
@click.option("--unfinished", is_flag=True, help="Include unfinished matches.")
@database_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="A file for one match, or a folder, which gets MATCH.record for each.",
)
def export(
    matches: tuple[str, ...],
    all_: bool,
    game: str | None,
    unfinished: bool,
    database: Database,
    output: Path | None,
) -> None:
    """Write stored matches as records, even while the server runs.

    One match is written to standard output unless -o gives a file; several need a folder. Seeds of unfinished
    deals are never written.
    """
    if bool(matches) == all_:
        raise click.UsageError("expected the ids of matches, or --all")
    if game is not None:
        from croupier.games import UnknownGame
        from croupier.games import game as find_game

        try:
            find_game(game)
        except UnknownGame as error:
            raise click.UsageError(f"--game: {error}") from None
    folder = output if output is not None and (all_ or len(matches) > 1 or output.is_dir()) else None
    if folder is None and (all_ or len(matches) > 1):
        raise click.UsageError("several matches: use -o with a folder")
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.ClickException(f"-o {folder}: {error.strerror}") from None
    count = asyncio.run(_export(matches, game, unfinished, database, folder, output))
    if folder is not None:
        click.echo(f"{count} {'record' if count == 1 else 'records'} in {folder}", err=True)


async def _export(
    matches: tuple[str, ...],
    game: str | None,
    unfinished: bool,
    database: Database,
    folder: Path | None,
    output: Path | None,
) -> int:
    from croupier.core import record
    from croupier.table.archive import read_record

    count = 0
    async with database.open() as store:
        rows = _named(store, matches, unfinished) if matches else _every(store, game, unfinished)
        async for row in rows:
            text = record.write(await read_record(store, row))
            path = folder / f"{row.id}.record" if folder is not None else output
            if path is None:
                click.echo(text, nl=False)
            else:
                _write(path, text)
            count += 1
    return count


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None


async def _named(store: Store, ids: Iterable[str], unfinished: bool) -> AsyncIterator[MatchRow]:
    for id in ids:
        row = await store.match(id)
        if row is None:
            raise click.ClickException(f"match {id}: not found")
        if row.result is None and not unfinished:
            raise click.ClickException(f"match {id}: not finished; use --unfinished to export it anyway")
        yield row


async def _every(store: Store, game: str | None, unfinished: bool) -> AsyncIterator[MatchRow]:
    before: str | None = None
    while rows := await store.matches(game, None if unfinished else True, PAGE, before):
        for row in rows:
            if row.result is not None or unfinished:
                yield row
        before = rows[-1].id


# Import


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path))
@database_options
def import_(files: tuple[Path, ...], database: Database) -> None:
    """Import records into the database, where the pages show them as finished matches.

    A record that does not replay is refused. The server must not run on the same database at the same time.
    """
    database.make_folder()
    bad = asyncio.run(_import(files, database))
    if bad and len(files) > 1:
        click.echo(f"croupier: {bad} of {len(files)} files refused", err=True)
    if bad:
        sys.exit(1)


async def _import(files: tuple[Path, ...], database: Database) -> int:
    """Import the valid files and return how many were refused, each with a reason."""
    from croupier.core.record import BadRecord
    from croupier.store import StoreConflict
    from croupier.table.archive import keep_record

    bad = 0
    async with database.open(read_only=False) as store:
        with _progress(files) as counted:
            for path in counted:
                try:
                    found, _ = read_file(path)
                    match = await keep_record(store, found)
                except click.ClickException as error:
                    click.echo(f"croupier: {error.format_message()}", err=True)
                    bad += 1
                except (BadRecord, StoreConflict) as error:
                    click.echo(f"croupier: {path}: {error}", err=True)
                    bad += 1
                else:
                    click.echo(f"{path}: match {match}")
    return bad


@contextlib.contextmanager
def _progress(files: tuple[Path, ...]) -> Iterator[Iterable[Path]]:
    """Show progress for many files, if there is a terminal."""
    if len(files) < 20 or not sys.stderr.isatty() or sys.stdout.isatty():
        yield files
        return
    with click.progressbar(files, file=sys.stderr, label="importing") as bar:
        yield bar


# Verify


@click.command()
@click.argument("records", nargs=-1, metavar="FILE|MATCH…")
@click.option(
    "--script",
    is_flag=True,
    help="Print a stand-alone Python script that verifies the draws of a record without croupier.",
)
@database_options
def verify(records: tuple[str, ...], script: bool, database: Database) -> None:
    """Check the deals of records, or of stored matches, against their commitments.

    The match is replayed by the rules, and every deal is reported as proved, given (not random: a seed
    or cards were given), open (its seed is not revealed yet) or broken. The exit status is 0 if no deal is
    broken and 1 otherwise.
    """
    if script == bool(records):
        raise click.UsageError("expected records or ids of matches, or --script alone")
    if script:
        from croupier.cli.example import VERIFIER, shipped

        click.echo(shipped()[VERIFIER].read_text(encoding="utf-8"), nl=False)
        return
    broken = 0
    for what in records:
        broken += _verified(what, database)
    if broken:
        raise click.ClickException(f"{broken} {'deal is' if broken == 1 else 'deals are'} broken")


def _verified(what: str, database: Database) -> int:
    """Print the results for the deals of one record and return how many are broken."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from croupier.core import record

    found, game = find_record(what, database)
    findings = record.verify(found, game)
    console = Console(highlight=False)
    styles = {"proved": "green", "given": "yellow", "open": "yellow", "broken": "bold red"}
    console.print(f"{what}: {game.title}, {_count(len(findings), 'deal')}", soft_wrap=True, markup=False)
    if found.seed is not None:
        words = f"the table was seeded with {found.seed!r}: its deals were predictable"
        console.print(words, soft_wrap=True, markup=False)
    if not console.is_terminal:
        for finding in findings:
            click.echo(f"deal {finding.deal}  {finding.kind}  {finding.words}")
    else:
        table = Table(box=None, pad_edge=False, show_header=False)
        for finding in findings:
            kind = Text(finding.kind, style=styles[finding.kind])
            table.add_row(f"deal {finding.deal}", kind, Text(finding.words))
        console.print(table)
    return sum(1 for finding in findings if finding.kind == "broken")


def _count(many: int, what: str) -> str:
    return f"1 {what}" if many == 1 else f"{many} {what}s"
