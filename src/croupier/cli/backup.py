"""`croupier backup`: a copy of the database, taken while the server runs."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.records import data_option


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def backup(file: Path, data: Path, force: bool) -> None:
    """Copy the database to FILE, complete and consistent, even while the server runs.

    To restore it, stop the server and replace croupier.db in its data directory by FILE.
    """
    from croupier.store import StoreError
    from croupier.store.sqlite_file import copy

    if file.exists() and not force:
        raise click.ClickException(f"{file}: already exists; choose another name or use --force")
    if not file.absolute().parent.is_dir():
        raise click.ClickException(f"{file}: no such folder: {file.absolute().parent}")
    try:
        copy(data / "croupier.db", file)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{file}: {file.stat().st_size:,} bytes")
