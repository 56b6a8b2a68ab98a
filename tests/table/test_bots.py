"""The bots of a table: which one decides for a seat, and how long it takes."""

from __future__ import annotations

from croupier.core.contract import Pace, View
from croupier.games import game
from croupier.table.bots import Bots
from croupier.wire.talk import BOT, OPEN, Asked, Place

HEARTS = game("hearts")


class Absent(Pace):
    """`expert` decides for players who are away, and a bot takes a second."""

    def absence_bot(self, connected: bool) -> str:
        return "" if connected else "expert"

    def thinking(self, view: View) -> float:
        return 1.0


def bot(name: str) -> Place:
    return Place(0, BOT, name, name, connected=True)


def test_a_searching_bot_decides_for_its_seat_and_for_players_who_are_away() -> None:
    bots = Bots(HEARTS, Absent())
    player = Place(1, OPEN, name="ann", away=True)
    assert bots.searcher(bot("expert"), asked=False) == "expert"
    assert bots.searcher(bot("heuristic"), asked=False) == ""
    assert bots.searcher(player, asked=False) == "expert"
    assert bots.searcher(player, asked=True) == "", "she may still answer"
    player.away = False
    assert bots.searcher(player, asked=False) == ""


def test_only_searching_bots_of_the_seats_to_act_search() -> None:
    bots = Bots(HEARTS, Absent())
    places = [bot("expert"), Place(1, OPEN, name="ann", away=True), Place(2, OPEN, name="bob", away=True)]
    asked = [None, None, Asked(1, None)]
    assert bots.searching(places, 0b111, asked) == {0: "expert", 1: "expert"}
    assert bots.searching(places, 0b100, asked) == {}


def test_without_a_search_the_strongest_quick_bot_or_the_stand_in_decides() -> None:
    bots = Bots(HEARTS, Absent())
    assert type(bots.decider(bot("heuristic"), "bot")) is type(HEARTS.bots()["heuristic"])
    assert not bots.decider(bot("expert"), "bot").searches
    assert type(bots.decider(Place(1, OPEN, name="ann"), "clock")) is type(HEARTS.stand_in())
    assert not bots.decider(Place(1, OPEN, name="ann", away=True), "absent").searches


def test_bots_alone_keep_a_minimum_pause() -> None:
    for least, alone, seconds in ((5.0, True, 5.0), (5.0, False, 1.0), (0.5, True, 1.0)):
        assert Bots(HEARTS, Absent(), least_pause=least).thinks(View(0), alone) == seconds


def test_a_table_may_choose_the_bot_for_its_free_seats() -> None:
    assert Bots(HEARTS, Absent(), "random").filler == "random"
    assert Bots(HEARTS, Absent()).filler in HEARTS.bots()
