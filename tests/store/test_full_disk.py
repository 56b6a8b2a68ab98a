"""A disk without space: one log line when it begins, one when it ends, and nothing is lost."""

from __future__ import annotations

import contextlib
import logging
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.games.hearts import GAME
from croupier.store import Store, StoreError, open_store, sqlite_writer
from croupier.store.api import StoreUnavailable
from croupier.store.sqlite_writer import Writer
from croupier.table import tables
from croupier.wire.table_spec import TableSpec
from tests.net.rig import QUICK, eventually, rig
from tests.store.rows import table_row

FULL = "no move is accepted until a write succeeds"
AGAIN = "can be written again"
DUMMIES = TableSpec(["bot dummy"] * 4, table_options={**QUICK}, auto_cycle=True, start=True)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the store and the tables try again soon."""
    monkeypatch.setattr(sqlite_writer, "AGAIN_SECONDS", 0.05)
    monkeypatch.setattr(tables, "REBUILD_SECONDS", 0.05)


@contextlib.contextmanager
def full_disk(path: Path) -> Iterator[None]:
    """Limit the files of this process to the size of the write-ahead log of the database at *path*."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name(f"{path.name}-wal").stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the messages about the store, in short, and everything else that was logged as an error."""
    found = []
    for record in caplog.records:
        text = record.getMessage()
        short = [words for words in (FULL, AGAIN) if words in text]
        if short or record.levelno >= logging.ERROR:
            found.append(short[0] if short else text)
    return found


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[Writer]:
    """Return the writers that have tried again, one for each attempt."""
    found: list[Writer] = []
    try_again = Writer._try_again

    def counted(writer: Writer) -> None:
        found.append(writer)
        try_again(writer)

    monkeypatch.setattr(Writer, "_try_again", counted)
    return found


async def test_the_store_reports_a_full_disk_once_and_tries_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, tries: list[Writer]
) -> None:
    path = tmp_path / "games.db"
    store = await open_store(path)
    await store.open_table(table_row("t"))
    await store.append("t", 0, ["x" * 200_000])
    with full_disk(path):
        for _ in range(5):
            with pytest.raises(StoreUnavailable, match=r"games\.db: the disk (is full|failed)"):
                await store.append("t", 1, ["y" * 100_000])
        assert store.failing
        await eventually(lambda: len(tries) >= 2)
        assert store.failing, "the first try was in vain"
        assert lines(caplog) == [FULL]
    await eventually(lambda: not store.failing and lines(caplog) == [FULL, AGAIN])
    await store.append("t", 1, ["z"])
    assert [len(entry) for entry in await store.log("t")] == [200_000, 1]
    await store.close()


async def test_a_write_that_succeeds_ends_it_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "games.db"
    store = await open_store(path)
    await store.open_table(table_row("t"))
    with full_disk(path), pytest.raises(StoreError):
        await store.append("t", 0, ["y" * 100_000])
    await store.append("t", 0, ["z"])
    assert lines(caplog) == [FULL, AGAIN]
    await store.close()


async def test_tables_wait_for_the_disk_and_continue(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, tries: list[Writer]
) -> None:
    path = tmp_path / "games.db"
    store: Store = await open_store(path)
    try:
        async with rig(store=store) as server:
            shells = [await server.tables.open(GAME, DUMMIES) for _ in range(5)]
            ids = [shell.table.id for shell in shells]
            await eventually(lambda: all(shell.table.actions >= 100 for shell in shells))
            with full_disk(path):
                await eventually(lambda: all(id in server.tables.broken for id in ids))
                await eventually(lambda: len(tries) >= 4)
                assert (await server.get(f"/house/{ids[0]}"))[1]["key"] == "cannot_store"
                assert (await server.post("/api/tables", {"game": "hearts", "seats": ["open"] * 4}))[0] == 503
                assert lines(caplog) == [FULL]
            await eventually(lambda: not server.tables.broken)
            again = [server.tables.shells[id] for id in ids]
            await eventually(lambda: all(shell.table.actions >= 100 for shell in again))
            assert lines(caplog) == [FULL, AGAIN]
    finally:
        await store.close()
