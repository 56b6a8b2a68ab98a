"""Floods, tables that close or are full, names and texts of other protocols, closing (13, 14)."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from croupier.core.options import BadOptions
from croupier.core.refusal import Refusal
from croupier.games.coinche import GAME
from croupier.games.coinche.joining import BY_NAME, CoincheClaim
from croupier.games.coinche.tests.clients import (
    DECKS,
    ask,
    codes,
    fields,
    four,
    house,
    named,
    play,
    reply,
    table,
    taken,
)
from croupier.games.coinche.vocabulary import TABLE_OPTIONS
from croupier.games.coinche.wire import CoincheConversation, CoincheLobby
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import (
    Act,
    Disconnect,
    Enter,
    Join,
    Open,
    Opened,
    Refused,
    Rename,
    Resumed,
    Say,
    Send,
)

# Floods.


def test_lines_above_the_limit_are_not_carried_out() -> None:
    place = house()
    client = place.connect()
    client.take()
    for _ in range(200):
        client.send("HAND")
    assert set(client.take()) == {"401 please give your nickname first."}
    for line in ("HAND", "NAME anna", "FLY", "QUIT", "CONTRACT 80 Hearts"):
        assert reply(client, line) == "407 too many commands."
    assert reply(client, "x" * 600) == "406 line too long."
    assert ask(client, "") == []
    place.advance(1)
    told = ask(client, *["HAND"] * 51)
    assert codes(told) == [401] * 50 + [407]
    place.advance(1)
    assert reply(client, "NAME anna") == "200 Nickname changed"


def test_a_thousand_lines_above_the_limit_end_the_connection() -> None:
    place = house()
    client = place.connect()
    client.take()
    for _ in range(200 + 999):
        client.send("FLY")
    assert client.connected
    client.take()
    client.send("FLY")
    assert client.take() == ["407 too many commands.", "500 flood"]
    assert client.disconnected is not None
    client.send("HELP")
    assert client.take() == []


def test_accepted_actions_are_never_counted() -> None:
    place = house()
    table(place, draws=())
    clients = four(place)
    for client in clients:
        while reply(client, "HAND") != "407 too many commands.":
            pass
    assert reply(clients[2], "PASS") == "407 too many commands."  # refused, and one too many
    assert reply(clients[0], "PASS") == "200 You passed your turn."
    for client in clients:
        client.take()
    play(clients, "350")  # a whole game without any time passing


def test_a_flood_of_refused_actions_ends_the_connection_too() -> None:
    place = house()
    table(place)
    clients = four(place)
    for _ in range(1200):
        clients[0].send("CONTRACT 80 Cups")
    assert clients[0].take()[-1] == "500 flood"
    place = house()
    table(place)
    clients = four(place)
    for _ in range(1200):
        clients[0].send("COINCHE")  # checked by the rules, because it is her turn
    assert clients[0].take()[-1] == "500 flood"
    assert clients[0].disconnected is not None


def test_an_accepted_action_ends_a_row_of_lines_above_the_limit() -> None:
    place = house()
    table(place)
    anna = four(place)[0]
    for _ in range(199 + 999):  # and her NAME
        anna.send("FLY")
    assert reply(anna, "PASS") == "200 You passed your turn."
    assert ask(anna, *["FLY"] * 999) == ["407 too many commands."] * 999
    assert ask(anna, "FLY")[-1] == "500 flood"


# Tables that close, names of other protocols, long lines.


def test_when_its_table_closes_a_player_goes_to_another() -> None:
    place = house()
    opened = table(place)
    clients = four(place)
    taken(clients)
    place.close(opened.id, "closed by its owner")
    told = [fields(line) for line in clients[0].take()]
    assert told[:3] == ["351 shutdown", "108 1 t2 -", "101 1 anna"]
    assert [p.name for p in place.tables()[0].places] == ["anna", "bobby", "carol", "david"]
    assert clients[3].frames[-1].startswith("320 1 anna")


def test_players_of_other_protocols_have_names_that_fit_a_line() -> None:
    place = house()
    opened = table(place)
    browser = place.visit(opened.id, HouseConversation)
    browser.send({"type": "join", "name": "Zoé : von Stein", "token": "t", "person": True})
    other = place.visit(opened.id, HouseConversation)
    other.send({"type": "join", "name": "Al", "token": "t"})
    anna = named(place, "anna")
    assert [fields(line) for line in anna.frames[3:5]] == ["101 1 ZoevonStein1", "101 2 Alseat2"]
    assert reply(place.connect(), "NAME zoevonstein1") == "403 nickname is already in use"
    browser.send({"type": "say", "text": "two\r\nlines \x1b[2J" + "é" * 480})
    line = anna.frames[-1]
    assert line.startswith("106 1 ZoevonStein1 :two  lines  [2J")
    assert len(line.encode()) + 2 <= 1024
    assert not any(ord(sign) < 32 for sign in line)


def test_a_game_of_stand_ins_alone_ends() -> None:
    """No player acts, and the game still ends."""
    place = house()
    table(place, draws=DECKS)
    clients = four(place)
    for client in clients[1:]:
        client.drop()
    clients[0].take()
    rng = Random(1)
    for _ in range(3000):
        if any(line.startswith("350") for line in clients[0].frames):
            break
        place.advance(rng.choice((1, 30, 60)))
    assert any(line.startswith("350") for line in clients[0].frames)


def test_the_conversation_never_answers_after_its_end() -> None:
    place = house()
    client = named(place, "anna")
    conversation = client.conversation
    assert isinstance(conversation, CoincheConversation)
    client.send("QUIT")
    assert conversation.receive("HELP", place.now) == []
    assert conversation.wake() is None


def conversation_of(client: Client) -> CoincheConversation:
    assert isinstance(client.conversation, CoincheConversation)
    return client.conversation


def new_conversation(place: VirtualHouse) -> CoincheConversation:
    """Return a conversation without a connection."""
    conversation = CoincheLobby(GAME, place.lobby.host, {}).conversation()
    assert isinstance(conversation, CoincheConversation)
    return conversation


def test_a_player_whose_seat_has_been_taken_is_sent_to_another_table() -> None:
    place = house()
    first, second = table(place, draws=()), table(place, draws=())
    conversation = new_conversation(place)
    (enter,) = conversation.receive("NAME anna", 0.0)
    assert isinstance(enter, Enter)
    assert enter.table == first.id
    assert conversation.receive("HAND", 0.0) == []
    assert conversation.note(Refused(Join(enter.claim), "table_full", ""), 0.0) == []
    (enter,) = conversation.take()
    assert isinstance(enter, Enter)
    assert enter.table == second.id
    conversation.note(Refused(Join(enter.claim), "no_table", ""), 0.0)
    assert [type(output) for output in conversation.take()] == [Open]
    assert not conversation.pending()  # HAND still waits
    for _ in range(18):
        outputs = conversation.answered(Opened(place.open(TableSpec(("open",) * 4))), 0.0)
        assert [type(output) for output in outputs] == [Enter]
        conversation.note(Refused(Join(enter.claim), "table_full", ""), 0.0)
        outputs = conversation.take()
    assert outputs == [Send("503 server full."), Disconnect(1013, "server full.")]


def test_a_claim_is_judged_by_the_table_itself() -> None:
    place = house()
    opened = table(place)
    four(place)
    with pytest.raises(Refusal) as taken_:
        CoincheClaim("Anna", BY_NAME).seat(opened)
    assert taken_.value.key == "name_taken"
    with pytest.raises(Refusal) as full:
        CoincheClaim("emma", BY_NAME).seat(opened)
    assert full.value.key == "table_full"
    place.open(TableSpec(("bot heuristic", "open", "open", "open")))
    with pytest.raises(Refusal):
        CoincheClaim("bot1", BY_NAME).seat(place.tables()[1])


def test_a_name_that_is_taken_in_the_meantime_is_refused() -> None:
    place = house()
    table(place, draws=())
    conversation = new_conversation(place)
    (enter,) = conversation.receive("NAME anna", 0.0)
    assert isinstance(enter, Enter)
    conversation.note(Refused(Join(enter.claim), "name_taken", ""), 0.0)
    assert conversation.take() == [Send("403 nickname is already in use")]
    assert conversation.name == ""


def test_requests_that_a_closing_table_refuses_get_their_reply_too() -> None:
    place = house()
    table(place)
    conversation = conversation_of(four(place)[0])
    assert [type(output) for output in conversation.receive("PASS", 0.0)] == [Act]
    assert conversation.note(Refused(Act(1, (0,), "PASS"), "closed", ""), 0.0) == ["404 no game in progress."]
    assert [type(output) for output in conversation.receive("MSG hello", 0.0)] == [Say]
    assert conversation.note(Refused(Say("hello"), "closed", ""), 0.0)[0].startswith("412")
    assert [type(output) for output in conversation.receive("NAME annabel", 0.0)] == [Rename]
    conversation.note(Refused(Rename("annabel"), "closed", ""), 0.0)
    assert conversation.take() == [Send("403 nickname is already in use")]
    assert conversation.name == "anna"
    conversation.receive("PASS", 0.0)
    outputs = conversation.ousted("closed", 0.0)
    assert [output.frame[:3] for output in outputs if isinstance(output, Send)] == ["404", "351"]


def test_closing_lines() -> None:
    place = house()
    client = named(place, "anna")
    assert conversation_of(client).closing("the server stops") == [
        Send("500 shutdown"),
        Disconnect(1001, "shutdown"),
    ]
    assert conversation_of(place.connect()).turned_away()[0] == Send("503 server full.")


def test_the_removal_of_a_player_is_announced() -> None:
    place = house()
    opened = table(place)
    anna, bobby = named(place, "anna"), named(place, "bobby")
    page = place.visit(opened.id, HouseConversation)
    page.send({"type": "join", "name": "zoe9", "token": "t"})
    taken([anna, bobby])
    page.send({"type": "arrange", "seats": ["open", "bot heuristic", "open", "open"]})
    assert bobby.take() == ["500 replaced"]
    assert taken([anna]) == [["102 2 bobby kicked", "101 2 bot2"]]


def test_a_continued_position_is_sent_as_a_snapshot() -> None:
    place = house()
    table(place)
    clients = four(place)
    lines = conversation_of(clients[0]).note(Resumed(), place.now)
    assert codes(lines) == [360, 300, 341, 310, 311, 320, 326, 361]
    place = house()
    opened = table(place, options={"first_dealer": "1"}, bid_seconds=0)
    clients = four(place)
    assert fields(clients[1].frames[-2]) == "320 2 bobby 0"
    assert opened.wake() is None


def test_the_server_says_which_bots_take_free_seats() -> None:
    defaults = {"bots": "expert", "fill_bots_seconds": 5}
    place = VirtualHouse(GAME, partial(CoincheLobby, defaults=defaults))
    named(place, "anna")
    place.advance(6.0)
    assert [one.bot for one in place.tables()[0].places] == ["", "expert", "expert", "expert"]
    with pytest.raises(BadOptions, match="option bots: 'genius', expected one of random, novice, heuristic"):
        VirtualHouse(GAME, partial(CoincheLobby, defaults={"bots": "genius"}))


def test_the_clocks_are_those_of_the_options() -> None:
    options = TABLE_OPTIONS.read(
        {"warn_seconds": 7, "grace_seconds": 8, "max_auto": 9, "fill_bots_seconds": 0, "on_quit": "abort"}
    )
    pace = GAME.pace(options)
    assert (pace.warning(), pace.absence(), pace.autos(True), pace.autos(False)) == (7, 8, 9, 9)
    assert pace.filling() < 0
    assert pace.quitting_aborts()
    assert pace.abandonment() == 60
    assert pace.absence_bot(False) in GAME.bots()
    assert GAME.pace(TABLE_OPTIONS.read({"fill_bots_seconds": 5})).filling() == 5
