"""The called king and the talon: R6, R7."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import cards_of, count, mask_of
from croupier.core.contract import IllegalAction
from croupier.games.tarock import sides
from croupier.games.tarock.legality import discardable, next_discards
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.tests.positions import (
    act,
    cards,
    dealt,
    declare,
    kinds,
    legal,
    mask,
    play,
    silence,
    told,
    transcript,
)
from croupier.games.tarock.vocabulary import ACTIONS, KINGS, PLAIN, TAROCKS, TRULA, names, shown
from croupier.testing.strategies import examples


def key_of(state: TarockState, words: str) -> str:
    with pytest.raises(IllegalAction) as caught:
        act(state, int(state.turn), words)
    return caught.value.key


# R6 The king


def test_the_holder_of_the_called_king_is_the_partner_and_alone_knows_it() -> None:  # R6.1
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H")
    assert state.partner == 3
    assert state.view(3).partner() == 3
    for seat in (0, 1, 2, -2):
        assert state.view(seat).partner() == sides.UNKNOWN
        assert state.view(seat).facts()["partner"] is None
        assert state.view(seat).facts()["partner_known"] is False


def test_declarer_may_call_an_own_king_and_only_they_know_they_are_alone() -> None:  # R6.1
    state = transcript()
    declare(state, 1, "two")
    assert legal(state) == ["call C", "call S", "call H", "call D"]
    act(state, 1, "call D")
    assert state.partner == -1
    assert state.view(1).partner() == -1
    assert state.view(1).facts()["partner_known"] is True
    assert all(state.view(seat).partner() == sides.UNKNOWN for seat in (0, 2, 3, -2))


def test_a_king_in_the_talon_leaves_declarer_alone_for_all_to_see() -> None:  # R6.2
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call S")
    assert state.partner == -1
    assert all(state.view(seat).partner() == -1 for seat in (0, 1, 2, 3, -2))


def test_playing_the_king_shows_the_partner() -> None:  # R6.1
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1", "discard CJ", "discard HQ")
    silence(state)
    play(state, "D2 D1 DJ DN")
    play(state, "H2 T9 H4 HK")
    assert all(state.view(seat).partner() == 3 for seat in (0, 1, 2, 3, -2))


HANDS = [
    "S8 S9 S10 T3 T4 T5 T6 D1 D2 D3 D4 DJ",
    "CK CQ CJ C7 T7 T8 T9 T10 T11 T12 T13 T14",
    "S7 SJ SN T15 T16 T17 T18 H4 H3 H2 H1 HJ",
    "SK CN C8 C9 C10 T19 T20 HN HQ HK DN DQ",
]
TALON = "DK T21 T1 T2 SQ TS"


@pytest.mark.parametrize(("third", "given"), [("DN", True), ("T19", False)])
def test_the_king_must_win_the_trick_itself(third: str, given: bool) -> None:  # R6.3
    hands = HANDS[:]
    hands[2] = "S7 SJ SN T15 T16 T17 T18 H4 H3 H2 H1 DQ"
    hands[3] = "SK CN C8 C9 C10 T19 T20 HN HQ HK DN HJ" if given else "SK CN C8 C9 C10 T19 T20 HN HQ HK CQ HJ"
    hands[1] = (
        "CK CQ CJ C7 T7 T8 T9 T10 T11 T12 T13 T14" if given else "CK DN CJ C7 T7 T8 T9 T10 T11 T12 T13 T14"
    )
    state = dealt(hands, TALON, deals=1)
    declare(state, 1, "two")
    act(state, 1, "call D", "take 0", "discard C7", "discard CJ")
    silence(state)
    rest = mask("T1 T2 SQ TS")
    play(state, f"DK DQ {third} D1")
    assert state.rest == (0 if given else rest)
    assert state.piles[1] & rest == (rest if given else 0)
    # The mond was in the set that was taken, so nothing is lost by it.
    assert state.hands[1] & mask("T21")


def test_declarer_need_not_take_the_set_with_the_king() -> None:  # R6.3
    state = dealt(HANDS, TALON, deals=1)
    declare(state, 1, "two")
    act(state, 1, "call D", "take 1", "discard C7", "discard CJ")
    assert state.rest == mask("DK T21 SQ TS")
    assert state.hands[1] & mask("T1 T2") == mask("T1 T2")


# R7 The talon


@pytest.mark.parametrize(
    ("contract", "sets"),
    [
        ("three", ["S10 T17 HQ", "SK SJ D4"]),
        ("two", ["S10 T17", "HQ SK", "SJ D4"]),
        ("one", ["S10", "T17", "HQ", "SK", "SJ", "D4"]),
        ("solo_three", ["S10 T17 HQ", "SK SJ D4"]),
        ("solo_two", ["S10 T17", "HQ SK", "SJ D4"]),
        ("solo_one", ["S10", "T17", "HQ", "SK", "SJ", "D4"]),
    ],
)
def test_the_talon_is_laid_out_in_its_order(contract: str, sets: list[str]) -> None:  # R7.1
    state = transcript()
    declare(state, 1, contract)
    if legal(state)[0].startswith("call"):
        act(state, 1, "call C")
    assert legal(state) == [f"take {number}" for number in range(len(sets))]
    facts = state.view(0).facts()
    assert facts["talon"] == [text.split() for text in sets]
    assert facts["count"] == len(sets[0].split())
    act(state, 1, f"take {len(sets) - 1}")
    assert state.hands[1] & mask(sets[-1]) == mask(sets[-1])
    assert count(state.hands[1]) == 12 + len(sets[-1].split())


def test_cards_that_may_not_be_discarded_are_told_for_each_set() -> None:  # the transcript's exchange.start
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H")
    view = state.view(1)
    assert names(view.invalid_cards()) == ["DK", "T9", "T10", "T11", "T14", "T15", "T19", "T21", "TS"]
    assert [names(found) for found in view.invalid_by_set()] == [
        ["DK", "T9", "T10", "T11", "T14", "T15", "T17", "T19", "T21", "TS"],
        ["SK", "DK", "T9", "T10", "T11", "T14", "T15", "T19", "T21", "TS"],
        ["DK", "T9", "T10", "T11", "T14", "T15", "T19", "T21", "TS"],
    ]
    assert view.facts()["layable"] == [
        ["C8", "CJ", "S10", "D2"],
        ["C8", "CJ", "HQ", "D2"],
        ["C8", "CJ", "SJ", "D4", "D2"],
    ]
    assert state.view(0).facts()["layable"] == []
    act(state, 1, "take 1")
    assert state.view(1).facts()["layable"] == []


@pytest.mark.parametrize(
    ("held", "many", "expected"),
    [
        # plain cards enough: only they
        ("C7 CQ S8 HK T1 T5 T21 TS", 3, "C7 CQ S8"),
        # too few: they and any tarock except the trula
        ("C7 CQ HK T1 T5 T9 T21 TS", 3, "C7 CQ T5 T9"),
        ("HK T1 T5 T9 T21 TS", 1, "T5 T9"),
    ],
)
def test_which_cards_may_be_discarded(held: str, many: int, expected: str) -> None:  # R7.2
    assert shown(discardable(mask(held), many, False)) == expected.split()
    free = mask(held) & (PLAIN | TAROCKS) & ~TRULA
    assert discardable(mask(held), many, True) == free


@pytest.mark.slow
@examples(300)
@given(st.data())
def test_picks_reach_every_allowed_set_and_no_other(data: st.DataObject) -> None:  # R7.2
    many = data.draw(st.integers(1, 3))
    size = 12 + many
    pool = data.draw(st.permutations(range(54)))
    # Hands of tarocks and kings, too, where plain cards run out.
    heavy = [card for card in pool if card >= 32 or card % 8 == 7]
    plain = data.draw(st.integers(0, 6))
    light = [card for card in pool if card not in heavy]
    held = int(mask_of((light[:plain] + heavy)[:size] if data.draw(st.booleans()) else pool[:size]))
    free = data.draw(st.booleans())
    reached: set[int] = set()

    def walk(cards_: int, laid: int) -> None:
        if count(laid) == many:
            reached.add(laid)
            return
        for card in cards_of(next_discards(cards_, laid, many, free)):
            walk(cards_ & ~(1 << card), laid | 1 << card)

    walk(held, 0)
    assert reached == {laid for laid in subsets(held, many) if allowed(held, laid, many, free)}


def subsets(held: int, many: int) -> list[int]:
    if many == 0:
        return [0]
    out: list[int] = []
    for card in cards_of(held):
        rest = held & ~((1 << card + 1) - 1)
        out += [1 << card | more for more in subsets(rest, many - 1)]
    return out


def allowed(held: int, laid: int, many: int, free: bool) -> bool:
    """The rule as A7 states it."""
    if laid & int(KINGS | TRULA):
        return False
    if free:
        return True
    plain = held & int(PLAIN)
    if count(plain) >= many:
        return laid & ~plain == 0
    return plain & ~laid == 0


def test_refusals_of_an_exchange() -> None:
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H")
    assert key_of(state, "take 3") == "invalid_pick"
    assert key_of(state, "discard C8") == "invalid_pick"
    act(state, 1, "take 1")
    assert key_of(state, "take 0") == "invalid_pick"
    assert key_of(state, "discard SK") == "invalid_card"  # a king
    assert key_of(state, "discard T21") == "invalid_card"  # of the trula
    assert key_of(state, "discard T9") == "invalid_card"  # a tarock though there are others
    assert key_of(state, "discard C7") == "invalid_card"  # not held
    act(state, 1, "discard HQ")
    assert key_of(state, "discard HQ") == "invalid_card"  # discarded before
    assert legal(state) == ["discard C8", "discard CJ", "discard D2"]


def test_only_tarocks_among_the_discards_are_shown() -> None:  # R7.3
    hands = ["", "CK SK HK DK C7 T2 T3 T4 T5 T6 T7 T8", "", ""]
    state = dealt(hands, "T9 T10 T11 T12 T13 T14")
    declare(state, 1, "solo_two")
    act(state, 1, "take 0")
    tarocks = [f"discard T{number}" for number in range(2, 11)]
    assert legal(state) == ["discard C7", *tarocks]  # C7 must go, and a tarock with it
    twin = state.clone()
    act(twin, 1, "discard T4")
    assert legal(twin) == ["discard C7"]
    assert key_of(twin, "discard T5") == "invalid_card"
    act(state, 1, "discard C7")
    assert legal(state) == tarocks
    told(state)
    act(state, 1, "discard T4")
    events = told(state)
    assert kinds(events)[:2] == ["laid_away", "exchange_ended"]
    assert events[1].plain()["discarded"] == ["T4"]
    assert [event.audience for event in events[:2]] == [0b0010, -1]
    for seat in (0, 2, 3, -2):
        facts = state.view(seat).facts()
        assert facts["discarded"] == ["T4"]
        assert facts["my_discards"] == []
    assert state.view(1).facts()["my_discards"] == ["C7", "T4"]


def test_tarocks_may_be_discarded_freely_with_the_option() -> None:
    state = transcript(discard_tarocks="free")
    declare(state, 1, "two")
    act(state, 1, "call H")
    assert names(state.view(1).invalid_cards()) == ["DK", "T21", "TS"]
    act(state, 1, "take 1")
    assert "discard T9" in legal(state)
    assert [word for word in legal(state) if word in ("discard DK", "discard T21", "discard TS")] == []


def test_one_question_is_a_whole_exchange() -> None:
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H")
    first = state.question(1)
    assert first >= 0
    act(state, 1, "take 1")
    assert state.question(1) == first
    act(state, 1, "discard CJ")
    assert state.question(1) == first
    act(state, 1, "discard HQ")
    assert state.question(1) != first
    assert ACTIONS.name(state.legal_actions(1)[-1]) == "done"
    assert state.view(1).laid == cards("CJ HQ")
