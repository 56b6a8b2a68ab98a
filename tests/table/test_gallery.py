"""Watchers of a table that says so see everything a while later, and nothing of what came after."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.core.options import BadOptions
from croupier.games import game as find_game
from croupier.games import names
from croupier.games.hearts.wire import HeartsWatch
from croupier.table.effects import Setup
from croupier.table.hall import LONGEST_DELAY, Config, setup_of
from croupier.table.table import Table
from croupier.testing.wired import Client, WiredTable
from croupier.wire.house import HouseConversation

LATER = 30
Frames = list[tuple[float, str]]


def table(game: str, delay: int, seats: list[str] | None = None, **how: Any) -> WiredTable:
    """Return a table with the pauses of everyday play, which waits to be started."""
    kind = find_game(game)
    kinds = seats or ["bot heuristic"] * kind.seats[-1]
    options, pauses = kind.options.read({}), kind.table_options.read({})
    how = {"seed": "3", "start": False, **how}
    return WiredTable(Setup("t1", kind, options, pauses, kinds, watch_delay=delay, **how))


def listen(wired: WiredTable) -> dict[Client, Frames]:
    """Note from now on what every client is sent, and when."""
    heard: dict[Client, Frames] = {}
    wired.on_frame = lambda client, frame: heard.setdefault(client, []).append((wired.now, same(frame)))
    return heard


def same(frame: str) -> str:
    """Return *frame* as it is at a table without delay."""
    return frame.replace(f'"watch_delay":{LATER}', '"watch_delay":0')


def watcher(wired: WiredTable) -> Client:
    client = wired.connect(HouseConversation)
    client.send({"type": "watch", "views": "all"})
    return client


def arrival(wired: WiredTable) -> list[str]:
    """Return what somebody is shown who comes to watch now."""
    client = wired.connect(HouseConversation)
    client.drop()
    return [same(frame) for frame in client.frames]


@pytest.mark.slow
@pytest.mark.parametrize("watch_open", [False, True])
@pytest.mark.parametrize("game", names())
def test_watchers_hear_the_same_as_always_only_later(game: str, watch_open: bool) -> None:
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
        pressed, answered, *then = frames[client]  # before the match begins nothing waits
        assert pressed[0] == answered[0] == 1000
        heard[delay] = [(round(at - delay, 3), frame) for at, frame in then]
    assert len(heard[0]) > 10
    assert heard[LATER] == heard[0]
    assert arrivals[LATER] == arrivals[0]
    assert ('"open":' in arrivals[LATER][-1][1]) == watch_open


def test_players_hear_everything_at_once() -> None:
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
def test_nothing_a_watcher_gets_depends_on_what_happened_since(watch_open: bool) -> None:
    """Two tables are the same until a player passes other cards; their watchers notice a delay later."""
    worlds = []
    for cards in (slice(0, 3), slice(3, 6)):
        wired = table("hearts", LATER, ["open", *["bot heuristic"] * 3], start=True, watch_open=watch_open)
        client = watcher(wired)
        spectator = wired.connect(HeartsWatch)
        player = wired.connect(HouseConversation)
        player.send({"type": "join", "name": "ann", "token": "t"})
        while not (asked := [frame for frame in player.take() if frame["type"] == "ask"]):
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


def test_seats_are_shown_at_once_while_no_match_is_under_way() -> None:
    wired = table("hearts", LATER, ["open"] * 4)
    client = watcher(wired)
    client.take()
    wired.connect(HouseConversation).send({"type": "join", "name": "ann", "token": "t"})
    told = client.take()
    assert [frame["type"] for frame in told] == ["table"]
    assert told[0]["seats"][0]["name"] == "ann"
    assert (told[0]["watch_delay"], wired.table.gallery.phase) == (LATER, "gathering")


def test_who_sits_down_is_no_watcher_any_more_and_who_leaves_is_one_again() -> None:
    wired = table("hearts", LATER, ["open", *["bot heuristic"] * 3], start=True)
    client = wired.connect(HouseConversation)
    client.send({"type": "join", "name": "ann", "token": "t"})
    wired.advance(5)
    assert client.take()[-1]["type"] == "ask"
    other = wired.connect(HouseConversation)
    assert other.take()[0]["phase"] == "gathering"
    client.send({"type": "leave"})
    client.send({"type": "watch"})
    assert client.take()[-1]["view"]["phase"] == other.conversation.face.view(-2).facts()["phase"]


def test_a_clock_that_watchers_see_later_runs_as_long() -> None:
    wired = table("hearts", LATER, ["open", *["bot heuristic"] * 3], start=True)
    client = watcher(wired)
    player = wired.connect(HouseConversation)
    player.send({"type": "join", "name": "ann", "token": "t", "person": True})
    wired.advance(5 + LATER)
    seconds = [frame["seconds"] for frame in client.take() if frame["type"] == "turn"]
    asked = [frame["seconds"] for frame in player.take() if frame["type"] == "ask"]
    assert seconds[0] == asked[0] > 0


def test_the_end_of_a_table_does_not_wait() -> None:
    wired = table("hearts", LATER)
    client = watcher(wired)
    client.send({"type": "start"})
    client.take()
    wired.close("enough")
    assert [frame["type"] for frame in client.take()] == ["closed"]


@pytest.mark.parametrize("watch_open", [False, True])
def test_after_a_restart_the_match_is_shown_when_the_delay_has_passed(watch_open: bool) -> None:
    wired = table("hearts", LATER, start=True, watch_open=watch_open)
    wired.advance(40)
    again = table("hearts", LATER, start=True, watch_open=watch_open)
    again.table = Table(again.table.setup, lambda match, deal: bytes(32), lambda: "")
    assert again.table.restore(wired.journal, again.now) == []
    live = again.table.view(-2).facts()
    again.advance(0)
    client = watcher(again)
    shown, view, *_ = client.take()
    assert (shown["phase"], [seat["name"] for seat in shown["seats"]]) == (
        "playing",
        list(wired.table.players),
    )
    assert (view["view"]["deals"], view["view"]["round"]) == ([], 0)
    again.advance(LATER - 0.1)
    assert client.take() == []
    face = again.table.gallery
    again.advance(0.1)
    told = client.take()
    assert [frame["type"] for frame in told[:3]] == ["view", "table", "commit"]
    assert {**told[0]["view"], **msgspec.to_builtins(live)} == told[0]["view"]
    assert ("open" in told[0]["view"]) == watch_open
    assert face.number(-2) == told[0]["number"] > 0


def test_a_delay_has_limits() -> None:
    hearts = find_game("hearts")
    with pytest.raises(
        BadOptions, match=f"watch_delay={LONGEST_DELAY + 1}: expected 0…{LONGEST_DELAY} seconds"
    ):
        setup_of("t1", hearts, Config(["open"] * 4, watch_delay=LONGEST_DELAY + 1))
