"""Tables with the real shell recover from failing disks, bugs and failing peers."""

from __future__ import annotations

import pytest

from croupier.games.hearts.tests.programs import Program, four, play_on, setup, table
from croupier.testing.house import VirtualTable
from croupier.wire.house import HouseConversation
from croupier.wire.talk import Disconnect

PATIENT = {"pass_cards_timeout": 60_000, "pick_card_timeout": 60_000, "expose_cards_timeout": 60_000}
ONE_DEAL = {"match_games": 1, "deals": 1}


def come_back(wired: VirtualTable, names: list[str]) -> list[Program]:
    """Let all players join the table that has been rebuilt."""
    wired.table = wired.all_tables.shells[wired.table.id].table
    return [Program(wired, name, number) for number, name in enumerate(names, 1)]


@pytest.mark.parametrize("after", range(4))
def test_what_a_failing_disk_did_not_store_was_not_told_and_the_match_continues(after: int) -> None:
    wired, programs = table(ONE_DEAL, PATIENT)
    wired.may_break = True
    wired.store.fail_append(wired.table.id, after)
    for program in programs:
        program.answer()
    assert len(wired.store.failed) == 1
    assert [program.client.disconnected for program in programs] == [
        Disconnect(1011, "this table failed and is being rebuilt: connect again")
    ] * 4
    wired.advance(2.0)
    back = come_back(wired, ["ann", "bob", "cyd", "dan"])
    assert sum(program.asked is not None for program in back) == 4 - after, (
        "a player whose answer was stored is not asked again"
    )
    play_on(back)
    assert wired.all_tables.shells[wired.table.id].table.phase == "gathering"
    assert not wired.all_tables.broken


def test_nothing_is_told_while_the_disk_stalls_and_no_answer_is_late_because_of_it() -> None:
    wired, programs = table(ONE_DEAL, {"pass_cards_timeout": 3000})
    before = [len(program.frames) for program in programs]
    wired.store.hold()
    for program in programs:
        program.answer()
    wired.advance(60.0)
    assert [len(program.frames) for program in programs] == before
    wired.call(wired.store.release)
    assert all("pass_cards_end" in program.events for program in programs)
    assert [place.timeouts for place in wired.table.places] == [0, 0, 0, 0]


def test_a_table_with_an_error_is_rebuilt_and_the_others_continue(monkeypatch: pytest.MonkeyPatch) -> None:
    wired, programs = table(ONE_DEAL, PATIENT)
    wired.may_break = True

    def bug() -> float:
        raise ZeroDivisionError("simulated bug")

    monkeypatch.setattr(wired.table.pace, "warning", bug)
    programs[0].answer()
    assert programs[1].client.disconnected is not None
    assert programs[1].client.disconnected.code == 1011
    wired.advance(2.0)
    back = come_back(wired, ["ann", "bob", "cyd", "dan"])
    play_on(back)
    assert wired.all_tables.shells[wired.table.id].table.phase == "gathering"


def test_a_peer_that_never_reads_is_disconnected_and_delays_no_other() -> None:
    wired = VirtualTable(setup({"deals": 4, "match_games": 1}, PATIENT))
    programs = four(wired)
    watcher = wired.connect(HouseConversation)
    watcher.reads = False
    watcher.send({"type": "watch", "views": "all"})
    play_on(programs)
    assert watcher.disconnected == Disconnect(
        4002, f"more than {HouseConversation(wired.table).outbox_limit} bytes wait unread"
    )
    assert wired.table.phase == "gathering"
