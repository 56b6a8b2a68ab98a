"""Sections 6.1 to 6.3: seats, refusals, reconnecting."""

from __future__ import annotations

import pytest

from croupier.games.hearts import GAME
from croupier.games.hearts.tests.programs import NAMES, Frame, Program, counts, four, play_on, setup
from croupier.games.hearts.wire import CROWD
from croupier.table.journal import Sat
from croupier.testing.house import VirtualTable
from croupier.wire.talk import token_digest


def refusal(program: Program) -> str:
    """Return why the last join was refused."""
    frame = program.last
    assert program.client.conversation.seat < 0
    assert frame["data"]["message"]
    return str(frame["data"]["code"] if frame["eventName"] == "join_error" else frame["eventName"])


def peers(program: Program) -> list[tuple[int, str, int]]:
    players = program.find("new_peer")["players"]
    return [(player["playerNumber"], player["playerName"], player["status"]) for player in players]


@pytest.mark.parametrize(
    "name", [None, 7, "", "   ", "a" * 65, "a\nb", "a\x00b", "\x7f", "a\x85b", ["ann"], {"a": 1}, True]
)
def test_a_name_has_1_to_64_characters_and_no_control_characters(name: object) -> None:  # rule 1
    program = Program(VirtualTable(setup()))
    program.say("join", {"playerName": name, "playerNumber": 1, "token": ""})
    assert refusal(program) == "bad_name"


@pytest.mark.parametrize("name", ["a", "a" * 64, "  ann\t", "Ünï cödé 🂡", "player1", "'\"\\"])
def test_any_other_name_is_accepted_without_surrounding_space(name: str) -> None:
    program = Program(VirtualTable(setup()), name, 1)
    assert peers(program) == [(1, name.strip(), 0)]


@pytest.mark.parametrize(
    "number",
    [0, -1, "0", "000", "-1", "+1", "1.0", "", " 1", "one", 1.0, 1.5, True, [1], {}, "٣", 2**53, "9" * 99],
)
def test_a_number_is_a_positive_integer_or_the_digits_of_one(number: object) -> None:  # rule 2
    program = Program(VirtualTable(setup()))
    program.say("join", {"playerName": "ann", "playerNumber": number, "token": ""})
    assert refusal(program) == "bad_number"


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 5000, '"\\ud800"'])
def test_json_that_is_not_a_number_is_refused(number: str) -> None:
    program = Program(VirtualTable(setup()))
    program.client.send(f'{{"eventName": "join", "data": {{"playerName": "ann", "playerNumber": {number}}}}}')
    assert refusal(program) == "bad_number"


def test_a_name_that_cannot_be_sent_to_others_is_refused() -> None:
    program = Program(VirtualTable(setup()))
    program.client.send('{"eventName": "join", "data": {"playerName": "a\\ud800b"}}')
    assert refusal(program) == "bad_name"


def test_any_string_may_be_a_token() -> None:
    wired = VirtualTable(setup())
    odd, other = Program(wired), Program(wired)
    odd.client.send('{"eventName": "join", "data": {"playerName": "ann", "token": "\\ud800"}}')
    assert peers(odd) == [(1, "ann", 0)]
    other.client.send('{"eventName": "join", "data": {"playerName": "ann", "token": "\\ud801"}}')
    assert refusal(other) == "player_name_dup"


def test_null_means_no_number() -> None:
    program = Program(VirtualTable(setup()))
    program.say("join", {"playerName": "ann", "playerNumber": None})
    assert refusal(program) == "bad_number"


def test_a_bad_name_is_found_before_a_bad_number() -> None:
    program = Program(VirtualTable(setup()))
    program.say("join", {"playerName": "", "playerNumber": 0})
    assert refusal(program) == "bad_name"


@pytest.mark.parametrize(
    ("number", "seat", "shown"),
    [
        (3, 2, 3),
        ("3", 2, 3),
        ("003", 2, 3),
        (None, 0, 1),
        (99, 0, 99),
        ("063", 0, 63),
        (2**53 - 1, 0, 2**53 - 1),
    ],
)
def test_1_to_4_choose_the_seat_and_any_other_number_the_first_free_one(
    number: object, seat: int, shown: int
) -> None:  # rules 4 and 7
    program = Program(VirtualTable(setup()), "ann", number)
    assert program.client.conversation.seat == seat
    assert peers(program) == [(shown, "ann", 0)]


@pytest.mark.parametrize("data", [None, 7, [], "join", {}])
def test_a_join_without_members_has_no_name(data: object) -> None:
    program = Program(VirtualTable(setup()))
    program.say("join", data)
    assert refusal(program) == "bad_name"


@pytest.mark.parametrize("token", [None, 7, ["t"], ""])
def test_a_missing_or_strange_token_is_an_empty_one(token: object) -> None:
    wired = VirtualTable(setup())
    program = Program(wired)
    program.join("ann", 1, token)
    assert program.client.conversation.seat == 0
    assert wired.table.places[0].token == token_digest("")


def test_a_name_at_the_table_is_refused_with_another_token() -> None:  # rule 3
    wired = VirtualTable(setup())
    Program(wired, "ann", 1, "secret")
    other = Program(wired, "ann", 2, "guess")
    assert refusal(other) == "player_name_dup"
    assert list(other.last["data"]) == ["message"]


def test_a_name_that_looks_like_another_one_at_the_table_is_refused() -> None:
    wired = VirtualTable(setup())
    Program(wired, "ann", 1)
    assert refusal(Program(wired, "\u0430nn", 2, "other")) == "player_name_dup"


def test_a_dummys_name_is_refused_exactly_while_that_dummy_sits() -> None:
    wired = VirtualTable(setup(seats=["bot dummy", "open", "open", "open"]))
    assert refusal(Program(wired, "player1", 2, "")) == "player_name_dup"
    other = Program(wired, "player2", 3)
    assert peers(other) == [(1, "player1", 0), (3, "player2", 0)]


def test_a_taken_seat() -> None:  # rule 4
    wired = VirtualTable(setup(seats=["bot dummy", "person", "open", "open"]))
    Program(wired, "cyd", 3)
    for number in (1, 2, 3):
        assert refusal(Program(wired, f"p{number}", number)) == "seat_taken"
    assert Program(wired, "dan", 4).client.conversation.seat == 3


def test_a_number_above_4_is_taken_once() -> None:
    wired = VirtualTable(setup())
    Program(wired, "ann", 99)
    assert refusal(Program(wired, "bob", "99")) == "number_taken"
    assert peers(Program(wired, "bob", 98)) == [(99, "ann", 0), (98, "bob", 0)]


def test_a_full_table() -> None:
    wired = VirtualTable(setup())
    four(wired)
    assert refusal(Program(wired, "eve", 99)) == "table_full"
    assert refusal(Program(wired, "eve")) == "table_full"
    assert refusal(Program(wired, "eve", 2)) == "seat_taken"


def test_a_seat_may_be_reserved_for_a_token() -> None:  # rule 5
    wired = VirtualTable(setup(seat_tokens=[token_digest("key"), "", "", ""]))
    assert refusal(Program(wired, "ann", 1, "wrong")) == "bad_token"
    assert refusal(Program(wired, "ann", None, "wrong")) == "bad_token"
    assert Program(wired, "ann", 1, "key").client.conversation.seat == 0
    assert Program(wired, "bob", 2, "anything").client.conversation.seat == 1


def test_a_refused_client_may_try_again() -> None:  # 6.2
    wired = VirtualTable(setup())
    Program(wired, "ann", 1)
    program = Program(wired, "ann", 2, "other")
    program.join("bob", 1)
    assert refusal(program) == "seat_taken"
    program.join("bob", 2)
    assert program.client.connected
    assert peers(program) == [(1, "ann", 0), (2, "bob", 0)]


def test_a_second_join_on_a_seated_connection_is_ignored() -> None:
    wired = VirtualTable(setup())
    program = Program(wired, "ann", 1)
    before = program.frames[:]
    program.join("ann", 1)
    program.join("eve", 2)
    assert program.frames == before
    assert [place.name for place in wired.table.places] == ["ann", "", "", ""]


def join_frame(name: str) -> Frame:
    return {"eventName": "join", "data": {"playerName": name, "playerNumber": 1, "token": "t"}}


def test_a_join_after_a_refused_one_in_the_same_tick_is_processed() -> None:  # 6.2
    program = Program(VirtualTable(setup()))
    program.client.send(join_frame(""), join_frame(" "), join_frame("ann"))
    assert program.events == ["join_error", "join_error", "new_peer"]
    assert peers(program) == [(1, "ann", 0)]


def test_a_join_after_an_accepted_one_in_the_same_tick_is_ignored() -> None:
    wired = VirtualTable(setup())
    program = Program(wired)
    program.client.send(join_frame("ann"), join_frame("ann"), join_frame("eve"))
    assert program.events == ["new_peer"]
    assert program.client.connected
    assert [place.name for place in wired.table.places] == ["ann", "", "", ""]


def test_a_reply_sent_together_with_the_join_of_a_takeover_counts() -> None:  # 12, 14 and 15
    wired = VirtualTable(setup())
    programs = four(wired)
    cards = programs[0].find("pass_cards")["self"]["cards"][:3]
    back = Program(wired)
    back.client.send(
        join_frame("ann"), {"eventName": "pass_my_cards", "data": {"dealNumber": 1, "cards": cards}}
    )
    assert back.events == ["new_peer", "join", "pass_cards"]
    play_on(programs[1:], "pass_cards_end")
    assert back.me("pass_cards_end")["pickedCards"] == cards
    assert counts(back) == (0, 0, 0)


def test_at_most_sixteen_frames_wait_for_the_answer_to_a_join() -> None:
    program = Program(VirtualTable(setup()))
    program.client.send(*[join_frame("")] * (1 + CROWD), join_frame("ann"))
    assert program.events == ["join_error"] * (1 + CROWD)


def test_only_joined_clients_are_told_of_a_new_player() -> None:
    wired = VirtualTable(setup())
    stranger = Program(wired)
    programs = [Program(wired, name, number) for name, number in [("cyd", 3), ("ann", 1)]]
    assert peers(programs[0]) == peers(programs[1]) == [(1, "ann", 0), (3, "cyd", 0)]
    assert [program.events for program in programs] == [["new_peer", "new_peer"], ["new_peer"]]
    assert stranger.frames == []


def test_a_seat_left_in_the_lobby_is_free() -> None:  # 6.3
    wired = VirtualTable(setup())
    ann, bob = Program(wired, "ann", 1), Program(wired, "bob", 2)
    ann.client.drop()
    assert peers(bob) == [(2, "bob", 0)]
    assert Program(wired, "eve", 1, "hers").client.conversation.seat == 0


def test_a_seat_left_in_a_game_is_kept() -> None:
    wired = VirtualTable(setup())
    ann, bob, *_ = four(wired)
    ann.client.drop()
    assert peers(bob)[0] == (1, "ann", 1)
    wired.advance(3.0)
    assert bob.find("pass_cards_end")["players"][0]["status"] == 1
    assert refusal(Program(wired, "eve", 1)) == "seat_taken"


@pytest.mark.parametrize("old_connection", ["alive", "lost"])
def test_coming_back_in_mid_request(old_connection: str) -> None:
    wired = VirtualTable(setup())
    programs = four(wired)
    play_on(programs, "new_round")
    leader = next(program for program in programs if program.asked)
    request = leader.last
    assert request["eventName"] == "your_turn"
    name = str(request["data"]["self"]["playerName"])
    others = [program for program in programs if program is not leader]
    seen = [len(program.frames) for program in others]
    wired.advance(0.25)
    if old_connection == "lost":
        leader.client.drop()
    back = Program(wired, name, 77)
    disconnected = leader.client.disconnected
    assert (disconnected.code if disconnected else None) == (4001 if old_connection == "alive" else None)
    assert back.events == ["new_peer", "join", "your_turn"]
    assert back.last == request, "the same request with its own numbers"
    snapshot = back.find("join")
    assert list(snapshot) == ["dealNumber", "roundNumber", "gameNumber", "players", "self", "roundPlayers"]
    assert snapshot["roundPlayers"] == request["data"]["roundPlayers"]
    assert snapshot["self"] == request["data"]["self"]
    for program, count in zip(others, seen, strict=True):
        news = program.frames[count:]
        statuses = [news_of(frame, name) for frame in news]
        assert statuses == ([1, 0] if old_connection == "lost" else [0])
    wired.advance(0.75)
    assert back.events[3] == "turn_end", "the clock was not started again"
    assert back.find("turn_end")["serverRandom"] is True


def news_of(frame: Frame, name: str) -> int:
    assert frame["eventName"] == "new_peer"
    return int(next(p["status"] for p in frame["data"]["players"] if p["playerName"] == name))


def test_coming_back_needs_the_token() -> None:
    wired = VirtualTable(setup())
    ann, *_ = four(wired)
    ann.client.drop()
    assert refusal(Program(wired, "ann", 1, "guess")) == "player_name_dup"


def test_without_a_token_a_seat_is_never_taken_from_a_player_who_is_connected() -> None:
    wired = VirtualTable(setup())
    programs = [Program(wired, name, number, "") for number, name in enumerate(NAMES, 1)]
    thief = Program(wired, "ann", 1, "")
    assert refusal(thief) == "player_name_dup"
    assert programs[0].client.connected
    assert thief.events == ["player_name_dup"], "no cards are shown"


@pytest.mark.parametrize("restarted", [False, True])
def test_without_a_token_a_player_comes_back_from_the_same_address_only(restarted: bool) -> None:
    wired = VirtualTable(setup())
    programs = [Program(wired, name, number, "") for number, name in enumerate(NAMES, 1)]
    if restarted:
        wired.restart()
    else:
        programs[0].client.drop()
    assert refusal(Program(wired, "ann", 1, "", "elsewhere")) == "player_name_dup"
    assert Program(wired, "ann", 1, "").events[:2] == ["new_peer", "join"]


def test_the_journal_has_no_address_of_a_player_but_its_digest_if_there_is_no_token() -> None:
    wired = VirtualTable(setup())
    Program(wired, "ann", 1, "")
    Program(wired, "bob", 2, "secret")
    found = [entry.address for entry in wired.journal if isinstance(entry, Sat)]
    assert found == [wired.identities.address_mark("here"), ""]
    assert "here" not in found


def test_what_a_replaced_connection_sends_is_ignored() -> None:
    wired = VirtualTable(setup())
    ann, *_ = four(wired)
    Program(wired, "ann", 1)
    late = '{"eventName": "pass_my_cards", "data": {"dealNumber": 9, "cards": []}}'
    wired.call(ann.client.connection.receive, late)
    assert wired.table.places[0].errors == 0


def test_coming_back_before_the_match_has_begun_shows_no_snapshot() -> None:
    wired = VirtualTable(setup())
    Program(wired, "ann", 1)
    assert Program(wired, "ann", 1).events == ["new_peer"]


def test_coming_back_outside_a_round() -> None:
    wired = VirtualTable(setup())
    four(wired)
    back = Program(wired, "ann")
    assert back.events == ["new_peer", "join", "pass_cards"]
    assert back.find("join")["roundPlayers"] == []
    assert back.find("join")["roundNumber"] == 0


def test_clients_that_stay_and_clients_that_reconnect_are_seated_for_the_next_game() -> None:  # 4.1
    wired = VirtualTable(setup({"match_games": 2, "deals": 1}, {"deal_interval": 1000}, auto_cycle=True))
    programs = four(wired)
    while "game_end" not in programs[0].events:
        play_on(programs)
        wired.advance(1.0)
    programs[0].client.drop()
    assert peers(programs[1]) == [(2, "bob", 0), (3, "cyd", 0), (4, "dan", 0)], "ann's seat is free"
    wired.advance(60.0)
    assert programs[1].events[-1] == "new_peer", "nothing begins without ann"
    back = Program(wired, "ann", 1)
    wired.advance(1.0)
    assert back.events == ["new_peer", "new_game", "new_deal", "pass_cards"]
    assert programs[1].events[-4:] == back.events
    assert back.find("new_game")["gameNumber"] == 2, "the same four continue the match"
    order = [player["playerName"] for player in back.find("new_game")["players"]]
    assert order == ["dan", "ann", "bob", "cyd"], "everyone sits one position further (1.11)"


def test_without_auto_cycle_no_game_starts_automatically() -> None:
    wired = VirtualTable(setup({"match_games": 2, "deals": 1}))
    programs = four(wired)
    play_on(programs, "game_end")
    wired.advance(3600.0)
    assert [program.events[-1] for program in programs] == ["game_end"] * 4


def test_without_pauses_clients_that_leave_after_a_game_are_back_before_the_next() -> None:  # 4.1
    options = {"deal_interval": 0, "game_interval": GAME.table_options.options["game_interval"].default}
    wired = VirtualTable(setup({"match_games": 2, "deals": 1}, options, auto_cycle=True))
    programs = four(wired)
    play_on(programs, "game_end")
    for program in programs:
        program.client.drop()
    wired.advance(0.5)
    back = [Program(wired, name, number) for number, name in enumerate(NAMES, 1)]
    assert [program.events[-1] for program in back] == ["new_peer"] * 4, "no game has begun"
    wired.advance(0.5)
    assert back[0].events[-3:] == ["new_game", "new_deal", "pass_cards"]


def test_between_games_a_player_of_the_match_gets_their_own_seat_back() -> None:  # rule 4, as we read it
    wired = VirtualTable(setup({"match_games": 2, "deals": 1}))
    programs = four(wired)
    play_on(programs, "game_end")
    for program in programs[:3]:
        program.client.drop()
    assert Program(wired, "bob", 77).client.conversation.seat == 1
    assert Program(wired, "eve", 88).client.conversation.seat == 0, "the lowest that is free"
    assert Program(wired, "ann").client.conversation.seat == 2, "another player has taken it"
