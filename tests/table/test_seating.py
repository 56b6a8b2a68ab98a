"""The seating, without a table: places, tokens, guests, the names of bots, connections."""

from __future__ import annotations

import pytest

from croupier.core.contract import PUBLIC, WATCHER
from croupier.core.refusal import Refusal
from croupier.games import game
from croupier.table.journal import Left, Sat
from croupier.table.seating import Seating, arrangement_error
from croupier.wire.bot_names import NAMES
from croupier.wire.table_spec import Guest
from croupier.wire.talk import BOT, OPEN, PERSON
from tests.sample_game import Fact

OPENS = [OPEN] * 4


def seating(*seats: str, tokens: tuple[str, ...] = (), guests: tuple[Guest | None, ...] = ()) -> Seating:
    return Seating(seats or OPENS, tokens, guests)


def sit(made: Seating, seat: int, name: str) -> None:
    made.sit(Sat(seat, name, seat + 1, f"token of {name}", person=False))


def test_bots_sit_from_the_start_and_the_other_places_are_free() -> None:
    made = seating("open", "bot dummy", "person", "bot heuristic")
    assert [(place.kind, place.name) for place in made.places] == [
        (OPEN, ""),
        (BOT, "player2"),
        (PERSON, ""),
        (BOT, "Pavel Lipa"),
    ]
    assert not made.filled()
    sit(made, 0, "ann")
    sit(made, 2, "bob")
    assert made.filled()


def test_a_freed_place_keeps_the_name_of_its_former_player() -> None:
    made = seating()
    sit(made, 1, "ann")
    made.begin(["", "ann", "", ""])
    made.rise(1)
    place = made.places[1]
    assert (place.kind, place.name, place.former, place.token) == (OPEN, "", "ann", "")
    made.end()
    made.rise(1)
    assert made.places[1].former == "", "only during a match"


def test_the_players_of_a_match_follow_its_seats() -> None:
    made = seating()
    for seat, name in enumerate(("ann", "bob", "cyd", "dan")):
        sit(made, seat, name)
    made.begin(["ann", "bob", "cyd", "dan"])
    made.rename(1, "ben")
    made.hand_over(Left(2, "heuristic"))
    bot = made.places[2].name
    assert made.players == ["ann", "ben", bot, "dan"]
    assert made.sit(Sat(2, "eve", 3, "token of eve")), "she takes over from the bot"
    assert made.players == ["ann", "ben", "eve", "dan"]
    made.end()
    assert not made.sit(Sat(3, "fay", 4, "token of fay"))
    assert made.players == ["ann", "ben", "eve", "dan"], "those of the last match"


def test_decisions_leave_marks_which_a_new_game_clears() -> None:
    made = seating()
    place = made.places[0]
    made.mark(0, "clock", counted=True, shown=True)
    made.mark(0, "clock", counted=False, shown=False)
    made.mark(0, "fault", counted=True, shown=True)
    made.mark(0, "bot", counted=False, shown=True)
    assert (place.timeouts, place.errors, place.late) == (1, 1, True)
    late = []
    for shown in (False, True):  # secretly, then for all to see
        made.mark(0, "", counted=False, shown=shown)
        late.append(place.late)
    assert late == [True, False]
    autos = []
    for auto in (None, True, None, False):
        made.follow(Fact(PUBLIC, "quick", {}), 0, auto)
        autos.append(place.auto)
    assert autos == [False, True, True, False]
    opening = Fact(PUBLIC, "quick", {})
    opening.opens = True
    made.follow(opening, -1, False)
    assert (place.timeouts, place.errors) == (0, 0)


def test_a_seat_that_does_not_exist_or_is_taken_is_not_free() -> None:
    made = seating()
    sit(made, 1, "ann")
    made.check_free(0)
    for seat, key in ((4, "no_such_seat"), (-1, "no_such_seat"), (1, "seat_taken")):
        with pytest.raises(Refusal) as refused:
            made.check_free(seat)
        assert (refused.value.key, refused.value.about) == (key, {"seat": seat})


def test_who_is_there() -> None:
    made = seating("open", "bot dummy", "bot dummy", "bot dummy")
    assert (made.player(0), made.player(1), made.player(9)) == (None, None, None)
    assert not made.only_bots()
    sit(made, 0, "ann")
    made.connect(0, "her connection")
    assert made.player(0) is made.places[0]
    assert (made.alone(0), made.alone(1), made.present()) == (True, False, 0)
    made.places[0].away = True
    assert made.present() == 1
    assert not made.disconnect(0, "another connection")
    assert made.disconnect(0, "her connection")
    assert not made.places[0].connected


def test_a_reserved_place_is_reserved_again_when_it_is_freed() -> None:
    made = seating(tokens=("", "digest", "", ""))
    sit(made, 1, "ann")
    made.rise(1)
    assert made.places[1].token == "digest"
    expecting = seating(guests=(Guest("ann", "hers"), None, None, None))
    expecting.rise(0)
    assert (expecting.places[0].name, expecting.places[0].token) == ("ann", "hers")


def test_a_place_has_its_former_kind_again_after_a_replacement_bot() -> None:
    made = seating("person", "open", "open", "open")
    sit(made, 0, "ann")
    made.hand_over(Left(0, "heuristic"))
    assert (made.places[0].kind, made.places[0].name, made.helpers()) == (BOT, "Ida Lang", [0])
    made.rise(0)
    assert (made.places[0].kind, made.places[0].name, made.helpers()) == (PERSON, "", [])


def test_bots_get_names_that_are_not_taken() -> None:
    made = seating()
    sit(made, 0, "ann")
    sit(made, 1, "Ida Lang")
    made.hand_over(Left(0, "heuristic"))
    assert made.places[0].name == "Mira Zupan"
    made.arrange(["bot heuristic", "open", "bot heuristic", "bot heuristic"])
    names = [place.name for place in made.places]
    assert names == ["Mira Zupan", "Ida Lang", "Hugo Roux", "Pavel Lipa"]


def test_bots_of_one_strength_have_names_of_their_own() -> None:
    made = seating("bot random", "bot novice", "bot club", "bot expert")
    assert [place.name for place in made.places] == ["Tilda Moss", "Jan Vrba", "Zora Hren", "Luc Marchand"]
    assert len(set(NAMES)) == len(NAMES)


def test_an_arrangement_removes_only_players_whose_place_a_bot_gets() -> None:
    made = seating()
    sit(made, 0, "ann")
    sit(made, 1, "bob")
    assert made.arrange(["person", "bot dummy", "open", "open"]) == [1]
    assert [(place.kind, place.name) for place in made.places[:2]] == [(PERSON, "ann"), (BOT, "player2")]


def test_an_arrangement_that_gives_a_dummy_the_name_of_a_player_is_refused() -> None:
    made = seating()
    sit(made, 2, "player1")
    assert made.clash(["bot dummy", "open", "open", "open"]) == (
        "seat 0 'bot dummy': the player in seat 2 already has its name, player1"
    )
    assert made.clash(["bot dummy", "open", "bot dummy", "open"]) == "", (
        "the name of a player who loses the seat does not matter"
    )


def test_errors_of_an_arrangement() -> None:
    hearts = game("hearts")
    assert arrangement_error(hearts, OPENS, 4) == ""
    assert arrangement_error(hearts, OPENS[:3], 4) == "3 seats: expected 4"
    assert arrangement_error(hearts, ["sofa", *OPENS[:3]], 4).startswith(
        "seat 0 'sofa': expected open, person"
    )


def test_the_newest_connection_plays_the_seat() -> None:
    made = seating()
    sit(made, 0, "ann")
    assert made.absent() == [0]
    assert made.connect(0, "first") is None
    assert made.absent() == []
    assert made.connect(0, "second") == "first"
    assert (made.seat_of("second"), made.seat_of("first")) == (0, WATCHER)


def test_a_snapshot_restores_all_places_with_only_bots_connected() -> None:
    made = seating("open", "bot dummy", "person", "open")
    sit(made, 0, "ann")
    sit(made, 2, "bob")
    made.connect(0, "a")
    made.hand_over(Left(2, "heuristic"))
    again = seating()
    again.restore(made.snapshot())
    for old, new in zip(made.places, again.places, strict=True):
        assert (new.kind, new.bot, new.name, new.token, new.helps) == (
            old.kind,
            old.bot,
            old.name,
            old.token,
            old.helps,
        )
        assert new.connected == (new.kind == BOT)
