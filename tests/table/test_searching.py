"""Searching bots at a table: their tasks, their answers, and decisions without an answer."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest

from croupier.bots.strengths import SEARCH_SECONDS, players
from croupier.core.contract import WATCHER, State
from croupier.games import game as find_game
from croupier.games import names
from croupier.table.bot_decisions import ALONE, LATE, SECRET, SHARE
from croupier.table.bot_pool import Answer, BotPool, Cancel
from croupier.table.bot_task import BotTask
from croupier.table.bot_worker import BotWorker
from croupier.table.setup import Setup, setup_of
from croupier.wire import talk
from croupier.wire.table_spec import TableSpec
from tests.table.recorded import Recorded, answer_once, setup
from tests.table.test_presence import Absences, StrictGame

RNG = Random(1)
THREE = "open bot_club bot_club bot_club"


@dataclass(eq=False)
class Search:
    """A search that a table has requested from its bot pool."""

    task: BotTask
    state: State
    """The state at that time, after the actions chosen so far."""
    hear: Answer
    answered: bool = False
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True

    @property
    def open(self) -> bool:
        """Return True while the table waits for the answer."""
        return not self.answered and not self.cancelled

    @property
    def legal(self) -> list[int]:
        return self.state.legal_actions(self.task.seat)


class Asked(BotPool):
    """A bot pool that only records its tasks."""

    def __init__(self, state: Callable[[], State]) -> None:
        super().__init__(1)
        self.searches: list[Search] = []
        self._state = state

    def ask(self, task: BotTask, answer: Answer) -> Cancel:
        state = self._state().clone()
        for action in task.actions:
            state.apply(task.seat, action)
        self.searches.append(Search(task, state, answer))
        return self.searches[-1].cancel


class Study(Recorded):
    """A table whose searches are answered by the test."""

    def __init__(self, setup: Setup) -> None:
        asked = Asked(lambda: self.state)
        self.searches = asked.searches
        super().__init__(setup, asked)

    @property
    def state(self) -> State:
        state = self.all_tables.shells["t1"].table.state
        assert state is not None
        return state

    @property
    def asked(self) -> Search:
        return self.searches[-1]

    @property
    def cancelled(self) -> list[Search]:
        return [one for one in self.searches if one.cancelled]

    def answer(self, search: Search, action: int | None) -> None:
        """Answer for the bot pool, unless the search was cancelled."""
        if not search.cancelled:
            search.answered = True
            self.call(search.hear, action)


def study(
    seats: str = THREE, manners: Absences | None = None, options: object = None, **more: object
) -> Study:
    made: Setup = setup(seats, options={"expose": False, **(options or {})}, **more)  # type: ignore[dict-item]
    if manners is not None:
        made.game = StrictGame(manners)
    found = Study(made)
    for seat, place in enumerate(found.table.places):
        if not place.name:
            found.join("abcd"[seat], seat)
    return found


def acted(table: Study) -> list[tuple[int, list[str], str]]:
    return [(entry.seat, entry.actions, entry.by) for entry in table.acted()]


def test_a_decision_is_requested_action_by_action_and_applied_when_complete() -> None:
    table = study()
    assert sorted(one.task.seat for one in table.searches) == [1, 2, 3]
    first = next(one for one in table.searches if one.task.seat == 2)
    assert first.task.actions == ()
    assert first.task.bot == "club"
    chosen: list[int] = []
    search = first
    for _ in range(3):
        assert acted(table) == []
        chosen.append(search.legal[0])
        table.answer(search, chosen[-1])
        search = table.asked
    actions = [table.table.game.actions.name(action) for action in chosen]
    assert acted(table) == [(2, actions, "bot")]
    # The other bots are still searching for the same decision; an answer to an earlier search is ignored.
    table.answer(first, chosen[0])
    assert len(acted(table)) == 1
    assert table.cancelled == []


def test_an_answer_against_the_rules_changes_nothing() -> None:
    table = study(options={"pass_sequence": ["none"]})
    while not table.searches:
        answer_once(table)
    asked = table.asked
    entries = len(table.journal)
    illegal = next(a for a in range(len(table.table.game.actions)) if a not in asked.legal)
    assert len(table.journal) == entries
    table.answer(asked, illegal)
    assert acted(table)[-1][::2] == (asked.task.seat, "bot"), "the heuristic has decided instead"


def test_the_heuristic_decides_if_a_search_is_late() -> None:
    table = study(options={"pass_sequence": ["none"]}, pick_card_timeout=60_000)
    while not table.searches:
        answer_once(table)
    asked = table.asked
    before = len(acted(table))
    table.advance(SEARCH_SECONDS + LATE - 0.01)
    assert len(acted(table)) == before
    table.advance(0.02)
    assert acted(table)[before][::2] == (asked.task.seat, "bot")
    assert asked.cancelled
    table.call(asked.hear, asked.legal[0])
    assert [seat for seat, _, _ in acted(table)].count(asked.task.seat) == 1, "a late answer is ignored"


def test_the_heuristic_decides_at_once_if_a_search_fails() -> None:
    table = study(options={"pass_sequence": ["none"]})
    while not table.searches:
        answer_once(table)
    asked = table.asked
    table.answer(asked, None)
    assert acted(table)[-1][::2] == (asked.task.seat, "bot")
    assert table.cancelled == [], "there is nothing left to cancel"


def test_a_forced_action_needs_no_search() -> None:
    table = study(options={"pass_sequence": ["none"]})
    choices: list[int] = []
    while table.table.phase == talk.PLAYING:
        if table.searches and table.asked.open:
            legal = table.asked.legal
            choices.append(len(legal))
            table.answer(table.asked, legal[-1])
        else:
            assert answer_once(table) >= 0
    assert len(acted(table)) == 52
    assert 0 < len(choices) < 39
    assert min(choices) > 1


def test_the_time_of_a_bot_does_not_reveal_whether_it_had_a_choice() -> None:
    table = study(options={"pass_sequence": ["none"]})
    took: list[float] = []
    since, done = table.now, 0
    while table.table.phase == talk.PLAYING:
        if table.searches and table.asked.open:
            table.advance(0.5)
            table.answer(table.asked, table.asked.legal[-1])
        elif table.table.asked(0) is not None:
            answer_once(table)
        else:
            table.advance(0.1)
        moves = acted(table)
        took += [round(table.now - since, 3) for seat, *_ in moves[done:] if seat]
        if len(moves) > done:
            since, done = table.now, len(moves)
    assert len(took) == 39 > len(table.searches)
    assert all(0.5 <= one <= 0.6 for one in took), "within the time steps of this test"


def test_the_search_time_depends_on_who_plays_and_on_the_clock() -> None:
    assert study().asked.task.seconds == SEARCH_SECONDS
    bots = "bot_club bot_club bot_club bot_club"
    assert study(bots, pass_cards_timeout=60_000).asked.task.seconds == ALONE
    assert study(pass_cards_timeout=500).asked.task.seconds == pytest.approx(0.5 * SHARE)


def test_the_actions_of_one_decision_share_its_time() -> None:
    table = study()
    asked = table.asked
    table.advance(SEARCH_SECONDS * 0.75)
    table.answer(asked, asked.legal[0])
    assert table.asked.task.seconds == pytest.approx(SEARCH_SECONDS / 4)
    assert table.asked.task.actions != ()


def test_searches_begin_while_events_are_still_being_told() -> None:
    table = study(command_interval=500, round_interval=2000, pick_card_timeout=60_000)
    assert table.table.wake() is not None
    assert sorted(one.task.seat for one in table.searches) == [1, 2, 3], "before any player was asked"


def test_a_bot_acts_after_the_thinking_time_of_the_pace() -> None:
    table = study(manners=Absences(thinking=4.0), options={"pass_sequence": ["none"]})
    while not table.searches:
        answer_once(table)
        table.advance(0.1)
    asked = table.asked
    before = len(acted(table))
    table.answer(asked, asked.legal[0])
    assert len(acted(table)) == before
    table.advance(4.0)
    assert len(acted(table)) == before + 1


def test_an_aborted_match_cancels_its_searches() -> None:
    table = study()
    asked = set(table.searches)
    table.ask("a", talk.Leave())
    assert table.table.phase == talk.GATHERING, "only bots are left"
    assert set(table.cancelled) == asked
    table.call(table.asked.hear, 0)
    assert acted(table) == []


def test_a_closed_table_cancels_its_searches() -> None:
    table = study()
    table.close("enough")
    assert table.cancelled == table.searches


def test_a_player_who_returns_decides_themselves() -> None:
    table = study(
        "open open bot_random bot_random",
        Absences(absence=5.0, absence_bot="expert"),
        {"pass_sequence": ["left"]},
        pass_cards_timeout=600_000,
    )
    table.drop(1)
    table.advance(6.0)
    asked = table.asked
    assert (asked.task.seat, asked.task.bot) == (1, "expert")
    assert table.join("b", 1)[0] == talk.Seated(1, True)
    assert table.cancelled == [asked]
    assert table.table.asked(1) is not None
    table.call(asked.hear, asked.legal[0])
    assert all(seat != 1 for seat, _, _ in acted(table))


def test_a_searching_bot_decides_for_an_absent_player() -> None:
    table = study(
        "open open bot_random bot_random",
        Absences(absence=5.0, absence_bot="expert"),
        {"pass_sequence": ["left"]},
        pass_cards_timeout=600_000,
    )
    table.drop(1)
    table.advance(6.0)
    for _ in range(3):
        table.answer(table.asked, table.asked.legal[0])
    assert (1, "absent") in [(seat, by) for seat, _, by in acted(table)]


def test_after_a_restart_the_bot_is_asked_again() -> None:
    table = study()
    asked = next(one for one in table.searches if one.task.seat == 1)
    table.answer(asked, asked.legal[0])  # a third of a decision, which is not stored
    before = len(table.searches)
    table.restart()
    assert len(table.searches) == before, "the table waits for its players first"
    assert table.table.wake() is not None
    table.join("a", 0)
    again = table.searches[before:]
    assert sorted(one.task.seat for one in again) == [1, 2, 3]
    fresh = next(one for one in again if one.task.seat == 1)
    assert fresh.task.actions == ()
    assert fresh.task.course == asked.task.course


def test_a_search_for_a_secret_question_has_a_short_fixed_limit() -> None:
    game = find_game("taroky")
    quiet = dict.fromkeys(("card_pause", "trick_pause", "deal_pause", "secret_pause"), 0)
    spec = TableSpec(
        ["bot club"] * 4, game.options.read({"hands": 1}), game.table_options.read(quiet), seed="7"
    )
    table = Study(setup_of("t1", game, spec))
    bot = game.bots()["heuristic"]
    worker = BotWorker()
    seen: set[bool] = set()
    for _ in range(200):
        if table.table.phase != talk.PLAYING:
            break
        for search in [one for one in table.searches if one.open]:
            seat = search.task.seat
            secret = not table.state.to_act_for(WATCHER) >> seat & 1
            assert (search.task.seconds <= SECRET + 0.001) == secret
            seen.add(secret)
            table.answer(search, bot.choose(worker.position(search.task, game).view(seat), RNG))
        table.advance(0.1)
    assert seen == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_task_leads_to_the_view_of_its_seat(name: str) -> None:
    game = find_game(name)
    quiet = {
        option: 0
        for option in game.table_options.options
        if option.endswith(("pause", "interval", "pause_ms"))
    }
    spec = TableSpec(["bot novice"] * max(game.seats), table_options=game.table_options.read(quiet), seed="3")
    table = Study(setup_of("t1", game, spec))
    worker = BotWorker()
    heuristic = game.bots()["heuristic"]
    reserved = game.reserved()
    for _ in range(60):
        search = next((one for one in table.searches if one.open), None)
        if search is None:
            table.advance(1.0)
            continue
        view = search.state.view(search.task.seat)
        imagined = worker.position(search.task, game).view(search.task.seat)
        assert imagined.facts() == view.facts()
        assert imagined.legal == view.legal
        view.legal = [action for action in view.legal if action not in reserved]
        table.answer(search, heuristic.choose(view, RNG))
    assert table.journal


def test_a_worker_plays_like_the_bot_of_its_strength() -> None:
    table = study()
    task = table.asked.task
    game = table.table.game
    first = BotWorker().choose(task, 60.0)
    assert first == BotWorker().choose(task, 60.0), "the same seed gives the same choice"
    assert first in table.asked.legal
    assert players(game)["club"].searches


def test_what_a_seat_cannot_see_does_not_change_its_choice() -> None:
    table = study()
    search = next(one for one in table.searches if one.task.seat == 2)
    game = table.table.game
    numbers = array("h")
    numbers.frombytes(search.task.course)
    mine = search.state.view(2).facts()
    theirs = search.state.view(1).facts()
    choice = BotWorker().choose(search.task, 60.0)
    tried = 0
    for first in range(2, 54, 5):
        for second in range(first + 1, 54, 5):
            swapped = array("h", numbers)
            swapped[first], swapped[second] = numbers[second], numbers[first]
            other = replace(search.task, course=swapped.tobytes())
            state = BotWorker().position(other, game)
            if tried < 3 and state.view(2).facts() == mine and state.view(1).facts() != theirs:
                tried += 1
                assert BotWorker().choose(other, 60.0) == choice
    assert tried == 3
