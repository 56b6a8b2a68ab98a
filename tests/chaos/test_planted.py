"""Every goal can fail: each of these faults is planted, and the goal finds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks import server as servers
from benchmarks.server import Running
from chaos import (
    clocks,
    endings,
    engine_restarts,
    fairness,
    hostile,
    kills,
    node_kills,
    node_pauses,
    nodes,
    real,
    reconnects,
    restart,
    rolling,
    scale,
    secrecy,
    soak,
    stalled,
)
from chaos.outcome import Outcome, Tell
from croupier.core.chance import Stream
from croupier.net import table_list
from croupier.table import questions
from croupier.table.questions import Questions
from croupier.table.table import Table
from croupier.table.tables import Tables
from croupier.wire.house import HouseConversation
from croupier.wire.identity import Identities
from croupier.wire.lobby import Lobby
from croupier.wire.talk import Frame, Note, TableInfo, Told
from tests.chaos import faulty
from tests.integration.servers import Server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not str(questions.__file__).endswith(".py"), reason="methods of compiled classes cannot be replaced"
    ),
]


def quietly(words: str) -> None:
    """Show no progress."""


def failed(outcome: Outcome) -> list[str]:
    """Return the names of the figures beyond their limits."""
    return [figure.name for figure in outcome.figures if not figure.reached]


# In virtual time.


def test_a_clock_that_never_runs_out_leaves_tables_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Questions.ask
    monkeypatch.setattr(Questions, "ask", lambda self, seat, decision, _: ask(self, seat, decision, None))
    assert "tables that did not end" in failed(endings.run(10, 1, quietly))


def test_a_frame_that_depends_on_another_hand_is_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = HouseConversation.note

    def note(self: HouseConversation, note: Note, now: float) -> Sequence[Frame]:
        frames = honest(self, note, now)
        others = [self.info.view(seat).facts() for seat in range(len(self.info.places)) if seat != self.seat]
        return [*frames, f'{{"type":"pong","id":"{sum(map(ord, str(others)))}"}}'] if frames else frames

    monkeypatch.setattr(HouseConversation, "note", note)
    outcome = secrecy.run(6, 1, quietly)
    assert "differences" in failed(outcome)
    assert any("Leak" in note for note in outcome.notes)


def test_a_list_of_tables_that_depends_on_a_hand_is_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    def hands(info: TableInfo) -> list[object]:
        return [str(info.view(seat).facts()) for seat in range(len(info.places))]

    monkeypatch.setattr(table_list, "places_of", hands)
    outcome = secrecy.run(6, 1, quietly)
    assert "differences" in failed(outcome)
    assert any("list of tables" in note for note in outcome.notes)


def test_a_figure_that_counts_secret_answers_is_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    def entries(self: Tables) -> int:
        return sum(shell.table.entries for shell in self.shells.values())

    monkeypatch.setattr(Tables, "actions", entries)
    outcome = secrecy.run(20, 1, quietly)
    assert any("figures" in note for note in outcome.notes)


def test_an_event_that_is_not_sent_again_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    missed = Table.missed

    def fewer(self: Table, seat: int, last: int) -> list[tuple[int, Told]] | None:
        found = missed(self, seat, last)
        return found[1:] if found else found

    monkeypatch.setattr(Table, "missed", fewer)
    assert "gaps in streams" in failed(reconnects.run(100, 1, quietly))


def test_a_seat_without_a_lock_is_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.wire.house.may_return", lambda *_: True)
    assert "seats taken over or lost" in failed(fairness.run(100, 1, quietly))


def test_a_session_that_goes_on_after_its_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Identities, "attach", lambda *_: None)
    outcome = fairness.run(100, 1, quietly)
    assert "seats taken over or lost" in failed(outcome)
    assert any("after the end of their session" in note for note in outcome.notes)


def test_a_name_that_looks_like_an_account_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Identities, "resembled", lambda *_: None)
    outcome = fairness.run(100, 1, quietly)
    assert any("sits down as m\u0430llory" in note for note in outcome.notes)


def test_a_lobby_that_seats_strangers_anywhere_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lobby, "_is_fair", lambda *_: True)
    outcome = fairness.run(100, 1, quietly)
    assert sum("seats strangers" in note for note in outcome.notes) == 2, "given cards, and a private table"


def test_a_hand_that_is_shown_to_watchers_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.table.table.open_to_watchers", lambda spec, _: spec.watch_open)
    outcome = fairness.run(100, 1, quietly)
    assert any("the hand of a person" in note for note in outcome.notes)


def test_a_deck_that_is_not_mixed_well_deviates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stream, "below", lambda self, n: self._next() % n * (self._next() % 8 > 0))
    assert any("deviation" in name for name in failed(fairness.run(1000, 1, quietly)))


# On a real server.


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType, Callable[[], None]], None]:
    """Return a function that makes the server of a goal faulty."""

    def planted(goal: ModuleType, fault: Callable[[], None]) -> None:
        def faulty_server(*options: str, **how: Any) -> AbstractContextManager[tuple[Server, Path]]:
            return real.server(*options, **{**how, "module": "tests.chaos.faulty"})

        monkeypatch.setenv("CHAOS_FAULT", fault.__name__)
        monkeypatch.setattr(goal, "server", faulty_server)

    return planted


Plant = Callable[[ModuleType, Callable[[], None]], None]


def test_actions_that_are_told_before_they_are_stored_are_lost(plant: Plant) -> None:
    plant(kills, faulty.told_before_stored)
    assert {"decisions lost", "events missed or different"} & set(failed(kills.run(2, 1, quietly)))


def test_a_table_that_is_not_restored_is_missed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(restart, faulty.a_table_is_forgotten)
    monkeypatch.setattr(restart, "PATIENCE", 5.0)
    assert "tables that took no move" in failed(restart.run(4, 1, quietly))


def test_an_exception_is_counted(plant: Plant) -> None:
    plant(hostile, faulty.input_that_fails)
    assert "exceptions in the log" in failed(hostile.run(150, 1, quietly))


def test_a_queue_without_a_limit_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(stalled, faulty.queues_without_limit)
    monkeypatch.setattr(stalled, "LIMIT", 20.0)
    assert "stalled readers that were not disconnected" in failed(stalled.run(2, 1, quietly))


def test_answers_that_do_not_count_for_a_queue_are_noticed(plant: Plant) -> None:
    plant(stalled, faulty.pings_are_all_answered)
    assert "memory of a client with unread answers to pings" in failed(stalled.run(10, 1, quietly))


def test_slow_moves_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    serving = servers.serving

    def faulty_serving(command: list[str], *how: Any) -> AbstractContextManager[Running]:
        return serving(
            [word.replace("croupier", "tests.chaos.faulty") for word in command[:2]] + command[2:], *how
        )

    monkeypatch.setenv("CHAOS_FAULT", faulty.slow_moves.__name__)
    monkeypatch.setattr(servers, "serving", faulty_serving)
    assert "p99 of a move" in failed(scale.run(40, 1, quietly))


def test_a_pause_that_is_charged_flags_an_answer_in_time(plant: Plant) -> None:
    plant(clocks, faulty.unfair_clock)
    assert "answers in time that were not accepted" in failed(clocks.run(3, 1, quietly))


def test_tables_that_are_never_freed_are_counted(plant: Plant) -> None:
    plant(soak, faulty.tables_are_kept)
    assert "objects more than before" in failed(soak.run(8, 1, quietly))


# On nodes.


@pytest.mark.parametrize(
    ("run", "times", "fault", "figures"),
    [
        (node_kills.run, 1, faulty.told_before_stored, {"decisions lost"}),
        (node_kills.run, 1, faulty.a_takeover_repeats_a_move, {"journals torn"}),
        (
            node_pauses.run,
            1,
            faulty.a_stale_owner_goes_on,
            {"replaced nodes that went on", "events told by replaced nodes"},
        ),
        pytest.param(
            engine_restarts.run,
            3,
            faulty.lost_messages_are_not_noticed,
            {"events missed or different"},
            marks=pytest.mark.nightly,
        ),
        (rolling.run, 1, faulty.nothing_is_released, {"longest time without a move"}),
        pytest.param(
            rolling.run, 1, faulty.a_stop_aborts_matches, {"matches aborted"}, marks=pytest.mark.nightly
        ),
    ],
)
def test_a_faulty_node_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
    run: Callable[[int, int, Tell], Outcome],
    times: int,
    fault: Callable[[], None],
    figures: set[str],
) -> None:
    """One restart of the bus may lose no message, so there are several."""
    monkeypatch.setenv("CHAOS_FAULT", fault.__name__)
    monkeypatch.setattr(nodes.Node, "module", "tests.chaos.faulty")
    monkeypatch.setattr(nodes, "PATIENCE", 20.0)
    assert figures <= set(failed(run(times, 1, print)))
