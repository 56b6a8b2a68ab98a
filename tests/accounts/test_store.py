"""Accounts, sessions, results and ratings in the database."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from croupier.accounts.rows import AccountRow, Rating, SessionRow, Tally
from croupier.accounts.store import AccountStore
from croupier.store import Store, StoreConflict, open_store
from croupier.store.api import PlayerRow
from croupier.store.sql import SqlStore
from croupier.store.sqlite import SqliteStore
from croupier.store.sqlite_file import copy
from tests.store.rows import match_row, table_row

ANNA = AccountRow("s1", "anna", "Anna", "hash 1", "2026-11-01T10:00:00Z")
BEA = AccountRow("s2", "bea1", "Bea 1", "hash 2", "2026-11-02T10:00:00Z")


@pytest_asyncio.fixture
async def store(database: str) -> AsyncIterator[SqlStore]:
    store = await open_store(database)
    assert isinstance(store, SqlStore)
    yield store
    await store.close()


@pytest.fixture
def people(store: SqlStore) -> AccountStore:
    return AccountStore(store)


async def play(
    store: Store, id: str, who: list[str], places: list[int] | None, ended: str, game: str = "hearts"
) -> None:
    """Store a finished match of *who*."""
    await store.open_table(table_row(id))
    row = replace(match_row(id), table=id, game=game)
    await store.append(
        id, 0, ["began"], [row], [PlayerRow(id, seat, one, game) for seat, one in enumerate(who)]
    )
    result = None if places is None else "[1, 2]"
    rows = [
        PlayerRow(id, seat, one, game, ended, None if places is None else places[seat])
        for seat, one in enumerate(who)
    ]
    await store.append(id, 1, ["ended"], [replace(row, ended=ended, result=result, last=1)], rows)


async def test_accounts_and_their_names(people: AccountStore) -> None:
    assert await people.accounts() == []
    await people.add_account(ANNA)
    await people.add_account(BEA)
    assert sorted(await people.accounts(), key=lambda row: row.id) == [ANNA, BEA]
    assert await people.account("s1") == ANNA
    assert await people.account("s9") is None
    with pytest.raises(StoreConflict, match="name 'ANNA': there is already an account with it"):
        await people.add_account(replace(BEA, id="s3", key="anna", name="ANNA"))
    await people.change_password("s1", "hash 3")
    assert await people.account("s1") == replace(ANNA, password="hash 3")


async def test_sessions(people: AccountStore) -> None:
    rows = [SessionRow(f"d{n}", f"s{n % 2 + 1}", "2026-01-01", "2026-01-01") for n in range(4)]
    for row in rows:
        await people.put_session(row)
    assert sorted(await people.sessions(), key=lambda row: row.digest) == rows
    assert {row.digest for row in await people.sessions("s1")} == {"d0", "d2"}
    await people.use_sessions(["d0", "d3", "unknown"], "2026-02-02")
    assert {row.digest for row in await people.sessions() if row.used == "2026-02-02"} == {"d0", "d3"}
    await people.forget_sessions(["d0", "d1", "unknown"])
    assert {row.digest for row in await people.sessions()} == {"d2", "d3"}


async def test_results_come_newest_first_page_by_page(store: SqlStore, people: AccountStore) -> None:
    for number in range(5):
        game = "tarock" if number == 2 else "hearts"
        await play(store, f"m{number}", ["s1", "bot random"], [1, 2], f"2026-11-0{number + 1}", game)
    await play(store, "m7", ["s2", ""], [2, 1], "2026-11-09")
    await store.open_table(table_row("t9"))
    running = PlayerRow("m9", 0, "s1", "hearts")
    await store.append("t9", 0, ["began"], [replace(match_row("m9"), table="t9")], [running])
    found = await people.results("s1", limit=2)
    assert [row.match for row in found] == ["m4", "m3"]
    assert (found[0].seat, found[0].place, found[0].scores, found[0].mu) == (0, 1, "[1, 2]", None)
    assert [row.match for row in await people.results("s1", before="m3")] == ["m2", "m1", "m0"]
    assert [row.match for row in await people.results("s1", game="tarock")] == ["m2"]
    assert await people.results("s1", before="nothing") == []
    assert await people.results("") == []
    assert await people.tally("") == []
    assert await people.tally("s1") == [Tally("hearts", 1, 4), Tally("tarock", 1, 1)]


async def test_an_aborted_match_is_counted_as_aborted(store: SqlStore, people: AccountStore) -> None:
    await play(store, "m1", ["s1", "s2"], None, "2026-11-01")
    await play(store, "m2", ["s1", "s2"], [2, 1], "2026-11-02")
    assert await people.tally("s1") == [Tally("hearts", 2, 1), Tally("hearts", None, 1)]
    assert [row.place for row in await people.results("s1")] == [2, None]
    assert [row.match for row in await people.unrated()] == ["m2", "m2"]


async def test_ratings_in_the_order_matches_end(store: SqlStore, people: AccountStore) -> None:
    await play(store, "m2", ["s1", "bot random"], [1, 2], "2026-11-02")
    await play(store, "m1", ["", "s1"], [1, 2], "2026-11-01")
    rows = await people.unrated()
    assert [(row.match, row.seat, row.who, row.place) for row in rows] == [
        ("m1", 0, "", 1),
        ("m1", 1, "s1", 2),
        ("m2", 0, "s1", 1),
        ("m2", 1, "bot random", 2),
    ]
    assert len(await people.unrated(limit=3)) == 3
    assert [row.match for row in await people.unrated("2026-11-02")] == ["m1", "m1"]
    await people.rate("hearts", "m1", ["", "s1"], {"s1": Rating(24.0, 8.0, 1)})
    assert [row.match for row in await people.unrated()] == ["m2", "m2"]
    assert await people.ratings("hearts", ["s1", "bot random"]) == {"s1": Rating(24.0, 8.0, 1)}
    assert await people.ratings("tarock", ["s1"]) == {}
    assert await people.ratings("hearts", []) == {}
    after = {"s1": Rating(26.0, 7.0, 2), "bot random": Rating(25.0, 2.0, 1)}
    await people.rate("hearts", "m2", ["s1", "bot random"], after)
    assert await people.unrated() == []
    assert await people.best("hearts") == [("bot random", after["bot random"]), ("s1", after["s1"])]
    assert len(await people.best("hearts", 1)) == 1
    assert await people.best("tarock") == []
    assert await people.best("hearts", bots=False) == [("s1", after["s1"])]
    assert [row.mu for row in await people.results("s1")] == [26.0, 24.0]
    assert [(one.mu, one.before) for one in await people.changes("m2")] == [(26.0, 24.0), (25.0, None)]
    assert [(one.mu, one.before) for one in await people.changes("m1")] == [(None, None), (24.0, None)]
    assert await people.changes("m3") == []


async def test_a_deleted_account_leaves_only_what_others_need(store: SqlStore, people: AccountStore) -> None:
    for row in (ANNA, BEA):
        await people.add_account(row)
        await people.put_session(SessionRow(f"d {row.id}", row.id, "2026", "2026"))
    await play(store, "m1", ["s1", "s2"], [1, 2], "2026-11-01")
    await people.rate("hearts", "m1", ["s1", "s2"], {"s1": Rating(26, 7, 1), "s2": Rating(24, 7, 1)})
    assert await people.accounts_in(["m1", "m2"]) == {"m1": {0: "Anna", 1: "Bea 1"}}
    assert await people.accounts_in([]) == {}
    await people.forget_account("s1")
    assert await people.accounts_in(["m1"]) == {"m1": {1: "Bea 1"}}
    assert await people.accounts() == [BEA]
    assert [row.account for row in await people.sessions()] == ["s2"]
    assert await people.results("s1") == []
    assert [who for who, _ in await people.best("hearts")] == ["s2"]
    [seen] = await people.results("s2")
    assert (seen.players, seen.place) == ('["ann", "bob"]', 2)
    match = await store.match("m1")
    assert match is not None
    assert match.players == '["ann", "bob"]'
    await people.add_account(replace(ANNA, id="s9"))


async def test_a_failed_append_puts_no_players(store: SqlStore, people: AccountStore) -> None:
    await store.open_table(table_row("t1"))
    with pytest.raises(StoreConflict):
        await store.append("t1", 7, ["x"], [match_row("m1")], [PlayerRow("m1", 0, "s1", "hearts", "2026", 1)])
    assert await people.unrated() == []


async def test_a_backup_has_the_accounts(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "games.db")
    people = AccountStore(store)
    await people.add_account(ANNA)
    await people.put_session(SessionRow("d1", "s1", "2026", "2026"))
    await play(store, "m1", ["s1", "bot random"], [1, 2], "2026-11-01")
    copy(tmp_path / "games.db", tmp_path / "backup.db")
    await store.close()
    backup = await SqliteStore.open(tmp_path / "backup.db", read_only=True)
    assert await AccountStore(backup).accounts() == [ANNA]
    assert [row.digest for row in await AccountStore(backup).sessions()] == ["d1"]
    assert [row.match for row in await AccountStore(backup).results("s1")] == ["m1"]
    await backup.close()


async def test_a_profile_is_an_indexed_query(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "games.db")
    await store.close()
    with closing(sqlite3.connect(tmp_path / "games.db")) as db:
        plans = [
            "SELECT * FROM players WHERE who = 's1' AND who <> '' AND ended IS NOT NULL ORDER BY ended DESC",
            "SELECT * FROM players WHERE place IS NOT NULL AND rated = 0 ORDER BY ended, match_id",
            "SELECT * FROM ratings WHERE game = 'x' ORDER BY mu - 1.96 * sigma DESC LIMIT 5",
        ]
        for sql in plans:
            steps = " ".join(row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}"))
            assert "INDEX" in steps, steps
            assert "SCAN players" not in steps or "USING INDEX players_unrated" in steps, steps
