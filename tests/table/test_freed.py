"""Closed tables are freed at once, without the cycle collector."""

from __future__ import annotations

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
from tests.alive import alive, no_collector


@pytest.fixture(autouse=True)
def without_collector() -> Iterator[None]:
    with no_collector():
        yield


def parts() -> Counter[str]:
    """Return the number of live objects of each part of a table."""
    return alive(Table, Shell, Connection, Conversation)


def leave(house: House) -> None:
    for client in list(house.clients):
        client.drop()


@pytest.mark.slow
def test_a_table_and_its_connections() -> None:
    before = parts()
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
    assert parts() - before == Counter(), "no object of this test is left"


def test_a_table_that_closes_with_players() -> None:
    before = parts()
    wired, programs = hearts.table()
    watcher = wired.connect(HeartsWatch)
    hearts.play_on(programs, "new_round")
    wired.close("enough")
    assert watcher.disconnected is not None
    del watcher, programs
    forget(wired)
    assert parts() - before == Counter()


def forget(wired: VirtualTable) -> None:
    """Remove the harness's references to its table."""
    leave(wired)
    wired.settle()
    del wired.table
