"""Sections 3 to 5 of the spec: frames, requests, replies, counters, spectators."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from croupier.games.hearts.tests.programs import (
    KEYS,
    OWNER_ONLY,
    Frame,
    asked,
    counts,
    four,
    play_on,
    right_answer,
    setup,
    table,
    to_play,
)
from croupier.testing.house import VirtualTable

NUMBERS = ["dealNumber", "roundNumber", "gameNumber"]
DATA = {
    "new_deal": [*NUMBERS, "players", "self"],
    "pass_cards": [*NUMBERS, "players", "self", "receiver"],
    "receive_opponent_cards": [*NUMBERS, "players", "self", "receivedCards", "sender"],
    "pass_cards_end": [*NUMBERS, "players"],
    "expose_cards": [*NUMBERS, "players", "self"],
    "expose_cards_end": [*NUMBERS, "players"],
    "new_round": [*NUMBERS, "players", "roundPlayers", "self"],
    "your_turn": [*NUMBERS, "players", "self", "roundPlayers"],
    "turn_end": [*NUMBERS, "players", "turnPlayer", "turnCard", "serverRandom", "roundPlayers"],
    "round_end": [*NUMBERS, "players", "roundPlayers", "roundPlayer"],
    "deal_end": [*NUMBERS, "players"],
    "new_peer": ["players"],
    "new_game": ["gameNumber", "players"],
    "game_end": ["gameNumber", "players"],
    "match_end": ["players"],
}


# The shape of frames (3.3, 3.5, 4.1).


def test_a_whole_game_has_all_keys_in_all_frames_in_the_order_of_the_spec() -> None:
    _, programs = table({"match_games": 1})
    play_on(programs)
    for program, name in zip(programs, ["ann", "bob", "cyd", "dan"], strict=True):
        assert program.events[-2:] == ["game_end", "match_end"]
        for frame in program.frames:
            event, data = frame["eventName"], frame["data"]
            assert list(frame) == ["eventName", "data"]
            assert list(data) == DATA[event], event
            if "dealNumber" in data:
                check_players(name, event, data)


def check_players(receiver: str, event: str, data: Frame) -> None:
    assert [player["playerName"] for player in data["players"]] == ["ann", "bob", "cyd", "dan"]
    for player in data["players"]:
        hidden = {"initialCards"} if event != "deal_end" else set()
        if player["playerName"] != receiver and event != "deal_end":
            hidden |= OWNER_ONLY
        assert list(player) == [key for key in KEYS if key not in hidden], event
        if player["playerName"] == receiver:
            assert data.get("self", player) == player
    if event == "deal_end":
        assert data["roundNumber"] == 13
        for player in data["players"]:
            assert (player["cards"], player["candidateCards"], player["roundCard"]) == ([], [], "")
            assert len(player["initialCards"]) == 13
            assert (
                len(player["pickedCards"])
                == len(player["receivedCards"])
                == (0 if data["dealNumber"] == 4 else 3)
            )


def flow(holds_ace: list[bool], turns: list[list[int]]) -> list[str]:
    """Return what a client sees of a game, by the flow chart of 4.1."""
    out = ["new_game"]
    for deal, holds in enumerate(holds_ace):
        out.append("new_deal")
        if deal < 3:
            out += ["pass_cards", "receive_opponent_cards", "pass_cards_end"]
        out += ["expose_cards"] * holds + ["expose_cards_end"]
        for turn in turns[deal]:
            out.append("new_round")
            out += ["turn_end"] * turn + ["your_turn"] + ["turn_end"] * (4 - turn) + ["round_end"]
        out.append("deal_end")
    return [*out, "game_end", "match_end"]


def test_the_order_of_a_game_is_that_of_the_flow_chart() -> None:  # 4.1
    _, programs = table({"match_games": 1})
    play_on(programs)
    for program, name in zip(programs, ["ann", "bob", "cyd", "dan"], strict=True):
        asked_to_expose = [False] * 4
        turns: list[list[int]] = [[], [], [], []]
        for frame in program.frames:
            deal = frame["data"].get("dealNumber", 0) - 1
            if frame["eventName"] == "expose_cards":
                asked_to_expose[deal] = True
            elif frame["eventName"] == "new_round":
                turns[deal].append(frame["data"]["roundPlayers"].index(name))
        events = [event for event in program.events if event != "new_peer"]
        assert events == flow(asked_to_expose, turns)
        assert all(len(rounds) == 13 for rounds in turns)


def test_game_end_and_match_end() -> None:
    _, programs = table({"match_games": 2, "deals": 2})
    play_on(programs, "game_end")
    data = programs[0].find("game_end")
    ends = [frame["data"] for frame in programs[0].frames if frame["eventName"] == "deal_end"]
    for at, player in enumerate(data["players"]):
        assert list(player) == [
            *["playerNumber", "playerName", "gameScore", "timeoutCount", "errorCount", "rank", "deals"]
        ]
        assert player["deals"] == [
            {
                "dealNumber": number,
                "score": end["players"][at]["dealScore"],
                "exposedCards": end["players"][at]["exposedCards"],
                "shootingTheMoon": end["players"][at]["shootingTheMoon"],
            }
            for number, end in enumerate(ends, 1)
        ]
        assert player["gameScore"] == sum(deal["score"] for deal in player["deals"])
        assert player["rank"] == 1 + sum(p["gameScore"] > player["gameScore"] for p in data["players"])


def test_a_match_of_two_games_at_rotating_positions() -> None:  # 1.11
    wired = VirtualTable(setup({"match_games": 2, "deals": 1}, auto_cycle=True))
    programs = four(wired)
    play_on(programs, "match_end")
    games = [frame["data"] for frame in programs[0].frames if frame["eventName"] == "game_end"]
    orders = [[player["playerNumber"] for player in game["players"]] for game in games]
    assert orders == [[1, 2, 3, 4], [4, 1, 2, 3]]
    for player in programs[0].find("match_end")["players"]:
        assert list(player) == ["playerNumber", "playerName", "matchScore", "rank", "games"]
        scores = [
            next(p["gameScore"] for p in game["players"] if p["playerName"] == player["playerName"])
            for game in games
        ]
        assert player["games"] == scores
        assert player["matchScore"] == sum(scores)


@pytest.mark.parametrize(("deal", "step"), [(1, 1), (2, 3), (3, 2)])
def test_where_cards_are_passed(deal: int, step: int) -> None:  # 1.5
    _, programs = table()
    for _ in range(deal - 1):
        play_on(programs, "deal_end")
    play_on(programs, "pass_cards_end")
    names = ["ann", "bob", "cyd", "dan"]
    for seat, program in enumerate(programs):
        assert program.find("pass_cards")["dealNumber"] == deal
        assert program.find("pass_cards")["receiver"] == names[(seat + step) % 4]
        giver = (seat - step) % 4
        received = program.find("receive_opponent_cards")
        assert received["sender"] == names[giver]
        assert received["receivedCards"] == programs[giver].me("pass_cards_end")["pickedCards"]
        assert received["self"]["receivedFrom"] == names[giver]
        assert received["self"]["cardsCount"] == len(received["self"]["cards"]) == 13
        assert set(received["receivedCards"]) <= set(received["self"]["cards"])


def test_cards_are_passed_in_the_order_they_were_named() -> None:  # 1.1
    _, programs = table()
    cards = programs[0].find("pass_cards")["self"]["cards"]
    named = [cards[5], cards[0], cards[9]]
    programs[0].say("pass_my_cards", {"dealNumber": 1, "cards": named})
    play_on(programs, "pass_cards_end")
    assert programs[0].me("pass_cards_end")["pickedCards"] == named
    assert programs[1].find("receive_opponent_cards")["receivedCards"] == named


def test_without_exposing_there_are_no_such_events() -> None:
    _, programs = table({"expose": False, "match_games": 1, "deals": 1})
    play_on(programs)
    assert not [event for event in programs[0].events if event.startswith("expose")]
    assert programs[0].events[-1] == "match_end"


def test_profile_doc_omits_what_has_not_been_played() -> None:
    _, programs = table({"match_games": 1, "deals": 1}, {"wire_profile": "doc"})
    play_on(programs)
    for frame in programs[0].frames:
        for player in frame["data"].get("players", []):
            assert player.get("roundCard") != ""
            assert ("roundCard" in player) == ("serverRandom" in player)
    counted = [
        sum("roundCard" in player for player in frame["data"]["players"])
        for frame in programs[0].frames
        if frame["eventName"] == "turn_end"
    ]
    assert counted == [1, 2, 3, 4] * 13


# Requests and replies (5.1 to 5.3).

Wrongs = list[tuple[str, Callable[[Frame], object]]]


ODD: list[object] = [
    *[None, True, 1.0, -1.5, "", "x", "1x", [], {}, 99, "99", 10**30, "9" * 60, [["AH"]]],
]


def with_member(key: str, value: object, data: Frame) -> object:
    return {**data, key: value}


def wrong_replies(right: Frame, extra: Wrongs) -> Wrongs:
    return [
        ("no data", lambda data: None),
        ("a list", lambda data: []),
        ("nothing", lambda data: {}),
        *[
            (f"{key} {value!r}", partial(with_member, key, value))
            for key in right
            for value in ODD
            if not (key == "cards" and value == [])
        ],
        *extra,
    ]


@pytest.mark.parametrize(
    ("name", "spoil"),
    wrong_replies(
        {"dealNumber": 1, "cards": []},
        [
            ("no cards", lambda data: {**data, "cards": []}),
            ("two cards", lambda data: {**data, "cards": data["cards"][:2]}),
            ("twice the same", lambda data: {**data, "cards": [*data["cards"][:2], data["cards"][0]]}),
            ("four cards", lambda data: {**data, "cards": [*data["cards"], data["cards"][0]]}),
            ("no card", lambda data: {**data, "cards": [*data["cards"][:2], "1H"]}),
            ("lower case", lambda data: {**data, "cards": [card.lower() for card in data["cards"]]}),
            ("a number", lambda data: {**data, "cards": [*data["cards"][:2], 7]}),
            ("a text", lambda data: {**data, "cards": "".join(data["cards"])}),
        ],
    ),
)
def test_a_wrong_pass(name: str, spoil: Callable[[Frame], object]) -> None:
    _, programs = table()
    ann = programs[0]
    request = ann.asked
    assert request is not None
    before = counts(ann)
    event, data = right_answer(request)
    ann.say(event, spoil(data))
    assert counts(ann) == (before[0] + 1, 0, 0), name
    assert ann.client.conversation.info.asked(0) is None, "the request is closed"
    play_on(programs[1:])
    picked = ann.me("pass_cards_end")["pickedCards"]
    assert len(set(picked)) == 3
    assert set(picked) <= set(request["data"]["self"]["cards"]), "the server has chosen the cards"
    assert ann.me("pass_cards_end")["errorCount"] == 1


def test_a_card_of_another_player_cannot_be_passed() -> None:
    _, programs = table()
    cards = programs[1].find("pass_cards")["self"]["cards"][:3]
    programs[0].say("pass_my_cards", {"dealNumber": 1, "cards": cards})
    assert counts(programs[0]) == (1, 0, 0)


@pytest.mark.parametrize("cards", [["AH", "AH"], ["ah"], ["KH"], "AH", {}, None, [None], [["AH"]]])
def test_a_wrong_exposure(cards: object) -> None:
    _, programs = table()
    play_on(programs, "pass_cards_end")
    holder = asked(programs)
    assert holder.find("expose_cards")["self"]["candidateCards"] == ["AH"]
    holder.say("expose_my_cards", {"dealNumber": 1, "cards": cards})
    assert counts(holder) == (1, 0, 0)
    ended = programs[0].find("expose_cards_end")
    assert [player["exposedCards"] for player in ended["players"]] == [[]] * 4


@pytest.mark.parametrize("exposes", [True, False])
def test_an_exposure(exposes: bool) -> None:
    _, programs = table()
    play_on(programs, "pass_cards_end")
    holder = asked(programs)
    holder.answer(expose=exposes)
    name = holder.find("expose_cards")["self"]["playerName"]
    for program in programs:
        shown = {p["playerName"]: p["exposedCards"] for p in program.find("expose_cards_end")["players"]}
        assert shown == {n: ["AH"] if exposes and n == name else [] for n in ["ann", "bob", "cyd", "dan"]}
    assert counts(holder) == (0, 0, 0)


@pytest.mark.parametrize(
    ("name", "spoil"),
    wrong_replies(
        {"dealNumber": 1, "roundNumber": 1, "turnCard": ""},
        [
            ("no round", lambda data: {"dealNumber": 1, "turnCard": data["turnCard"]}),
            ("the next round", lambda data: {**data, "roundNumber": 2}),
            ("the next deal", lambda data: {**data, "dealNumber": 2}),
            ("lower case", lambda data: {**data, "turnCard": data["turnCard"].lower()}),
            ("a list", lambda data: {**data, "turnCard": [data["turnCard"]]}),
        ],
    ),
)
def test_a_wrong_card(name: str, spoil: Callable[[Frame], object]) -> None:
    _, programs = table()
    leader = to_play(programs)
    request = leader.asked
    assert request is not None
    event, data = right_answer(request)
    leader.say(event, spoil(data))
    assert counts(leader) == (1, 0, 0), name
    ended = leader.find("turn_end")
    assert (ended["turnCard"], ended["serverRandom"]) == ("2C", True)
    mine = leader.me("turn_end")
    assert (mine["roundCard"], mine["serverRandom"], mine["errorCount"]) == ("2C", True, 1)
    play_on(programs, "round_end")
    assert leader.me("round_end")["serverRandom"] is True, "until the next round"
    assert leader.me("new_round")["serverRandom"] is False


@pytest.mark.parametrize(
    "data",
    [
        '{"dealNumber": 1e400, "roundNumber": 1, "turnCard": "2C"}',
        '{"dealNumber": 1, "roundNumber": -1e400, "turnCard": "2C"}',
        '{"dealNumber": ' + "1" * 5000 + ', "roundNumber": 1, "turnCard": "2C"}',
        '{"dealNumber": 1, "roundNumber": 1, "turnCard": "\\ud800"}',
        '{"dealNumber": "\\ud800", "roundNumber": 1, "turnCard": "2C"}',
    ],
    ids=lambda data: ascii(data[:40]),
)
def test_impossible_values_are_wrong_but_valid_json(data: str) -> None:  # 5.2
    _, programs = table()
    leader = to_play(programs)
    for program in programs:
        program.client.send(f'{{"eventName": "pick_card", "data": {data}}}')
    assert [counts(program) for program in programs if program is not leader] == [(0, 0, 0)] * 3
    assert counts(leader) == (1, 0, 0)
    assert leader.find("turn_end")["serverRandom"] is True


def test_additional_members_of_a_correct_reply_are_ignored() -> None:  # 3.2
    _, programs = table()
    leader = to_play(programs)
    more = '"x": [1e400, "\\ud800", {"\\udfff": ' + "9" * 5000 + "}]"
    data = f'{{"dealNumber": 1, "roundNumber": "01", "turnCard": "2C", {more}}}'
    leader.client.send(f'{{"eventName": "pick_card", {more}, "data": {data}}}')
    assert leader.find("turn_end")["serverRandom"] is False
    assert counts(leader) == (0, 0, 0)


def test_a_card_that_is_not_a_candidate() -> None:
    _, programs = table()
    leader = to_play(programs)
    card = next(card for card in leader.last["data"]["self"]["cards"] if card != "2C")
    leader.say("pick_card", {"dealNumber": 1, "roundNumber": 1, "turnCard": card})
    assert counts(leader) == (1, 0, 0)


@pytest.mark.parametrize(("deal", "number"), [("1", "1"), (1, "001"), ("0001", 1)])
def test_numbers_may_be_strings(deal: object, number: object) -> None:  # 3.4
    _, programs = table()
    leader = to_play(programs)
    leader.say("pick_card", {"dealNumber": deal, "roundNumber": number, "turnCard": "2C", "x": [1]})
    assert leader.find("turn_end")["serverRandom"] is False
    assert counts(leader) == (0, 0, 0)


def test_binary_frames_are_treated_alike() -> None:  # 3.1
    _, programs = table()
    leader = to_play(programs)
    data = {"dealNumber": 1, "roundNumber": 1, "turnCard": "2C"}
    leader.client.send(msgspec.json.encode({"eventName": "pick_card", "data": data}))
    assert leader.find("turn_end")["serverRandom"] is False


@pytest.mark.parametrize(
    "frame",
    [
        "", "x", "{", "[]", "null", "7", '"pick_card"', b"\xff\xfe", "[" * 15000, "{}", '{"eventName": 7}',
        '{"eventName": null, "data": {}}', '{"eventName": ["pick_card"]}', '{"eventName": {}}',
        '{"eventName": "stop_game", "data": {}}', '{"eventName": "stop_game"}',
        '{"eventName": "join", "data": {"playerName": "eve", "playerNumber": 1, "token": "t"}}',
        '{"eventName": "pass_my_cards", "data": {"dealNumber": 1, "cards": ["2C", "3C", "4C"]}}',
        '{"eventName": "expose_my_cards", "data": {"dealNumber": 1, "cards": ["AH"]}}',
        '{"eventName": "PICK_CARD", "data": {"dealNumber": 1, "roundNumber": 1, "turnCard": "2C"}}',
        '{"eventName": "pick_card", "data": {"dealNumber": NaN}}', '{"eventName": "\\ud800", "data": {}}',
        '{"eventName": "pick_card", "data": ' + " " * 20000 + "{}}",
    ],
    ids=repr,
)  # fmt: skip
def test_a_frame_that_is_not_a_reply_has_no_effect(frame: str | bytes) -> None:  # 5.2, 1 and 2
    wired, programs = table()
    leader = to_play(programs)
    before = [program.client.frames[:] for program in programs], len(wired.journal)
    for program in programs:
        program.client.send(frame)
    assert ([program.client.frames for program in programs], len(wired.journal)) == before
    assert [counts(program) for program in programs] == [(0, 0, 0)] * 4
    leader.answer()
    assert leader.find("turn_end")["serverRandom"] is False


@pytest.mark.parametrize(
    ("deal", "number"),
    [(1, 99), ("1", "2"), (0, 1), (-7, 1), (1, None), (2, 1), ("02", "001"), (2, 0), (2, -1)],
)
def test_a_late_reply_is_dropped_and_the_request_stays_open(deal: object, number: object) -> None:  # 5.2, 3
    _, programs = table()
    play_on(programs, "deal_end")
    play_on(programs, "new_round")
    play_on(programs, "round_end")
    player = asked(programs)
    assert player.last["data"]["dealNumber"] == player.last["data"]["roundNumber"] == 2
    frames = len(player.frames)
    player.say("pick_card", {"dealNumber": deal, "roundNumber": number, "turnCard": "XX"})
    assert len(player.frames) == frames
    assert counts(player) == (0, 0, 0)
    player.answer()
    assert player.find("turn_end")["serverRandom"] is False


def test_a_second_reply_is_ignored() -> None:
    wired, programs = table()
    ann = programs[0]
    ann.answer()
    entries = len(wired.journal)
    ann.answer(pick=1)
    ann.say("pass_my_cards", {"dealNumber": 1, "cards": []})
    assert len(wired.journal) == entries
    assert counts(ann) == (0, 0, 0)


# Time (5.1, 5.4, 5.5).


def test_a_reply_counts_until_the_time_is_up() -> None:
    wired, programs = table()
    leader = to_play(programs)
    wired.advance(0.999)
    leader.answer()
    assert leader.find("turn_end")["serverRandom"] is False
    other = asked(programs)
    request = other.asked
    assert request is not None
    event, data = right_answer(request)
    frame = msgspec.json.encode({"eventName": event, "data": data})
    wired.call(other.client.connection.receive, frame, after=1.0)  # before the table checks its clock
    wired.advance(1.0)
    assert other.find("turn_end")["serverRandom"] is True, "too late, and dropped"
    assert counts(other) == (0, 1, 2)


def test_status_is_2_from_a_timeout_until_the_next_accepted_reply() -> None:
    wired, programs = table()
    ann = programs[0]
    for program in programs[1:]:
        program.answer()
    wired.advance(3.0)
    mine = ann.me("pass_cards_end")
    assert (mine["timeoutCount"], mine["errorCount"], mine["status"]) == (1, 0, 2)
    assert len(mine["pickedCards"]) == 3
    play_on(programs, "new_round")
    while not ann.asked:
        asked(programs).answer()
    assert ann.me("your_turn")["status"] == 2
    ann.answer()
    assert ann.me("turn_end")["status"] == 0
    assert ann.me("turn_end")["timeoutCount"] == 1


@pytest.mark.parametrize("in_time", [True, False])
def test_an_exposure_counts_like_any_other_request(in_time: bool) -> None:  # 5.5
    wired, programs = table()
    wired.advance(3.0)  # no player passes in time
    holder = asked(programs)
    if in_time:
        holder.answer()
    else:
        wired.advance(3.0)
    mine = holder.me("expose_cards_end")
    assert (mine["timeoutCount"], mine["status"]) == ((1, 0) if in_time else (2, 2))


def test_with_count_timeouts_turns_a_late_pass_is_not_counted() -> None:
    wired, programs = table(options={"count_timeouts": "turns"})
    wired.advance(3.0)
    assert programs[0].me("pass_cards_end")["timeoutCount"] == 0
    assert programs[0].me("pass_cards_end")["status"] == 2


def test_timeouts_of_an_absent_player_are_not_counted() -> None:
    wired, programs = table({"match_games": 1})
    programs[0].client.drop()
    while "game_end" not in programs[1].events:
        play_on(programs[1:])
        wired.advance(1.0)
    ann = programs[1].find("game_end")["players"][0]
    assert (ann["playerName"], ann["timeoutCount"], ann["errorCount"]) == ("ann", 0, 0)


def test_counters_start_again_with_each_game() -> None:
    wired = VirtualTable(setup({"match_games": 2, "deals": 1}, auto_cycle=True))
    programs = four(wired)
    programs[0].say("pass_my_cards", {"dealNumber": 1})
    wired.advance(3.0)
    assert [player["timeoutCount"] for player in programs[0].find("pass_cards_end")["players"]] == [
        0,
        1,
        1,
        1,
    ]
    play_on(programs, "game_end")
    ended = programs[0].find("game_end")["players"]
    assert [(player["errorCount"], player["timeoutCount"]) for player in ended] == [
        (1, 0),
        (0, 1),
        (0, 1),
        (0, 1),
    ]
    begun = programs[0].find("new_deal")
    assert begun["gameNumber"] == 2
    assert [(player["errorCount"], player["timeoutCount"]) for player in begun["players"]] == [(0, 0)] * 4
