"""The shell: it stores, then tells; an error affects only its own table. All tests run in virtual time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from croupier.core.options import Value
from croupier.games.hearts.wire import HeartsConversation
from croupier.store.memory import MemoryStore
from croupier.table import journal
from croupier.table.shell import Shell
from croupier.table.tables import Tables
from croupier.testing import clock
from croupier.testing.store import FaultyStore
from croupier.wire import house
from croupier.wire.house import HouseConversation
from croupier.wire.talk import Disconnect, Note, Told
from tests.table.peers import NAMES, Connection, Frame, config, four, open_table, settled


async def entries(tables: Tables, id: str) -> list[journal.AnyEntry]:
    return [journal.decode(line) for line in await tables.store.log(id)]


async def acted(tables: Tables, id: str, seat: int) -> list[journal.Acted]:
    return [e for e in await entries(tables, id) if isinstance(e, journal.Acted) and e.seat == seat]


def test_a_game_is_played_and_stored() -> None:
    async def game() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables)
        players = await four(shell)
        await asyncio.sleep(1.0)
        assert shell.table.phase == "gathering"
        for seat, player in enumerate(players):
            answers = [entry.actions for entry in await acted(tables, shell.table.id, seat)]
            assert len(player.of("accepted")) == len(answers)
            assert len(player.of("refused")) == 0
            numbers = [frame["number"] for frame in player.of("event")]
            assert numbers == list(range(1, len(numbers) + 1))
        [match] = await tables.store.matches(ended=True)
        assert match.result is not None
        assert tables.actions() == shell.table.actions > 52

    clock.run(game())


def test_everything_is_stored_before_it_is_told() -> None:
    """When a frame is sent, the journal already has everything that the frame reports."""

    async def game() -> None:
        store = FaultyStore(0.25)
        tables = Tables(store)
        shell = await open_table(
            tables, config(options={"pass_cards_timeout": 600_000, "pick_card_timeout": 600_000})
        )
        players = await four(shell)
        heard: Counter[str] = Counter()

        def check(seat: int, frame: Frame) -> None:
            log = [journal.decode(line) for line in store._logs[shell.table.id]]
            if frame["type"] == "accepted":
                mine = [e for e in log if isinstance(e, journal.Acted) and e.seat == seat]
                assert len(mine) >= frame["id"], "accepted before it was stored"
                heard["accepted"] += 1
            elif frame["type"] == "event" and frame["event"]["kind"] == "played" and seat == 0:
                heard["played"] += 1
                cards = [
                    a for e in log if isinstance(e, journal.Acted) for a in e.actions if a.startswith("play")
                ]
                assert len(cards) >= heard["played"], "told before it was stored"
            elif frame["type"] in ("commit", "reveal"):
                kind = journal.Committed if frame["type"] == "commit" else journal.Revealed
                assert any(isinstance(e, kind) and e.deal == frame["deal"] for e in log)
                heard[frame["type"]] += 1

        for seat, player in enumerate(players):
            answer = player.on_frame

            def both(frame: Frame, seat: int = seat, answer: object = answer) -> None:
                check(seat, frame)
                assert callable(answer)
                answer(frame)

            player.on_frame = both
        await asyncio.sleep(200.0)
        assert shell.table.phase == "gathering"
        assert heard == {"accepted": 57, "played": 52, "commit": 4, "reveal": 4}

    clock.run(game())


@pytest.mark.parametrize("at", [0, 1, 2, 4, 5, 6, 7, 9, 12, 20, 33, 47, 54])
def test_a_table_whose_store_fails_is_rebuilt_from_its_journal(at: int) -> None:
    """Only what was stored was told; the players return and finish; other tables are not affected."""

    async def game() -> None:
        store = FaultyStore(0.005)
        tables = Tables(store)
        slow: dict[str, Value] = {
            "pass_cards_timeout": 600_000,
            "expose_cards_timeout": 600_000,
            "pick_card_timeout": 600_000,
        }
        shell = await open_table(tables, config(options=slow))
        other = await open_table(tables, config(options=slow))
        id = shell.table.id
        store.fail_append(id, at)
        players = [Connection(shell) for _ in NAMES]
        accepted: list[list[tuple[int, tuple[str, ...]]]] = [[] for _ in NAMES]
        for seat, player in enumerate(players):
            player.play_along()
            player.join(NAMES[seat], seat)
        others = await four(other)
        codes: set[int] = set()
        for _ in range(600):
            await asyncio.sleep(0.01)
            for seat, player in enumerate(players):
                if player.disconnected is not None:
                    codes.add(player.disconnected.code)
                    if id in tables.shells:
                        collect(accepted[seat], player)
                        players[seat] = back = Connection(tables.shells[id])
                        back.play_along()
                        back.join(NAMES[seat], seat)
        assert len(store.failed) == 1
        assert codes == {1011}
        assert tables.shells[id] is not shell
        assert tables.shells[id].table.phase == "gathering", "the match was completed"
        log = await entries(tables, id)
        assert sum(isinstance(entry, journal.Began) for entry in log) == 1
        assert sum(isinstance(entry, journal.Ended) for entry in log) == 1
        for seat, player in enumerate(players):
            collect(accepted[seat], player)
            stored = [tuple(entry.actions) for entry in await acted(tables, id, seat)]
            assert [turn for turn, _ in accepted[seat]] == sorted({turn for turn, _ in accepted[seat]})
            assert all(stored[turn - 1] == actions for turn, actions in accepted[seat])
        assert other.table.phase == "gathering"
        assert all(player.disconnected is None for player in others)
        assert len(await tables.store.matches(ended=True)) == 2

    def collect(into: list[tuple[int, tuple[str, ...]]], player: Connection) -> None:
        legal = {frame["turn"]: frame["legal"] for frame in player.of("ask")}
        for frame in player.of("accepted"):
            count = 3 if legal[frame["id"]][0].startswith("pass ") else 1
            into.append((frame["id"], tuple(legal[frame["id"]][:count])))

    clock.run(game())


def test_a_seat_that_does_not_answer_in_thirty_seconds() -> None:
    async def game() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(
            tables, config(options={"pass_cards_timeout": 30_000, "pick_card_timeout": 30_000})
        )
        players = await four(shell, playing=False)
        for player in players[1:]:
            ask = player.of("ask")[0]
            player.say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3]})
        await asyncio.sleep(29.99)
        assert await acted(tables, shell.table.id, 0) == []
        await asyncio.sleep(0.02)
        [entry] = await acted(tables, shell.table.id, 0)
        assert (entry.by, entry.counted, len(entry.actions)) == ("clock", True, 3)
        assert shell.table.places[0].timeouts == 1
        assert [place.timeouts for place in shell.table.places] == [1, 0, 0, 0]

    clock.run(game())


def test_the_stand_in_decides_for_an_absent_seat_without_counting() -> None:
    async def game() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables)
        players = await four(shell, playing=False)
        for player in players:
            player.drop()
        await asyncio.sleep(600.0)
        assert shell.table.phase == "gathering"
        for seat in range(4):
            found = await acted(tables, shell.table.id, seat)
            assert {entry.by for entry in found} == {"absent"}
        assert [place.name for place in shell.table.places] == [""] * 4, "no player was connected at the end"

    clock.run(game())


def test_an_answer_that_arrived_in_time_counts_although_the_store_was_busy() -> None:
    async def game() -> None:
        store = FaultyStore()
        tables = Tables(store)
        shell = await open_table(tables, config(options={"pass_cards_timeout": 3000}))
        players = await four(shell, playing=False)
        await asyncio.sleep(2.8)
        store.delay = 0.5
        for player in players[:2]:
            ask = player.of("ask")[0]
            player.say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3], "id": 1})
            await asyncio.sleep(0.1)
        assert players[0].of("accepted") == []
        await asyncio.sleep(2.0)
        assert len(players[0].of("accepted")) == len(players[1].of("accepted")) == 1
        assert [place.timeouts for place in shell.table.places] == [0, 0, 1, 1]

    clock.run(game())


@pytest.mark.parametrize("playing", [False, True])
def test_a_connection_that_ends_right_after_its_join_does_not_stay_connected(playing: bool) -> None:
    """Join and end may be read from the mailbox together, if the store was busy."""

    async def visit() -> None:
        store = FaultyStore(0.5)
        tables = Tables(store)
        shell = await open_table(tables)
        if playing:
            players = await four(shell, playing=False)
            await asyncio.sleep(20.0)
            players[0].drop()
            await asyncio.sleep(0.6)
            assert shell.table.phase == "playing"
        busy = Connection(shell)
        busy.say({"type": "join", "name": "eve"} if not playing else {"type": "start"})
        if playing:
            ask = players[1].of("ask")[-1]
            players[1].say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3]})
        await asyncio.sleep(0.1)
        ghost = Connection(shell)
        ghost.join("ann", 0 if playing else 1)
        ghost.drop()
        await asyncio.sleep(2.0)
        if playing:
            assert shell.table.places[0].connected is False
        else:
            assert [place.name for place in shell.table.places] == ["eve", "", "", ""]

    clock.run(visit())


def test_the_newest_connection_gets_the_seat() -> None:
    async def takeover() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables)
        players = await four(shell, playing=False)
        old = players[0]
        new = Connection(shell)
        new.join("ann", None, last=old.of("event")[-2]["number"])
        await settled()
        assert old.disconnected == Disconnect(4001, "replaced by a newer connection")
        assert [frame["type"] for frame in new.frames] == [
            "table",
            "view",
            "commit",
            "table",
            "joined",
            "table",
            "event",
            "commit",
            "ask",
        ]
        assert new.of("event") == old.of("event")[-1:]
        seen = len(old.frames)
        ask = new.of("ask")[0]
        old.say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3]})
        old.drop()
        await settled()
        assert len(old.frames) == seen
        assert shell.table.places[0].connected
        assert await acted(tables, shell.table.id, 0) == []
        new.say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][1:4], "id": 5})
        await settled()
        assert new.of("accepted") == [{"type": "accepted", "id": 5}]

    clock.run(takeover())


def test_a_repeated_answer_takes_effect_once() -> None:
    async def game() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables)
        players = await four(shell, playing=False)
        ask = players[0].of("ask")[0]
        for id in (1, 2):
            players[0].say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3], "id": id})
        players[0].say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][1:4], "id": 3})
        await settled()
        assert [frame["id"] for frame in players[0].of("accepted")] == [1, 2]
        assert [(frame["id"], frame["key"]) for frame in players[0].of("refused")] == [(3, "stale")]
        assert len(await acted(tables, shell.table.id, 0)) == 1

    clock.run(game())


def test_players_keep_their_seats_within_a_match_independent_of_the_order_of_return() -> None:
    async def two_games() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables, config({"match_games": 2}, {"deal_interval": 1000}, auto_cycle=True))
        players = await four(shell)
        await asyncio.sleep(0.9)
        await asyncio.sleep(0.2)
        assert shell.table.phase == "resting"
        for player in players:
            player.drop()
        await settled()
        assert [place.name for place in shell.table.places] == [""] * 4
        stranger = Connection(shell)
        stranger.join("eve")
        await settled()
        assert stranger.of("joined")[0]["seat"] == 0, "a stranger may take a free seat"
        stranger.say({"type": "leave"})
        await settled()
        for seat in (2, 0, 3, 1):
            back = Connection(shell)
            back.join(NAMES[seat])
            await settled()
            assert back.of("joined")[0]["seat"] == seat
        await asyncio.sleep(2.0)
        assert shell.table.match == 1
        assert shell.table.phase == "playing"

    clock.run(two_games())


def test_only_refused_joins_are_counted() -> None:
    async def knock() -> None:
        shell = await open_table(Tables(MemoryStore()))
        first, second = Connection(shell), Connection(shell, HeartsConversation)
        first.join("ann", 0)
        await settled()
        second.join("bob", 0)
        first.say({"type": "act", "turn": 1, "actions": ["play 2C"]})
        await settled()
        assert (first.refusals, second.refusals) == (0, 1)
        assert first.of("refused")[0]["key"] == "stale"

    clock.run(knock())


@pytest.mark.skipif(not str(house.__file__).endswith(".py"), reason="no subclass of a compiled class")
def test_watchers_with_the_same_wishes_share_one_rendering() -> None:
    composed: Counter[type[Note]] = Counter()

    class Watcher(HouseConversation):
        def note(self, note: Note, now: float) -> Sequence[bytes | str]:
            composed[type(note)] += 1
            return super().note(note, now)

    async def game() -> None:
        shell = await open_table(Tables(MemoryStore()))
        watchers = [Connection(shell, Watcher) for _ in range(20)]
        await four(shell)
        await asyncio.sleep(1.0)
        events = [len(watcher.of("event")) for watcher in watchers]
        assert events == [composed[Told]] * 20
        assert composed[Told] > 52

    clock.run(game())


def test_a_stopped_table_accepts_no_connection() -> None:
    """The table may end between the upgrade of a connection and its arrival at the table."""

    async def late() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables)
        await tables.close_table(shell.table.id, "enough")
        peer = Connection(shell)
        assert peer.disconnected is not None
        assert shell.peers == {}

    clock.run(late())


def test_closing_a_table_tells_all_connections_and_is_stored() -> None:
    async def close() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables)
        players = await four(shell, playing=False)
        watcher = Connection(shell, HeartsConversation)
        await tables.close_table(shell.table.id, "enough")
        for player in players:
            assert player.frames[-1] == {"type": "closed", "reason": "enough", "key": "closed"}
            assert player.disconnected == Disconnect(1000, "enough")
        assert watcher.disconnected is not None
        log = await entries(tables, shell.table.id)
        assert isinstance(log[-1], journal.Closed)
        assert await tables.store.tables() == []

    clock.run(close())


def test_a_table_of_bots_gives_other_tables_processor_time() -> None:
    """A store in memory is never busy, so the table has to yield to the event loop."""

    async def game() -> None:
        shell = await open_table(Tables(MemoryStore()), config({"deals": 4}, seats=["bot dummy"] * 4))
        turns = 0
        while shell.table.phase != "gathering" or not shell.table.match:
            await asyncio.sleep(0)
            turns += 1
        assert turns > 4

    clock.run(game())


def test_an_internal_error_affects_only_its_own_table(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def game() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables, config(options={"pick_card_timeout": 600_000}))
        other = await open_table(tables, config(options={"pick_card_timeout": 600_000}))
        await four(shell)

        def broken() -> float:
            raise AssertionError("an invariant does not hold")

        monkeypatch.setattr(shell.table.pace, "warning", broken)
        players = await four(other)
        stranger = Connection(shell)
        stranger.say({"type": "start"})
        await asyncio.sleep(0.5)
        assert stranger.disconnected is not None
        assert stranger.disconnected.code == 1011
        assert shell.table.id not in tables.shells
        await asyncio.sleep(1.0)
        assert tables.shells[shell.table.id] is not shell
        await asyncio.sleep(60.0)
        assert other.table.phase == "gathering"
        assert all(player.disconnected is None for player in players)

    clock.run(game())
    assert "failed: an invariant does not hold; rebuilding it" in caplog.text


def test_virtual_time_detects_a_deadlock() -> None:
    async def wait_without_end() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(clock.Standstill):
        clock.run(wait_without_end())


def test_virtual_time_takes_no_time() -> None:
    async def sleep() -> float:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await asyncio.gather(asyncio.sleep(86_400.0), asyncio.sleep(3.0))
        return loop.time() - begun

    assert clock.run(sleep()) == pytest.approx(86_400.0)


def test_a_shell_that_never_started_can_be_stopped() -> None:
    async def stop() -> None:
        tables = Tables(MemoryStore())
        shell = await open_table(tables)
        idle = Shell(shell.table, tables.store, lambda: None, lambda broken: None, lambda closed: None)
        idle.stop(Disconnect(1001, "over"))

    clock.run(stop())
