"""A player among bots takes a decision back: what is told, stored, restored and recorded."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.bots.strengths import filler
from croupier.core import record
from croupier.games import game as find_game
from croupier.games import names
from croupier.table import journal
from croupier.table.setup import setup_of
from croupier.wire import talk
from croupier.wire.table_spec import TableSpec
from tests.table.recorded import Recorded, refused, seated

UNDO = talk.Undo("x")


def alone(name: str, seed: str | None = "5", **how: Any) -> Recorded:
    """Return a table of the game *name* at which ann plays with bots."""
    game = find_game(name)
    seats = ["person", *[f"bot {filler(game)}"] * (game.seats[-1] - 1)]
    found = Recorded(setup_of("t1", game, TableSpec(seats, seed=seed, **how)))
    found.join("ann", 0, person=True)
    return found


def until_asked(full: Recorded) -> None:
    """Wait for a question to ann."""
    for _ in range(200):
        if full.table.asked(0) is not None:
            return
        full.advance(1.0)
    raise AssertionError("ann is not asked")


def answer(full: Recorded) -> tuple[object, ...]:
    """Answer the next question to ann and return what she saw before."""
    until_asked(full)
    before = seen(full)
    full.act(0, full.table.game.actions.name(full.table.view(0).legal[0]))
    return before


def seen(full: Recorded) -> tuple[object, ...]:
    """Return what ann knows and what she is asked."""
    view = full.table.view(0)
    return view.facts(), sorted(view.legal), full.table.asked(0)


@pytest.mark.parametrize("name", names())
def test_the_question_returns_as_it_was_also_after_a_restart(name: str) -> None:
    full = alone(name)
    first = answer(full)
    second = answer(full)
    assert full.ask("ann", UNDO) == [talk.Accepted("x")]
    until_asked(full)
    assert seen(full)[:2] == second[:2]
    full.restart()
    full.join("ann", 0, person=True)
    until_asked(full)
    assert seen(full)[:2] == second[:2]
    assert full.ask("ann", UNDO) == [talk.Accepted("x")], "a restart keeps what can be taken back"
    until_asked(full)
    assert seen(full)[:2] == first[:2]
    assert refused(full.ask("ann", UNDO)) == "nothing_to_undo"


def test_the_aborted_match_and_its_continuation_are_stored() -> None:
    full = alone("hearts", options={"deals": 1, "match_games": 1}, seed=None)
    for _ in range(8):
        answer(full)
    drawn = [entry for entry in full.journal if isinstance(entry, journal.Drew)]
    full.ask("ann", UNDO)
    first, second = (entry for entry in full.journal if isinstance(entry, journal.Began))
    assert (first.undid, second.undid) == ("", "t1-1")
    [ended] = [entry for entry in full.journal if isinstance(entry, journal.Ended)]
    assert (ended.match, ended.reason, ended.scores) == ("t1-1", "taken back", None)
    again = full.journal[full.journal.index(second) :]
    assert [entry for entry in again if isinstance(entry, journal.Drew)] == drawn, "the same cards"

    while full.table.phase == talk.PLAYING:
        if full.table.asked(0) is not None:
            answer(full)
        else:
            full.advance(1.0)
    again = full.journal[full.journal.index(second) :]
    written = journal.record_of(full.table.game, full.table.rules_options, None, again)
    assert written.given, "the player knew what came next, so it does not prove luck"
    read = record.read(record.write(written))
    assert record.replay(read, full.table.game).over()
    assert {finding.kind for finding in record.verify(read, full.table.game)} == {"given"}


def test_nothing_of_the_time_after_the_decision_is_known_again() -> None:
    full = alone("hearts")
    answer(full)
    until_asked(full)
    numbers = full.table.number(0)
    full.ask("ann", UNDO)
    assert full.table.missed(0, numbers) is None or full.table.number(0) > numbers, "a client gets a view"
    assert any(isinstance(note, talk.Resumed) for _, note in full.told(0))
    state = full.table.state
    assert state is not None
    assert full.table.view(0).facts() == state.view(0).facts()


def test_who_may_not_take_back() -> None:
    company = seated("open open dummy dummy")
    assert refused(company.ask("ann", UNDO)) == "no_undo"
    assert refused(alone("hearts", single=True).ask("ann", UNDO)) == "no_undo"
    assert refused(alone("hearts", watch_delay=30).ask("ann", UNDO)) == "no_undo"
    full = alone("hearts")
    assert refused(full.ask("ann", UNDO)) == "nothing_to_undo"
    assert refused(full.ask("eve", UNDO)) == "not_joined"


def test_a_revealed_deal_is_not_taken_back() -> None:
    full = alone("hearts", options={"deals": 2, "match_games": 1}, seed=None)
    deals = 0
    while deals < 2:
        answer(full)
        until_asked(full)
        deals = sum(isinstance(entry, journal.Committed) for entry in full.journal)
    assert refused(full.ask("ann", UNDO)) == "nothing_to_undo"
