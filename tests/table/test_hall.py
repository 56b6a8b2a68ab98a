"""All the tables: opening, coming back after a restart, forgetting. In virtual time throughout."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from croupier.core import record
from croupier.core.options import BadOptions, Value
from croupier.games.hearts import GAME
from croupier.games.hearts.wire import HeartsConversation
from croupier.store.api import StoreError, TableRow
from croupier.store.memory import MemoryStore
from croupier.table import journal
from croupier.table.hall import DEFAULT, FORGOTTEN, Config, Hall, setup_of
from croupier.table.match import GRACE
from croupier.testing import clock
from croupier.wire.talk import Hang
from tests.table.peers import NAMES, Connection, Frame, SlowStore, config, four, open_table, settled

PATIENT: dict[str, Value] = {
    "pass_cards_timeout": 20_000,
    "expose_cards_timeout": 20_000,
    "pick_card_timeout": 20_000,
}


class Crash:
    """Lets players play along until so many actions were accepted, then the process is gone."""

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


async def crashed_after(store: MemoryStore, actions: int, how: Config) -> str:
    """Play at a new table until *actions* were accepted, then drop everything but the store."""
    hall = Hall(store)
    runner = await open_table(hall, how)
    crash = Crash(actions)
    players = [Connection(runner) for _ in NAMES]
    for seat, player in enumerate(players):
        player.play_along()
        crash.watch(player)
        player.join(NAMES[seat], seat)
    await crash.happened.wait()
    assert runner.task is not None
    runner.task.cancel()
    return runner.table.id


@pytest.mark.parametrize("actions", [1, 2, 3, 4, 5, 6, 17, 18, 40, 55, 56, 57, 58, 100])
def test_a_table_goes_on_after_a_crash(actions: int) -> None:
    """The record of an interrupted match is that of the same match without a crash."""

    async def whole() -> str:
        store = MemoryStore()
        hall = Hall(store)
        runner = await open_table(hall, config({"deals": 2}, PATIENT), "t")
        await four(runner)
        await asyncio.sleep(1000.0)
        return await record_text(store, "t")

    async def interrupted() -> str:
        store = MemoryStore()
        id = await crashed_after(store, actions, config({"deals": 2}, PATIENT))
        await asyncio.sleep(3600.0)  # the downtime is nobody's
        hall = Hall(store)
        assert await hall.recover() == 1
        players = [Connection(hall.runners[id]) for _ in NAMES]
        for seat, player in enumerate(players):
            player.play_along()
            player.join(NAMES[seat], seat)
        await asyncio.sleep(1000.0)
        assert hall.runners[id].table.phase == "gathering"
        assert [place.timeouts for place in hall.runners[id].table.places] == [0, 0, 0, 0]
        return await record_text(store, id)

    async def record_text(store: MemoryStore, id: str) -> str:
        match = await store.match(f"{id}-1")
        assert match is not None
        entries = [journal.decode(line) for line in await store.log(id, match.first, match.last)]
        written = journal.record_of(GAME, GAME.options.read({"deals": 2, "match_games": 1}), "1", entries)
        return record.write(replace(written, started=""))

    assert clock.run(interrupted()) == clock.run(whole())


def test_after_a_restart_a_table_waits_for_its_players_but_not_for_ever() -> None:
    async def restart() -> None:
        loop = asyncio.get_running_loop()
        store = MemoryStore()
        id = await crashed_after(store, 2, config({}, PATIENT))
        hall = Hall(store)
        await hall.recover()
        begun = loop.time()
        runner = hall.runners[id]
        first = Connection(runner)
        first.join("ann", 0)
        await asyncio.sleep(GRACE - 1.0)
        assert first.of("ask") == [], "the others are missing"
        await asyncio.sleep(1.1)
        assert loop.time() - begun < GRACE + 1.0
        for ask in first.of("ask"):  # none if she passed before the crash
            assert ask["seconds"] == 20.0
        await asyncio.sleep(21.0)
        log = [journal.decode(line) for line in await store.log(id)]
        assert {entry.by for entry in log if isinstance(entry, journal.Acted) and entry.seat > 1} <= {
            "",
            "absent",
        }
        assert any(isinstance(entry, journal.Acted) and entry.by == "absent" for entry in log)

    clock.run(restart())


def test_the_question_is_asked_as_soon_as_all_are_back() -> None:
    async def restart() -> None:
        loop = asyncio.get_running_loop()
        store = MemoryStore()
        id = await crashed_after(store, 1, config({}, PATIENT))
        hall = Hall(store)
        await hall.recover()
        begun = loop.time()
        players = await four(hall.runners[id], playing=False)
        assert loop.time() == begun
        state = hall.runners[id].table.state
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
        hall = Hall(store)
        assert await hall.recover() == 2
        assert set(hall.runners) == {first, third}
        assert len(await store.tables()) == 4, "nothing of theirs was touched"

    clock.run(recover())
    assert "odd" in caplog.text


def test_stopping_tells_everybody_and_the_game_goes_on_later() -> None:
    async def stop() -> None:
        store = MemoryStore()
        hall = Hall(store)
        runner = await open_table(hall, config({}, PATIENT))
        players = await four(runner, playing=False)
        program = Connection(runner, HeartsConversation)
        await hall.stop("back in a minute")
        for player in players:
            assert player.frames[-1] == {"type": "closed", "reason": "back in a minute"}
            assert player.hung == Hang(1001, "back in a minute")
        assert program.hung == Hang(1001, "back in a minute")
        assert hall.runners == {}
        again = Hall(store)
        assert await again.recover() == 1
        back = await four(again.runners[runner.table.id], playing=False)
        assert [len(player.of("ask")) for player in back] == [1, 1, 1, 1]
        assert [player.of("ask")[0]["view"] for player in back] == [
            player.of("ask")[0]["view"] for player in players
        ]

    clock.run(stop())


def test_tables_that_nobody_visits_are_closed_some_day() -> None:
    async def wait() -> None:
        hall = Hall(MemoryStore())
        await open_table(hall, id=DEFAULT)
        empty = await open_table(hall)
        visited = await open_table(hall)
        guest = Connection(visited)
        hall.start_sweeping()
        await asyncio.sleep(FORGOTTEN * 1.5)
        assert set(hall.runners) == {DEFAULT, visited.table.id}
        row = await hall.store.table(empty.table.id)
        assert row is not None
        assert row.closed is not None
        guest.drop()
        await asyncio.sleep(FORGOTTEN * 1.5)
        assert set(hall.runners) == {DEFAULT}
        await hall.stop("done")

    clock.run(wait())


def test_a_store_in_trouble_does_not_end_the_sweeping() -> None:
    async def wait() -> None:
        store = SlowStore()
        hall = Hall(store)
        first = await open_table(hall)
        await open_table(hall)
        store.fail_at[first.table.id] = 0
        hall.start_sweeping()
        await asyncio.sleep(FORGOTTEN * 3)
        assert hall.runners == {}
        await hall.stop("done")

    clock.run(wait())


def test_the_list_of_tables_changes_when_somebody_comes_or_goes() -> None:
    async def watch() -> None:
        hall = Hall(MemoryStore())
        seen = hall.changes
        runner = await open_table(hall)
        assert await hall.changed(seen) > seen
        await settled()
        seen = hall.changes
        waiting = asyncio.create_task(hall.changed(seen))
        await settled()
        assert not waiting.done()
        guest = Connection(runner)
        guest.join("ann", 0)
        assert await waiting > seen
        await settled()
        seen = hall.changes
        guest.drop()
        assert await hall.changed(seen) > seen

    clock.run(watch())


def test_ids_are_taken_once() -> None:
    async def twice() -> None:
        hall = Hall(MemoryStore())
        await open_table(hall, id="same")
        with pytest.raises(StoreError):
            await open_table(hall, id="same")
        assert list(hall.runners) == ["same"]

    clock.run(twice())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Config(["open"] * 3), "3 seats"),
        (Config(["open", "open", "open", "sofa"]), "sofa"),
        (Config(["bot genius", "open", "open", "open"]), "genius"),
        (Config(["open"] * 4, seat_tokens=["x"]), "seat_tokens"),
        (Config(["open"] * 4, options={"deals": 0}), "deals"),
        (Config(["open"] * 4, table_options={"colour": "red"}), "colour"),
    ],
)
def test_a_wrong_set_up_says_what_is_wrong(wrong: Config, words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        setup_of("t", GAME, wrong)


def test_actions_of_closed_tables_still_count() -> None:
    async def count() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall)
        await four(runner)
        await asyncio.sleep(100.0)
        before = hall.actions()
        assert before > 52
        await hall.close_table(runner.table.id, "enough")
        assert hall.actions() == before

    clock.run(count())
