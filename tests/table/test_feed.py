"""The feed, without a table: audiences, pauses, numbers."""

from __future__ import annotations

from croupier.core.contract import PUBLIC, WATCHER, Event, Pace
from croupier.table.effects import WATCHERS
from croupier.table.feed import Feed
from croupier.wire.talk import Told
from tests.sample_game import GAME, Fact

ANN, BOB, CYD = range(3)


class Slow(Pace):
    """Two seconds before every public fact, except those of the kind *quick*."""

    def before(self, event: Event) -> float:
        assert isinstance(event, Fact)
        return 2.0 if event.audience == PUBLIC and event.kind != "quick" else 0.0

    def floor(self, event: Event) -> float:
        assert isinstance(event, Fact)
        return 1.0 if event.kind == "secret" else 0.0


def feed() -> Feed:
    """Return the feed of a match of three players that began at 10.0."""
    made = Feed(Slow())
    made.begin(3, GAME.new({}, 3))
    made.resume(10.0)
    return made


def fact(news: int, audience: int = PUBLIC, kind: str = "fact") -> Fact:
    return Fact(audience, kind, {"mine": [news]})


def tell(told: Feed, now: float) -> list[Event]:
    """Tell everything that is due."""
    found: list[Event] = []
    while (due := told.next(now)) is not None:
        assert isinstance(due.what, Event)
        told.tell(due.what, due)
        found.append(due.what)
    return found


def known(told: Feed, seat: int) -> object:
    audience = told.audience(seat)
    assert audience is not None
    return audience.view.facts()["mine"]


def test_an_event_is_told_when_its_pause_after_the_previous_one_has_passed() -> None:
    told = feed()
    told.queue([fact(1), fact(2)], -1, False, 10.0)
    assert told.wake() == 12.0
    assert tell(told, 11.9) == []
    assert known(told, ANN) == []
    assert len(tell(told, 12.0)) == 1
    assert known(told, ANN) == [1]
    assert (told.silent(), told.wake()) == (False, 14.0)
    assert len(tell(told, 14.0)) == 1
    assert told.silent()


def test_a_pause_can_be_ended_and_the_next_one_is_kept() -> None:
    told = feed()
    told.end_pause()
    told.queue([fact(1, kind="quick"), fact(2), fact(3)], -1, False, 10.0)
    assert told.wake() == 10.0
    assert len(tell(told, 10.0)) == 1, "nothing was pending, so nothing was ended"
    told.end_pause()
    assert len(tell(told, 10.5)) == 1
    assert told.wake() == 12.5


def test_a_minimum_time_that_guards_a_secret_cannot_be_ended() -> None:
    told = feed()
    told.queue([fact(1, 1 << BOB, "secret")], BOB, False, 10.5)
    told.end_pause()
    assert told.wake() == 11.0


def test_an_event_long_after_the_previous_one_still_has_its_pause() -> None:
    told = feed()
    told.queue([fact(1)], -1, False, 60.0)
    assert told.wake() == 62.0


def test_a_minimum_time_is_measured_from_the_last_public_event() -> None:
    told = feed()
    told.queue([fact(1, 1 << BOB, "secret")], BOB, False, 10.5)
    assert told.wake() == 11.0
    tell(told, 11.0)
    told.queue([fact(2, 1 << BOB, "secret")], BOB, False, 60.0)
    assert told.wake() == 60.0, "the action came after the minimum time"


def test_each_audience_is_told_what_it_may_know_and_has_its_own_numbers() -> None:
    told = feed()
    told.queue([fact(1, 1 << ANN), fact(2, kind="quick"), fact(3, 1 << BOB)], -1, False, 10.0)
    tell(told, 10.0)
    assert [known(told, seat) for seat in (ANN, BOB, CYD, WATCHER)] == [[2], [3], [2], [2]]
    assert told.numbers() == [2, 2, 1, 1]


def test_an_action_counts_with_its_first_public_event_and_a_secret_one_never() -> None:
    told = feed()
    told.queue([fact(1, audience=0b1)], 0, False, 0.0)
    told.queue([fact(2, audience=0b1), fact(3), fact(4)], 0, False, 0.0)
    assert [due.counts for due in told._pending] == [False, False, True, False]


def test_a_returning_player_is_told_what_they_missed_of_the_deal() -> None:
    told = feed()
    told.queue([fact(1, 1 << ANN), fact(2, kind="quick"), fact(3, kind="quick")], -1, False, 10.0)
    events = tell(told, 10.0)
    assert told.missed(ANN, 1) == [(2, Told(events[1], False)), (3, Told(events[2], False))]
    assert told.missed(BOB, 0) == [(1, Told(events[1], False)), (2, Told(events[2], False))]
    assert told.missed(BOB, 2) == []
    assert told.missed(BOB, 3) is None
    opening = fact(4, kind="quick")
    opening.starts_deal = True
    told.queue([opening], -1, False, 10.0)
    tell(told, 10.0)
    assert told.missed(BOB, 2) == [(3, Told(opening, False))]
    assert told.missed(BOB, 1) is None, "the previous deal is over"


def test_numbers_continue_in_the_next_match() -> None:
    told = feed()
    told.queue([fact(1, kind="quick")], -1, False, 10.0)
    tell(told, 10.0)
    told.begin(3, GAME.new({}, 3))
    assert told.numbers() == [1, 1, 1, 1]
    assert told.missed(ANN, 0) is None
    told.count_from([5, 6, 7, 8])
    assert told.numbers() == [5, 6, 7, 8]


# A person's own action.


def test_a_person_is_told_their_own_action_at_once_and_the_others_after_the_pause() -> None:
    told = feed()
    told.queue([fact(1)], ANN, False, 10.0, person=True)
    due = told.early()
    assert due is not None
    told.tell_early(due)
    assert [known(told, seat) for seat in (ANN, BOB, WATCHER)] == [[1], [], []]
    assert told.early() is None, "once"
    assert not told.silent(), "the next question waits until all have been told"
    tell(told, 12.0)
    assert [known(told, seat) for seat in (ANN, BOB, WATCHER)] == [[1], [1], [1]]
    assert told.numbers() == [1, 1, 1, 1]
    assert told.silent()


def test_only_the_action_itself_is_told_early_not_its_consequences() -> None:
    told = feed()
    told.queue([fact(1), fact(2)], ANN, False, 10.0, person=True)
    due = told.early()
    assert due is not None
    told.tell_early(due)
    tell(told, 12.0)
    assert told.early() is None
    assert known(told, ANN) == [1]


def test_actions_of_programs_and_of_the_server_and_secret_ones_are_not_told_early() -> None:
    told = feed()
    told.queue([fact(1)], ANN, False, 10.0)
    assert told.early() is None, "programs rely on the documented intervals"
    told.clear()
    told.queue([fact(1, kind="secret")], ANN, False, 10.0, person=True)
    assert told.early() is None, "the time must not reveal who was asked"
    told.clear()
    told.queue([fact(1, 1 << BOB)], ANN, False, 10.0, person=True)
    assert told.early() is None, "they may not know it"


def test_a_player_who_returns_between_early_and_public_telling_gets_every_event_once() -> None:
    told = feed()
    told.queue([fact(1, kind="quick")], -1, False, 10.0)
    [first] = tell(told, 10.0)
    told.queue([fact(2)], ANN, False, 10.0, person=True)
    due = told.early()
    assert due is not None
    own = told.tell_early(due)
    assert told.missed(ANN, 1) == [(2, own)]
    assert told.missed(BOB, 0) == [(1, Told(first, False))]
    assert told.missed(BOB, 1) == []
    assert told.missed(WATCHER, 1) == []
    tell(told, 12.0)
    assert told.missed(BOB, 1) == told.missed(ANN, 1) == [(2, own)]


def test_a_match_aborted_between_early_and_public_telling_shows_a_new_view() -> None:
    told = feed()
    told.queue([fact(1)], ANN, False, 10.0, person=True)
    due = told.early()
    assert due is not None
    told.tell_early(due)
    told.clear()
    assert told.silent()
    assert told.missed(ANN, 0) is None


# Whose turn it is.


def test_a_change_of_turns_is_told_once_to_each_audience_and_the_public_one_last() -> None:
    told = feed()
    state = GAME.new({}, 3)
    assert told.turns(state, 0b111, 0b111) == [(0b111 | WATCHERS, 0b111)]
    assert told.turns(state, 0, 0) == []
    assert told.turns(state, 0b010, 0b010) == [(0b111 | WATCHERS, 0b111)], "bob has a new decision"


def test_a_step_within_a_decision_is_told_only_to_those_who_have_heard_something_since() -> None:
    told = feed()
    state = GAME.new({}, 3)
    told.turns(state, 0b111, 0b111)
    told.queue([fact(1, 1 << ANN)], -1, False, 10.0)
    tell(told, 10.0)
    assert told.turns(state, 0b001, 0) == [(1 << ANN, 0b111)]


def test_a_seat_is_told_once_that_its_turn_has_ended() -> None:
    told = feed()
    told.turns(GAME.new({}, 3), 0b111, 0b111)
    assert told.end_turn(BOB) == 0b101
    assert told.end_turn(BOB) is None


def test_open_hands_are_the_views_of_all_seats() -> None:
    told = feed()
    assert list(told.hands(False)) == [WATCHER]
    assert list(told.hands(True)) == [ANN, BOB, CYD, WATCHER]


def test_actions_are_counted_with_their_first_public_event() -> None:
    told = feed()
    told.queue([fact(1, kind="quick"), fact(2, kind="quick")], ANN, False, 10.0)
    told.queue([fact(3, 1 << BOB)], BOB, False, 10.0)
    tell(told, 10.0)
    assert told.actions == 1
