"""The author of an action is told of it first: people at once, programs after the documented interval."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.games.hearts.wire import HeartsConversation
from croupier.testing.house import Client, VirtualTable
from croupier.wire.house import HouseConversation
from tests.wire.test_house import Frame, answer, question, table

PAUSE = 0.5
RULES = {"pass_sequence": ["none"], "expose": False}


def at_play(**how: Any) -> tuple[VirtualTable, list[Client], int]:
    """Return a table of four with pauses, its players, and the seat that leads the first trick."""
    wired = table(rules=RULES, table_options={"command_interval": 500, "round_interval": 2000})
    clients = [wired.connect(HouseConversation) for _ in range(4)]
    for seat, client in enumerate(clients):
        client.send({"type": "join", "name": f"p{seat}", "token": f"token {seat}", "seat": seat, **how})
    wired.advance(5.0)
    for client in clients:
        client.read()
    return wired, clients, leader(wired)


def leader(wired: VirtualTable) -> int:
    return next(seat for seat in range(4) if wired.table.asked(seat) is not None)


def played(client: Client) -> list[Frame]:
    """Return the cards that *client* has been told of since the last call."""
    return [
        frame for frame in client.read() if frame["type"] == "event" and frame["event"]["kind"] == "played"
    ]


def events(client: Client) -> list[str]:
    """Return the kinds of the events that *client* has been told since the last call."""
    return [frame["event"]["kind"] for frame in client.read() if frame["type"] == "event"]


def numbers(client: Client) -> list[int]:
    frames: list[Frame] = [msgspec.json.decode(frame) for frame in client.frames]
    return [frame["number"] for frame in frames if frame["type"] == "event"]


def test_a_persons_card_is_told_to_them_at_once_and_to_the_others_after_the_pause() -> None:
    wired, clients, seat = at_play(person=True)
    own = clients[seat]
    others = [client for client in clients if client is not own]
    watcher = wired.connect(HouseConversation)
    watcher.read()
    answer(own, question(own))
    assert [frame["event"]["seat"] for frame in played(own)] == [seat]
    wired.advance(PAUSE - 0.01)
    assert [played(client) for client in [*others, watcher]] == [[], [], [], []]
    assert all(wired.table.asked(other) is None for other in range(4)), (
        "the next question waits until all have been told"
    )
    wired.advance(0.01)
    assert [len(played(client)) for client in [*others, watcher]] == [1, 1, 1, 1]
    assert played(own) == [], "once"
    assert wired.table.asked((seat + 1) % 4) is not None


def test_the_consequences_of_a_card_are_told_to_all_at_the_same_time() -> None:
    wired, clients, seat = at_play(person=True)
    for turn in range(4):
        client = clients[(seat + turn) % 4]
        answer(client, question(client))
        wired.advance(PAUSE)
    assert [events(client)[-2:] for client in clients] == [["played", "round_ended"]] * 4
    wired.advance(PAUSE + 2.0 - 0.01)
    assert [events(client) for client in clients] == [[]] * 4, "the trick stays visible"
    wired.advance(0.01)
    assert [events(client) for client in clients] == [["round_started"]] * 4


@pytest.mark.parametrize("between", [False, True])
def test_numbers_are_consecutive_and_a_returning_player_gets_every_event(between: bool) -> None:
    wired, clients, seat = at_play(person=True)
    for _ in range(6):
        seat = leader(wired)
        before = [wired.table.number(other) for other in range(4)]
        answer(clients[seat], question(clients[seat]))
        if not between:
            wired.advance(PAUSE)
        for other in (seat, (seat + 1) % 4):  # the newest connection gets the seat
            back = wired.connect(HouseConversation)
            back.read()
            message = {"type": "join", "name": f"p{other}", "token": f"token {other}", "person": True}
            back.send({**message, "last": before[other]})
            clients[other] = back
        wired.advance(5.0)
        for other in (seat, (seat + 1) % 4):
            found = numbers(clients[other])
            assert found == list(range(before[other] + 1, before[other] + 1 + len(found)))
            assert found[-1] == wired.table.number(other)
    for client in clients:
        found = numbers(client)
        assert found == list(range(found[0], found[0] + len(found)))


def test_a_program_keeps_the_documented_interval_for_its_own_card() -> None:
    wired = table(rules=RULES, table_options={"command_interval": 500, "round_interval": 2000})
    programs = [wired.connect(HeartsConversation) for _ in range(4)]
    for number, program in enumerate(programs, 1):
        data = {"playerName": f"p{number}", "playerNumber": number, "token": "t"}
        program.send({"eventName": "join", "data": data})
    wired.advance(5.0)
    own = programs[leader(wired)]
    request = own.read()[-1]
    assert request["eventName"] == "your_turn"
    data = request["data"]
    card = data["self"]["candidateCards"][0]
    reply = {"dealNumber": data["dealNumber"], "roundNumber": data["roundNumber"], "turnCard": card}
    own.send({"eventName": "pick_card", "data": reply})
    wired.advance(PAUSE - 0.01)
    assert own.read() == []
    wired.advance(0.01)
    for program in programs:
        assert "turn_end" in [frame["eventName"] for frame in program.read()]
