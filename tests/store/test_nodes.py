"""Several servers that share a PostgreSQL database: leases, ownership, and writes of a stale owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from croupier.store import StoreError, TableRow, open_store, postgres_database
from croupier.store.api import NotOwner
from croupier.store.postgres import PostgresStore
from croupier.store.postgres_database import connect, nodes
from croupier.store.postgres_nodes import Nodes, drain

pytestmark = pytest.mark.slow

LOBBY_GAMES = ["coinche"]


def row(id: str, game: str = "hearts") -> TableRow:
    return TableRow(id, game, "{}", "2026-11-18T10:00:00Z")


class Joined:
    """A server that has joined."""

    def __init__(self, store: PostgresStore) -> None:
        self.store = store
        self.nodes = Nodes(store, LOBBY_GAMES)

    @classmethod
    async def new(cls, url: str) -> Joined:
        return cls(await PostgresStore.open(url, shared=True))

    async def claim(self, replaces: bool = True) -> tuple[bool, list[str]]:
        found = await self.nodes.claim(replaces)
        return found.service, sorted(table.id for table, _ in found.tables)

    def pause(self) -> None:
        """Stop renewing the lease, as if the process were stopped."""
        self.store.writer._timer.cancel()


async def expire(url: str, node: int) -> None:
    """Let the lease of a node end."""
    db = await connect(url)
    await db.execute("UPDATE node SET lease_until = clock_timestamp() - interval '1 s' WHERE id = $1", node)
    await db.close()


def run(test: Callable[[str], Coroutine[Any, Any, None]], url: str) -> None:
    asyncio.run(test(url))


def test_one_node_gets_the_service_and_with_it_the_tables_of_lobbies(postgres: str) -> None:
    async def play(url: str) -> None:
        alone = await open_store(url)
        for name in ("h1", "h2"):
            await alone.open_table(row(name))
        await alone.open_table(row("c1", "coinche"))
        await alone.close()
        first, second = await Joined.new(url), await Joined.new(url)
        assert await first.claim() == (True, ["c1", "h1", "h2"])
        assert await second.claim() == (False, [])
        assert await second.nodes.owner("table", "c1") == first.nodes.id
        assert await second.nodes.owner("table", "unknown") is None
        for one in (first, second):
            await one.store.close()

    run(play, postgres)


def test_a_node_whose_lease_has_expired_is_replaced_and_writes_nothing(postgres: str) -> None:
    async def play(url: str) -> None:
        first, second = await Joined.new(url), await Joined.new(url)
        await first.claim()
        await first.store.open_table(row("h1"))
        await first.store.append("h1", 0, ["one"])
        first.pause()
        await expire(url, first.nodes.id)
        assert await second.claim(replaces=False) == (False, [])
        assert await second.claim() == (True, ["h1"])
        with pytest.raises(NotOwner):
            await first.store.append("h1", 1, ["stale"])
        await second.store.append("h1", 1, ["two"])
        assert await second.store.log("h1") == ["one", "two"]
        assert first.store.lost is not None
        for one in (first, second):
            await one.store.close()

    run(play, postgres)


def test_a_node_that_falls_silent_within_a_transaction_is_replaced(postgres: str) -> None:
    async def play(url: str) -> None:
        first, second = await Joined.new(url), await Joined.new(url)
        await first.claim()
        await first.store.open_table(row("h1"))
        begun, never = asyncio.Event(), asyncio.Event()

        async def silent(db: Any) -> None:
            begun.set()
            await never.wait()

        writing = asyncio.create_task(first.store.transact(silent))
        await begun.wait()  # its row in `node` is locked
        taken: list[str] = []
        async with asyncio.timeout(30):
            while not taken:
                taken = (await second.claim())[1]
        assert taken == ["h1"]
        never.set()
        with pytest.raises(NotOwner):
            await writing
        for one in (first, second):
            await one.store.close()

    run(play, postgres)


def test_two_nodes_that_replace_a_third_share_its_tables(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(url: str) -> None:
        three = [await Joined.new(url) for _ in range(3)]
        await three[1].claim()  # the service
        for number in range(50):
            await three[0].store.open_table(row(f"h{number}"))
        three[0].pause()
        await expire(url, three[0].nodes.id)
        claims = await asyncio.gather(three[1].claim(), three[2].claim(), three[1].claim(), three[2].claim())
        names = [name for _, found in claims for name in found]
        names += (await three[1].claim())[1]
        assert sorted(names) == sorted(f"h{number}" for number in range(50))
        for one in three:
            await one.store.close()

    run(play, postgres)


def test_a_node_that_gives_up_its_tables_writes_everything_first(postgres: str) -> None:
    async def play(url: str) -> None:
        first, second = await Joined.new(url), await Joined.new(url)
        await first.claim()
        await first.store.open_table(row("h1"))
        done: list[StoreError | None] = []
        for number in range(20):
            first.store.append_soon("h1", number, [str(number)], done=done.append)
        await first.nodes.begin_draining()
        await first.nodes.release()
        assert done == [None] * 20
        assert await first.claim() == (False, [])
        assert await second.claim() == (True, ["h1"])
        assert len(await second.store.log("h1")) == 20
        with pytest.raises(NotOwner):
            await first.store.append("h1", 20, ["stale"])
        for one in (first, second):
            await one.store.close()

    run(play, postgres)


def test_a_stopped_node_leaves_its_tables_to_the_others_at_once(postgres: str) -> None:
    async def play(url: str) -> None:
        first, second = await Joined.new(url), await Joined.new(url)
        await first.claim()
        await first.store.open_table(row("h1"))
        await first.store.close()
        assert await second.claim(replaces=False) == (True, ["h1"])
        assert [one.id for one in await second.nodes.all()] == [second.nodes.id]
        await second.store.close()

    run(play, postgres)


def test_a_server_alone_and_nodes_exclude_each_other(postgres: str) -> None:
    async def play(url: str) -> None:
        node = await Joined.new(url)
        with pytest.raises(StoreError, match="in use by another server"):
            await open_store(url)
        await node.store.close()
        alone = await open_store(url)
        with pytest.raises(StoreError, match=r"does not share it .*: stop it, or start it with --nats, too"):
            await PostgresStore.open(url, shared=True)
        await alone.close()

    run(play, postgres)


def test_a_version_that_changes_the_schema_waits_until_the_others_have_stopped(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(url: str) -> None:
        node = await Joined.new(url)
        scripts = postgres_database._scripts()
        monkeypatch.setattr(postgres_database, "_scripts", lambda: [*scripts, "SELECT 1"])
        with pytest.raises(
            StoreError, match=r"older version .*: stop all nodes, then start them with the new"
        ):
            await PostgresStore.open(url, shared=True)
        await node.store.close()
        newer = await Joined.new(url)
        await newer.store.close()

    run(play, postgres)


def test_an_operator_can_drain_a_node(postgres: str) -> None:
    async def play(url: str) -> None:
        node = await Joined.new(url)
        assert await drain(url, node.nodes.id)
        assert not await drain(url, 12345)
        assert [one.draining for one in await nodes(url)] == [True]
        assert await node.claim() == (False, [])
        await node.store.close()

    run(play, postgres)


def test_a_copy_of_a_database_is_another_house(postgres: str) -> None:
    async def play(url: str) -> None:
        node = await Joined.new(url)
        key = await node.nodes.key()
        secret = key.partition(" ")[2]
        assert len(secret) > 60
        assert key != secret
        await node.store.close()

    run(play, postgres)
