"""Taroky over its protocol: clocks, absence, restarts and ends."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

import pytest

from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A, GAME_B
from croupier.games.taroky.tests.rooms import (
    QUICK,
    Player,
    at_table,
    deal_of,
    error,
    events,
    game,
    kinds,
    new_house,
    play_on,
    until,
)
from croupier.testing.house import Client
from croupier.testing.rooms import (
    call,
    token_of,
)

# Clocks, absence, ends.


def test_the_server_decides_when_the_time_is_up() -> None:  # 5
    house, clients = until(GAME_A, "prever")
    house.advance(29.9)
    assert kinds(clients[1]) == []
    house.advance(0.2)
    told = events(clients[1])
    assert [event["event"] for event in told] == ["prever.next"]
    assert told[0]["auto"] is True
    assert error(clients[0], "prever", prever=True) == "not_your_turn"


def test_default_actions_alone_finish_a_hand() -> None:  # 5, 10.7
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_B), hands=1)
    house.advance(30.1 * 90)
    frames = [json.loads(frame) for frame in clients[3].frames]
    result = next(frame for frame in frames if frame.get("event") == "game.taroky.result")
    assert (result["prever"], result["contra"], result["valat"], result["iote"]) == (None, [], None, None)
    autos = {frame["event"] for frame in frames if frame.get("auto")}
    assert autos == {
        f"game.taroky.{name}"
        for name in (
            "prever.next",
            "talon.next",
            "discard.next",
            "partner.finished",
            "valat.next",
            "play.next",
        )
    }
    assert all("auto" not in frame for frame in frames if "contra" in str(frame.get("event")))
    parse(result["notation"])


def statuses(client: Client) -> list[tuple[str, str]]:
    return [(event["player_id"], event["status"]) for event in events(client) if event["event"] == "status"]


def test_after_more_than_ten_expiries_a_seat_is_away_until_a_valid_command() -> None:  # 5
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=2)
    others = [Player(client, Random(1), 0.0) for client in clients[1:]]
    late = 0
    while not statuses(clients[1]):
        play_on(house, others, lambda: bool(game(clients[0], "state")["your_turn"]))
        phase = game(clients[0], "state")["phase"]
        late += phase not in ("contra", "iote", "moneycards")
        house.advance(30.0)
        assert late <= 11
    assert late == 11
    # From now on the table does not wait for it.
    before = house.now
    play_on(house, others, lambda: any(event["event"] == "result" for event in others[0].heard))
    assert house.now - before < 15.0
    assert game(clients[0], "half", take="rubbish")["error"] == "invalid_request"
    assert game(clients[0], "play", card="H1")["error"] in ("not_your_turn", "wrong_phase")
    assert house.tables()[0].places[0].away, "a refused command changes nothing"
    game(clients[0], "state")
    play_on(house, others, lambda: ("u1", "connected") in heard_statuses(others[0]))


def test_without_a_clock_a_lost_player_has_a_bot_after_twenty_seconds_too() -> None:  # 5, 8
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=1, timeout=0)
    token = token_of(clients[0])
    clients[0].drop()
    house.advance(19.9)
    assert kinds(clients[1]) == ["deal", "prever.start", "status"]
    house.advance(0.2)
    assert [event.get("status", event["event"]) for event in events(clients[1])] == ["away", "prever.next"]
    house.connect(token=token)
    assert statuses(clients[1]) == [("u1", "connected")], "sent once, independent of how the player returns"


def heard_statuses(player: Player) -> list[tuple[str, str]]:
    return [(event["player_id"], event["status"]) for event in player.heard if event["event"] == "status"]


def test_a_lost_player_has_a_bot_after_twenty_seconds_and_decides_again_when_back() -> None:  # 5
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=1, timeout=25_000)
    token = token_of(clients[0])
    clients[0].drop()
    house.advance(19.0)
    assert statuses(clients[1]) == [("u1", "disconnected")]
    house.advance(1.5)
    told = events(clients[1])
    assert [event["event"] for event in told] == ["status", "prever.next"]
    assert told[0]["status"] == "away"
    assert told[1]["auto"] is True
    back = house.connect(token=token)
    frames = back.read()
    assert frames[0]["response"] == "user.login"
    assert frames[1]["response"] == "game.taroky.state"
    assert frames[1]["hand"][0] == "S1"
    assert len(frames) == 2
    assert statuses(clients[1]) == [("u1", "connected")]
    for client in clients[1:]:
        game(client, "prever", prever=False)
    game(clients[1], "talon", action="draw")
    game(clients[2], "talon", action="draw")
    house.advance(20.0)
    assert game(back, "discard", cards=["D3", "HJ", "H3", "S1"])["response"], "the player decides again"


def test_a_player_who_leaves_is_replaced_by_a_bot_and_the_id_stays_for_the_hand() -> None:  # 5
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=2)
    for client in clients[:2]:
        game(client, "prever", prever=False)
    clients[1].take()
    assert call(clients[2], "lobby.room.leave")["response"]
    told = events(clients[1])
    assert [event["event"] for event in told[:2]] == ["status", "prever.next"]
    assert told[0] == {**told[0], "player_id": "u3", "status": "bot"}
    assert told[1]["player_id"] == "u3"
    players = [Player(clients[seat], Random(2), 0.1) for seat in (0, 1, 3)]
    play_on(house, players, lambda: any(event["event"] == "deal" for event in players[1].heard))
    deal = next(event for event in players[1].heard if event["event"] == "deal")
    assert deal["players"] == ["u2", f"bot-{house.tables()[0].id}-2", "u4", "u1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "phase", ["prever", "talon", "discard", "partner", "valat", "contra", "iote", "play"]
)
def test_a_restart_in_every_phase(phase: str) -> None:
    house, clients = until(GAME_A, phase)
    tokens = [token_of(client) for client in clients]
    before = [game(client, "state") for client in clients]
    house.restart()
    back = [house.connect(token=token) for token in tokens]
    for client in back:
        assert "game.taroky.state" in [frame.get("response") for frame in client.read()]
    after = [game(client, "state") for client in back]
    for old, new in zip(before, after, strict=True):
        assert {**old, "seq": 0, "deadline": 0} == {**new, "seq": 0, "deadline": 0}
    players = [Player(client, Random(5), 0.1) for client in back]
    play_on(house, players, lambda: not house.tables())


@pytest.mark.parametrize("last", range(4))
def test_after_a_restart_in_mid_contra_the_question_reaches_its_player(last: int) -> None:
    house, clients = until(GAME_A, "contra")
    tokens = [token_of(client) for client in clients]
    table = house.tables()[0]
    (asked,) = [seat for seat in range(4) if table.asked(seat) is not None]
    house.restart()
    order = [seat for seat in range(4) if seat != last] + [last]
    back = {seat: house.connect(token=tokens[seat]) for seat in order}
    house.advance(1.0)
    frames = {seat: client.read() for seat, client in back.items()}
    shown = {
        seat: sum(frame.get("your_turn", False) for frame in heard)
        + sum(frame.get("event") == "game.taroky.contra.turn" for frame in heard)
        for seat, heard in frames.items()
    }
    assert shown == {seat: int(seat == asked) for seat in range(4)}, "asked once, and nobody else"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_match_and_its_notations(seed: int) -> None:
    house = new_house(f"match {seed}")
    clients = at_table(house, hands=3)
    players = [Player(client, Random(f"{seed} {n}"), 0.2) for n, client in enumerate(clients)]
    play_on(house, players, lambda: not house.tables())
    results = [event for event in players[0].heard if event["event"] == "result"]
    assert len(results) == 3
    for result in results:
        again = parse(result["notation"]).result()
        assert again.chips == result["chips"]
        assert (again.x, again.payments, again.money) == (
            result["x"],
            result["payments"],
            result["moneycards"],
        )
    for one, following in pairwise(results):
        assert one["chips"][1:] + one["chips"][:1] == [
            int(chips) for chips in following["notation"].split("/")[:4]
        ]
    assert house.lobby.rooms, "the room waits for its next match"


def test_lines_over_tcp_do_not_depend_on_how_they_are_cut() -> None:
    stream = b"".join(
        json.dumps(message).encode() + end
        for message, end in [
            ({"command": "lobby.room.create", "name": "r", "rules": QUICK}, b"\n"),
            ({"command": "game.taroky.load", "notation": deal_of(GAME_A)}, b"\r\n"),
            ({"command": "lobby.game.start"}, b"\n"),
            ({"command": "game.taroky.prever", "prever": True}, b"\n"),
            ({"command": "game.taroky.half", "keep": True}, b"\n"),
            ({"command": "game.taroky.half"}, b"\n"),
        ]
    )
    found: list[list[str]] = []
    for size in (1, 7, len(stream)):
        house = new_house()
        client = house.connect()
        for at in range(0, len(stream), size):
            client.feed(stream[at : at + size])
        found.append(client.frames)
    assert found[0] == found[1] == found[2]
    assert "half.finished" in found[0][-3] or any("half.finished" in frame for frame in found[0])
