"""The PostgreSQL store: owners, lost connections, faults of the database."""

from __future__ import annotations

import asyncio
import logging
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

import pytest

from croupier.store import Store, StoreError, open_store, postgres_database, postgres_writer
from croupier.store.api import NotOwner, StoreUnreachable
from croupier.store.postgres import PostgresStore
from croupier.testing.postgres import PASSWORD, PostgresServer
from tests.integration.proxy import Proxy
from tests.store.proxy import Cutter
from tests.store.rows import match_row, table_row
from tests.store.test_databases import opened
from tests.store.test_sqlite import killed_after


def name(url: str) -> str:
    return url.rpartition("/")[2]


async def abandon(store: Store) -> None:
    """Stop *store* as if its process were killed: it releases nothing."""
    assert isinstance(store, PostgresStore)
    writer = store._writer
    assert writer is not None
    writer._task.cancel()
    writer._timer.cancel()
    writer._drop()
    await store._pool.close()


async def test_commits_are_synchronous(postgres: str, postgres_server: PostgresServer) -> None:
    """Also if the database has another default, as this server does."""
    assert postgres_server.sql("SHOW synchronous_commit") == "off"
    store = await opened(postgres, 1)
    assert isinstance(store, PostgresStore)
    assert store._writer is not None
    assert await (await store._writer._connection()).fetchval("SHOW synchronous_commit") == "on"
    await store.close()


async def test_a_zero_character_fails_only_its_own_request(postgres: str) -> None:
    """SQLite stores it, PostgreSQL does not."""
    store = await opened(postgres, 2)
    results = await asyncio.gather(
        store.append("t0", 0, ["nothing: \0"]),
        store.append("t1", 0, ["good"]),
        store.keep("hearts", "bob", "\0"),
        store.keep("hearts", "ann", "good"),
        return_exceptions=True,
    )
    assert [isinstance(result, StoreError) for result in results] == [True, False, True, False]
    assert await store.logs({"t0": 0, "t1": 0}) == {"t0": [], "t1": ["good"]}
    assert await store.kept("hearts") == {"ann": "good"}
    await store.close()


# Owners


async def test_a_server_takes_over_when_the_lease_of_a_killed_one_has_expired(postgres: str) -> None:
    killed = await opened(postgres, 1)
    await killed.append("t0", 0, ["a"])
    await abandon(killed)
    store = await open_store(postgres)
    await store.append("t0", 1, ["b"])
    assert await store.log("t0") == ["a", "b"]
    await store.close()


@contextmanager
def stopped(store: Store) -> Iterator[None]:
    """Stop *store* from renewing its lease, as if its process were stopped."""
    assert isinstance(store, PostgresStore)
    assert store._writer is not None
    store._writer._timer.cancel()
    yield
    store._writer._tick()


async def test_a_server_that_was_replaced_writes_nothing_and_learns_it(postgres: str) -> None:
    old = await opened(postgres, 2)
    await old.append("t0", 0, ["a"])
    told: list[str] = []
    old.on_lost = lambda: told.append(str(old.lost))
    with stopped(old):
        new = await open_store(postgres)
    await new.append("t0", 1, ["b"])
    results = await asyncio.gather(
        old.append("t0", 1, ["stale"], [match_row("m1")]),
        old.append("t1", 0, ["stale"]),
        old.keep("hearts", "ann", "stale"),
        old.open_table(table_row("t9")),
        old.close_table("t1", "2026-11-15T21:00:00Z"),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [NotOwner] * 5
    assert len(told) == 1
    assert "another server has taken over" in told[0]
    assert await new.logs({"t0": 0, "t1": 0}) == {"t0": ["a", "b"], "t1": []}
    assert await new.matches() == []
    assert await new.kept("hearts") == {}
    assert [row.id for row in await new.tables()] == ["t0", "t1"]
    await old.close()
    await new.append("t0", 2, ["c"])
    await new.close()


async def test_an_append_that_waits_for_the_one_who_takes_over_writes_nothing(postgres: str) -> None:
    """The statement has begun, and read who owns the table, before the take-over is committed."""
    old = await opened(postgres, 1)
    await old.append("t0", 0, ["a"])
    other = await postgres_database.connect(postgres)
    with stopped(old):
        change = other.transaction()
        await change.start()
        await other.execute("DELETE FROM node")
        append = asyncio.create_task(old.append("t0", 1, ["stale"]))
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'mine'"
        while not await other.fetchval(waiting):  # noqa: ASYNC110  # the database has no event for it
            await asyncio.sleep(0.01)
        await other.execute("UPDATE thing SET owner = 0, epoch = epoch + 1")
        await change.commit()
        with pytest.raises(NotOwner):
            await append
    assert await old.log("t0") == ["a"]
    await other.close()
    await old.close()


async def test_a_table_that_has_another_owner_fails_alone(
    postgres: str, postgres_server: PostgresServer
) -> None:
    store = await opened(postgres, 20)
    await asyncio.gather(*(store.append(f"t{number}", 0, ["a"]) for number in range(20)))
    postgres_server.sql("UPDATE thing SET owner = 99, epoch = 2 WHERE name = 't7'", name(postgres))
    # A table that was given up and has come back with a new epoch has to be read again.
    postgres_server.sql("UPDATE thing SET epoch = 3 WHERE name = 't8'", name(postgres))
    results = await asyncio.gather(
        *(store.append(f"t{number}", 1, ["b"]) for number in range(20)), return_exceptions=True
    )
    assert [type(result) for result in results] == [NotOwner if n == 7 else type(None) for n in range(20)]
    assert str(results[7]) == "table t7 belongs to another server now"
    assert await store.logs({"t6": 0, "t7": 0, "t8": 0}) == {"t6": ["a", "b"], "t7": ["a"], "t8": ["a", "b"]}
    assert store.lost is None
    with pytest.raises(NotOwner, match="table t7 belongs to another server now"):
        await store.close_table("t7", "2026-11-15T21:00:00Z")
    assert len(await store.tables()) == 20
    await store.close()


# Lost connections


def through(proxy: Cutter | Proxy, url: str) -> str:
    return f"postgresql://owner@127.0.0.1:{proxy.port}/{name(url)}"


@pytest.mark.parametrize("deliver", [False, True])
async def test_an_append_in_doubt_is_written_exactly_once(
    postgres: str, postgres_server: PostgresServer, deliver: bool
) -> None:
    async with Cutter(postgres_server.port) as proxy:
        store = await opened(through(proxy, postgres), 2)
        await store.append("t0", 0, ["a"])
        proxy.cut_at(b"in doubt", deliver)
        await asyncio.gather(
            store.append("t0", 1, ["in doubt", "b"], [match_row("m1")]), store.append("t1", 0, ["x"])
        )
        await store.append("t0", 3, ["c"])
        assert proxy.cuts == 1
        assert await store.logs({"t0": 0, "t1": 0}) == {"t0": ["a", "in doubt", "b", "c"], "t1": ["x"]}
        assert await store.match("m1") == match_row("m1")
        assert store.stats()["failures"] == 0
        await store.close()


async def test_what_was_written_is_confirmed_although_the_connection_is_lost_later(
    postgres: str, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A faulty value makes the requests go one by one; then the database is unavailable for too long."""
    monkeypatch.setattr(postgres_writer, "PATIENCE", 0.3)
    async with Cutter(postgres_server.port) as proxy:
        store = await opened(through(proxy, postgres), 4)
        proxy.cut_at(b"too late", deliver=False, refuse=True)
        results = await asyncio.gather(
            store.append("t0", 0, ["stored"]),
            store.append("t1", 0, ["half a pair: \ud800"]),
            store.append("t2", 0, ["too late"]),
            store.append("t3", 0, ["later"]),
            return_exceptions=True,
        )
        assert [type(one) for one in results] == [
            type(None),
            StoreError,
            StoreUnreachable,
            StoreUnreachable,
        ]
        proxy.refuses = False
        assert await store.logs({f"t{number}": 0 for number in range(4)}) == {
            "t0": ["stored"],
            "t1": [],
            "t2": [],
            "t3": [],
        }
        await store.append("t2", 0, ["in time"])
        await store.close()


@pytest.mark.parametrize("deliver", [False, True])
@pytest.mark.parametrize("mark", [b"2026-11-15", b"COMMIT"])
async def test_a_change_in_doubt_is_carried_out_exactly_once(
    postgres: str, postgres_server: PostgresServer, mark: bytes, deliver: bool
) -> None:
    async with Cutter(postgres_server.port) as proxy:
        store = await opened(through(proxy, postgres), 1)
        proxy.cut_at(mark, deliver)
        results = await asyncio.gather(
            store.open_table(table_row("t1")), store.open_table(table_row("t0")), return_exceptions=True
        )
        assert [str(result) for result in results] == ["None", "table t0 is already in the store"]
        assert proxy.cuts == 1
        assert [row.id for row in await store.tables()] == ["t0", "t1"]
        await store.close()


async def test_writes_and_reads_wait_for_a_database_for_a_limited_time(
    postgres: str,
    postgres_server: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(postgres_writer, "PATIENCE", 0.5)
    async with Cutter(postgres_server.port) as proxy:
        store = await opened(through(proxy, postgres), 2)
        await store.append("t0", 0, ["a"])
        proxy.refuses = True
        proxy.cut_all()
        with caplog.at_level(logging.WARNING):
            results = await asyncio.gather(
                store.append("t0", 1, ["b"]), store.log("t0"), store.append("t0", 2, ["c"]),
                return_exceptions=True,
            )  # fmt: skip
        assert [type(result) for result in results] == [StoreUnreachable] * 3
        assert "cannot be reached" in str(results[0])
        assert "start PostgreSQL or correct the address" in str(results[0])
        assert "connection lost" in caplog.text
        proxy.refuses = False
        await store.append("t0", 1, ["d"])
        assert await store.log("t0") == ["a", "d"]
        await store.close()


@pytest.mark.parametrize("seed", range(4))
async def test_appends_over_a_bad_network_are_written_exactly_once(
    postgres: str, postgres_server: PostgresServer, seed: int
) -> None:
    async with Proxy(postgres_server.port, seed, (6_000, 60_000)).running() as proxy:
        store = await open_store(postgres)
        assert isinstance(store, PostgresStore)
        assert store._writer is not None
        store._writer._url = through(proxy, postgres)
        store._writer._drop()
        await asyncio.gather(*(store.open_table(table_row(f"t{number}")) for number in range(5)))

        async def play(table: str) -> None:
            for number in range(0, 200, 2):
                await store.append(table, number, [f"{number} " + "x" * 50, f"{number + 1} " + "y" * 50])

        await asyncio.gather(*(play(f"t{number}") for number in range(5)))
        assert proxy.cuts > 3
        for table in range(5):
            log = await store.log(f"t{table}")
            assert [int(entry.partition(" ")[0]) for entry in log] == list(range(200))
        assert store.stats()["failures"] == 0
        await store.close()


async def appended(store: Store, many: int) -> None:
    """Wait until *store* has confirmed *many* more appends."""
    end = store.stats()["appends"] + many
    while store.stats()["appends"] < end:  # noqa: ASYNC110  # a figure without an event
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGQUIT], ids=["stop", "crash"])
async def test_a_restart_of_the_database_under_load_loses_and_doubles_nothing(sign: signal.Signals) -> None:
    server = PostgresServer("fsync=off")  # the machine does not fail, only PostgreSQL
    try:
        store = await opened(server.new(), 20)
        until = asyncio.get_running_loop().create_future()

        async def play(table: str) -> int:
            number = 0
            while not until.done():
                await store.append(table, number, [f"{table} {number}", f"{table} {number + 1}"])
                number += 2
            return number

        players = [asyncio.create_task(play(f"t{number}")) for number in range(20)]
        await appended(store, 200)
        for _ in range(2):
            await asyncio.to_thread(server.end, sign)
            await asyncio.to_thread(server.start)
            await appended(store, 200)
        until.set_result(None)
        lengths = await asyncio.gather(*players)
        logs = await store.logs({f"t{number}": 0 for number in range(20)})
        assert logs == {
            f"t{table}": [f"t{table} {number}" for number in range(length)]
            for table, length in enumerate(lengths)
        }
        assert store.stats()["failures"] == 0
        await store.close()
    finally:
        server.remove()


async def test_a_full_disk_fails_the_append_and_nothing_else() -> None:
    # Not a multiple of the block size: then PostgreSQL reports a full disk.
    server = PostgresServer("fsync=off", limit=(17 << 20) + 4096)
    try:
        store = await opened(server.new(), 1)
        number = 0
        lines = ["".join(random.choices("abcdefgh", k=1500)) for _ in range(500)]
        try:
            while True:
                await store.append("t0", number, lines)
                number += len(lines)
        except StoreError as error:
            words = str(error)
        assert words.endswith("the disk of the database is full, free some space")
        assert "\n" not in words
        assert len(await store.log("t0")) == number
        # There is still space for a short one.
        await store.append("t0", number, ["short"])
        assert (await store.log("t0", number)) == ["short"]
        await store.close()
    finally:
        server.remove()


# Databases that cannot be used


def refused(where: str, read_only: bool = False) -> str:
    async def attempt() -> None:
        await (await open_store(where, read_only)).close()

    with pytest.raises(StoreError) as caught:
        asyncio.run(attempt())
    words = str(caught.value)
    assert "\n" not in words
    assert PASSWORD not in words
    assert quote(PASSWORD, safe="") not in words
    return words


@pytest.mark.parametrize("read_only", [False, True])
def test_a_database_that_cannot_be_used_is_refused_in_one_line(
    postgres_server: PostgresServer, read_only: bool
) -> None:
    server, port = postgres_server, postgres_server.port
    at = f"127.0.0.1:{port}"
    password = quote(PASSWORD, safe="")
    suffix = "r" if read_only else "w"
    anna = f"anna_{suffix}"
    server.sql(f"CREATE USER {anna} PASSWORD '{PASSWORD}'")
    server.sql(f"CREATE DATABASE own_{suffix} TEMPLATE template0 OWNER {anna}")
    found = {
        what: refused(url, read_only)
        for what, url in {
            "port": f"postgresql://{anna}:{password}@127.0.0.1:1/ready",
            "host": f"postgresql://{anna}:{password}@nowhere.invalid/ready",
            "password": f"postgresql://{anna}:wrong@{at}/ready",
            "none": f"postgresql://{anna}@{at}/ready",
            "user": f"postgresql://bob:{password}@{at}/ready",
            "database": f"postgresql://{anna}:{password}@{at}/missing",
            "unquoted": f"postgresql://{anna}:{PASSWORD}@{at}/ready",
            "address": f"postgresql://{anna}:{password}@{at}x/ready",
        }.items()
    }
    assert found["port"].startswith(f"postgresql://{anna}@127.0.0.1:1/ready: cannot be reached (")
    assert found["host"].startswith(f"postgresql://{anna}@nowhere.invalid/ready: cannot be reached (")
    for what in ("password", "none", "user"):
        assert "PostgreSQL refuses the user (" in found[what], what
        assert found[what].endswith("): correct the user or the password")
    assert found["database"].endswith('database "missing" does not exist: create it with createdb')
    for what in ("unquoted", "address"):
        assert found[what].startswith("postgresql://…: not a valid address: expected postgresql://USER:")
    if not read_only:
        server.sql(f"CREATE DATABASE theirs_{suffix} TEMPLATE template0")
        words = refused(f"postgresql://{anna}:{password}@{at}/theirs_{suffix}")
        assert words.endswith("permission denied for schema public: let the user create tables there")

        async def works() -> None:
            await (await open_store(f"postgresql://{anna}:{password}@{at}/own_{suffix}")).close()

        asyncio.run(works())


@pytest.mark.parametrize("read_only", [False, True])
def test_a_database_of_another_program_or_version_is_not_changed(
    postgres_server: PostgresServer, read_only: bool
) -> None:
    server = postgres_server
    foreign = server.new()
    server.sql("CREATE TABLE recipes (name TEXT)", name(foreign))
    assert refused(foreign, read_only).endswith(": a database of another program: choose another database")
    newer = server.new("ready")
    server.sql("UPDATE croupier SET schema = 99", name(newer))
    assert "written by a newer croupier (schema 99, this version supports" in refused(newer, read_only)
    server.sql(f"CREATE DATABASE latin_{read_only} TEMPLATE template0 ENCODING latin1 LOCALE 'C'")
    words = refused(server.url(f"latin_{read_only}".lower()), read_only)
    assert words.endswith("encoding LATIN1, expected UTF8: create it with createdb -E UTF8")
    assert server.sql("SELECT to_regclass('croupier') IS NULL", name(foreign)) == "t"
    if read_only:
        assert refused(server.new(), True).endswith("an empty database: start the server on it once")


async def test_the_schema_is_migrated_completely_or_not_at_all(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = postgres_database._scripts()
    store = await opened(postgres, 1)
    await store.append("t0", 0, ["a"])
    await store.close()
    good = "CREATE TABLE medals (name TEXT);"
    monkeypatch.setattr(postgres_database, "_scripts", lambda: [*first, good, "nonsense;"])
    with pytest.raises(StoreError, match="nonsense"):
        await open_store(postgres)
    with pytest.raises(StoreError, match=rf"older croupier \(schema {len(first)}\): start the server on it"):
        await open_store(postgres, read_only=True)
    monkeypatch.setattr(postgres_database, "_scripts", lambda: [*first, good])
    store = await open_store(postgres)
    assert await store.log("t0") == ["a"]
    await store.append("t0", 1, ["b"])
    await store.close()
    monkeypatch.setattr(postgres_database, "_scripts", lambda: first)
    with pytest.raises(StoreError, match="written by a newer croupier"):
        await open_store(postgres)


async def test_a_running_server_is_not_migrated_by_a_newer_one(
    postgres: str, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await opened(postgres, 1)
    scripts = [*postgres_database._scripts(), "DROP TABLE log;"]
    monkeypatch.setattr(postgres_database, "_scripts", lambda: scripts)
    with pytest.raises(StoreError, match="in use by another server"):
        await open_store(postgres)
    await store.append("t0", 0, ["a"])
    await store.close()


# Killed processes


async def test_confirmed_entries_survive_kill_9(postgres: str) -> None:
    acknowledged = {f"t{number}": -1 for number in range(8)}
    chance = random.Random(2)
    for _ in range(3):
        many = chance.randrange(1, 200)
        for line in await asyncio.to_thread(killed_after, many, postgres, len(acknowledged)):
            table, number = line.split()
            assert int(number) > acknowledged[table]
            acknowledged[table] = int(number)
        reader = await open_store(postgres, read_only=True)
        for table, last in acknowledged.items():
            log = await reader.log(table)
            assert [int(entry.partition(" ")[0]) for entry in log] == list(range(len(log)))
            # Both entries of an append or none, and at most one append that was not confirmed.
            assert len(log) % 2 == 0
            assert last < len(log) <= last + 3, f"{table}: {last} confirmed, {len(log)} stored"
            acknowledged[table] = len(log) - 1
        await reader.close()
