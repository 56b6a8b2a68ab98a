"""Rooms with random commands, lost connections, logins, a slow store and closing tables."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from croupier.games.tarock.tests.rooms import new_house
from croupier.testing.house import Client
from croupier.wire.opentarock.conversation import RoomConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Close

NAMES = ("Ana", "Bor", "Cene", "Dana", "")
"""The last one is a guest without a login."""


class Crowd:
    """Five users with one current connection each, who send random commands of the lobby."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.house = new_house()
        for _ in range(6):
            self.house.open(TableSpec(("open", "open", "bot heuristic", "bot heuristic")))
        self.tokens = [""] * len(NAMES)
        self.clients: list[Client | None] = [None] * len(NAMES)
        self.sent: dict[Client, int] = {}

    def step(self) -> None:
        """Let one of them do something random, and sometimes advance the time."""
        rng, house = self.rng, self.house
        house.store.delay = rng.choice([0.0, 0.0, 0.1, 1.0])
        number = rng.randrange(len(NAMES))
        client = self.clients[number]
        if client is None or not client.connected:
            self.clients[number] = self.come(number)
        elif rng.random() < 0.15:
            client.drop()
        elif rng.random() < 0.1 and self.tokens[number]:
            self.clients[number] = self.come(number)  # a newer connection of the same user
        else:
            for _ in range(rng.randint(1, 3)):
                self.send(client)
        if rng.random() < 0.1 and house.tables():
            house.lobby.wanted.append(Close(rng.choice(house.tables()).id, "for a test"))
        house.advance(rng.choice([0.0, 0.05, 0.5, 20.0]))
        for one in self.clients:
            self.learn(one)

    def come(self, number: int) -> Client:
        """Connect and log in."""
        client = self.house.connect()
        self.sent[client] = 0
        if self.tokens[number]:
            self.say(client, {"command": "user.login", "token": self.tokens[number]})
        elif NAMES[number]:
            self.say(client, {"command": "user.login", "nickname": NAMES[number]})
        return client

    def say(self, client: Client, message: dict[str, object]) -> None:
        self.sent[client] += 1
        data = msgspec.json.encode(message).decode()
        self.house.call(client.connection.receive, data, settle=False)
        if self.rng.random() < 0.5:
            self.house.settle()

    def send(self, client: Client) -> None:
        """Send a random command."""
        rooms = [*self.house.lobby.rooms, *(table.id for table in self.house.tables()), "r0"]
        room = self.rng.choice(rooms)
        state = next((frame["state"] for frame in reversed(frames(client)) if "state" in frame), "x")
        self.say(
            client,
            self.rng.choice(
                [
                    {"command": "lobby.room.create", "name": "x", "rules": {"deals": 1}},
                    {"command": "lobby.room.join", "room_id": room},
                    {"command": "lobby.room.join", "room_id": room},
                    {"command": "lobby.room.leave"},
                    {"command": "lobby.room.list"},
                    {"command": "lobby.game.start"},
                    {"command": "lobby.game.start"},
                    {"command": "lobby.player.ready", "state": state},
                    {"command": "lobby.player.ready", "state": state},
                    {"command": "game.tarock.bid", "contract": "pass"},
                    {"command": "game.tarock.state"},
                ]
            ),
        )

    def learn(self, client: Client | None) -> None:
        """Remember the token from the response to a login."""
        if client is None or not client.connected:
            return
        number = self.clients.index(client)
        for frame in frames(client):
            if frame.get("response") == "user.login":
                self.tokens[number] = frame["token"]

    def check(self) -> None:
        """Check that nothing waits forever and that rooms, users and tables are consistent."""
        house = self.house
        house.store.delay = 0.0
        house.advance(30.0)
        running = {table.id for table in house.tables()}
        for client in self.clients:
            if client is None or not client.connected:
                continue
            conversation = client.conversation
            assert isinstance(conversation, RoomConversation)
            assert conversation.settled, conversation._asked
            answers = [frame for frame in frames(client) if "response" in frame or "error" in frame]
            assert len(answers) == self.sent[client]
        for room in house.lobby.rooms.values():
            assert room.opening is None
            assert room.status in ("waiting", "playing") or room.deadline > house.now
            assert (room.table in running) == (room.status == "playing" or room.house), room
            assert room.members or room.house
            for user in room.members:
                assert user.room is room
                assert room.status == "playing" or room.house or user.conversation is not None


def frames(client: Client) -> list[dict[str, Any]]:
    """Return all frames sent to *client*."""
    return [msgspec.json.decode(frame, type=dict[str, Any]) for frame in client.frames]


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(n, marks=pytest.mark.slow) for n in range(4, 25))]
)
def test_rooms_users_and_tables_are_always_consistent(seed: int) -> None:
    crowd = Crowd(seed)
    for _ in range(60):
        crowd.step()
    crowd.check()
