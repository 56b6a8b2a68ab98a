"""The seating, without a table: places, tokens, guests, the names of bots, connections."""

from __future__ import annotations

from croupier.core.contract import WATCHER
from croupier.games import game
from croupier.table.journal import Left, Sat
from croupier.table.seating import Seating, arrangement_error
from croupier.wire.bot_names import NAMES
from croupier.wire.table_spec import Guest
from croupier.wire.talk import BOT, OPEN, PERSON

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
    made.rise(1, "ann")
    place = made.places[1]
    assert (place.kind, place.name, place.former, place.token) == (OPEN, "", "ann", "")


def test_a_reserved_place_is_reserved_again_when_it_is_freed() -> None:
    made = seating(tokens=("", "digest", "", ""))
    sit(made, 1, "ann")
    made.rise(1, "")
    assert made.places[1].token == "digest"
    expecting = seating(guests=(Guest("ann", "hers"), None, None, None))
    expecting.rise(0, "")
    assert (expecting.places[0].name, expecting.places[0].token) == ("ann", "hers")


def test_a_place_has_its_former_kind_again_after_a_replacement_bot() -> None:
    made = seating("person", "open", "open", "open")
    sit(made, 0, "ann")
    made.hand_over(Left(0, "heuristic"))
    assert (made.places[0].kind, made.places[0].name, made.helpers()) == (BOT, "Ida Lang", [0])
    made.rise(0, "")
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
