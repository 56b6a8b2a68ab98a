"""The checks of G12 that are not about identity: given cards, open hands and private tables, in every game.

Given cards are announced before a player sits down, and no lobby seats strangers at such a table. Watchers
never see the hands of a table with a person at it. A private table is in no list, and no lobby seats
strangers there.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

import msgspec
from aiohttp.test_utils import make_mocked_request

from chaos.outcome import Problems
from chaos.virtual import HOUSE, NO_PAUSES, OWN, Room
from croupier.games import has_lobby, names
from croupier.net.table_list import TableFeed, page, row

ROUNDS: Final = 40
OPEN: Final = '"open":'
"""The member of a view with the hands of all seats."""
MATCHED: Final = ("coinche", "sagrada")
"""The games whose lobbies seat players at tables that they have not chosen."""

Check = Callable[[str, Random], str]
"""Returns the fault found in a game, or an empty text."""


def check_all(seed: int) -> tuple[int, Problems]:
    """Return how many tables were checked, and the faults found."""
    problems = Problems()
    tables = 0
    for name in names():
        for check in (given, hidden, shown, private):
            tables += 1
            if words := check(name, Random(f"notices {seed} {name}")):
                problems.add(f"{name}: {words}")
    return tables, problems


def given(name: str, chance: Random) -> str:
    """Open a table whose cards can be known, and let strangers visit it."""
    room = Room(name, HOUSE, chance, special={"seed": "known"})
    visitor = room.visit()
    assert visitor is not None
    told = [msgspec.json.decode(frame) for frame in visitor.take()]
    [about] = [message for message in told if message["type"] == "table"]
    tables = room.house.all_tables
    if not about["fixed_deal"] or about["next_deal"] is not None:
        return "a visitor is not told that the cards were given"
    if not row(tables, tables.shells[room.id]).fixed_deal:
        return "the list of tables does not show that the cards were given"
    return _strangers(room, chance)


def hidden(name: str, chance: Random) -> str:
    """Watch a table with `watch_open` at which a person plays."""
    seats = 2 if name == "sagrada" else 4
    return "watchers see the hand of a person" if OPEN in _watched(name, chance, seats - 1) else ""


def shown(name: str, chance: Random) -> str:
    """Watch the same table with bots only: here hands are shown, which proves that the check above can see
    them.
    """
    seats = 2 if name == "sagrada" else 4
    return "" if OPEN in _watched(name, chance, seats) else "watchers do not see the open hands of bots"


def private(name: str, chance: Random) -> str:
    """Open a private table, request lists, and let strangers try to get in."""
    room = Room(name, HOUSE, chance, special={"private": True, "invitation": "secret"})
    request = make_mocked_request("GET", "/api/tables")
    if any(one.id == room.id for one in page(TableFeed(room.house.all_tables), request)):
        return "a private table is in the list of tables"
    return _strangers(room, chance)


def _watched(name: str, chance: Random, bots: int) -> str:
    """Play for a while at a table with `watch_open`; return everything that a watcher was told."""
    seats = 2 if name == "sagrada" else 4
    special = {"watch_open": True}
    room = Room(name, HOUSE, chance, table_options=NO_PAUSES[name], seats=seats, bots=bots, special=special)
    watcher = room.visit()
    assert watcher is not None
    told = ""
    for chair in room.chairs:
        chair.client = room.visit()
        assert chair.client is not None
        chair.client.send(*(hello.replace("{", '{"person":true,', 1) for hello in chair.player.hello()))
    watcher.take()  # frames from before the person came
    watcher.send({"type": "watch", "views": "all"})
    for _ in range(ROUNDS):
        room.house.advance(1.0)
        told += "".join(watcher.take())
        for chair in room.chairs:
            chair.listen()
            if chair.client is not None:
                chair.client.send(*chair.player.answer())
    return told


def _strangers(room: Room, chance: Random) -> str:
    """Let players enter the lobby of the game's own protocol; none may be seated at the table of *room*."""
    if not has_lobby(room.name) or room.name not in MATCHED:
        return ""
    lobby = Room(room.name, OWN, chance, house=room.house)
    lobby.begin()
    table = room.house.all_tables.shells[room.id].table
    seated = [place.name for place in table.places if place.name]
    if not any(chair.client and chair.client.conversation.seat >= 0 for chair in lobby.chairs):
        return "the lobby seats nobody anywhere"
    return f"the lobby seats strangers at this table: {seated}" if seated else ""
