"""The interface of a store, tested on every implementation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from croupier.store import Store, StoreConflict, StoreError, TableRow, open_store
from croupier.store.api import Done
from croupier.testing.store import FaultyStore
from tests.store.rows import match_row, table_row


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres"))
    return "memory:" if request.param == "memory" else str(tmp_path / "games.db")


@pytest_asyncio.fixture
async def store(where: str) -> AsyncIterator[Store]:
    store = await open_store(where)
    yield store
    await store.close()


async def test_a_new_store_is_empty(store: Store) -> None:
    assert await store.tables() == []
    assert await store.table("t1") is None
    assert await store.log("t1") == []
    assert await store.matches() == []
    assert await store.match("m1") is None


async def test_entries_come_back_in_order(store: Store) -> None:
    await store.open_table(table_row("t1"))
    await store.append("t1", 0, ["match m1", "draw AS 2C"])
    await store.append("t1", 2, [])
    await store.append("t1", 2, ["1 play 2C", "player 0 Zoë 👩‍👧"])
    assert await store.log("t1") == ["match m1", "draw AS 2C", "1 play 2C", "player 0 Zoë 👩‍👧"]
    assert await store.log("t1", 2) == ["1 play 2C", "player 0 Zoë 👩‍👧"]
    assert await store.log("t1", 1, 2) == ["draw AS 2C", "1 play 2C"]
    assert await store.log("t1", 4) == []
    assert await store.log("t1", 0, -1) == []
    assert await store.log("t1", -5, 0) == ["match m1"]


@pytest.mark.parametrize("number", [-1, 0, 1, 3, 100])
async def test_a_wrong_number_writes_nothing(store: Store, number: int) -> None:
    await store.open_table(table_row("t1"))
    await store.append("t1", 0, ["a", "b"])
    with pytest.raises(StoreConflict, match=f"table t1: entry {number} given, expected 2"):
        await store.append("t1", number, ["c"], [match_row("m1")])
    assert await store.log("t1") == ["a", "b"]
    assert await store.match("m1") is None
    await store.append("t1", 2, ["c"])
    assert await store.log("t1") == ["a", "b", "c"]


async def test_every_table_has_its_own_numbers(store: Store) -> None:
    for name in ("t1", "t2"):
        await store.open_table(table_row(name))
    await store.append("t1", 0, ["one"])
    await store.append("t2", 0, ["two"])
    await store.append("t1", 1, ["three"])
    assert await store.log("t1") == ["one", "three"]
    assert await store.log("t2") == ["two"]


async def test_unknown_tables_and_taken_ids_are_refused(store: Store) -> None:
    with pytest.raises(StoreConflict, match="table t1 is not in the store"):
        await store.append("t1", 0, ["a"])
    with pytest.raises(StoreConflict, match="not in the store"):
        await store.close_table("t1", "2026-11-15T21:00:00Z")
    await store.open_table(table_row("t1"))
    with pytest.raises(StoreConflict, match="table t1 is already in the store"):
        await store.open_table(replace(table_row("t1"), config="other"))
    assert await store.table("t1") == table_row("t1")


async def test_tables_are_listed_in_the_order_of_opening_until_they_close(store: Store) -> None:
    for name in ("z", "a", "m"):
        await store.open_table(table_row(name))
    await store.append("a", 0, ["entry"])
    await store.close_table("a", "2026-11-15T21:00:00Z")
    assert await store.tables() == [table_row("z"), table_row("m")]
    assert await store.tables(open_only=False) == [
        table_row("z"),
        replace(table_row("a"), closed="2026-11-15T21:00:00Z"),
        table_row("m"),
    ]
    with pytest.raises(StoreConflict, match="table a is closed"):
        await store.append("a", 1, ["late"])
    assert await store.log("a") == ["entry"]


async def test_a_match_is_stored_with_its_entries_and_updated_with_later_ones(store: Store) -> None:
    await store.open_table(table_row("t1"))
    begun = match_row("m1")
    await store.append("t1", 0, ["a"], [begun])
    assert await store.match("m1") == begun
    ended = replace(begun, ended="2026-11-15T21:00:00Z", result="[1, -1]", last=1)
    other = match_row("m2", started="2026-11-15T21:00:01Z", first=2)
    await store.append("t1", 1, ["b"], [ended, other])
    assert await store.match("m1") == ended
    assert await store.match("m2") == other


async def test_matches_are_listed_newest_first_in_pages(store: Store) -> None:
    await store.open_table(table_row("t1"))
    # Three started in the same second: their ids decide.
    rows = [match_row(f"m{number}", started=f"2026-11-15T20:00:0{min(number, 4)}Z") for number in range(7)]
    await store.append("t1", 0, [], rows[::-1])
    newest = [row.id for row in await store.matches()]
    assert newest == ["m6", "m5", "m4", "m3", "m2", "m1", "m0"]
    pages: list[str] = []
    before: str | None = None
    while page := await store.matches(limit=2, before=before):
        assert len(page) <= 2
        pages += [row.id for row in page]
        before = page[-1].id
    assert pages == newest
    assert await store.matches(before="nobody") == []


async def test_matches_of_private_tables_are_not_listed(store: Store) -> None:
    for name, config in (("t1", '{"private":true}'), ("t2", "{}")):
        await store.open_table(replace(table_row(name), config=config))
        await store.append(name, 0, ["{}"], [replace(match_row(f"{name}-1"), table=name)])
    assert [row.id for row in await store.matches()] == ["t2-1", "t1-1"]
    assert [row.id for row in await store.matches(listed=True)] == ["t2-1"]
    assert await store.matches(limit=0) == []
    assert await store.matches(limit=-1) == []


async def test_matches_are_filtered_by_game_and_by_having_ended(store: Store) -> None:
    await store.open_table(table_row("t1"))
    running = match_row("m1")
    ended = replace(match_row("m2"), ended="2026-11-15T21:00:00Z", result="[]", last=3)
    foreign = replace(match_row("m3"), game="toy")
    await store.append("t1", 0, [], [running, ended, foreign])
    assert await store.matches(game="hearts", ended=True) == [ended]
    assert await store.matches(game="hearts", ended=False) == [running]
    assert await store.matches(ended=False) == [foreign, running]
    assert await store.matches(game="toy") == [foreign]
    assert await store.matches(game="chess") == []


async def test_many_tables_append_at_once(store: Store) -> None:
    names = [f"t{number}" for number in range(60)]

    async def play(name: str) -> None:
        await store.open_table(table_row(name))
        for number in range(0, 20, 2):
            await store.append(name, number, [f"{name} {number}", f"{name} {number + 1}"])

    await asyncio.gather(*(play(name) for name in names))
    for name in names:
        assert await store.log(name) == [f"{name} {number}" for number in range(20)]
    stats = store.stats()
    assert stats["appends"] == 600
    assert stats["rows"] == 1200
    assert stats["queue"] == 0
    assert stats["failures"] == 0


async def test_a_table_may_queue_appends_without_waiting(store: Store) -> None:
    await store.open_table(table_row("t1"))
    await asyncio.gather(*(store.append("t1", number, [str(number)]) for number in range(50)))
    assert await store.log("t1") == [str(number) for number in range(50)]


async def test_a_conflict_fails_only_its_own_request(store: Store) -> None:
    for number in range(20):
        await store.open_table(table_row(f"t{number}"))
    results = await asyncio.gather(
        *(store.append(f"t{number}", number % 2, [f"entry of {number}"]) for number in range(20)),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), StoreConflict] * 10
    for number in range(20):
        assert await store.log(f"t{number}") == [f"entry of {number}"] * (1 - number % 2)
    assert store.stats()["failures"] == 10


def noting(told: list[str], name: str) -> Done:
    """Return a callback that records the outcome of the append *name*."""

    def done(error: StoreError | None) -> None:
        told.append(name if error is None else f"{name}: {error}")

    return done


async def test_an_append_with_a_callback_is_confirmed_later_and_in_order(store: Store) -> None:
    for name in ("t1", "t2"):
        await store.open_table(table_row(name))
    told: list[str] = []
    last: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    store.append_soon("t1", 0, ["a"], [match_row("m1")], done=noting(told, "first"))
    store.append_soon("t2", 5, ["x"], [match_row("m2")], done=noting(told, "second"))
    store.append_soon("t1", 1, ["b", "c"], done=noting(told, "third"))
    store.append_soon("t1", 3, ["d"], done=lambda _: last.set_result(None))
    assert told == [], "nothing is confirmed before it is stored"
    assert store.stats()["queue"] == 4
    await last
    assert told == ["first", "second: table t2: entry 5 given, expected 0", "third"]
    assert await store.log("t1") == ["a", "b", "c", "d"]
    assert await store.log("t2") == []
    assert await store.match("m1") == match_row("m1")
    assert await store.match("m2") is None
    assert store.stats()["queue"] == 0


async def test_appends_and_other_writes_keep_their_order(store: Store) -> None:
    told: list[str] = []
    opening = asyncio.create_task(store.open_table(table_row("t1")))
    await asyncio.sleep(0)  # it is queued now
    store.append_soon("t1", 0, ["a"], done=noting(told, "first"))
    closing = asyncio.create_task(store.close_table("t1", "2026-11-15T21:00:00Z"))
    await asyncio.sleep(0)
    store.append_soon("t1", 1, ["b"], done=noting(told, "second"))
    await asyncio.gather(opening, closing)
    with pytest.raises(StoreConflict, match="table t1 is closed"):
        await store.append("t1", 1, ["c"])
    assert told == ["first", "second: table t1 is closed: its log accepts no more entries"]
    assert await store.log("t1") == ["a"]


async def test_the_other_callbacks_are_called_after_one_that_fails(store: Store) -> None:
    reported: list[str] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: reported.append(str(context["exception"])))

    def fail(error: StoreError | None) -> None:
        raise RuntimeError("a bug of the caller")

    await store.open_table(table_row("t1"))
    store.append_soon("t1", 0, ["a"], done=fail)
    await store.append("t1", 1, ["b"])
    assert reported == ["a bug of the caller"]
    assert await store.log("t1") == ["a", "b"]


async def test_closing_confirms_what_was_submitted(store: Store) -> None:
    await store.open_table(table_row("t1"))
    told: list[str] = []
    store.append_soon("t1", 0, ["a"], done=noting(told, "before"))
    await store.close()
    assert told == ["before"]
    store.append_soon("t1", 1, ["b"], done=noting(told, "after"))
    assert told == ["before"], "a refusal is reported later, too"
    await asyncio.sleep(0)
    assert told == ["before", "after: the store is closed"]


async def test_cancelling_the_wait_does_not_undo_an_append(store: Store) -> None:
    await store.open_table(table_row("t1"))
    task = asyncio.create_task(store.append("t1", 0, ["a"]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await store.append("t1", 1, ["b"])
    assert await store.log("t1") == ["a", "b"]


async def test_the_last_match_of_every_open_table_is_found(store: Store) -> None:
    assert await store.last_matches() == {}
    for name in ("z", "a", "new", "gone"):
        await store.open_table(table_row(name))
    for table, firsts in (("z", [3]), ("a", [1, 40, 7]), ("gone", [2])):
        rows = [replace(match_row(f"{table}-{first}", first=first), table=table) for first in firsts]
        await store.append(table, 0, [], rows)
    await store.close_table("gone", "2026-11-15T21:00:00Z")
    found = await store.last_matches()
    assert list(found.items()) == [("z", 3), ("a", 40), ("new", 0)]


async def test_many_logs_are_read_at_once(store: Store) -> None:
    names = [f"t{number}" for number in range(300)]
    await asyncio.gather(*(store.open_table(table_row(name)) for name in names))
    await asyncio.gather(*(store.append(name, 0, [f"{name} {line}" for line in range(12)]) for name in names))
    firsts = {name: number % 14 for number, name in enumerate(names)}
    assert await store.logs(firsts | {"unknown": 0}) == {
        **{name: [f"{name} {line}" for line in range(first, 12)] for name, first in firsts.items()},
        "unknown": [],
    }
    assert await store.logs({}) == {}


async def test_the_caller_may_reuse_its_list(store: Store) -> None:
    await store.open_table(table_row("t1"))
    entries = ["a"]
    task = asyncio.create_task(store.append("t1", 0, entries))
    await asyncio.sleep(0)
    entries[0] = "b"
    await task
    assert await store.log("t1") == ["a"]


async def test_a_closed_store_refuses_every_call(store: Store) -> None:
    await store.close()
    await store.close()
    for call in (
        store.open_table(table_row("t1")),
        store.append("t1", 0, ["a"]),
        store.tables(),
        store.match("m"),
        store.last_matches(),
        store.logs({"t1": 0}),
    ):
        with pytest.raises(StoreError, match="the store is closed"):
            await call


async def test_a_faulty_store_stalls_and_fails_on_request() -> None:
    store = FaultyStore()
    await store.open_table(table_row("t1"))
    told: list[str] = []
    store.hold()
    store.append_soon("t1", 0, ["a"], done=noting(told, "first"))
    for _ in range(10):
        await asyncio.sleep(0)
    assert (told, await store.log("t1"), store.stats()["queue"]) == ([], [], 1)
    store.release()
    store.fail_append("t1", after=1)
    store.append_soon("t1", 1, ["b"], done=noting(told, "second"))
    await store.append("t1", 1, ["b"])
    assert told == ["first", "second: disk full"]
    assert store.failed == [("b",)]
    assert await store.log("t1") == ["a", "b"]


async def test_rows_are_values() -> None:
    assert table_row("t1") == TableRow("t1", "hearts", "{}", "2026-11-15T20:31:26Z", None)


async def test_other_addresses_are_refused() -> None:
    with pytest.raises(StoreError, match=r"store mysql://: expected postgresql://, memory: or the path"):
        await open_store("mysql://localhost/croupier")


async def test_unused_data_is_found(store: Store) -> None:
    await store.keep("tarock", "user 1", "a")
    await store.keep("tarock", "user 2", "b")
    await store.keep("taroky", "user 3", "c")
    assert await store.unused("tarock", "2020-01-01") == []
    assert sorted(await store.unused("tarock", "9999-01-01")) == ["user 1", "user 2"]
    await store.use("tarock", ["user 1", "nobody"])
    await store.keep("tarock", "user 2", None)
    assert await store.unused("tarock", "9999-01-01") == ["user 1"]
    assert await store.kept("tarock") == {"user 1": "a"}
