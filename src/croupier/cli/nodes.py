"""`croupier nodes`: the servers that use a PostgreSQL database."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict

import click

from croupier.store.address import EXPECTED, is_postgres, shown


@click.command()
@click.option(
    "--database",
    required=True,
    metavar="URL",
    help="PostgreSQL database: postgresql://USER:PASSWORD@HOST/NAME.",
)
@click.option("--json", "json_", is_flag=True, help="Print each server as a line of JSON.")
def nodes(database: str, json_: bool) -> None:
    """List the servers that use a PostgreSQL database: machine, process, version, start, open tables, lease.

    A running server renews its lease every second. After a crash, another one may start when it has expired.
    """
    if not is_postgres(database):
        raise click.UsageError(f"--database: expected {EXPECTED}")
    from croupier.store import StoreError

    try:
        from croupier.store.postgres_database import nodes as read

        found = asyncio.run(read(database))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    if json_:
        for node in found:
            click.echo(json.dumps(asdict(node)))
        return
    if not found:
        click.echo(f"{shown(database)}: no server uses it")
    for node in found:
        lease = f"lease of {node.lease:.1f} s" if node.lease > 0 else f"lease expired {-node.lease:.0f} s ago"
        tables = "1 table" if node.tables == 1 else f"{node.tables} tables"
        click.echo(
            f"{node.id}: {node.name}, croupier {node.version}, since {node.started}, {tables}, {lease}"
        )
