"""Matches played with the client at real servers: both of its forms, every game, and failures."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.client import (
    Ask,
    Event,
    Message,
    Reconnecting,
    Refusal,
    Said,
    SeatLost,
    Server,
    TooLate,
    View,
    connect,
    open_table,
    sync,
)
from croupier.games import names
from tests.client.quick import finished, no_pauses, wish
from tests.docs_tables import DOCS
from tests.integration.proxy import Proxy
from tests.integration.servers import TIMEOUT, house, steady_port
from tests.integration.servers import Server as Process
from tests.integration.test_bots import wait_for_actions
from tests.test_docs import blocks

pytestmark = pytest.mark.slow

GENEROUS = {
    **no_pauses("hearts"),
    "pass_cards_timeout": 600_000,
    "expose_cards_timeout": 600_000,
    "pick_card_timeout": 600_000,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with house(tmp_path_factory.mktemp("house"), "--log-level", "error") as server:
        yield server


@pytest.mark.parametrize("name", names())
async def test_a_match_of_every_game(server: Process, name: str) -> None:
    table = await open_table(server.http, name, **wish(name))
    heard: list[Message] = []
    async with connect(server.http, table, name="ann") as seat:
        assert seat.table.game == name
        assert seat.table.seats[seat.number].name == "ann"
        async for message in seat:
            heard.append(message)
            if isinstance(message, Ask):
                await seat.act(message.legal[0])
            elif isinstance(message, Event) and message.kind == "match_ended":
                break
        await seat.leave()
    check(heard)
    assert finished(server, table)["players"][0] == "ann"


@pytest.mark.parametrize("name", names())
def test_a_match_of_every_game_in_a_script(server: Process, name: str) -> None:
    table = sync.open_table(server.http, name, **wish(name))
    heard: list[Message] = []
    with sync.connect(f"{server.ws}/house/{table}", name="bob", views="all", words=True) as seat:
        assert seat.table.game == name
        assert (seat.name, seat.number) == ("bob", 0)
        for message in seat:
            heard.append(message)
            if isinstance(message, Ask):
                assert seat.question == message
                assert message.view["words"]["question"]
                seat.act(message.legal[0])
                assert seat.question is None
            elif isinstance(message, Event) and message.kind == "match_ended":
                assert message.view is not None
                break
        seat.leave()
    check(heard)
    assert any(isinstance(message, Ask) for message in heard)
    assert finished(server, table)["players"][0] == "bob"


def check(heard: list[Message], gaps: bool = False) -> None:
    """Every event came once and in its order, and every question too; with *gaps* views may replace some.

    Before the first deal they always may, because a table keeps events only from its first deal on.
    """
    number: int | None = None
    dealt = False
    for message in heard:
        dealt = dealt or isinstance(message, Ask)
        if isinstance(message, View):
            assert not dealt or gaps or message.number == number
            number = message.number
        elif isinstance(message, Event):
            assert number is not None
            number += 1
            assert message.number == number
    asked = [message.turn for message in heard if isinstance(message, Ask)]
    assert asked == list(range(1, 1 + len(asked)))


async def test_the_usual_bots_sit_down_where_nobody_else_is_named(server: Process) -> None:
    async with Server(server.http) as there:
        games = {row.name: row for row in await there.games()}
        table = await there.open_table("sagrada", seed="7")
        [row] = [row for row in await there.tables() if row.id == table]
        assert [(place.kind, place.bot) for place in row.seats] == [
            ("open", ""),
            ("bot", games["sagrada"].usual),
        ]
        assert there.page(table) == f"{server.http}/table/{table}"
        with pytest.raises(Refusal, match="no_such_game: game 'chess': expected one of hearts"):
            await there.open_table("chess")
        with pytest.raises(Refusal, match="bad_options: option target=0: expected"):
            await there.open_table("coinche", options={"target": 0})
        with pytest.raises(Refusal, match="no_such_match"):
            await there.record("nothing-1")


async def test_refusals_have_a_key_and_the_words_of_the_rules(server: Process) -> None:
    wished = {**wish("hearts"), "seats": ["open", "open", "bot random", "bot random"]}
    table = await open_table(server.http, "hearts", **wished, seed="1")
    with pytest.raises(Refusal) as none:
        async with connect(server.http, "nowhere", name="ann"):
            pass
    assert none.value.key == "no_such_table"
    async with connect(server.http, table, name="ann") as ann:
        with pytest.raises(Refusal, match="name_taken: name 'ann'"):
            async with connect(server.http, table, name="ann"):
                pass
        async with connect(server.http, table, name="bob") as bob:
            with pytest.raises(Refusal) as full:
                async with connect(server.http, table, name="cyd"):
                    pass
            assert (full.value.key, full.value.words) == ("table_full", "no seat is free at this table")
            ask = await until_asked(bob.receive)
            with pytest.raises(Refusal) as refused:
                await bob.act(ask.legal[0], ask.legal[0])
            assert refused.value.words == f"{ask.legal[0]}: you have picked it before"
            await bob.act(text=" ".join(action.split()[1] for action in ask.legal[:3]))
            with pytest.raises(TooLate):
                await bob.act(ask.legal[4], turn=ask.turn)
            with pytest.raises(Refusal, match="not_now: a game is running"):
                await bob.start()
            await bob.say("hello")
            said = [message async for message in until(bob, Said)][-1]
            assert said == Said(1, "bob", "hello")
            async with connect(server.http, table, name="bob", token=bob.token) as again:
                assert again.number == bob.number
                with pytest.raises(SeatLost, match="replaced: another connection has taken this seat"):
                    [message async for message in bob]
        await ann.leave()


async def test_seats_are_arranged_and_the_game_started(server: Process) -> None:
    table = server.new_table(**wish("hearts", ["open"] * 4), start=False)
    async with connect(server.http, table, name="ann", seat=1) as seat:
        await seat.arrange("bot random", "open", "bot random", "bot random")
        await seat.start()
        assert (await until_asked(seat.receive)).view["seat"] == 1


async def until_asked(receive: Callable[[], Any]) -> Ask:
    while not isinstance(message := await receive(), Ask):
        assert message is not None
    return message


async def until(seat: Any, kind: type[Message]) -> Any:
    async for message in seat:
        yield message
        if isinstance(message, kind):
            return


class Player:
    """Plays Hearts at random, and keeps all events."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.heard: list[Message] = []
        self.answers: list[str] = []

    async def play(self, url: str, table: str) -> None:
        rng = Random(self.name)
        async with connect(url, table, name=self.name, patience=TIMEOUT) as seat:
            try:
                async for message in seat:
                    self.heard.append(message)
                    if isinstance(message, Ask):
                        many = 3 if message.legal[0].startswith("pass") else 1
                        actions = rng.sample(message.legal, many)
                        self.answers.append(", ".join(actions))
                        await seat.act(*actions)
                    elif isinstance(message, Event) and message.kind == "match_ended":
                        return
            except SeatLost as error:  # another has played the last card while this one was away
                if error.key != "match_over":
                    raise

    def lost(self) -> int:
        return sum(isinstance(message, Reconnecting) for message in self.heard)


def check_record(server: Process, table: str, players: list[Player], deals: int) -> None:
    """The record has every answer exactly once, and none by a stand-in."""
    finished(server, table)
    entries: list[str] = []
    for deal in range(1, deals + 1):
        steps = server.ask(f"/api/matches/{table}-1/steps?deal={deal}")[1]["steps"]
        entries += [step["entry"] for step in steps]
    for player in players:
        check(player.heard, gaps=deals > 1)  # a table keeps the events of one deal
        seat = next(message.view["seat"] for message in player.heard if isinstance(message, Ask))
        mine = [entry.partition(" ")[2] for entry in entries if entry.startswith(f"{seat} ")]
        assert mine == player.answers


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_match_over_a_network_that_cuts_connections(tmp_path: Path, seed: int) -> None:
    async def match(server: Process) -> Proxy:
        async with Proxy(server.port, seed, life=(8_000, 25_000)).running() as proxy:
            url = f"http://127.0.0.1:{proxy.port}"
            async with asyncio.timeout(4 * TIMEOUT), asyncio.TaskGroup() as group:
                for player in players:
                    group.create_task(player.play(url, table))
            return proxy

    players = [Player(name) for name in ("ann", "bob", "cyd", "dan")]
    with house(tmp_path, "--log-level", "error") as server:
        table = server.new_table(options={"match_games": 1, "deals": 1}, table_options=GENEROUS)
        proxy = asyncio.run(match(server))
        check_record(server, table, players, 1)
        assert server.log == ""
    assert proxy.cuts >= 8
    assert sum(player.lost() for player in players) >= 8


def test_a_match_goes_on_through_kills_of_the_server(tmp_path: Path) -> None:
    async def match(server: Process) -> None:
        async with asyncio.timeout(4 * TIMEOUT), asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(player.play(server.http, table))
            for actions in (5, 20, 40):
                await asyncio.to_thread(wait_for_actions, server, actions)
                await server.restart()

    players = [Player(name) for name in ("ann", "bob", "cyd", "dan")]
    with house(tmp_path, "--log-level", "error", port=steady_port()) as server:
        slow = {**GENEROUS, "command_interval": 5}
        table = server.new_table(options={"match_games": 1}, table_options=slow)
        asyncio.run(match(server))
        check_record(server, table, players, 4)
    assert all(player.lost() >= 3 for player in players)


def test_a_script_that_is_interrupted_while_it_waits_ends_at_once(server: Process) -> None:
    table = sync.open_table(server.http, "hearts", ["open"] * 4)

    def wait_for_ever() -> None:
        with sync.connect(server.http, table, name="ann") as seat:
            main = threading.get_ident()
            threading.Timer(0.2, signal.pthread_kill, [main, signal.SIGINT]).start()
            for _ in seat:
                pass

    with pytest.raises(KeyboardInterrupt):
        wait_for_ever()
    with sync.connect(server.http, table, name="ann") as seat:
        assert seat.number == 0


async def test_the_players_of_the_document_play(server: Process, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in blocks(DOCS / "client.md"):
        exec(compile(block.code, "client.md", "exec"), names)
    await asyncio.to_thread(names["play"], server.http)
    assert len(json.loads(capsys.readouterr().out)) == 2, "of each team"
    await names["play_async"](server.http)
