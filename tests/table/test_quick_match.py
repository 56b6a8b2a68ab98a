"""Quick matches: the wait for people, bots in free seats, people who replace them, another match."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.games import game as find_game
from croupier.games import names
from croupier.net.quick_match import spec_of
from croupier.table.clock import REMATCH, RETURN
from croupier.table.setup import setup_of
from croupier.testing.house import Client, VirtualTable
from croupier.wire.house import HouseConversation
from croupier.wire.talk import GATHERING, PLAYING

Frame = dict[str, Any]
WAIT = 30.0


def opened(game: str = "hearts", quick: bool = True, **options: Any) -> VirtualTable:
    """Return the table of a quick match with short deals."""
    found = find_game(game)
    spec = spec_of(found, WAIT, [])
    how = {"options": {**spec.options, **options}, "seed": "quick"}
    return VirtualTable(
        setup_of("q", found, msgspec.structs.replace(spec, **how, quick_match=WAIT if quick else 0.0))
    )


class Person:
    """A person at the page."""

    def __init__(self, house: VirtualTable, name: str) -> None:
        self.house = house
        self.name = name
        self.client: Client = house.connect(HouseConversation)
        self.heard: list[Frame] = []
        self.table: Frame = {}
        self.read()

    def ask(self, type: str, **members: Any) -> Frame:
        """Send a message; return its answer."""
        self.client.send({"type": type, "id": "x", **members})
        frames = self.read()
        return next(frame for frame in frames if frame.get("id") == "x")

    def join(self, **members: Any) -> Frame:
        return self.ask("join", name=self.name, token=f"token of {self.name}", person=True, **members)

    def read(self) -> list[Frame]:
        """Return the new frames."""
        frames = self.client.read()
        self.heard += frames
        for frame in frames:
            if frame["type"] == "table":
                self.table = frame
        return frames


def play(house: VirtualTable, *people: Person, until: str) -> None:
    """Let *people* answer their questions until one of them hears an event of the kind *until*."""
    marks = [len(person.heard) for person in people]

    def heard() -> bool:
        for person in people:
            person.read()
        return any(
            frame.get("event", {}).get("kind") == until
            for person, mark in zip(people, marks, strict=True)
            for frame in person.heard[mark:]
        )

    for _ in range(20_000):
        if heard():
            return
        for person in people:
            seat = person.client.conversation.seat
            if seat >= 0 and house.table.asked(seat) is not None:
                name = house.table.game.actions.name
                legal = [name(action) for action in house.table.view(seat).legal]
                asked = house.table.asked(seat)
                assert asked is not None
                actions = legal[: 3 if legal[0].startswith("pass ") else 1]
                assert person.ask("act", turn=asked.turn, actions=actions)["type"] == "accepted"
        house.advance(0.5)
    raise AssertionError(f"no {until}")


def seats(house: VirtualTable) -> list[str]:
    """Return who sits where: names of people, or the word bot."""
    return [place.name if place.kind != "bot" else "bot" for place in house.table.places]


def begun(house: VirtualTable, *people: Person) -> None:
    """Let *people* join, and bots take the other seats."""
    for person in people:
        assert person.join()["type"] == "joined"
    house.advance(WAIT)
    assert house.table.phase == PLAYING


# Waiting.


@pytest.mark.parametrize("game", names())
def test_bots_take_the_free_seats_after_a_wait_that_everyone_sees(game: str) -> None:
    house = opened(game)
    ann, bob, watcher = (Person(house, name) for name in ("ann", "bob", "watcher"))
    assert (ann.table["quick_match"], ann.table["bots_in"]) == (True, None)
    ann.join()
    house.advance(10.0)
    few = len(house.table.places) == 2
    if not few:
        bob.join()
        watcher.read()
        assert bob.table["bots_in"] == watcher.table["bots_in"] == WAIT - 10.0
    house.advance(WAIT - 11.0)
    assert house.table.phase == GATHERING, "those who come later do not prolong the wait"
    house.advance(1.0)
    assert house.table.phase == PLAYING
    assert seats(house) == (["ann", "bot"] if few else ["ann", "bob", "bot", "bot"])
    ann.read()
    assert ann.table["bots_in"] is None


def test_the_wait_begins_anew_when_everyone_has_left() -> None:
    house = opened()
    Person(house, "ann").join()
    house.advance(20.0)
    house.clients[0].drop()
    bob = Person(house, "bob")
    bob.join()
    assert bob.table["bots_in"] == WAIT


def test_a_player_lets_a_bot_sit_in_a_free_seat() -> None:
    house = opened()
    ann, eve = Person(house, "ann"), Person(house, "eve")
    ann.join()
    assert eve.ask("fill", seat=1)["key"] == "not_seated"
    assert ann.ask("fill", seat=0)["key"] == "seat_taken"
    assert ann.ask("fill", seat=4)["key"] == "no_such_seat"
    for seat in (1, 2):
        assert ann.ask("fill", seat=seat)["type"] == "accepted"
    assert (house.table.phase, seats(house)) == (GATHERING, ["ann", "bot", "bot", ""])
    assert ann.ask("arrange", seats=["bot dummy"] * 4)["key"] == "not_now", "nobody evicts strangers"
    ann.ask("fill", seat=3)
    assert house.table.phase == PLAYING
    assert ann.ask("fill", seat=3)["key"] == "not_now"


def test_a_person_takes_the_seat_of_a_bot_at_once_while_the_table_waits() -> None:
    house = opened()
    people = [Person(house, name) for name in ("ann", "bob", "cyd")]
    people[0].join()
    people[0].ask("fill", seat=1)
    for person in people[1:]:
        person.join()
    dan = Person(house, "dan")
    assert seats(house) == ["ann", "bot", "bob", "cyd"]
    assert house.table.phase == PLAYING
    assert dan.join()["type"] == "accepted"


# People replace bots.


def test_a_person_replaces_a_bot_when_the_next_deal_begins() -> None:
    house = opened()
    ann, bob, eve = Person(house, "ann"), Person(house, "bob"), Person(house, "eve")
    begun(house, ann)
    assert eve.join()["type"] == "accepted"
    assert bob.join(seat=2)["type"] == "accepted"
    assert bob.join()["key"] == "already_joined"
    assert seats(house) == ["ann", "bot", "bot", "bot"]
    ann.read()
    assert [place["next"] for place in ann.table["seats"]] == ["", "eve", "bob", ""]
    hands = [frame for frame in bob.heard if frame.get("event", {}).get("kind") == "dealt"]
    assert not hands, "before the next deal they watch"
    play(house, ann, until="deal_ended")
    house.advance(1.0)
    assert seats(house) == ["ann", "eve", "bob", "bot"]
    play(house, ann, bob, eve, until="dealt")
    joined = [frame for frame in bob.read() + bob.heard if frame["type"] == "joined"]
    assert joined == [{"type": "joined", "seat": 2, "back": False, "id": None}]
    assert (bob.table["you"], bob.table["answer_in"]) == (2, None)
    assert ann.ask("undo")["key"] == "no_undo", "the match is no longer among bots"
    play(house, ann, bob, eve, until="deal_ended")
    assert house.table.match == 1


def test_a_person_who_does_not_wait_loses_nothing_but_the_seat() -> None:
    house = opened()
    ann, bob = Person(house, "ann"), Person(house, "bob")
    begun(house, ann)
    bob.join()
    bob.client.drop()
    ann.read()
    assert not any(place["next"] for place in ann.table["seats"])
    again, other = Person(house, "bob"), Person(house, "bob")
    assert again.join()["type"] == other.join()["type"] == "accepted", "the newer connection waits"
    assert Person(house, "b\u043eb").join()["key"] == "name_taken"
    play(house, ann, until="deal_ended")
    house.advance(1.0)
    assert again.client.conversation.seat < 0 <= other.client.conversation.seat


def test_programs_do_not_replace_bots_and_other_tables_have_none_to_replace() -> None:
    house = opened()
    begun(house, Person(house, "ann"))
    program = Person(house, "program")
    assert program.ask("join", name="program")["key"] == "table_full"
    plain = opened(quick=False)
    ann = Person(plain, "ann")
    ann.join()
    for seat in (1, 2, 3):
        ann.ask("fill", seat=seat)
    assert plain.table.phase == PLAYING
    assert Person(plain, "bob").join()["key"] == "table_full"


def test_a_replaced_bot_stays_replaced_after_a_restart() -> None:
    house = opened()
    ann, bob = Person(house, "ann"), Person(house, "bob")
    begun(house, ann)
    bob.join()
    play(house, ann, until="deal_ended")
    house.advance(1.0)
    before = [(place.name, place.kind) for place in house.table.places]
    assert seats(house) == ["ann", "bob", "bot", "bot"]
    house.restart()
    assert [(place.name, place.kind) for place in house.table.places] == before
    ann, bob = Person(house, "ann"), Person(house, "bob")
    assert [ann.join()["back"], bob.join()["back"]] == [True, True]
    play(house, ann, bob, until="deal_ended")
    assert house.table.match == 1


# Another match.


def ended(*names: str, quick: bool = True) -> tuple[VirtualTable, list[Person]]:
    """Return a table after a match of these people and bots."""
    house = opened(quick=quick, deals=1, target=0)
    people = [Person(house, name) for name in names]
    for person in people:
        person.join()
    for seat, place in enumerate(house.table.places):
        if not place.name:
            people[0].ask("fill", seat=seat)
    play(house, *people, until="match_ended")
    house.advance(1.0)
    assert house.table.phase == GATHERING
    for person in people:
        person.read()
    return house, people


def test_after_a_match_nothing_happens_until_someone_answers() -> None:
    house, [ann, _] = ended("ann", "bob")
    house.advance(300.0)
    assert (house.table.phase, seats(house)) == (GATHERING, ["ann", "bob", "", ""])
    ann.read()
    assert (ann.table["bots_in"], ann.table["answer_in"]) == (None, None)
    assert not any(place["ready"] for place in ann.table["seats"])


def test_a_player_who_reloads_the_page_after_a_match_has_not_answered() -> None:
    house, [ann] = ended("ann")
    ann.client.drop()
    again = Person(house, "ann")
    assert again.join()["type"] == "joined"
    assert not any(place["ready"] for place in again.table["seats"])
    house.advance(300.0)
    assert house.table.match == 1
    again.ask("start")
    house.advance(WAIT)
    assert house.table.match == 2


def test_everybody_who_wants_plays_again() -> None:
    house, [ann, bob] = ended("ann", "bob")
    assert ann.ask("start")["type"] == "accepted"
    bob.read()
    assert [place["ready"] for place in bob.table["seats"]] == [True, False, False, False]
    assert bob.table["answer_in"] == bob.table["bots_in"] == WAIT
    bob.ask("start")
    bob.read()
    assert (bob.table["answer_in"], bob.table["bots_in"]) == (None, WAIT), "others may join until then"
    house.advance(WAIT)
    assert (house.table.match, seats(house)) == (2, ["ann", "bob", "bot", "bot"])


def test_the_seat_of_a_person_who_does_not_answer_is_free_for_others() -> None:
    house, [ann, bob] = ended("ann", "bob")
    eve = Person(house, "eve")
    ann.ask("start")
    house.advance(WAIT)
    bob.read()
    assert (house.table.match, seats(house)) == (2, ["ann", "bot", "bot", "bot"])
    assert bob.table["you"] is None
    assert eve.join(seat=1)["type"] == bob.join()["type"] == "accepted"


@pytest.mark.parametrize("quick", [True, False])
def test_the_next_match_does_not_begin_while_a_player_reloads_the_page(quick: bool) -> None:
    house, [ann, bob, cyd, dan] = ended("ann", "bob", "cyd", "dan", quick=quick)
    for person in (ann, bob, cyd):
        person.ask("start")
    dan.client.drop()
    house.advance(RETURN - 1.0)
    again = Person(house, "dan")
    assert again.join()["type"] == "joined"
    house.advance(2.0)
    assert house.table.match == 1, "they have not answered"
    again.read()
    assert again.table["answer_in"] == pytest.approx((WAIT if quick else REMATCH) - (RETURN - 1.0))
    again.ask("start")
    assert (house.table.match, seats(house)) == (2, ["ann", "bob", "cyd", "dan"])


def test_a_player_who_agreed_and_reloads_the_page_is_waited_for() -> None:
    house, [ann, bob, cyd, dan] = ended("ann", "bob", "cyd", "dan", quick=False)
    for person in (ann, bob, cyd):
        person.ask("start")
    ann.client.drop()
    dan.ask("start")
    again = Person(house, "ann")
    again.join()
    again.ask("start")
    assert (house.table.match, seats(house)) == (2, ["ann", "bob", "cyd", "dan"])


def test_a_player_who_does_not_come_back_delays_the_others_for_seconds_only() -> None:
    house, [ann, bob, cyd, dan] = ended("ann", "bob", "cyd", "dan", quick=False)
    for person in (ann, bob, cyd):
        person.ask("start")
    dan.client.drop()
    ann.read()
    assert ann.table["answer_in"] == REMATCH
    house.advance(RETURN)
    ann.read()
    assert ann.table["answer_in"] is None
    Person(house, "eve").join()
    assert (house.table.match, seats(house)) == (2, ["ann", "bob", "cyd", "eve"])


def test_one_who_leaves_instead_of_answering_does_not_delay_the_others() -> None:
    house, [ann, bob, cyd, dan] = ended("ann", "bob", "cyd", "dan")
    for person in (ann, bob, cyd):
        person.ask("start")
    assert house.table.match == 1
    dan.ask("leave")
    ann.read()
    assert ann.table["answer_in"] is None
    Person(house, "eve").join()
    assert (house.table.match, seats(house)) == (2, ["ann", "bob", "cyd", "eve"])


def test_a_wish_for_another_match_ends_with_the_person_who_had_it() -> None:
    house, [ann, bob] = ended("ann", "bob")
    ann.ask("start")
    ann.ask("leave")
    house.advance(300.0)
    bob.read()
    assert (house.table.phase, seats(house)) == (GATHERING, ["", "bob", "", ""])
    assert (bob.table["answer_in"], bob.table["bots_in"]) == (None, None)


def test_a_newcomer_after_a_match_asks_for_the_next_one() -> None:
    house, [ann] = ended("ann")
    bob = Person(house, "bob")
    bob.join()
    ann.read()
    assert ann.table["answer_in"] == WAIT
    ann.ask("start")
    house.advance(WAIT)
    assert (house.table.match, seats(house)) == (2, ["ann", "bob", "bot", "bot"])


def test_a_person_who_waits_for_a_deal_gets_a_seat_when_the_match_ends() -> None:
    house = opened(deals=1, target=0)
    ann, bob = Person(house, "ann"), Person(house, "bob")
    begun(house, ann)
    assert bob.join()["type"] == "accepted"
    play(house, ann, until="match_ended")
    house.advance(1.0)
    bob.read()
    assert (seats(house), bob.table["you"]) == (["ann", "bob", "", ""], 1)


@pytest.mark.parametrize("answers", [True, False])
def test_people_at_other_tables_agree_to_another_match_too(answers: bool) -> None:
    house, [ann, bob] = ended("ann", "bob", quick=False)
    ann.ask("start")
    assert house.table.match == 1
    if answers:
        bob.ask("start")
    house.advance(REMATCH)
    assert seats(house) == ["ann", "bob" if answers else "", "", ""]
    for seat, name in enumerate(seats(house)):
        if not name:
            ann.ask("fill", seat=seat)
    assert house.table.match == 2
