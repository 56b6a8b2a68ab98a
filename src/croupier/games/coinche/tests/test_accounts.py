"""Accounts over the line protocol: NAME with a token or the password after the name of an account."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.games.coinche.tests.clients import ask, codes, four, house, named, play, reply, table
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.house import HouseConversation

TAKEN = "403 nickname is already in use"
CHANGED = "200 Nickname changed"


def with_anna(name: str = "Anna") -> VirtualHouse:
    """Return a server in memory with an account and one of its sessions."""
    place = house()
    place.account(name, "correct horse", "session")
    return place


def seat_of(client: Client) -> int:
    return int(client.conversation.seat)


@pytest.mark.parametrize("line", ["NAME anna", "NAME Anna wrong", "NAME ANNA no such password"])
def test_the_name_of_an_account_is_in_use(line: str) -> None:
    client = with_anna().connect()
    assert reply(client, line) == TAKEN
    assert seat_of(client) < 0
    assert reply(client, "HAND") == "401 please give your nickname first."
    assert reply(client, "NAME berta") == CHANGED


@pytest.mark.parametrize("proof", ["session", "correct horse", "  session  "])
def test_a_token_or_the_password_proves_it(proof: str) -> None:
    place = with_anna()
    client = place.connect()
    assert reply(client, f"NAME anna {proof}") == CHANGED
    info = place.tables()[0]
    assert info.places[0].name == "Anna"
    assert info.identities.account(info.places[0].token) is not None


def test_a_name_without_an_account_accepts_no_second_word() -> None:
    client = with_anna().connect()
    assert (
        reply(client, "NAME berta session")
        == "402 berta session contains invalid characters or is too short."
    )


def test_an_account_whose_name_is_not_a_nickname_gets_a_plain_one() -> None:
    place = with_anna("Žiga K.")
    client = place.connect()
    assert reply(client, "NAME zigak") == TAKEN
    assert (
        reply(client, "NAME Žiga session") == "402 Žiga session contains invalid characters or is too short."
    )
    assert reply(client, "NAME ZigaK session") == CHANGED
    assert place.tables()[0].places[0].name == "ZigaK"


def test_lines_behind_the_password_wait_for_it() -> None:
    client = with_anna().connect()
    client.take()
    client.feed(b"NAME anna correct horse\r\nHAND\r\nNAME carla\r\n")
    assert codes(client.take())[:2] == [200, 108]
    assert "424 your hand is empty." in client.frames
    assert seat_of(client) == 0


def test_an_account_returns_while_its_old_connection_seems_alive() -> None:
    place = with_anna()
    table(place)
    first = named(place, "anna session")
    others = [named(place, name) for name in ("bobby", "carol", "david")]
    play([first, *others], "310")
    second = named(place, "anna correct horse")
    assert seat_of(second) == 0
    assert first.disconnected is not None
    assert "500 replaced" in first.frames
    assert codes(second.frames)[1:4] == [200, 105, 108]


def test_a_player_from_the_browser_returns_over_the_line_protocol() -> None:
    place = with_anna("Žiga K.")
    made = table(place)
    page = place.visit(made.id, HouseConversation)
    page.send({"type": "join", "name": "me", "token": "session", "person": True, "seat": 2})
    assert made.places[2].name == "Žiga K."
    client = named(place, "zigak session")
    assert (seat_of(client), page.disconnected is not None) == (2, True)


def test_no_player_can_be_renamed_to_it() -> None:
    place = with_anna()
    clients = four_others(place)
    assert reply(clients[0], "NAME anna") == TAKEN
    assert reply(clients[0], "NAME anna session") == TAKEN
    assert reply(clients[0], "NAME erika") == CHANGED


def four_others(place: VirtualHouse) -> list[Client]:
    return [named(place, name) for name in ("eliza", "bobby", "carol", "david")]


def test_the_account_holder_may_rename_and_rename_back() -> None:
    client = named(with_anna(), "anna session")
    assert reply(client, "NAME erika") == CHANGED
    assert reply(client, "NAME Anna") == CHANGED


def test_an_account_returns_with_a_token_if_the_table_requires_one() -> None:
    place = with_anna()
    table(place, resume="token")
    client = named(place, "anna session")
    assert any(line.startswith("108 1 t1 session ") for line in client.frames)
    others = [named(place, name) for name in ("bobby", "carol", "david")]
    play([client, *others], "310")
    client.drop()
    assert seat_of(named(place, "anna session")) == 0


def test_the_seat_of_an_account_cannot_be_taken_over_by_name() -> None:
    place = with_anna()
    table(place)
    client = named(place, "anna session")
    others = [named(place, name) for name in ("bobby", "carol", "david")]
    play([client, *others], "310")
    client.drop()
    assert reply(place.connect(), "NAME anna") == TAKEN
    place.restart()
    assert reply(place.connect(), "NAME anna") == TAKEN
    assert seat_of(named(place, "anna session")) == 0


def test_without_accounts_nothing_changes() -> None:
    clients = four(house())
    assert [seat_of(client) for client in clients] == [0, 1, 2, 3]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=80))
@example("session")
@example("\tcorrect horse ")
def test_any_text_after_the_name_gets_one_reply(proof: str) -> None:
    place = with_anna()
    client = place.connect()
    lines = ask(client, f"NAME anna {proof}")
    right = proof.strip(" \t") in ("session", "correct horse")
    assert (lines[0] == CHANGED) is right
    assert right or lines in ([TAKEN], ["400 Invalid command"])
