"""After a restart every audience knows what it was told before, although events are only counted."""

from __future__ import annotations

import asyncio

import pytest

from croupier.core.contract import WATCHER, Event, View
from croupier.games import game, names
from croupier.store.memory import MemoryStore
from croupier.table import journal
from croupier.table.setup import setup_of
from croupier.table.table import Table
from croupier.table.tables import Tables, clock_text, entropy_of
from croupier.testing import clock
from croupier.testing.tables import several_deals
from croupier.wire.table_spec import TableSpec


def played(name: str) -> tuple[TableSpec, list[journal.AnyEntry]]:
    """Return a table of bots and its journal up to the middle of a later deal."""
    rules = game(name)
    spec = TableSpec(["bot random"] * rules.seats[-1], options=several_deals(rules), seed="1", start=True)

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


def told(name: str, spec: TableSpec, entries: list[journal.AnyEntry]) -> tuple[list[View], list[list[Event]]]:
    """Return the views of the seats and the watchers, made of the events that each was told, and these."""
    rules = game(name)
    seats = len(spec.seats)
    state = rules.new(rules.options.read(spec.options), seats)
    views = [state.view(seat) for seat in (*range(seats), WATCHER)]
    heard: list[list[Event]] = [[] for _ in views]
    for entry in entries:
        state.events = []
        if isinstance(entry, journal.Drew):
            state.apply_draw([rules.parse_draw(item) for item in entry.items])
        elif isinstance(entry, journal.Acted):
            for action in entry.actions:
                state.apply(entry.seat, rules.actions.parse(action))
        for event in state.events:
            for view, mine in zip(views, heard, strict=True):
                if event.heard_by(view.seat):
                    view.hear(event)
                    mine.append(event)
    return views, heard


def missed(made: Table, seat: int, last: int) -> list[tuple[int, object]] | None:
    found = made.missed(seat, last)
    return None if found is None else [(number, told.event.plain()) for number, told in found]


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_views_numbers_and_missed_events(name: str) -> None:
    spec, entries = played(name)
    for end in range(len(entries) - 5, len(entries) + 1):
        made = restored(name, spec, entries[:end])
        for view, heard in zip(*told(name, spec, entries[:end]), strict=True):
            found = made.view(view.seat)
            assert found.facts() == view.facts()
            assert (found.to_act, found.legal) == (0, [])
            number = made.number(view.seat)
            assert number == len(heard)
            deal = max(n for n, event in enumerate(heard) if event.starts_deal)
            last = [(n + 1, event.plain()) for n, event in enumerate(heard)][deal:]
            for first in range(number - len(last), number):
                assert missed(made, view.seat, first) == last[first - number :]
            assert missed(made, view.seat, deal - 1) is None
