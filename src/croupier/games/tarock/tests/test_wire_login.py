"""Messages and login of the room protocol (spec C2, C3, C6), as Tarock speaks it."""

from __future__ import annotations

import json

import pytest

from croupier.games.tarock.tests.rooms import (
    code,
    create_with_deck,
    disconnected,
    new_house,
    room_of,
)
from croupier.testing.rooms import (
    call,
    login,
    start,
    token_of,
)
from croupier.wire.opentarock.users import UNPLAYED

# Messages.


@pytest.mark.parametrize(
    ("sent", "wanted"),
    [
        ("", "invalid_request"),
        ("nonsense", "invalid_request"),
        ("[1]", "invalid_request"),
        ('"text"', "invalid_request"),
        (b"\xff\xfe", "invalid_request"),
        ('{"command": "\\ud800"}', "invalid_request"),
        ("[" * 10_000, "invalid_request"),
        ("{}", "invalid_request"),
        ('{"command": 7}', "invalid_request"),
        ('{"command": null}', "invalid_request"),
        ('{"command": "game.tarock"}', "unknown_command"),
        ('{"command": "game.tarock."}', "unknown_command"),
        ('{"command": "game.taroky.play", "card": "H1"}', "unknown_command"),
        ('{"command": "LOBBY.ROOM.LIST"}', "unknown_command"),
        ('{"command": "lobby.room.create"}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": 7}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": " "}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": "x", "options": []}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": "x", "options": {"private": 1}}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": "x", "options": {"password": 1}}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": "x", "rules": {"dealz": 3}}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": "x", "rules": {"deals": 0}}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": "x", "rules": {"preset": "none"}}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": "x", "rules": {"seed": true}}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": "x", "rules": {"deck": "C7"}}', "invalid_request"),
        ('{"command": "lobby.room.create", "name": "x", "rules": {"deck": [["C7"]]}}', "invalid_request"),
        (create_with_deck(["C7", "c7"]), "invalid_request"),
        (create_with_deck(["X9", "C8"]), "invalid_request"),
        ('{"command": "lobby.room.join"}', "invalid_request"),
        ('{"command": "lobby.room.join", "room_id": 1}', "invalid_request"),
        ('{"command": "lobby.room.join", "room_id": "r77"}', "room_does_not_exist"),
        ('{"command": "lobby.room.info", "room_id": "r77"}', "room_does_not_exist"),
        ('{"command": "lobby.room.leave"}', "not_in_room"),
        ('{"command": "lobby.game.start"}', "not_in_room"),
        ('{"command": "lobby.player.ready", "state": "x"}', "not_in_room"),
        ('{"command": "lobby.player.ready"}', "invalid_request"),
        ('{"command": "user.login"}', "invalid_request"),
        ('{"command": "user.login", "nickname": ""}', "invalid_request"),
        ('{"command": "user.login", "nickname": "1234567890123456789012345"}', "invalid_request"),
        ('{"command": "user.login", "nickname": "a\\u0000"}', "invalid_request"),
        ('{"command": "user.login", "nickname": "Ana", "profile": "all"}', "invalid_request"),
        ('{"command": "user.login", "token": "guessed"}', "invalid_token"),
        ('{"command": "user.login", "token": 7}', "invalid_request"),
        ('{"command": "game.tarock.state"}', "not_in_room"),
        ('{"command": "game.tarock.play"}', "invalid_request"),
        ('{"command": "game.tarock.play", "card": 9}', "invalid_request"),
        ('{"command": "game.tarock.play", "card": "C7"}', "not_in_room"),
    ],
)
def test_errors_are_reported(sent: str | bytes, wanted: str) -> None:
    client = new_house().connect()
    client.send(sent)
    (answer,) = client.read()
    assert code(answer) == wanted


def test_a_request_id_comes_back_if_it_is_a_scalar() -> None:
    client = new_house().connect()
    for id in (7, "x", 1.5, True, None):
        assert call(client, "lobby.room.list", request_id=id)["request_id"] == id
        wrong = call(client, "lobby.room.leave", request_id=id)
        assert (wrong["request_id"], wrong["command"]) == (id, "lobby.room.leave")
    assert "request_id" not in call(client, "lobby.room.list", request_id=[1])
    assert "request_id" not in call(client, "lobby.room.list")
    client.send('{"request_id": 5}')
    assert client.read()[0]["request_id"] == 5


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_the_end_of_a_line_does_not_count(end: bytes) -> None:
    client = new_house().connect()
    message = b'{"command": "lobby.room.list", "x": ""}'
    for more, wanted in ((0, "lobby.room.list"), (1, None)):
        client.feed(message.replace(b'""', b'"%s"' % (b"x" * (16 * 1024 - len(message) + more))) + end)
        assert json.loads(client.take()[0]).get("response") == wanted


def test_a_message_may_have_16_kib() -> None:
    client = new_house().connect()
    frame = json.dumps({"command": "lobby.room.list", "x": ""})
    client.send(frame.replace('""', '"' + "é" * ((16 * 1024 - len(frame)) // 2) + '"'))
    assert "response" in client.read()[0]
    client.send(frame.replace('""', '"' + "é" * (8 * 1024) + '"'))
    assert code(client.read()[0]) == "invalid_request"


def test_lines_over_tcp() -> None:
    client = new_house().connect()
    client.feed(b'{"command": "lobby.room.list", "request_id": 1}\r\n\r\n  \n{"comm')
    client.feed(b'and": "lobby.room.list", "request_id": 2}\n')
    client.feed(b"x" * 20_000 + b"\nno json\n" + b'{"command": "lobby.room.list", "request_id": 3}\n')
    answers = client.read()
    assert [answer.get("request_id") for answer in answers] == [1, 2, None, None, 3]
    assert [answer.get("error") for answer in answers[2:4]] == ["invalid_request", "invalid_request"]


def test_too_many_messages_in_a_second_end_the_connection() -> None:
    house = new_house()
    client = house.connect()
    for _ in range(3):
        for _ in range(50):
            client.send({"command": "lobby.room.list"})
        house.advance(1.0)
    assert disconnected(client) is None
    for _ in range(51):
        client.send({"command": "lobby.room.list"})
    answers = client.read()
    assert len(answers) == 201
    assert code(answers[-1]) == "invalid_request"
    assert disconnected(client) == 1008


def test_a_hundred_errors_in_a_row_end_the_connection() -> None:
    house = new_house()
    client = house.connect()
    for _ in range(99):
        client.send({"command": "lobby.room.leave"})
        house.advance(0.1)
    client.send({"command": "lobby.room.list"})
    for _ in range(99):
        client.send({"command": "lobby.room.leave"})
        house.advance(0.1)
    assert disconnected(client) is None
    client.send({"command": "lobby.room.leave"})
    assert disconnected(client) == 1008


# Login.


def test_login_gives_a_token() -> None:
    house = new_house()
    client = house.connect()
    answer = call(client, "user.login", nickname=" Ana ", request_id=1)
    assert answer == {
        "response": "user.login",
        "user_id": "u1",
        "nickname": "Ana",
        "token": "secret-1",
        "room": None,
        "request_id": 1,
    }
    assert code(call(client, "user.login", nickname="Bor")) == "already_logged_in"
    assert code(call(client, "user.login", token="secret-1")) == "already_logged_in"
    assert "secret-1" not in str(house.kept), "of the token only a digest is kept"


def test_a_guest_has_a_name_and_may_log_in_until_they_join_a_room() -> None:
    house = new_house()
    client = house.connect()
    assert "room" in call(client, "lobby.room.create", name="x")
    room = call(client, "lobby.room.info", room_id="r1")["room"]
    assert room["owner"] == {"user_id": "g1", "nickname": "Guest 1"}
    assert code(call(client, "user.login", nickname="Ana")) == "already_logged_in"
    assert call(client, "lobby.room.leave") == {"response": "lobby.room.leave"}
    assert call(client, "user.login", nickname="Ana")["user_id"] == "u1"


@pytest.mark.parametrize("with_upgrade", [False, True])
def test_the_token_of_a_user_who_has_played_works_after_a_restart(with_upgrade: bool) -> None:
    house = new_house()
    start(room_of(house, 1))
    house.restart()
    if with_upgrade:
        answer = house.connect(token="secret-1").read()[0]
    else:
        client = house.connect()
        client.send({"command": "user.login", "token": "secret-1"})
        answer = client.read()[0]
    assert (answer["user_id"], answer["nickname"], answer["token"]) == ("u1", "Ana", "secret-1")
    assert call(house.connect(), "user.login", nickname="Bor")["user_id"] == "u2"


def test_a_user_is_stored_when_they_first_play() -> None:
    house = new_house()
    clients = room_of(house, 2)
    assert house.kept == {}
    start(clients)
    assert [name.split()[0] for name in house.kept] == ["user", "user", "room"]


def test_a_user_who_has_not_played_is_forgotten_ten_minutes_after_their_last_connection() -> None:
    house = new_house()
    ana = login(house, "Ana")
    ana.drop()
    house.advance(UNPLAYED - 1.0)
    again = house.connect()
    assert call(again, "user.login", token="secret-1")["nickname"] == "Ana"
    again.drop()
    house.advance(UNPLAYED)
    login(house, "Bor")
    assert code(call(house.connect(), "user.login", token="secret-1")) == "invalid_token"


def test_an_address_has_a_limited_number_of_users_who_have_not_played() -> None:
    house = new_house()
    house.all_tables.most_per_address = 2
    ana = login(house, "Ana")
    login(house, "Bor").drop()
    assert code(call(house.connect(), "user.login", nickname="Cene")) == "too_many"
    assert "response" in call(house.connect(address="elsewhere"), "user.login", nickname="Cene")
    assert "room" in call(ana, "lobby.room.create", name="x")
    start([ana])
    assert "response" in call(house.connect(), "user.login", nickname="Dora")
    house.advance(UNPLAYED)
    assert "response" in call(house.connect(), "user.login", nickname="Eva")


def test_a_wrong_token_with_the_upgrade_is_only_reported() -> None:
    client = new_house().connect(token="guessed")
    assert code(client.read()[0]) == "invalid_token"
    assert "response" in call(client, "user.login", nickname="Ana")


def test_a_second_connection_replaces_the_first() -> None:
    house = new_house()
    ana, bor = room_of(house, 2)
    ana.read()
    bor.read()
    again = house.connect()
    answer = call(again, "user.login", token=token_of(ana))
    assert answer["room"]["name"] == "Pri Ani"
    assert [frame["error"] for frame in ana.read()] == ["replaced"]
    assert ana.disconnected is not None
    assert bor.read() == [], "nobody has left the room"
    assert call(again, "lobby.game.start") == {"response": "lobby.game.start"}
