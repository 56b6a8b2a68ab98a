"""The SQLite store: durability, group commit, damage, locks."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from croupier.accounts.rows import AccountRow, SessionRow
from croupier.accounts.store import AccountStore
from croupier.store import Store, StoreError, open_store, sqlite_file
from croupier.store.sql import LAST_MATCHES, REPORTS, Reports, Request, SqlStore
from croupier.store.sqlite_file import APPLICATION
from tests.store.rows import table_row

APPENDER = str(Path(__file__).with_name("appender.py"))
OLD = Path(__file__).with_name("old.sql")


async def opened(path: Path, tables: int) -> Store:
    store = await open_store(path)
    for number in range(tables):
        await store.open_table(table_row(f"t{number}"))
    return store


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("read_only", [False, True])
async def test_a_file_of_0_bytes_is_not_taken_for_a_new_database(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"")
    with pytest.raises(StoreError, match=r"0 bytes, .*: restore a backup, or remove the file"):
        await open_store(path, read_only)
    assert path.stat().st_size == 0
    assert names(tmp_path) == ["games.db"]


async def test_a_clean_stop_leaves_one_file(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 1)
    await store.append("t0", 0, ["a"])
    await store.tables()
    await store.close()
    assert names(tmp_path) == ["games.db", "games.db.lock"]


async def test_what_one_commit_has_written_is_reported_in_parts_and_in_order(tmp_path: Path) -> None:
    # Otherwise the frames of all tables would need memory at the same time.
    loop = asyncio.get_running_loop()
    store = await opened(tmp_path / "games.db", 3 * REPORTS)
    ticks = 0
    all_told = asyncio.Event()
    told: list[tuple[int, int]] = []

    def tell(number: int, _: StoreError | None) -> None:
        told.append((number, ticks))
        if len(told) == 3 * REPORTS:
            all_told.set()

    def count() -> None:
        nonlocal ticks
        ticks += 1
        if len(told) < 3 * REPORTS:
            loop.call_soon(count)

    for number in range(3 * REPORTS):
        store.append_soon(f"t{number}", 0, ["a"], done=partial(tell, number))
    loop.call_soon(count)
    await all_told.wait()
    assert [number for number, _ in told] == list(range(3 * REPORTS))
    in_one = Counter(tick for _, tick in told)
    assert len(in_one) >= 3
    assert max(in_one.values()) <= REPORTS
    await store.close()


async def test_a_store_that_is_closed_does_not_wait_with_reports() -> None:
    told: list[StoreError | None] = []
    reports = Reports(asyncio.get_running_loop())
    reports.add([Request(told.append) for _ in range(3 * REPORTS)])
    assert len(told) == REPORTS
    reports.finish()
    assert told == [None] * 3 * REPORTS


async def test_commits_are_synchronous_with_a_write_ahead_log(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 1)
    found: list[object] = []

    def look(db: sqlite3.Connection) -> None:
        for name in ("journal_mode", "synchronous"):
            found.extend(db.execute(f"PRAGMA {name}").fetchone())

    await store.write(look)  # type: ignore[attr-defined]  # only the connection knows its settings
    assert found == ["wal", 2]  # 2 is FULL
    await store.close()


async def test_an_error_that_ends_the_transaction_fails_the_batch_and_leaves_nothing(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 3)
    await store.append("t0", 0, ["a"])

    def end(db: sqlite3.Connection) -> None:
        db.execute("ROLLBACK")
        raise sqlite3.OperationalError("simulated full disk")

    results = await asyncio.gather(
        store.append("t0", 1, ["b"]),
        store.write(end),  # type: ignore[attr-defined]
        store.append("t1", 0, ["a"]),
        return_exceptions=True,
    )
    assert [str(result).partition("OperationalError: ")[2] for result in results] == [
        "simulated full disk"
    ] * 3
    await asyncio.gather(store.append("t0", 1, ["c"]), store.append("t1", 0, ["d"]))
    assert await store.logs({"t0": 0, "t1": 0}) == {"t0": ["a", "c"], "t1": ["d"]}
    await store.close()


async def test_reading_creates_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"none\.db: no such file"):
        await open_store(tmp_path / "none.db", read_only=True)
    assert names(tmp_path) == []


async def test_a_batch_fails_on_a_full_disk_and_the_next_one_succeeds(tmp_path: Path) -> None:
    store = await opened(tmp_path / "games.db", 40)
    logs: dict[str, list[str]] = {f"t{number}": [] for number in range(40)}

    async def limit(pages: int) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute(f"PRAGMA max_page_count = {pages}")

        await store.write(work)  # type: ignore[attr-defined]  # simulates a full disk in SQLite

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
    assert {failure.partition("games.db: ")[2] for failure in failures} == {
        "the disk is full: free some space"
    }
    assert store.stats()["failures"] == len(failures)
    await limit(1_000_000)
    assert await append_to_all("c" * 500) == []
    for table, log in logs.items():
        assert await store.log(table) == log
    await store.close()


# Unusable files


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
        (garbage, r"not a readable database \(.*\): restore a backup or choose another file$"),
        (torn, r"not a readable database \(.*\): restore a backup or choose another file$"),
        (cut, r"not a readable database \(.*\): restore a backup or choose another file$"),
        (foreign, r"a database of another program: choose another file$"),
        (
            newer,
            r"written by a newer croupier \(schema 99, this version supports \d+\): upgrade croupier or",
        ),
        (folder, r"(a folder, expected a file|no such file)$"),
    ],
)
async def test_a_file_that_cannot_be_used_is_not_changed(
    tmp_path: Path, spoil: Callable[[Path], None], words: str, read_only: bool
) -> None:
    path = tmp_path / "games.db"
    store = await opened(path, 3)
    await store.append("t1", 0, [f"entry {number}" for number in range(2000)])
    await store.close()
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    for _ in range(2):  # twice: the first attempt leaves no lock
        with pytest.raises(StoreError, match=rf"games\.db: {words}") as caught:
            await open_store(path, read_only)
        assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else b"") == before


async def test_damage_found_later_is_reported_and_the_store_stays_open(
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
    logs = await store.logs({"t0": 0, "t1": 0, "t2": 0})
    assert isinstance(logs.pop("t1"), StoreError)
    assert logs == {"t0": ["another table goes on"], "t2": []}, "damage affects one table only"
    await store.close()


async def test_a_path_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file: cannot create the folder"):
        await open_store(tmp_path / "file" / "games.db")


async def test_the_schema_has_a_number_and_the_application_id(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await (await open_store(path)).close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (len(sqlite_file._scripts()),)
    assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    db.close()


async def test_a_script_is_applied_completely_or_not_at_all(
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


async def test_a_file_of_an_older_version_opens_with_the_same_contents(tmp_path: Path) -> None:
    """old.sql was written by version 3 of the schema and has two tables and two matches."""
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(OLD.read_text(encoding="utf-8"))
        lines = db.execute("SELECT entry FROM log WHERE table_key = 1 ORDER BY number").fetchall()
        assert db.execute("PRAGMA user_version").fetchone() == (3,)
        (account,) = db.execute("SELECT * FROM accounts")
        session = ("digest", account[0], "2026-11-01", "2026-11-02", False)
        db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", session)
        db.commit()
    store = await open_store(path)
    assert await store.last_matches() == {"t0": 5, "t1": 0}
    assert await store.log("t0") == [entry for (entry,) in lines]
    assert len(lines) == 8
    assert [row.id for row in await store.matches()] == ["t0-2", "t0-1"]
    await store.append("t0", 8, ["goes on"])
    assert await store.logs({"t0": 7, "t1": 0}) == {"t0": [lines[7][0], "goes on"], "t1": []}
    assert isinstance(store, SqlStore)
    people = AccountStore(store)
    assert await people.accounts() == [AccountRow(*account)]
    assert await people.sessions() == [SessionRow(*session)]
    await store.close()


async def test_the_last_match_of_a_table_is_found_with_an_index(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await (await open_store(path)).close()
    with closing(sqlite3.connect(path)) as db:
        plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {LAST_MATCHES}")]
    assert "SEARCH matches USING COVERING INDEX matches_of_table (table_id=?)" in plan
    assert not any(step.startswith("SCAN matches") for step in plan)


# Killed processes and full disks


def killed_after(lines: int, path: Path | str, tables: int) -> list[str]:
    """Let the appender run until it has printed *lines* lines, kill it, and return all its output."""
    command = [sys.executable, APPENDER, str(path), str(tables)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        assert said[-1], "the appender ended early"
        process.kill()
        # What it printed before it was killed counts as well, except an incomplete line.
        said += process.stdout.readlines()
    return [line for line in said if line.endswith("\n")]


@pytest.mark.slow
async def test_confirmed_entries_survive_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    acknowledged = {f"t{number}": -1 for number in range(8)}
    chance = random.Random(2)
    for _ in range(8):
        for line in await asyncio.to_thread(killed_after, chance.randrange(1, 200), path, len(acknowledged)):
            table, number = line.split()
            assert int(number) > acknowledged[table]
            acknowledged[table] = int(number)
        # A reader sees all of it even before the next server opens the file.
        reader = await open_store(path, read_only=True)
        logs = {table: await reader.log(table) for table in acknowledged}
        await reader.close()
        store = await open_store(path)
        for table, last in acknowledged.items():
            log = await store.log(table)
            assert log == logs[table]
            assert [int(entry.partition(" ")[0]) for entry in log] == list(range(len(log)))
            # Both entries of an append or none, and at most one append that was not confirmed.
            assert len(log) % 2 == 0
            assert last < len(log) <= last + 3, f"{table}: {last} confirmed, {len(log)} stored"
            acknowledged[table] = len(log) - 1
        await store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot limit file sizes")
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
    failed, continued = done.stdout.splitlines()
    assert "games.db: the disk" in failed
    store = await open_store(path)
    log = await store.log("t0")
    assert log[-1] == "space again"
    assert continued == f"continued with {len(log) - 1}"
    await store.close()


async def test_data_kept_before_days_of_use_were_stored_counts_as_used_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = sqlite_file._scripts()
    monkeypatch.setattr(sqlite_file, "_scripts", lambda: scripts[:2])
    path = tmp_path / "games.db"
    await (await open_store(path)).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO kept VALUES ('tarock', 'user 1', 'a')")
    monkeypatch.setattr(sqlite_file, "_scripts", lambda: scripts)
    store = await open_store(path)
    assert await store.kept("tarock") == {"user 1": "a"}
    assert await store.unused("tarock", "2020-01-01") == []
    assert await store.unused("tarock", "9999-01-01") == ["user 1"]
    await store.close()
