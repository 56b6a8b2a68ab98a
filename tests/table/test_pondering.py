"""Bots that think elsewhere: what a table asks them, what it takes from them, what it does without them."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from croupier.bots.strengths import PATIENCE, players
from croupier.core.contract import State, View
from croupier.games import game as find_game
from croupier.games import names
from croupier.table import journal
from croupier.table.effects import Drop, Effect, Ponder, Setup
from croupier.table.mind import Mind
from croupier.table.pondering import ALONE, LATE, SECRET, SHARE
from croupier.table.table import Table
from croupier.table.task import Task
from croupier.wire import talk
from tests.table.house import House, answer_once, chance, setup
from tests.table.test_presence import Manners, StrictGame, lose

RNG = Random(1)
THREE = "open bot_club bot_club bot_club"


@dataclass
class Study(House):
    """A table whose thinkers are the test itself."""

    pondered: list[Ponder] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    views: list[View] = field(default_factory=list)
    """What the seats of *pondered* knew when they were asked."""

    def carry_out(self, effect: Effect) -> None:
        match effect:
            case Ponder():
                self.pondered.append(effect)
                self.views.append(self.imagined(effect.task).view(effect.task.seat))
            case Drop(number):
                self.dropped.append(number)
            case _:
                super().carry_out(effect)

    @property
    def asked(self) -> Ponder:
        return self.pondered[-1]

    def imagined(self, task: Task) -> State:
        state = self.state.clone()
        for action in task.actions:
            state.apply(task.seat, action)
        return state

    def legal(self, task: Task) -> list[int]:
        return self.imagined(task).legal_actions(task.seat)

    @property
    def state(self) -> State:
        assert self.table.state is not None
        return self.table.state

    def answer(self, ponder: Ponder, action: int | None) -> None:
        self.settle(self.table.thought(ponder.number, action, self.now))

    def acted(self) -> list[tuple[int, list[str], str]]:
        return [(e.seat, e.actions, e.by) for e in self.written if isinstance(e, journal.Acted)]


def study(
    seats: str = THREE, manners: Manners | None = None, options: object = None, **more: object
) -> Study:
    made: Setup = setup(seats, options={"expose": False, **(options or {})}, **more)  # type: ignore[dict-item]
    made.seats = [kind.replace("_", " ") for kind in made.seats]
    if manners is not None:
        made.game = StrictGame(manners)
    found = Study(Table(made, chance, lambda: ""))
    for seat, place in enumerate(found.table.places):
        if not place.name:
            found.join("abcd"[seat], seat)
    found.settle([])
    return found


def test_a_decision_is_asked_for_action_by_action_and_happens_whole() -> None:
    table = study()
    assert sorted(one.task.seat for one in table.pondered) == [1, 2, 3]
    first = next(one for one in table.pondered if one.task.seat == 2)
    assert first.task.actions == ()
    assert first.task.bot == "club"
    chosen: list[int] = []
    ponder = first
    for _ in range(3):
        assert table.acted() == []
        chosen.append(table.legal(ponder.task)[0])
        table.answer(ponder, chosen[-1])
        ponder = table.asked
    actions = [table.table.game.actions.name(action) for action in chosen]
    assert table.acted() == [(2, actions, "bot")]
    # Those who still think do so about the same decision, and what was asked before is no longer answered.
    table.answer(first, chosen[0])
    assert len(table.acted()) == 1
    assert table.dropped == []


def test_an_answer_nobody_waits_for_and_one_against_the_rules_change_nothing() -> None:
    table = study(options={"pass_sequence": ["none"]})
    while not table.pondered:
        answer_once(table)
    asked = table.asked
    entries = len(table.written)
    table.answer(Ponder(asked.number + 7, asked.task), table.legal(asked.task)[0])
    assert len(table.written) == entries
    illegal = next(a for a in range(len(table.table.game.actions)) if a not in table.legal(asked.task))
    table.answer(asked, illegal)
    assert table.acted()[-1][::2] == (asked.task.seat, "bot"), "the heuristic has decided instead"


def test_who_does_not_answer_is_answered_for() -> None:
    table = study(options={"pass_sequence": ["none"]}, pick_card_timeout=60_000)
    while not table.pondered:
        answer_once(table)
    asked = table.asked
    before = len(table.acted())
    table.wait(PATIENCE + LATE - 0.01)
    assert len(table.acted()) == before
    table.wait(0.02)
    assert table.acted()[before][::2] == (asked.task.seat, "bot")
    assert asked.number in table.dropped
    table.answer(asked, table.legal(asked.task)[0] if table.state.to_act() >> asked.task.seat & 1 else 0)
    assert [seat for seat, _, _ in table.acted()].count(asked.task.seat) == 1, "too late is too late"


def test_who_fails_is_answered_for_at_once() -> None:
    table = study(options={"pass_sequence": ["none"]})
    while not table.pondered:
        answer_once(table)
    asked = table.asked
    table.answer(asked, None)
    assert table.acted()[-1][::2] == (asked.task.seat, "bot")
    assert table.dropped == [], "there is nothing left to cancel"


def test_a_forced_action_is_not_thought_about() -> None:
    table = study(options={"pass_sequence": ["none"]})
    while table.table.phase == talk.PLAYING:
        if table.pondered and table.asked.number not in answered(table):
            legal = table.legal(table.asked.task)
            assert len(legal) > 1
            table.answer(table.asked, legal[-1])
        else:
            assert answer_once(table) >= 0
    assert len(table.acted()) == 52
    assert len(table.pondered) < 39


def test_how_long_a_bot_takes_does_not_tell_whether_it_had_a_choice() -> None:
    table = study(options={"pass_sequence": ["none"]})
    took: list[float] = []
    since, done = table.now, 0
    while table.table.phase == talk.PLAYING:
        if table.pondered and table.asked.number not in answered(table):
            table.wait(0.5)
            table.answer(table.asked, table.legal(table.asked.task)[-1])
        elif table.table.asked(0) is not None:
            answer_once(table)
        else:
            table.wait(0.1)
        acted = table.acted()
        took += [round(table.now - since, 3) for seat, *_ in acted[done:] if seat]
        if len(acted) > done:
            since, done = table.now, len(acted)
    assert len(took) == 39 > len(table.pondered)
    assert all(0.5 <= one <= 0.6 for one in took), "but for the steps of this test"


def answered(table: Study) -> set[int]:
    """Return the questions whose seats have acted since."""
    mine = {thought.number for thought in table.table._thoughts.values() if not thought.done}
    return {one.number for one in table.pondered} - mine


def test_time_follows_from_who_waits_and_from_the_clock() -> None:
    assert study().asked.task.seconds == PATIENCE
    bots = "bot_club bot_club bot_club bot_club"
    assert study(bots, pass_cards_timeout=60_000).asked.task.seconds == ALONE
    assert study(pass_cards_timeout=500).asked.task.seconds == pytest.approx(0.5 * SHARE)


def test_the_actions_of_one_decision_share_its_time() -> None:
    table = study()
    asked = table.asked
    table.now += PATIENCE * 0.75
    table.answer(asked, table.legal(asked.task)[0])
    assert table.asked.task.seconds == pytest.approx(PATIENCE / 4)
    assert table.asked.task.actions != ()


def test_bots_think_while_others_are_still_being_told() -> None:
    table = study(command_interval=500, round_interval=2000, pick_card_timeout=60_000)
    assert table.table.wake() is not None
    assert sorted(one.task.seat for one in table.pondered) == [1, 2, 3], "before anybody was asked"


def test_a_bot_seems_to_think_as_long_as_the_pace_wants() -> None:
    table = study(manners=Manners(thinking=4.0), options={"pass_sequence": ["none"]})
    while not table.pondered:
        answer_once(table)
        table.wait(0.1)
    asked = table.asked
    before = len(table.acted())
    table.answer(asked, table.legal(asked.task)[0])
    assert len(table.acted()) == before
    table.wait(4.0)
    assert len(table.acted()) == before + 1


def test_a_match_that_breaks_off_drops_its_thoughts() -> None:
    table = study()
    numbers = {one.number for one in table.pondered}
    table.settle(table.table.handle("a", 0, talk.Leave(), table.now))
    assert table.table.phase == talk.GATHERING, "only bots are left"
    assert set(table.dropped) == numbers
    table.answer(table.asked, 0)
    assert table.acted() == []


def test_a_closed_table_thinks_no_more() -> None:
    table = study()
    table.settle(table.table.close("enough", table.now))
    assert set(table.dropped) == {one.number for one in table.pondered}


def test_a_player_who_comes_back_decides_himself() -> None:
    table = study(
        "open open bot_random bot_random",
        Manners(absence=5.0, minder="expert"),
        {"pass_sequence": ["left"]},
        pass_cards_timeout=600_000,
    )
    lose(table, 1)
    table.wait(6.0)
    asked = table.asked
    assert (asked.task.seat, asked.task.bot) == (1, "expert")
    assert table.join("b", 1)[0] == talk.Seated(1, True)
    assert table.dropped == [asked.number]
    assert table.table.asked(1) is not None
    table.answer(asked, table.legal(asked.task)[0])
    assert all(seat != 1 for seat, _, _ in table.acted())


def test_an_absent_player_is_thought_for() -> None:
    table = study(
        "open open bot_random bot_random",
        Manners(absence=5.0, minder="expert"),
        {"pass_sequence": ["left"]},
        pass_cards_timeout=600_000,
    )
    lose(table, 1)
    table.wait(6.0)
    for _ in range(3):
        table.answer(table.asked, table.legal(table.asked.task)[0])
    assert (1, "absent") in [(seat, by) for seat, _, by in table.acted()]


def test_after_a_restart_the_question_is_asked_anew() -> None:
    table = study()
    asked = next(one for one in table.pondered if one.task.seat == 1)
    table.answer(asked, table.legal(asked.task)[0])  # a third of a decision is nobody's business
    again = Study(Table(table.table.setup, chance, lambda: ""), now=table.now)
    again.settle(again.table.restore(table.written, again.now))
    assert again.pondered == [], "first the players may come back"
    assert again.table.wake() is not None
    again.join("a", 0)
    assert sorted(one.task.seat for one in again.pondered) == [1, 2, 3]
    fresh = next(one for one in again.pondered if one.task.seat == 1)
    assert fresh.task.actions == ()
    assert fresh.task.course == asked.task.course


def test_it_is_secret_how_long_a_secret_question_is_thought_about() -> None:
    game = find_game("taroky")
    quiet = dict.fromkeys(("card_pause", "trick_pause", "deal_pause", "secret_pause"), 0)
    made = Setup(
        "t1",
        game,
        game.options.read({"hands": 1}),
        game.table_options.read(quiet),
        ["bot club"] * 4,
        seed="7",
    )
    table = Study(Table(made, chance, lambda: ""))
    table.settle([])
    bot = game.bots()["heuristic"]
    mind = Mind()
    seen: set[bool] = set()
    for _ in range(200):
        if table.table.phase != talk.PLAYING:
            break
        for thought in list(table.table._thoughts.values()):
            ponder = next(one for one in table.pondered if one.number == thought.number)
            secret = not table.state.to_act_for(-2) >> thought.seat & 1
            assert (ponder.task.seconds <= SECRET) == secret
            seen.add(secret)
            table.answer(ponder, bot.choose(mind._state(ponder.task, game).view(thought.seat), RNG))
        table.wait(0.1)
    assert seen == {True, False}


@pytest.mark.parametrize("name", names())
def test_a_task_leads_to_the_view_of_its_seat(name: str) -> None:
    game = find_game(name)
    quiet = {
        option: 0
        for option in game.table_options.options
        if option.endswith(("pause", "interval", "pause_ms"))
    }
    options = game.options.read({})
    seats = ["bot novice"] * max(game.seats)
    table = Study(
        Table(Setup("t1", game, options, game.table_options.read(quiet), seats, seed="3"), chance, str)
    )
    table.settle([])
    mind = Mind()
    heuristic = game.bots()["heuristic"]
    reserved = game.reserved()
    for _ in range(60):
        thought = next((one for one in table.table._thoughts.values() if not one.done), None)
        if thought is None:
            table.wait(1.0)
            continue
        at = next(i for i, one in enumerate(table.pondered) if one.number == thought.number)
        ponder, view = table.pondered[at], table.views[at]
        imagined = mind._state(ponder.task, game).view(thought.seat)
        assert imagined.facts() == view.facts()
        assert imagined.legal == view.legal
        view.legal = [action for action in view.legal if action not in reserved]
        table.answer(ponder, heuristic.choose(view, RNG))
    assert table.written


def test_a_mind_plays_what_its_strength_would() -> None:
    table = study()
    task = table.asked.task
    game = table.table.game
    first = Mind().choose(task, 60.0)
    assert first == Mind().choose(task, 60.0), "the same seed, the same thought"
    assert first in table.legal(task)
    assert players(game)["club"].searches


def test_what_a_seat_cannot_see_does_not_change_its_choice() -> None:
    table = study()
    ponder = next(one for one in table.pondered if one.task.seat == 2)
    game = table.table.game
    numbers = array("h")
    numbers.frombytes(ponder.task.course)
    mine = table.imagined(ponder.task).view(2).facts()
    theirs = table.imagined(ponder.task).view(1).facts()
    choice = Mind().choose(ponder.task, 60.0)
    tried = 0
    for first in range(2, 54, 5):
        for second in range(first + 1, 54, 5):
            swapped = array("h", numbers)
            swapped[first], swapped[second] = numbers[second], numbers[first]
            other = replace(ponder.task, course=swapped.tobytes())
            state = Mind()._state(other, game)
            if tried < 3 and state.view(2).facts() == mine and state.view(1).facts() != theirs:
                tried += 1
                assert Mind().choose(other, 60.0) == choice
    assert tried == 3
