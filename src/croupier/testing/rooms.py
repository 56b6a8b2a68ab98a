"""Clients of Tarock and Taroky in memory (croupier.wire.opentarock): logged in, in a room, at a table.

Shared by the tests and fuzz targets of the games that use this protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

import msgspec

from croupier.core.contract import Game
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.lobby import Host, Lobby
from croupier.wire.opentarock.conversation import RoomConversation
from croupier.wire.talk import (
    Act,
    Disconnect,
    Enter,
    Here,
    Keep,
    Leave,
    Open,
    Output,
    Prove,
    Send,
    Uses,
    Wait,
)

WALL = 1_414_335_600_000_000_000
"""The wall-clock time of `house_of`."""
ANSWERED = (Act, Enter, Keep, Leave, Open, Prove)
"""The requests that are answered after they have been carried out."""


class Secrets:
    """Predictable secrets for tests."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> str:
        self.made += 1
        return f"secret-{self.made}"


def house_of(
    game: Game, lobby: Callable[..., Lobby], seed: str = "house", secret: Secrets | None = None
) -> VirtualHouse:
    """Return a server with the *lobby* of *game* and a fixed wall-clock time."""
    made = secret if secret is not None else Secrets()

    def make(game: Game, house: Host, kept: Mapping[str, str]) -> Lobby:
        return lobby(game, house, kept, wall=lambda: WALL, secret=made)

    return VirtualHouse(game, make, seed)


def call(client: Client, command: str, **fields: object) -> dict[str, Any]:
    """Send a command and return its answer; earlier frames are dropped, later ones are unread."""
    client.take()
    client.send({"command": command, **fields})
    answer = msgspec.json.decode(client.take(1)[0], type=dict[str, Any])
    assert "response" in answer or "error" in answer, "the answer comes before any event"
    return answer


def login(house: VirtualHouse, name: str, **fields: object) -> Client:
    """Return a logged-in client."""
    client = house.connect()
    assert call(client, "user.login", nickname=name, **fields)["response"] == "user.login"
    return client


def token_of(client: Client) -> str:
    """Return the token of the client's user."""
    user = client.conversation.user
    assert isinstance(user.token, str)
    return user.token


def gather(house: VirtualHouse, names: Iterable[str], profile: str, **room: object) -> list[Client]:
    """Return clients called *names* in a new room, its owner first."""
    clients = [login(house, name, profile=profile) for name in names]
    made = call(clients[0], "lobby.room.create", **room)
    assert "room" in made, made
    for client in clients[1:]:
        assert "room" in call(client, "lobby.room.join", room_id=made["room"]["id"])
    return clients


def start(clients: list[Client]) -> None:
    """Start the room of *clients*, all of them ready. The frames that follow are unread."""
    for client in clients[1:]:
        client.take()
    assert call(clients[0], "lobby.game.start") == {"response": "lobby.game.start"}
    for client in clients[1:]:
        state = next(frame["state"] for frame in client.read() if "state" in frame)
        client.send({"command": "lobby.player.ready", "state": state})


def check_one_answer(conversation: RoomConversation, message: bytes, now: float) -> None:
    """Check that *message* gets one answer, or causes one request that will be answered."""
    outputs = made_of(conversation, message, now)
    if not message.strip():
        assert outputs == []
        return
    own = [output for output in outputs if not isinstance(output, Here | Disconnect | Uses)]
    for output in own:
        if isinstance(output, Send):
            frame = msgspec.json.decode(output.frame, type=dict[str, object])
            assert ("response" in frame) != ("error" in frame), frame
        else:
            assert isinstance(output, ANSWERED), output
    sends = [output for output in own if isinstance(output, Send)]
    assert len(sends) == 1 or (not sends and len(own) == 1), outputs


def made_of(conversation: RoomConversation, message: bytes, now: float) -> list[Output | Wait]:
    """Return the outputs of *conversation* for *message* before anything is answered; none is carried out."""
    outputs: list[Output | Wait] = []
    exchange = conversation.answer(message, now)
    if exchange is not None:
        outputs += islice(exchange, 1)
        exchange.close()
    outputs += conversation.take()
    conversation._asked = None  # no answer follows
    conversation.lobby.changed.clear()
    return outputs
