"""The stores in databases, tested on SQLite and PostgreSQL: group commit, faulty requests, locks."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from croupier.store import Store, StoreConflict, StoreError, open_store
from tests.store.rows import match_row, table_row


async def opened(database: str, tables: int) -> Store:
    store = await open_store(database)
    await asyncio.gather(*(store.open_table(table_row(f"t{number}")) for number in range(tables)))
    return store


async def test_everything_is_there_after_reopening(database: str) -> None:
    store = await opened(database, 2)
    await store.append("t0", 0, ["a", "b"], [match_row("m1")])
    await store.close_table("t1", "2026-11-15T21:00:00Z")
    await store.close()
    store = await open_store(database)
    assert await store.log("t0") == ["a", "b"]
    assert await store.match("m1") == match_row("m1")
    assert [row.id for row in await store.tables()] == ["t0"]
    with pytest.raises(StoreConflict, match="entry 0 given, expected 2"):
        await store.append("t0", 0, ["a"])
    with pytest.raises(StoreConflict, match="table t1 is closed"):
        await store.append("t1", 0, ["a"])
    await store.append("t0", 2, ["c"])
    assert await store.log("t0") == ["a", "b", "c"]
    await store.close()


async def test_one_commit_serves_many_tables(database: str) -> None:
    store = await opened(database, 250)
    before = store.stats()["commits"]
    for number in range(4):
        await asyncio.gather(*(store.append(f"t{table}", number, ["entry"]) for table in range(250)))
    stats = store.stats()
    assert stats["appends"] == 1000
    assert stats["commits"] == before + 4, "one for each round"
    assert stats["last_commit_seconds"] > 0
    await store.close()


async def test_a_value_that_cannot_be_stored_fails_only_its_own_request(database: str) -> None:
    store = await opened(database, 30)
    entries = [["good", "half a pair: \ud800"] if table == 7 else ["good"] for table in range(30)]
    results = await asyncio.gather(
        *(store.append(f"t{table}", 0, entries[table]) for table in range(30)), return_exceptions=True
    )
    assert isinstance(results[7], StoreError)
    assert not isinstance(results[7], StoreConflict)
    assert [result for result in results if result is not None] == [results[7]]
    assert await store.logs({"t7": 0, "t8": 0}) == {"t7": [], "t8": ["good"]}
    await store.append("t7", 0, ["better"])
    assert await store.log("t7") == ["better"]
    await store.close()


async def test_a_failed_batch_is_repeated_request_by_request(database: str) -> None:
    """Only the faulty request and those that depend on it fail, also among other kinds of writes."""
    store = await opened(database, 5)
    bad = replace(match_row("m3"), players="half a pair: \ud800")
    results = await asyncio.gather(
        store.append("t0", 0, ["a"], [match_row("m0")]),
        store.append("t1", 0, ["a"], [match_row("m1"), bad]),
        store.append("t1", 1, ["b"]),
        store.append("t1", 0, ["c"]),
        store.keep("hearts", "ann", "something"),
        store.open_table(table_row("t0")),
        store.keep("hearts", "bob", "half a pair: \ud800"),
        store.append("t2", 1, ["b"]),
        store.append("t2", 0, ["a"]),
        store.close_table("t2", "2026-11-15T21:00:00Z"),
        store.append("t2", 1, ["b"]),
        return_exceptions=True,
    )
    assert isinstance(results.pop(6), StoreError)
    assert isinstance(results.pop(1), StoreError)
    assert [str(result) for result in results] == [
        "None",
        "table t1: entry 1 given, expected 0",
        "None",
        "None",
        "table t0 is already in the store",
        "table t2: entry 1 given, expected 0",
        "None",
        "None",
        "table t2 is closed: its log accepts no more entries",
    ]
    assert await store.logs({"t0": 0, "t1": 0, "t2": 0}) == {"t0": ["a"], "t1": ["c"], "t2": ["a"]}
    assert [row.id for row in await store.matches()] == ["m0"]
    assert await store.kept("hearts") == {"ann": "something"}
    assert store.stats()["failures"] == 6
    await store.close()


async def test_closing_writes_what_is_queued(database: str) -> None:
    store = await opened(database, 1)
    tasks = [asyncio.create_task(store.append("t0", number, [str(number)])) for number in range(40)]
    await asyncio.sleep(0)  # all are queued now
    await store.close()
    await asyncio.gather(*tasks)
    reader = await open_store(database, read_only=True)
    assert len(await reader.log("t0")) == 40
    await reader.close()


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 255, 256, 257, 900])
async def test_a_batch_of_any_size_is_stored_completely(database: str, rows: int) -> None:
    store = await opened(database, 3)
    lines = [f"entry {number}" for number in range(rows)]
    await asyncio.gather(*(store.append(f"t{table}", 0, lines[table:]) for table in range(3)))
    assert await store.logs({"t0": 0, "t1": 0, "t2": 0}) == {f"t{table}": lines[table:] for table in range(3)}
    assert store.stats()["rows"] == sum(len(lines[table:]) for table in range(3))
    await store.close()


async def test_other_programs_may_read_while_the_server_runs(database: str) -> None:
    store = await opened(database, 1)
    reader = await open_store(database, read_only=True)
    await store.append("t0", 0, ["a"])
    assert await reader.log("t0") == ["a"]
    with pytest.raises(StoreError, match=r"(games\.db|/house\d+): opened for reading only"):
        await reader.append("t0", 1, ["b"])
    with pytest.raises(StoreError, match=r"read-only transaction|cannot be written"):
        await reader.select("DELETE FROM log")  # type: ignore[attr-defined]  # only of databases
    assert reader.stats()["commits"] == 0
    await store.close()
    await reader.close()
    reader = await open_store(database, read_only=True)
    assert await reader.log("t0") == ["a"]
    await reader.close()


async def test_only_one_server_opens_a_database(database: str) -> None:
    store = await opened(database, 1)
    with pytest.raises(StoreError, match=r": in use by another server.*: stop it or choose another"):
        await open_store(database)
    await store.append("t0", 0, ["still fine"])
    await store.close()
    store = await open_store(database)
    assert await store.log("t0") == ["still fine"]
    await store.close()
