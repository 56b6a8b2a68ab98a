"""Section D of the specification over the protocol itself: all 264 messages, each in its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from croupier.games.tarock.tests.rooms import at_table, new_house
from croupier.games.tarock.wire import TarockConversation
from croupier.testing.house import Client

LINES = [
    line
    for line in (Path(__file__).parent / "transcripts" / "deal.txt").read_text().splitlines()
    if not line.startswith("#")
]
OURS = ("seq", "time_ms", "options")
"""Members that the specification omits in its transcript."""


def game_frames(client: Client) -> list[dict[str, Any]]:
    """Return the unread messages except those of the lobby."""
    return [
        frame
        for frame in client.read()
        if not str(frame.get("event", frame.get("response"))).startswith("lobby.")
    ]


def spoken(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message without the members whose words are not specified."""
    if "error" in message:
        assert message["error_description"]
        return {**message, "error_description": ""}
    return {name: value for name, value in message.items() if name not in OURS}


def reduced(message: dict[str, Any]) -> dict[str, Any] | None:
    """Return a message as a client with the profile seed gets it, None if it does not."""
    if "error" in message:
        return {name: value for name, value in message.items() if name != "command"}
    if "response" in message:
        return message
    if message["event"] not in TarockConversation.SEED_EVENTS:
        return None
    known = TarockConversation.SEED_EVENTS[message["event"]]
    assert known is not None
    return {name: value for name, value in message.items() if name in known or name == "event"}


@pytest.mark.parametrize("profile", ["full", "seed"])
def test_the_transcript_for_every_client(profile: str) -> None:
    house = new_house()
    clients = at_table(house, profile=profile)
    queues = [[spoken(frame) for frame in game_frames(client)] for client in clients]
    for number, line in enumerate(LINES, 1):
        who, text = line.split(" ", 1)
        message = json.loads(text)
        if who.endswith(">"):
            clients[int(who[0])].send(text)
            for queue, client in zip(queues, clients, strict=True):
                queue += [spoken(frame) for frame in game_frames(client)]
            continue
        wanted: dict[str, Any] | None = spoken(message)
        if profile == "seed":
            wanted = reduced(spoken(message))
            if wanted is None:
                continue
        for seat in [0, 1, 2, 3] if who == "*<" else [int(digit) for digit in who[:-1]]:
            found = queues[seat].pop(0)
            assert found == wanted, f"message {number}, seat {seat}"
            assert list(found) == list(wanted), f"message {number}, seat {seat}: the order of its fields"
    assert len(LINES) == 264
    assert queues == [[], [], [], []]


def test_every_event_is_numbered_for_its_receiver() -> None:
    house = new_house()
    clients = at_table(house)
    for line in LINES:
        who, text = line.split(" ", 1)
        if who.endswith(">"):
            clients[int(who[0])].send(text)
    for client in clients:
        numbers = [frame["seq"] for frame in map(json.loads, client.frames) if "seq" in frame]
        assert len(numbers) > 50
        assert numbers == list(range(1, len(numbers) + 1))
