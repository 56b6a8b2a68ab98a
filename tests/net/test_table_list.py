"""The feed of open tables with thousands of them: small frames, and one small change for one table."""

from __future__ import annotations

from typing import Any

import aiohttp
import msgspec
import pytest

from croupier.games.hearts import GAME
from croupier.net import table_list
from croupier.net.table_list import FRAME_BYTES
from croupier.table.tables import DEFAULT
from croupier.wire.table_spec import TableSpec
from tests.net.rig import TIMEOUT, Rig, eventually, rig

MANY = 5000


async def frame(lobby: aiohttp.ClientWebSocketResponse) -> tuple[int, dict[str, Any]]:
    """Return the size of the next frame, and the frame."""
    text = await lobby.receive_str(timeout=TIMEOUT)
    return len(text.encode()), msgspec.json.decode(text, type=dict[str, Any])


async def all_tables(lobby: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
    """Read until the whole list is known; check every frame."""
    rows: dict[str, Any] = {}
    more, first = True, True
    while more:
        size, found = await frame(lobby)
        assert size <= FRAME_BYTES
        if found["type"] == "tables":
            assert found["first"] is first
            more, first = found["more"], False
        rows.update({row["id"]: row for row in found["tables"]})
        for id in found.get("closed", ()):
            rows.pop(id, None)
    return rows


async def fill(server: Rig, many: int) -> None:
    for _ in range(many):
        await server.tables.open(GAME, TableSpec(["open"] * 4))


async def test_the_default_table_is_shown_while_somebody_is_there() -> None:
    async with rig() as server:

        async def hidden() -> bool:
            rows = (await server.get("/api/tables"))[1]
            return bool(next(row["deserted"] for row in rows if row["id"] == DEFAULT))

        assert await hidden()
        client = await server.raw(f"/house/{DEFAULT}")
        assert not await hidden()
        client.close()
        await eventually(lambda: not server.tables.shells[DEFAULT].peers)
        assert await hidden()


@pytest.mark.slow
async def test_the_feed_of_many_tables_has_small_frames_and_small_changes() -> None:
    async with rig(most_tables=MANY + 10) as server:
        await fill(server, MANY)
        lobby = await server.connect("/api/lobby")
        rows = await all_tables(lobby)
        assert list(rows) == list(server.tables.shells)[::-1]
        other = await server.connect("/api/lobby")
        assert await all_tables(other) == rows
        id = next(iter(server.tables.shells))
        client = await server.raw(f"/house/{id}")
        for reader in (lobby, other):
            size, changed = await frame(reader)
            assert size < 2048
            assert [row["id"] for row in changed["tables"]] == [id]
            assert changed["closed"] == []
        client.close()
        await lobby.close()
        await other.close()


async def test_a_reader_that_missed_changes_gets_all_tables_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_list, "_ROOM", 1024)  # a frame for each table
    monkeypatch.setattr(table_list, "KEPT", 3)
    monkeypatch.setattr(table_list, "PAUSE", 2.0)
    async with rig() as server:
        lobby = await server.connect("/api/lobby")
        assert list(await all_tables(lobby)) == ["default"]
        await fill(server, 10)
        assert set(await all_tables(lobby)) == set(server.tables.shells)
        await lobby.close()


async def test_nothing_is_noted_while_nobody_reads() -> None:
    async with rig() as server:

        def noted() -> bool:
            return server.tables.touched is not None

        await fill(server, 3)
        assert not noted()
        lobby = await server.connect("/api/lobby")
        await all_tables(lobby)
        assert noted()
        await lobby.close()
        await eventually(lambda: not noted())
