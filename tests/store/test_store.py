"""What every store promises, on each of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from croupier.store import Store, StoreConflict, StoreError, TableRow, open_store
from tests.store.rows import match_row, table_row


@pytest_asyncio.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    where = "memory:" if request.param == "memory" else str(tmp_path / "games.db")
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
    with pytest.raises(StoreConflict, match=f"table t1: entry {number} offered, 2 is due"):
        await store.append("t1", number, ["c"], [match_row("m1")])
    assert await store.log("t1") == ["a", "b"]
    assert await store.match("m1") is None
    await store.append("t1", 2, ["c"])
    assert await store.log("t1") == ["a", "b", "c"]


async def test_every_table_counts_for_itself(store: Store) -> None:
    for name in ("t1", "t2"):
        await store.open_table(table_row(name))
    await store.append("t1", 0, ["one"])
    await store.append("t2", 0, ["two"])
    await store.append("t1", 1, ["three"])
    assert await store.log("t1") == ["one", "three"]
    assert await store.log("t2") == ["two"]


async def test_a_table_must_be_known_and_new_ones_have_new_names(store: Store) -> None:
    with pytest.raises(StoreConflict, match="table t1 is not in the store"):
        await store.append("t1", 0, ["a"])
    with pytest.raises(StoreConflict, match="not in the store"):
        await store.update_config("t1", "{}")
    with pytest.raises(StoreConflict, match="not in the store"):
        await store.close_table("t1", "2026-11-15T21:00:00Z")
    await store.open_table(table_row("t1"))
    with pytest.raises(StoreConflict, match="table t1 is in the store already"):
        await store.open_table(replace(table_row("t1"), config="other"))
    assert await store.table("t1") == table_row("t1")


async def test_tables_come_in_the_order_they_were_opened_until_they_close(store: Store) -> None:
    for name in ("z", "a", "m"):
        await store.open_table(table_row(name))
    await store.append("a", 0, ["entry"])
    await store.update_config("z", '{"seats": 4}')
    await store.close_table("a", "2026-11-15T21:00:00Z")
    assert await store.tables() == [replace(table_row("z"), config='{"seats": 4}'), table_row("m")]
    assert await store.tables(open_only=False) == [
        replace(table_row("z"), config='{"seats": 4}'),
        replace(table_row("a"), closed="2026-11-15T21:00:00Z"),
        table_row("m"),
    ]
    with pytest.raises(StoreConflict, match="table a is closed"):
        await store.append("a", 1, ["late"])
    assert await store.log("a") == ["entry"]


async def test_a_match_is_put_with_its_entries_and_changed_with_later_ones(store: Store) -> None:
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
    assert await store.matches(limit=0) == []
    assert await store.matches(limit=-1) == []


async def test_matches_are_found_by_game_and_by_having_ended(store: Store) -> None:
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


async def test_a_conflict_hurts_nobody_else(store: Store) -> None:
    for number in range(20):
        await store.open_table(table_row(f"t{number}"))
    results = await asyncio.gather(
        *(store.append(f"t{number}", number % 2, [f"entry of {number}"]) for number in range(20)),
        return_exceptions=True,
    )
    for number, result in enumerate(results):
        if number % 2:
            assert isinstance(result, StoreConflict)
            assert await store.log(f"t{number}") == []
        else:
            assert result is None
            assert await store.log(f"t{number}") == [f"entry of {number}"]
    assert store.stats()["failures"] == 10


async def test_the_caller_may_reuse_its_list(store: Store) -> None:
    await store.open_table(table_row("t1"))
    entries = ["a"]
    task = asyncio.create_task(store.append("t1", 0, entries))
    await asyncio.sleep(0)
    entries[0] = "b"
    await task
    assert await store.log("t1") == ["a"]


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    await store.close()
    for call in (
        store.open_table(table_row("t1")),
        store.append("t1", 0, ["a"]),
        store.tables(),
        store.match("m"),
    ):
        with pytest.raises(StoreError, match="the store is closed"):
            await call


async def test_rows_are_values() -> None:
    assert table_row("t1") == TableRow("t1", "hearts", "{}", "2026-11-15T20:31:26Z", None)


async def test_other_addresses_are_refused() -> None:
    with pytest.raises(StoreError, match=r"store postgres://: expected memory: or the path of a file"):
        await open_store("postgres://localhost/croupier")
