"""The SQLite file: opening, checking, locking, migrating, copying, and error messages for operators."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from pathlib import Path
from typing import IO, Final

from croupier.store.api import StoreError, StoreUnavailable
from croupier.store.sql import scripts

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

APPLICATION: Final = 0x43525550
"""SQLite's application id, by which a database of this program is recognised."""
BESIDE: Final = (".lock", "-wal", "-shm", "-journal")
"""The endings of the other files that belong to a database."""
CHECKED_BYTES: Final = 64 << 20
"""The maximum size of a file that is checked when it is opened; for larger files the check would delay the
start.
"""
CACHED_PAGES: Final = 64
"""The number of pages in the cache of a connection. More pages do not make appends faster, and the system
caches files itself.
"""


def prepare(path: Path) -> tuple[IO[str], sqlite3.Connection]:
    """Lock, check and migrate the file at *path*; return the lock and the connection for writing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path.parent}: cannot create the folder ({error.strerror})") from error
    if path.is_dir():
        raise StoreError(f"{path}: a folder, expected a file")
    _check_size(path)
    lock = _locked(path)
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            _check(path, connection, migrate=True)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA cache_size = {CACHED_PAGES}")
            _migrate(connection)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        lock.close()
        raise wrong(path, error) from error
    except BaseException:
        lock.close()
        raise
    return lock, connection


def check_readable(path: Path) -> None:
    """Raise StoreError unless the file at *path* exists and can be read without migration."""
    if not path.is_file():
        raise StoreError(f"{path}: no such file")
    _check_size(path)
    try:
        with contextlib.closing(reader(path)) as connection:
            _check(path, connection, migrate=False)
    except sqlite3.Error as error:
        raise wrong(path, error) from error


def copy(source: Path, target: Path) -> None:
    """Copy the database at *source*, to which a server may be writing, to a file at *target*.

    The file at *target* appears when the copy is complete. The copy is made in one step: in several steps,
    every write of the server would restart it.
    """
    check_readable(source)
    whole = source.resolve()
    if target.resolve() in [whole, *(whole.with_name(whole.name + end) for end in BESIDE)]:
        raise StoreError(f"{target}: a file of the database itself: choose another file")
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        with (
            contextlib.closing(reader(source)) as found,
            contextlib.closing(sqlite3.connect(part)) as copied,
        ):
            found.backup(copied)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(target)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        raise wrong(target, error) from error


def reader(path: Path) -> sqlite3.Connection:
    """Return a read-only connection."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute(f"PRAGMA cache_size = {CACHED_PAGES}")
    return connection


def _check_size(path: Path) -> None:
    """Raise StoreError for a file without content: SQLite would take it for a new database."""
    if path.is_file() and not path.stat().st_size:
        words = "restore a backup, or remove the file to begin with an empty database"
        raise StoreError(f"{path}: 0 bytes, so its contents are lost: {words}")


def _check(path: Path, connection: sqlite3.Connection, migrate: bool) -> None:
    """Raise StoreError if the file is damaged, or was written by another program or a newer version; unless
    *migrate*, also if it is empty or was written by an older version."""
    application = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    newest = len(_scripts())
    if application != APPLICATION and not (empty and migrate):
        raise StoreError(f"{path}: a database of another program: choose another file")
    if version > newest:
        raise StoreError(
            f"{path}: written by a newer croupier (schema {version}, this version supports {newest}):"
            " upgrade croupier or choose another file"
        )
    if version < newest and not migrate:
        raise StoreError(
            f"{path}: written by an older croupier (schema {version}): start the server on it once"
        )
    if path.stat().st_size <= CHECKED_BYTES:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise _damaged(path, " ".join(str(found).split()))


def _migrate(connection: sqlite3.Connection) -> None:
    """Apply the numbered scripts that have not been applied yet, each in a transaction."""
    for number, script in enumerate(_scripts(), 1):
        if number > _pragma(connection, "user_version"):
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{script}\n"
                f"PRAGMA application_id = {APPLICATION};\nPRAGMA user_version = {number};\nCOMMIT;"
            )


def _scripts() -> list[str]:
    return scripts("schema")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _locked(path: Path) -> IO[str]:
    """Return an open lock file, which stays locked while this process uses *path*."""
    name = path.with_name(path.name + ".lock")
    try:
        lock = name.open("a+", encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{name}: cannot be written ({error.strerror})") from error
    try:
        lock.seek(0)
        if sys.platform == "win32":
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(f"{path}: in use by another server: stop it or choose another file") from None
    return lock


def wrong(path: Path, error: Exception) -> StoreError:
    """Return *error* about the file at *path* as a message that tells an operator what to do.

    It is StoreUnavailable if the same request may succeed later.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return _damaged(path, str(error))
    if code == sqlite3.SQLITE_FULL:
        return StoreUnavailable(f"{path}: the disk is full: free some space")
    if code == sqlite3.SQLITE_IOERR:
        return StoreUnavailable(f"{path}: the disk failed ({error}): check it and its free space")
    if code == sqlite3.SQLITE_READONLY:
        return StoreUnavailable(f"{path}: cannot be written: change its permissions or choose another file")
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreUnavailable(f"{path}: cannot be opened: change its permissions or choose another file")
    if code == sqlite3.SQLITE_BUSY:
        return StoreUnavailable(f"{path}: locked by another program: stop that program")
    return StoreError(f"{path}: {type(error).__name__}: {error}")


def _damaged(path: Path, words: str) -> StoreError:
    return StoreError(f"{path}: not a readable database ({words}): restore a backup or choose another file")
