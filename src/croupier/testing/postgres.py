"""A PostgreSQL server for tests and benchmarks: Debian's package, with its own data in a temporary folder.

PostgreSQL does not run as root, so root starts it as the user ``postgres``.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import count
from pathlib import Path

PASSWORD = "pa/ss:w%rd"
"""The password of the user ``anna``; the other users have none."""
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""Settings for tests in which the machine does not fail."""

MEMORY = Path("/dev/shm")
"""The place for temporary data, if there is room: on a busy disk a new database takes seconds."""


@cache
def programs() -> Path:
    """Return the folder of PostgreSQL's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        raise FileNotFoundError("PostgreSQL is missing: run scripts/setup.sh packages")
    return found[-1].parent


def _steady_port() -> int:
    """Return a free port outside the range of ephemeral ports, so that it is free after a restart, too."""
    first = 10_000 + os.getpid() % 100 * 100
    for port in range(first, first + 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no free port")


class PostgresServer:
    """A running server."""

    def __init__(self, *settings: str, limit: int | None = None, parent: Path | None = None) -> None:
        """Use *settings* of PostgreSQL, limit the size of its files to *limit* bytes, and create its folder
        in *parent*."""
        in_memory = "fsync=off" in settings and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 1 << 30
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-", dir=MEMORY if in_memory else parent))
        self._user = "postgres" if os.getuid() == 0 else None
        self._numbers = count(1)
        self._limit = limit
        self._data = self.folder / "data"
        self.port = _steady_port()
        self.process: subprocess.Popen[bytes] | None = None
        try:
            self._create(settings)
            self.start()
        except BaseException:
            self.remove()
            raise

    def _create(self, settings: Sequence[str]) -> None:
        if self._user is not None:
            shutil.chown(self.folder, self._user, self._user)
        self._call("initdb", "-D", str(self._data), "-U", "owner", "-A", "trust", "-E", "UTF8", "--no-sync")
        hosts = "local all all trust\nhost all owner all trust\nhost all all all scram-sha-256\n"
        (self._data / "pg_hba.conf").write_text(hosts)
        lines = [
            f"port={self.port}",
            "listen_addresses='127.0.0.1'",
            f"unix_socket_directories='{self.folder}'",
            "shared_buffers=32MB",
            *settings,
        ]
        with (self._data / "postgresql.conf").open("a") as file:
            file.write("\n".join(lines) + "\n")

    def url(self, database: str, user: str = "owner") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def _call(self, program: str, *arguments: str) -> str:
        done = subprocess.run(
            [programs() / program, *arguments],
            user=self._user,
            group=self._user,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stderr.strip()}")
        return done.stdout

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Carry out *statement* with psql; return what it prints."""
        where = ["-h", str(self.folder), "-p", str(self.port), "-U", "owner", "-d", database]
        return self._call("psql", *where, "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statement).strip()

    def new(self, template: str = "template0") -> str:
        """Create a database, a copy of *template*, and return its address."""
        name = f"house{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Remove the database at *url*, even if it is in use."""
        self.sql(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def start(self) -> None:
        prepare: Callable[[], None] | None = None
        if self._limit is not None:
            import resource  # not on Windows

            prepare = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (self._limit, self._limit))
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [programs() / "postgres", "-D", str(self._data)],
                user=self._user,
                group=self._user,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=prepare,
            )
        until = time.monotonic() + 60
        ready = [str(programs() / "pg_isready"), "-q", "-h", str(self.folder), "-p", str(self.port)]
        while subprocess.run(ready, check=False).returncode != 0:
            assert self.process.poll() is None, self.words()
            assert time.monotonic() < until, self.words()
            time.sleep(0.05)

    def words(self) -> str:
        """Return the log of the server."""
        return (self.folder / "log").read_text(errors="replace")

    def end(self, sign: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends all sessions, SIGQUIT is like a crash."""
        if self.process is not None:
            self.process.send_signal(sign)
            self.process.wait(60)
            self.process = None

    def remove(self) -> None:
        """Stop the server and remove its data."""
        self.end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)
