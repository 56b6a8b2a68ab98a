"""`croupier backup` and `migrate`: copies of the database."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from croupier.cli.database import Database, database_options


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_options
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def backup(file: Path, database: Database, force: bool) -> None:
    """Copy the database to FILE, complete and consistent, even while the server runs.

    FILE is an SQLite file, even if the database is PostgreSQL. To restore it, stop the server and replace
    croupier.db in its data directory by FILE, or copy FILE into an empty PostgreSQL database with 'croupier
    migrate'.
    """
    from croupier.store import StoreError
    from croupier.store.sqlite_file import copy

    if file.exists() and not force:
        raise click.ClickException(f"{file}: already exists; choose another name or use --force")
    if not file.absolute().parent.is_dir():
        raise click.ClickException(f"{file}: no such folder: {file.absolute().parent}")
    try:
        if isinstance(database.where, Path):
            copy(database.where, file)
        else:
            asyncio.run(_back_up(database.where, file))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{file}: {file.stat().st_size:,} bytes")


async def _back_up(url: str, file: Path) -> None:
    from croupier.store import transfer

    async with transfer.snapshot(url) as source, transfer.new_file(file) as target:
        await transfer.transfer(source, target, lambda _: None)


@click.command()
@click.option("--from", "source", required=True, metavar="FILE|URL", help="The database to copy.")
@click.option(
    "--to", "target", required=True, metavar="FILE|URL", help="A new file, or an empty PostgreSQL database."
)
def migrate(source: str, target: str) -> None:
    """Copy a whole database: from SQLite to PostgreSQL, or back.

    FILE is an SQLite file (croupier.db in the data directory, or a backup), URL is
    postgresql://USER:PASSWORD@HOST/NAME. No server may run on either of them. The old database is brought to
    the current version and otherwise stays as it is; if anything fails, the new one stays empty.

    \b
    Examples:
      croupier migrate --from data/croupier.db --to postgresql://croupier@localhost/croupier
      croupier migrate --from postgresql://croupier@localhost/croupier --to data/croupier.db
    """
    from croupier.store import StoreError
    from croupier.store.address import shown

    try:
        counts = asyncio.run(_migrate(source, target))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    for table, many in counts.items():
        click.echo(f"{table:<10}{many:>12,}")
    click.echo(f"{sum(counts.values()):,} rows are in {shown(target)}, as many as in {shown(source)}")


async def _migrate(source: str, target: str) -> dict[str, int]:
    from croupier.cli.progress import counting
    from croupier.store.transfer import new_database, old_database, transfer

    async with old_database(source) as old, new_database(target) as new:
        rows = sum((await old.counts()).values())
        with counting(max(rows, 1), "copying") as bar:
            return await transfer(old, new, bar.show)
