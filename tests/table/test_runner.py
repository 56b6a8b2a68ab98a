"""The runner: stores, then tells; one table's troubles are its own. In virtual time throughout."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from croupier.core.options import Value
from croupier.games.hearts.wire import HeartsConversation
from croupier.store.memory import MemoryStore
from croupier.table import journal
from croupier.table.hall import Hall
from croupier.table.runner import Runner
from croupier.testing import clock
from croupier.wire.talk import Hang
from tests.table.peers import NAMES, Connection, Frame, SlowStore, config, four, open_table, settled


async def entries(hall: Hall, id: str) -> list[journal.AnyEntry]:
    return [journal.decode(line) for line in await hall.store.log(id)]


async def acted(hall: Hall, id: str, seat: int) -> list[journal.Acted]:
    return [e for e in await entries(hall, id) if isinstance(e, journal.Acted) and e.seat == seat]


def test_a_game_is_played_and_stored() -> None:
    async def game() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall)
        players = await four(runner)
        await asyncio.sleep(1.0)
        assert runner.table.phase == "gathering"
        for seat, player in enumerate(players):
            answers = [entry.actions for entry in await acted(hall, runner.table.id, seat)]
            assert len(player.of("accepted")) == len(answers)
            assert len(player.of("refused")) == 0
            numbers = [frame["number"] for frame in player.of("event")]
            assert numbers == list(range(1, len(numbers) + 1))
        [match] = await hall.store.matches(ended=True)
        assert match.result is not None
        assert hall.actions() == runner.actions > 52

    clock.run(game())


def test_everything_is_stored_before_it_is_told() -> None:
    """Whatever a frame says about, the journal has it at the moment the frame is sent."""

    async def game() -> None:
        store = SlowStore(0.25)
        hall = Hall(store)
        runner = await open_table(
            hall, config(options={"pass_cards_timeout": 600_000, "pick_card_timeout": 600_000})
        )
        players = await four(runner)
        heard: Counter[str] = Counter()
        checked = 0

        def check(seat: int, frame: Frame) -> None:
            nonlocal checked
            log = [journal.decode(line) for line in store._logs[runner.table.id]]
            if frame["type"] == "accepted":
                mine = [e for e in log if isinstance(e, journal.Acted) and e.seat == seat]
                assert len(mine) >= frame["id"], "accepted before it was stored"
                checked += 1
            elif frame["type"] == "event" and frame["event"]["kind"] == "played" and seat == 0:
                heard["played"] += 1
                cards = [
                    a for e in log if isinstance(e, journal.Acted) for a in e.actions if a.startswith("play")
                ]
                assert len(cards) >= heard["played"], "told before it was stored"
                checked += 1
            elif frame["type"] in ("commit", "reveal"):
                kind = journal.Committed if frame["type"] == "commit" else journal.Revealed
                assert any(isinstance(e, kind) and e.deal == frame["deal"] for e in log)
                checked += 1
            elif frame["type"] == "joined":
                assert any(isinstance(e, journal.Sat) and e.seat == seat for e in log)

        for seat, player in enumerate(players):
            answer = player.on_frame

            def both(frame: Frame, seat: int = seat, answer: object = answer) -> None:
                check(seat, frame)
                assert callable(answer)
                answer(frame)

            player.on_frame = both
        await asyncio.sleep(200.0)
        assert runner.table.phase == "gathering"
        assert checked > 100

    clock.run(game())


@pytest.mark.parametrize("at", [0, 1, 2, 4, 5, 6, 7, 9, 12, 20, 33, 47, 54])
def test_a_table_whose_store_fails_is_rebuilt_from_its_journal(at: int) -> None:
    """Nothing that was not stored was told, the players come back and finish, others notice nothing."""

    async def game() -> None:
        store = SlowStore()
        hall = Hall(store)
        slow: dict[str, Value] = {
            "pass_cards_timeout": 600_000,
            "expose_cards_timeout": 600_000,
            "pick_card_timeout": 600_000,
        }
        runner = await open_table(hall, config(options=slow))
        other = await open_table(hall, config(options=slow))
        id = runner.table.id
        store.fail_at[id] = at
        players = [Connection(runner) for _ in NAMES]
        accepted: list[list[tuple[int, tuple[str, ...]]]] = [[] for _ in NAMES]
        for seat, player in enumerate(players):
            player.play_along()
            player.join(NAMES[seat], seat)
        others = await four(other)
        for _ in range(600):
            await asyncio.sleep(0.01)
            for seat, player in enumerate(players):
                if player.hung is not None:
                    assert player.hung.code == 1011
                    if id in hall.runners:
                        collect(accepted[seat], player)
                        players[seat] = back = Connection(hall.runners[id])
                        back.play_along()
                        back.join(NAMES[seat], seat)
        assert len(store.failed) == 1
        assert hall.runners[id] is not runner
        assert hall.runners[id].table.phase == "gathering", "the match was played to its end"
        log = await entries(hall, id)
        assert sum(isinstance(entry, journal.Began) for entry in log) == 1
        assert sum(isinstance(entry, journal.Ended) for entry in log) == 1
        for seat, player in enumerate(players):
            collect(accepted[seat], player)
            stored = [tuple(entry.actions) for entry in await acted(hall, id, seat)]
            assert [turn for turn, _ in accepted[seat]] == sorted({turn for turn, _ in accepted[seat]})
            assert all(stored[turn - 1] == actions for turn, actions in accepted[seat])
        assert other.table.phase == "gathering"
        assert all(player.hung is None for player in others)
        assert len(await hall.store.matches(ended=True)) == 2

    def collect(into: list[tuple[int, tuple[str, ...]]], player: Connection) -> None:
        legal = {frame["turn"]: frame["legal"] for frame in player.of("ask")}
        for frame in player.of("accepted"):
            count = 3 if legal[frame["id"]][0].startswith("pass ") else 1
            into.append((frame["id"], tuple(legal[frame["id"]][:count])))

    clock.run(game())


def test_a_seat_that_does_not_answer_in_thirty_seconds() -> None:
    async def game() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(
            hall, config(options={"pass_cards_timeout": 30_000, "pick_card_timeout": 30_000})
        )
        players = await four(runner, playing=False)
        for player in players[1:]:
            ask = player.of("ask")[0]
            player.say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3]})
        await asyncio.sleep(29.99)
        assert await acted(hall, runner.table.id, 0) == []
        await asyncio.sleep(0.02)
        [entry] = await acted(hall, runner.table.id, 0)
        assert (entry.by, entry.counted, len(entry.actions)) == ("clock", True, 3)
        assert runner.table.places[0].timeouts == 1
        assert [place.timeouts for place in runner.table.places] == [1, 0, 0, 0]

    clock.run(game())


def test_an_absent_seat_is_served_but_not_counted() -> None:
    async def game() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall)
        players = await four(runner, playing=False)
        for player in players:
            player.drop()
        await asyncio.sleep(600.0)
        assert runner.table.phase == "gathering"
        for seat in range(4):
            found = await acted(hall, runner.table.id, seat)
            assert {entry.by for entry in found} == {"absent"}
        assert [place.name for place in runner.table.places] == [""] * 4, "nobody was there at the end"

    clock.run(game())


def test_an_answer_counts_that_came_in_time_while_the_store_was_busy() -> None:
    async def game() -> None:
        store = SlowStore(0.0)
        hall = Hall(store)
        runner = await open_table(hall, config(options={"pass_cards_timeout": 3000}))
        players = await four(runner, playing=False)
        await asyncio.sleep(2.8)
        store.delay = 0.5
        for player in players[:2]:
            ask = player.of("ask")[0]
            player.say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3], "id": 1})
            await asyncio.sleep(0.1)
        assert players[0].of("accepted") == []
        await asyncio.sleep(2.0)
        assert len(players[0].of("accepted")) == len(players[1].of("accepted")) == 1
        assert [place.timeouts for place in runner.table.places] == [0, 0, 1, 1]

    clock.run(game())


@pytest.mark.parametrize("playing", [False, True])
def test_a_connection_that_ends_right_after_its_join_leaves_no_ghost(playing: bool) -> None:
    """Join and end may be read from the mailbox together, while the store was busy with something else."""

    async def visit() -> None:
        store = SlowStore(0.5)
        hall = Hall(store)
        runner = await open_table(hall)
        if playing:
            players = await four(runner, playing=False)
            await asyncio.sleep(20.0)
            players[0].drop()
            await asyncio.sleep(0.6)
            assert runner.table.phase == "playing"
        busy = Connection(runner)
        busy.say({"type": "join", "name": "eve"} if not playing else {"type": "start"})
        if playing:
            ask = players[1].of("ask")[-1]
            players[1].say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3]})
        await asyncio.sleep(0.1)
        ghost = Connection(runner)
        ghost.join("ann", 0 if playing else 1)
        ghost.drop()
        await asyncio.sleep(2.0)
        if playing:
            assert runner.table.places[0].connected is False
        else:
            assert [place.name for place in runner.table.places] == ["eve", "", "", ""]

    clock.run(visit())


def test_the_newest_connection_wins() -> None:
    async def takeover() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall)
        players = await four(runner, playing=False)
        old = players[0]
        new = Connection(runner)
        new.join("ann", None, last=old.of("event")[-2]["number"])
        await settled()
        assert old.hung == Hang(4001, "replaced by a newer connection")
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
        assert runner.table.places[0].connected
        assert await acted(hall, runner.table.id, 0) == []
        new.say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][1:4], "id": 5})
        await settled()
        assert new.of("accepted") == [{"type": "accepted", "id": 5}]

    clock.run(takeover())


def test_a_repeated_answer_has_its_effect_once() -> None:
    async def game() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall)
        players = await four(runner, playing=False)
        ask = players[0].of("ask")[0]
        for id in (1, 2):
            players[0].say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3], "id": id})
        players[0].say({"type": "act", "turn": ask["turn"], "actions": ask["legal"][1:4], "id": 3})
        await settled()
        assert [frame["id"] for frame in players[0].of("accepted")] == [1, 2]
        assert [(frame["id"], frame["key"]) for frame in players[0].of("refused")] == [(3, "stale")]
        assert len(await acted(hall, runner.table.id, 0)) == 1

    clock.run(game())


def test_players_keep_their_seats_within_a_match_in_whatever_order_they_return() -> None:
    async def two_games() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall, config({"match_games": 2}, {"deal_interval": 1000}, auto_cycle=True))
        players = await four(runner)
        await asyncio.sleep(0.9)
        await asyncio.sleep(0.2)
        assert runner.table.phase == "resting"
        for player in players:
            player.drop()
        await settled()
        assert [place.name for place in runner.table.places] == [""] * 4
        stranger = Connection(runner)
        stranger.join("eve")
        await settled()
        assert stranger.of("joined")[0]["seat"] == 0, "a free seat is free"
        stranger.say({"type": "leave"})
        await settled()
        for seat in (2, 0, 3, 1):
            back = Connection(runner)
            back.join(NAMES[seat])
            await settled()
            assert back.of("joined")[0]["seat"] == seat
        await asyncio.sleep(2.0)
        assert runner.table.match == 1
        assert runner.table.phase == "playing"

    clock.run(two_games())


def test_only_refused_joins_are_held_back() -> None:
    async def knock() -> None:
        runner = await open_table(Hall(MemoryStore()))
        first, second = Connection(runner), Connection(runner, HeartsConversation)
        first.join("ann", 0)
        await settled()
        second.join("bob", 0)
        first.say({"type": "act", "turn": 1, "actions": ["play 2C"]})
        await settled()
        assert (first.refusals, second.refusals) == (0, 1)
        assert first.of("refused")[0]["key"] == "stale"

    clock.run(knock())


def test_nobody_is_let_in_at_a_table_that_has_stopped() -> None:
    """Between the upgrade of a connection and its place at the table the table may have ended."""

    async def late() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall)
        await hall.close_table(runner.table.id, "enough")
        peer = Connection(runner)
        assert peer.hung is not None
        assert runner.peers == {}

    clock.run(late())


def test_closing_a_table_tells_everybody_and_frees_the_store() -> None:
    async def close() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall)
        players = await four(runner, playing=False)
        watcher = Connection(runner, HeartsConversation)
        await hall.close_table(runner.table.id, "enough")
        for player in players:
            assert player.frames[-1] == {"type": "closed", "reason": "enough"}
            assert player.hung == Hang(1000, "enough")
        assert watcher.hung is not None
        log = await entries(hall, runner.table.id)
        assert isinstance(log[-1], journal.Closed)
        assert await hall.store.tables() == []
        assert runner.task is not None
        await asyncio.sleep(1)
        assert runner.task.done()

    clock.run(close())


def test_a_table_of_bots_lets_others_have_their_turn() -> None:
    """A store in memory never makes anybody wait, so the table has to step aside by itself."""

    async def game() -> None:
        runner = await open_table(Hall(MemoryStore()), config({"deals": 4}, seats=["bot dummy"] * 4))
        turns = 0
        while runner.table.phase != "gathering" or not runner.table.match:
            await asyncio.sleep(0)
            turns += 1
        assert turns > 4

    clock.run(game())


def test_an_error_of_ours_breaks_one_table_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def game() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall, config(options={"pick_card_timeout": 600_000}))
        other = await open_table(hall, config(options={"pick_card_timeout": 600_000}))
        await four(runner)

        def broken() -> None:
            raise AssertionError("an invariant does not hold")

        monkeypatch.setattr(runner.table, "wake", broken, raising=True)
        players = await four(other)
        stranger = Connection(runner)
        stranger.say({"type": "start"})
        await asyncio.sleep(0.5)
        assert stranger.hung is not None
        assert stranger.hung.code == 1011
        assert runner.table.id not in hall.runners
        await asyncio.sleep(1.0)
        assert hall.runners[runner.table.id] is not runner
        await asyncio.sleep(60.0)
        assert other.table.phase == "gathering"
        assert all(player.hung is None for player in players)

    clock.run(game())
    assert "broke" in caplog.text


def test_virtual_time_notices_a_standstill() -> None:
    async def wait_for_ever() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(clock.Standstill):
        clock.run(wait_for_ever())


def test_virtual_time_takes_no_time() -> None:
    async def sleep() -> float:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await asyncio.gather(asyncio.sleep(86_400.0), asyncio.sleep(3.0))
        return loop.time() - begun

    assert clock.run(sleep()) == pytest.approx(86_400.0)


def test_a_runner_that_never_started_can_be_stopped() -> None:
    async def stop() -> None:
        hall = Hall(MemoryStore())
        runner = await open_table(hall)
        idle = Runner(runner.table, hall.store, lambda: None, lambda broken: None, lambda closed: None)
        idle.stop(Hang(1001, "over"))

    clock.run(stop())
