"""All tables of a server: opening, restoring, closing unused ones. All tests run in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import pytest

from croupier.core import record
from croupier.core.options import BadOptions, Value
from croupier.games.hearts import GAME
from croupier.games.hearts.wire import HeartsConversation
from croupier.store.api import StoreError, StoreUnreachable, TableRow
from croupier.store.memory import MemoryStore
from croupier.table import journal
from croupier.table.clock import GRACE
from croupier.table.setup import setup_of
from croupier.table.tables import CHUNK, DEFAULT, UNUSED, VACATED, Tables
from croupier.testing import clock
from croupier.testing.store import FaultyStore
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import CLOSED, Disconnect
from tests.table.peers import NAMES, Connection, Frame, back, config, four, open_table, settled

PATIENT: dict[str, Value] = {
    "pass_cards_timeout": 20_000,
    "expose_cards_timeout": 20_000,
    "pick_card_timeout": 20_000,
}


class Crash:
    """Simulates a crash of the process after a number of accepted actions."""

    def __init__(self, after: int) -> None:
        self.left = after
        self.happened = asyncio.Event()

    def watch(self, connection: Connection) -> None:
        answer = connection.on_frame

        def counting(frame: Frame) -> None:
            if frame["type"] == "accepted":
                self.left -= 1
                if self.left <= 0:
                    self.happened.set()
            answer(frame)

        connection.on_frame = counting


async def crashed_after(store: MemoryStore, actions: int, how: TableSpec) -> str:
    """Play at a new table until *actions* were accepted, then drop everything except the store."""
    tables = Tables(store)
    shell = await open_table(tables, how)
    crash = Crash(actions)
    players = [Connection(shell) for _ in NAMES]
    for seat, player in enumerate(players):
        player.play_along()
        crash.watch(player)
        player.join(NAMES[seat], seat)
    await crash.happened.wait()
    shell.stop(Disconnect(1006, "killed"))
    return shell.table.id


@pytest.mark.parametrize("actions", [1, 2, 3, 4, 5, 6, 17, 18, 40, 55, 56, 57, 58, 100])
def test_a_table_continues_after_a_crash(actions: int) -> None:
    """The record of an interrupted match is that of the same match without a crash."""

    async def whole() -> str:
        store = MemoryStore()
        tables = Tables(store)
        shell = await open_table(tables, config({"deals": 2}, PATIENT), "t")
        await four(shell)
        await asyncio.sleep(1000.0)
        return await record_text(store, "t")

    async def interrupted() -> str:
        store = MemoryStore()
        id = await crashed_after(store, actions, config({"deals": 2}, PATIENT))
        await asyncio.sleep(3600.0)  # the downtime does not count
        tables = Tables(store)
        assert await tables.recover() == 1
        shell = await back(tables, id)
        players = [Connection(shell) for _ in NAMES]
        for seat, player in enumerate(players):
            player.play_along()
            player.join(NAMES[seat], seat)
        await asyncio.sleep(1000.0)
        assert shell.table.phase == "gathering"
        assert [place.timeouts for place in shell.table.places] == [0, 0, 0, 0]
        return await record_text(store, id)

    async def record_text(store: MemoryStore, id: str) -> str:
        match = await store.match(f"{id}-1")
        assert match is not None
        entries = [journal.decode(line) for line in await store.log(id, match.first, match.last)]
        written = journal.record_of(GAME, GAME.options.read({"deals": 2, "match_games": 1}), "1", entries)
        return record.write(replace(written, started=""))

    assert clock.run(interrupted()) == clock.run(whole())


def test_after_a_restart_a_table_waits_for_its_players_for_a_limited_time() -> None:
    async def restart() -> None:
        loop = asyncio.get_running_loop()
        store = MemoryStore()
        id = await crashed_after(store, 2, config({}, PATIENT))
        tables = Tables(store)
        await tables.recover()
        begun = loop.time()
        shell = await back(tables, id)
        first = Connection(shell)
        first.join("ann", 0)
        await asyncio.sleep(GRACE - 1.0)
        assert first.of("ask") == [], "the others are missing"
        await asyncio.sleep(1.1)
        assert loop.time() - begun < GRACE + 1.0
        for ask in first.of("ask"):  # none if they passed before the crash
            assert ask["seconds"] == 20.0
        await asyncio.sleep(21.0)
        log = [journal.decode(line) for line in await store.log(id)]
        assert {entry.by for entry in log if isinstance(entry, journal.Acted) and entry.seat > 1} <= {
            "",
            "absent",
        }
        assert any(isinstance(entry, journal.Acted) and entry.by == "absent" for entry in log)

    clock.run(restart())


class CountedReads(MemoryStore):
    """A store that notes how many journals were read at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[int] = []

    async def logs(self, firsts: Mapping[str, int]) -> dict[str, list[str] | StoreError]:
        self.reads.append(len(firsts))
        return await super().logs(firsts)


def test_a_restart_reads_no_journal_before_it_is_asked_for_and_then_that_one_first() -> None:
    async def restart() -> None:
        store = CountedReads()
        before = Tables(store)
        shells = [await open_table(before, config(options=PATIENT)) for _ in range(2 * CHUNK)]
        player = Connection(shells[-1])
        player.join("ann", 0)
        await settled()
        await before.stop("restart")
        tables = Tables(store)
        assert await tables.recover() == 2 * CHUNK
        assert store.reads == []
        tables.start_restoring()
        again = Connection(await back(tables, shells[-1].table.id))
        again.join("ann", 0)
        await settled()
        assert again.of("joined")
        assert store.reads[:2] in ([CHUNK, 1], [1, CHUNK]), "it does not wait for all others"
        seen = tables.changes
        while len(tables.shells) < 2 * CHUNK:
            seen = await tables.changed(seen)
        await tables.stop("the test is over")

    clock.run(restart())


def test_after_a_restart_tables_that_are_requested_at_the_same_time_are_read_together() -> None:
    async def restart() -> None:
        store = CountedReads()
        before = Tables(store)
        shells = [await open_table(before, config()) for _ in range(3 * CHUNK)]
        await before.stop("restart")
        tables = Tables(store)
        await tables.recover()
        tables.start_restoring()
        wanted = [shell.table.id for shell in shells[-CHUNK:]]
        found = await asyncio.gather(*(tables.find(id) for id in wanted))
        assert None not in found
        await tables.all_restored()
        assert store.reads == [CHUNK] * 3
        assert not tables.unrestored(GAME.name)
        await tables.stop("the test is over")

    clock.run(restart())


def test_the_question_is_asked_as_soon_as_all_are_back() -> None:
    async def restart() -> None:
        loop = asyncio.get_running_loop()
        store = MemoryStore()
        id = await crashed_after(store, 1, config({}, PATIENT))
        tables = Tables(store)
        await tables.recover()
        begun = loop.time()
        shell = await back(tables, id)
        players = await four(shell, playing=False)
        assert loop.time() == begun
        state = shell.table.state
        assert state is not None
        assert state.to_act()
        assert [len(player.of("ask")) for player in players] == [
            state.to_act() >> seat & 1 for seat in range(4)
        ]
        assert all(player.of("joined")[0]["back"] for player in players)

    clock.run(restart())


def test_a_journal_that_cannot_be_read_keeps_the_other_tables_running(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def recover() -> None:
        store = MemoryStore()
        first = await crashed_after(store, 1, config())
        second = await crashed_after(store, 1, config())
        third = await crashed_after(store, 1, config())
        store._logs[second][-1] = '{"kind": "acted", "seat": 0, "actions": ["play 2C", "play 2C"]}'
        await store.open_table(TableRow("odd", "tiddlywinks", "{}", "2026-01-01T00:00:00Z"))
        tables = Tables(store)
        assert await tables.recover() == 4
        await tables.restore_game(GAME.name)
        await tables.restore_game("tiddlywinks")
        assert set(tables.shells) == {first, third}
        assert tables.broken == {second, "odd"}
        assert len(await store.tables()) == 4, "the stored tables are unchanged"

    clock.run(recover())
    assert "odd" in caplog.text


class Unreachable(FaultyStore):
    """A store that cannot be read for a while."""

    refusals = 0

    async def table(self, table_id: str) -> TableRow | None:
        self.refuse()
        return await super().table(table_id)

    async def logs(self, firsts: Mapping[str, int]) -> dict[str, list[str] | StoreError]:
        self.refuse()
        return await super().logs(firsts)

    def refuse(self) -> None:
        if self.refusals:
            self.refusals -= 1
            raise StoreUnreachable("the database cannot be reached")


def test_a_table_is_rebuilt_when_the_database_can_be_reached_again() -> None:
    async def away() -> None:
        store = Unreachable()
        tables = Tables(store)
        shell = await open_table(tables, config({}, PATIENT), "t")
        store.refusals = 20
        store.fail_append("t")
        Connection(shell).join(NAMES[0], 0)
        await asyncio.sleep(5.0)
        assert tables.broken == {"t"}
        assert (await back(tables, "t")).table.id == "t"
        assert tables.broken == set()
        assert store.refusals == 0

    clock.run(away())


def test_stopping_tells_all_connections_and_the_game_continues_later() -> None:
    async def stop() -> None:
        store = MemoryStore()
        tables = Tables(store)
        shell = await open_table(tables, config({}, PATIENT))
        players = await four(shell, playing=False)
        program = Connection(shell, HeartsConversation)
        await tables.stop("back in a minute")
        for player in players:
            assert player.frames[-1] == {"type": "closed", "reason": "back in a minute", "key": "closed"}
            assert player.disconnected == Disconnect(1001, "back in a minute")
        assert program.disconnected == Disconnect(1001, "back in a minute")
        assert tables.shells == {}
        again = Tables(store)
        assert await again.recover() == 1
        returned = await four(await back(again, shell.table.id), playing=False)
        assert [len(player.of("ask")) for player in returned] == [1, 1, 1, 1]
        assert [player.of("ask")[0]["view"] for player in returned] == [
            player.of("ask")[0]["view"] for player in players
        ]

    clock.run(stop())


def test_unused_tables_are_closed() -> None:
    async def wait() -> None:
        tables = Tables(MemoryStore())
        await open_table(tables, id=DEFAULT)
        empty = await open_table(tables)
        visited = await open_table(tables)
        guest = Connection(visited)
        tables.start_sweeping()
        await asyncio.sleep(UNUSED * 1.5)
        assert set(tables.shells) == {DEFAULT, visited.table.id}
        row = await tables.store.table(empty.table.id)
        assert row is not None
        assert row.closed is not None
        guest.drop()
        await asyncio.sleep(UNUSED * 1.5)
        assert set(tables.shells) == {DEFAULT}
        left = await open_table(tables)
        guest = Connection(left)
        guest.join("ann")
        await asyncio.sleep(1.0)
        guest.drop()
        await asyncio.sleep(VACATED + UNUSED / 5)
        assert set(tables.shells) == {DEFAULT}, "a table that people have left is closed soon"
        await tables.stop("done")

    clock.run(wait())


def test_closing_unused_tables_continues_after_an_error_of_the_store() -> None:
    async def wait() -> None:
        store = FaultyStore(0.005)
        tables = Tables(store)
        first = await open_table(tables)
        await open_table(tables)
        store.fail_append(first.table.id, 0)
        tables.start_sweeping()
        await asyncio.sleep(UNUSED * 3)
        assert tables.shells == {}
        await tables.stop("done")

    clock.run(wait())


def test_the_list_of_tables_changes_when_a_player_joins_or_leaves() -> None:
    async def watch() -> None:
        tables = Tables(MemoryStore())
        seen = tables.changes
        shell = await open_table(tables)
        assert await tables.changed(seen) > seen
        await settled()
        seen = tables.changes
        waiting = asyncio.create_task(tables.changed(seen))
        await settled()
        assert not waiting.done()
        guest = Connection(shell)
        guest.join("ann", 0)
        assert await waiting > seen
        await settled()
        seen = tables.changes
        guest.drop()
        assert await tables.changed(seen) > seen

    clock.run(watch())


def test_ids_are_taken_once() -> None:
    async def twice() -> None:
        tables = Tables(MemoryStore())
        await open_table(tables, id="same")
        with pytest.raises(StoreError):
            await open_table(tables, id="same")
        assert list(tables.shells) == ["same"]

    clock.run(twice())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (TableSpec(["open"] * 3), "3 seats"),
        (TableSpec(["open", "open", "open", "sofa"]), "sofa"),
        (TableSpec(["bot genius", "open", "open", "open"]), "genius"),
        (TableSpec(["open"] * 4, seat_tokens=["x"]), "seat_tokens"),
        (TableSpec(["open"] * 4, options={"deals": 0}), "deals"),
        (TableSpec(["open"] * 4, table_options={"colour": "red"}), "colour"),
    ],
)
def test_an_invalid_setup_is_refused_with_the_reason(wrong: TableSpec, words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        setup_of("t", GAME, wrong)


def test_actions_of_closed_tables_still_count() -> None:
    async def count() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables)
        await four(shell)
        await asyncio.sleep(100.0)
        before = tables.actions()
        assert before > 52
        await tables.close_table(shell.table.id, "enough")
        assert tables.actions() == before

    clock.run(count())


BOTS = config(seats=["bot random"] * 4, auto_cycle=True)


def test_a_table_of_bots_has_a_least_pause_between_two_decisions() -> None:
    async def watch() -> None:
        tables = Tables(MemoryStore(), bot_pause=0.5)
        shell = await tables.open(GAME, BOTS)
        await asyncio.sleep(60.0)
        assert 100 < shell.table.actions <= 121
        await tables.stop("done")

    clock.run(watch())


def test_bots_that_play_on_and_on_without_a_watcher_are_stopped() -> None:
    async def wait() -> None:
        tables = Tables(MemoryStore(), bot_pause=0.5)
        watched, unwatched = await tables.open(GAME, BOTS), await tables.open(GAME, BOTS)
        watcher = Connection(watched)
        tables.start_sweeping()
        await asyncio.sleep(UNUSED * 1.5)
        assert list(tables.shells.values()) == [watched]
        assert unwatched.table.phase == CLOSED
        watcher.drop()
        await tables.stop("done")

    clock.run(wait())
