"""Clients of the command family in memory (croupier.wire.rooms): logged in, in a room, at a table.

What the tests and fuzz targets of every game share that is spoken in that protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from croupier.core.contract import Game
from croupier.testing.desked import DeskClient, DeskedHouse
from croupier.wire.desk import Desk, House
from croupier.wire.talk import Act, Enter, Hang, Here, Keep, Leave, Open, Output, Prove, Send, Via

WALL = 1_414_335_600_000_000_000
"""Where the clock on the wall of `house_of` stands."""
ANSWERED = (Act, Enter, Keep, Leave, Open, Prove)
"""The requests that are answered when they have been done."""


class Secrets:
    """Secrets that a test can foresee."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> str:
        self.made += 1
        return f"secret-{self.made}"


def house_of(
    game: Game, desk: Callable[..., Desk], seed: str = "desked", secret: Secrets | None = None
) -> DeskedHouse:
    """Return a house with the *desk* of *game*, whose clock on the wall stands still."""
    made = secret if secret is not None else Secrets()

    def make(game: Game, house: House, kept: Mapping[str, str]) -> Desk:
        return desk(game, house, kept, wall=lambda: WALL, secret=made)

    return DeskedHouse(game, make, seed)


def call(client: DeskClient, command: str, **fields: object) -> dict[str, Any]:
    """Send a command and return its answer; what came before is thrown away, what came after is unread."""
    client.take()
    client.send({"command": command, **fields})
    answer = msgspec.json.decode(client.take(1)[0], type=dict[str, Any])
    assert "response" in answer or "error" in answer, "the answer comes before any event"
    return answer


def login(house: DeskedHouse, name: str, **fields: object) -> DeskClient:
    """Return a client who has logged in."""
    client = house.connect()
    assert call(client, "user.login", nickname=name, **fields)["response"] == "user.login"
    return client


def token_of(client: DeskClient) -> str:
    """Return the token of the client's user."""
    user = client.conversation.user  # type: ignore[attr-defined]
    assert isinstance(user.token, str)
    return user.token


def gather(house: DeskedHouse, names: Iterable[str], profile: str, **room: object) -> list[DeskClient]:
    """Return clients called *names* in a new room, its owner first."""
    clients = [login(house, name, profile=profile) for name in names]
    made = call(clients[0], "lobby.room.create", **room)
    assert "room" in made, made
    for client in clients[1:]:
        assert "room" in call(client, "lobby.room.join", room_id=made["room"]["id"])
    return clients


def start(clients: list[DeskClient]) -> None:
    """Start the room of *clients*: everybody is ready. What comes then is still to be read."""
    for client in clients[1:]:
        client.take()
    assert call(clients[0], "lobby.game.start") == {"response": "lobby.game.start"}
    for client in clients[1:]:
        state = next(frame["state"] for frame in client.read() if "state" in frame)
        client.send({"command": "lobby.player.ready", "state": state})


def check_one_answer(message: bytes, outputs: list[Output]) -> None:
    """Check that *message* got one answer, or made one request that gets one when it has been done."""
    if not message.strip():
        assert outputs == []
        return
    own = [output for output in outputs if not isinstance(output, Via | Here | Hang)]
    for output in own:
        if isinstance(output, Send):
            frame = msgspec.json.decode(output.frame, type=dict[str, object])
            assert ("response" in frame) != ("error" in frame), frame
        else:
            assert isinstance(output, ANSWERED), output
    sends = [output for output in own if isinstance(output, Send)]
    assert len(sends) == 1 or (not sends and len(own) == 1), outputs
