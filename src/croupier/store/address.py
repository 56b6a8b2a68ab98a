"""Where a database is: the path of a file, or an address."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeGuard
from urllib.parse import urlsplit

EXPECTED: Final = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with %XX for special characters"


def is_postgres(where: str | Path) -> TypeGuard[str]:
    """Return True if *where* is the address of a PostgreSQL database."""
    return isinstance(where, str) and where.startswith(("postgresql://", "postgres://"))


def shown(where: str | Path) -> str:
    """Return *where* without the password, for messages.

    >>> shown("postgresql://anna:secret@db:5432/games?sslmode=require")
    'postgresql://anna@db:5432/games'
    """
    if not is_postgres(where):
        return str(where)
    try:
        found = urlsplit(where)
        port = f":{found.port}" if found.port is not None else ""
    except ValueError:
        return "postgresql://…"
    if "@" in found.path + found.query + found.fragment:  # a password with a special character
        return "postgresql://…"
    user = f"{found.username}@" if found.username else ""
    return f"postgresql://{user}{found.hostname or ''}{port}{found.path}"
