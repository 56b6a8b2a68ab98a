"""Tables of the line protocol: seats, clocks, stand-ins, quitting, rematch, floods (13, 14)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from croupier.core.contract import Game
from croupier.core.refusal import Refusal
from croupier.games.coinche.seats import Seats
from croupier.games.coinche.tests.clients import (
    act,
    ask,
    codes,
    fields,
    four,
    hinted,
    house,
    named,
    play,
    reply,
    table,
    taken,
)
from croupier.table.shell import Shell
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import AWAY, BACK, LOST, PRESENT, RENAMED, Disconnect, PlacesChanged

# Sitting down.


def test_new_players_get_the_lowest_free_seat_of_the_oldest_waiting_table() -> None:
    place = house()
    first, second = table(place), table(place)
    a, b = named(place, "anna"), named(place, "bobby")
    assert [p.name for p in first.places] == ["anna", "bobby", "", ""]
    a.send("QUIT")
    named(place, "carol")
    assert [p.name for p in first.places] == ["carol", "bobby", "", ""]
    for name in ("david", "emma", "fred"):
        named(place, name)
    assert [p.name for p in first.places] == ["carol", "bobby", "david", "emma"]
    assert [p.name for p in second.places] == ["fred", "", "", ""]
    assert b.conversation.seat == 1


def test_a_table_is_opened_when_none_waits() -> None:
    place = house()
    clients = [named(place, f"player{number}") for number in range(9)]
    assert [len([p for p in info.places if p.name]) for info in place.tables()] == [4, 4, 1]
    assert fields(clients[8].frames[2]) == "108 1 t3 -"


def test_only_open_seats_are_taken() -> None:
    place = house()
    place.open(TableSpec(("bot heuristic", "open", "person", "open"), auto_cycle=True))
    named(place, "anna")
    named(place, "bobby")
    carol = named(place, "carol")
    assert [p.name for p in place.tables()[0].places] == ["Ida Lang", "anna", "", "bobby"]
    assert fields(carol.frames[2]) == "108 1 t2 -"


def test_simultaneous_players_share_new_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four players whose NAME arrives while a table is being opened join it, and the fifth joins another."""
    place = house()
    slow_opening(place, monkeypatch)
    clients = [named(place, f"player{number}") for number in range(6)]
    for client in clients:
        client.send("HAND")
        assert codes(client.frames) == [100]  # HAND waits for the reply to NAME
    clients.pop(1).drop()
    late = named(place, "late")
    place.advance(1.0)
    seated = [sorted(one.name for one in info.places) for info in place.tables()]
    assert seated == [["late", "player0", "player2", "player3"], ["", "", "player4", "player5"]]
    assert codes(late.frames)[:3] == [100, 200, 108]
    assert all(424 in codes(client.frames) for client in clients[3:])


def test_a_player_who_left_before_the_table_opened_has_no_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    place = house()
    slow_opening(place, monkeypatch)
    named(place, "anna").drop()
    place.advance(1.0)
    bobby = named(place, "bobby")
    assert [fields(line) for line in bobby.frames[2:4]] == ["108 1 t1 -", "101 1 bobby"]


def test_no_room_for_another_table(monkeypatch: pytest.MonkeyPatch) -> None:
    place = house()

    async def full(game: Game, spec: TableSpec) -> Shell:
        raise Refusal("full", "too many tables")

    monkeypatch.setattr(place.all_tables, "open", full)
    anna = named(place, "anna")
    assert anna.frames[1:] == ["503 server full."]
    assert anna.disconnected == Disconnect(1013, "server full.")


def slow_opening(place: VirtualHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a table take a second to open."""
    open_table = place.all_tables.open

    async def slow(game: Game, spec: TableSpec) -> Shell:
        await asyncio.sleep(1.0)
        return await open_table(game, spec)

    monkeypatch.setattr(place.all_tables, "open", slow)


def test_new_players_are_sent_to_tables_with_waiting_players() -> None:
    place = house()
    empty, other = table(place), table(place)
    page = place.visit(other.id, HouseConversation)
    page.send({"type": "join", "name": "Zoe", "token": "t", "person": True})
    named(place, "anna")
    assert [p.name for p in other.places] == ["Zoe", "anna", "", ""]
    place.open(TableSpec(("bot heuristic", "open", "open", "open")))
    for name in ("bobby", "carol", "david"):
        named(place, name)
    assert [p.name for p in other.places] == ["Zoe", "anna", "bobby", "carol"]
    assert [p.name for p in empty.places] == ["david", "", "", ""]  # bots do not wait


@pytest.mark.parametrize(
    "how",
    [{"seed": "known"}, {"draws": [["S1"]]}, {"watch_open": True}, {"private": True, "invitation": "x"}],
    ids=str,
)
def test_nobody_is_seated_unasked_at_a_private_table_or_where_a_player_could_know_the_cards(
    how: dict[str, Any],
) -> None:
    place = house()
    trap = place.open(TableSpec(["open"] * 4, **how))
    named(place, "anna")
    assert [p.name for p in trap.places] == [""] * 4
    assert [p.name for p in place.tables()[1].places] == ["anna", "", "", ""]


def test_a_server_whose_tables_are_all_seeded_tells_its_players() -> None:
    place = house()
    table(place)
    anna, bobby = named(place, "anna"), named(place, "bobby")
    assert anna.frames[0].endswith(
        "HELP lists all commands. The cards are fixed in advance: a player may know them."
    )
    assert [line for line in bobby.frames if line.startswith("108")] == [
        "108 2 t1 - :You are at seat 2 of table t1. The cards are fixed in advance: a player may know them."
    ]


@pytest.mark.parametrize("leave", ["QUIT", ""])
def test_a_table_of_the_protocol_closes_when_the_last_player_leaves(leave: str) -> None:
    place = house()
    anna, bobby = named(place, "anna"), named(place, "bobby")
    for client in (anna, bobby):
        assert [info.id for info in place.tables()] == ["t1"]
        if leave:
            client.send(leave)
        else:
            client.drop()
    assert place.tables() == []
    assert fields(named(place, "carol").frames[2]) == "108 1 t2 -"


def test_a_table_of_the_protocol_closes_when_its_game_is_abandoned() -> None:
    place = house()
    for client in four(place):
        client.drop()
    place.advance(59)
    assert [info.phase for info in place.tables()] == ["playing"]
    place.advance(2)
    assert place.tables() == []


def test_a_table_that_was_opened_elsewhere_stays() -> None:
    place = house()
    table(place)
    named(place, "anna").drop()
    assert [info.id for info in place.tables()] == ["t1"]


def test_an_empty_table_of_the_protocol_is_not_restored_after_a_restart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = house()
    named(place, "anna")
    place.restart()
    assert place.tables() == []
    slow_opening(place, monkeypatch)
    named(place, "bobby").drop()
    place.advance(1.0)
    assert [info.id for info in place.tables()] == ["t2"]  # no player has returned to it
    place.restart()
    assert place.tables() == []
    assert fields(named(place, "carol").frames[2]) == "108 1 t3 -"


def test_all_players_are_told_of_seats_in_the_same_order() -> None:
    place = house()
    anna, bobby = named(place, "anna"), named(place, "bobby")
    assert [fields(line) for line in bobby.frames] == [
        "100 coinche/1",
        "200 Nickname changed",
        "108 2 t1 -",
        "101 1 anna",
        "101 2 bobby",
        "104 2 4",
    ]
    anna.take()
    bobby.drop()
    assert taken([anna]) == [["102 2 bobby lost", "104 1 4"]]
    bobby = named(place, "bobby")
    assert taken([anna]) == [["101 2 bobby", "104 2 4"]]
    bobby.send("QUIT")
    assert taken([anna]) == [["102 2 bobby quit", "104 1 4"]]


def test_state_while_waiting() -> None:
    place = house()
    anna = named(place, "anna")
    named(place, "bobby")
    assert [fields(line) for line in ask(anna, "STATE")] == [
        "200 state follows.",
        "360 begin",
        "101 1 anna",
        "101 2 bobby",
        "104 2 4",
        "361 end",
    ]


def test_a_table_that_was_not_started_starts_when_it_is_full() -> None:
    place = house()
    opened = table(place)
    opened.started = False  # as a table opened over HTTP may be
    clients = [named(place, name) for name in ("anna", "bobby", "carol", "david")]
    assert codes(clients[0].take())[-4:] == [310, 311, 320, 326]
    assert codes(clients[3].take())[:3] == [100, 200, 108]


def test_an_unnamed_connection_is_closed_after_a_minute() -> None:
    place = house()
    client, other = place.connect(), named(place, "anna")
    client.send("NAME x")
    client.take()
    place.advance(59.9)
    assert client.take() == []
    place.advance(0.2)
    assert client.take() == ["500 idle"]
    assert client.disconnected is not None
    assert other.connected


# Clocks and stand-ins.


def test_warning_time_out_and_the_default_actions() -> None:
    place = house()
    table(place, bid_seconds=20, play_seconds=30, warn_seconds=5)
    clients = four(place)
    place.advance(15)
    assert taken(clients) == [["109 1 anna 5"]] * 4
    place.advance(5)
    assert taken(clients)[0] == ["112 1 anna timeout", "322 1", "320 2 bobby 20"]
    for client, line in zip(clients[1:], ("CONTRACT 80 Spades", "PASS", "PASS"), strict=True):
        client.send(line)
    clients[0].send("PASS")
    taken(clients)
    place.advance(30)
    # The legal card with the fewest points and then the lowest rank: 7 of Hearts, not of Spades.
    assert taken(clients)[1] == [
        "109 1 anna 5",
        "112 1 anna timeout",
        "331 1 7 Hearts",
        "330 2 bobby 30 1",
        "334 [A Hearts]",
    ]


def test_after_three_automatic_actions_a_bot_plays_until_the_player_does_something() -> None:
    place = house()
    table(place, bid_seconds=10, play_seconds=10, warn_seconds=0)
    clients = four(place)
    anna, bobby, carol, david = clients
    anna.send("CONTRACT 160 Hearts")
    for client in (bobby, carol, david):
        client.send("PASS")
    taken(clients)
    for _ in range(2):
        place.advance(10)  # anna's time is up
        while act([bobby, carol, david]):
            pass
    place.advance(10)
    told = [line for line in taken([carol])[0] if line.startswith(("112", "107"))]
    assert told == ["112 1 anna timeout"] * 3 + ["107 1 anna bot"]
    # A refused action has its own reply, and the attempt ends the absence of the player.
    assert [fields(line) for line in ask(anna, "PLAY 2 x")] == [
        "421 2 x is not in your deck.",
        "107 1 anna human",
    ]
    assert taken([carol])[0] == ["107 1 anna human"]


def test_a_lost_player_is_replaced_after_the_grace_time() -> None:
    place = house()
    table(place, bid_seconds=500, grace_seconds=120)
    clients = four(place)
    clients[0].drop()
    assert taken(clients[1:]) == [["102 1 anna lost"]] * 3
    place.advance(119)
    assert taken(clients[1:]) == [[]] * 3
    place.advance(1)
    bobby = taken(clients[1:])[0]
    assert bobby[0] == "107 1 anna bot"
    assert bobby[1][:3] in ("321", "322")
    assert bobby[2] == "320 2 bobby 500"


def test_four_passes() -> None:
    place = house()
    table(place)
    clients = four(place)
    for client in clients:
        client.send("PASS")
    assert [fields(line) for line in clients[3].take()][-6:] == [
        "322 4",
        "312 1",
        "341 0 0 2000",
        "310 2 1 2",
        "311 2 [9 Hearts, J Diamonds, 9 Clubs, J Clubs, K Clubs, A Clubs, 9 Spades, Q Spades]",
        "320 2 bobby 60",
    ]


# Notes that lag behind.


def test_lines_have_the_names_of_the_time_of_the_event() -> None:
    place = house()
    info = table(place)
    clients = [named(place, name) for name in ("anna", "bobby", "carol")]
    seats = Seats(info, {0: "anna", 1: "bobby", 2: "carol"})
    clients[1].send("NAME bernard")
    clients[1].drop()
    clients[2].send("NAME caroline")
    notes = [
        PlacesChanged(RENAMED, 1, "bobby", "bernard"),
        PlacesChanged(LOST, 1, "bernard"),
        PlacesChanged(AWAY, 2, "carol"),
        PlacesChanged(BACK, 2, "carol"),
        PlacesChanged(PRESENT, 2, "carol"),
        PlacesChanged(RENAMED, 2, "carol", "caroline"),
    ]
    assert [fields(line) for note in notes for line in seats.changed(note)] == [
        "103 2 bobby bernard",
        "102 2 bernard lost",
        "104 2 4",
        "107 3 carol bot",
        "105 3 carol",
        "107 3 carol human",
        "103 3 carol caroline",
    ]


# Quitting, abandoning, filling up.


def test_a_bot_replaces_a_player_who_quits_and_the_name_is_free() -> None:
    place = house()
    table(place)
    clients = four(place)
    assert ask(clients[1], "QUIT") == []
    assert clients[1].disconnected is not None
    assert taken([clients[0]])[0] == ["102 2 bobby quit", "107 2 bot2 bot"]
    assert reply(clients[2], "NAME bobby") == "200 Nickname changed"
    assert fields(ask(clients[0], "STATE")[2]) == "300 g1 2000 1=anna 2=bot2 3=bobby 4=david"
    clients[0].send("PASS")
    told = taken([clients[3]])[0]
    assert [line[:3] for line in told if line.startswith(("32", "10"))][-4:] in (
        ["320", "321", "320"][-4:],
        ["322", "320", "321", "320"],
        ["322", "320", "322", "320"],
    )


def test_the_bot_leaves_after_the_game() -> None:
    place = house()
    table(place, options={"target": 100})
    clients = four(place)
    clients[1].send("QUIT")
    rest = [clients[0], clients[2], clients[3]]
    play(rest, "350")
    assert [fields(line) for line in clients[0].frames[-2:]] == ["102 2 bot2 quit", "104 3 4"]
    emma = named(place, "emma")
    assert fields(emma.frames[2]) == "108 2 t1 -"
    place.advance(10)
    assert [line[:3] for line in clients[0].frames if line.startswith("300")] == ["300", "300"]


def test_quitting_may_stop_the_game() -> None:
    place = house()
    table(place, on_quit="abort")
    clients = four(place)
    clients[1].send("QUIT")
    told = taken([clients[0], clients[2], clients[3]])
    assert told == [["102 2 bobby quit", "351 quit", "104 3 4"]] * 3
    assert reply(clients[0], "PASS") == "404 no game in progress."
    named(place, "emma")
    assert "300 g2 2000 1=anna 2=emma 3=carol 4=david" in taken([clients[0]])[0]


def test_a_game_that_all_players_have_left_is_abandoned() -> None:
    place = house()
    opened = table(place)
    clients = four(place)
    for client in clients[1:]:
        client.send("QUIT")
    clients[0].drop()
    place.advance(59)
    assert opened.phase == "playing"
    place.advance(2)
    assert opened.phase == "gathering"
    assert not any(p.name for p in opened.places)


def test_bots_fill_a_table() -> None:
    place = house()
    table(place, fill_bots_seconds=30)
    anna = named(place, "anna")
    place.advance(20)
    bobby = named(place, "bobby")
    place.advance(29)
    words = "waiting for 2 more player(s); bots take the free seats if no player joins for 30 s"
    assert bobby.take()[-1] == f"104 2 4 :{words}"
    anna.take()
    place.advance(1)
    assert [fields(line) for line in anna.take()][:4] == [
        "101 3 bot3",
        "104 3 4",
        "101 4 bot4",
        "300 g1 2000 1=anna 2=bobby 3=bot3 4=bot4",
    ]


# The end of a game, and the next one.


def test_a_rematch_moves_the_deal_on() -> None:
    place = house()
    table(place, options={"target": 100}, draws=())
    clients = four(place)
    play(clients, "350")
    dealers = [fields(line).split()[2] for line in clients[0].frames if line.startswith("310")]
    assert [line[:3] for line in clients[0].frames[-3:]] == ["340", "341", "350"]
    assert reply(clients[0], "PASS") == "404 no game in progress."
    assert reply(clients[0], "LAST") == "423 the last trick is not available yet."
    assert reply(clients[0], "HAND") == "424 your hand is empty."
    taken(clients)
    place.advance(9.9)
    assert taken(clients) == [[]] * 4
    place.advance(0.2)
    told = taken(clients)[0]
    assert told[0] == "300 g2 100 1=anna 2=bobby 3=carol 4=david"
    last = int(dealers[-1])
    moved = "" if last == 3 else f" first_dealer={last % 4 + 1}"
    assert told[1] == f"301 target=100{moved}"
    assert told[2] == f"310 1 {last % 4 + 1} {(last + 1) % 4 + 1}"


def test_commands_after_the_end_of_a_game_get_404() -> None:
    """The table stores the seed of the last deal before it rests: 350 is sent before that."""
    place = house()
    table(place, options={"target": 100}, draws=())
    clients = four(place)
    lines = ("PASS", "CONTRACT 70 Hearts", "COINCHE", "SURCOINCHE", "PLAY 2 x", "PLAY 7 Hearts", "LAST")

    def reply_at_once(client: Client, frame: str) -> None:
        if client is clients[1] and frame.startswith("350"):
            for line in lines:
                client.connection.receive(line)

    place.on_frame = reply_at_once
    play(clients, "350")
    none = "404 no game in progress."
    assert clients[1].frames[-7:] == [none] * 6 + ["423 the last trick is not available yet."]


def test_a_game_of_new_players_starts_with_the_dealer_of_the_options() -> None:
    place = house()
    table(place, options={"target": 100}, draws=())
    clients = four(place)
    play(clients, "350")
    for client in clients:
        client.send("QUIT")
    place.advance(30)
    strangers = [named(place, name) for name in ("erik", "fred", "gina", "hugo")]
    told = [fields(line) for line in strangers[0].take()]
    assert [line for line in told if line.startswith(("301", "310"))] == ["301 target=100", "310 1 4 1"]
    for stranger in strangers:
        stranger.drop()
    place.advance(61)
    others = [named(place, name) for name in ("iris", "jean", "karl", "lena")]
    assert "310 1 4 1" in [fields(line) for line in others[0].take()]


def test_a_refused_command_does_not_count_as_an_action() -> None:
    place = house()
    table(place, draws=(), bid_seconds=10, play_seconds=10, warn_seconds=0, max_auto=2)
    clients = four(place)
    for _ in range(2):
        while not hinted(clients[0]):
            assert act(clients[1:])
        assert reply(clients[0], "PLAY 7 Hearts").startswith("42")
        assert reply(clients[0], "CONTRACT 85 Hearts").startswith("43")
        place.advance(10)
    assert "107 1 anna bot" in [fields(line) for line in clients[1].frames]


def test_no_rematch_without_all_four() -> None:
    place = house()
    table(place, options={"target": 100})
    clients = four(place)
    play(clients, "350")
    taken(clients)
    clients[3].send("QUIT")
    assert taken(clients[:3]) == [["102 4 david quit", "104 3 4"]] * 3
    place.advance(60)
    assert taken(clients[:3]) == [[]] * 3


def test_a_player_disconnected_at_the_end_loses_the_seat() -> None:
    place = house()
    table(place, options={"target": 100}, play_seconds=1, bid_seconds=1, warn_seconds=0, max_auto=1)
    clients = four(place)
    clients[3].drop()
    taken(clients)
    for _ in range(4000):
        if clients[0].frames[-1].startswith("104"):
            break
        if not act(clients[:3]):
            place.advance(1)
    told = [fields(line) for line in clients[0].frames]
    assert told[-2].startswith("350")
    assert told[-1] == "104 3 4"
    assert fields(named(place, "david").frames[2]) == "108 4 t1 -"


def test_all_players_get_the_same_lines_in_the_same_order() -> None:
    """A whole game of four: public lines are the same for all, and each player gets only their own cards."""
    place = house("order")
    table(place, draws=())
    clients = four(place)
    play(clients, "350")
    private = ("100", "101", "104", "108", "311", "326", "334")
    public = [
        [line for line in client.frames if line[0] in "13" and line[:3] not in private] for client in clients
    ]
    assert public[0] == public[1] == public[2] == public[3]
    assert len(public[0]) > 300
