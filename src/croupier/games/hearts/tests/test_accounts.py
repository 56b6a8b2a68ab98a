"""Accounts over the Trend protocol: the token is that of a session, the name that of the account."""

from __future__ import annotations

from croupier.games.hearts.tests.programs import Program, setup
from croupier.testing.house import VirtualTable
from croupier.wire.house import HouseConversation
from croupier.wire.identity import Account
from croupier.wire.talk import token_digest

ANNA = Account("Anna K.", "id of anna")


def wired() -> VirtualTable:
    """Return a table on a server where Anna K. has an account and two sessions."""
    return with_account(VirtualTable(setup()), "first", "second")


def with_account(table: VirtualTable, *tokens: str) -> VirtualTable:
    """Give Anna K. an account on the server of *table*, with sessions of these *tokens*."""
    table.identities.admit(ANNA)
    for token in tokens:
        table.identities.open_session(token_digest(token), ANNA)
    return table


def test_the_seat_is_the_accounts() -> None:
    table = wired()
    program = Program(table, "Anna K.", 2, "first")
    assert program.client.conversation.seat == 1
    assert table.table.places[1].token == ANNA.id


def test_another_session_takes_it_over() -> None:
    table = wired()
    first = Program(table, "Anna K.", 2, "first")
    second = Program(table, "anna k", None, "second")
    assert second.client.conversation.seat == 1
    assert first.client.disconnected is not None
    assert first.client.disconnected.code == 4001


def test_without_the_token_the_name_is_taken() -> None:
    table = wired()
    for name in ("Anna K.", "ANNAK", "anna_k"):
        for token in ("", "another"):
            program = Program(table, name, None, token)
            assert program.last["eventName"] == "player_name_dup"
            assert "account" in program.last["data"]["message"]
    assert all(not place.name for place in table.table.places)


def test_the_token_requires_the_name_of_the_account() -> None:
    program = Program(wired(), "Berta", None, "first")
    assert program.last["eventName"] == "join_error"
    assert program.last["data"]["code"] == "bad_token"
    assert "Anna K." in program.last["data"]["message"]
    program.join("Anna K.", None, "first")
    assert program.client.conversation.seat == 0


def test_a_player_from_the_browser_returns_over_the_protocol() -> None:
    table = wired()
    page = table.connect(HouseConversation)
    page.send({"type": "join", "name": "me", "token": "first", "person": True, "seat": 3})
    assert table.table.places[3].name == "Anna K."
    program = Program(table, "Anna K.", 1, "second")
    assert program.client.conversation.seat == 3
    assert page.disconnected is not None
    back = table.connect(HouseConversation)
    back.send({"type": "join", "name": "me", "token": "first"})
    assert back.conversation.seat == 3


def test_a_guest_who_had_the_name_before_keeps_the_seat() -> None:
    table = VirtualTable(setup())
    Program(table, "Anna K.", 1, "guest's")
    with_account(table, "first")
    assert Program(table, "Anna K.", 1, "guest's").client.conversation.seat == 0
    refused = Program(table, "Anna K.", 2, "first")
    assert refused.last["eventName"] == "player_name_dup"


def test_seats_reserved_for_an_account() -> None:
    table = with_account(VirtualTable(setup(seat_tokens=["", ANNA.id, "", ""])), "first")
    assert Program(table, "bob", 2, "b").last["data"]["code"] == "bad_token"
    assert Program(table, "Anna K.", 2, "first").client.conversation.seat == 1
