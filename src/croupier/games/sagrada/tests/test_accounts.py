"""Accounts in the glass workshop: their nicks are registered; the token is a session's or the password."""

from __future__ import annotations

import pytest

from croupier.games.sagrada.tests.wiring import TOKENS, new_house
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.house import HouseConversation
from croupier.wire.identity import fold
from croupier.wire.talk import token_digest


def with_anna(name: str = "Anna", **options: object) -> VirtualHouse:
    house = new_house({"lobby_wait": 0, **options})
    house.account(name, "correct horse", "session")
    return house


def say(client: Client, *lines: str) -> list[str]:
    client.take()
    for line in lines:
        client.send(line)
    return client.take()


@pytest.mark.parametrize("proof", ["session", "correct horse"])
def test_the_nick_of_an_account_is_known(proof: str) -> None:
    house = with_anna()
    client = house.connect()
    assert say(client, "login\tanna") == ["login\tAnna\ttoken"]
    assert say(client, f"token\t{proof}") == ["verified", "lobbyplayers:\tAnna"]
    assert "user anna" not in house.kept


def test_the_older_dialect_too() -> None:
    client = with_anna().connect()
    assert say(client, "login ANNA") == ["login Anna token"]
    assert say(client, "token session")[0] == "verified"


def test_a_wrong_token_fails_and_five_end_it() -> None:
    client = with_anna().connect()
    for number in range(1, 6):
        assert client.disconnected is None, number
        assert say(client, "login\tanna", "token\twrong") == ["login\tAnna\ttoken", "failed"]
    assert client.disconnected is not None
    assert client.disconnected.code == 1008


@pytest.mark.parametrize("nick", ["anna", "AN.NA", "a-n-n-a"])
def test_nicks_that_look_alike_are_the_accounts(nick: str) -> None:
    assert say(with_anna().connect(), f"login\t{nick}") == ["login\tAnna\ttoken"]


def test_a_name_that_is_not_a_nick_gets_a_plain_one() -> None:
    client = with_anna("Žiga K.").connect()
    assert say(client, "login\tziga.k", "token\tsession") == [
        "login\tzigak\ttoken",
        "verified",
        "lobbyplayers:\tzigak",
    ]


def test_lines_behind_the_password_wait_for_it() -> None:
    client = with_anna().connect()
    lines = say(client, "login\tanna", "token\tcorrect horse", "ping\tx")
    assert lines == ["login\tAnna\ttoken", "verified", "lobbyplayers:\tAnna", "pong\tx"]


def playing(house: VirtualHouse) -> list[Client]:
    """Return anna and bob, in a game."""
    anna, bob = house.connect(), house.connect()
    say(anna, "login\tanna", "token\tsession")
    say(bob, "login\tbob", f"token\t{TOKENS['bob']}")
    assert [client.conversation.seat for client in (anna, bob)] == [0, 1]
    return [anna, bob]


def test_an_account_returns_to_its_game_over_any_protocol() -> None:
    house = with_anna()
    anna, _ = playing(house)
    made = house.table(house.tables()[0].id)
    assert made.identities.account(made.places[0].token) is not None
    page = house.visit(made.id, HouseConversation)
    page.send({"type": "join", "name": "ignored", "token": "session"})
    assert page.conversation.seat == 0
    assert anna.disconnected is not None
    again = house.connect()
    say(again, "login\tanna", "token\tcorrect horse")
    assert again.conversation.seat == 0
    house.restart()
    back = house.connect()
    say(back, "login\tanna", "token\tsession")
    assert back.conversation.seat == 0


@pytest.mark.parametrize("end", ["logout", "new password"])
def test_a_player_whose_session_ends_in_a_game_comes_back_with_another(end: str) -> None:
    house = with_anna()
    anna, bob = house.connect(), house.connect()
    say(anna, "login\tanna", "token\tsession")
    say(bob, "login\tbob", f"token\t{TOKENS['bob']}")
    assert [client.conversation.seat for client in (anna, bob)] == [0, 1]
    account = house.identities.owner("anna")
    assert account is not None
    house.call(house.identities.end_session, token_digest("session"))
    assert not anna.connected
    if end == "new password":
        house.identities.remember(token_digest("session"), account)
    again = house.connect()
    assert say(again, "login\tanna", "token\tsession")[-1] == "failed"
    say(again, "login\tanna", "token\tcorrect horse")
    assert again.conversation.seat == 0


def test_a_player_whose_session_ends_while_they_wait_does_not_play() -> None:
    house = with_anna()
    anna, again, bob = house.connect(), house.connect(), house.connect()
    say(anna, "login\tanna", "token\tsession")
    house.call(house.identities.end_session, token_digest("session"))
    assert not anna.connected
    say(bob, "login\tbob", f"token\t{TOKENS['bob']}")
    assert bob.conversation.seat < 0
    say(again, "login\tanna", "token\tcorrect horse")
    assert sorted(client.conversation.seat for client in (again, bob)) == [0, 1]


def test_the_nick_of_a_user_is_held() -> None:
    house = with_anna()
    assert house.lobby.holder("bob") == token_digest(TOKENS["bob"])
    assert house.lobby.holder(fold("B.O.B.")) == token_digest(TOKENS["bob"])
    assert house.lobby.holder("anna") is None
    say(house.connect(), "login\tanna", "token\tsession")
    assert house.lobby.holder("anna") is None, "it belongs to an account"


def test_a_user_who_creates_an_account_with_their_token_continues() -> None:
    house = new_house({"lobby_wait": 0})
    house.account("Bob", "correct horse", TOKENS["bob"])
    client = house.connect()
    assert say(client, "login\tbob", f"token\t{TOKENS['bob']}")[-2:] == ["verified", "lobbyplayers:\tBob"]


def test_active_users_are_kept_and_others_are_removed() -> None:
    house = with_anna()
    assert house.lobby.used() == set()
    client = house.connect()
    say(client, "login\tbob", f"token\t{TOKENS['bob']}")
    assert house.lobby.used() == {"user bob"}
    assert not house.lobby.drop("user bob", house.lobby.seated())
    assert house.lobby.drop("user eve", house.lobby.seated())
    assert not house.lobby.drop("user eve", house.lobby.seated())
    assert not house.lobby.drop("no message of Croupier", house.lobby.seated())
    client.drop()
    assert house.lobby.drop("user bob", house.lobby.seated())
