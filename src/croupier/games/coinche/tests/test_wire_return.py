"""Returning to a seat of the line protocol: by name, with a token, after a kill (13, 14)."""

from __future__ import annotations

from functools import partial

import pytest

from croupier.games.coinche import GAME
from croupier.games.coinche.joining import BY_NAME
from croupier.games.coinche.tests.clients import (
    act,
    ask,
    fields,
    four,
    house,
    named,
    play,
    reply,
    table,
    taken,
)
from croupier.games.coinche.wire import CoincheLobby
from croupier.testing.house import VirtualHouse
from croupier.wire.house import HouseConversation


def test_coming_back_by_name() -> None:
    place = house()
    table(place)
    clients = four(place)
    clients[0].send("CONTRACT 80 Hearts")
    taken(clients)
    impostor = place.connect()
    assert reply(impostor, "NAME bobby") == "403 nickname is already in use"
    clients[1].drop()
    taken([clients[0]])
    assert ask(impostor, "NAME BOBBY xyz") == ["402 BOBBY xyz contains invalid characters or is too short."]
    place.advance(10)
    assert reply(impostor, "NAME BOBBY") == "403 nickname is already in use"
    assert [fields(line) for line in ask(impostor, "NAME bobby")] == [
        "200 Nickname changed",
        "105 2 bobby",
        "108 2 t1 -",
        "360 begin",
        "300 g1 2000 1=anna 2=bobby 3=carol 4=david",
        "341 0 0 2000",
        "310 1 4 1",
        "311 1 [A Hearts, 8 Diamonds, A Diamonds, Q Clubs, 10 Spades, J Spades, K Spades, A Spades]",
        "321 1 80 Hearts",
        "320 2 bobby 50",
        "326 90 PASS CONTRACT COINCHE",
        "361 end",
    ]
    assert taken([clients[0]]) == [["105 2 bobby"]]
    assert reply(impostor, "COINCHE") == "200 Coinche has been counted"


def test_returning_to_a_seat_that_a_bot_plays() -> None:
    place = house()
    table(place, grace_seconds=5)
    clients = four(place)
    clients[2].drop()
    place.advance(6)
    taken(clients)
    carol = named(place, "carol")
    assert [fields(line) for line in carol.frames[1:5]] == [
        "200 Nickname changed",
        "105 3 carol",
        "107 3 carol human",
        "108 3 t1 -",
    ]
    assert taken([clients[0]]) == [["105 3 carol", "107 3 carol human"]]


def test_a_returning_player_is_told_the_same_of_a_lost_player_as_the_others() -> None:
    place = house()
    table(place, options={"target": 100}, grace_seconds=5)
    clients = four(place)
    clients[0].drop()
    place.advance(6)
    clients[1].drop()
    clients[1] = named(place, "bobby")
    rest = clients[1:]
    taken(rest)
    for _ in range(4000):
        if rest[0].frames[-1].startswith("104"):
            break
        if not act(rest):
            place.advance(1)
    told = taken(rest)
    assert [[line for line in lines if line.startswith("10")] for lines in told] == [["104 3 4"]] * 3


def test_the_snapshot_in_mid_play() -> None:
    place = house()
    table(place)
    clients = four(place)
    clients[0].send("CONTRACT 80 Hearts")
    for client in clients[1:]:
        client.send("PASS")
    for client, card in zip(clients, ("Q Hearts", "A Hearts", "J Hearts", "9 Hearts"), strict=True):
        client.send(f"PLAY {card}")
    clients[2].send("PLAY 8 Hearts")
    state = [fields(line) for line in ask(clients[0], "STATE")]
    assert state == [
        "200 state follows.",
        "360 begin",
        "300 g1 2000 1=anna 2=bobby 3=carol 4=david",
        "341 0 0 2000",
        "310 1 4 1",
        "311 1 [7 Hearts, 10 Hearts, K Hearts, 7 Diamonds, 9 Diamonds, 10 Clubs, 7 Spades]",
        "321 1 80 Hearts",
        "322 2",
        "322 3",
        "322 4",
        "325 1 80 Hearts 1",
        "331 1 Q Hearts",
        "331 2 A Hearts",
        "331 3 J Hearts",
        "331 4 9 Hearts",
        "333 1 3 48",
        "331 3 8 Hearts",
        "332 1 belote Hearts",
        "330 4 david 60 2",
        "361 end",
    ]
    # The second reply is the same, and later lines do not change.
    assert [fields(line) for line in ask(clients[0], "STATE")] == state
    clients[3].send("PLAY 9 Clubs")
    assert taken([clients[0]])[0] == [
        "331 4 9 Clubs",
        "330 1 anna 60 2",
        "334 [10 Hearts, K Hearts]",
    ]


def test_coming_back_with_a_token() -> None:
    place = VirtualHouse(GAME, partial(CoincheLobby, mint=lambda: "secret"))
    table(place, resume="token")
    clients = four(place)
    assert fields(clients[1].frames[2]) == "108 2 t1 secret"
    back = place.connect()
    for line in ("NAME bobby", "NAME bobby wrong"):
        assert reply(back, line) == "403 nickname is already in use", line
    back.take()
    back.send("NAME bobby secret")  # the old connection is alive: the new one takes over
    assert clients[1].take()[-1] == "500 replaced"
    assert clients[1].disconnected is not None
    assert [fields(line) for line in back.take()[:3]] == [
        "200 Nickname changed",
        "105 2 bobby",
        "108 2 t1 secret",
    ]
    back.drop()
    assert reply(place.connect(), "NAME bobby") == "403 nickname is already in use"
    assert reply(place.connect(), "NAME Bobby secret") == "200 Nickname changed"
    assert reply(place.connect(), "NAME a b c") == ("402 a b c contains invalid characters or is too short.")


def test_a_token_may_follow_the_name_if_the_server_requires_one_and_no_table_is_open() -> None:
    place = VirtualHouse(GAME, partial(CoincheLobby, defaults={"resume": "token"}, mint=lambda: "secret"))
    anna = place.connect()
    assert reply(anna, "NAME anna gone") == "200 Nickname changed"
    assert fields(anna.frames[2]) == "108 1 t1 secret"
    assert reply(place.connect(), "NAME anna gone") == "403 nickname is already in use"


def test_if_the_server_requires_a_token_seats_at_other_tables_have_one_too() -> None:
    place = VirtualHouse(GAME, partial(CoincheLobby, defaults={"resume": "token"}, mint=lambda: "secret"))
    table(place)  # it has resume=name
    clients = four(place)
    assert fields(clients[1].frames[2]) == "108 2 t1 secret"
    clients[1].drop()
    stranger = place.connect()
    for line in ("NAME bobby", "NAME bobby wrong"):
        assert reply(stranger, line) == "403 nickname is already in use", line
    assert reply(place.connect(), "NAME bobby secret") == "200 Nickname changed"


def test_a_player_returns_by_name_to_a_seat_taken_by_name() -> None:
    """A server that has been restarted with other options keeps the seats of its tables."""
    place = house()
    table(place)
    four(place)
    place.lobby_of = partial(CoincheLobby, defaults={"resume": "token"}, mint=lambda: "secret")
    place.restart()
    back = named(place, "bobby")
    assert fields(back.frames[3]) == "108 2 t1 -"
    assert reply(place.connect(), "NAME bobby") == "403 nickname is already in use"


def test_a_player_returns_by_name_with_its_exact_spelling_and_from_the_same_address() -> None:
    place = house()
    table(place)
    four(place)[1].drop()
    assert reply(place.connect(), "NAME Bobby") == "403 nickname is already in use"
    assert reply(place.connect(address="elsewhere"), "NAME bobby") == "403 nickname is already in use"
    assert reply(place.connect(), "NAME bobby") == "200 Nickname changed"


def test_a_seat_by_name_cannot_be_taken_over_in_another_protocol() -> None:
    place = house()
    opened = table(place)
    clients = four(place)
    for token in ("", BY_NAME, BY_NAME[:-1]):
        thief = place.visit(opened.id, HouseConversation)
        thief.send({"type": "join", "name": "anna", "token": token})
        assert thief.read()[-1]["type"] == "refused", token
    assert clients[0].connected


def test_a_seat_with_a_token_cannot_be_taken_over_by_name() -> None:
    place = house()
    opened = table(place)
    browser = place.visit(opened.id, HouseConversation)
    browser.send({"type": "join", "name": "anna", "token": "mine", "person": True})
    clients = [named(place, name) for name in ("bobby", "carol", "david")]
    browser.drop()
    assert taken([clients[0]])[0][-1] == "102 1 anna lost"
    assert reply(place.connect(), "NAME anna") == "403 nickname is already in use"


@pytest.mark.parametrize("moment", ["auction", "trick"])
def test_a_killed_server_resumes(moment: str) -> None:
    place = house()
    table(place)
    clients = four(place)
    clients[0].send("CONTRACT 80 Hearts")
    if moment == "trick":
        for client in clients[1:]:
            client.send("PASS")
        clients[0].send("PLAY 10 Clubs")
    before = [fields(line) for line in ask(clients[1], "STATE")][1:]
    place.restart()
    back = [named(place, name) for name in ("david", "carol", "bobby", "anna")][::-1]
    told = [fields(line) for line in back[1].frames]
    turn, hint = before[-3], before[-2]
    assert [line for line in told if line in before] == [*before[:-3], before[-1], turn, hint]
    play(back, "350")


def test_after_a_restart_a_player_is_told_what_the_table_waits_for() -> None:
    place = house()
    table(place)
    four(place)[0].send("CONTRACT 80 Hearts")
    place.restart()
    bobby, anna = named(place, "bobby"), named(place, "anna")
    waits = "423 please wait until the other players are back."
    for client in (bobby, anna):
        assert reply(client, "PASS") == waits
    assert reply(bobby, "CONTRACT 70 Hearts") == "432 the minimum bidding value is 80."
    assert reply(bobby, "PLAY 7 Hearts") == waits
    place.advance(15)
    assert fields(bobby.take()[-2]) == "320 2 bobby 60"
    assert reply(anna, "PASS") == "423 please wait for your turn."
    assert reply(bobby, "PASS") == "200 You passed your turn."
