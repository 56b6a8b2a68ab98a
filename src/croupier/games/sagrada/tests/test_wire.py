"""The wire beyond transcripts: ends of lines, limits, users, restarts, races (spec 2, 4, 12)."""

from __future__ import annotations

import pytest

from croupier.core.options import BadOptions
from croupier.games.sagrada import GAME
from croupier.games.sagrada.lobby import GlassLobby
from croupier.games.sagrada.parsing import nick_of
from croupier.games.sagrada.settings import Settings
from croupier.games.sagrada.tests.wiring import TOKENS, log_in, new_house, say
from croupier.games.sagrada.wire import GlassConversation
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Disconnect, Keep, Uses, token_digest

DEAL = {
    "start": 1,
    "private": [4, 1],
    "public": [1, 5, 9],
    "cards": [[8, 7], [1, 9]],
    "tools": [6, 11, 4],
    "draws": [["R5", "R6", "G1", "Y3", "B2"], ["P4", "G2", "B1", "Y3", "R1"]],
    "chance": ["2", "Y0"],
}
AT_ONCE = {"lobby_wait": 0, "deal": DEAL}


def two(house: VirtualHouse) -> tuple[Client, Client]:
    """Return bob and eve, who have chosen; bob may draw the dice."""
    bob, eve = log_in(house, "bob"), log_in(house, "eve", events=True)
    bob.send("schema\t14")
    eve.send("schema\t1")
    bob.take()
    eve.take()
    return bob, eve


# Ends of lines (spec 2).


@pytest.mark.parametrize(
    ("cuts", "found"),
    [
        ([b"ping\n"], "\n"),
        ([b"ping\r\n"], "\r\n"),
        ([b"ping\r", b"\n"], "\r\n"),
        ([b"ping\rping\r"], "\r"),
        ([b"ping\r", b"ping\n"], "\r"),
        ([b"pi", b"ng\n"], "\n"),
    ],
)
def test_the_seed_port_ends_lines_as_its_client_does(cuts: list[bytes], found: str) -> None:
    client = new_house().connect()
    conversation = client.conversation
    assert isinstance(conversation, GlassConversation)
    assert conversation.terminator == "\r"
    for cut in cuts:
        client.feed(cut)
    assert conversation.terminator == found
    assert client.frames[1:] == ["pong"] * b"".join(cuts).count(b"ping")


def test_a_lone_cr_waits_50_ms_for_its_lf() -> None:
    house = new_house()
    client = house.connect()
    client.feed(b"ping\r")
    house.advance(0.049)
    assert client.frames[1:] == []
    house.advance(0.001)
    assert client.frames[1:] == ["pong"]
    client.feed(b"ping\n")
    assert isinstance(client.conversation, GlassConversation)
    assert client.conversation.terminator == "\r"


def test_the_line_port_ends_lines_with_cr_lf_and_takes_spaces() -> None:
    client = new_house().connect(line=True)
    client.feed(b"  ping   x\n\r\n \nPING\ty\r")
    assert isinstance(client.conversation, GlassConversation)
    assert client.conversation.terminator == "\r\n"
    assert client.frames[1:] == ["pong\tx", "pong\ty"]


def test_the_line_port_tells_a_lone_player_what_the_lobby_waits_for() -> None:
    client = new_house({"lobby_wait": 20}).connect(line=True)
    start = "a game starts 20 s after 2 players have logged in, bots do not join"
    assert client.take()[0].startswith(f"welcome to the glass workshop; {start}; type: login NAME, ")
    alone = new_house({"solo": True}).connect(line=True)
    assert alone.take()[0].startswith("welcome to the glass workshop; type: login NAME, ")


def test_the_line_port_helps_people() -> None:
    client = new_house().connect(line=True)
    assert "; type: login NAME, schema, " in client.take()[0]
    for word in ("help", "?"):
        shown = say(client, word)
        named = {line.split()[1] for line in shown}
        assert {line.split("\t")[0] for line in shown} == {"help"}
        assert {"login", "schema", "extract", "place", "pass", "active_tool_card", "show"} <= named
    assert say(client, "show") == ["show\tno game is running"]
    programs = new_house().connect()
    assert say(programs, "help", "?", "show")[1:] == ["bad_request"] * 3


def test_the_line_port_draws_the_windows() -> None:
    house = new_house(AT_ONCE)
    zoe = house.connect(line=True)
    zoe.send("login zoe")
    eve = log_in(house, "eve")
    zoe.take()
    collected, numbers, *rows = say(zoe, "show")
    assert collected == "show\tYou collect blue."
    assert "14" in numbers.split()
    assert len(rows) == 4
    zoe.send("schema 14")
    eve.send("schema\t1")
    zoe.send("extract")
    zoe.send("place R5 1 1")
    zoe.take()
    drawn = say(zoe, "show")
    assert drawn[0].split()[:2] == ["show", "zoe"]
    assert "R5" in drawn[1]
    assert [line.split()[1] for line in drawn[5:]] == ["Tools:", "Objectives:", "You"]


def test_spaces_do_not_separate_elsewhere() -> None:
    client = new_house().connect()
    assert say(client, "ping x", " ping ", "ping\t x ") == [
        "welcome to the glass workshop",
        "bad_request",
        "pong",
        "pong\tx",
    ]


# Malformed input and limits (spec 12.1, 12.2).


@pytest.mark.parametrize(
    "line",
    [b"ping\x00", b"ping\tx\x7f", "ping\t\u00e4".encode(), b"\x1bping", b"ping" + b"\t" * 509, b"x" * 600],
)
def test_a_malformed_line_is_one_bad_request(line: bytes) -> None:
    client = new_house().connect()
    client.feed(line + b"\nping\n")
    assert client.frames[1:] == ["bad_request", "pong"]


def test_ids_have_no_leading_zeros_and_other_numbers_may() -> None:  # spec 3
    house = new_house(AT_ONCE)
    bob, eve = log_in(house, "bob"), log_in(house, "eve")
    bob.take()
    assert say(bob, "schema\t014", "schema\t14")[:2] == ["invalid", "ok"]
    eve.send("schema\t1")
    bob.take()
    assert say(bob, "extract", "active_tool_card\t06", "place\tR5\t04\t001")[-2:] == ["bad_request", "ok"]


def test_a_line_of_512_bytes_is_read() -> None:
    client = new_house().connect()
    client.feed(b"ping" + b"\t" * 508 + b"\n")
    assert client.frames[1:] == ["pong"]


def test_a_frame_is_one_line() -> None:
    client = new_house().connect()
    assert say(client, "ping\r\n", "ping\nping", "x" * 513)[1:] == ["pong", "bad_request", "bad_request"]
    client.send(b"ping")
    assert client.take() == ["pong"]


def test_fifty_bad_requests_in_a_row_end_the_connection() -> None:
    house = new_house()
    client = house.connect()
    for _ in range(49):
        client.send("what")
        house.advance(0.1)
    client.send("ping")
    for number in range(50):
        assert client.disconnected is None, number
        client.send("what")
        house.advance(0.1)
    assert client.disconnected == Disconnect(1008, "too many bad requests")


def test_bad_requests_of_a_game_count_too() -> None:
    house = new_house({**AT_ONCE, "turn_time": 0})
    bob, _ = two(house)
    bob.send("extract")
    for _ in range(50):
        assert bob.disconnected is None
        bob.send("move\t1\t1\t2\t2")
        house.advance(0.1)
    assert bob.disconnected is not None


def test_a_flood_waits_and_is_not_read() -> None:
    house = new_house()
    client = house.connect()
    client.feed(b"ping\n" * 100)
    conversation = client.conversation
    assert isinstance(conversation, GlassConversation)
    found: list[tuple[int, bool]] = []
    for seconds in (0.0, 1.0, 2.0):
        house.advance(seconds)
        found.append((client.frames.count("pong"), conversation.crowded))
    assert found == [(40, True), (60, True), (100, False)]


def test_how_many_connections_one_address_may_have_is_an_option() -> None:
    assert new_house().lobby.per_address == 20
    assert new_house({"per_address": 3}).lobby.per_address == 3


def test_a_connection_without_a_user_ends_after_a_minute() -> None:
    house = new_house()
    idle, named = house.connect(), log_in(house, "ann")
    disconnected: list[tuple[bool, bool]] = []
    for seconds in (59.9, 0.1, 10_000):
        house.advance(seconds)
        idle.send("ping")
        disconnected.append((idle.disconnected is not None, named.disconnected is not None))
    assert disconnected == [(False, False), (True, False), (True, False)]


# Users (spec 4).


def test_a_token_is_kept_as_its_digest_and_known_after_a_restart() -> None:
    house = new_house()
    ann = log_in(house, "Ann")
    token = ann.take()[1].split("\t")[2]
    assert token not in str(house.kept)
    house.restart()
    again = house.connect()
    assert say(again, "login\tann", f"token\t{token}")[1:] == [
        "login\tAnn\ttoken",
        "verified",
        "lobbyplayers:\tAnn",
    ]


def test_a_nick_is_free_when_it_expires() -> None:
    house = new_house({"user_ttl": 100})
    ann = log_in(house, "ann")
    house.advance(1000)
    ann.drop()
    house.advance(100)
    other = house.connect()
    assert say(other, "login\tann")[1:] == ["login\tann\ttoken"]
    other.drop()
    house.advance(1)
    assert log_in(house, "Ann").take()[1].startswith("login\tAnn\tT")
    assert len(house.kept) == 1


def test_a_connected_user_keeps_the_nick() -> None:
    house = new_house({"user_ttl": 100, "lobby_wait": 600})
    ann, bob = log_in(house, "ann"), log_in(house, "bob")
    house.advance(101)
    log_in(house, "carl")  # a login checks all users for expiry
    for nick in ("ann", "bob"):
        assert say(house.connect(), f"login\t{nick}")[1:] == [f"login\t{nick}\ttoken"]
    assert ann.connected
    assert bob.connected


def test_the_nick_of_a_deleted_account_is_free_when_it_expires() -> None:
    house = new_house({"user_ttl": 100})
    account = house.account("Anna", "correct horse")
    log_in(house, "carl")
    say(house.connect(), "login\tanna")
    house.identities.dismiss(account)
    assert say(house.connect(), "login\tanna")[1:] == ["login\tAnna\ttoken"]
    house.advance(101)
    assert say(house.connect(), "login\tanna")[1].startswith("login\tanna\tT")


def test_a_player_is_registered_as_long_as_the_game_lasts() -> None:
    house = new_house({**AT_ONCE, "user_ttl": 10, "abandon_wait": 3600, "turn_time": 3600})
    bob, _ = two(house)
    bob.drop()
    house.advance(1000)
    assert "round\t1\tbob" in log_in(house, "bob").take()


def test_a_user_who_disconnects_before_the_name_is_stored_does_not_wait() -> None:
    house = new_house({"user_ttl": 100})
    lobby = house.lobby
    assert isinstance(lobby, GlassLobby)
    conversation = lobby.conversation()
    outputs = conversation.receive("login\tann", house.now)
    assert [type(output) for output in outputs] == [Uses, Keep]
    conversation.gone(house.now)
    assert not conversation.pending()
    assert lobby.nicks() == []
    house.advance(101)
    assert lobby.known("ann", house.now) is None


def test_tokens_are_twenty_letters_and_digits() -> None:
    lobby = GlassLobby(GAME, new_house().lobby.host, {})
    tokens = {lobby.new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) == 20 and token.isascii() and token.isalnum() for token in tokens)


# Tables (spec 6, 12.4).


def test_a_killed_server_resumes_in_the_middle_of_a_tool_dialogue() -> None:
    house = new_house(AT_ONCE)
    bob, _ = two(house)
    say(bob, "extract", "active_tool_card\t6", "reroll_dice\tR5")
    house.restart()
    bob, eve = log_in(house, "bob"), log_in(house, "eve")
    assert bob.take()[-4:] == ["round\t1\tbob", "dice\tR6\tG1\tY3\tB2", "your-turn", "new_dice\tR2"]
    assert say(bob, "pass", "place\tR2\t4\t1", "pass") == ["bad_request", "ok"]
    assert eve.take()[-1] == "your-turn"


def test_a_killed_server_resumes_with_an_active_tool() -> None:
    house = new_house(AT_ONCE)
    bob, _ = two(house)
    say(bob, "extract", "active_tool_card\t11")
    house.restart()
    bob, _ = log_in(house, "bob", events=True), log_in(house, "eve")
    assert "active\t11" in bob.take()
    assert say(bob, "put_in_bag\tR5")[0].startswith("dice_from_pool\t")


def test_the_first_to_return_waits_for_the_others_and_is_told() -> None:
    house = new_house(AT_ONCE)
    bob, _ = two(house)
    say(bob, "extract", "active_tool_card\t6", "reroll_dice\tR5")
    house.restart()
    bob = log_in(house, "bob")
    assert bob.take()[-1] == "dice\tR6\tG1\tY3\tB2"
    house.advance(20)
    assert bob.take() == ["your-turn", "new_dice\tR2"]


def test_the_first_move_of_two_is_gone_with_its_connection() -> None:
    house = new_house({**AT_ONCE, "turn_time": 0})
    bob, eve = two(house)
    say(bob, "extract", "place\tR5\t4\t1", "pass")
    say(eve, "pass", "pass")
    assert say(bob, "place\tG1\t4\t2", "active_tool_card\t4")[-2:] == ["ok", "ok"]
    assert say(bob, "move\t4\t1\t4\t3") == []
    bob.drop()
    bob = log_in(house, "bob")
    bob.take()
    assert say(bob, "move\t4\t2\t4\t4") == []
    assert say(bob, "move\t4\t2\t4\t4") == ["empty_cell"]


def test_a_table_of_the_browser_is_found_by_name_and_token() -> None:
    house = new_house()
    reserved = token_digest(TOKENS["bob"])
    table = house.open(TableSpec(("open", "bot random"), seat_tokens=(reserved, "")))
    bob = log_in(house, "bob")
    assert (
        bob.take()[-1] == "lobbyplayers:\tbob"
    )  # the table is empty, and the lobby does not assign players to it
    assert table.places[0].name == ""


def test_a_player_of_a_table_of_the_browser_returns_to_it() -> None:
    house = new_house()
    table = house.open(TableSpec(("open", "bot random"), options={"rounds": 1, "start": "1"}))
    page = house.visit(table.id, HouseConversation)
    page.send({"type": "join", "name": "Bob", "token": TOKENS["bob"]})
    bob = log_in(house, "bob")
    assert page.disconnected is not None
    told = bob.take()
    assert "lobbyplayers:\tBob\tBenno_Lark" in told
    offered = told[-1].split("\t")
    assert offered[0] == "schemas"
    assert say(bob, f"schema\t{offered[1]}")[0] == "ok"
    assert say(bob, "extract")[-1] == "your-turn"
    assert say(bob, "pass")[-1] == "your-turn"
    assert say(bob, "pass")[-1].startswith("endGame\t")
    # the table continues without them, and they wait for another game
    assert table.places[0].name == ""
    assert say(bob, "newgame") == ["lobbyplayers:\tbob"]


def test_a_die_picked_in_the_browser_is_put_back_first() -> None:
    house = new_house(AT_ONCE)
    bob, _ = two(house)
    say(bob, "extract", "place\tR5\t4\t1", "pass")
    page = house.visit("t1", HouseConversation)
    page.send({"type": "join", "name": "eve", "token": TOKENS["eve"]})
    page.send({"type": "act", "turn": 2, "actions": ["draft Y3"]})
    assert not any("refused" in frame for frame in page.frames)
    eve = log_in(house, "eve")
    eve.take()
    assert say(eve, "place\tY3\t1\t1", "pass")[0] == "ok"


def test_names_of_other_protocols_become_nicks() -> None:
    assert nick_of("Jörg M.") == "J_rg_M."
    assert nick_of("x" * 30) == "x" * 20
    assert nick_of("") == "_"


def test_a_table_that_is_closed_ends_the_connections_of_its_players() -> None:
    house = new_house(AT_ONCE)
    bob, _ = two(house)
    outputs = bob.conversation.ousted("closed by the house", house.now)
    assert outputs == [Disconnect(1000, "closed by the house")]


def test_the_lobby_clock_stops_when_one_player_is_left() -> None:
    house = new_house({"solo": "on", "abandon_wait": 1})
    ann = log_in(house, "ann")
    house.advance(10_000)
    assert ann.disconnected is None
    assert ann.take()[-1].startswith("schemas")


def begun(house: VirtualHouse) -> tuple[Client, Client]:
    """Return bob, whose turn it is, and eve."""
    bob, eve = two(house)
    bob.send("extract")
    bob.take()
    eve.take()
    return bob, eve


@pytest.mark.parametrize("so_far", [0, 2], ids=["choosing", "in a turn"])
def test_a_player_may_return_alone_as_long_as_the_game_is_kept(so_far: int) -> None:
    house = new_house({"solo": "on", "abandon_wait": 60})
    bob = log_in(house, "bob")
    pattern = next(line for line in bob.take() if line.startswith("schemas")).split("\t")[1]
    for line in (f"schema\t{pattern}", "extract")[:so_far]:
        bob.send(line)
    bob.drop()
    house.advance(59)
    back = log_in(house, "bob").take()
    assert ("schemas" if not so_far else "your-turn") in [line.split("\t")[0] for line in back]
    assert len(house.tables()) == 1


def test_with_nobody_present_the_game_waits_and_is_abandoned() -> None:
    house = new_house({**AT_ONCE, "turn_time": 10, "abandon_wait": 60})
    bob, eve = begun(house)
    bob.drop()
    eve.drop()
    house.advance(59)
    back = log_in(house, "eve").take()
    assert "your-turn" in back, "bob's turn is over, hers was not skipped"
    house = new_house({**AT_ONCE, "turn_time": 10, "max_timeouts": 1, "abandon_wait": 60})
    bob, eve = begun(house)
    house.advance(10 + 10 + 59)
    assert len(house.tables()) == 1, "both are suspended, and the table waits for them"
    house.advance(2)
    assert not house.tables()
    assert not [line for line in bob.take() + eve.take() if line.startswith("endGame")]


def test_turns_that_end_by_the_clock_are_always_counted() -> None:
    house = new_house({**AT_ONCE, "turn_time": 10, "max_timeouts": 2})
    bob, eve = begun(house)
    told: list[str] = []
    for _ in range(2):
        bob.send("place\tR5\t2\t3")
        house.advance(10)
        eve.send("pass")
        eve.send("pass")
        bob.send("extract")
        told += eve.take()
    assert told.count("timeout\tbob") == 2
    assert "suspended\tbob" in told


def test_after_a_restart_the_turns_of_absent_players_are_skipped() -> None:
    house = new_house(AT_ONCE)
    begun(house)
    house.restart()
    eve = log_in(house, "eve", events=True)
    house.advance(15.1)
    assert "your-turn" in eve.take()


# Settings.


def test_settings_are_checked() -> None:
    with pytest.raises(BadOptions, match="players_min"):
        Settings(GAME, {"players_min": 4, "players_max": 3})
    with pytest.raises(BadOptions, match="unknown"):
        Settings(GAME, {"lobby_weight": 4})
    with pytest.raises(BadOptions, match="schema_time=4: expected 0 or 5…600 s"):
        Settings(GAME, {"schema_time": 4})
    for seconds in (0, 5, 600):
        assert Settings(GAME, {"schema_time": seconds}).table["schema_time"] == seconds
    settings = Settings(GAME, {"rounds": "3", "lobby_wait": "7"})
    assert settings.rules["rounds"] == 3
    assert settings.lobby_wait == 7.0
    assert settings.most == 4


def test_a_fixed_deal_is_never_shown() -> None:
    house = new_house(AT_ONCE)
    two(house)
    page = house.visit("t1", HouseConversation)
    page.send({"type": "watch"})
    assert any("rounds" in frame for frame in page.frames)
    assert not any('deal":"' in frame or "R5" in frame for frame in page.frames)
