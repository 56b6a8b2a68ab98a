"""Taroky over its protocol: loaded notations and the options of a room."""

from __future__ import annotations

import json
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.games.taroky import GAME
from croupier.games.taroky.notation import write
from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A, GAME_B, SEED_DEAL, whole_deal
from croupier.games.taroky.tests.rooms import (
    Player,
    at_table,
    deal_of,
    error,
    events,
    game,
    new_house,
    play_on,
    room_of,
)
from croupier.games.taroky.vocabulary import PHASES, names, shown
from croupier.games.taroky.wire import TarokyLobby
from croupier.testing.house import Client, VirtualHouse
from croupier.testing.rooms import (
    call,
    house_of,
    login,
    start,
    token_of,
)
from croupier.testing.strategies import examples
from croupier.wire.table_spec import TableSpec

# Loading.


def owner(house: VirtualHouse, **rules: Any) -> Client:
    return room_of(house, 1, **rules)[0]


@pytest.mark.parametrize("cut", range(9, 28))
def test_a_position_is_loaded_and_played_on(cut: int) -> None:  # 4.13
    fields = GAME_A.split("/")
    text = "/".join([*fields[:cut], "aceHigh=false;pn=2"])
    house = new_house(str(cut))
    clients = at_table(house, notation=text, many=4 if cut % 2 else 1, hands=1)
    unasked = [frame for frame in clients[0].frames if '"phase"' in frame]
    assert len(unasked) == (1 if cut > 9 else 0), "the state contains what no event has told"
    state = json.loads(unasked[0]) if unasked else game(clients[0], "state")
    assert state["position"] == 3, "the host has the seat of the player who saved the game"
    stands = parse(text).state
    assert stands is not None
    assert state["phase"] == PHASES[int(stands.phase)]
    players = [Player(client, Random(cut), 0.2) for client in clients]
    play_on(house, players, lambda: not house.tables())
    result = next(event for event in players[0].heard if event["event"] == "result")
    assert result["notation"].split("/")[:cut] == fields[:cut]


def test_a_finished_hand_is_followed_by_the_next() -> None:
    house = new_house()
    clients = at_table(house, notation=GAME_A, hands=2)
    state = game(clients[0], "state")
    assert (state["hand_number"], state["position"], state["phase"]) == (2, 4, "prever")
    assert state["chips"] == [70, 126, 70, 134]
    assert error(owner(new_house(), hands=1), "load", notation=GAME_A) == "wrong_phase"


def test_settings_of_a_notation_go_before_those_of_the_room() -> None:
    house = new_house()
    client = owner(house, timeout=60_000, hands=3, aceHigh=False)
    text = deal_of(SEED_DEAL).replace("100/", "90/", 1)
    settings = "lock=true;timeout=45;aceHigh=true;botPlayTime=10;difficulty=AI;colour=red;pn=1"
    room = game(client, "load", notation=text + settings)["room"]
    rules = room["rules"]
    assert rules["timeout"] == 45_000
    assert rules["aceHigh"] is True
    assert (rules["botPlayTime"], rules["difficulty"], rules["hands"]) == (10, 5, 3)
    assert room["options"]["private"] is True
    longest = game(client, "load", notation=text + "botPlayTime=60001;botThinkTime=" + "9" * 30)["room"][
        "rules"
    ]
    assert (longest["botPlayTime"], longest["botThinkTime"]) == (60_000, 60_000), "as a table clamps timeout"
    # Loading again starts from the room's own rules.
    rules = game(client, "load", notation=text + ";pn=1")["room"]["rules"]
    assert (rules["timeout"], rules["aceHigh"], rules["botPlayTime"]) == (60_000, False, 0)
    start([client])
    deal = next(event for event in events(client) if event["event"] == "deal")
    assert (deal["position"], deal["chips"]) == (2, [90, 100, 100, 100])
    assert deal["hand"] == ["SJ", "SR", "SQ", "SK", "D1", "D2", "D3", "D4", "DJ", "DR", "DQ", "DK"]


def test_a_silent_notation_sets_the_rules_it_was_read_by() -> None:  # 2.7, 4.13
    own: dict[str, Any] = {"aceHigh": True, "preverPriority": "last", "contraOnValat": False}
    silent = {"aceHigh": False, "preverPriority": "first", "contraOnValat": True}
    clients = room_of(new_house(), **own)
    text = "/".join(GAME_B.split("/")[:12]) + "/"
    rules = game(clients[0], "load", notation=text)["room"]["rules"]
    assert {key: rules[key] for key in own} == silent
    start(clients)
    state = game(clients[1], "state")
    assert (state["phase"], state["prever"], state["half"]) == ("valat", "u2", "B")
    assert {key: state["options"][key] for key in own} == silent


@examples(60)
@given(
    st.fixed_dictionaries(
        {
            "aceHigh": st.booleans(),
            "preverPriority": st.sampled_from(["first", "last"]),
            "contraOnValat": st.booleans(),
        }
    ),
    st.integers(0, 500),
    st.integers(9, 28),
)
def test_a_loaded_game_continues_where_it_was_saved(rules: dict[str, Any], seed: int, cut: int) -> None:
    *fields, written = write(whole_deal(seed)).split("/")  # 10.2
    text = "/".join([*fields[:cut], written])
    clients = room_of(new_house(), hands=2, **rules)
    assert game(clients[0], "load", notation=text)["response"] == "game.taroky.load"
    start(clients)
    stands = parse(text).state
    assert stands is not None
    assume(not stands.over())
    state = game(clients[0], "state")
    view = stands.view(0)
    assert state["phase"] == PHASES[view.phase]
    assert state["hand"] == shown(view.hand)
    assert state["trick"]["cards"] == names(view.trick)
    assert sum(state["tricks_won"]) == len(view.tricks)


@pytest.mark.parametrize(
    ("text", "slot", "reason", "offset"),
    [
        ("", "header", "too_few_fields", 0),
        (GAME_A.replace("T204", "T203"), "trick1", "wrong_winner", GAME_A.index("T204") + 3),
        (GAME_A.replace("pn=0", "pn=7"), "settings", "bad_pn", len(GAME_A) - 1),
        (SEED_DEAL.replace("100", "9" * 12, 1), "chips", "bad_chips", 0),
        (SEED_DEAL.replace("100/100/H", f"-{'9' * 12}/100/H"), "chips", "bad_chips", 8),
        (f" {SEED_DEAL.replace('100/H', '1000000001/H')}", "chips", "bad_chips", 12),
        (deal_of(SEED_DEAL) + "botPlayTime=soon", "settings", "bad_setting", len(deal_of(SEED_DEAL)) + 12),
        ("x" * 5000, "header", "too_long", 0),
    ],
)
def test_an_invalid_notation_is_reported_with_the_position(
    text: str, slot: str, reason: str, offset: int
) -> None:
    answer = game(owner(new_house()), "load", notation=text, request_id="r")
    assert answer["error"] == "invalid_notation"
    assert (answer["slot"], answer["reason"], answer["offset"]) == (slot, reason, offset)
    assert answer["detail"] in answer["error_description"]
    assert answer["field"] == text.strip().count("/", 0, offset) + 1
    assert answer["request_id"] == "r"


def test_only_the_owner_loads_and_only_before_the_start() -> None:
    house = new_house()
    clients = room_of(house, 2)
    assert error(clients[1], "load", notation=GAME_A) == "not_owner"
    clients[0].send({"command": "lobby.game.start"})
    assert error(clients[0], "load", notation=GAME_A) == "wrong_phase"
    table = house.open(TableSpec(seats=("open", "bot heuristic", "bot heuristic", "bot heuristic")))
    other = login(house, "eve")
    call(other, "lobby.room.join", room_id=table.id)
    assert error(other, "load", notation=GAME_A) == "wrong_phase"


def test_after_a_finished_hand_that_was_loaded_the_next_one_begins() -> None:
    clients = room_of(new_house(), hands=2)
    assert game(clients[0], "load", notation=GAME_A)["response"] == "game.taroky.load"
    start(clients)
    state = game(clients[0], "state")
    assert (state["hand_number"], state["phase"]) == (2, "prever")


@pytest.mark.parametrize("killed", [False, True])
def test_a_loaded_room_plays_its_own_rules_afterwards(killed: bool) -> None:
    house = new_house()
    notation = GAME_A.rpartition("/T01HQ")[0] + "/timeout=45000"
    clients = at_table(house, many=1, notation=notation, hands=1, startChips=50)
    room = call(clients[0], "lobby.room.info", room_id="r1")["room"]
    assert room["rules"]["timeout"] == 45_000
    if killed:
        token = token_of(clients[0])
        house.restart()
        clients = [house.connect(token=token)]
    assert call(clients[0], "lobby.room.info", room_id="r1")["room"] == room
    player = Player(clients[0], Random(1))
    play_on(house, [player], lambda: not house.tables())
    result = next(event for event in player.heard if event["event"] == "result")
    assert sum(result["chips"]) == 400, "chips are those of the notation"
    start(clients)
    deal = next(event for event in events(clients[0]) if event["event"] == "deal")
    assert deal["chips"] == [50, 50, 50, 50]
    assert (deal["options"]["firstPovinnost"], deal["options"]["timeout"]) == ("II", 30_000)


def test_a_room_with_a_loaded_position_is_marked_until_it_is_over() -> None:
    house = new_house()
    ann, bea = room_of(house, 2, hands=1)
    assert call(bea, "lobby.room.info", room_id="r1")["room"]["fixed_deal"] is False
    notation = GAME_A.rpartition("/T01HQ")[0] + "/"
    assert game(ann, "load", notation=notation)["room"]["fixed_deal"] is True
    bea.take()
    start([ann, bea])
    asked = next(json.loads(frame) for frame in bea.frames if '"state"' in frame and "lobby" in frame)
    assert asked["fixed_deal"] is True
    assert call(bea, "lobby.room.info", room_id="r1")["room"]["fixed_deal"] is True
    play_on(house, [Player(ann, Random(1)), Player(bea, Random(2))], lambda: not house.tables())
    assert call(bea, "lobby.room.info", room_id="r1")["room"]["fixed_deal"] is False


# Options.


def test_options_have_the_names_of_the_specification() -> None:  # 8
    house = new_house()
    clients = at_table(house, 1)
    deal = next(event for event in events(clients[0]) if event["event"] == "deal")
    assert deal["options"] == {
        "aceHigh": False,
        "preverPriority": "first",
        "contraOnValat": True,
        "startChips": 100,
        "hands": 8,
        "firstPovinnost": "II",
        "timeout": 30_000,
        "difficulty": 2,
        "botPlayTime": 0,
        "botThinkTime": 0,
        "dealPause": 0,
        "secretPause": 0,
        "lock": False,
    }


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"timeout": 5}, {"timeout": 20_000}),
        ({"timeout": 0}, {"timeout": 0}),
        ({"timeout": 10**9}, {"timeout": 3_600_000}),
        ({"botPlayTime": 10**9, "botThinkTime": 5}, {"botPlayTime": 60_000, "botThinkTime": 5}),
        ({"hands": 0}, {"hands": 0}),
        ({"firstPovinnost": 3}, {"firstPovinnost": 3}),
        ({"firstPovinnost": "II"}, {"firstPovinnost": "II"}),
        ({"difficulty": "AI"}, {"difficulty": 5}),
        ({"difficulty": "beginner"}, {"difficulty": 0}),
        ({"lock": True}, {}),
        ({}, {"botPlayTime": 3000, "botThinkTime": 1000}),
    ],
)
def test_options_are_read(given: dict[str, Any], shown: dict[str, Any]) -> None:
    client = login(new_house(), "ann")
    room = call(client, "lobby.room.create", name="r", rules=given)["room"]
    assert {name: room["rules"][name] for name in shown} == shown
    assert room["options"]["private"] is given.get("lock", False)


@pytest.mark.parametrize(
    "rules",
    [
        {"colour": 1},
        {"hands": -1},
        {"hands": False},
        {"aceHigh": 1},
        {"firstPovinnost": 4},
        {"lock": "yes"},
        {"timeout": True},
        {"timeout": -1},
        {"difficulty": 6},
        {"difficulty": "Nightmare"},
        {"chips": "1,2,3,4"},
    ],
)
def test_bad_options_are_refused(rules: dict[str, Any]) -> None:
    client = login(new_house(), "ann")
    assert call(client, "lobby.room.create", name="r", rules=rules)["error"] == "invalid_request"


def house_with(**defaults: object) -> VirtualHouse:
    """Return a server in memory whose operator has set options for the tables of this protocol."""
    return house_of(GAME, partial(TarokyLobby, defaults=defaults))


def test_the_operator_sets_options_and_clients_override_them() -> None:
    house = house_with(ace_high="on", hands="3", timeout="60000", first_povinnost="2", bot_play_time="10")
    client = login(house, "ann")
    rules = call(client, "lobby.room.create", name="r", rules={"hands": 5, "botThinkTime": 0})["room"][
        "rules"
    ]
    wanted: dict[str, object] = {"aceHigh": True, "hands": 5, "timeout": 60_000, "firstPovinnost": 2}
    wanted |= {"botPlayTime": 10, "botThinkTime": 0, "preverPriority": "first"}
    assert {name: rules[name] for name in wanted} == wanted
    start([client])
    deal = next(event for event in events(client) if event["event"] == "deal")
    assert {name: deal["options"][name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("rules", "options", "bot"),
    [
        ({}, {}, "default"),
        ({"difficulty": 2}, {}, "heuristic"),
        ({}, {"bots": "random"}, "random"),
        ({"difficulty": 2}, {"bots": "random"}, "random"),
    ],
)
def test_the_operator_chooses_the_bots_unless_a_client_does(
    rules: dict[str, Any], options: dict[str, Any], bot: str
) -> None:
    house = house_with(bots="default")
    client = login(house, "ann")
    call(client, "lobby.room.create", name="r", rules=rules, options=options)
    start([client])
    assert [place.bot for place in house.tables()[0].places][1:] == [bot] * 3


def test_the_seed_of_the_operator_gives_each_table_its_own() -> None:
    def hands(seed: str) -> list[list[str]]:
        house = house_with(seed=seed)
        found: list[list[str]] = []
        for name in ("ann", "bea"):
            client = login(house, name)
            call(client, "lobby.room.create", name="r", options={"private": True})
            start([client])
            found += [event["hand"] for event in events(client) if event["event"] == "deal"]
        return found

    once = hands("7")
    assert once == hands("7")
    assert once[0] != once[1]
    assert once != hands("8")


def test_difficulty_chooses_the_bots() -> None:
    for difficulty, bot in [(0, "random"), (1, "novice"), (2, "heuristic"), (3, "club"), (5, "expert")]:
        house = new_house()
        at_table(house, 1, difficulty=difficulty)
        assert [place.bot for place in house.tables()[0].places][1:] == [bot] * 3


def test_bots_act_after_the_configured_time() -> None:
    house = new_house()
    clients = at_table(house, 1, notation=deal_of(GAME_A), botThinkTime=1000, botPlayTime=3000)
    game(clients[0], "prever", prever=False)
    moments: list[float] = []
    house.on_frame = lambda client, frame: moments.append(house.now) if ".next" in frame else None
    begun = house.now
    house.advance(2.5)
    assert [moment - begun for moment in moments] == [1.0, 2.0]
