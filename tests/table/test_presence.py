"""Who is there and who is not: stand-ins, warnings, abandoned matches, bots that help out, given cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from croupier.core.contract import WATCHER, Pace, State, View
from croupier.core.options import Value
from croupier.games.hearts import HeartsGame
from croupier.games.hearts.pace import HeartsPace
from croupier.games.hearts.vocabulary import CARDS
from croupier.table import journal
from croupier.table.match import GRACE
from croupier.table.table import Table
from croupier.wire import talk
from croupier.wire.talk import AWAY, BACK, BOT, CLOSED, GATHERING, LOST, PLAYING, PRESENT, QUIT
from tests.table.house import House, answer_once, chance, setup


@dataclass
class Manners:
    """What a game's pace says of absence."""

    absence: float = -1.0
    autos: int = 0
    autos_gone: int = 0
    minder: str = ""
    aborts: bool = False
    abandonment: float = -1.0
    filling: float = -1.0
    warning: float = 0.0
    thinking: float = 0.0


class StrictPace(HeartsPace):
    def __init__(self, options: Mapping[str, Value], manners: Manners) -> None:
        super().__init__(options)
        self.manners = manners

    def absence(self) -> float:
        return self.manners.absence

    def autos(self, connected: bool) -> int:
        return self.manners.autos if connected else self.manners.autos_gone

    def minder(self, connected: bool) -> str:
        return self.manners.minder

    def quitting_aborts(self) -> bool:
        return self.manners.aborts

    def abandonment(self) -> float:
        return self.manners.abandonment

    def filling(self) -> float:
        return self.manners.filling

    def warning(self) -> float:
        return self.manners.warning

    def thinking(self, view: View) -> float:
        return self.manners.thinking


class StrictGame(HeartsGame):
    def __init__(self, manners: Manners) -> None:
        self.manners = manners

    def pace(self, options: Mapping[str, Value]) -> Pace:
        return StrictPace(options, self.manners)

    def rematch(self, options: Mapping[str, Value], state: State) -> Mapping[str, Value]:
        return self.options.read({})


def table(manners: Manners, *names: str, seats: str = "open open open open", **more: object) -> House:
    made = setup(seats, options={"expose": False, "pass_sequence": ["none"]}, **more)
    made.game = StrictGame(manners)
    house = House(Table(made, chance, lambda: ""))
    for seat, name in enumerate(names):
        if name:
            house.join(name, seat)
    return house


def full(manners: Manners, seats: str = "open open open open", **more: object) -> House:
    return table(manners, "ann", "bob", "cyd", "dan", seats=seats, pick_card_timeout=10_000, **more)


def turn(house: House) -> int:
    return next(seat for seat in range(4) if house.table.asked(seat) is not None)


def changes(house: House, seat: int) -> list[tuple[str, int]]:
    """Return what *seat* was told of comings and goings."""
    return [
        (note.what, note.seat)
        for _, to, note in house.told
        if to == seat and isinstance(note, talk.PlacesChanged) and note.what != talk.CAME
    ]


def notes(house: House, seat: int, kind: type) -> list[tuple[float, talk.Note]]:
    return [(at, note) for at, to, note in house.told if to == seat and isinstance(note, kind)]


def acted(house: House) -> list[tuple[int, str]]:
    return [(entry.seat, entry.by) for entry in house.written if isinstance(entry, journal.Acted)]


def lose(house: House, seat: int) -> None:
    name = house.table.places[seat].name
    house.settle(house.table.lost(name, seat, house.now))


def test_a_seat_that_is_late_again_and_again_is_away_until_its_player_shows_up() -> None:
    house = full(Manners(autos=2))
    late = turn(house)
    house.wait(10.0)
    assert acted(house) == [(late, "clock")]
    assert changes(house, late) == [], "once is not enough"
    while len([1 for seat, _ in acted(house) if seat == late]) < 2:
        if turn(house) == late:
            house.wait(10.0)
        else:
            answer_once(house)
    assert changes(house, (late + 1) % 4) == [(AWAY, late)]
    before = house.now
    while len([1 for seat, _ in acted(house) if seat == late]) < 4:
        answer_once(house)
    assert house.now == before, "nobody waits for it any more"
    assert {by for seat, by in acted(house) if seat == late} == {"clock", "absent"}
    house.ask(house.table.places[late].name, late, talk.Here())
    assert changes(house, late)[-1] == (PRESENT, late)
    while turn(house) != late:
        answer_once(house)
    assert not house.table.places[late].away


def test_an_answer_in_time_forgives_a_late_one() -> None:
    house = full(Manners(autos=2))
    late = turn(house)
    for _ in range(3):
        house.wait(10.0)
        assert house.table.places[late].late
        while turn(house) != late:
            answer_once(house)
        answer_once(house)
        while turn(house) != late:
            answer_once(house)
    assert AWAY not in [what for what, _ in changes(house, late)]


def test_a_refused_answer_forgives_nothing() -> None:
    house = full(Manners(autos=2))
    late = turn(house)
    for _ in range(2):
        refused = house.ask(house.table.places[late].name, late, talk.Act(99, (0,)))
        assert isinstance(refused[0], talk.Refused)
        house.wait(10.0)
        while AWAY not in [what for what, _ in changes(house, late)] and turn(house) != late:
            answer_once(house)
    assert changes(house, late) == [(AWAY, late)]


def test_lateness_before_a_lost_connection_does_not_count_after_it() -> None:
    house = full(Manners(autos=2, autos_gone=1))
    late = turn(house)
    house.wait(10.0)
    while turn(house) != late:
        answer_once(house)
    lose(house, late)
    house.wait(9.9)
    assert changes(house, (late + 1) % 4) == [(LOST, late)], "it has all the time of its question"
    house.wait(0.2)
    assert changes(house, (late + 1) % 4) == [(LOST, late), (AWAY, late)]


def test_a_lost_connection_is_stood_in_for_after_a_while_and_its_question_with_it() -> None:
    house = full(Manners(absence=4.0, minder="dummy"))
    gone = turn(house)
    lose(house, gone)
    assert changes(house, (gone + 1) % 4) == [(LOST, gone)]
    house.wait(3.9)
    assert acted(house) == []
    house.wait(0.2)
    assert acted(house) == [(gone, "absent")]
    assert changes(house, (gone + 1) % 4) == [(LOST, gone), (AWAY, gone)]
    house.join(house.table.places[gone].name, gone)
    assert changes(house, (gone + 1) % 4)[-2:] == [(BACK, gone), (PRESENT, gone)]


def test_where_absence_counts_at_once_only_the_open_question_keeps_its_clock() -> None:
    house = full(Manners(absence=0.0))
    gone = turn(house)
    lose(house, gone)
    house.wait(9.9)
    assert acted(house) == []
    house.wait(0.2)
    assert acted(house) == [(gone, "absent")]
    before = house.now
    while len([1 for seat, _ in acted(house) if seat == gone]) < 3:
        answer_once(house)
    assert house.now == before


def test_a_seat_is_warned_once_before_its_time_is_up_and_everybody_hears_that_it_is() -> None:
    house = full(Manners(warning=3.0))
    slow = turn(house)
    begun = house.now
    house.wait(10.0)
    for seat in range(4):
        [(at, warned)] = notes(house, seat, talk.Warned)
        assert (at - begun, warned) == (7.0, talk.Warned(slow, 3.0))
        [(at, up)] = notes(house, seat, talk.TimedOut)
        assert (at - begun, up) == (10.0, talk.TimedOut(slow))


def test_who_leaves_is_played_on_for_by_a_bot_that_gets_up_after_the_match() -> None:
    house = full(Manners())
    house.ask("bob", 1, talk.Leave())
    assert changes(house, 0) == [(QUIT, 1)]
    assert (house.table.places[1].kind, house.table.places[1].name) == (BOT, "bot2")
    while house.table.phase == PLAYING:
        answer_once(house)
    assert house.table.phase == GATHERING
    assert (house.table.places[1].kind, house.table.places[1].name) == (talk.OPEN, "")


def test_the_match_is_broken_off_when_somebody_leaves_where_the_game_says_so() -> None:
    house = full(Manners(aborts=True))
    house.ask("bob", 1, talk.Leave())
    assert [note for _, note in notes(house, 0, talk.Stopped)] == [talk.Stopped("quit")]
    assert house.table.phase == GATHERING
    assert [place.name for place in house.table.places] == ["ann", "", "cyd", "dan"]
    ended = [entry for entry in house.written if isinstance(entry, journal.Ended)]
    assert [(entry.scores, entry.reason) for entry in ended] == [(None, "quit")]


def test_the_last_player_to_leave_ends_the_match() -> None:
    house = full(Manners())
    for seat, name in enumerate(["ann", "bob", "cyd"]):
        house.ask(name, seat, talk.Leave())
        assert house.table.phase == PLAYING
    house.ask("dan", 3, talk.Leave())
    assert house.table.phase == GATHERING
    assert [place.name for place in house.table.places] == ["", "", "", ""]


def test_a_match_without_any_player_ends_after_a_while() -> None:
    house = full(Manners(abandonment=60.0), seats="dummy open dummy open")
    lose(house, 1)
    house.wait(100.0)
    assert house.table.phase == PLAYING, "dan is still there"
    lose(house, 3)
    house.wait(59.0)
    assert house.table.phase == PLAYING
    house.join("bob", 1)
    house.wait(100.0)
    assert house.table.phase == PLAYING, "bob is back"
    lose(house, 1)
    house.wait(61.0)
    assert house.table.phase == GATHERING
    assert isinstance(house.written[-1], journal.Rose)


def test_nobody_is_passed_over_where_nobody_waits() -> None:
    house = full(Manners(absence=0.0, abandonment=60.0))
    asked = turn(house)
    for seat in range(4):
        lose(house, seat)
    house.wait(59.0)
    assert acted(house) == [(asked, "absent")], "the open question had its clock, the next is not even asked"
    house.join("ann", 0)
    assert len(acted(house)) > 1, "ann is back, and the others are passed over"
    lose(house, 0)
    before = len(acted(house))
    house.wait(61.0)
    assert len(acted(house)) <= before + 1
    assert house.table.phase == GATHERING


@pytest.mark.parametrize(("manners", "waits"), [(Manners(), GRACE), (Manners(absence=40.0), 40.0)])
def test_without_a_clock_an_absent_seat_is_waited_for_as_long_as_its_absence_may_last(
    manners: Manners, waits: float
) -> None:
    house = table(manners, "ann", "bob", "cyd", "dan", pick_card_timeout=0)
    lose(house, turn(house))
    house.wait(waits - 0.1)
    assert acted(house) == []
    house.wait(0.2)
    assert [by for _, by in acted(house)] == ["absent"]


def test_after_a_restart_who_does_not_come_back_is_passed_over_as_before() -> None:
    house = full(Manners(absence=0.0))
    restored = House(Table(house.table.setup, chance, lambda: ""), now=house.now)
    restored.settle(restored.table.restore(house.written, restored.now))
    restored.join("ann", 0)
    restored.wait(GRACE + 0.1)
    assert [place.away for place in restored.table.places] == [False, True, True, True]
    assert turn(restored) == 0


def test_bots_fill_the_free_seats_when_nobody_comes() -> None:
    house = table(Manners(filling=30.0), "ann")
    house.wait(29.0)
    house.join("bob", 1)
    house.wait(29.0)
    assert house.table.phase == GATHERING, "a newcomer starts the wait again"
    house.wait(1.0)
    assert house.table.phase == PLAYING
    assert [place.name for place in house.table.places] == ["ann", "bob", "bot3", "bot4"]
    lone = table(Manners(filling=30.0))
    lone.wait(100.0)
    assert lone.table.phase == GATHERING, "not for nobody"


def test_bots_think_as_long_as_the_pace_says() -> None:
    house = table(Manners(thinking=2.0), "ann", seats="open dummy dummy dummy")
    begun = house.now
    moments: list[float] = []
    while len(moments) < 6:
        if house.table.asked(0) is not None:
            answer_once(house)
        house.wait(0.1)
        bots = len([1 for _, by in acted(house) if by == "bot"])
        moments += [house.now] * (bots - len(moments))
    assert house.now - begun == pytest.approx(12.0, abs=0.7)
    assert len(set(moments)) == 6, "one after the other"


@pytest.mark.parametrize("another", [False, True], ids=["the same", "another"])
def test_a_rematch_of_the_same_players_changes_the_options(another: bool) -> None:
    house = full(Manners())
    while house.table.phase == PLAYING:
        answer_once(house)
    if another:
        house.ask("dan", 3, talk.Leave())
        house.join("eve", 3)
    house.ask("ann", 0, talk.Start())
    assert house.table.match == 2
    restored = Table(house.table.setup, chance, lambda: "")
    restored.restore(house.written, house.now)
    for one in (house.table, restored):
        assert one.rules_options == (one.setup.rules_options if another else one.game.options.read({}))


def test_a_table_for_a_single_match_closes_after_it() -> None:
    house = full(Manners(), single=True)
    while house.table.phase == PLAYING:
        answer_once(house)
    assert house.table.phase == CLOSED
    assert house.written[-1] == journal.Closed("the match is over")
    assert notes(house, 2, talk.Closed)


def test_given_cards_are_dealt_and_nobody_commits_to_them() -> None:
    deck = tuple(CARDS[::-1])
    house = full(Manners(), draws=(deck,))
    drawn = [entry.items for entry in house.written if isinstance(entry, journal.Drew)]
    assert drawn == [list(deck)]
    assert not [entry for entry in house.written if isinstance(entry, journal.Committed)]
    restored = Table(house.table.setup, chance, lambda: "")
    restored.restore(house.written, house.now)
    assert [restored.view(seat).facts() for seat in range(4)] == [
        house.table.view(seat).facts() for seat in range(4)
    ]


def test_a_player_may_be_called_otherwise_and_a_restart_remembers() -> None:
    house = full(Manners())
    assert house.ask("bob", 1, talk.Rename("bill")) == [talk.Accepted()]
    assert [note for _, note in notes(house, 0, talk.PlacesChanged)][-1] == talk.PlacesChanged(
        talk.RENAMED, 1, "bob", "bill"
    )
    restored = Table(house.table.setup, chance, lambda: "")
    restored.restore(house.written, house.now)
    assert [place.name for place in restored.places] == ["ann", "bill", "cyd", "dan"]
    watcher = house.ask("eve", WATCHER, talk.Rename("eva"))
    assert isinstance(watcher[0], talk.Refused)


def test_absence_is_counted_anew_after_a_restart() -> None:
    house = full(Manners(absence=4.0))
    restored = House(Table(house.table.setup, chance, lambda: ""), now=house.now)
    restored.settle(restored.table.restore(house.written, restored.now))
    restored.wait(3.9)
    assert acted(restored) == []
    restored.wait(16.0)
    assert len(acted(restored)) > 4, "nobody came back: the match goes on without them"


def test_a_secret_seed_is_shown_to_nobody() -> None:
    assert full(Manners()).table.seed == "7"
    assert full(Manners(), secret_seed=True).table.seed is None
