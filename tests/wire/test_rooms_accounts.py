"""Accounts in the room protocol: user.login with a session's token, or with name and password."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from croupier.games.tarock.tests.rooms import new_house as tarock
from croupier.games.taroky.tests.rooms import new_house as taroky
from croupier.testing.house import VirtualHouse
from croupier.testing.rooms import call, gather, login, start, token_of
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import SESSION_ENDED, token_digest

Make = Callable[[], VirtualHouse]
both = pytest.mark.parametrize("make", [tarock, taroky])


def with_anna(make: Make, name: str = "Anna K.") -> VirtualHouse:
    house = make()
    house.account(name, "correct horse", "session")
    return house


@both
def test_the_token_of_a_session(make: Make) -> None:
    house = with_anna(make)
    answer = call(house.connect(), "user.login", token="session")
    assert answer == {
        "response": "user.login",
        "user_id": "u1",
        "nickname": "Anna K.",
        "token": "session",
        "room": None,
    }
    again = call(house.connect(), "user.login", nickname="Other", token="session")
    assert (again["user_id"], again["nickname"]) == ("u1", "Anna K.")


@both
def test_the_token_may_be_in_the_address(make: Make) -> None:
    client = with_anna(make).connect(token="session")
    assert '"nickname":"Anna K."' in client.frames[0]


@both
def test_name_and_password(make: Make) -> None:
    house = with_anna(make)
    answer = call(house.connect(), "user.login", nickname="anna k", password="correct horse", request_id=7)
    assert (answer["nickname"], answer["request_id"]) == ("Anna K.", 7)
    token = answer["token"]
    assert token not in ("", "session")
    assert call(house.connect(), "user.login", token=token)["user_id"] == answer["user_id"]


@both
@pytest.mark.parametrize("fields", [{}, {"password": "wrong"}, {"password": ""}, {"token": "wrong"}])
def test_without_token_or_password_the_name_is_refused(make: Make, fields: dict[str, str]) -> None:
    client = with_anna(make).connect()
    answer = call(client, "user.login", nickname="ANNA-K", **fields)
    assert answer["error"] == "invalid_token"
    assert call(client, "user.login", nickname="Berta", password="is ignored")["nickname"] == "Berta"


@both
def test_messages_after_a_login_wait_for_the_password_check(make: Make) -> None:
    client = with_anna(make).connect()
    client.feed(
        b'{"command": "user.login", "nickname": "Anna K.", "password": "correct horse"}\n'
        b'{"command": "lobby.room.create", "name": "x"}\n'
    )
    first, second = client.read()
    assert (first["response"], second["response"]) == ("user.login", "lobby.room.create")
    assert second["room"]["owner"]["nickname"] == "Anna K."


@both
def test_a_password_must_be_a_string(make: Make) -> None:
    assert (
        call(with_anna(make).connect(), "user.login", nickname="x", password=7)["error"] == "invalid_request"
    )


@both
def test_the_user_is_stored_without_a_secret(make: Make) -> None:
    house = with_anna(make)
    call(house.connect(), "user.login", token="session")
    [(name, data)] = house.kept.items()
    assert name.startswith("user ")
    assert "session" not in name + data
    house.restart()
    assert call(house.connect(), "user.login", token="session")["user_id"] == "u1"


@both
def test_a_player_returns_to_their_seat_with_any_session_and_from_the_browser(make: Make) -> None:
    house = with_anna(make)
    first = house.connect()
    call(first, "user.login", token="session")
    call(first, "lobby.room.create", name="x")
    start([first])
    table = house.table(house.tables()[0].id)
    seat = first.conversation.seat
    assert table.places[seat].name == "Anna K."
    assert table.identities.account(table.places[seat].token) is not None
    second = house.connect()
    call(second, "user.login", nickname="Anna K.", password="correct horse")
    assert second.conversation.seat == seat
    assert first.disconnected is not None
    page = house.visit(table.id, HouseConversation)
    page.send({"type": "join", "name": "me", "token": "session"})
    assert page.conversation.seat == seat
    house.restart()
    third = house.connect()
    call(third, "user.login", token="session")
    assert third.conversation.seat == seat


@both
def test_a_login_finds_the_seat_taken_in_the_browser(make: Make) -> None:
    house = with_anna(make)
    seats = len(house.game.seats) and max(house.game.seats)
    table = house.open(TableSpec(("open", *["bot random"] * (seats - 1))))
    page = house.visit(table.id, HouseConversation)
    page.send({"type": "join", "name": "me", "token": "session", "person": True})
    assert page.conversation.seat == 0
    client = house.connect()
    answer = call(client, "user.login", nickname="Anna K.", password="correct horse")
    assert answer["room"]["id"] == table.id
    assert client.conversation.seat == 0


@both
def test_a_user_who_creates_an_account_stays_the_same(make: Make) -> None:
    house = make()
    before = login(house, "Anna")
    token, id = token_of(before), "u1"
    house.account("Anna", "correct horse", token)
    house.identities.open_session(token_digest("session"), house.identities.owner("Anna"))  # type: ignore[arg-type]
    assert call(house.connect(), "user.login", token=token)["user_id"] == id
    assert call(house.connect(), "user.login", token="session")["user_id"] == id
    assert len(house.kept) == 1
    house.restart()
    assert call(house.connect(), "user.login", token="session")["user_id"] == id


@both
def test_a_nickname_that_now_belongs_to_an_account_is_changed(make: Make) -> None:
    house = make()
    token = token_of(login(house, "Anna"))
    house.account("Anna", "correct horse", "session")
    assert call(house.connect(), "user.login", token=token)["nickname"] == "Anna (guest)"
    assert call(house.connect(), "user.login", token="session")["nickname"] == "Anna"


@both
def test_a_user_whose_session_ends_leaves_their_room_and_the_connection_is_closed(make: Make) -> None:
    house = with_anna(make)
    client = house.connect()
    call(client, "user.login", token="session")
    assert "room" in call(client, "lobby.room.create", name="x")
    client.take()
    house.call(house.identities.end_session, token_digest("session"))
    assert [frame["error"] for frame in client.read()] == ["invalid_token"]
    assert client.disconnected is not None
    assert client.disconnected.code == SESSION_ENDED
    assert house.lobby.listed() == []


@both
def test_a_user_who_gets_an_account_while_connected_may_continue(make: Make) -> None:
    house = make()
    client = login(house, "Anna")
    house.account("Anna", "correct horse", token_of(client))
    assert "room" in call(client, "lobby.room.create", name="x")


@both
def test_a_player_whose_session_ends_keeps_the_seat(make: Make) -> None:
    house = with_anna(make)
    seats = max(house.game.seats)
    table = house.open(TableSpec(("open", *["bot random"] * (seats - 1))))
    client = house.connect()
    call(client, "user.login", token="session")
    call(client, "lobby.room.join", room_id=table.id)
    house.call(house.identities.end_session, token_digest("session"))
    assert not client.connected
    assert (table.places[0].name, table.places[0].connected) == ("Anna K.", False)


@both
def test_users_who_logged_in_count_as_used_and_others_are_dropped(make: Make) -> None:
    house = make()
    clients = gather(house, ("Ana", "Bor"), "full", name="x")
    for client in clients:
        keep = house.lobby.users.keep(client.conversation.user)
        house.wait(house.store.keep(house.game.name, keep.name, keep.data))
    names = sorted(house.kept, key=lambda name: house.kept[name])
    tokens = [token_of(client) for client in clients]
    assert len(names) == 2
    house.lobby.used()
    assert not house.lobby.drop(names[0], house.lobby.seated()), "the user is connected"
    house.restart()
    call(house.connect(), "user.login", token=tokens[0])
    assert house.lobby.used() == {names[0]}
    assert house.lobby.used() == set()
    assert house.lobby.drop(names[1], house.lobby.seated())
    assert not house.lobby.drop(names[1], house.lobby.seated())
    assert not house.lobby.drop("room t1", house.lobby.seated())
    assert call(house.connect(), "user.login", token=tokens[1])["error"] == "invalid_token"
