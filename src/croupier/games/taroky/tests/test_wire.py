"""Taroky over its protocol: the specification's games and sample, every command, event, error and clock."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A, GAME_B, SEED_UNI
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
    until,
)
from croupier.games.taroky.wire import EVENTS
from croupier.testing.house import Client, VirtualHouse
from croupier.testing.rooms import (
    call,
    login,
    token_of,
)
from croupier.testing.transcripts import play, read

IDS = {f'"u{n}"': f'"{name}"' for n, name in enumerate(NAMES, 1)}


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
        # The notation is the same hand, without the data of the table.
        again = parse(results[0]["notation"])
        assert again.result().chips == chips
        assert again.settings.pn == -1
        assert results[0]["notation"].split("/")[:-1] == notation.split("/")[:-1]
        assert sum(results[0]["payments"]) == 0
        assert sum(results[0]["points"]) == 106
        ended = ["game.taroky.match", *(["lobby.game.finished"] if profile == "full" else [])]
        assert [frame["event"] for frame in frames[-len(ended) :]] == ended
    for frames in heard:
        numbers = [frame["seq"] for frame in frames if "seq" in frame]
        assert numbers == list(range(1, len(numbers) + 1))
        assert bool(numbers) is (profile == "full")


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
    """A client of the sample exchange, in which players have names."""

    def __init__(self, client: Client) -> None:
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
    def __init__(self, house: VirtualHouse, clients: list[Client]) -> None:
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
        house.advance(60 * 31.0)  # the server acts for the players
        for client in clients:
            for frame in map(json.loads, client.frames):
                if str(frame.get("event")).startswith("game."):
                    found.add(frame["event"].removeprefix("game.taroky."))
                    assert frame["hand_number"] == 1
    assert found - {"status"} == set(EVENTS)


def test_cards_are_sent_only_to_those_who_may_see_them() -> None:  # 4.3 to 4.6
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


def test_a_discarded_trump_is_shown() -> None:  # 1.8: player 1 holds no plain card
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


def test_povinnost_may_keep_a_uni_secret() -> None:  # 4.6
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


def test_seats_that_are_not_asked_for_contra_get_the_same_answer() -> None:  # 4, 3.3
    _, clients = until(GAME_A, "contra")
    answers = [game(clients[seat], "contra", call=True) for seat in (0, 2, 3)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["error"] == "not_your_turn"
    assert game(clients[1], "contra", call=False) == {"response": "game.taroky.contra"}
    assert game(clients[1], "contra", call=False)["error"] == "not_your_turn"


# State and notation.


def test_a_seat_that_called_contra_is_not_asked_again_before_the_call_is_told() -> None:  # 4.13, 3.3
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=1, secretPause=2000)
    for seat, name, fields in commands(GAME_A):
        if name == "contra":
            break
        game(clients[seat], name, **fields)
    game(clients[1], "contra", call=False)
    wanted = ("your_turn", "valid", "deadline", "contra")
    assert game(clients[3], "state")["your_turn"] is True
    assert game(clients[3], "contra", call=True) == {"response": "game.taroky.contra"}
    state = game(clients[3], "state")
    assert [state[name] for name in wanted] == [False, [], None, []]
    assert error(clients[3], "contra", call=True) == "not_your_turn"
    house.advance(2.0)
    state = game(clients[3], "state")
    assert [state[name] for name in wanted] == [False, [], None, ["u4"]]
    assert game(clients[0], "state")["your_turn"] is True, "now rhea may be called"


def test_a_player_who_returns_before_the_question_is_repeated_sees_it_in_the_state() -> None:  # 5
    house, clients = until(GAME_A, "contra", secretPause=2000)
    token = token_of(clients[1])
    house.restart()
    state = house.connect(token=token).read()[1]
    assert (state["phase"], state["your_turn"]) == ("contra", True)


@pytest.mark.parametrize("notation", [GAME_A, GAME_B])
def test_the_state_contains_the_possible_answers_in_every_phase(notation: str) -> None:  # 4.13
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
