"""Taroky over its protocol: the specification's games and sample, every command, event, error and clock."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A, GAME_B, SEED_DEAL, SEED_UNI
from croupier.games.taroky.tests.rooms import (
    COMMAND_OF,
    NAMES,
    QUICK,
    Player,
    at_table,
    commands,
    deal_of,
    error,
    events,
    game,
    new_house,
    play_on,
    room_of,
)
from croupier.games.taroky.vocabulary import PHASES
from croupier.games.taroky.wire import EVENTS
from croupier.testing.desked import DeskClient, DeskedHouse
from croupier.testing.rooms import (
    call,
    login,
    start,
    token_of,
)
from croupier.testing.transcripts import play, read
from croupier.wire.talk import Wish

IDS = {f'"u{n}"': f'"{name}"' for n, name in enumerate(NAMES, 1)}


def until(notation: str, phase: str, **rules: Any) -> tuple[DeskedHouse, list[DeskClient]]:
    """Return four clients who play *notation* and have come to *phase*."""
    house = new_house()
    clients = at_table(house, notation=deal_of(notation), **{"hands": 1, **rules})
    for seat, name, fields in commands(notation):
        if house.tables()[0].view(0).facts()["phase"] == phase:
            break
        assert game(clients[seat], name, **fields)["response"] == f"game.taroky.{name}"
        house.advance(5.0 if "secretPause" in rules else 0.0)
    for client in clients:
        client.take()
    return house, clients


def kinds(client: DeskClient) -> list[str]:
    return [str(event["event"]) for event in events(client)]


# The specification's examples.


@pytest.mark.parametrize("profile", ["full", "seed"])
@pytest.mark.parametrize(("notation", "chips"), [(GAME_A, [134, 70, 126, 70]), (GAME_B, [122, 26, 130, 122])])
def test_the_annotated_games(notation: str, chips: list[int], profile: str) -> None:  # 6
    house = new_house()
    clients = at_table(house, notation=deal_of(notation), profile=profile, hands=1)
    for seat, name, fields in commands(notation):
        assert game(clients[seat], name, **fields) == {"response": f"game.taroky.{name}"}
    heard = [[json.loads(frame) for frame in client.frames] for client in clients]
    for frames in heard:
        results = [frame for frame in frames if frame.get("event") == "game.taroky.result"]
        assert [frame["chips"] for frame in results] == [chips]
        # What goes by that name is the same hand, without what belongs to the table.
        again = parse(results[0]["notation"])
        assert again.result().chips == chips
        assert again.settings.pn == -1
        assert results[0]["notation"].split("/")[:-1] == notation.split("/")[:-1]
        assert sum(results[0]["payments"]) == 0
        assert sum(results[0]["points"]) == 106
        assert frames[-1]["event"] == "game.taroky.match"
    if profile == "full":
        for frames in heard:
            numbers = [frame["seq"] for frame in frames if "seq" in frame]
            assert numbers == list(range(1, len(numbers) + 1))


def test_the_result_of_game_a() -> None:  # 4.12
    house, clients = until(GAME_A, "")
    house.advance(1.0)
    frames = [json.loads(frame) for frame in clients[2].frames]
    result = next(frame for frame in frames if frame.get("event") == "game.taroky.result")
    assert {name: result[name] for name in list(result)[3:-1]} == {
        "declarers": ["u1", "u3"],
        "prever": None,
        "half": None,
        "valat": None,
        "contra": ["u4", "u3"],
        "iote": "u1",
        "points": [66, 40],
        "tricks": [6, 6],
        "steps": [
            {"name": "distance", "value": 13},
            {"name": "base", "value": 5},
            {"name": "contra", "value": 4},
            {"name": "iote", "value": 4},
        ],
        "x": 24,
        "payments": [24, -24, 24, -24],
        "moneycards": [10, -6, 2, -6],
        "chips": [134, 70, 126, 70],
    }
    match = next(frame for frame in frames if frame.get("event") == "game.taroky.match")
    assert match["ranking"][:2] == [
        {"player_id": "u1", "chips": 134, "rank": 1},
        {"player_id": "u3", "chips": 126, "rank": 2},
    ]
    assert [row["rank"] for row in match["ranking"]] == [1, 2, 3, 3]


class SampleParty:
    """A client of the sample exchange, who calls the players by name."""

    def __init__(self, client: DeskClient) -> None:
        self._client = client
        client.take()

    @property
    def frames(self) -> list[str]:
        found = [frame for frame in self._client.frames if "lobby." not in frame and "user." not in frame]
        return [self._spoken(frame) for frame in found]

    def _spoken(self, frame: str) -> str:
        for id, name in IDS.items():
            frame = frame.replace(id, name)
        value = json.loads(frame)
        if "options" in value:
            value["options"] = {"aceHigh": value["options"]["aceHigh"]}
        return json.dumps(value)

    def send(self, message: object) -> None:
        self._client.send(message)

    def drop(self) -> None:
        raise NotImplementedError


class SampleStage:
    def __init__(self, house: DeskedHouse, clients: list[DeskClient]) -> None:
        self._house = house
        self._clients = dict(zip(NAMES, clients, strict=True))

    def connect(self, name: str) -> SampleParty:
        return SampleParty(self._clients[name])

    def advance(self, seconds: float) -> None:
        self._house.advance(seconds)

    def closed_with(self, party: object) -> int | None:
        return None


def test_the_sample_exchange() -> None:  # 4.14
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A))
    steps = read(Path(__file__).parent / "transcripts" / "sample.txt")
    play(steps, SampleStage(house, clients))


# Events.


def test_every_event_of_the_specification_is_sent_and_no_other() -> None:
    found: set[str] = set()
    for notation in (GAME_A, GAME_B, SEED_UNI):
        house = new_house()
        clients = at_table(house, notation=deal_of(notation), hands=1)
        for seat, name, fields in commands(notation):
            game(clients[seat], name, **fields)
        house.advance(60 * 31.0)  # what is left is done for them
        for client in clients:
            for frame in map(json.loads, client.frames):
                if str(frame.get("event")).startswith("game."):
                    found.add(frame["event"].removeprefix("game.taroky."))
                    assert frame["hand_number"] == 1
    assert found - {"status"} == set(EVENTS)


def test_cards_are_told_to_those_who_may_see_them() -> None:  # 4.3 to 4.6
    _, clients = until(GAME_A, "partner")
    frames = [[json.loads(frame) for frame in client.frames] for client in clients]

    def of(seat: int, name: str) -> list[dict[str, Any]]:
        return [frame for frame in frames[seat] if frame.get("event") == f"game.taroky.{name}"]

    assert [event.get("cards") for event in of(0, "talon.drawn")] == [
        ["T12", "T06", "T08", "CK"],
        None,
        None,
    ]
    assert [event.get("cards") for event in of(2, "talon.drawn")] == [None, None, ["D4"]]
    assert of(3, "talon.finished")[0]["counts"] == [4, 1, 1, 0]
    mine, theirs = of(0, "discard.next"), of(3, "discard.next")
    assert [event["count"] for event in theirs] == [4, 1, 1]
    assert [event["player_id"] for event in theirs] == ["u1", "u2", "u3"]
    assert [event["next_player"] for event in theirs] == ["u2", "u3", None]
    assert [event["left"] for event in theirs] == [1, 1, 0]
    assert all("cards" not in event and event["shown"] == [] for event in theirs)
    assert [event.get("cards") for event in mine] == [["D3", "HJ", "H3", "S1"], None, None]
    assert "valid_cards" in of(1, "discard.next")[0]
    assert "valid_cards" not in of(1, "discard.next")[1]
    assert [event["codes"] for event in of(1, "moneycards.called")] == [["R"], [], ["H"], []]
    assert [event["value"] for event in of(1, "moneycards.called")] == [4, 0, 2, 0]
    assert of(1, "moneycards.finished")[0]["chips"] == [110, 94, 102, 94]
    assert of(0, "partner.start")[0]["valid_partners"] == ["T18", "T19"]
    assert "valid_partners" not in of(1, "partner.start")[0]


def test_the_halves_of_the_talon() -> None:  # 4.4
    _, clients = until(GAME_B, "moneycards")
    seen = {
        seat: [json.loads(frame) for frame in clients[seat].frames if ".half." in frame and "event" in frame]
        for seat in (0, 1)
    }
    assert [event["event"].rpartition(".")[2] for event in seen[0]] == ["offer", "shown", "offer", "finished"]
    assert [event.get("cards") for event in seen[1]] == [
        ["DR", "CJ", "D3"],
        ["DR", "CJ", "D3"],
        ["T20", "CR", "CK"],
        None,
    ]
    assert [event.get("cards") for event in seen[0]] == [None, ["DR", "CJ", "D3"], None, None]
    assert (seen[0][-1]["half"], seen[0][-1]["multiplier"]) == ("B", 2)


def test_discards_in_pieces_are_told_as_they_come() -> None:  # 4.5
    _, clients = until(GAME_A, "discard")
    assert game(clients[0], "discard", cards=["D3", "HJ"])["response"]
    assert game(clients[0], "state")["left"] == 2
    assert game(clients[0], "discard", cards=["H3", "S1"])["response"]
    told = [event for event in events(clients[3]) if event["event"] == "discard.next"]
    assert [(event["count"], event["next_player"], event["left"]) for event in told] == [
        (2, "u1", 2),
        (2, "u2", 1),
    ]


def test_a_discarded_trump_is_shown() -> (
    None
):  # 1.8: player 1 holds all of clubs' kings' worth: no plain card
    hands = ["T02T03T04T05T06T07T08T09T10T11T12T13", "S1S2S3S4SJSRSQSKC1C2C3C4"]
    hands += ["CJCRCQCKH1H2H3H4HJHRHQHK", "D1D2D3D4DJDRDQDKT01T21T22T14"]
    deal = "/".join(["100"] * 4 + hands + ["T15T16T17T18T19T20", ""])
    house = new_house()
    clients = at_table(house, notation=deal)
    for client in clients:
        game(client, "prever", prever=False)
    game(clients[1], "talon", action="draw")
    game(clients[2], "talon", action="draw")
    for client in clients:
        client.take()
    assert error(clients[0], "discard", cards=["T02", "T02"]) == "invalid_card"
    game(clients[0], "discard", cards=["T02", "T05", "T15", "T18"])
    told = next(event for event in events(clients[2]) if event["event"] == "discard.next")
    assert told["shown"] == ["T02", "T05", "T15", "T18"]
    assert game(clients[3], "state")["shown_discards"] == [["T02", "T05", "T15", "T18"], [], [], []]
    assert error(clients[1], "discard", cards=["T19"]) == "invalid_card"


def test_povinnost_may_keep_his_uni_to_himself() -> None:  # 4.6
    house = new_house()
    clients = at_table(house, notation=SEED_UNI)
    players = [Player(client, Random(1), 0.0) for client in clients]
    play_on(house, players, lambda: players[0].state()["phase"] == "moneycards")
    assert [event["event"] for event in players[0].heard][-2:] == ["discard.finished", "moneycards.choice"]
    assert players[0].heard[-1]["code"] == "U"
    assert players[1].heard[-1]["event"] == "discard.finished"
    assert players[1].state()["turn"] is None
    assert players[1].state()["deadline"] is None
    assert players[0].state()["turn"] is None
    assert players[0].state()["your_turn"] is True
    assert error(clients[1], "moneycards", declare=True) == "not_your_turn"
    assert game(clients[0], "moneycards", declare=False) == {"response": "game.taroky.moneycards"}
    called = [event for event in events(clients[1]) if event["event"] == "moneycards.called"]
    assert [event["codes"] for event in called] == [[], [], [], ["R"]]


# Errors.


def test_errors_come_in_the_order_of_the_specification() -> None:  # C3
    house = new_house()
    alone = login(house, "eve")
    assert error(alone, "play", card=5) == "invalid_request"
    assert error(alone, "play") == "invalid_request"
    assert error(alone, "fly", card="H1") == "unknown_command"
    assert error(alone, "play", card="H1") == "not_in_room"
    assert error(alone, "state") == "not_in_room"
    assert error(alone, "notation") == "not_in_room"
    assert error(alone, "load", notation="x") == "not_in_room"
    call(alone, "lobby.room.create", name="empty", rules=QUICK)
    for name, fields in (
        ("play", {"card": "H1"}),
        ("state", {}),
        ("notation", {}),
        ("contra", {"call": True}),
    ):
        assert error(alone, name, **fields) == "wrong_phase"
    _, clients = until(GAME_A, "prever")
    assert error(clients[1], "play", card="X9") == "wrong_phase"
    assert error(clients[1], "prever", prever=False) == "not_your_turn"
    assert error(clients[0], "prever", prever=0) == "invalid_request"
    assert error(clients[0], "prever", prever=None) == "invalid_request"


@pytest.mark.parametrize(
    ("phase", "name", "fields", "code"),
    [
        ("talon", "talon", {"action": "fly"}, "invalid_action"),
        ("talon", "talon", {"action": "accept"}, "invalid_action"),
        ("discard", "discard", {"cards": []}, "invalid_count"),
        ("discard", "discard", {"cards": ["D3", "HJ", "H3", "S1", "S4"]}, "invalid_count"),
        ("discard", "discard", {"cards": ["H2"]}, "invalid_card"),
        ("discard", "discard", {"cards": ["CK"]}, "invalid_card"),
        ("discard", "discard", {"cards": ["T04"]}, "invalid_card"),
        ("discard", "discard", {"cards": ["D3", "D3"]}, "invalid_card"),
        ("discard", "discard", {"cards": ["10"]}, "invalid_card"),
        ("discard", "discard", {"cards": "D3"}, "invalid_request"),
        ("discard", "discard", {"cards": [3]}, "invalid_request"),
        ("partner", "partner", {"card": "T17"}, "invalid_partner"),
        ("partner", "partner", {"card": "H1"}, "invalid_partner"),
        ("valat", "valat", {"call": "no"}, "invalid_request"),
        ("play", "play", {"card": "H2"}, "invalid_card"),
        ("play", "play", {"card": "S1"}, "invalid_card"),
        ("play", "play", {"card": ""}, "invalid_card"),
    ],
)
def test_errors_of_every_phase(phase: str, name: str, fields: dict[str, Any], code: str) -> None:
    _, clients = until(GAME_A, phase)
    who = next(client for client in clients if game(client, "state")["your_turn"])
    before = [len(client.frames) for client in clients]
    assert error(who, name, **fields) == code
    assert [len(client.frames) - n for client, n in zip(clients, before, strict=True)] == [
        1 if client is who else 0 for client in clients
    ], "nobody else hears of it"


def test_following_is_a_duty() -> None:
    _, clients = until(GAME_A, "play")
    game(clients[0], "play", card="T04")
    answer = game(clients[1], "play", card="H2", request_id=17)
    assert answer == {
        "error": "invalid_card",
        "error_description": "card H2: trumps were led and you can follow",
        "command": "game.taroky.play",
        "request_id": 17,
    }


def test_whoever_is_not_asked_for_contra_gets_the_same_answer() -> None:  # 4, 3.3
    _, clients = until(GAME_A, "contra")
    answers = [game(clients[seat], "contra", call=True) for seat in (0, 2, 3)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["error"] == "not_your_turn"
    assert game(clients[1], "contra", call=False) == {"response": "game.taroky.contra"}
    assert game(clients[1], "contra", call=False)["error"] == "not_your_turn"


# State and notation.


@pytest.mark.parametrize("notation", [GAME_A, GAME_B])
def test_the_state_says_what_may_be_answered_in_every_phase(notation: str) -> None:  # 4.13
    house = new_house()
    clients = at_table(house, notation=deal_of(notation), hands=1)
    house.advance(1.0)
    phases: list[str] = []
    for seat, name, fields in commands(notation):
        states = [game(client, "state") for client in clients]
        assert [state["your_turn"] for state in states] == [n == seat for n in range(4)]
        phase = states[0]["phase"]
        phases.append(phase)
        assert COMMAND_OF[phase] == name
        secret = phase in ("contra", "iote")
        assert {state["turn"] for state in states} == {None if secret else f"u{seat + 1}"}
        single = {"cards": fields["cards"][:1]} if name == "discard" else fields
        assert single in states[seat]["valid"]
        assert all(not state["valid"] for n, state in enumerate(states) if n != seat)
        deadlines = [state["deadline"] for state in states]
        assert deadlines == [29_000 if not secret or n == seat else None for n in range(4)]
        game(clients[seat], name, **fields)
        house.advance(1.0)
    assert len(set(phases)) == len(set(commands_phases(notation)))


def commands_phases(notation: str) -> list[str]:
    return [name for _, name, _ in commands(notation)]


def test_the_state_has_everything_the_specification_names() -> None:  # 4.13
    _, clients = until(GAME_B, "play")
    for seat, card in [(0, "S3"), (1, "S4"), (2, "SK"), (3, "SQ"), (2, "T19")]:
        game(clients[seat], "play", card=card)
    state = game(clients[1], "state")
    wanted = {
        "phase": "play",
        "position": 2,
        "players": ["u1", "u2", "u3", "u4"],
        "chips": [96, 104, 104, 96],
        "hand": ["S1", "C2", "CK", "H3", "HK", "D2", "DK", "T01", "T04", "T18", "T20"],
        "my_discards": ["CR", "HJ", "H4"],
        "shown_discards": [[], [], [], []],
        "shown_talon": ["DR", "CJ", "D3"],
        "prever": "u2",
        "half": "B",
        "moneycards": [[], ["H"], ["T"], []],
        "partner": None,
        "valat": None,
        "contra": ["u3"],
        "multiplier": 2,
        "iote": None,
        "trick": {"leader": "u3", "cards": ["T19"]},
        "last_trick": {"leader": "u1", "cards": ["S3", "S4", "SK", "SQ"], "winner": "u3"},
        "tricks_won": [0, 0, 1, 0],
        "turn": "u4",
        "your_turn": False,
        "valid": [],
    }
    assert {name: state[name] for name in wanted} == wanted
    seqs = [json.loads(frame)["seq"] for frame in clients[1].frames if '"seq"' in frame and "event" in frame]
    assert state["seq"] == max(seqs)


def test_the_notation_is_hidden_while_the_hand_runs() -> None:  # 4.13
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=2, dealPause=5000)
    for seat, name, fields in commands(GAME_A):
        assert error(clients[seat], "notation") == "hidden"
        game(clients[seat], name, **fields)
        house.advance(0.1)
    assert game(clients[1], "state")["phase"] == "finished"
    found = game(clients[1], "notation")["notation"]
    assert parse(found).result().chips == [134, 70, 126, 70]
    house.advance(6.0)
    assert game(clients[1], "state")["hand_number"] == 2
    assert error(clients[1], "notation") == "hidden"
    assert game(clients[1], "state")["position"] == 1, "Povinnost moves on"


# Loading.


def owner(house: DeskedHouse, **rules: Any) -> DeskClient:
    return room_of(house, 1, **rules)[0]


@pytest.mark.parametrize("cut", range(9, 28))
def test_a_position_is_loaded_and_played_on(cut: int) -> None:  # 4.13
    fields = GAME_A.split("/")
    text = "/".join([*fields[:cut], "aceHigh=false;pn=2"])
    house = new_house(str(cut))
    clients = at_table(house, notation=text, many=4 if cut % 2 else 1, hands=1)
    unasked = [frame for frame in clients[0].frames if '"phase"' in frame]
    assert len(unasked) == (1 if cut > 9 else 0), "what no event tells, the state does"
    state = json.loads(unasked[0]) if unasked else game(clients[0], "state")
    assert state["position"] == 3, "the host sits where the game was saved"
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
    # Loading again starts from the room's own rules.
    rules = game(client, "load", notation=text + ";pn=1")["room"]["rules"]
    assert (rules["timeout"], rules["aceHigh"], rules["botPlayTime"]) == (60_000, False, 0)
    start([client])
    deal = next(event for event in events(client) if event["event"] == "deal")
    assert (deal["position"], deal["chips"]) == (2, [90, 100, 100, 100])
    assert deal["hand"] == ["SJ", "SR", "SQ", "SK", "D1", "D2", "D3", "D4", "DJ", "DR", "DQ", "DK"]


@pytest.mark.parametrize(
    ("text", "slot", "reason", "offset"),
    [
        ("", "header", "too_few_fields", 0),
        (GAME_A.replace("T204", "T203"), "trick1", "wrong_winner", GAME_A.index("T204") + 3),
        (GAME_A.replace("pn=0", "pn=7"), "settings", "bad_pn", len(GAME_A) - 1),
        (SEED_DEAL.replace("100", "9" * 12, 1), "chips", "bad_chips", 0),
        (deal_of(SEED_DEAL) + "botPlayTime=99999999", "settings", "bad_setting", 0),
        ("x" * 5000, "header", "too_long", 0),
    ],
)
def test_a_wrong_notation_is_pointed_at(text: str, slot: str, reason: str, offset: int) -> None:
    answer = game(owner(new_house()), "load", notation=text, request_id="r")
    assert answer["error"] == "invalid_notation"
    assert (answer["slot"], answer["reason"], answer["offset"]) == (slot, reason, offset)
    assert answer["detail"] in answer["error_description"]
    assert answer["field"] >= 1
    assert answer["request_id"] == "r"


def test_only_the_owner_loads_and_only_before_the_start() -> None:
    house = new_house()
    clients = room_of(house, 2)
    assert error(clients[1], "load", notation=GAME_A) == "not_owner"
    clients[0].send({"command": "lobby.game.start"})
    assert error(clients[0], "load", notation=GAME_A) == "wrong_phase"
    table = house.open(Wish(seats=("open", "bot heuristic", "bot heuristic", "bot heuristic")))
    other = login(house, "eve")
    call(other, "lobby.room.join", room_id=table.id)
    assert error(other, "load", notation=GAME_A) == "wrong_phase"


def test_a_loaded_room_plays_its_own_rules_afterwards() -> None:
    house = new_house()
    clients = at_table(house, many=1, notation=GAME_A.rpartition("/T01HQ")[0] + "/", hands=1, startChips=50)
    player = Player(clients[0], Random(1))
    play_on(house, [player], lambda: not house.tables())
    result = next(event for event in player.heard if event["event"] == "result")
    assert sum(result["chips"]) == 400, "chips are those of the notation"
    start(clients)
    deal = next(event for event in events(clients[0]) if event["event"] == "deal")
    assert deal["chips"] == [50, 50, 50, 50]
    assert deal["options"]["firstPovinnost"] == "II"


# Options.


def test_options_are_shown_as_the_specification_calls_them() -> None:  # 8
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
        ({"hands": 0}, {"hands": 0}),
        ({"firstPovinnost": 3}, {"firstPovinnost": 3}),
        ({"firstPovinnost": "II"}, {"firstPovinnost": "II"}),
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
        {"chips": "1,2,3,4"},
    ],
)
def test_bad_options_are_refused(rules: dict[str, Any]) -> None:
    client = login(new_house(), "ann")
    assert call(client, "lobby.room.create", name="r", rules=rules)["error"] == "invalid_request"


def test_difficulty_chooses_the_bots() -> None:
    for difficulty, bot in [(0, "random"), (1, "novice"), (2, "heuristic"), (3, "club"), (5, "expert")]:
        house = new_house()
        at_table(house, 1, difficulty=difficulty)
        assert [place.bot for place in house.tables()[0].places][1:] == [bot] * 3


def test_bots_take_their_time() -> None:
    house = new_house()
    clients = at_table(house, 1, notation=deal_of(GAME_A), botThinkTime=1000, botPlayTime=3000)
    game(clients[0], "prever", prever=False)
    moments: list[float] = []
    house.on_frame = lambda client, frame: moments.append(house.now) if ".next" in frame else None
    begun = house.now
    house.advance(2.5)
    assert [moment - begun for moment in moments] == [1.0, 2.0]


# Clocks, absence, ends.


def test_the_server_decides_when_the_time_is_up() -> None:  # 5
    house, clients = until(GAME_A, "prever")
    house.advance(29.9)
    assert kinds(clients[1]) == []
    house.advance(0.2)
    told = events(clients[1])
    assert [event["event"] for event in told] == ["prever.next"]
    assert told[0]["auto"] is True
    assert error(clients[0], "prever", prever=True) == "not_your_turn"


def test_default_actions_alone_finish_a_hand() -> None:  # 5, 10.7
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_B), hands=1)
    house.advance(30.1 * 90)
    frames = [json.loads(frame) for frame in clients[3].frames]
    result = next(frame for frame in frames if frame.get("event") == "game.taroky.result")
    assert (result["prever"], result["contra"], result["valat"], result["iote"]) == (None, [], None, None)
    autos = {frame["event"] for frame in frames if frame.get("auto")}
    assert autos == {
        f"game.taroky.{name}"
        for name in (
            "prever.next",
            "talon.next",
            "discard.next",
            "partner.finished",
            "valat.next",
            "play.next",
        )
    }
    assert all("auto" not in frame for frame in frames if "contra" in str(frame.get("event")))
    parse(result["notation"])


def statuses(client: DeskClient) -> list[tuple[str, str]]:
    return [(event["player_id"], event["status"]) for event in events(client) if event["event"] == "status"]


def test_after_more_than_ten_expiries_a_seat_is_away_until_it_says_something() -> None:  # 5
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=2)
    others = [Player(client, Random(1), 0.0) for client in clients[1:]]
    late = 0
    while not statuses(clients[1]):
        play_on(house, others, lambda: bool(game(clients[0], "state")["your_turn"]))
        phase = game(clients[0], "state")["phase"]
        late += phase not in ("contra", "iote", "moneycards")
        house.advance(30.0)
        assert late <= 11
    assert late == 11
    # From now on nobody waits for it.
    before = house.now
    play_on(house, others, lambda: any(event["event"] == "result" for event in others[0].heard))
    assert house.now - before < 15.0
    assert game(clients[0], "play", card="H1")["error"] in ("not_your_turn", "wrong_phase")
    play_on(house, others, lambda: ("u1", "connected") in heard_statuses(others[0]))


def heard_statuses(player: Player) -> list[tuple[str, str]]:
    return [(event["player_id"], event["status"]) for event in player.heard if event["event"] == "status"]


def test_a_lost_player_has_a_bot_after_twenty_seconds_and_decides_again_when_back() -> None:  # 5
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=1, timeout=25_000)
    token = token_of(clients[0])
    clients[0].drop()
    house.advance(19.0)
    assert statuses(clients[1]) == [("u1", "disconnected")]
    house.advance(1.5)
    told = events(clients[1])
    assert [event["event"] for event in told] == ["status", "prever.next"]
    assert told[0]["status"] == "away"
    assert told[1]["auto"] is True
    back = house.connect(token=token)
    frames = back.read()
    assert frames[0]["response"] == "user.login"
    assert frames[1]["response"] == "game.taroky.state"
    assert frames[1]["hand"][0] == "S1"
    assert len(frames) == 2
    assert statuses(clients[1]) == [("u1", "connected"), ("u1", "connected")]
    for client in clients[1:]:
        game(client, "prever", prever=False)
    game(clients[1], "talon", action="draw")
    game(clients[2], "talon", action="draw")
    house.advance(20.0)
    assert game(back, "discard", cards=["D3", "HJ", "H3", "S1"])["response"], "he decides again"


def test_who_leaves_is_replaced_by_a_bot_and_keeps_his_id_for_the_hand() -> None:  # 5
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=2)
    for client in clients[:2]:
        game(client, "prever", prever=False)
    clients[1].take()
    assert call(clients[2], "lobby.room.leave")["response"]
    told = events(clients[1])
    assert [event["event"] for event in told[:2]] == ["status", "prever.next"]
    assert told[0] == {**told[0], "player_id": "u3", "status": "bot"}
    assert told[1]["player_id"] == "u3"
    players = [Player(clients[seat], Random(2), 0.1) for seat in (0, 1, 3)]
    play_on(house, players, lambda: any(event["event"] == "deal" for event in players[1].heard))
    deal = next(event for event in players[1].heard if event["event"] == "deal")
    assert deal["players"] == ["u2", f"bot-{house.tables()[0].id}-2", "u4", "u1"]


@pytest.mark.parametrize(
    "phase", ["prever", "talon", "discard", "partner", "valat", "contra", "iote", "play"]
)
def test_a_restart_in_every_phase(phase: str) -> None:
    house, clients = until(GAME_A, phase)
    tokens = [token_of(client) for client in clients]
    before = [game(client, "state") for client in clients]
    house.restart()
    back = [house.connect(token=token) for token in tokens]
    for client in back:
        assert "game.taroky.state" in [frame.get("response") for frame in client.read()]
    after = [game(client, "state") for client in back]
    for old, new in zip(before, after, strict=True):
        assert {**old, "seq": 0, "deadline": 0} == {**new, "seq": 0, "deadline": 0}
    players = [Player(client, Random(5), 0.1) for client in back]
    play_on(house, players, lambda: not house.tables())


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_match_and_its_notations(seed: int) -> None:
    house = new_house(f"match {seed}")
    clients = at_table(house, hands=3)
    players = [Player(client, Random(f"{seed} {n}"), 0.2) for n, client in enumerate(clients)]
    play_on(house, players, lambda: not house.tables())
    results = [event for event in players[0].heard if event["event"] == "result"]
    assert len(results) == 3
    for result in results:
        again = parse(result["notation"]).result()
        assert again.chips == result["chips"]
        assert (again.x, again.payments, again.money) == (
            result["x"],
            result["payments"],
            result["moneycards"],
        )
    for one, following in pairwise(results):
        assert one["chips"][1:] + one["chips"][:1] == [
            int(chips) for chips in following["notation"].split("/")[:4]
        ]
    assert house.desk.rooms, "the room waits for its next match"  # type: ignore[attr-defined]


def test_lines_over_tcp_do_not_depend_on_how_they_are_cut() -> None:
    stream = b"".join(
        json.dumps(message).encode() + end
        for message, end in [
            ({"command": "lobby.room.create", "name": "r", "rules": QUICK}, b"\n"),
            ({"command": "game.taroky.load", "notation": deal_of(GAME_A)}, b"\r\n"),
            ({"command": "lobby.game.start"}, b"\n"),
            ({"command": "game.taroky.prever", "prever": True}, b"\n"),
            ({"command": "game.taroky.half", "keep": True}, b"\n"),
            ({"command": "game.taroky.half"}, b"\n"),
        ]
    )
    found: list[list[str]] = []
    for size in (1, 7, len(stream)):
        house = new_house()
        client = house.connect()
        for at in range(0, len(stream), size):
            client.feed(stream[at : at + size])
        found.append(client.frames)
    assert found[0] == found[1] == found[2]
    assert "half.finished" in found[0][-3] or any("half.finished" in frame for frame in found[0])
