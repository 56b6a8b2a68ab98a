"""`croupier nodes` and `croupier drain`: the servers that use a PostgreSQL database."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import asdict

import click

from croupier.store.address import EXPECTED, is_postgres, shown

database_option = click.option(
    "--database",
    required=True,
    metavar="URL",
    help="PostgreSQL database: postgresql://USER:PASSWORD@HOST/NAME.",
)


@click.command()
@database_option
@click.option("--json", "json_", is_flag=True, help="Print each server as a line of JSON.")
def nodes(database: str, json_: bool) -> None:
    """List the servers that use a PostgreSQL database: machine, process, version, start, open tables, lease.

    A running server renews its lease every second. After a crash, another one may start when the lease has
    expired; nodes that share the database take over its tables.
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
        tables += ", lobbies" if node.service else ""
        tables += ", draining" if node.draining else ""
        click.echo(
            f"{node.id}: {node.name}, croupier {node.version}, since {node.started}, {tables}, {lease}"
        )


@click.command()
@database_option
@click.argument("node", type=int)
@click.option(
    "--wait",
    default=30.0,
    show_default=True,
    type=click.FloatRange(0.0),
    help="Seconds to wait until it is empty.",
)
def drain(database: str, node: int, wait: float) -> None:
    """Let the other nodes take over everything from NODE, a number that `croupier nodes` shows.

    The node takes nothing new and still accepts connections, which it forwards. When it is empty you can stop
    it or leave it running.
    """
    if not is_postgres(database):
        raise click.UsageError(f"--database: expected {EXPECTED}")
    from croupier.store import StoreError

    try:
        from croupier.store.postgres_nodes import drain as ask

        if not asyncio.run(ask(database, node)):
            raise click.ClickException(f"node {node}: not found among the nodes that share the database")
        left = asyncio.run(_emptied(database, node, wait))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    if left:
        raise click.ClickException(f"node {node}: after {wait:g} s it still has {left} tables")
    click.echo(f"node {node} has no tables")


async def _emptied(database: str, node: int, wait: float) -> int:
    """Wait until a node has nothing; return the number of tables that it still has after *wait* seconds."""
    from croupier.store.postgres_database import nodes as read

    until = time.monotonic() + wait
    while True:
        found = [one for one in await read(database) if one.id == node]
        left = sum(one.tables + one.service for one in found)
        if not left or time.monotonic() >= until:
            return left
        await asyncio.sleep(0.2)
