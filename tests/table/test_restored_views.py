"""After a restart every audience knows what it was told before, although past deals are only counted."""

from __future__ import annotations

import asyncio

import pytest

from croupier.core.contract import WATCHER
from croupier.games import game, names
from croupier.store.memory import MemoryStore
from croupier.table import journal, table
from croupier.table.setup import setup_of
from croupier.table.table import Table
from croupier.table.tables import Tables, clock_text, entropy_of
from croupier.testing import clock
from croupier.wire.table_spec import TableSpec

MATCHES = {
    "hearts": {"deals": 4, "match_games": 1},
    "tarock": {"deals": 3},
    "coinche": {"target": 1000},
    "taroky": {"hands": 4},
    "sagrada": {},
}


def played(name: str) -> tuple[TableSpec, list[journal.AnyEntry]]:
    """Return a table of bots and its journal up to the middle of a later deal."""
    rules = game(name)
    spec = TableSpec(["bot random"] * rules.seats[-1], options=MATCHES[name], seed="1", start=True)

    async def play() -> list[str]:
        store = MemoryStore()
        tables = Tables(store)
        shell = await tables.open(rules, spec)
        for _ in range(3000):
            await asyncio.sleep(0.5)
            current = shell.table.current
            if current is not None and current.state.deal() == 3:
                break
        await asyncio.sleep(30.0)
        lines = await store.log(shell.table.id)
        await tables.stop("enough")
        return lines

    return spec, [journal.decode(line) for line in clock.run(play())]


def restored(name: str, spec: TableSpec, entries: list[journal.AnyEntry]) -> Table:
    made = Table(setup_of("t", game(name), spec), entropy_of("1"), clock_text)
    made.restore(entries, 100.0)
    return made


def missed(made: Table, seat: int, last: int) -> object:
    found = made.missed(seat, last)
    return found and [(number, told.event.plain(), told.auto) for number, told in found]


@pytest.mark.parametrize("name", names())
def test_views_numbers_and_missed_events(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec, entries = played(name)
    for end in range(len(entries) - 5, len(entries) + 1):
        quick = restored(name, spec, entries[:end])
        with monkeypatch.context() as patch:
            patch.setattr(table, "_past_deals", lambda entries: 0)
            whole = restored(name, spec, entries[:end])
        for seat in (*range(len(whole.places)), WATCHER):
            expected, found = whole._feed.audience(seat), quick._feed.audience(seat)
            assert expected is not None
            assert found is not None
            assert found.view.facts() == expected.view.facts()
            assert (found.view.to_act, found.view.legal) == (expected.view.to_act, expected.view.legal)
            assert found.number == expected.number
            for last in range(expected.number - 5, expected.number + 1):
                assert missed(quick, seat, last) == missed(whole, seat, last)
        assert quick.places == whole.places
    if name != "sagrada":  # it has one deal
        assert table._past_deals(entries) > 20
