"""Questions, presence and the clock, without a table: deadlines and absences."""

from __future__ import annotations

import math

import pytest

from croupier.core.contract import Pace, View
from croupier.core.refusal import Refusal
from croupier.table.clock import GRACE, NEVER, Clock
from croupier.table.presence import Presence
from croupier.table.questions import Questions
from croupier.wire.talk import BOT, PERSON, Act, Asked, Place


class Settings(Pace):
    """The limits that the tests below set."""

    def __init__(self, **set_to: float) -> None:
        self._set = set_to

    def limit(self, view: View, person: bool) -> float:
        return self._set.get("limit", 0.0)

    def warning(self) -> float:
        return self._set.get("warning", 0.0)

    def rest(self) -> float:
        return self._set.get("rest", 0.0)

    def absence(self) -> float:
        return self._set.get("absence", -1.0)

    def autos(self, connected: bool) -> int:
        return int(self._set.get("autos" if connected else "autos_gone", 0))

    def abandonment(self) -> float:
        return self._set.get("abandonment", -1.0)

    def solitude(self) -> float:
        return self._set.get("solitude", -1.0)

    def filling(self) -> float:
        return self._set.get("filling", -1.0)


def players(*connected: bool) -> list[Place]:
    return [Place(seat, name=f"p{seat}", connected=there) for seat, there in enumerate(connected)]


# Questions.


def test_an_answer_needs_an_open_question_and_time() -> None:
    questions = Questions(2)
    with pytest.raises(Refusal) as refused:
        questions.check(0, Act(1, (3,)), 0.0)
    assert str(refused.value) == "question 1 is past or not yet asked: nothing is asked of you now"
    questions.check(0, Act(-1, (3,)), 0.0)
    questions.ask(0, -1, 5.0)
    questions.check(0, Act(1, (3,)), 4.9)
    for turn, now, key in ((2, 0.0, "stale"), (1, 5.0, "too_late"), (-1, 5.0, "too_late")):
        with pytest.raises(Refusal) as refused:
            questions.check(0, Act(turn, (3,)), now)
        assert refused.value.key == key


def test_questions_of_a_seat_are_counted_and_open_one_at_a_time() -> None:
    questions = Questions(2)
    questions.ask(0, -1, 5.0)
    assert questions.open == [Asked(1, 5.0), None]
    questions.answer(0, (3,))
    assert questions.open == [None, None]
    questions.ask(0, -1, None)
    assert questions.open[0] == Asked(2, None)


def test_all_questions_of_a_decision_have_the_same_deadline() -> None:
    questions = Questions(1)
    questions.ask(0, 7, 5.0)
    questions.answer(0, (1,))
    questions.ask(0, 7, 9.0)
    assert questions.open[0] == Asked(2, 5.0)
    questions.answer(0, (2,))
    questions.ask(0, 8, 9.0)
    assert questions.open[0] == Asked(3, 9.0)


def test_a_repeated_answer_is_recognised() -> None:
    questions = Questions(1)
    questions.ask(0, -1, None)
    questions.answer(0, (1, 2))
    assert questions.repeats(0, Act(1, (1, 2)))
    assert not questions.repeats(0, Act(1, (2, 1)))
    assert not questions.repeats(0, Act(2, (1, 2)))
    questions.ask(0, -1, None)
    questions.answer(0, None)
    assert not questions.repeats(0, Act(2, ())), "the stand-in decided"


def test_an_answer_at_the_deadline_is_late() -> None:
    questions = Questions(2)
    questions.ask(0, -1, 5.0)
    assert not questions.late(0, 4.999)
    assert questions.late(0, 5.0)
    assert not questions.late(1, 99.0)
    assert questions.last_deadline(0b11) == 5.0
    assert questions.last_deadline(0b10) is None


def test_a_seat_is_warned_once_and_not_after_its_deadline() -> None:
    questions = Questions(2)
    questions.ask(0, -1, 10.0)
    assert questions.wake(3.0) == 7.0
    assert questions.running_out(6.9, 3.0) == []
    assert questions.running_out(7.0, 3.0) == [(0, 3.0)]
    assert questions.running_out(8.0, 3.0) == []
    assert questions.wake(3.0) == 10.0
    questions.ask(1, -1, 10.0)
    assert questions.running_out(10.0, 3.0) == []


def test_a_withdrawn_question_is_asked_again_with_its_number() -> None:
    questions = Questions(1)
    questions.ask(0, -1, 5.0)
    questions.withdraw(0)
    assert questions.wake(0.0) == math.inf
    questions.ask(0, -1, 9.0)
    assert questions.open[0] == Asked(1, 9.0)


# Presence.


def test_a_player_without_a_connection_is_away_after_the_time_of_the_pace() -> None:
    places = players(False, True)
    presence = Presence(Settings(absence=4.0), 2)
    presence.lost(0, 10.0)
    assert presence.leaving(places, 13.9) == []
    assert presence.wake(places) == 14.0
    assert presence.leaving(places, 14.0) == [0]
    presence.back(0)
    assert presence.leaving(places, 99.0) == []


def test_a_player_is_away_after_consecutive_late_answers() -> None:
    places = players(True, True)
    presence = Presence(Settings(autos=2), 2)
    presence.missed(0)
    presence.answered(0)
    presence.missed(0)
    assert presence.leaving(places, 0.0) == []
    presence.missed(0)
    assert presence.leaving(places, 0.0) == [0]
    presence.lost(0, 0.0)
    assert presence.leaving(places, 0.0) == [], "earlier late answers do not count"


def test_a_match_is_abandoned_when_all_players_have_been_absent_for_long_enough() -> None:
    presence = Presence(Settings(abandonment=60.0), 2)
    presence.count(players(True, False), 0.0)
    assert not presence.abandoned(99.0)
    presence.count(players(False, False), 100.0)
    presence.count(players(False, False), 120.0)
    assert not presence.abandoned(159.0)
    assert presence.wake(players(False, False)) == 160.0
    assert presence.abandoned(160.0)
    presence.count(players(True, False), 160.0)
    assert not presence.abandoned(999.0)


def test_a_player_is_alone_only_if_there_are_no_bots() -> None:
    presence = Presence(Settings(solitude=30.0), 2)
    presence.count(players(True, False), 0.0)
    assert presence.alone(30.0)
    presence.count([Place(0, name="p0", connected=True), Place(1, BOT, name="b", connected=True)], 30.0)
    assert not presence.alone(99.0)


# The clock.


def test_the_pace_sets_the_deadline_of_a_question() -> None:
    clock = Clock(Settings(limit=20.0), 1)
    clock.ask(players(True)[0], View(0), -1, 100.0)
    assert clock.questions.open[0] == Asked(1, 120.0)
    assert clock.wake_in_match(players(True)) == 120.0


def test_a_question_without_a_limit_gets_a_deadline_only_while_its_player_is_absent() -> None:
    [place] = players(False)
    clock = Clock(Settings(), 1)
    clock.ask(place, View(0), -1, 100.0)
    assert clock.questions.open[0] == Asked(1, 100.0 + GRACE)
    place.connected = True
    clock.reset(place, View(0), 101.0)
    assert clock.questions.open[0] == Asked(1, None)
    assert clock.wake_in_match([place]) == NEVER


def test_after_a_restart_a_table_waits_until_all_are_back_or_the_grace_period_ends() -> None:
    places = players(True, False)
    clock = Clock(Settings(absence=0.0), 2)
    clock.presence.lost(1, 100.0)
    clock.hold(100.0)
    assert clock.wake_in_match(places) == 100.0 + GRACE
    assert clock.holds(places, 100.0 + GRACE - 0.1)
    assert not clock.holds(places, 100.0 + GRACE)
    assert not clock.holding()
    assert [place.away for place in places] == [False, True]
    clock.hold(200.0)
    assert not clock.holds(players(True, True), 200.0)


def test_bots_take_free_seats_when_no_player_has_come_for_long_enough() -> None:
    clock = Clock(Settings(filling=30.0), 2)
    empty, half = [Place(0), Place(1)], [Place(0, PERSON, name="ann"), Place(1)]
    clock.newcomer_at = 100.0
    assert clock.fills_at(half) == 130.0
    assert clock.fills_at(empty) == NEVER, "not for nobody"
    assert clock.fills_at(players(True, True)) == NEVER
    assert clock.wake_between(half, guests=False, cycles=False) == 130.0


def test_the_waits_for_the_next_game_and_for_guests_end() -> None:
    clock = Clock(Settings(rest=5.0), 2)
    clock.rest(100.0)
    assert clock.rests_until() == 105.0
    assert clock.wake_between(players(True, True), guests=False, cycles=True) == 105.0
    assert clock.waits_for_guests(60.0, 100.0)
    assert clock.waits_for_guests(60.0, 159.0), "the wait began with the first call"
    assert not clock.waits_for_guests(60.0, 160.0)
    assert clock.wake_between(players(True, False), guests=True, cycles=False) == 160.0
