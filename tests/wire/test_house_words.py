"""The house protocol in words: every view and event of every game can be told, and words can be answered."""

from __future__ import annotations

import re
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.core.words import PlainWords
from croupier.games import game as find_game
from croupier.games import names, words_of
from croupier.table.effects import Setup
from croupier.testing.wired import Client, WiredTable
from croupier.wire.house import HouseConversation

Frame = dict[str, Any]
SHORT: dict[str, dict[str, object]] = {
    "hearts": {"deals": 2, "match_games": 1},
    "tarock": {"deals": 3},
    "coinche": {"target": 2000},
    "taroky": {"hands": 3},
    "sagrada": {"rounds": 3},
}
SAID = {"hand", "table", "last", "scores", "question"}


def table(name: str, seed: str, seats: int | None = None) -> WiredTable:
    game = find_game(name)
    pauses = {name: 0 for name in game.table_options.options if "pause" in name}
    pauses |= {"command_interval": 0, "round_interval": 0, "deal_interval": 0} if name == "hearts" else {}
    kinds = ["open"] * (seats or max(game.seats))
    options = game.table_options.read(pauses)
    return WiredTable(Setup("t", game, game.options.read(SHORT[name]), options, kinds, seed))


def connect(wired: WiredTable, type_: str, **members: object) -> Client:
    client = wired.connect(partial(HouseConversation, teller=words_of(wired.table.game)))
    client.send({"type": type_, "views": "all", "words": True, **members})
    return client


def seated(wired: WiredTable) -> list[Client]:
    many = len(wired.table.places)
    return [connect(wired, "join", name=f"p{seat}", token=f"t{seat}") for seat in range(many)]


def check(frames: list[Frame]) -> None:
    """Every frame that has a view or an event has words for it."""
    for frame in frames:
        if frame["type"] == "event":
            assert isinstance(frame["words"], str)
        if "view" in frame and "words" in frame["view"]:
            said = frame["view"]["words"]
            assert set(said) == SAID
            assert (said["question"] is None) == (not frame["view"]["legal"])
            assert len({len(row) for row in said["scores"]}) == 1, "a table has straight columns"


@pytest.mark.parametrize("name", names())
def test_whatever_happens_is_told_in_words_to_players_and_watchers(name: str) -> None:
    rng = Random(name)
    wired = table(name, "1")
    watcher = connect(wired, "watch")
    clients = seated(wired)
    for _ in range(5000):
        asked = [client for client in clients if wired.table.asked(client.conversation.seat)]
        if not asked:
            if wired.table.phase != "playing":
                break
            wired.advance(10.0)
            continue
        client = rng.choice(asked)
        check(client.take())
        answer_at_random(wired, client, rng)
    else:
        raise AssertionError("the match has no end")
    for client in (*clients, watcher):
        check(client.take())
    told = [msgspec.json.decode(frame) for frame in watcher.frames]
    assert sum(1 for frame in told if frame["type"] == "event" and frame["words"]) > 10


def answer_at_random(wired: WiredTable, client: Client, rng: Random) -> None:
    seat = client.conversation.seat
    asked = wired.table.asked(seat)
    assert asked is not None
    legal = wired.table.view(seat).legal
    action = wired.table.game.actions.name(rng.choice(legal))
    client.send({"type": "act", "turn": asked.turn, "actions": [action]})


@pytest.mark.parametrize("name", names())
def test_whoever_comes_back_reads_what_was_missed(name: str) -> None:
    rng = Random(name)
    wired = table(name, "2")
    clients = seated(wired)
    absent = next((one for one in clients if not wired.table.asked(one.conversation.seat)), clients[0])
    seat = absent.conversation.seat
    heard = [frame["number"] for frame in absent.take() if frame["type"] == "event"]
    absent.drop()
    others = [client for client in clients if client is not absent]
    for _ in range(20):
        for client in others:
            if wired.table.asked(client.conversation.seat):
                answer_at_random(wired, client, rng)
    back = connect(wired, "join", name=f"p{seat}", token=f"t{seat}", last=max(heard, default=0))
    frames = back.take()
    assert any(frame["type"] == "joined" and frame["back"] for frame in frames)
    seen = frames[[frame["type"] for frame in frames].index("joined") :]
    check(seen)
    if name == "coinche":
        told = [frame["words"] for frame in seen if frame["type"] == "event"]
        assert re.match(r"p0: (pass|\d+|capot|generale)", told[0])


def test_without_asking_for_words_there_are_none() -> None:
    wired = table("hearts", "1")
    client = wired.connect(partial(HouseConversation, teller=words_of(wired.table.game)))
    client.send({"type": "join", "name": "ann", "views": "all"})
    assert not any("words" in frame or "words" in frame.get("view", {}) for frame in client.take())


def test_a_game_without_words_of_its_own_is_told_in_those_of_the_protocol() -> None:
    wired = table("hearts", "1")
    client = wired.connect(HouseConversation)
    client.send({"type": "join", "name": "ann", "words": True})
    view = next(f for f in reversed(client.take()) if f["type"] == "view" and f["view"]["seat"] == 0)["view"]
    assert view["words"]["table"] == PlainWords(wired.table.game).table(wired.table.view(0), [])


# Answers in words.


def asked_at(name: str) -> tuple[WiredTable, Client, int]:
    wired = table(name, "1")
    clients = seated(wired)
    client = next(client for client in clients if wired.table.asked(client.conversation.seat))
    asked = wired.table.asked(client.conversation.seat)
    assert asked is not None
    client.take()
    return wired, client, asked.turn


def test_an_answer_in_the_words_of_a_terminal() -> None:
    wired, client, turn = asked_at("coinche")
    client.send({"type": "act", "turn": turn, "text": " 90 s ", "id": 1})
    assert client.take()[0] == {"type": "accepted", "id": 1}
    assert wired.table.view(0).facts()["contract"] is not None


@pytest.mark.parametrize(
    ("members", "key"),
    [
        ({"text": "ninety spades"}, "unknown_action"),
        ({"text": ""}, "unknown_action"),
        ({"text": "60 s"}, "unknown_action"),
        ({"text": "c"}, "no_contract"),
        ({"text": 7}, "bad_message"),
        ({"text": "p" * 501}, "bad_message"),
        ({"text": "p", "turn": -1}, "bad_message"),
        ({"text": "p", "turn": 99}, "stale"),
        ({"words": 1, "type": "join"}, "already_joined"),
    ],
)
def test_words_that_answer_nothing(members: Frame, key: str) -> None:
    _, client, turn = asked_at("coinche")
    client.send({"type": "act", "turn": turn, **members})
    (frame,) = client.take()
    assert (frame["type"], frame["key"]) == ("refused", key)


def test_words_when_nothing_is_asked() -> None:
    wired = table("coinche", "1")
    clients = seated(wired)
    idle = next(client for client in clients if not wired.table.asked(client.conversation.seat))
    idle.take()
    idle.send({"type": "act", "turn": 0, "text": "p"})
    assert idle.take()[0]["key"] == "stale"


@pytest.mark.parametrize("type_", ["join", "watch"])
def test_words_is_true_or_false(type_: str) -> None:
    client = table("hearts", "1").connect(HouseConversation)
    client.take()
    client.send({"type": type_, "name": "ann", "words": "yes"})
    assert client.take()[0]["key"] == "bad_message"


@pytest.mark.parametrize("name", names())
def test_no_words_of_a_player_are_too_strange(name: str) -> None:
    rng = Random(name)
    wired, client, _ = asked_at(name)
    alphabet = "0123456789abcdhjkqrstuvxyT♥♠é ,;.-?"
    pieces = ["play", "pass", "y", "n", "contract", "tool", "place", "take", "announce", "kontra", "window"]
    for _ in range(300):
        asked = wired.table.asked(client.conversation.seat)
        if asked is None:
            break
        words = rng.sample(pieces, rng.randrange(3))
        words.append("".join(rng.choice(alphabet) for _ in range(rng.randrange(6))))
        client.send({"type": "act", "turn": asked.turn, "text": " ".join(words)})
        assert client.take()[0]["type"] in ("accepted", "refused")
