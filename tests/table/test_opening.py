"""A match that begins in mid-deal: told as a view, stored like any other, and nobody is asked too soon."""

from __future__ import annotations

import asyncio

import pytest

from croupier.core.options import BadOptions, Value
from croupier.games.taroky import GAME
from croupier.games.taroky.exchange import match_options, to_opening
from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A
from croupier.store.memory import MemoryStore
from croupier.table import journal
from croupier.table.hall import Config, Hall, config_of, setup_of
from croupier.testing import clock
from croupier.wire.talk import Wish
from tests.table.peers import Connection, settled

SLOW: dict[str, Value] = {"card_pause": 60_000, "trick_pause": 60_000, "secret_pause": 60_000}
AFTER_TWO_TRICKS = GAME_A.partition("/H2HKH4T061/")[0] + "/"


def opened() -> Config:
    """Return a table for three bots and a person on seat 1, who leads the third trick."""
    notation = parse(AFTER_TWO_TRICKS)
    return config_of(
        Wish(
            seats=("bot default", "person", "bot default", "bot default"),
            options=GAME.options.changed(match_options(notation)),
            table_options=SLOW,
            opening=to_opening(notation),
        )
    )


def test_the_position_is_told_at_once_as_a_view_without_events() -> None:
    async def test() -> None:
        hall = Hall(MemoryStore())
        runner = await hall.open(GAME, opened())
        person = Connection(runner)
        watcher = Connection(runner)
        await settled()
        assert runner.table.match == 0, "a seat is free"
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
        assert person.of("event") == [], "the next card comes after its pause, as ever"

    clock.run(test())


def test_it_outlives_a_restart_before_and_after_it_begins() -> None:
    async def test() -> None:
        store = MemoryStore()
        hall = Hall(store)
        id = (await hall.open(GAME, opened())).table.id
        await settled()
        await hall.stop("gone")
        for began in (0, 1):
            hall = Hall(store)
            await hall.recover()
            runner = hall.runners[id]
            assert runner.table.match == began
            person = Connection(runner)
            person.join("bea", 1, person=True)
            await settled()
            assert len(person.of("view")[-1]["view"]["tricks"]) == 2
            assert len(person.of("ask")) == 1
            await hall.stop("gone")
        kinds = [journal.decode(line).__class__ for line in await store.log(id)]
        assert kinds.count(journal.Began) == kinds.count(journal.Drew) == 1

    clock.run(test())


def test_the_next_match_at_that_table_is_dealt_anew() -> None:
    async def test() -> None:
        config = opened()
        config.seats = ["bot default"] * 4
        config.table_options = {"card_pause": 0, "trick_pause": 0, "secret_pause": 0, "deal_pause": 100_000}
        config.auto_cycle = True
        hall = Hall(MemoryStore())
        runner = await hall.open(GAME, config)
        await asyncio.sleep(250.0)  # the last settlement, and one rest
        entries = [journal.decode(line) for line in await hall.store.log(runner.table.id)]
        draws = [entry.items for entry in entries if isinstance(entry, journal.Drew)]
        commits = [entry for entry in entries if isinstance(entry, journal.Committed)]
        assert len(draws) == 2
        assert draws[0] != draws[1]
        assert len(commits) == 1, "nobody could commit to cards that were given"

    clock.run(test())


def test_an_opening_holds_draws_and_actions_only() -> None:
    config = opened()
    config.opening = [journal.encode(journal.Rested())]
    with pytest.raises(BadOptions, match="expected a draw or an action"):
        setup_of("t", GAME, config)
