"""A match that begins in the middle of a deal: told as a view, stored like any other match."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from croupier.core.options import BadOptions, Value
from croupier.games.taroky import GAME
from croupier.games.taroky.exchange import match_options, to_opening
from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A
from croupier.store.memory import MemoryStore
from croupier.table import journal
from croupier.table.setup import setup_of
from croupier.table.tables import Tables
from croupier.testing import clock
from croupier.wire.table_spec import TableSpec
from tests.table.peers import Connection, back, settled

SLOW: dict[str, Value] = {"card_pause": 60_000, "trick_pause": 60_000, "secret_pause": 60_000}
AFTER_TWO_TRICKS = GAME_A.partition("/H2HKH4T061/")[0] + "/"


def opened() -> TableSpec:
    """Return a table for three bots and a person on seat 1, who leads the third trick."""
    notation = parse(AFTER_TWO_TRICKS)
    return TableSpec(
        seats=("bot default", "person", "bot default", "bot default"),
        options=GAME.options.changed(match_options(notation)),
        table_options=SLOW,
        opening=to_opening(notation),
    )


def test_the_position_is_told_at_once_as_a_view_without_events() -> None:
    async def test() -> None:
        tables = Tables(MemoryStore())
        shell = await tables.open(GAME, opened())
        person = Connection(shell)
        watcher = Connection(shell)
        await settled()
        assert shell.table.match == 0, "a seat is free"
        person.join("bea", 1, person=True)
        await settled()
        assert person.of("event") == []
        view = person.of("view")[-1]["view"]
        assert (len(view["tricks"]), len(view["hand"])) == (2, 10)
        assert watcher.of("view")[-1]["view"]["hand"] == []
        [asked] = person.of("ask")
        assert len(asked["legal"]) == 10
        person.say({"type": "act", "turn": asked["turn"], "actions": ["card H2"], "id": 1})
        await settled()
        assert person.of("accepted")
        assert [event["event"]["card"] for event in person.of("event")] == ["H2"], "their own card, at once"
        assert watcher.of("event") == [], "the next card comes after its usual pause"
        await asyncio.sleep(60.1)
        assert watcher.of("event")[0]["event"]["card"] == "H2"
        assert len(person.of("event")) == len(watcher.of("event"))

    clock.run(test())


def test_it_is_restored_after_a_restart_before_and_during_the_match() -> None:
    async def test() -> None:
        store = MemoryStore()
        tables = Tables(store)
        id = (await tables.open(GAME, opened())).table.id
        await settled()
        await tables.stop("gone")
        for began in (0, 1):
            tables = Tables(store)
            await tables.recover()
            shell = await back(tables, id)
            assert shell.table.match == began
            person = Connection(shell)
            person.join("bea", 1, person=True)
            await settled()
            assert len(person.of("view")[-1]["view"]["tricks"]) == 2
            assert len(person.of("ask")) == 1
            await tables.stop("gone")
        kinds = [journal.decode(line).__class__ for line in await store.log(id)]
        assert kinds.count(journal.Began) == kinds.count(journal.Drew) == 1

    clock.run(test())


def test_the_next_match_at_that_table_has_a_new_deal() -> None:
    async def test() -> None:
        config = msgspec.structs.replace(
            opened(),
            seats=["bot default"] * 4,
            table_options={"card_pause": 0, "trick_pause": 0, "secret_pause": 0, "deal_pause": 100_000},
            auto_cycle=True,
        )
        tables = Tables(MemoryStore())
        shell = await tables.open(GAME, config)
        await asyncio.sleep(250.0)  # the last settlement, and one rest
        entries = [journal.decode(line) for line in await tables.store.log(shell.table.id)]
        draws = [entry.items for entry in entries if isinstance(entry, journal.Drew)]
        commits = [entry for entry in entries if isinstance(entry, journal.Committed)]
        assert len(draws) == 2
        assert draws[0] != draws[1]
        assert len(commits) == 1, "there is no commitment for cards that were given"

    clock.run(test())


def test_an_opening_contains_only_draws_and_actions() -> None:
    for line, words in (
        (journal.encode(journal.Rested()), "expected a draw or an action"),
        ("result 1 2 3 4", "expected a draw or an action"),
        ("nonsense", "option opening: found 'nonsense'"),
    ):
        with pytest.raises(BadOptions, match=words):
            setup_of("t", GAME, msgspec.structs.replace(opened(), opening=[line]))


def test_an_opening_is_read_from_the_store_in_both_forms() -> None:
    spec = opened()
    entries = setup_of("t", GAME, spec).opening
    lines = msgspec.structs.replace(spec, opening=[journal.encode(entry) for entry in entries])
    for stored in (spec, lines):  # version 0.1 stored lines
        read = msgspec.json.decode(msgspec.json.encode(stored), type=TableSpec)
        assert setup_of("t", GAME, read).opening == entries
