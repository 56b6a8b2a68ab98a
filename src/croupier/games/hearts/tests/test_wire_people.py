"""Sections 5 and 6 of the spec: closing, dummies, people, spectators, and arbitrary input."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.bots.strengths import filler
from croupier.games import game
from croupier.games.hearts.tests.programs import (
    KEYS,
    OWNER_ONLY,
    Frame,
    Program,
    four,
    play_on,
    setup,
    table,
)
from croupier.games.hearts.wire import HeartsConversation, HeartsWatch
from croupier.testing.house import Client, VirtualTable
from croupier.testing.strategies import examples
from croupier.wire.bot_names import bot_name
from croupier.wire.house import HouseConversation
from croupier.wire.talk import Uses

# Closing, dummies, people, spectators.


def test_clients_are_told_when_a_table_closes_during_a_game() -> None:
    wired, programs = table()
    stranger = Program(wired)
    wired.close("the house closes")
    assert all(p.last == {"eventName": "game_stop", "data": {"reason": "the house closes"}} for p in programs)
    assert stranger.frames == []


def test_clients_are_not_told_when_a_table_closes_after_its_game() -> None:
    wired, programs = table({"match_games": 1, "deals": 1})
    play_on(programs)
    wired.close("the house closes")
    assert programs[0].events[-1] == "match_end"


@pytest.mark.parametrize("single", [False, True])
def test_spectators_are_told_once_of_an_aborted_match(single: bool) -> None:
    wired = VirtualTable(setup(seats=["person", "bot dummy", "bot dummy", "bot dummy"], single=single))
    _, frames = watcher(wired)
    zoe = wired.connect(HouseConversation)
    zoe.send({"type": "join", "name": "zoe", "person": True})
    zoe.send({"type": "leave"})
    stops = [frame for frame in frames() if frame["eventName"] == "game_stop"]
    assert stops == [{"eventName": "game_stop", "data": {"reason": "abandoned"}}]


def test_a_bot_in_the_seat_of_a_person_who_left_is_told_in_new_peer() -> None:
    wired = VirtualTable(setup(seats=["open", "open", "open", "person"]))
    zoe = wired.connect(HouseConversation)
    zoe.send({"type": "join", "name": "zoe", "person": True})
    ann, *_ = [Program(wired, name) for name in ("ann", "bob", "cyd")]
    assert ann.find("new_game")["players"][3]["playerName"] == "zoe"
    zoe.send({"type": "leave"})
    assert ann.events[-1] == "new_peer"
    name = bot_name(3, filler(game("hearts")))
    assert ann.last["data"]["players"][3] == {"playerNumber": 4, "playerName": name, "status": 0}
    assert "game_stop" not in ann.events


def test_dummies_sit_at_the_table_from_the_start() -> None:
    wired = VirtualTable(setup({"match_games": 1}, seats=["open", "bot dummy", "bot dummy", "bot dummy"]))
    ann = Program(wired, "ann", 1)
    assert [player["playerName"] for player in ann.frames[0]["data"]["players"]] == [
        *["ann", "player2", "player3", "player4"]
    ]
    play_on([ann])
    assert ann.events[-1] == "match_end"
    assert {player["status"] for player in ann.find("deal_end")["players"]} == {0}
    dummy = ann.find("deal_end")["players"][1]
    assert dummy["serverRandom"] is False
    dummies = [
        frame["data"]["players"][1] for frame in ann.frames if frame["eventName"] == "deal_end"
    ]  # by deal; in the fourth no cards are passed
    picked = [dummy["pickedCards"] for dummy in dummies]
    assert picked == [*(dummy["initialCards"][:3] for dummy in dummies[:3]), []]


def watcher(wired: VirtualTable) -> tuple[Client, Callable[[], list[Frame]]]:
    client = wired.connect(HeartsWatch)
    return client, lambda: [msgspec.json.decode(frame) for frame in client.frames]


def test_a_spectator_gets_every_broadcast_without_private_cards() -> None:  # 6.4
    wired = VirtualTable(setup({"match_games": 1}))
    client, frames = watcher(wired)
    assert frames() == [], "no seat is taken yet"
    programs = four(wired)
    client.send('{"eventName": "join", "data": {"playerName": "eve"}}')
    play_on(programs)
    private = {"pass_cards", "receive_opponent_cards", "expose_cards", "your_turn"}
    broadcasts = [frame for frame in programs[0].frames if frame["eventName"] not in private]
    assert [frame["eventName"] for frame in frames()] == [frame["eventName"] for frame in broadcasts]
    for mine, anns in zip(frames(), broadcasts, strict=True):
        assert "self" not in mine["data"]
        anns["data"].pop("self", None)
        if anns["eventName"] != "deal_end":
            for player in anns["data"]["players"]:
                for key in OWNER_ONLY:
                    player.pop(key, None)
        assert mine == anns


def test_a_spectator_who_connects_later_is_told_the_seats() -> None:
    wired = VirtualTable(setup())
    four(wired)
    _, frames = watcher(wired)
    assert [frame["eventName"] for frame in frames()] == ["new_peer"]


def test_a_spectator_is_told_the_table_again_when_a_decision_is_taken_back() -> None:
    wired = VirtualTable(setup(seats=["person", "bot dummy", "bot dummy", "bot dummy"]))
    _, frames = watcher(wired)
    zoe = wired.connect(HouseConversation)
    zoe.send({"type": "join", "name": "zoe", "person": True})

    def ask() -> Frame:
        frames = (msgspec.json.decode(frame) for frame in reversed(zoe.frames))
        return next(frame for frame in frames if frame["type"] == "ask")

    def answer() -> None:
        turn = ask()["turn"]
        zoe.send({"type": "act", "turn": turn, "actions": ask()["legal"][:1]})
        while ask()["turn"] == turn:
            wired.advance(1.0)

    while ask()["view"]["phase"] != "playing":
        answer()
    count = len(frames())
    answer()
    assert frames()[count]["eventName"] == "turn_end"
    zoe.send({"type": "undo", "id": 1})
    again = [frame for frame in frames() if frame["eventName"] == "join"]
    assert len(again) == 1
    cards = {player["playerName"]: player["cardsCount"] for player in again[0]["data"]["players"]}
    assert cards["zoe"] == 13
    assert "self" not in again[0]["data"]


def test_at_an_open_table_a_spectator_sees_all_hands() -> None:
    wired = VirtualTable(setup({"match_games": 1, "deals": 1}, watch_open=True))
    _, frames = watcher(wired)
    programs = four(wired)
    play_on(programs)
    for frame in frames():
        if "dealNumber" not in frame["data"]:
            continue
        event = frame["eventName"]
        for player in frame["data"]["players"]:
            hidden = {"initialCards"} if event != "deal_end" else set()
            assert list(player) == [key for key in KEYS if key not in hidden], event
            assert len(player["cards"]) == player["cardsCount"], event
    events = [frame["eventName"] for frame in frames()]
    assert events.count("new_deal") == 1
    assert events[-1] == "match_end"


# Arbitrary input.

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters() | st.just("\ud800"), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
EVENTS = st.sampled_from(["join", "pass_my_cards", "expose_my_cards", "pick_card", "stop_game"])
MEMBERS = st.sampled_from(
    ["dealNumber", "roundNumber", "cards", "turnCard", "playerName", "playerNumber", "token"]
)
VALUES = JSON | st.sampled_from([1, "1", ["AH"], [], "2C", ["2C", "3C", "4C"]])
FRAMES = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60),
    JSON,
    st.fixed_dictionaries(
        {"eventName": EVENTS | JSON, "data": JSON | st.dictionaries(MEMBERS, VALUES, max_size=4)}
    ),
)
READY = VirtualTable(setup())
four(READY)


@examples(300)
@given(FRAMES, st.integers(-2, 3))
def test_receive_never_raises(frame: object, seat: int) -> None:
    conversation = HeartsConversation(READY.table)
    conversation.seat = seat if seat >= 0 else -2
    data = frame if isinstance(frame, str | bytes) else json.dumps(frame)
    outputs = conversation.receive(data, READY.now)
    assert len([one for one in outputs if not isinstance(one, Uses)]) <= 1
    assert HeartsWatch(READY.table).receive(data, READY.now) == []
