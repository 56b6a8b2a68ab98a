"""Copies of whole databases, between SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.accounts.rows import Rating, SessionRow
from croupier.accounts.store import AccountStore
from croupier.store import StoreError, open_store, sqlite_file, transfer
from croupier.store.api import PlayerRow
from croupier.store.sql import Row, SqlStore
from croupier.store.transfer import COLUMNS, SqliteSide, new_database, new_file, old_database, snapshot
from croupier.testing.postgres import PostgresServer
from tests.accounts.test_store import ANNA, BEA
from tests.store.rows import match_row, table_row
from tests.store.test_sqlite import OLD, names

LINES = 5000
"""More than two chunks."""


async def filled(path: Path) -> None:
    """Create a file with rows in every table."""
    store = await open_store(path)
    assert isinstance(store, SqlStore)
    people = AccountStore(store)
    for name in ("z", "a", "m"):
        await store.open_table(table_row(name))
    await store.append("a", 0, [f"Zoë 👩‍👧 {number}" for number in range(LINES)])
    row = replace(match_row("m1"), table="z")
    players = [PlayerRow("m1", seat, who, "hearts") for seat, who in enumerate(["s1", ""])]
    await store.append("z", 0, ["began"], [row], players)
    await store.append("z", 1, [], [match_row("m2")])
    await store.close_table("m", "2026-11-15T21:00:00Z")
    await store.keep("tarock", "user 1", "{}")
    for account in (ANNA, BEA):
        await people.add_account(account)
    await people.put_session(SessionRow("d1", "s1", "2026-01-01", "2026-01-01", ended=True))
    await people.rate("hearts", "m1", ["s1", ""], {"s1": Rating(25.5, 8.25, 1)})
    await store.close()


def contents(path: Path) -> dict[str, list[Row]]:
    with closing(sqlite3.connect(path)) as db:
        return {
            table: db.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()
            for table, columns in COLUMNS.items()
        }


async def copied(source: str | Path, target: str | Path) -> dict[str, int]:
    async with old_database(str(source)) as old, new_database(str(target)) as new:
        return await transfer.transfer(old, new, lambda _: None)


@pytest.mark.slow
async def test_a_database_is_the_same_after_going_to_postgresql_and_back(
    postgres: str, tmp_path: Path
) -> None:
    await filled(tmp_path / "first.db")
    before = contents(tmp_path / "first.db")
    assert all(before.values()), "every table has rows"
    counts = await copied(tmp_path / "first.db", postgres)
    assert counts == {table: len(rows) for table, rows in before.items()}
    # A server continues there.
    store = await open_store(postgres)
    assert [row.id for row in await store.tables()] == ["z", "a"]
    await store.append("a", LINES, ["goes on"])
    await store.open_table(table_row("new"))
    assert [row.id for row in await store.tables(open_only=False)] == ["z", "a", "m", "new"]
    await store.close()
    after = await copied(postgres, tmp_path / "last.db")
    assert (after["tables"], after["log"]) == (counts["tables"] + 1, counts["log"] + 1)
    found = contents(tmp_path / "last.db")
    assert found["tables"][:3] == before["tables"]
    assert [row for row in found["log"] if row[2] != "goes on"] == before["log"]
    assert {table: found[table] for table in list(COLUMNS)[2:]} == {
        table: before[table] for table in list(COLUMNS)[2:]
    }
    store = await open_store(tmp_path / "last.db")
    await store.append("a", LINES + 1, ["and on"])
    await store.close()
    assert names(tmp_path) == ["first.db", "first.db.lock", "last.db", "last.db.lock"]


@pytest.mark.slow
@pytest.mark.parametrize("version", [1, 2, 3, 4])
async def test_files_of_older_versions_are_copied(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    path = tmp_path / "games.db"
    scripts = sqlite_file._scripts()
    with monkeypatch.context() as older:
        older.setattr(sqlite_file, "_scripts", lambda: scripts[:version])
        store = await open_store(path)
        await store.open_table(table_row("t1"))
        await store.append("t1", 0, ["a", "b"], [match_row("m1")])
        await store.close()
    await copied(path, postgres)
    store = await open_store(postgres)
    assert await store.log("t1") == ["a", "b"]
    assert await store.match("m1") == match_row("m1")
    await store.append("t1", 2, ["c"])
    await store.close()


@pytest.mark.slow
async def test_a_file_that_an_older_version_has_written_is_copied(postgres: str, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(OLD.read_text(encoding="utf-8"))
    counts = await copied(path, postgres)
    assert counts == {
        **dict.fromkeys(COLUMNS, 0),
        "tables": 2,
        "log": 8,
        "matches": 2,
        "players": 1,
        "accounts": 1,
    }
    store = await open_store(postgres)
    assert await store.last_matches() == {"t0": 5, "t1": 0}
    await store.append("t0", 8, ["goes on"])
    await store.close()


@pytest.mark.slow
async def test_only_an_empty_database_that_nobody_uses_is_filled(
    postgres: str, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    await filled(tmp_path / "first.db")
    server = await open_store(postgres)
    with pytest.raises(StoreError, match=r"/house\d+: in use by another server"):
        await copied(tmp_path / "first.db", postgres)
    with pytest.raises(StoreError, match=r"/house\d+: in use by another server"):
        await copied(postgres, tmp_path / "new.db")
    await server.open_table(table_row("t1"))
    await server.close()
    with pytest.raises(StoreError, match=r"/house\d+: 1 rows in tables, expected an empty database: choose"):
        await copied(tmp_path / "first.db", postgres)
    store = await open_store(tmp_path / "first.db")
    with pytest.raises(StoreError, match=r"first\.db: in use by another server"):
        await copied(tmp_path / "first.db", postgres)
    await store.close()
    with pytest.raises(StoreError, match=r"first\.db: already exists: choose another file"):
        await copied(postgres, tmp_path / "first.db")
    with pytest.raises(StoreError, match=r"none\.db: no such file"):
        await copied(tmp_path / "none.db", postgres)
    assert not (tmp_path / "new.db").exists()


@pytest.mark.slow
async def test_copies_of_many_chunks_do_not_disturb_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite reports misuse if a cursor is released in one thread while another one uses the connection."""
    await filled(tmp_path / "first.db")
    monkeypatch.setattr(transfer, "CHUNK", 200)
    for turn in range(20):
        assert (await copied(tmp_path / "first.db", tmp_path / f"{turn}.db"))["log"] == LINES + 1


class Forgetful(SqliteSide):
    """Loses the last of the tables."""

    async def add(self, table: str, rows: Sequence[Row]) -> None:
        await super().add(table, rows[:-1] if table == "tables" else rows)


async def test_a_copy_with_other_counts_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await filled(tmp_path / "first.db")
    monkeypatch.setattr(transfer, "SqliteSide", Forgetful)
    with pytest.raises(StoreError, match="tables: 3 rows to copy, but the copy has 2; nothing is kept"):
        await copied(tmp_path / "first.db", tmp_path / "new.db")
    assert names(tmp_path) == ["first.db", "first.db.lock"]


@pytest.mark.slow
async def test_a_copy_that_fails_leaves_nothing(postgres: str, tmp_path: Path) -> None:
    await filled(tmp_path / "first.db")
    with closing(sqlite3.connect(tmp_path / "first.db")) as db, db:
        db.execute("UPDATE ratings SET who = 'zero ' || char(0)")
    with pytest.raises(StoreError, match=r"/house\d+: .*0x00"):
        await copied(tmp_path / "first.db", postgres)
    async with old_database(postgres) as side:
        assert set((await side.counts()).values()) == {0}


@pytest.mark.slow
async def test_a_backup_is_consistent_while_the_server_writes(postgres: str, tmp_path: Path) -> None:
    """Every entry of a table and the number of the last one are written together."""
    store = await open_store(postgres)
    for number in range(10):
        await store.open_table(table_row(f"t{number}"))
    going = True

    async def play(table: str) -> None:
        number = 0
        while going:
            row = replace(match_row(table), table=table, last=number)
            await store.append(table, number, [str(number)], [row])
            number += 1

    players = [asyncio.create_task(play(f"t{number}")) for number in range(10)]
    for turn in range(3):
        async with snapshot(postgres) as source, new_file(tmp_path / f"{turn}.db") as target:
            await transfer.transfer(source, target, lambda _: None)
    going = False
    await asyncio.gather(*players)
    lengths: list[int] = []
    for turn in range(3):
        copy = await open_store(tmp_path / f"{turn}.db", read_only=True)
        for table in range(10):
            log = await copy.log(f"t{table}")
            row = await copy.match(f"t{table}")
            assert log == [str(number) for number in range(len(log))]
            assert (row.last if row is not None else -1) == len(log) - 1
            lengths.append(len(log))
        await copy.close()
    assert lengths[20:] > lengths[:10], "the server went on"
    await store.close()
