"""Watchers of a table with a delay see everything later, and nothing of what has happened since."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.core.contract import WATCHER
from croupier.core.options import BadOptions
from croupier.games import game as find_game
from croupier.games import names
from croupier.games.hearts.wire import HeartsWatch
from croupier.table.setup import LONGEST_DELAY, setup_of
from croupier.testing.house import Client, VirtualTable
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec

LATER = 30
Frames = list[tuple[float, str]]


def table(game: str, delay: int, seats: list[str] | None = None, **how: Any) -> VirtualTable:
    """Return a table with the usual pauses, which has to be started."""
    kind = find_game(game)
    kinds = seats or ["bot heuristic"] * kind.seats[-1]
    how = {"seed": "3", "start": False, **how}
    return VirtualTable(setup_of("t1", kind, TableSpec(kinds, watch_delay=delay, **how)))


def listen(wired: VirtualTable) -> dict[Client, Frames]:
    """Record from now on what is sent to every client, and when."""
    heard: dict[Client, Frames] = {}
    wired.on_frame = lambda client, frame: heard.setdefault(client, []).append((wired.now, same(frame)))
    return heard


def same(frame: str) -> str:
    """Return *frame* as it would be at a table without delay."""
    return frame.replace(f'"watch_delay":{LATER}', '"watch_delay":0')


def watcher(wired: VirtualTable) -> Client:
    client = wired.connect(HouseConversation)
    client.send({"type": "watch", "views": "all"})
    return client


def arrival(wired: VirtualTable) -> list[str]:
    """Return what a new watcher is shown now."""
    client = wired.connect(HouseConversation)
    client.drop()
    return [same(frame) for frame in client.frames]


@pytest.mark.slow
@pytest.mark.parametrize("watch_open", [False, True])
@pytest.mark.parametrize("game", names())
def test_watchers_are_told_the_same_with_a_delay(game: str, watch_open: bool) -> None:
    heard: dict[int, Frames] = {}
    arrivals: dict[int, list[list[str]]] = {}
    for delay in (0, LATER):
        wired = table(game, delay, watch_open=watch_open)
        client = watcher(wired)
        frames = listen(wired)
        client.send({"type": "start"})
        wired.advance(delay)
        arrivals[delay] = []
        for _ in range(4):
            wired.advance(7.3)
            arrivals[delay].append(arrival(wired))
        pressed, answered, *then = frames[client]  # before the match there is no delay
        assert pressed[0] == answered[0] == 1000
        heard[delay] = [(round(at - delay, 3), frame) for at, frame in then]
    assert len(heard[0]) > 10
    assert heard[LATER] == heard[0]
    assert arrivals[LATER] == arrivals[0]
    assert ('"open":' in arrivals[LATER][-1][1]) == watch_open


def test_players_are_told_without_a_delay() -> None:
    heard: list[Frames] = []
    for delay in (0, LATER):
        wired = table("hearts", delay, ["open", *["bot heuristic"] * 3], start=True)
        watcher(wired)
        client = wired.connect(HouseConversation)
        frames = listen(wired)
        client.send({"type": "join", "name": "ann", "token": "t", "views": "all"})
        wired.advance(60)
        heard.append(frames[client])
    assert heard[0] == heard[1]
    assert any('"type":"ask"' in frame for _, frame in heard[0])


@pytest.mark.parametrize("watch_open", [False, True])
def test_a_watcher_learns_nothing_of_the_time_since(watch_open: bool) -> None:
    """Two tables are equal until a player passes different cards; watchers see it after the delay."""
    worlds = []
    for cards in (slice(0, 3), slice(3, 6)):
        wired = table("hearts", LATER, ["open", *["bot heuristic"] * 3], start=True, watch_open=watch_open)
        client = watcher(wired)
        spectator = wired.connect(HeartsWatch)
        player = wired.connect(HouseConversation)
        player.send({"type": "join", "name": "ann", "token": "t"})
        while not (asked := [frame for frame in player.read() if frame["type"] == "ask"]):
            wired.advance(0.1)
        frames = listen(wired)
        player.send({"type": "act", "turn": asked[0]["turn"], "actions": asked[0]["legal"][cards]})
        decided = wired.now
        wired.advance(LATER - 0.1)
        before = [*frames[client], *frames[spectator]]
        worlds.append((before, arrival(wired), frames[client], decided))
        wired.advance(30)
    (one, came, after, decided), (other, came_too, after_too, decided_too) = worlds
    assert decided == decided_too
    assert (one, came) == (other, came_too)
    assert len(after) > len(one) // 2
    assert after != after_too


def test_seats_are_shown_without_a_delay_between_matches() -> None:
    wired = table("hearts", LATER, ["open"] * 4)
    client = watcher(wired)
    client.read()
    wired.connect(HouseConversation).send({"type": "join", "name": "ann", "token": "t"})
    told = client.read()
    assert [frame["type"] for frame in told] == ["table"]
    assert told[0]["seats"][0]["name"] == "ann"
    assert (told[0]["watch_delay"], wired.table.for_watchers.phase) == (LATER, "gathering")


def test_a_watcher_becomes_a_player_by_joining_and_a_watcher_again_by_leaving() -> None:
    wired = table("hearts", LATER, ["open", *["bot heuristic"] * 3], start=True)
    client = wired.connect(HouseConversation)
    client.send({"type": "join", "name": "ann", "token": "t"})
    wired.advance(5)
    assert client.read()[-1]["type"] == "ask"
    other = wired.connect(HouseConversation)
    assert other.read()[0]["phase"] == "gathering"
    client.send({"type": "leave"})
    client.send({"type": "watch"})
    assert client.read()[-1]["view"]["phase"] == other.conversation.info.view(-2).facts()["phase"]


def test_watchers_see_the_full_time_of_a_clock() -> None:
    wired = table("hearts", LATER, ["open", *["bot heuristic"] * 3], start=True)
    client = watcher(wired)
    player = wired.connect(HouseConversation)
    player.send({"type": "join", "name": "ann", "token": "t", "person": True})
    wired.advance(5 + LATER)
    seconds = [frame["seconds"] for frame in client.read() if frame["type"] == "turn"]
    asked = [frame["seconds"] for frame in player.read() if frame["type"] == "ask"]
    assert seconds[0] == asked[0] > 0


def test_watchers_are_told_of_the_closing_without_a_delay() -> None:
    wired = table("hearts", LATER)
    client = watcher(wired)
    client.send({"type": "start"})
    client.read()
    wired.close("enough")
    assert [frame["type"] for frame in client.read()] == ["closed"]


@pytest.mark.parametrize("watch_open", [False, True])
def test_after_a_restart_the_match_is_shown_when_the_delay_has_passed(watch_open: bool) -> None:
    wired = table("hearts", LATER, start=True, watch_open=watch_open)
    wired.advance(40)
    before = wired.table
    wired.restart()
    live = wired.table.view(WATCHER).facts()
    client = watcher(wired)
    shown, view, *_ = client.read()
    assert shown["phase"] == "playing"
    assert [seat["name"] for seat in shown["seats"]] == [place.name for place in before.places]
    assert (view["view"]["deals"], view["view"]["round"]) == ([], 0)
    wired.advance(LATER - 0.1)
    assert client.read() == []
    wired.advance(0.1)
    told = client.read()
    assert [frame["type"] for frame in told[:3]] == ["view", "table", "commit"]
    assert {**told[0]["view"], **msgspec.to_builtins(live)} == told[0]["view"]
    assert ("open" in told[0]["view"]) == watch_open
    assert wired.table.for_watchers.number(WATCHER) == told[0]["number"] > 0


def test_the_delay_is_limited() -> None:
    hearts = find_game("hearts")
    with pytest.raises(
        BadOptions, match=f"watch_delay={LONGEST_DELAY + 1}: expected 0…{LONGEST_DELAY} seconds"
    ):
        setup_of("t1", hearts, TableSpec(["open"] * 4, watch_delay=LONGEST_DELAY + 1))
