"""The SQLite store alone: durability, group commit, damage, locks."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.store import Store, StoreConflict, StoreError, open_store, sqlite_file
from croupier.store.sqlite_file import APPLICATION
from tests.store.rows import match_row, table_row

APPENDER = str(Path(__file__).with_name("appender.py"))


async def opened(path: Path, tables: int) -> Store:
    store = await open_store(path)
    for number in range(tables):
        await store.open_table(table_row(f"t{number}"))
    return store


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


async def test_everything_is_there_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "games.db"
    store = await opened(path, 2)
    await store.append("t0", 0, ["a", "b"], [match_row("m1")])
    await store.close_table("t1", "2026-11-15T21:00:00Z")
    await store.close()
    store = await open_store(path)
    assert await store.log("t0") == ["a", "b"]
    assert await store.match("m1") == match_row("m1")
    assert [row.id for row in await store.tables()] == ["t0"]
    with pytest.raises(StoreConflict, match="entry 0 offered, 2 is due"):
        await store.append("t0", 0, ["a"])
    with pytest.raises(StoreConflict, match="table t1 is closed"):
        await store.append("t1", 0, ["a"])
    await store.append("t0", 2, ["c"])
    assert await store.log("t0") == ["a", "b", "c"]
    await store.close()


async def test_a_clean_stop_leaves_one_file(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 1)
    await store.append("t0", 0, ["a"])
    await store.tables()
    await store.close()
    assert names(tmp_path) == ["games.db", "games.db.lock"]


async def test_commits_are_synchronous_and_logged_ahead(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 1)
    found: list[object] = []

    def look(db: sqlite3.Connection) -> None:
        for name in ("journal_mode", "synchronous"):
            found.extend(db.execute(f"PRAGMA {name}").fetchone())

    await store._write(look)  # type: ignore[attr-defined]  # nothing outward tells how a commit is made
    assert found == ["wal", 2]  # 2 is FULL
    await store.close()


async def test_one_commit_serves_many_tables(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 250)
    before = store.stats()["commits"]
    for number in range(4):
        await asyncio.gather(*(store.append(f"t{table}", number, ["entry"]) for table in range(250)))
    stats = store.stats()
    assert stats["appends"] == 1000
    # Each round is one commit of what came while the thread woke up and one of all the rest, more or less.
    assert stats["commits"] - before <= 100
    assert stats["last_commit_seconds"] > 0
    await store.close()


async def test_a_value_that_cannot_be_stored_hurts_nobody_else(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 30)
    entries = [["good", "half a pair: \ud800"] if table == 7 else ["good"] for table in range(30)]
    results = await asyncio.gather(
        *(store.append(f"t{table}", 0, entries[table]) for table in range(30)), return_exceptions=True
    )
    assert isinstance(results[7], StoreError)
    assert not isinstance(results[7], StoreConflict)
    assert [result for result in results if result is not None] == [results[7]]
    assert await store.log("t7") == []
    assert await store.log("t8") == ["good"]
    await store.append("t7", 0, ["better"])
    assert await store.log("t7") == ["better"]
    await store.close()


async def test_closing_writes_what_is_queued(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = await opened(path, 1)
    tasks = [asyncio.create_task(store.append("t0", number, [str(number)])) for number in range(40)]
    await asyncio.sleep(0)  # all are queued now
    await store.close()
    await asyncio.gather(*tasks)
    store = await open_store(path)
    assert len(await store.log("t0")) == 40
    await store.close()


async def test_a_task_that_gives_up_waiting_disturbs_nothing(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 1)
    task = asyncio.create_task(store.append("t0", 0, ["a"]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await store.append("t0", 1, ["b"])
    assert await store.log("t0") == ["a", "b"]
    await store.close()


async def test_only_one_server_opens_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = await opened(path, 1)
    with pytest.raises(StoreError, match=r"games\.db: in use by another server: stop that one or choose"):
        await open_store(path)
    await store.append("t0", 0, ["still fine"])
    await store.close()
    store = await open_store(path)
    assert await store.log("t0") == ["still fine"]
    await store.close()


async def test_others_may_read_while_the_server_runs(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = await opened(path, 1)
    await store.append("t0", 0, ["a"])
    reader = await open_store(path, read_only=True)
    assert await reader.log("t0") == ["a"]
    await store.append("t0", 1, ["b"])
    assert await reader.log("t0") == ["a", "b"]
    with pytest.raises(StoreError, match=r"games\.db: opened for reading only"):
        await reader.append("t0", 2, ["c"])
    assert reader.stats()["commits"] == 0
    await store.close()
    await reader.close()
    reader = await open_store(path, read_only=True)
    assert await reader.log("t0") == ["a", "b"]
    await reader.close()


async def test_reading_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"none\.db: no such file"):
        await open_store(tmp_path / "none.db", read_only=True)
    assert names(tmp_path) == []


async def test_a_batch_that_finds_no_room_is_told_and_the_next_one_goes_on(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 40)
    logs: dict[str, list[str]] = {f"t{number}": [] for number in range(40)}

    async def limit(pages: int) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute(f"PRAGMA max_page_count = {pages}")

        await store._write(work)  # type: ignore[attr-defined]  # SQLite's own way to a full disk

    async def append_to_all(text: str) -> list[str]:
        results = await asyncio.gather(
            *(store.append(table, len(log), [text]) for table, log in logs.items()), return_exceptions=True
        )
        for log, result in zip(logs.values(), results, strict=True):
            if result is None:
                log.append(text)
        return [str(result) for result in results if result is not None]

    assert await append_to_all("a" * 500) == []
    await limit(60)
    failures = [failure for size in (2000, 3000, 20) for failure in await append_to_all("b" * size)]
    assert failures
    assert {failure.partition("games.db: ")[2] for failure in failures} == {"the disk is full: make room"}
    assert store.stats()["failures"] == len(failures)
    await limit(1_000_000)
    assert await append_to_all("c" * 500) == []
    for table, log in logs.items():
        assert await store.log(table) == log
    await store.close()


# What may lie at the path


def garbage(path: Path) -> None:
    path.write_bytes(b"this was never a database " * 100)


def torn(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + random.Random(1).randbytes(len(data) - 4096))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:9000])


def foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()


def newer(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (garbage, r"not a readable database \(.*\): restore a copy or choose another file$"),
        (torn, r"not a readable database \(.*\): restore a copy or choose another file$"),
        (cut, r"not a readable database \(.*\): restore a copy or choose another file$"),
        (foreign, r"a database of another program: choose another file$"),
        (newer, r"written by a newer croupier \(schema 99, this one knows \d+\): upgrade croupier or choose"),
        (folder, r"(a folder, expected a file|no such file)$"),
    ],
)
async def test_a_file_that_cannot_be_used_is_left_alone(
    tmp_path: Path, spoil: Callable[[Path], None], words: str, read_only: bool
) -> None:
    path = tmp_path / "games.db"
    store = await opened(path, 3)
    await store.append("t1", 0, [f"entry {number}" for number in range(2000)])
    await store.close()
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    for _ in range(2):  # the second time too: nothing stays locked
        with pytest.raises(StoreError, match=rf"games\.db: {words}") as caught:
            await open_store(path, read_only)
        assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else b"") == before


async def test_damage_found_later_is_told_and_the_store_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    store = await opened(path, 3)
    await store.append("t1", 0, [f"entry {number}" for number in range(20000)])
    await store.close()
    with path.open("r+b") as file:
        file.seek(-200_000, 2)
        file.write(b"\xff" * 100_000)
    monkeypatch.setattr("croupier.store.sqlite_file.CHECKED_BYTES", 0)  # as if the file were large
    store = await open_store(path)
    with pytest.raises(StoreError, match="not a readable database"):
        await store.log("t1")
    assert [row.id for row in await store.tables()] == ["t0", "t1", "t2"]
    await store.append("t0", 0, ["another table goes on"])
    await store.close()


async def test_a_path_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file: cannot be made a folder"):
        await open_store(tmp_path / "file" / "games.db")


async def test_the_schema_is_numbered_and_marked(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await (await open_store(path)).close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (len(sqlite_file._scripts()),)
    assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    db.close()


async def test_a_script_is_applied_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    first = sqlite_file._scripts()
    store = await opened(path, 1)
    await store.append("t0", 0, ["a"])
    await store.close()
    monkeypatch.setattr(
        sqlite_file, "_scripts", lambda: [*first, "CREATE TABLE medals (name TEXT); nonsense;"]
    )
    with pytest.raises(StoreError, match="nonsense"):
        await open_store(path)
    with pytest.raises(
        StoreError,
        match=rf"written by an older croupier \(schema {len(first)}\): start the server on it once",
    ):
        await open_store(path, read_only=True)
    monkeypatch.setattr(sqlite_file, "_scripts", lambda: [*first, "CREATE TABLE medals (name TEXT);"])
    store = await open_store(path)
    assert await store.log("t0") == ["a"]
    await store.close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (len(first) + 1,)
    db.close()


# Kills and full disks, in processes of their own


def killed_after(lines: int, path: Path, tables: int) -> list[str]:
    """Let the appender run until it has said *lines* lines, kill it, and return all that it said."""
    command = [sys.executable, APPENDER, str(path), str(tables)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        assert said[-1], "the appender ended by itself"
        process.kill()
        # What it had said before it died counts as well, but for half a line.
        said += process.stdout.readlines()
    return [line for line in said if line.endswith("\n")]


@pytest.mark.slow
async def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    acknowledged = {f"t{number}": -1 for number in range(8)}
    chance = random.Random(2)
    for _ in range(8):
        for line in await asyncio.to_thread(killed_after, chance.randrange(1, 200), path, len(acknowledged)):
            table, number = line.split()
            assert int(number) > acknowledged[table]
            acknowledged[table] = int(number)
        # A reader that comes before the next server sees all of it too.
        reader = await open_store(path, read_only=True)
        logs = {table: await reader.log(table) for table in acknowledged}
        await reader.close()
        store = await open_store(path)
        for table, last in acknowledged.items():
            log = await store.log(table)
            assert log == logs[table]
            assert [int(entry.partition(" ")[0]) for entry in log] == list(range(len(log)))
            # Both entries of an append or none, and at most the one append that was under way.
            assert len(log) % 2 == 0
            assert last < len(log) <= last + 3, f"{table}: {last} acknowledged, {len(log)} stored"
            acknowledged[table] = len(log) - 1
        await store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are not to be had there")
async def test_a_full_disk_fails_the_append_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, APPENDER, str(path), "1", "300000"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    failed, went_on = done.stdout.splitlines()
    assert "games.db: the disk" in failed
    store = await open_store(path)
    log = await store.log("t0")
    assert log[-1] == "room again"
    assert went_on == f"went on with {len(log) - 1}"
    await store.close()
