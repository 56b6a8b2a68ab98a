"""Login, lobby and limits of the room protocol (spec C2, C3, C6, C7, C9), as Tarock speaks it."""

from __future__ import annotations

import json
from functools import partial
from random import Random
from typing import Any

import pytest

from croupier.core.refusal import Refusal
from croupier.games.tarock import GAME
from croupier.games.tarock.tests.rooms import (
    NAMES,
    Player,
    at_table,
    code,
    events,
    new_house,
    play_all,
    room_of,
    transcript_deck,
)
from croupier.games.tarock.wire import TarockConversation, TarockLobby
from croupier.testing.house import Client, VirtualHouse
from croupier.testing.rooms import (
    WALL,
    call,
    house_of,
    login,
    start,
    token_of,
)
from croupier.wire.bot_names import bot_name
from croupier.wire.house import HouseConversation
from croupier.wire.opentarock import lobby
from croupier.wire.opentarock.lobby import MOST_LISTED
from croupier.wire.opentarock.room import Room
from croupier.wire.opentarock.users import User
from croupier.wire.table_spec import TableSpec

# The lobby.


def test_the_operator_sets_options_bots_and_seed_and_clients_override_them() -> None:
    house = house_of(GAME, partial(TarockLobby, defaults={"deals": "3", "bots": "default", "seed": "7"}))
    ana, bor, cene = (login(house, name) for name in NAMES[:3])
    assert call(ana, "lobby.room.create", name="one")["room"]["rules"]["deals"] == 3
    assert call(bor, "lobby.room.create", name="two", rules={"deals": 5})["room"]["rules"]["deals"] == 5
    call(cene, "lobby.room.create", name="three", rules={"seed": 1}, options={"bots": "random"})
    for client in (ana, bor, cene):
        start([client])
    assert [house.table(table.id).spec.seed for table in house.tables()] == ["7 1", "7 2", "1"]
    assert [table.places[3].bot for table in house.tables()] == ["default", "default", "random"]


def test_rooms_are_created_found_and_joined() -> None:
    house = new_house()
    ana, bor = login(house, "Ana"), login(house, "Bor", profile="seed")
    room = call(ana, "lobby.room.create", name="Pri Ani", rules={"preset": "exact", "deals": 3})["room"]
    assert {name: room[name] for name in ("id", "name", "owner", "players", "game", "status")} == {
        "id": "r1",
        "name": "Pri Ani",
        "owner": {"user_id": "u1", "nickname": "Ana"},
        "players": [],
        "game": "tarock",
        "status": "waiting",
    }
    assert room["options"] == {"private": False, "password": False, "autostart": False, "fill_bots": True}
    assert (room["rules"]["deals"], room["rules"]["rounding"], room["rules"]["radelc_end"]) == (3, 1, 40)
    assert room["rules"]["turn_timeout_ms"] == 30_000
    assert code(call(ana, "lobby.room.create", name="Another")) == "already_in_room"
    ana.read()
    bors = call(bor, "lobby.room.join", room_id="r1")["room"]
    assert bors == {
        "id": "r1",
        "name": "Pri Ani",
        "owner": {"user_id": "u1", "nickname": "Ana"},
        "players": [{"user_id": "u2", "nickname": "Bor"}],
    }, "the seed's fields alone"
    assert ana.read() == [
        {"event": "lobby.room.join", "player": {"user_id": "u2", "nickname": "Bor"}, "timestamp": WALL}
    ]
    assert call(bor, "lobby.room.join", room_id="r1")["room"] == bors, "Bor is there already"
    assert ana.read() == []
    assert call(bor, "lobby.room.list")["rooms"] == [bors]
    assert call(bor, "lobby.room.info", room_id="r1")["room"] == bors


def test_the_longest_present_inherits_and_an_empty_room_disappears() -> None:
    house = new_house()
    ana, bor, cene = room_of(house, 3)
    bor.read()
    cene.read()
    assert call(ana, "lobby.room.leave") == {"response": "lobby.room.leave"}
    told = {
        "event": "lobby.room.leave",
        "user_id": "u1",
        "owner": {"user_id": "u2", "nickname": "Bor"},
        "timestamp": WALL,
    }
    assert bor.read() == cene.read() == [told]
    cene.drop()
    assert bor.read() == [{"event": "lobby.room.leave", "user_id": "u3", "timestamp": WALL}]
    assert call(ana, "lobby.room.info", room_id="r1")["room"]["owner"]["nickname"] == "Bor"
    assert call(bor, "lobby.room.leave") == {"response": "lobby.room.leave"}
    assert call(ana, "lobby.room.list")["rooms"] == []


def test_joining_another_room_leaves_the_first() -> None:
    house = new_house()
    ana, bor = room_of(house, 2)
    cene = login(house, "Cene")
    call(cene, "lobby.room.create", name="Other")
    ana.read()
    cene.read()
    assert call(bor, "lobby.room.join", room_id="r2")["room"]["name"] == "Other"
    assert [frame["event"] for frame in ana.read()] == ["lobby.room.leave"]
    assert [frame["event"] for frame in cene.read()] == ["lobby.room.join"]
    assert code(call(bor, "lobby.room.join", room_id="r9")) == "room_does_not_exist"
    assert call(bor, "lobby.room.info", room_id="r2")["room"]["players"], "an error changes nothing"


def test_private_rooms_and_passwords() -> None:
    house = new_house()
    ana, bor = login(house, "Ana"), login(house, "Bor")
    options = {"private": True, "password": "olala", "unknown": 1}
    room = call(ana, "lobby.room.create", name="x", options=options)["room"]
    assert room["options"]["password"] is True
    assert not room["id"].startswith("r")
    assert call(bor, "lobby.room.list")["rooms"] == []
    assert code(call(bor, "lobby.room.join", room_id=room["id"])) == "wrong_password"
    assert code(call(bor, "lobby.room.join", room_id=room["id"], password="x")) == "wrong_password"
    assert "room" in call(bor, "lobby.room.join", room_id=room["id"], password="olala")


def test_a_long_list_of_rooms_has_the_newest_that_wait_and_fits_into_an_output_queue() -> None:
    house = new_house()
    long = "\U00010437" * 60
    tables = []
    for number in range(2 * MOST_LISTED):
        ana = login(house, f"{number:03}{long[:21]}")
        call(ana, "lobby.room.create", name=f"{number:03} {long}")
        if number % 2:
            call(ana, "lobby.game.start")
        tables.append(house.open(TableSpec(["open"] * 4)).id)
    bor = login(house, "Bor")
    call(bor, "lobby.room.create", name="last")
    bor.send({"command": "lobby.room.list"})
    [answer] = bor.take()
    assert len(answer.encode()) < bor.conversation.outbox_limit
    rooms = json.loads(answer)["rooms"]
    waiting = [f"{number:03} {long}" for number in range(2, 2 * MOST_LISTED, 2)]
    assert [room["name"] for room in rooms[:MOST_LISTED]] == [*waiting, "last"]
    assert [room["id"] for room in rooms[MOST_LISTED:]] == tables[-MOST_LISTED:]


def test_the_id_of_a_private_room_is_the_invitation_to_its_table() -> None:
    house = new_house()
    ana = login(house, "Ana")
    room = call(ana, "lobby.room.create", name="x", options={"private": True})["room"]
    call(ana, "lobby.game.start")
    spec = house.table(house.tables()[0].id).spec
    assert (spec.private, spec.invitation) == (True, room["id"])


def test_a_private_table_of_the_server_is_no_room() -> None:
    house = new_house()
    table = house.open(TableSpec(["open"] * 4, private=True, invitation="secret"))
    ana = login(house, "Ana")
    assert call(ana, "lobby.room.list")["rooms"] == []
    assert code(call(ana, "lobby.room.join", room_id=table.id)) == "room_does_not_exist"
    assert code(call(ana, "lobby.room.info", room_id=table.id)) == "room_does_not_exist"


def test_a_room_holds_four() -> None:
    house = new_house()
    room_of(house, 4)
    fifth = login(house, "Eva")
    assert code(call(fifth, "lobby.room.join", room_id="r1")) == "room_full"


# Starting.


def test_a_player_who_reconnects_while_the_game_starts_is_asked_again() -> None:
    house = new_house()
    ana, bor, cene = room_of(house, 3)
    tokens = [token_of(client) for client in (ana, bor, cene)]
    for client in (ana, bor, cene):
        client.read()
    call(ana, "lobby.game.start")
    (asked,) = bor.read()
    back = [house.connect(token=token) for token in tokens]
    welcomes = [client.read() for client in back]
    assert [[frame.get("event", frame.get("response")) for frame in frames] for frames in welcomes] == [
        ["user.login"],
        ["user.login", "lobby.game.start"],
        ["user.login", "lobby.game.start"],
    ]
    assert welcomes[1][1] == asked
    for client, frames in zip(back[1:], welcomes[1:], strict=True):
        assert (
            call(client, "lobby.player.ready", state=frames[1]["state"])["response"] == "lobby.player.ready"
        )
    assert "game.tarock.deal" in [frame.get("event") for frame in back[0].read()]


def test_the_ready_handshake() -> None:
    house = new_house()
    ana, bor, cene = room_of(house, 3)
    for client in (ana, bor, cene):
        client.read()
    assert code(call(bor, "lobby.game.start")) == "not_owner"
    assert code(call(bor, "lobby.player.ready", state="x")) == "unexpected"
    assert call(ana, "lobby.game.start", request_id=3) == {"response": "lobby.game.start", "request_id": 3}
    (bors,), (cenes,) = bor.read(), cene.read()
    assert {**bors, "state": ""} == {"event": "lobby.game.start", "room_id": "r1", "state": ""}
    assert bors["state"] != cenes["state"]
    assert code(call(ana, "lobby.game.start")) == "already_started"
    assert code(call(ana, "lobby.player.ready", state="x")) == "already_ready"
    assert code(call(bor, "lobby.room.leave")) == "start_in_progress"
    assert code(call(bor, "lobby.room.create", name="x")) == "already_in_room"
    assert code(call(bor, "lobby.player.ready", state=cenes["state"])) == "invalid_state"
    late = login(house, "Dana")
    assert code(call(late, "lobby.room.join", room_id="r1")) == "room_full"
    assert call(late, "lobby.room.info", room_id="r1")["room"]["status"] == "starting"
    assert code(call(bor, "game.tarock.bid", contract="two")) == "wrong_phase"
    assert call(bor, "lobby.player.ready", state=bors["state"]) == {"response": "lobby.player.ready"}
    assert code(call(bor, "lobby.player.ready", state=bors["state"])) == "already_ready"
    assert ana.read() == cene.read() == [{"event": "lobby.player.ready", "user_id": "u2"}]
    cene.send({"command": "lobby.player.ready", "state": cenes["state"]})
    frames = cene.read()
    assert frames[0] == {"response": "lobby.player.ready"}
    assert frames[1]["event"] == "game.tarock.deal"
    assert [player["nickname"] for player in frames[1]["players"]] == ["Ana", "Bor", "Cene", "Pavel Lipa"]
    assert [frame["event"] for frame in ana.read()][:2] == ["lobby.player.ready", "game.tarock.deal"]
    assert call(late, "lobby.room.info", room_id="r1")["room"]["status"] == "playing"
    assert code(call(ana, "lobby.game.start")) == "already_started"


def test_a_start_is_cancelled_if_a_player_is_not_ready_in_time() -> None:
    house = new_house()
    ana, bor, cene = room_of(house, 3)
    call(ana, "lobby.game.start")
    state = bor.read()[-1]["state"]
    call(bor, "lobby.player.ready", state=state)
    house.advance(14.9)
    assert call(ana, "lobby.room.info", room_id="r1")["room"]["status"] == "starting"
    cene.read()
    house.advance(0.1)
    cancelled = {"event": "lobby.game.cancelled", "room_id": "r1", "missing": ["u3"]}
    assert ana.read()[-1:] == bor.read()[-1:] == cene.read() == [cancelled]
    assert code(call(bor, "lobby.player.ready", state=state)) == "unexpected"
    call(ana, "lobby.game.start")
    assert bor.read()[-1]["state"] != state, "new states are made"


def test_a_lost_connection_cancels_a_start() -> None:
    house = new_house()
    ana, bor = room_of(house, 2)
    call(ana, "lobby.game.start")
    bor.drop()
    assert [frame["event"] for frame in ana.read()] == ["lobby.game.cancelled", "lobby.room.leave"]
    assert call(ana, "lobby.game.start") == {"response": "lobby.game.start"}, "alone now"
    assert len(events(ana, "deal")) == 1
    assert house.tables()


def test_without_bots_four_people_are_needed() -> None:
    house = new_house()
    ana, _ = room_of(house, 2, options={"fill_bots": False})
    assert code(call(ana, "lobby.game.start")) == "invalid_request"
    assert call(ana, "lobby.room.info", room_id="r1")["room"]["status"] == "waiting"


def test_a_room_chooses_how_strong_its_bots_are() -> None:
    house = new_house()
    ana = room_of(house, 1, options={"bots": "expert"})[0]
    assert call(ana, "lobby.room.info", room_id="r1")["room"]["options"]["bots"] == "expert"
    start([ana])
    assert [place.bot for place in house.tables()[0].places] == ["", "expert", "expert", "expert"]
    bor = login(house, "Bor")
    for wrong in ("genius", 3):
        answer = call(bor, "lobby.room.create", name="x", options={"bots": wrong})
        assert code(answer) == "invalid_request"
        assert "expected one of random, default, novice, heuristic, club, expert" in str(answer)


def test_autostart_starts_when_four_people_are_in() -> None:
    house = new_house()
    clients = room_of(house, 4, options={"autostart": True})
    for client in clients[1:]:
        state = next(frame["state"] for frame in map(json.loads, client.frames) if "state" in frame)
        client.send({"command": "lobby.player.ready", "state": state})
    for client in clients:
        assert len(events(client, "deal")) == 1


def test_a_room_whose_table_cannot_be_opened_waits_again() -> None:
    house = new_house()
    ana, bor = room_of(house, 2)
    house.all_tables.most_tables = 0
    start([ana, bor])
    assert [frame.get("error", frame.get("event")) for frame in ana.read()] == [
        "lobby.player.ready",
        "lobby.game.cancelled",
        "server_error",
    ]
    assert call(ana, "lobby.room.info", room_id="r1")["room"]["status"] == "waiting"


@pytest.mark.parametrize("gone", [0, 2, 3])
def test_a_player_who_disconnects_while_the_table_is_opened_is_replaced_by_a_bot(gone: int) -> None:
    house = new_house()
    clients = room_of(house, 4)
    house.store.delay = 1.0
    start(clients)
    clients[gone].drop()
    house.store.delay = 0.0
    house.advance(1.0)
    for seat, client in enumerate(clients):
        assert len(events(client, "deal")) == (seat != gone)
    names = [place.name for place in house.tables()[0].places]
    assert names == [name if seat != gone else bot_name(seat, "heuristic") for seat, name in enumerate(NAMES)]


@pytest.mark.parametrize("opening", [False, True])
def test_no_table_stays_when_the_only_player_disconnects_after_the_start(opening: bool) -> None:
    house = new_house()
    (ana,) = room_of(house, 1)
    house.store.delay = 1.0 if opening else 0.0
    start([ana])
    ana.drop()
    house.store.delay = 0.0
    house.advance(120.0)
    assert house.tables() == []


def test_a_player_who_logs_in_while_the_table_is_opened_plays() -> None:
    house = new_house()
    clients = room_of(house, 2)
    house.store.delay = 1.0
    start(clients)
    again = house.connect(token=token_of(clients[1]))
    assert again.read()[0]["room"]["status"] == "playing"
    house.store.delay = 0.0
    house.advance(1.0)
    assert [len(events(client, "deal")) for client in (clients[0], again)] == [1, 1]


def test_a_returning_player_plays_at_a_table_that_all_had_left_before_the_start() -> None:
    house = new_house()
    clients = room_of(house, 3)
    tokens = [token_of(client) for client in clients]
    house.store.delay = 1.0
    start(clients)
    for client in clients:
        client.drop()
    house.store.delay = 0.0
    house.advance(1.0)
    assert house.tables()[0].phase == "gathering"
    again = house.connect(token=tokens[1])
    assert len(events(again, "deal")) == 1
    late = house.connect(token=tokens[0])
    assert [frame.get("event") for frame in late.read()] == [None]


def test_two_players_of_one_name_are_two_at_the_table() -> None:
    house = new_house()
    clients = [login(house, "Ana"), login(house, "Ana")]
    call(clients[0], "lobby.room.create", name="x")
    call(clients[1], "lobby.room.join", room_id="r1")
    start(clients)
    assert [place.name for place in house.tables()[0].places[:2]] == ["Ana", "Ana (2)"]
    deal = events(clients[0], "deal")[0]
    assert [player["nickname"] for player in deal["players"][:2]] == ["Ana", "Ana"]


# Leaving, and after the match.


def test_a_player_who_leaves_a_game_is_replaced_by_a_bot_permanently() -> None:
    house = new_house()
    clients = at_table(house)
    ana, bor, cene, _ = clients
    cene.read()
    token = token_of(bor)
    bor.read()
    bor.send({"command": "lobby.room.leave"})
    assert bor.read() == [{"response": "lobby.room.leave"}], "and nothing of the game after it"
    frames = cene.read()
    assert {"event": "game.tarock.status", "player_id": 1, "status": "bot"}.items() <= frames[0].items()
    assert frames[-1] == {"event": "lobby.room.leave", "user_id": "u2", "timestamp": WALL}
    assert call(ana, "lobby.room.info", room_id="r1")["room"]["players"][0]["nickname"] == "Cene"
    assert code(call(bor, "game.tarock.bid", contract="pass")) == "not_in_room"
    assert call(house.connect(), "user.login", token=token)["room"] is None
    assert bor.read() == [
        {"error": "replaced", "error_description": "a newer connection has taken your place"}
    ]


def test_joining_another_room_from_a_game_leaves_the_game() -> None:
    house = new_house()
    clients = at_table(house, 2)
    cene = login(house, "Cene")
    call(cene, "lobby.room.create", name="Other")
    cene.read()
    clients[1].read()
    clients[1].send({"command": "lobby.room.join", "room_id": "r2"})
    (answer,) = clients[1].read()
    assert answer["room"]["id"] == "r2"
    assert [frame["event"] for frame in cene.read()] == ["lobby.room.join"]
    assert [frame.get("status") for frame in clients[0].read()][-2:] == ["bot", None]


def test_when_no_human_is_left_the_match_is_aborted() -> None:
    house = new_house()
    ana, bor = at_table(house, 2)
    call(ana, "lobby.room.leave")
    call(bor, "lobby.room.leave")
    assert house.tables() == []
    assert call(ana, "lobby.room.list")["rooms"] == []


def play_on(clients: list[Client]) -> None:
    """Answer every prompt with the first legal action, until there is none."""
    asked = True
    while asked:
        asked = False
        for client in clients:
            for frame in client.read():
                if (answer := reply(frame)) is not None:
                    client.send(answer)
                    asked = True


def reply(frame: dict[str, Any]) -> dict[str, Any] | None:
    if frame.get("can_pass") is not None:
        contract = "pass" if frame["can_pass"] else frame["valid_bids"][0]
        return {"command": "game.tarock.bid", "contract": contract}
    if frame.get("valid_cards"):
        return {"command": "game.tarock.play", "card": frame["valid_cards"][0]}
    return None


def test_after_the_match_all_players_are_back_in_the_room() -> None:
    house = new_house()
    clients = at_table(house, 4, deals=1)
    clients[3].drop()
    play_on(clients[:3])
    house.advance(31.0)
    play_on(clients[:3])
    assert house.tables() == []
    room = call(clients[0], "lobby.room.info", room_id="r1")["room"]
    assert room["status"] == "waiting"
    assert [player["nickname"] for player in room["players"]] == ["Bor", "Cene"], (
        "absent players have left the room"
    )
    assert not [name for name in house.kept if name.startswith("room")]
    assert code(call(clients[1], "game.tarock.state")) == "wrong_phase"
    start(clients[:3])
    assert len(events(clients[1], "deal")) == 1, "and play again"


# Tables that were opened elsewhere.


def open_table(house: VirtualHouse, seats: tuple[str, ...]) -> str:
    return house.open(TableSpec(seats=seats)).id


def test_tables_of_the_house_are_rooms_too() -> None:
    house = new_house()
    id = open_table(house, ("person", "open", "open", "bot heuristic"))
    open_table(house, ("person", "person", "person", "bot heuristic"))
    bor, cene = login(house, "Bor"), login(house, "Cene")
    (room,) = call(bor, "lobby.room.list")["rooms"]
    assert (room["id"], room["status"]) == (id, "waiting")
    assert room["owner"] == {"user_id": "house", "nickname": "Croupier"}
    assert [player["nickname"] for player in room["players"]] == ["Pavel Lipa"]
    assert "room" in call(bor, "lobby.room.join", room_id=id)
    assert code(call(bor, "lobby.game.start")) == "not_owner"
    assert code(call(bor, "game.tarock.bid", contract="two")) == "wrong_phase"
    bor.read()
    joined = call(cene, "lobby.room.join", room_id=id)["room"]
    assert [player["nickname"] for player in joined["players"]] == ["Bor", "Cene", "Pavel Lipa"]
    (told,) = bor.read()
    assert told == {
        "event": "lobby.room.join",
        "player": {"user_id": "u2", "nickname": "Cene"},
        "timestamp": WALL,
    }
    assert code(call(login(house, "Dana"), "lobby.room.join", room_id=id)) == "room_full"
    cene.send({"command": "lobby.room.leave"})
    assert cene.read()[0] == {"response": "lobby.room.leave"}
    assert bor.read() == [{"event": "lobby.room.leave", "user_id": "u2", "timestamp": WALL}]
    call(cene, "lobby.room.join", room_id=id)
    bor.read()
    page = house.visit(id, HouseConversation)
    page.send({"type": "join", "name": "Ana", "token": "x", "person": True})
    frames = bor.read()
    assert [frame["event"] for frame in frames[:2]] == ["lobby.room.join", "game.tarock.deal"]
    assert frames[0]["player"]["nickname"] == "Ana"
    assert [player["nickname"] for player in frames[1]["players"]] == ["Ana", "Bor", "Cene", "Pavel Lipa"]
    token = token_of(cene)
    cene.drop()
    again = house.connect(token=token)
    login_answer, sync = again.read()[:2]
    assert login_answer["room"]["id"] == id
    assert sync["event"] == "game.tarock.sync"


def test_a_room_that_plays_is_found_again_after_a_restart() -> None:
    house = new_house()
    clients = at_table(house, 3)
    call(clients[0], "lobby.room.list")
    house.restart()
    other = login(house, "Eva")
    (room,) = call(other, "lobby.room.list")["rooms"]
    assert (room["id"], room["name"], room["status"]) == ("r1", "Pri Ani", "playing")
    assert [player["nickname"] for player in room["players"]] == list(NAMES[1:3])
    assert call(other, "lobby.room.create", name="x")["room"]["id"] == "r2"
    answer = call(house.connect(), "user.login", token="secret-2")
    assert answer["room"]["id"] == "r1"


def test_a_room_elsewhere_may_fill_up_before_the_seat_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house()
    clients = at_table(house, 2)
    owner = login(house, "Cene")
    call(owner, "lobby.room.create", name="Other")
    rooms = house.lobby
    assert isinstance(rooms, TarockLobby)
    check, asked = rooms.check_join, iter([False, True])

    def second_time_full(user: User, room: Room, password: str | None) -> None:
        check(user, room, password)
        if next(asked):
            raise Refusal("room_full", "another player was faster")

    monkeypatch.setattr(rooms, "check_join", second_time_full)
    clients[1].read()
    clients[1].send({"command": "lobby.room.join", "room_id": "r2"})
    assert code(clients[1].read()[0]) == "room_full"
    assert code(call(clients[1], "lobby.room.leave")) == "not_in_room"


def test_a_table_that_is_taken_at_the_same_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house()
    id = open_table(house, ("person", "open", "open", "bot heuristic"))
    bor = login(house, "Bor")
    for seat in (1, 2):  # taken after the room was looked at
        table = house.table(id)
        monkeypatch.setattr(table.places[seat], "token", "another")
    monkeypatch.setattr(lobby, "free_places", lambda info: info.places)
    assert code(call(bor, "lobby.room.join", room_id=id)) == "room_full"
    assert code(call(bor, "lobby.room.leave")) == "not_in_room"
    assert "response" in call(bor, "lobby.room.list")


def test_stored_data_that_cannot_be_read_is_removed() -> None:
    house = new_house()
    for name, data in {"user x": "junk", "room y": "{}", "other z": "1"}.items():
        house.wait(house.store.keep(house.game.name, name, data))
    house.restart()
    ana = login(house, "Ana")
    call(ana, "lobby.room.create", name="x")
    call(ana, "lobby.game.start")
    assert sorted(name.split()[0] for name in house.kept) == ["other", "room", "user"]
    assert "user x" not in house.kept


def test_a_room_whose_table_closed_when_the_server_stopped_is_gone() -> None:
    house = new_house()
    ana = at_table(house, 1)[0]
    token = token_of(ana)
    (name,) = [name for name in house.kept if name.startswith("room ")]
    row = house.kept[name]
    house.close(name.removeprefix("room "), "for a test")
    house.wait(house.store.keep(house.game.name, name, row))
    house.restart()
    assert call(house.connect(), "user.login", token=token)["room"] is None
    assert name not in house.kept


def test_a_room_whose_match_ended_without_players_is_removed() -> None:
    house = new_house()
    ana, bor = at_table(house, 2, deals=1, turn_timeout_ms=1000)
    tokens = [token_of(ana), token_of(bor)]
    ana.drop()
    bor.drop()
    house.advance(600.0)
    assert house.tables() == []
    again = house.connect()
    assert call(again, "user.login", token=tokens[0])["room"] is None
    call(again, "lobby.room.create", name="x")
    call(again, "lobby.game.start")
    assert len([name for name in house.kept if name.startswith("room ")]) == 1


def test_nothing_is_read_from_a_connection_that_was_replaced() -> None:
    house = new_house()
    ana = login(house, "Ana")
    conversation = ana.conversation
    assert isinstance(conversation, TarockConversation)
    house.connect(token=token_of(ana))
    assert conversation.receive('{"command": "lobby.room.list"}', house.now) == []
    assert conversation.flooded() == []
    conversation.gone(house.now)


# Cards that a player could know.


def test_a_table_whose_hands_are_open_to_watchers_is_marked() -> None:
    house = new_house()
    table = house.open(TableSpec(["open"] * 4, watch_open=True))
    ana, cene = login(house, "Ana"), login(house, "Cene", profile="seed")
    [room] = call(ana, "lobby.room.list")["rooms"]
    assert (room["id"], room["watch_open"], room["fixed_deal"]) == (table.id, True, False)
    [seen] = call(cene, "lobby.room.list")["rooms"]
    assert seen["name"] == f"Table {table.id} (watchers see all hands)"


@pytest.mark.parametrize("rules", [{"seed": 7}, {"deck": [transcript_deck()]}])
def test_a_room_with_a_seed_or_a_deck_is_marked(rules: dict[str, Any]) -> None:
    house = new_house()
    ana, bor = login(house, "Ana"), login(house, "Bor")
    cene = login(house, "Cene", profile="seed")
    made = call(ana, "lobby.room.create", name="x", rules={**rules, "deals": 1})["room"]
    assert made["fixed_deal"] is True
    assert call(bor, "lobby.room.list")["rooms"] == [made]
    assert call(bor, "lobby.room.join", room_id="r1")["room"]["fixed_deal"] is True
    seen = call(cene, "lobby.room.join", room_id="r1")["room"]
    assert "fixed_deal" not in seen
    assert seen["name"] == "x (fixed cards)"
    bor.take()
    call(ana, "lobby.game.start")
    assert bor.read()[-1]["fixed_deal"] is True
    assert list(cene.read()[-1]) == ["event", "room_id", "state"], "the seed's fields alone"


def test_a_deck_is_for_one_match() -> None:
    house = new_house()
    clients = at_table(house, 2, deals=1)
    other = login(house, "Eva")
    assert call(other, "lobby.room.info", room_id="r1")["room"]["fixed_deal"] is True
    tokens = [token_of(client) for client in clients]
    house.restart()
    other = login(house, "Ena")
    assert call(other, "lobby.room.info", room_id="r1")["room"]["fixed_deal"] is True
    clients = [house.connect(token=token) for token in tokens]
    play_all(house, [Player(client, Random(1)) for client in clients])
    assert call(other, "lobby.room.info", room_id="r1")["room"]["fixed_deal"] is False
    start(clients)
    assert call(other, "lobby.room.info", room_id="r1")["room"]["fixed_deal"] is False


def test_tables_of_the_house_and_seeds_of_the_operator() -> None:
    house = house_of(GAME, partial(TarockLobby, defaults={"seed": "7"}))
    ana = login(house, "Ana")
    assert call(ana, "lobby.room.create", name="x")["room"]["fixed_deal"] is True
    house = new_house()
    house.open(TableSpec(seats=("open",) * 4))
    house.open(TableSpec(seats=("open",) * 4, seed="7"))
    rooms = call(login(house, "Ana"), "lobby.room.list")["rooms"]
    assert [room["fixed_deal"] for room in rooms] == [False, True]
