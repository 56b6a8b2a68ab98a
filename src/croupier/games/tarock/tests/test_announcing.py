"""Announcements and kontra: R8, R9."""

from __future__ import annotations

import pytest

from croupier.core.contract import IllegalAction
from croupier.games.tarock import sides
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.tests.positions import (
    act,
    declare,
    kinds,
    legal,
    play,
    playable,
    silence,
    told,
    transcript,
)
from croupier.games.tarock.vocabulary import BONUSES, ITEMS, PLAYING, of_mask

# In the transcript's deal seat 1 is declarer; seat 3 holds HK and T1, seat 1 DK, the talon SK.


def announcing(king: str = "H", **options: object) -> TarockState:
    """Return the transcript's deal before the announcements."""
    state = transcript(**options)
    declare(state, 1, "two")
    act(state, 1, f"call {king}", "take 1", "discard CJ", "discard HQ")
    told(state)
    return state


def words_of(state: TarockState, words: str) -> tuple[str, str]:
    with pytest.raises(IllegalAction) as caught:
        act(state, int(state.turn), words)
    return caught.value.key, str(caught.value)


def bonuses(state: TarockState) -> list[str]:
    """Return the bonuses the seat to act may announce; its view must say the same."""
    found = [word.removeprefix("announce ") for word in legal(state) if word.startswith("announce")]
    assert of_mask(BONUSES, state.view(int(state.turn)).valid_bonuses()) == found
    return found


def kontras(state: TarockState) -> list[str]:
    """Return the items the seat to act may double; its view must say the same."""
    found = [word.removeprefix("kontra ") for word in legal(state) if word.startswith("kontra")]
    assert of_mask(ITEMS, state.view(int(state.turn)).valid_kontras()) == found
    return found


# R8


def test_the_round_of_the_transcript() -> None:
    state = announcing()
    assert (state.turn, bonuses(state)) == (1, ["trula", "kings", "valat"])
    act(state, 1, "announce trula", "done")
    assert (state.turn, bonuses(state)) == (2, ["kings", "valat"])
    act(state, 2, "done")
    assert (state.turn, bonuses(state)) == (3, ["kings", "kings_ultimo", "pagat_ultimo", "valat"])
    act(state, 3, "announce kings_ultimo", "done")
    assert (state.turn, bonuses(state)) == (0, ["kings", "valat"])
    act(state, 0, "done")
    assert state.phase == PLAYING


def test_who_may_announce_what() -> None:  # R8.1
    state = announcing()
    assert words_of(state, "announce pagat_ultimo")[1].endswith("it needs T1 in hand")
    assert words_of(state, "announce kings_ultimo")[1].endswith("it needs the called king in hand")
    act(state, 1, "announce kings", "done")
    assert words_of(state, "announce kings") == (
        "invalid_bonus",
        "announce kings: seat 1 has announced it",
    )


def test_a_turn_is_told_as_a_whole_when_it_is_done() -> None:
    state = announcing()
    act(state, 1, "announce trula")
    (claimed,) = told(state)
    assert claimed.plain() == {"kind": "claimed", "seat": 1, "bonus": "trula", "kontra": None}
    assert claimed.audience == 0b0010
    assert state.view(1).facts()["claimed"] == ["trula"]
    assert all(state.view(seat).facts()["claimed"] == [] for seat in (0, 2, 3, -2))
    assert words_of(state, "announce trula")[0] == "invalid_bonus"  # in ascending order: already announced
    act(state, 1, "announce kings", "done")
    announced = told(state)[-1]
    assert announced.plain() == {
        "kind": "announced",
        "seat": 1,
        "bonuses": ["trula", "kings"],
        "kontras": [],
        "next": 2,
    }


def test_one_question_is_a_whole_turn() -> None:
    state = announcing()
    first = state.question(1)
    act(state, 1, "announce trula")
    assert state.question(1) == first >= 0
    act(state, 1, "done")
    assert state.question(2) != first


def test_valat_voids_all_other_announcements_and_ends_them() -> None:  # R8.4
    state = announcing()
    act(state, 1, "done")
    act(state, 2, "done")
    act(state, 3, "announce kings_ultimo", "announce pagat_ultimo", "announce valat", "done")
    assert bonuses(state) == []
    assert "valat is announced" in words_of(state, "announce trula")[1]
    act(state, 0, "done")
    # A void ultimo brings no obligation.
    play(state, "D2 D1 DJ DN")
    play(state, "H2 T9 H4")
    assert "HK" in playable(state)


def test_an_announced_ultimo_requires_keeping_its_card() -> None:  # R8.3
    state = announcing()
    act(state, 1, "done")
    act(state, 2, "done")
    act(state, 3, "announce kings_ultimo", "announce pagat_ultimo", "done")
    act(state, 0, "done")
    play(state, "D2 D1 DJ DN")
    play(state, "H2 T9 H4")
    assert playable(state) == ["H1", "HN"]
    key, words = words_of(state, "play HK")
    assert (key, words) == ("keep_ultimo", "play HK: you have announced it for the last trick")
    play(state, "H1 T10 T2")
    assert playable(state) == ["T6", "T7", "T20"]


def test_announcing_the_kings_ultimo_shows_the_partner() -> None:  # R8.2
    state = announcing()
    act(state, 1, "done")
    act(state, 2, "done")
    act(state, 3, "announce kings_ultimo", "done")
    assert all(state.view(seat).partner() == 3 for seat in (0, 1, 2, 3, -2))
    state = announcing(king="D")
    act(state, 1, "announce kings_ultimo", "done")
    assert all(state.view(seat).partner() == -1 for seat in (0, 1, 2, 3, -2))


def test_the_phase_is_skipped_without_announcements() -> None:
    state = announcing(announcements=False)
    assert state.phase == PLAYING


def test_solo_without_has_announcements_only_with_difference() -> None:
    state = transcript()
    declare(state, 2, "solo_without")
    assert state.phase == PLAYING
    state = transcript(solo_without="difference")
    declare(state, 2, "solo_without")
    assert bonuses(state) == ["trula", "kings", "valat"]
    silence(state)
    assert (state.phase, state.turn) == (PLAYING, 2)  # declarer leads


# R9


def test_the_game_is_doubled_by_turns() -> None:  # R9.1
    state = announcing(kontra=True)
    assert kontras(state) == []  # declarer's own game
    act(state, 1, "done")
    assert kontras(state) == ["game"]
    act(state, 2, "kontra game", "done")
    assert kontras(state) == ["game"]  # the partner knows whose it is
    act(state, 3, "done")
    assert kontras(state) == []  # it is the turn of declarer's side to answer
    assert words_of(state, "kontra game")[1].endswith("it is not your side's turn to double it")
    act(state, 0, "done")
    act(state, 1, "kontra game", "done")
    act(state, 2, "kontra game", "done")
    act(state, 3, "done")
    act(state, 0, "done")
    act(state, 1, "kontra game", "done")
    assert state.view(0).facts()["kontra"] == {item: 16 if item == "game" else 1 for item in ITEMS}
    assert kontras(state) == []
    assert words_of(state, "kontra game")[1].endswith("it cannot be doubled any more")


@pytest.mark.parametrize(("most", "steps"), [(2, 1), (4, 2), (8, 3), (16, 4)])
def test_the_highest_factor_is_an_option(most: int, steps: int) -> None:
    state = announcing(kontra=True, kontra_max=most)
    act(state, 1, "done")
    for _ in range(steps):
        act(state, int(state.turn), "kontra game", "done")
        while state.phase != PLAYING and not kontras(state) and state.idle < 3 and state.turns < 60:
            act(state, int(state.turn), "done")
    assert state.view(0).facts()["kontra"] == {item: most if item == "game" else 1 for item in ITEMS}


def test_everyone_is_asked_until_three_turns_in_a_row_were_empty() -> None:  # R9.3
    state = announcing(kontra=True)
    act(state, 1, "done")
    act(state, 2, "done")
    act(state, 3, "done")
    act(state, 0, "done")
    assert state.phase == PLAYING
    state = announcing(kontra=True)
    for seat in (1, 2):
        act(state, seat, "done")
    act(state, 3, "announce pagat_ultimo", "done")
    act(state, 0, "done")
    assert (state.turn, bonuses(state)) == (1, [])  # bonuses in the first turn only
    assert "first turn only" in words_of(state, "announce trula")[1]
    act(state, 1, "done")
    act(state, 2, "done")
    assert state.phase == PLAYING
    assert kinds(told(state))[-2:] == ["announcing_ended", "play_started"]
    assert [turn.seat for turn in state.view(0).turns] == [1, 2, 3, 0, 1, 2]


def test_what_may_be_doubled_depends_on_what_the_seat_knows() -> None:  # R9.2
    state = announcing(kontra=True)
    act(state, 1, "announce trula", "done")
    act(state, 2, "done")
    act(state, 3, "announce pagat_ultimo", "done")
    # Seat 0 cannot know the side of 3; everyone knows that 1 is an opponent.
    assert kontras(state) == ["game", "trula"]
    act(state, 0, "done")
    assert kontras(state) == []  # nor can declarer
    act(state, 1, "done")
    assert state.view(2).partner() == sides.UNKNOWN


def test_doubling_reveals_the_side() -> None:  # R9.2
    state = announcing(kontra=True)
    act(state, 1, "announce trula", "done")
    act(state, 2, "kontra game", "done")
    assert state.view(0).side(2) == sides.OPPONENTS
    assert state.view(0).side(3) == sides.UNKNOWN
    act(state, 3, "kontra game", "done")  # the answer: only declarer's partner could give it
    assert all(state.view(seat).partner() == 3 for seat in (0, 1, 2, 3, -2))


def test_doubling_a_bonus_of_an_unknown_side_reveals_the_holder_of_the_king() -> None:  # R9.2
    state = announcing(kontra=True)
    act(state, 1, "done")
    act(state, 2, "announce kings", "done")
    assert kontras(state) == ["kings"]  # the partner knows that 2 is a foe; the game is their own side's
    act(state, 3, "kontra kings", "done")
    assert all(state.view(seat).partner() == 3 for seat in (0, 1, 2, -2))


def test_a_void_bonus_is_not_an_item() -> None:
    state = announcing(kontra=True)
    act(state, 1, "announce trula", "announce valat", "done")
    assert kontras(state) == ["game", "valat"]
    twin = state.clone()
    act(twin, 2, "kontra valat")
    assert "items come in the order game, trula" in words_of(twin, "kontra game")[1]
    assert "trula is not announced" in words_of(state, "kontra trula")[1]


def test_without_bonuses_only_the_game_is_doubled() -> None:  # R9.4
    state = transcript(kontra=True)
    declare(state, 2, "beggar")
    assert (state.turn, bonuses(state), kontras(state)) == (2, [], [])
    assert "nothing can be announced in this beggar" in words_of(state, "announce trula")[1]
    act(state, 2, "done")
    assert (bonuses(state), kontras(state)) == ([], ["game"])


def test_no_kontra_without_the_option() -> None:
    state = announcing()
    act(state, 1, "done")
    assert kontras(state) == []
    assert words_of(state, "kontra game") == (
        "invalid_kontra",
        "kontra game: there is no kontra at this table",
    )


def test_kontra_without_announcements_leaves_only_the_game() -> None:
    state = announcing(kontra=True, announcements=False)
    assert bonuses(state) == []
    act(state, 1, "done")
    assert kontras(state) == ["game"]
