"""The end of a room's match: commands and logins while its table closes, and abandoned tables."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from croupier.games.tarock.tests import rooms as tarock
from croupier.games.taroky.tests import rooms as taroky
from croupier.games.taroky.tests.positions import GAME_A
from croupier.testing.house import Client, VirtualHouse
from croupier.testing.rooms import call, login, start, token_of

LAST_TRICK = GAME_A.rpartition("/T01HQ")[0] + "/"
RETURN = 60.0
"""The seconds for which a table is kept for its only player."""


class Ending:
    """A match of two users and two bots, shortly before its end."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.end = {"tarock": "game.tarock.finished", "taroky": "game.taroky.match"}[game]
        if game == "tarock":
            self.house = tarock.new_house()
            self.clients = tarock.at_table(self.house, 2, deals=1)
        else:
            self.house = taroky.new_house()
            self.clients = taroky.at_table(self.house, 2, notation=LAST_TRICK, hands=1)

    def play(self, at_end: Callable[[], None]) -> None:
        """Play until the end has been told to the first client, and call *at_end* at that moment."""

        def watch(client: Client, frame: str) -> None:
            if self.end in frame and client is self.clients[0]:
                self.house.on_frame = lambda client, frame: None
                at_end()

        self.house.on_frame = watch
        present = [client for client in self.clients if client.connected]
        if self.game == "tarock":
            tarock.play_all(self.house, [tarock.Player(client, Random(1)) for client in present])
        else:
            players = [taroky.Player(client, Random(1)) for client in present]
            taroky.play_on(self.house, players, lambda: any(self.end in frame for frame in present[0].frames))

    def send_at_end(self, client: Client, *commands: str, delay: float = 0.0) -> list[dict[str, Any]]:
        """Let *client* send *commands* when the end is told; return the answers.

        From then on the store needs *delay* seconds for everything.
        """

        def send() -> None:
            self.house.store.delay = delay
            for command in commands:
                self.house.call(client.connection.receive, f'{{"command": "{command}"}}', settle=False)

        self.play(send)
        self.house.advance(5 * delay)
        self.house.store.delay = 0.0
        self.house.advance(5 * delay)
        return [answer for answer in read_all(client) if "response" in answer or "error" in answer][
            -len(commands) :
        ]


def read_all(client: Client) -> list[dict[str, Any]]:
    """Return all messages sent to *client*."""
    client._read = 0
    return client.read()


games = pytest.mark.parametrize("game", ["tarock", "taroky"])
delays = pytest.mark.parametrize("delay", [0.0, 0.3])


@games
@delays
def test_a_start_right_after_the_end_starts_the_next_match(game: str, delay: float) -> None:
    ending = Ending(game)
    (answer,) = ending.send_at_end(ending.clients[0], "lobby.game.start", delay=delay)
    assert answer == {"response": "lobby.game.start"}
    asked = [frame["state"] for frame in read_all(ending.clients[1]) if "state" in frame][-1]
    call(ending.clients[1], "lobby.player.ready", state=asked)
    assert f"game.{game}.deal" in [frame.get("event") for frame in ending.clients[0].read()]


@games
@delays
def test_leaving_right_after_the_end_leaves_the_room(game: str, delay: float) -> None:
    ending = Ending(game)
    owner, other = ending.clients
    answers = ending.send_at_end(other, "lobby.room.leave", "lobby.room.leave", delay=delay)
    assert [answer.get("response", answer.get("error")) for answer in answers] == [
        "lobby.room.leave",
        "not_in_room",
    ]
    assert call(owner, "lobby.room.info", room_id="r1")["room"]["players"] == []


def test_leaving_while_the_last_card_is_stored_leaves_the_room() -> None:
    house = taroky.new_house()
    clients = taroky.at_table(house, 4, notation=LAST_TRICK, hands=1)
    players = [taroky.Player(client, Random(1)) for client in clients]
    for _ in range(3):
        assert any(player.answer() for player in players), "three of the last four cards are played"
    last = next(client for client in clients if taroky.game(client, "state")["your_turn"])
    other = next(client for client in clients[1:] if client is not last)
    (card,) = taroky.game(last, "state")["hand"]
    other.take()
    house.store.delay = 0.3
    last.send({"command": "game.taroky.play", "card": card})
    other.send({"command": "lobby.room.leave"})
    house.advance(3.0)
    answers = [frame for frame in other.read() if "response" in frame or "error" in frame]
    assert answers == [{"response": "lobby.room.leave"}]
    names = call(clients[0], "lobby.room.info", room_id="r1")["room"]["players"]
    assert other.conversation.user.player() not in names
    assert len(names) == 2


@games
def test_the_room_is_told_that_it_is_open_again(game: str) -> None:
    ending = Ending(game)
    owner, other = ending.clients
    ending.play(lambda: None)
    room = call(login(ending.house, "eve"), "lobby.room.info", room_id="r1")["room"]
    assert room["status"] == "waiting"
    for client in (owner, other):
        assert read_all(client)[-1] == {"event": "lobby.game.finished", "room": room}


def test_the_published_protocol_of_2014_has_no_such_event() -> None:
    ending = Ending("tarock")
    owner, other = ending.clients

    def speak_as_published() -> None:
        other.conversation.profile = "seed"

    ending.play(speak_as_published)
    assert read_all(owner)[-1]["event"] == "lobby.game.finished"
    assert "lobby.game.finished" not in [frame.get("event") for frame in read_all(other)]


MOMENTS = [0.1, 0.29, 0.3, 0.5, 0.59, 0.6, 0.7, 0.89, 0.9, 0.91, 1.0, 1.5]
"""Times of the login, in seconds after the end was told; the store needs 0.3 seconds for everything."""


@games
@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize(
    "moment", [0.0, 0.31, 0.61, *(pytest.param(at, marks=pytest.mark.slow) for at in MOMENTS)]
)
def test_a_login_while_the_table_closes(game: str, lost: bool, moment: float) -> None:
    ending = Ending(game)
    house = ending.house
    owner, other = ending.clients
    token = token_of(other)
    if lost:
        other.drop()
    back: list[Client] = []

    def at_end() -> None:
        house.store.delay = 0.3
        back.append(house.connect(after=moment or 1e-6, token=token))

    ending.play(at_end)
    house.advance(3.0)
    house.store.delay = 0.0
    house.advance(3.0)
    (again,) = back
    welcome, *told = again.read()
    assert welcome["response"] == "user.login"
    rooms = [welcome["room"], *(frame["room"] for frame in told if "room" in frame)]
    room = call(login(house, "eve"), "lobby.room.info", room_id="r1")["room"]
    assert room["status"] == "waiting"
    members = {player["nickname"] for player in room["players"]}
    if lost and moment > 0.3:  # they left the room because they were not connected when the table closed
        assert rooms[-1] is None
        assert members == set()
        assert "room" in call(again, "lobby.room.join", room_id="r1")
    else:
        assert rooms[-1] == room
    start([owner, again])
    assert f"game.{game}.deal" in [frame.get("event") for frame in again.read()]


# Abandoned tables.


def alone(house: VirtualHouse, **rules: object) -> Client:
    """Return a client who has logged in and is about to start a match against bots."""
    client = login(house, "ann")
    call(client, "lobby.room.create", name="x", rules=rules)
    return client


@games
@pytest.mark.parametrize("opening", [False, True])
def test_the_table_of_a_single_player_without_a_connection_is_kept_for_a_minute(
    game: str, opening: bool
) -> None:
    house = {"tarock": tarock, "taroky": taroky}[game].new_house()
    client = alone(house)
    house.store.delay = 0.5 if opening else 0.0
    client.send({"command": "lobby.game.start"})
    client.drop()
    house.advance(1.0)
    house.store.delay = 0.0
    house.advance(RETURN - 2.0)
    assert len(house.tables()) == 1
    house.advance(2.0)
    assert house.tables() == []
    again = login(house, "eve")
    assert call(again, "lobby.room.list")["rooms"] == []
    assert not [name for name in house.kept if name.startswith("room ")]


@games
def test_a_player_who_returns_within_the_minute_continues(game: str) -> None:
    house = {"tarock": tarock, "taroky": taroky}[game].new_house()
    client = alone(house)
    client.send({"command": "lobby.game.start"})
    token = token_of(client)
    client.drop()
    house.advance(RETURN - 1.0)
    again = house.connect(token=token)
    assert again.read()[0]["room"]["status"] == "playing"
    house.advance(RETURN)
    assert len(house.tables()) == 1


@games
@pytest.mark.parametrize("opening", [False, True])
def test_a_guest_cannot_return(game: str, opening: bool) -> None:
    house = {"tarock": tarock, "taroky": taroky}[game].new_house()
    guest = house.connect()
    call(guest, "lobby.room.create", name="x")
    house.store.delay = 0.5 if opening else 0.0
    guest.send({"command": "lobby.game.start"})
    guest.drop()
    house.advance(3.0)
    assert house.tables() == []


@games
def test_a_match_of_two_continues_while_both_are_disconnected(game: str) -> None:
    ending = Ending(game)
    for client in ending.clients:
        client.drop()
    ending.house.advance(10.0)
    assert len(ending.house.tables()) == 1


@games
def test_a_match_that_did_not_begin_is_kept_no_longer(game: str) -> None:
    package = {"tarock": tarock, "taroky": taroky}[game]
    house = package.new_house()
    clients = package.room_of(house, 3)
    house.store.delay = 1.0
    start(clients)
    for client in clients:
        client.drop()
    house.store.delay = 0.0
    house.advance(RETURN - 1.0)
    assert [table.phase for table in house.tables()] == ["gathering"]
    house.advance(3.0)
    assert house.tables() == []
