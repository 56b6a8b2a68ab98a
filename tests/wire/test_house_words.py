"""The house protocol in words: views and events of every game as text, and answers as text."""

from __future__ import annotations

import re
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.core.words import PlainWords, Texts
from croupier.games import game as find_game
from croupier.games import names, words_of
from croupier.table.setup import setup_of
from croupier.testing.house import Client, VirtualTable
from croupier.testing.tables import without_pauses
from croupier.texts import house
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec

Frame = dict[str, Any]
SAID = {"hand", "table", "last", "scores", "question"}


def table(name: str, seed: str, seats: int | None = None) -> VirtualTable:
    game = find_game(name)
    kinds = ["open"] * (seats or max(game.seats))
    options = game.table_options.read(without_pauses(game))
    return VirtualTable(
        setup_of("t", game, TableSpec(kinds, game.options.read({**game.short}), options, seed))
    )


def connect(wired: VirtualTable, type_: str, **members: object) -> Client:
    client = wired.connect(partial(HouseConversation, words_in=partial(words_of, wired.table.game)))
    client.send({"type": type_, "views": "all", "words": True, **members})
    return client


def seated(wired: VirtualTable) -> list[Client]:
    many = len(wired.table.places)
    return [connect(wired, "join", name=f"p{seat}", token=f"t{seat}") for seat in range(many)]


def check(frames: list[Frame]) -> None:
    """Check that every frame with a view or an event has words for it."""
    for frame in frames:
        if frame["type"] == "event":
            assert isinstance(frame["words"], str)
        if "view" in frame and "words" in frame["view"]:
            said = frame["view"]["words"]
            assert set(said) == SAID
            assert (said["question"] is None) == (not frame["view"]["legal"])
            assert len({len(row) for row in said["scores"]}) == 1, "all rows have the same number of columns"


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_all_events_are_told_in_words_to_players_and_watchers(name: str) -> None:
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
        check(client.read())
        answer_at_random(wired, client, rng)
    else:
        raise AssertionError("the match did not end")
    for client in (*clients, watcher):
        check(client.read())
    told = [msgspec.json.decode(frame) for frame in watcher.frames]
    assert sum(1 for frame in told if frame["type"] == "event" and frame["words"]) > 10
    assert sum(1 for frame in told if "words" in frame.get("view", {})) > 10


def answer_at_random(wired: VirtualTable, client: Client, rng: Random) -> None:
    seat = client.conversation.seat
    asked = wired.table.asked(seat)
    assert asked is not None
    legal = wired.table.view(seat).legal
    action = wired.table.game.actions.name(rng.choice(legal))
    client.send({"type": "act", "turn": asked.turn, "actions": [action]})


def missed(name: str) -> list[Frame]:
    """Return the frames, from `joined` on, of a player who was away for twenty rounds of answers."""
    rng = Random(name)
    wired = table(name, "2")
    clients = seated(wired)
    absent = next((one for one in clients if not wired.table.asked(one.conversation.seat)), clients[0])
    seat = absent.conversation.seat
    heard = [frame["number"] for frame in absent.read() if frame["type"] == "event"]
    absent.drop()
    others = [client for client in clients if client is not absent]
    for _ in range(20):
        for client in others:
            if wired.table.asked(client.conversation.seat):
                answer_at_random(wired, client, rng)
    back = connect(wired, "join", name=f"p{seat}", token=f"t{seat}", last=max(heard, default=0))
    frames = back.read()
    assert any(frame["type"] == "joined" and frame["back"] for frame in frames)
    return frames[[frame["type"] for frame in frames].index("joined") :]


@pytest.mark.parametrize("name", names())
def test_a_returning_player_gets_the_missed_events_in_words(name: str) -> None:
    check(missed(name))


def test_missed_events_have_words() -> None:
    told = [frame["words"] for frame in missed("coinche") if frame["type"] == "event"]
    assert re.match(r"p0: (pass|\d+|capot|generale)", told[0])


def test_words_are_sent_only_on_request() -> None:
    wired = table("hearts", "1")
    client = wired.connect(partial(HouseConversation, words_in=partial(words_of, wired.table.game)))
    client.send({"type": "join", "name": "ann", "views": "all"})
    assert not any("words" in frame or "words" in frame.get("view", {}) for frame in client.read())


def test_a_game_without_its_own_words_uses_those_of_the_protocol() -> None:
    wired = table("hearts", "1")
    client = wired.connect(HouseConversation)
    client.send({"type": "join", "name": "ann", "words": True})
    view = next(f for f in reversed(client.read()) if f["type"] == "view" and f["view"]["seat"] == 0)["view"]
    plain = PlainWords(wired.table.game, Texts(house("en")))
    assert view["words"]["table"] == plain.table(wired.table.view(0), [])


def test_words_in_another_language() -> None:
    wired = table("hearts", "1")
    client = connect(wired, "join", name="ann", language="de")
    client.read()
    for name in ("bob", "cyd", "dan"):
        connect(wired, "join", name=name)
    frames = client.read()
    said = [frame["words"] for frame in frames if frame["type"] == "event"]
    assert "Spiel 1 ist gegeben: Weitergabe nach links." in said
    asked = next(frame for frame in frames if frame["type"] == "ask")
    assert asked["view"]["words"]["question"] == "Wähle drei Karten für bob"
    client.send({"type": "act", "turn": asked["turn"], "text": "zz"})
    assert client.read()[0]["words"] == "„zz“: erwartet: Karten wie QS 10H"


def test_an_unknown_language_is_english() -> None:
    client = connect(table("hearts", "1"), "watch", language="xx")
    views = [frame["view"] for frame in client.read() if frame["type"] == "view"]
    assert views[-1]["words"]["last"] == "No trick has been taken in this deal"


# Answers in words.


def asked_at(name: str) -> tuple[VirtualTable, Client, int]:
    wired = table(name, "1")
    clients = seated(wired)
    client = next(client for client in clients if wired.table.asked(client.conversation.seat))
    asked = wired.table.asked(client.conversation.seat)
    assert asked is not None
    client.read()
    return wired, client, asked.turn


def test_an_answer_as_typed_in_a_terminal() -> None:
    wired, client, turn = asked_at("coinche")
    client.send({"type": "act", "turn": turn, "text": " 90 s ", "id": 1})
    assert client.read()[0] == {"type": "accepted", "id": 1}
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
        ({"words": 1, "type": "join", "name": "ann"}, "bad_message"),
        ({"type": "join", "name": "ann"}, "already_joined"),
    ],
)
def test_a_text_that_is_not_an_answer_is_refused(members: Frame, key: str) -> None:
    _, client, turn = asked_at("coinche")
    client.send({"type": "act", "turn": turn, **members})
    (frame,) = client.read()
    assert (frame["type"], frame["key"]) == ("refused", key)


def test_a_text_without_a_question_is_refused() -> None:
    wired = table("coinche", "1")
    clients = seated(wired)
    idle = next(client for client in clients if not wired.table.asked(client.conversation.seat))
    idle.read()
    idle.send({"type": "act", "turn": 0, "text": "p"})
    assert idle.read()[0]["key"] == "stale"


@pytest.mark.parametrize("type_", ["join", "watch"])
def test_words_is_true_or_false(type_: str) -> None:
    client = table("hearts", "1").connect(HouseConversation)
    client.read()
    client.send({"type": type_, "name": "ann", "words": "yes"})
    assert client.read()[0]["key"] == "bad_message"


@pytest.mark.parametrize("name", names())
def test_any_text_of_a_player_gets_an_answer(name: str) -> None:
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
        assert client.read()[0]["type"] in ("accepted", "refused")
