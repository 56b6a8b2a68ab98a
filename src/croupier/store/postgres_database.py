"""The PostgreSQL database: connecting, checking, migrating, owning, and error messages for operators.

One server owns the whole database, or several share it as nodes of one house (postgres_nodes.py). A server
has a row in `node` with a lease that it renews every second, by the clock of the database. Another server
may delete this row when the lease has expired. Every transaction of a server updates its own row first, so
it either ends before the row is deleted, or finds no row and writes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import os
import platform
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from croupier import __version__
from croupier.store.address import EXPECTED, shown
from croupier.store.api import StoreError
from croupier.store.sql import scripts

try:
    import asyncpg
except ModuleNotFoundError:
    words = "PostgreSQL needs the package asyncpg: run pip install 'croupier[cluster]'"
    raise StoreError(words) from None

log = logging.getLogger(__name__)

Connection: TypeAlias = Any
"""An `asyncpg.Connection`; asyncpg has no types."""
Duplicate: Final = asyncpg.UniqueViolationError
"""Raised if a row with the same key exists."""

APPLICATION: Final = 0x43525550
"""The number of the advisory lock under which a server takes over or migrates the database."""
LEASE: Final = 3
"""Seconds until another server may take over from a server that does not renew its lease."""
CONNECT_SECONDS: Final = 5.0
COMMAND_SECONDS: Final = 10.0
SETTINGS: Final = {
    "application_name": "croupier",
    # Always use an index: the size of an array is estimated badly, and a plan is kept while tables grow.
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "jit": "off",
}
"""Settings of connections that write."""
LOST_CODES: Final = ("08", "57P", "53300", "25P03")
"""Codes of errors after which the same request may succeed on another connection: lost connections, a server
that stops or starts, too many connections, a transaction that waited too long for its next statement."""


async def connect(url: str, seconds: float | None = COMMAND_SECONDS) -> Connection:
    """Return a connection for writing, on which a statement may take *seconds*; None means any time.

    With *seconds* it ends if a transaction waits for its next statement for longer than a lease lasts: a
    server that falls silent must not keep its row in `node` locked.
    """
    settings = SETTINGS
    if seconds is not None:
        settings = {**SETTINGS, "idle_in_transaction_session_timeout": f"{LEASE}s"}
    db = await asyncpg.connect(
        url, timeout=CONNECT_SECONDS, command_timeout=seconds, server_settings=settings
    )
    # A stronger setting, which waits for standbys, is left as it is.
    await db.execute(
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit') = 'off'"
    )
    return db


async def readers(url: str, most: int) -> Any:
    """Return a pool of connections for reading."""
    return await asyncpg.create_pool(
        url,
        min_size=0,
        max_size=most,
        timeout=CONNECT_SECONDS,
        command_timeout=COMMAND_SECONDS,
        server_settings={
            "application_name": "croupier",
            "default_transaction_read_only": "on",
            "jit": "off",
        },
    )


async def take(db: Connection, url: str, shared: bool = False) -> int:
    """Migrate the database and take it over, or join the nodes that share it; return the number of this
    server in `node`.

    If another server uses the database and one of them does not share it, wait until its lease expires;
    raise StoreError if it is renewed.
    """
    if await db.fetchval("SHOW fsync") != "on":
        log.warning("%s: fsync is off in PostgreSQL: moves may be lost if the machine fails", shown(url))
    seen: object = None
    while True:
        async with db.transaction():
            await db.execute("SELECT pg_advisory_xact_lock($1)", APPLICATION)
            version = await check(db, url, migrate=True)
            other = await _other(db, shared and version == len(_scripts())) if version else None
            if other is None:
                await _migrate(db, version)
                return await _claim(db, shared)
        until, name = other
        if seen is None:
            log.info("%s: waiting for the lease of another server (%s) to expire", shown(url), name)
        elif seen != until:
            raise StoreError(f"{shown(url)}: {_in_use(name, shared, version)}")
        seen = until
        await asyncio.sleep(0.2)


def _in_use(name: str, shared: bool, version: int) -> str:
    if shared and version < len(_scripts()):
        words = f"in use by a node of an older version ({name}), and this version changes the schema"
        return f"{words}: stop all nodes, then start them with the new version"
    if shared:
        return f"in use by a server that does not share it ({name}): stop it, or start it with --nats, too"
    return f"in use by another server ({name}): stop it or choose another database"


async def _other(db: Connection, share: bool) -> tuple[object, str] | None:
    """Remove servers whose lease has expired; if one is left, return the end of its lease and its name.

    If *share*, those that share the database do not matter; the nodes replace each other.
    """
    column = "shared" if await _has_nodes(db) else "false"
    await db.execute(
        f"DELETE FROM node WHERE lease_until < clock_timestamp() AND NOT ({column} AND $1)", share
    )
    row = await db.fetchrow(
        f"SELECT lease_until, name FROM node WHERE NOT ({column} AND $1) ORDER BY lease_until DESC LIMIT 1",
        share,
    )
    return None if row is None else (row[0], row[1])


async def _has_nodes(db: Connection) -> bool:
    """Return True if the schema has nodes that share the database."""
    return int(await db.fetchval("SELECT schema FROM croupier")) >= 2


async def _claim(db: Connection, shared: bool) -> int:
    """Add this server; make it the owner of every open table, unless it shares them."""
    name = f"{platform.node()}, process {os.getpid()}"
    number = await db.fetchval(
        "INSERT INTO node (name, version, lease_until, shared)"
        f" VALUES ($1, $2, clock_timestamp() + interval '{LEASE} s', $3) RETURNING id",
        name,
        __version__,
        shared,
    )
    if shared:
        await db.execute("INSERT INTO thing VALUES ('service', 'main', 0, 0) ON CONFLICT DO NOTHING")
        await db.execute("UPDATE thing SET owner = 0 WHERE owner NOT IN (SELECT id FROM node)")
    await db.execute(
        "INSERT INTO thing (kind, name, owner, epoch)"
        " SELECT 'table', id, $1::bigint, 1 FROM tables WHERE closed IS NULL"
        " ON CONFLICT (kind, name) DO "
        + ("NOTHING" if shared else "UPDATE SET owner = excluded.owner, epoch = thing.epoch + 1"),
        0 if shared else number,
    )
    return int(number)


@dataclass(frozen=True, slots=True)
class Node:
    """A server that uses the database."""

    id: int
    name: str
    version: str
    started: str
    lease: float
    """Seconds until its lease expires; negative if it has expired."""
    tables: int
    """How many open tables it owns."""
    draining: bool
    """True if it takes nothing new."""
    service: bool
    """True if it runs the lobbies, tournaments, accounts and ratings of a house with several nodes."""


NODES: Final = (
    "SELECT id, name, version,"
    " to_char(started AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"
    " extract(epoch FROM lease_until - clock_timestamp())::float8,"
    " (SELECT count(*) FROM thing WHERE kind = 'table' AND owner = node.id), draining,"
    " EXISTS (SELECT FROM thing WHERE kind = 'service' AND owner = node.id) FROM node ORDER BY id"
)
"""Reads the values of `Node`."""


async def nodes(url: str) -> list[Node]:
    """Return the servers of the database at *url*; raise StoreError if it cannot be used."""
    try:
        db = await connect(url)
        try:
            await check(db, url, migrate=False)
            rows = await db.fetch(NODES)
        finally:
            await db.close(timeout=1.0)
    except Exception as error:
        raise wrong(url, error) from None
    return [Node(*row) for row in rows]


async def check(db: Connection, url: str, migrate: bool) -> int:
    """Return the version of the schema, 0 for an empty database.

    Raise StoreError if the database cannot be used or was written by another program or a newer version;
    unless *migrate*, also if it is empty or was written by an older version.
    """
    where = shown(url)
    encoding = await db.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise StoreError(f"{where}: encoding {encoding}, expected UTF8: create it with createdb -E UTF8")
    version, newest = await _version(db, where), len(_scripts())
    if not version and not migrate:
        raise StoreError(f"{where}: an empty database: start the server on it once")
    if version > newest:
        raise StoreError(
            f"{where}: written by a newer croupier (schema {version}, this version supports {newest}):"
            " upgrade croupier or choose another database"
        )
    if version < newest and not migrate:
        raise StoreError(
            f"{where}: written by an older croupier (schema {version}): start the server on it once"
        )
    return version


async def _version(db: Connection, where: str) -> int:
    if await db.fetchval("SELECT to_regclass('croupier') IS NOT NULL"):
        return int(await db.fetchval("SELECT schema FROM croupier"))
    foreign = await db.fetchval(
        "SELECT count(*) FROM pg_class"
        " WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')"
    )
    if foreign:
        raise StoreError(f"{where}: a database of another program: choose another database")
    return 0


async def _migrate(db: Connection, version: int) -> None:
    """Apply the numbered scripts that have not been applied yet."""
    if not version:
        await db.execute("CREATE TABLE croupier (schema BIGINT NOT NULL)")
        await db.execute("INSERT INTO croupier VALUES (0)")
    for script in _scripts()[version:]:
        await db.execute(script)
        await db.execute("UPDATE croupier SET schema = schema + 1")


def _scripts() -> list[str]:
    return scripts("schema/postgres")


# Errors


def is_lost(error: BaseException) -> bool:
    """Return True if *error* means that the connection is lost or cannot be made now."""
    if isinstance(error, asyncpg.PostgresError):
        return str(error.sqlstate or "").startswith(LOST_CODES)
    if isinstance(error, asyncpg.InterfaceError):
        return not isinstance(error, ValueError)  # exceptions about values and addresses
    # asyncpg raises InternalClientError if a connection ends while it is used.
    return isinstance(error, OSError | TimeoutError | asyncpg.InternalClientError)


def is_value(error: BaseException) -> bool:
    """Return True if *error* is about a value that PostgreSQL cannot store."""
    if isinstance(error, asyncpg.PostgresError):
        return str(error.sqlstate or "").startswith(("22", "23"))
    return isinstance(error, ValueError)


def wrong(url: str, error: BaseException) -> StoreError:
    """Return *error* about the database at *url* as a message that tells an operator what to do."""
    where = shown(url)
    if isinstance(error, StoreError):
        return error
    words = (str(error).splitlines() or [""])[0] or type(error).__name__
    code = str(getattr(error, "sqlstate", "") or "")
    if code.startswith("28"):
        return StoreError(f"{where}: PostgreSQL refuses the user ({words}): correct the user or the password")
    if code in _ADVICE:
        return StoreError(f"{where}: {words}: {_ADVICE[code]}")
    if isinstance(error, asyncpg.ClientConfigurationError) or type(error) is ValueError:
        # Without the words, which may contain a part of the password.
        return StoreError(f"{where}: not a valid address: expected {EXPECTED}")
    if is_lost(error):
        return StoreError(f"{where}: cannot be reached ({words}): start PostgreSQL or correct the address")
    return StoreError(f"{where}: {type(error).__name__}: {words}")


_ADVICE: Final = {
    "3D000": "create it with createdb",
    "42501": "let the user create tables there",
    "53100": "the disk of the database is full, free some space",
    "53300": "raise max_connections of PostgreSQL",
    "25006": "use the primary server, not a standby",
    "57P03": "try again when it is ready",
}
"""What to do, by the code of an error."""
