"""The harness detects a shell that tells before it has stored, in a normal game over every protocol.

The faults are injected here; without them every scenario passes.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from croupier.games import game, names
from croupier.games.coinche.tests import clients as coinche
from croupier.games.hearts.tests import programs as hearts
from croupier.games.sagrada.tests import test_wire as sagrada
from croupier.games.sagrada.tests.wiring import new_house as sagrada_house
from croupier.games.tarock.tests import rooms as tarock
from croupier.games.taroky.tests import rooms as taroky
from croupier.store.api import StoreError
from croupier.table import shell as shells
from croupier.table.effects import Effect, Write
from croupier.table.setup import setup_of
from croupier.table.shell import Shell
from croupier.testing.house import House, VirtualTable
from croupier.testing.store import FaultyStore
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec

pytestmark = pytest.mark.skipif(
    not str(shells.__file__).endswith(".py"), reason="methods of a compiled shell cannot be replaced"
)


def coinche_table() -> House:
    house = coinche.house()
    coinche.table(house)
    coinche.four(house)
    return house


def sagrada_table() -> House:
    house = sagrada_house(sagrada.AT_ONCE)
    sagrada.two(house)
    return house


def tarock_table() -> House:
    house = tarock.new_house()
    tarock.at_table(house)
    return house


def taroky_table() -> House:
    house = taroky.new_house()
    taroky.at_table(house)
    return house


OWN: dict[str, Callable[[], House]] = {
    "hearts": lambda: hearts.table()[0],
    "coinche": coinche_table,
    "sagrada": sagrada_table,
    "tarock": tarock_table,
    "taroky": taroky_table,
}
"""Functions that let players join a table over the protocol of its game until the match begins."""


def over_house_protocol(name: str) -> House:
    """Let players join a table over the house protocol until the match begins."""
    kind = game(name)
    seats = max(kind.seats)
    wired = VirtualTable(setup_of("t1", kind, TableSpec(["open"] * seats, seed="1")))
    for seat in range(seats):
        wired.connect(HouseConversation).send(
            {"type": "join", "name": f"p{seat}", "token": "t", "seat": seat}
        )
    wired.advance(10.0)
    assert wired.table.phase == "playing"
    return wired


def tell_first(shell: Shell, effects: list[Effect]) -> bool:
    entries = [effect.entry for effect in effects if isinstance(effect, Write)]
    shell._after = []
    for effect in effects:
        if not isinstance(effect, Write):
            shell._do(effect)
    if entries:
        shell._write(entries)
    return not entries


def tell_anyway(shell: Shell, error: StoreError | None) -> None:
    shell._work()


def fail(store: FaultyStore, *_: object) -> None:
    raise StoreError("the disk is full")


@pytest.fixture(params=["told first", "told though it failed"])
def plant(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that makes every shell faulty from then on."""

    def planted() -> None:
        if request.param == "told first":
            monkeypatch.setattr(Shell, "_perform", tell_first)
        else:
            monkeypatch.setattr(Shell, "_stored", tell_anyway)
            monkeypatch.setattr(FaultyStore, "_append", fail)

    return planted


@pytest.mark.parametrize("name", names())
def test_over_the_protocol_of_the_game(name: str, plant: Callable[[], None]) -> None:
    OWN[name]()
    plant()
    with pytest.raises(AssertionError, match="sends a message after line"):
        OWN[name]()


@pytest.mark.parametrize("name", names())
def test_over_the_house_protocol(name: str, plant: Callable[[], None]) -> None:
    over_house_protocol(name)
    plant()
    with pytest.raises(AssertionError, match="sends a message after line"):
        over_house_protocol(name)
