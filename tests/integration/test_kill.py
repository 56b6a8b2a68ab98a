"""Kill -9 under load: no acknowledged action is lost, duplicated or incomplete, and every table continues.

All seats of the Hearts tables are played by programs over real sockets, half of them in each protocol;
every third table has a pause between two games. The server is killed repeatedly, each time after a random
number of acknowledgements, and restarted on the same port and data; the programs reconnect with their tokens.
At the end the frames that each program received are compared with the journal. The test does not depend on
the speed of the machine: kills are scheduled by actions, not by time, and no clock can run out.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import aiohttp
import msgspec
import pytest

from croupier.core import record
from croupier.core.contract import Event, Plain
from croupier.games import game as find_game
from croupier.store import Store, open_store
from croupier.table import journal
from croupier.testing.postgres import PostgresServer
from croupier.wire.table_spec import TableSpec
from tests.integration.programs import NAMES, Frame, House, Trend, frames_of
from tests.integration.servers import TIMEOUT, Server, house, steady_port
from tests.net.rig import eventually

BETWEEN = (60, 380)
"""The number of acknowledgements between two kills, from and to."""
LIMIT = 400.0
"""The time limit of the test in seconds, for a very slow machine."""

MATCHES = [{"match_games": 1, "deals": 4}, {"match_games": 2, "deals": 2}, {"match_games": 1, "deals": 4}]
"""The options of the tables in turn, with the same number of deals each."""
GENEROUS = {
    "command_interval": 0,
    "round_interval": 0,
    "deal_interval": 0,
    "pass_cards_timeout": 600_000,
    "expose_cards_timeout": 600_000,
    "pick_card_timeout": 600_000,
}


Deal = tuple[int, int]
"""The number of a game in the match, and of a deal in that game."""


@dataclass
class Load:
    """The state that all programs share: whether the server is up, and how many actions it acknowledged."""

    up: asyncio.Event = field(default_factory=asyncio.Event)
    acknowledged: int = 0
    wanted: int = 0
    enough: asyncio.Event = field(default_factory=asyncio.Event)

    def acknowledge(self) -> None:
        self.acknowledged += 1
        if self.acknowledged >= self.wanted:
            self.enough.set()

    def want(self, more: int) -> None:
        self.wanted = self.acknowledged + more
        self.enough.clear()

    async def back(self) -> None:
        await asyncio.sleep(0.01)
        await self.up.wait()


class HousePlayer(House):
    """Keeps every accepted answer by its turn, and every event by its number."""

    def __init__(self, load: Load, url: str, name: str, seat: int) -> None:
        super().__init__(url, name, seat, token=f"secret of {name}")
        self.load = load
        self.keep = False
        self.accepted: dict[int, list[str]] = {}
        self.events: dict[int, Plain] = {}
        self.refused: list[Frame] = []
        self.final: Plain | None = None
        self.repeated = 0

    async def take(self, frame: Frame) -> None:
        await super().take(frame)
        if frame["type"] == "table" and frame["phase"] == "resting" and frame["you"] is not None:
            await self.send({"type": "start"})

    def heard(self, frame: Frame) -> None:
        match frame["type"]:
            case "accepted" if frame["id"] is not None:
                turn, actions = self.sent.pop(frame["id"])
                assert self.accepted.setdefault(turn, actions) == actions
                self.load.acknowledge()
            case "refused" if frame["key"] != "not_now":  # another player has already sent start
                self.refused.append(frame)
            case "event":
                event = frame["event"]
                if frame["number"] in self.events:
                    self.repeated += 1
                assert self.events.setdefault(frame["number"], event) == event
                assert frame["auto"] is False


class TrendPlayer(Trend):
    """Keeps every card that was acknowledged as its own, and every card of the others."""

    def __init__(self, load: Load, url: str, name: str, seat: int) -> None:
        super().__init__(url, name, str(seat + 1), token=f"secret of {name}")
        self.load = load
        self.keep = False
        self.seat_number = seat
        self.played: list[tuple[Deal, str]] = []
        """Deal and card of the player's own cards that were acknowledged, in order."""
        self.passed: dict[Deal, list[str]] = {}
        self.table: dict[tuple[Deal, int, str], str] = {}
        """The cards of all players, by deal, round and player."""
        self.results: dict[int, dict[str, int]] = {}
        """The scores of each game, by name."""
        self.counted: list[int] = []

    def heard(self, frame: Frame) -> None:
        data = frame["data"]
        deal = data.get("gameNumber"), data.get("dealNumber")
        match frame["eventName"]:
            case "turn_end":
                key = deal, data["roundNumber"], data["turnPlayer"]
                assert self.table.setdefault(key, data["turnCard"]) == data["turnCard"]
                assert data["serverRandom"] is False
                sent = self.sent
                if data["turnPlayer"] == self.name and sent and sent.get("turnCard") == data["turnCard"]:
                    self.played.append((deal, data["turnCard"]))
                    self.load.acknowledge()
            case "receive_opponent_cards":
                sent = self.sent
                if sent and sent.get("cards") == data["self"]["pickedCards"]:
                    self.passed[deal] = sent["cards"]
                    self.load.acknowledge()
            case "game_end":
                self.results[deal[0]] = {
                    player["playerName"]: player["gameScore"] for player in data["players"]
                }
                self.counted += [p[key] for p in data["players"] for key in ("errorCount", "timeoutCount")]


Player = HousePlayer | TrendPlayer


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize(("tables", "kills"), [(18, 8), pytest.param(50, 22, marks=pytest.mark.nightly)])
def test_kills_lose_nothing(tables: int, kills: int, tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "error", port=steady_port()) as server:
        players = asyncio.run(
            asyncio.wait_for(load_and_kill(server, server.kill, server.start, tables, kills), LIMIT)
        )
        assert server.stop() == 0
    assert server.log == "", server.log[:2000]
    asyncio.run(compare(tmp_path / "data" / "croupier.db", players))


def test_kills_lose_nothing_in_postgresql(postgres: str, tmp_path: Path) -> None:
    options = "--log-level", "error", "--database", postgres
    with house(tmp_path, *options, port=steady_port()) as server:
        players = asyncio.run(asyncio.wait_for(load_and_kill(server, server.kill, server.start, 6, 3), LIMIT))
        assert server.stop() == 0
    assert server.log == "", server.log[:2000]
    asyncio.run(compare(postgres, players))


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGQUIT], ids=["stop", "crash"])
def test_restarts_of_postgresql_lose_nothing(sign: signal.Signals, tmp_path: Path) -> None:
    """The connections of the players stay open, and no table fails."""
    postgres = PostgresServer("fsync=off")  # the machine does not fail, only PostgreSQL
    try:
        database = postgres.new()
        with house(tmp_path, "--database", database) as server:
            load = load_and_kill(server, partial(postgres.end, sign), postgres.start, 6, 3)
            players = asyncio.run(asyncio.wait_for(load, LIMIT))
            assert server.stop() == 0
        asyncio.run(compare(database, players))
        assert server.log.count("connected again after") == 3
        serious = [line for line in server.log.splitlines() if "[error" in line or " failed" in line]
        assert serious == [], "a default port that another test uses is only a warning"
    finally:
        postgres.remove()


async def load_and_kill(
    server: Server, kill: Callable[[], None], start: Callable[[], None], many: int, kills: int
) -> dict[str, list[Player]]:
    """Play *many* tables to the end through several calls of *kill* and *start*; return the players of each
    table."""
    load = Load()
    chance = Random(1)
    tables = {
        server.new_table(options=MATCHES[number % 3], table_options=GENEROUS): number
        for number in range(many)
    }
    players = {
        id: [player(load, server, id, number, seat) for seat in range(4)] for id, number in tables.items()
    }
    begun = time.monotonic()
    load.up.set()
    tasks = [asyncio.create_task(one.play(never, load.back)) for four in players.values() for one in four]
    moments: list[int] = []
    for _ in range(kills):
        load.want(chance.randint(*BETWEEN))
        await load.enough.wait()
        assert len(finished(server)) < many, "the tables were over before all kills were done"
        load.up.clear()
        await asyncio.to_thread(kill)
        moments.append(load.acknowledged)
        await asyncio.to_thread(start)
        load.up.set()
        await eventually(lambda: {row["id"] for row in server.ask("/api/tables")[1]} == {"default", *tables})
    while finished(server) != set(tables):
        assert not [task for task in tasks if task.done()], "no program has given up"
        await asyncio.sleep(0.2)
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(outcome, asyncio.CancelledError), outcome
    for four in players.values():
        for one in four:
            if isinstance(one, HousePlayer):
                one.final = await final_view(one)
    seconds = time.monotonic() - begun
    print(f"{kills} kills after {moments} actions, {load.acknowledged} actions acknowledged, {seconds:.0f} s")  # noqa: T201
    return players


def player(load: Load, server: Server, id: str, number: int, seat: int) -> Player:
    """Return the program for *seat*: programs of both protocols play at every table."""
    name = f"{NAMES[seat]}{number}"
    if (number + seat) % 2:
        return HousePlayer(load, f"{server.ws}/house/{id}", name, seat)
    return TrendPlayer(load, f"{server.ws}/t/{id}", name, seat)


def never(frame: Frame) -> bool:
    return False


def finished(server: Server) -> set[str]:
    """Return the tables whose match is over."""
    return {row["table"] for row in server.ask("/api/matches?limit=200")[1]}


async def final_view(one: HousePlayer) -> Plain:
    """Return the view that the server sends this player after the match."""
    one.last = None
    async with aiohttp.ClientSession() as session, asyncio.timeout(TIMEOUT):
        socket = await one.open(session)
        joined = False
        async for frame in frames_of(socket):
            joined = joined or frame["type"] == "joined"
            if joined and frame["type"] == "view":
                return {
                    key: value
                    for key, value in frame["view"].items()
                    if key not in ("seat", "to_act", "legal")
                }
    raise AssertionError("no view")


# Comparison of received frames with stored entries.


async def compare(database: Path | str, tables: dict[str, list[Player]]) -> None:
    store = await open_store(database, read_only=True)
    totals = Totals()
    for id, players in tables.items():
        await compare_table(store, id, players, totals)
    await store.close()
    print(totals)  # noqa: T201
    assert totals.lost == totals.doubled == 0
    assert totals.results > len(tables)
    assert totals.acknowledged >= len(tables) * 4 * 13 * 3, "most actions were acknowledged"


@dataclass
class Totals:
    """The totals over all tables."""

    stored: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    events: int = 0
    repeated: int = 0
    """Events that were sent again to a client that reconnected, with the same numbers."""
    results: int = 0
    """Programs that received the whole result of the match."""


async def compare_table(store: Store, id: str, players: list[Player], totals: Totals) -> None:
    row = await store.table(id)
    match = await store.match(f"{id}-1")
    assert row is not None
    assert row.closed is None
    assert match is not None
    assert match.result is not None
    assert match.last is not None
    hearts = find_game("hearts")
    entries = [journal.decode(line) for line in await store.log(id, match.first, match.last)]
    config = msgspec.json.decode(row.config, type=TableSpec)
    written = journal.record_of(hearts, hearts.options.read(config.options), config.seed, entries)
    events: list[Event] = []
    final = record.replay(written, hearts, events=events)
    assert final.over()
    assert final.scores() == msgspec.json.decode(match.result)
    assert {entry.by for entry in entries if isinstance(entry, journal.Acted)} == {""}, (
        "no stand-in has acted"
    )
    assert {finding.kind for finding in record.verify(written, hearts)} == {"proved"}
    for seat, one in enumerate(players):
        acted = [
            entry.actions for entry in entries if isinstance(entry, journal.Acted) and entry.seat == seat
        ]
        totals.stored += len(acted)
        if isinstance(one, HousePlayer):
            compare_house(one, acted, [event for event in events if event.heard_by(seat)], totals)
            assert digest(one.final) == digest(final.view(seat).facts())
        else:
            deals = config.options.get("deals", 4)
            assert isinstance(deals, int)
            compare_trend(one, seat, deals, events, entries, totals)
            assert set(one.counted) <= {0}
            if len(one.results) == config.options.get(
                "match_games", 4
            ):  # otherwise it missed the end of a game because of a kill
                told = [sum(game[player.name] for game in one.results.values()) for player in players]
                assert digest(told) == digest(final.scores())
                totals.results += 1


def compare_house(one: HousePlayer, acted: list[list[str]], heard: list[Event], totals: Totals) -> None:
    """Check that answer n is the n-th entry of the seat, and event n the n-th event that it may receive."""
    assert one.refused == []
    for turn, actions in one.accepted.items():
        totals.acknowledged += 1
        totals.lost += turn > len(acted) or acted[turn - 1] != actions
    for number, event in one.events.items():
        totals.events += 1
        assert event == msgspec.json.decode(msgspec.json.encode(heard[number - 1].plain())), number
    totals.repeated += one.repeated


def compare_trend(
    one: TrendPlayer,
    seat: int,
    deals: int,
    events: list[Event],
    entries: list[journal.AnyEntry],
    totals: Totals,
) -> None:
    """Check that every card received, own or not, is in the record exactly once and in the same order."""
    played: list[tuple[Deal, str]] = []
    passed: dict[Deal, list[str]] = {}
    deal = 0, 0
    for entry in entries:
        match entry:
            case journal.Committed():
                deal = (entry.deal - 1) // deals + 1, (entry.deal - 1) % deals + 1
            case journal.Acted() if entry.seat == seat:
                played += [(deal, word[5:]) for word in entry.actions if word.startswith("play ")]
                if entry.actions[0].startswith("pass "):
                    passed[deal] = [word[5:] for word in entry.actions]
    totals.acknowledged += len(one.played) + len(one.passed)
    totals.doubled += len(played) - len(set(played))
    totals.lost += sum(passed.get(deal) != cards for deal, cards in one.passed.items())
    totals.lost += len(set(one.played) - set(played))
    told = set(one.played)
    assert [card for card in played if card in told] == one.played, "in the same order, each once"
    totals.events += len(one.table)
    assert set(one.table.items()) <= set(plays(events, one).items())


def plays(events: list[Event], one: TrendPlayer) -> dict[tuple[Deal, int, str], str]:
    """Return every card of the match by deal, round and player."""
    number = one.name.removeprefix(NAMES[one.seat_number])
    found: dict[tuple[Deal, int, str], str] = {}
    game = deal = round = 0
    for event in events:
        match event.plain():
            case {"kind": "game_started", "game": int(game)}:
                pass
            case {"kind": "deal_started", "deal": int(deal)}:
                pass
            case {"kind": "round_started", "round": int(round)}:
                pass
            case {"kind": "played", "seat": int(seat), "card": str(card)}:
                found[(game, deal), round, NAMES[seat] + number] = card
    return found
