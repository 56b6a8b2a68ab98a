"""Present and absent players: stand-ins, warnings, abandoned matches, replacement bots, given cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from croupier.bots.strengths import filler
from croupier.core.contract import Pace, State, View
from croupier.core.options import Value
from croupier.games.hearts import GAME, HeartsGame
from croupier.games.hearts.pace import HeartsPace
from croupier.games.hearts.vocabulary import CARDS
from croupier.table import journal
from croupier.table.clock import GRACE
from croupier.table.presence import DESERTED
from croupier.wire import talk
from croupier.wire.bot_names import bot_name
from croupier.wire.table_spec import Guest
from croupier.wire.talk import (
    AWAY,
    BACK,
    BOT,
    CLOSED,
    GATHERING,
    LOST,
    PLAYING,
    PRESENT,
    QUIT,
    token_digest,
)
from tests.table.recorded import NAMES, Recorded, answer_once, refused, setup


@dataclass
class Absences:
    """The settings of a game's pace for absences."""

    absence: float = -1.0
    autos: int = 0
    autos_gone: int = 0
    absence_bot: str = ""
    aborts: bool = False
    abandonment: float = -1.0
    filling: float = -1.0
    warning: float = 0.0
    thinking: float = 0.0


class StrictPace(HeartsPace):
    def __init__(self, options: Mapping[str, Value], absences: Absences) -> None:
        super().__init__(options)
        self.absences = absences

    def absence(self) -> float:
        return self.absences.absence

    def autos(self, connected: bool) -> int:
        return self.absences.autos if connected else self.absences.autos_gone

    def absence_bot(self, connected: bool) -> str:
        return self.absences.absence_bot

    def quitting_aborts(self) -> bool:
        return self.absences.aborts

    def abandonment(self) -> float:
        return self.absences.abandonment

    def filling(self) -> float:
        return self.absences.filling

    def warning(self) -> float:
        return self.absences.warning

    def thinking(self, view: View) -> float:
        return self.absences.thinking


class StrictGame(HeartsGame):
    def __init__(self, absences: Absences) -> None:
        super().__init__()
        self.absences = absences

    def pace(self, options: Mapping[str, Value]) -> Pace:
        return StrictPace(options, self.absences)

    def rematch(self, options: Mapping[str, Value], state: State) -> Mapping[str, Value]:
        return self.options.read({})


def table(absences: Absences, *names: str, seats: str = "open open open open", **more: object) -> Recorded:
    made = setup(seats, options={"expose": False, "pass_sequence": ["none"]}, **more)
    made.game = StrictGame(absences)
    house = Recorded(made)
    for seat, name in enumerate(names):
        if not house.table.places[seat].name:
            house.join(name, seat)
    return house


def full(absences: Absences, seats: str = "open open open open", **more: object) -> Recorded:
    return table(absences, *NAMES, seats=seats, pick_card_timeout=10_000, **more)


def turn(house: Recorded) -> int:
    return next(seat for seat in range(4) if house.table.asked(seat) is not None)


def changes(house: Recorded, seat: int) -> list[tuple[str, int]]:
    """Return the changes of places that *seat* was told of."""
    return [
        (note.what, note.seat)
        for _, note in house.told(seat)
        if isinstance(note, talk.PlacesChanged) and note.what != talk.CAME
    ]


def notes(house: Recorded, seat: int, kind: type) -> list[tuple[float, talk.Note]]:
    return [(at, note) for at, note in house.told(seat) if isinstance(note, kind)]


def acted(house: Recorded) -> list[tuple[int, str]]:
    return [(entry.seat, entry.by) for entry in house.acted()]


def test_a_player_who_is_late_repeatedly_is_away_until_they_are_back() -> None:
    house = full(Absences(autos=2))
    late = turn(house)
    house.advance(10.0)
    assert acted(house) == [(late, "clock")]
    assert changes(house, late) == [], "one late answer is not enough"
    while len([1 for seat, _ in acted(house) if seat == late]) < 2:
        if turn(house) == late:
            house.advance(10.0)
        else:
            answer_once(house)
    assert changes(house, (late + 1) % 4) == [(AWAY, late)]
    before = house.now
    while len([1 for seat, _ in acted(house) if seat == late]) < 4:
        answer_once(house)
    assert house.now == before, "the match does not wait for it"
    assert {by for seat, by in acted(house) if seat == late} == {"clock", "absent"}
    house.ask(house.table.places[late].name, talk.Here())
    assert changes(house, late)[-1] == (PRESENT, late)
    while turn(house) != late:
        answer_once(house)
    assert not house.table.places[late].away


def test_an_answer_in_time_resets_the_count_of_late_ones() -> None:
    house = full(Absences(autos=2))
    late = turn(house)
    for _ in range(3):
        house.advance(10.0)
        assert house.table.places[late].late
        while turn(house) != late:
            answer_once(house)
        answer_once(house)
        while turn(house) != late:
            answer_once(house)
    assert AWAY not in [what for what, _ in changes(house, late)]


def test_a_refused_answer_does_not_reset_the_count() -> None:
    house = full(Absences(autos=2))
    late = turn(house)
    for _ in range(2):
        assert refused(house.ask(house.table.places[late].name, talk.Act(99, (0,)))) == "stale"
        house.advance(10.0)
        while AWAY not in [what for what, _ in changes(house, late)] and turn(house) != late:
            answer_once(house)
    assert changes(house, late) == [(AWAY, late)]


def test_late_answers_before_a_lost_connection_do_not_count_after_it() -> None:
    house = full(Absences(autos=2, autos_gone=1))
    late = turn(house)
    house.advance(10.0)
    while turn(house) != late:
        answer_once(house)
    house.drop(late)
    house.advance(9.9)
    assert changes(house, (late + 1) % 4) == [(LOST, late)], "its question keeps its time limit"
    house.advance(0.2)
    assert changes(house, (late + 1) % 4) == [(LOST, late), (AWAY, late)]


def test_the_stand_in_decides_for_a_lost_connection_after_a_while() -> None:
    house = full(Absences(absence=4.0, absence_bot="dummy"))
    gone = turn(house)
    house.drop(gone)
    assert changes(house, (gone + 1) % 4) == [(LOST, gone)]
    house.advance(3.9)
    assert acted(house) == []
    house.advance(0.2)
    assert acted(house) == [(gone, "absent")]
    assert changes(house, (gone + 1) % 4) == [(LOST, gone), (AWAY, gone)]
    house.join(house.table.places[gone].name, gone)
    assert changes(house, (gone + 1) % 4)[-2:] == [(BACK, gone), (PRESENT, gone)]


def test_if_absence_counts_at_once_only_the_open_question_keeps_its_clock() -> None:
    house = full(Absences(absence=0.0))
    gone = turn(house)
    house.drop(gone)
    house.advance(9.9)
    assert acted(house) == []
    house.advance(0.2)
    assert acted(house) == [(gone, "absent")]
    before = house.now
    while len([1 for seat, _ in acted(house) if seat == gone]) < 3:
        answer_once(house)
    assert house.now == before


def test_a_seat_is_warned_once_before_its_deadline_and_all_are_told_when_it_passes() -> None:
    house = full(Absences(warning=3.0))
    slow = turn(house)
    begun = house.now
    house.advance(10.0)
    for seat in range(4):
        [(at, warned)] = notes(house, seat, talk.Warned)
        assert (at - begun, warned) == (7.0, talk.Warned(slow, 3.0))
        [(at, up)] = notes(house, seat, talk.TimedOut)
        assert (at - begun, up) == (10.0, talk.TimedOut(slow))


def test_a_bot_plays_for_a_player_who_left_until_the_match_ends() -> None:
    house = full(Absences())
    house.ask("bob", talk.Leave())
    assert changes(house, 0) == [(QUIT, 1)]
    assert (house.table.places[1].kind, house.table.places[1].name) == (BOT, bot_name(1, filler(GAME)))
    while house.table.phase == PLAYING:
        answer_once(house)
    assert house.table.phase == GATHERING
    assert (house.table.places[1].kind, house.table.places[1].name) == (talk.OPEN, "")


def test_the_match_is_aborted_when_a_player_leaves_if_the_pace_requires_it() -> None:
    house = full(Absences(aborts=True))
    house.ask("bob", talk.Leave())
    assert [note for _, note in notes(house, 0, talk.Stopped)] == [talk.Stopped("quit")]
    assert house.table.phase == GATHERING
    assert [place.name for place in house.table.places] == ["ann", "", "cyd", "dan"]
    ended = [entry for entry in house.journal if isinstance(entry, journal.Ended)]
    assert [(entry.scores, entry.reason) for entry in ended] == [(None, "quit")]


def test_the_last_player_to_leave_ends_the_match() -> None:
    house = full(Absences())
    for name in ("ann", "bob", "cyd"):
        house.ask(name, talk.Leave())
        assert house.table.phase == PLAYING
    house.ask("dan", talk.Leave())
    assert house.table.phase == GATHERING
    assert [place.name for place in house.table.places] == ["", "", "", ""]


def test_a_match_without_any_connected_player_ends_after_a_while() -> None:
    house = full(Absences(abandonment=60.0), seats="dummy open dummy open")
    house.drop(1)
    house.advance(100.0)
    assert house.table.phase == PLAYING, "dan is still there"
    house.drop(3)
    house.advance(59.0)
    assert house.table.phase == PLAYING
    house.join("bob", 1)
    house.advance(100.0)
    assert house.table.phase == PLAYING, "bob is back"
    house.drop(1)
    house.advance(61.0)
    assert house.table.phase == GATHERING
    assert isinstance(house.journal[-1], journal.Rose)


def test_absent_seats_are_not_played_on_while_all_are_absent() -> None:
    house = full(Absences(absence=0.0, abandonment=60.0))
    asked = turn(house)
    for seat in range(4):
        house.drop(seat)
    house.advance(59.0)
    assert acted(house) == [(asked, "absent")], "the open question had its clock, the next one is not asked"
    house.join("ann", 0)
    assert len(acted(house)) > 1, "ann is back, and the stand-in decides for the others"
    house.drop(0)
    before = len(acted(house))
    house.advance(61.0)
    assert len(acted(house)) <= before + 1
    assert house.table.phase == GATHERING


@pytest.mark.parametrize(("absences", "waits"), [(Absences(), GRACE), (Absences(absence=40.0), 40.0)])
def test_without_a_clock_the_match_waits_for_an_absent_seat_as_long_as_the_pace_allows(
    absences: Absences, waits: float
) -> None:
    house = table(absences, "ann", "bob", "cyd", "dan", pick_card_timeout=0)
    house.drop(turn(house))
    house.advance(waits - 0.1)
    assert acted(house) == []
    house.advance(0.2)
    assert [by for _, by in acted(house)] == ["absent"]


def test_after_a_restart_the_stand_in_decides_for_players_who_do_not_return() -> None:
    house = full(Absences(absence=0.0))
    house.restart()
    house.join("ann", 0)
    house.advance(GRACE + 0.1)
    assert [place.away for place in house.table.places] == [False, True, True, True]
    assert turn(house) == 0


def test_bots_take_the_free_seats_when_no_player_comes() -> None:
    house = table(Absences(filling=30.0), "ann")
    house.advance(29.0)
    house.join("bob", 1)
    house.advance(29.0)
    assert house.table.phase == GATHERING, "a new player restarts the wait"
    house.advance(1.0)
    assert house.table.phase == PLAYING
    bots = [bot_name(seat, filler(GAME)) for seat in (2, 3)]
    assert [place.name for place in house.table.places] == ["ann", "bob", *bots]
    lone = table(Absences(filling=30.0))
    lone.advance(100.0)
    assert lone.table.phase == GATHERING, "not for nobody"


def test_bots_think_as_long_as_the_pace_prescribes() -> None:
    house = table(Absences(thinking=2.0), "ann", seats="open dummy dummy dummy")
    begun = house.now
    moments: list[float] = []
    while len(moments) < 6:
        if house.table.asked(0) is not None:
            answer_once(house)
        house.advance(0.1)
        bots = len([1 for _, by in acted(house) if by == "bot"])
        moments += [house.now] * (bots - len(moments))
    assert house.now - begun == pytest.approx(12.0, abs=0.7)
    assert len(set(moments)) == 6, "one after another"


@pytest.mark.parametrize("another", [False, True], ids=["the same", "another"])
def test_a_rematch_of_the_same_players_changes_the_options(another: bool) -> None:
    house = full(Absences())
    while house.table.phase == PLAYING:
        answer_once(house)
    if another:
        house.ask("dan", talk.Leave())
        house.join("eve", 3)
    house.ask("ann", talk.Start())
    assert house.table.match == 2
    before = house.table
    house.restart()
    for one in (before, house.table):
        assert one.rules_options == (one.setup.rules_options if another else one.game.options.read({}))


def test_a_table_for_a_single_match_closes_after_it() -> None:
    house = full(Absences(), single=True)
    while house.table.phase == PLAYING:
        answer_once(house)
    assert house.table.phase == CLOSED
    assert house.journal[-1] == journal.Closed("the match is over")
    assert notes(house, 2, talk.Closed)


def test_given_cards_are_dealt_without_a_commitment() -> None:
    deck = tuple(CARDS[::-1])
    house = full(Absences(), draws=(deck,))
    drawn = [entry.items for entry in house.journal if isinstance(entry, journal.Drew)]
    assert drawn == [list(deck)]
    assert not [entry for entry in house.journal if isinstance(entry, journal.Committed)]
    before = house.table
    house.restart()
    assert [house.table.view(seat).facts() for seat in range(4)] == [
        before.view(seat).facts() for seat in range(4)
    ]


def test_a_player_may_be_renamed_and_the_name_is_kept_after_a_restart() -> None:
    house = full(Absences())
    assert house.ask("bob", talk.Rename("bill")) == [talk.Accepted()]
    assert [note for _, note in notes(house, 0, talk.PlacesChanged)][-1] == talk.PlacesChanged(
        talk.RENAMED, 1, "bob", "bill"
    )
    assert refused(house.ask("eve", talk.Rename("eva"))) == "not_joined"
    house.restart()
    assert [place.name for place in house.table.places] == ["ann", "bill", "cyd", "dan"]


def test_absence_is_counted_from_zero_after_a_restart() -> None:
    house = full(Absences(absence=4.0))
    house.restart()
    house.advance(3.9)
    assert acted(house) == []
    house.advance(16.0)
    assert len(acted(house)) > 4, "no player came back: the match continues without them"


def test_a_secret_seed_is_not_shown() -> None:
    assert full(Absences()).table.seed == "7"
    assert full(Absences(), secret_seed=True).table.seed is None


def left_by_all() -> Recorded:
    """Return a table without clocks that all players have left in a match."""
    house = table(Absences(), *NAMES, pass_cards_timeout=0, expose_cards_timeout=0, pick_card_timeout=0)
    for seat in range(4):
        house.drop(seat)
    house.advance(GRACE + 1.0)  # a question that was asked before the last player left may be answered
    return house


def test_a_match_that_all_have_left_pauses_and_is_aborted_after_an_hour() -> None:
    house = left_by_all()
    entries = house.table.entries
    house.advance(DESERTED - GRACE - 2.0)
    assert (house.table.phase, house.table.entries) == (PLAYING, entries), "nobody plays on"
    house.advance(2.0)
    assert house.table.phase == GATHERING
    ended = [entry for entry in house.journal if isinstance(entry, journal.Ended)]
    assert [entry.reason for entry in ended] == ["abandoned"]


def test_when_one_player_is_back_absent_players_have_a_limit_again() -> None:
    house = left_by_all()
    house.advance(GRACE * 10)
    back = (turn(house) + 1) % 4
    entries = house.table.entries
    house.join(NAMES[back], back)
    house.advance(GRACE + 1.0)
    assert house.table.entries > entries, "the stand-in decides for those who are absent"


def alone_with_bots(**more: object) -> Recorded:
    """Return a table with clocks where one person plays with bots and is asked."""
    house = table(Absences(), seats="dummy dummy open dummy", pick_card_timeout=10_000, **more)
    house.join("cyd", 2, person=True)
    house.advance(1.0)
    assert house.table.asked(2) is not None
    return house


def test_a_match_whose_only_person_has_left_is_parked_for_them() -> None:
    house = alone_with_bots()
    house.drop(2)
    entries = house.table.entries
    house.advance(DESERTED / 2)
    assert (house.table.phase, house.table.entries) == (PLAYING, entries), "no clock runs out"
    house.join("cyd", 2, person=True)
    asked = house.table.asked(2)
    assert asked is not None
    assert asked.deadline == house.now + 30.0
    house.advance(31.0)
    assert house.table.entries > entries, "the clocks run again"
    house.drop(2)
    house.advance(DESERTED)
    assert house.table.phase == GATHERING


def test_a_tournament_does_not_wait_for_a_person_who_has_left() -> None:
    guests = [None, None, Guest("cyd", token_digest("secret")), None]
    house = alone_with_bots(guests=guests, patience=60.0)
    house.drop(2)
    entries = house.table.entries
    house.advance(60.0)
    assert house.table.entries > entries


def test_a_match_of_bots_is_not_deserted() -> None:
    house = table(Absences(thinking=60.0), seats=" ".join(["bot_random"] * 4))
    house.advance(2 * DESERTED)
    assert not [entry for entry in house.journal if isinstance(entry, journal.Ended) and entry.reason]
