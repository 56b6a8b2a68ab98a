"""The end of a seat's secret turn is told with its own answer, in every game that asks in secret."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from croupier.core.contract import WATCHER
from croupier.games import game as find_game
from croupier.table.match import goes_on
from croupier.table.setup import setup_of
from croupier.testing.house import Client, VirtualTable
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec

MOST = 400
"""Answers per match: the secret phases of several deals."""


def seated(name: str, seed: str) -> tuple[VirtualTable, list[Client]]:
    game = find_game(name)
    wired = VirtualTable(setup_of("t", game, TableSpec(["open"] * game.seats[-1], seed=seed)))
    clients = [wired.connect(HouseConversation) for _ in range(game.seats[-1])]
    for seat, client in enumerate(clients):
        client.send({"type": "join", "name": f"player {seat}", "seat": seat, "person": True})
    return wired, clients


def play(name: str, seed: str) -> int:
    """Play a part of a match with random answers; return how many of them were secret."""
    wired, clients = seated(name, seed)
    rng = Random(seed)
    secret = 0
    for _ in range(MOST):
        asked = [seat for seat in range(len(clients)) if wired.table.asked(seat) is not None]
        state = wired.table.state
        if state is None or not asked:
            wired.advance(1.0)
            continue
        seat = rng.choice(asked)
        action = rng.choice(wired.table.view(seat).legal)
        public = state.to_act_for(WATCHER) >> seat & 1 == 1
        after = state.clone()
        after.apply(seat, action)
        answered = not goes_on(after, seat, state.question(seat))
        frames = send(clients[seat], wired, seat, action)
        if not public and answered:
            secret += 1
            assert [frame["type"] for frame in frames[:2]] == ["accepted", "turn"], (name, seed)
            assert seat not in frames[1]["seats"]
    return secret


def send(client: Client, wired: VirtualTable, seat: int, action: int) -> list[dict[str, Any]]:
    """Answer, and return what the client is sent at once."""
    question = wired.table.asked(seat)
    assert question is not None
    client.read()
    client.send({"type": "act", "turn": question.turn, "actions": [wired.table.game.actions.name(action)]})
    return client.read()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hearts", "taroky"])
def test_a_secret_turn_ends_with_its_own_answer(name: str) -> None:
    assert sum(play(name, f"{name} {number}") for number in range(3)) >= 5
