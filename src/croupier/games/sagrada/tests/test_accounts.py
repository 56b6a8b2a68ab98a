"""Accounts in the glass workshop: their nicks are known, and the token is a session's, or the password."""

from __future__ import annotations

import pytest

from croupier.games.sagrada.tests.wiring import TOKENS, new_house
from croupier.testing.desked import DeskClient, DeskedHouse
from croupier.wire.accounts import fold
from croupier.wire.house import HouseConversation
from croupier.wire.talk import token_digest


def with_anna(name: str = "Anna", **options: object) -> DeskedHouse:
    house = new_house({"lobby_wait": 0, **options})
    house.account(name, "correct horse", "session")
    return house


def say(client: DeskClient, *lines: str) -> list[str]:
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
        assert client.hung is None, number
        assert say(client, "login\tanna", "token\twrong") == ["login\tAnna\ttoken", "failed"]
    assert client.hung is not None
    assert client.hung.code == 1008


@pytest.mark.parametrize("nick", ["anna", "AN.NA", "a-n-n-a"])
def test_nicks_that_look_alike_are_the_accounts(nick: str) -> None:
    assert say(with_anna().connect(), f"login\t{nick}") == ["login\tAnna\ttoken"]


def test_a_name_that_is_no_nick_has_a_plain_one() -> None:
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


def playing(house: DeskedHouse) -> list[DeskClient]:
    """Return anna and bob, in a game."""
    anna, bob = house.connect(), house.connect()
    say(anna, "login\tanna", "token\tsession")
    say(bob, "login\tbob", f"token\t{TOKENS['bob']}")
    assert [client.conversation.seat for client in (anna, bob)] == [0, 1]
    return [anna, bob]


def test_an_account_comes_back_to_its_game_over_any_protocol() -> None:
    house = with_anna()
    anna, _ = playing(house)
    made = house.table(house.tables()[0].id)
    assert made.register.account(made.places[0].token) is not None
    page = house.visit(made.id, HouseConversation)
    page.send({"type": "join", "name": "whoever", "token": "session"})
    assert page.conversation.seat == 0
    assert anna.hung is not None
    again = house.connect()
    say(again, "login\tanna", "token\tcorrect horse")
    assert again.conversation.seat == 0
    house.restart()
    back = house.connect()
    say(back, "login\tanna", "token\tsession")
    assert back.conversation.seat == 0


@pytest.mark.parametrize("end", ["logout", "new password", "deletion"])
def test_whose_session_ends_while_he_waits_plays_all_the_same(end: str) -> None:
    house = with_anna()
    anna, bob = house.connect(), house.connect()
    say(anna, "login\tanna", "token\tsession")
    account = house.register.owner("anna")
    assert account is not None
    if end == "deletion":
        house.register.dismiss(account)
    else:
        house.register.end_session(token_digest("session"))
    if end == "new password":
        house.register.remember(token_digest("session"), account)
    say(bob, "login\tbob", f"token\t{TOKENS['bob']}")
    assert [client.conversation.seat for client in (anna, bob)] == [0, 1]
    anna.drop()
    again = house.connect()
    assert say(again, "login\tanna", "token\tsession")[-1] == "failed"
    if end != "deletion":
        say(again, "login\tanna", "token\tcorrect horse")
        assert again.conversation.seat == 0


def test_a_newer_session_takes_the_place_of_one_that_has_ended() -> None:
    house = with_anna()
    anna, again, bob = house.connect(), house.connect(), house.connect()
    say(anna, "login\tanna", "token\tsession")
    house.register.end_session(token_digest("session"))
    say(again, "login\tanna", "token\tcorrect horse")
    say(bob, "login\tbob", f"token\t{TOKENS['bob']}")
    assert [client.conversation.seat for client in (again, bob)] == [0, 1]
    made = house.tables()[0]
    assert house.register.account(made.places[0].token) is not None


def test_the_nick_of_a_user_is_held() -> None:
    house = with_anna()
    assert house.desk.holder("bob") == token_digest(TOKENS["bob"])
    assert house.desk.holder(fold("B.O.B.")) == token_digest(TOKENS["bob"])
    assert house.desk.holder("anna") is None
    say(house.connect(), "login\tanna", "token\tsession")
    assert house.desk.holder("anna") is None, "an account's, which the register knows"


def test_a_user_who_makes_an_account_with_his_token_goes_on() -> None:
    house = new_house({"lobby_wait": 0})
    house.account("Bob", "correct horse", TOKENS["bob"])
    client = house.connect()
    assert say(client, "login\tbob", f"token\t{TOKENS['bob']}")[-2:] == ["verified", "lobbyplayers:\tBob"]


def test_users_who_came_are_of_use_and_others_are_dropped() -> None:
    house = with_anna()
    assert house.desk.used() == set()
    client = house.connect()
    say(client, "login\tbob", f"token\t{TOKENS['bob']}")
    assert house.desk.used() == {"user bob"}
    assert not house.desk.drop("user bob")
    assert house.desk.drop("user eve")
    assert not house.desk.drop("user eve")
    assert not house.desk.drop("nothing of ours")
    client.drop()
    assert house.desk.drop("user bob")
