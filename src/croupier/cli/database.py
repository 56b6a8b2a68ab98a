"""The options --data and --database: which database a command uses."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from croupier.store.address import EXPECTED, is_postgres, shown

if TYPE_CHECKING:
    from croupier.store import Store

FILE: Final = "croupier.db"


@dataclass(frozen=True, slots=True)
class Database:
    """The database of a command."""

    where: str | Path
    """The argument of `open_store`: an address, or the path of a file."""

    def __str__(self) -> str:
        """Return the database as the user knows it: the address without the password, or the directory."""
        return shown(self.where) if isinstance(self.where, str) else str(self.where.parent)

    def is_missing(self) -> bool:
        """Return True if there is no file; whether an address is valid shows when it is opened."""
        return isinstance(self.where, Path) and not self.where.exists()

    def make_folder(self) -> None:
        """Create the directory of the file; raise ClickException if that is not possible."""
        if isinstance(self.where, Path):
            try:
                self.where.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise click.ClickException(f"--data {self}: {error.strerror}") from None

    @contextlib.asynccontextmanager
    async def open(self, read_only: bool = True) -> AsyncIterator[Store]:
        """Open the database; raise ClickException if that is not possible."""
        from croupier.store import StoreError, open_store

        try:
            store = await open_store(self.where, read_only)
        except StoreError as error:
            raise click.ClickException(str(error)) from None
        try:
            yield store
        except StoreError as error:
            raise click.ClickException(str(error)) from None
        finally:
            await store.close()


def database_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --data and --database to *command*, which gets a `Database` as *database*."""

    @wraps(command)
    def found(*, data: Path, database: str | None, **options: object) -> None:
        if database is not None and not is_postgres(database):
            raise click.UsageError(f"--database: expected {EXPECTED}")
        command(database=Database(data / FILE if database is None else database), **options)

    with_database = click.option(
        "--database",
        metavar="URL",
        help="PostgreSQL database instead of the file in --data: postgresql://USER:PASSWORD@HOST/NAME.",
    )(found)
    return click.option(
        "--data",
        default="data",
        show_default=True,
        type=click.Path(path_type=Path, file_okay=False),
        help="Directory of the database.",
    )(with_database)
