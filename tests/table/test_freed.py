"""Closed tables are freed at once, without the cycle collector."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator

import pytest

from croupier.games.coinche.tests import clients as coinche
from croupier.games.hearts.tests import programs as hearts
from croupier.games.hearts.wire import HeartsWatch
from croupier.net.connection import Connection
from croupier.table.shell import Shell
from croupier.table.table import Table
from croupier.testing.house import Client, House, VirtualTable
from croupier.wire.house import HouseConversation
from croupier.wire.talk import Conversation


@pytest.fixture(autouse=True)
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive() -> Counter[str]:
    """Return the number of live objects of each part of a table."""
    kinds = (Table, Shell, Connection, Conversation)
    return Counter(kind.__name__ for one in gc.get_objects() for kind in kinds if issubclass(type(one), kind))


def leave(house: House) -> None:
    for client in list(house.clients):
        client.drop()


def test_a_table_and_its_connections() -> None:
    before = alive()
    house = coinche.house()
    for _ in range(3):
        table = coinche.table(house, bid_seconds=1, play_seconds=1)
        watchers = [house.visit(table.id, HouseConversation) for _ in range(2)]
        watchers[0].send({"type": "watch"})
        players: list[Client] = coinche.four(house)
        coinche.taken(players)
        house.advance(30.0)
        assert len(house.journal(table.id)) > 20
        leave(house)
        house.close(table.id, "enough")
        del table, watchers, players
    assert alive() - before == Counter(), "no object of this test is left"


def test_a_table_that_closes_with_players() -> None:
    before = alive()
    wired, programs = hearts.table()
    watcher = wired.connect(HeartsWatch)
    hearts.play_on(programs, "new_round")
    wired.close("enough")
    assert watcher.disconnected is not None
    del watcher, programs
    forget(wired)
    assert alive() - before == Counter()


def forget(wired: VirtualTable) -> None:
    """Remove the harness's references to its table."""
    leave(wired)
    wired.settle()
    del wired.table
