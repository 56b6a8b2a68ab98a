"""What every store promises about people, on each of them."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from croupier.store import Store, StoreConflict, open_store
from croupier.store.people import AccountRow, PlayerRow, Rating, SessionRow, Tally
from croupier.store.sqlite_file import copy
from tests.store.rows import match_row, table_row

ANNA = AccountRow("s1", "anna", "Anna", "hash 1", "2026-11-01T10:00:00Z")
BEA = AccountRow("s2", "bea1", "Bea 1", "hash 2", "2026-11-02T10:00:00Z")


@pytest_asyncio.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    where = "memory:" if request.param == "memory" else str(tmp_path / "games.db")
    store = await open_store(where)
    yield store
    await store.close()


async def play(
    store: Store, id: str, who: list[str], places: list[int] | None, ended: str, game: str = "hearts"
) -> None:
    """Store a match of *who*, which has ended."""
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


async def test_accounts_and_their_names(store: Store) -> None:
    assert await store.accounts() == []
    await store.add_account(ANNA)
    await store.add_account(BEA)
    assert sorted(await store.accounts(), key=lambda row: row.seal) == [ANNA, BEA]
    assert await store.account("s1") == ANNA
    assert await store.account("s9") is None
    with pytest.raises(StoreConflict, match="name 'ANNA': an account has it already"):
        await store.add_account(replace(BEA, seal="s3", key="anna", name="ANNA"))
    await store.change_password("s1", "hash 3")
    assert await store.account("s1") == replace(ANNA, password="hash 3")


async def test_sessions(store: Store) -> None:
    rows = [SessionRow(f"d{n}", f"s{n % 2 + 1}", "2026-01-01", "2026-01-01") for n in range(4)]
    for row in rows:
        await store.put_session(row)
    assert sorted(await store.sessions(), key=lambda row: row.digest) == rows
    assert {row.digest for row in await store.sessions("s1")} == {"d0", "d2"}
    await store.use_sessions(["d0", "d3", "unknown"], "2026-02-02")
    assert {row.digest for row in await store.sessions() if row.used == "2026-02-02"} == {"d0", "d3"}
    await store.forget_sessions(["d0", "d1", "unknown"])
    assert {row.digest for row in await store.sessions()} == {"d2", "d3"}


async def test_results_come_newest_first_page_by_page(store: Store) -> None:
    for number in range(5):
        game = "tarock" if number == 2 else "hearts"
        await play(store, f"m{number}", ["s1", "bot random"], [1, 2], f"2026-11-0{number + 1}", game)
    await play(store, "m7", ["s2", ""], [2, 1], "2026-11-09")
    await store.open_table(table_row("t9"))
    running = PlayerRow("m9", 0, "s1", "hearts")
    await store.append("t9", 0, ["began"], [replace(match_row("m9"), table="t9")], [running])
    found = await store.results("s1", limit=2)
    assert [row.match for row in found] == ["m4", "m3"]
    assert (found[0].seat, found[0].place, found[0].scores, found[0].mu) == (0, 1, "[1, 2]", None)
    assert [row.match for row in await store.results("s1", before="m3")] == ["m2", "m1", "m0"]
    assert [row.match for row in await store.results("s1", game="tarock")] == ["m2"]
    assert await store.results("s1", before="nothing") == []
    assert await store.results("") == []
    assert await store.tally("") == []
    assert await store.tally("s1") == [Tally("hearts", 1, 4), Tally("tarock", 1, 1)]


async def test_a_match_that_was_broken_off_counts_as_that(store: Store) -> None:
    await play(store, "m1", ["s1", "s2"], None, "2026-11-01")
    await play(store, "m2", ["s1", "s2"], [2, 1], "2026-11-02")
    assert await store.tally("s1") == [Tally("hearts", 2, 1), Tally("hearts", None, 1)]
    assert [row.place for row in await store.results("s1")] == [2, None]
    assert [row.match for row in await store.unrated()] == ["m2", "m2"]


async def test_ratings_in_the_order_matches_end(store: Store) -> None:
    await play(store, "m2", ["s1", "bot random"], [1, 2], "2026-11-02")
    await play(store, "m1", ["", "s1"], [1, 2], "2026-11-01")
    rows = await store.unrated()
    assert [(row.match, row.seat, row.who, row.place) for row in rows] == [
        ("m1", 0, "", 1),
        ("m1", 1, "s1", 2),
        ("m2", 0, "s1", 1),
        ("m2", 1, "bot random", 2),
    ]
    assert len(await store.unrated(limit=3)) == 3
    assert [row.match for row in await store.unrated("2026-11-02")] == ["m1", "m1"]
    await store.rate("hearts", "m1", ["", "s1"], {"s1": Rating(24.0, 8.0, 1)})
    assert [row.match for row in await store.unrated()] == ["m2", "m2"]
    assert await store.ratings("hearts", ["s1", "bot random"]) == {"s1": Rating(24.0, 8.0, 1)}
    assert await store.ratings("tarock", ["s1"]) == {}
    assert await store.ratings("hearts", []) == {}
    after = {"s1": Rating(26.0, 7.0, 2), "bot random": Rating(25.0, 2.0, 1)}
    await store.rate("hearts", "m2", ["s1", "bot random"], after)
    assert await store.unrated() == []
    assert await store.best("hearts") == [("bot random", after["bot random"]), ("s1", after["s1"])]
    assert len(await store.best("hearts", 1)) == 1
    assert await store.best("tarock") == []
    assert [row.mu for row in await store.results("s1")] == [26.0, 24.0]


async def test_a_forgotten_account_leaves_only_what_others_need(store: Store) -> None:
    for row in (ANNA, BEA):
        await store.add_account(row)
        await store.put_session(SessionRow(f"d {row.seal}", row.seal, "2026", "2026"))
    await play(store, "m1", ["s1", "s2"], [1, 2], "2026-11-01")
    await store.rate("hearts", "m1", ["s1", "s2"], {"s1": Rating(26, 7, 1), "s2": Rating(24, 7, 1)})
    assert await store.accounts_in(["m1", "m2"]) == {"m1": {0: "Anna", 1: "Bea 1"}}
    assert await store.accounts_in([]) == {}
    await store.forget_account("s1")
    assert await store.accounts_in(["m1"]) == {"m1": {1: "Bea 1"}}
    assert await store.accounts() == [BEA]
    assert [row.seal for row in await store.sessions()] == ["s2"]
    assert await store.results("s1") == []
    assert [who for who, _ in await store.best("hearts")] == ["s2"]
    [seen] = await store.results("s2")
    assert (seen.players, seen.place) == ('["ann", "bob"]', 2)
    match = await store.match("m1")
    assert match is not None
    assert match.players == '["ann", "bob"]'
    await store.add_account(replace(ANNA, seal="s9"))


async def test_a_failed_append_puts_no_players(store: Store) -> None:
    await store.open_table(table_row("t1"))
    with pytest.raises(StoreConflict):
        await store.append("t1", 7, ["x"], [match_row("m1")], [PlayerRow("m1", 0, "s1", "hearts", "2026", 1)])
    assert await store.unrated() == []


async def test_what_is_kept_and_of_no_use_is_found(store: Store) -> None:
    await store.keep("tarock", "user 1", "a")
    await store.keep("tarock", "user 2", "b")
    await store.keep("taroky", "user 3", "c")
    assert await store.unused("tarock", "2020-01-01") == []
    assert sorted(await store.unused("tarock", "9999-01-01")) == ["user 1", "user 2"]
    await store.use("tarock", ["user 1", "nobody"])
    await store.keep("tarock", "user 2", None)
    assert await store.unused("tarock", "9999-01-01") == ["user 1"]
    assert await store.kept("tarock") == {"user 1": "a"}


async def test_a_backup_has_the_accounts(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "games.db")
    await store.add_account(ANNA)
    await store.put_session(SessionRow("d1", "s1", "2026", "2026"))
    await play(store, "m1", ["s1", "bot random"], [1, 2], "2026-11-01")
    copy(tmp_path / "games.db", tmp_path / "backup.db")
    await store.close()
    backup = await open_store(tmp_path / "backup.db", read_only=True)
    assert await backup.accounts() == [ANNA]
    assert [row.digest for row in await backup.sessions()] == ["d1"]
    assert [row.match for row in await backup.results("s1")] == ["m1"]
    await backup.close()


async def test_what_was_kept_before_there_were_dates_counts_from_now_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from croupier.store import sqlite_file

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
