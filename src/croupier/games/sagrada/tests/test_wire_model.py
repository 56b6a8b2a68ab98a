"""Whole games of strict clients of the seed: they get only lines they know, and only replies in a turn."""

from __future__ import annotations

import pytest

from croupier.games.sagrada.tests.strict import Strict
from croupier.games.sagrada.tests.wiring import new_house
from croupier.testing.house import Client, VirtualHouse

TRIOS = [[1, 5, 9], [2, 6, 10], [3, 7, 11], [4, 8, 12]]


def play(house: VirtualHouse, players: list[Strict], way: str = "frames") -> None:
    """Play until everyone has the result."""
    talks = [(player, house.connect(line=way == "line")) for player in players]
    for _ in range(100_000):
        busy = False
        for player, client in talks:
            for line in client.take():
                for sent in player.hear(line):
                    busy = True
                    _send(client, sent, way)
        if all(player.result for player in players):
            return
        if not busy:
            house.advance(0.05)
    raise AssertionError(f"no end: {[(player.nick, player._asked) for player in players]}")


def _send(client: Client, line: str, way: str) -> None:
    if way == "frames":
        client.send(line)
    elif way == "line":
        client.feed(line.replace("\t", " ").encode() + b"\r\n")
    else:
        client.feed(line.encode() + b"\r")


@pytest.mark.parametrize(("seats", "way"), [(2, "seed"), (3, "line"), (4, "frames")])
def test_strict_clients_finish_games_with_every_tool(seats: int, way: str) -> None:
    used: set[int] = set()
    for number, trio in enumerate(TRIOS):
        rules = {"players_max": seats, "players_min": seats, "turn_time": 600, "deal": {"tools": trio}}
        house = new_house(rules, f"{seats} {number}")
        players = [Strict(f"p{seat}", f"{seats} {number}") for seat in range(seats)]
        play(house, players, way)
        assert len({player.result for player in players}) == 1
        assert players[0].result.count("\t") == 2 * seats - 1
        for player in players:
            assert player.replies > 20, "the player has hardly played"
            used |= player.used
    assert used == set(range(1, 13))
