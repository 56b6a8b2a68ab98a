"""The parts of a server: built together, stopped together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.net.house import CannotServe, Plan, build
from croupier.store import open_store
from croupier.store.memory import MemoryStore
from croupier.wire.table_spec import TableSpec
from tests.net.rig import kept_rig, rig

GOOD = {"name": "Anna", "password": "correct horse"}


def plan(store: str | Path, **more: Any) -> Plan:
    default = TableSpec(["open"] * 4)
    return Plan("127.0.0.1", 0, "serve", store, default, lambda *ports: None, bot_processes=0, **more)


async def test_a_store_that_was_given_stays_open() -> None:
    store = MemoryStore()
    async with build(plan("memory:"), store) as house:
        assert house.store is store
    assert [row.id for row in await store.tables()] == ["default"]


async def test_a_server_that_cannot_start_closes_its_database(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with pytest.raises(CannotServe, match="coinche: option nonsense"):
        async with build(plan(path, options={"coinche": {"nonsense": 1}})):
            pass
    async with build(plan(path)) as house:
        assert (house.waiting, house.accounts is not None) == (1, True)
    await (await open_store(path)).close()


async def test_without_a_database_there_are_no_accounts() -> None:
    async with rig() as server:
        assert (await server.post("/api/account", GOOD))[0] == 404
        assert (await server.get("/api/tournaments"))[0] == 200
    async with kept_rig() as server:
        assert (await server.post("/api/account", GOOD))[0] == 201
    async with rig(mode="node") as server:
        assert (await server.get("/api/tournaments"))[0] == 404
