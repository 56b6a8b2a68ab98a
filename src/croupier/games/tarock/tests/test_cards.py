"""Cards, counting, options: R1, R2 and the options of the spec's part F."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import bit, cards_of, count
from croupier.core.options import BadOptions
from croupier.games.tarock import GAME
from croupier.games.tarock.scoring import points, rounded
from croupier.games.tarock.tests.positions import cards, mask
from croupier.games.tarock.vocabulary import (
    ACTIONS,
    ANNOUNCE,
    BID,
    CALL,
    CARDS,
    DISCARD,
    DONE,
    JACKS,
    KINGS,
    KNIGHTS,
    KONTRA,
    MOND_BIT,
    PAGAT_BIT,
    PLAIN,
    QUEENS,
    SKIS_BIT,
    SUIT,
    TAKE,
    TAROCKS,
    TRULA,
    WHOLE,
    shown,
)


def test_the_canonical_order() -> None:  # R1.2
    assert " ".join(CARDS) == (
        "C7 C8 C9 C10 CJ CN CQ CK S7 S8 S9 S10 SJ SN SQ SK H4 H3 H2 H1 HJ HN HQ HK D4 D3 D2 D1 DJ DN DQ DK "
        "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20 T21 TS"
    )
    assert len(CARDS) == 54


def test_the_sets_are_what_their_names_say() -> None:
    assert shown(KINGS) == ["CK", "SK", "HK", "DK"]
    assert shown(QUEENS) == ["CQ", "SQ", "HQ", "DQ"]
    assert shown(KNIGHTS) == ["CN", "SN", "HN", "DN"]
    assert shown(JACKS) == ["CJ", "SJ", "HJ", "DJ"]
    assert shown(TRULA) == ["T1", "T21", "TS"]
    assert [shown(one) for one in (PAGAT_BIT, MOND_BIT, SKIS_BIT)] == [["T1"], ["T21"], ["TS"]]
    assert count(TAROCKS) == 22
    assert PLAIN == WHOLE & ~TAROCKS & ~KINGS
    assert [shown(suit)[0][0] for suit in SUIT] == ["C", "S", "H", "D", "T"]


def test_the_actions_have_the_numbers_the_rules_use() -> None:
    starts = [
        ACTIONS.start[verb] for verb in ("bid", "call", "take", "discard", "announce", "kontra", "done")
    ]
    assert starts == [BID, CALL, TAKE, DISCARD, ANNOUNCE, KONTRA, DONE]
    assert (ACTIONS.name(BID), ACTIONS.name(BID + 1), len(ACTIONS)) == ("bid pass", "bid klop", DONE + 1)


@pytest.mark.parametrize(
    ("pile", "expected"),
    [  # A2
        ("HK DQ T5", 8),
        ("T1 T21 TS", 13),
        ("C7", 0),
        ("C7 C8", 1),
        ("CK", 4),
        ("CK C7", 5),
        ("HJ HN", 4),
        ("C7 S8 H4 D1", 1),
        ("CK CQ CN CJ C10", 12),
        ("TS C8 HJ SQ T14 HN", 12),
        ("", 0),
        (" ".join(CARDS), 70),
    ],
)
def test_a_pile_is_counted_as_a_whole(pile: str, expected: int) -> None:  # R2.2
    assert points(mask(pile)) == expected


@given(st.integers(0, int(WHOLE)))
def test_two_complementary_piles_always_count_seventy(pile: int) -> None:  # R2.3
    assert points(pile) + points(WHOLE & ~pile) == 70


@pytest.mark.parametrize(
    ("number", "five", "one"), [(0, 0, 0), (2, 0, 2), (3, 5, 3), (7, 5, 7), (8, 10, 8), (35, 35, 35)]
)
def test_rounding_to_the_nearest_five(number: int, five: int, one: int) -> None:  # R11.2
    assert rounded(number, 5) == five
    assert rounded(number, 1) == one


# Options


DEFAULTS = {
    "deals": 12,
    "rounding": 5,
    "mond_penalty": 20,
    "discard_tarocks": "forced",
    "solo_without": "flat",
    "announcements": True,
    "silent_ultimo_penalty": True,
    "kontra": False,
    "kontra_max": 16,
    "radelci": True,
    "radelc_end": 100,
    "radelc_klop": False,
    "compulsory_klop": False,
    "final_raise": True,
    "open_beggar_reveal": "after_first_trick",
    "partner_share": "full",
    "valat_value": 500,
}


def test_the_defaults() -> None:
    assert GAME.options.read({}) == DEFAULTS == GAME.options.read({"preset": "standard"})


@pytest.mark.parametrize(
    ("preset", "changed"),
    [
        (
            "exact",
            {
                "rounding": 1,
                "mond_penalty": 21,
                "radelc_end": 40,
                "discard_tarocks": "free",
                "silent_ultimo_penalty": False,
                "open_beggar_reveal": "at_start",
            },
        ),
        ("openspiel", {"rounding": 1, "announcements": False, "radelci": False, "deals": 1}),
    ],
)
def test_a_preset_sets_several_options_and_single_ones_override_it(
    preset: str, changed: dict[str, object]
) -> None:
    assert GAME.options.read({"preset": preset}) == {**DEFAULTS, **changed}
    assert GAME.options.read({"deals": 3, "preset": preset}) == {**DEFAULTS, **changed, "deals": 3}
    assert GAME.options.read({"preset": preset, "rounding": 5})["rounding"] == 5
    values = GAME.options.read({"preset": preset, "rounding": 5})
    assert GAME.options.read(GAME.options.changed(values)) == values


@pytest.mark.parametrize(
    "raw",
    [
        {"preset": "pagat"},
        {"preset": 1},
        {"deals": 0},
        {"deals": 1001},
        {"rounding": 2},
        {"mond_penalty": 10},
        {"kontra_max": 3},
        {"valat_value": 0},
        {"discard_tarocks": "never"},
        {"kontra": 1},
        {"colour": "red"},
    ],
)
def test_invalid_options_are_refused(raw: dict[str, object]) -> None:
    with pytest.raises(BadOptions):
        GAME.options.read(raw)


@pytest.mark.parametrize(
    "raw", [{"turn_timeout_ms": -1}, {"deal_pause_ms": 60_001}, {"deal_pause_ms": "soon"}]
)
def test_invalid_clocks_are_refused(raw: dict[str, object]) -> None:
    with pytest.raises(BadOptions):
        GAME.table_options.read(raw)


def test_cards_are_read_and_written() -> None:
    for card, name in enumerate(CARDS):
        assert GAME.parse_draw(name) == card
        assert GAME.draw_name(card) == name
    assert cards_of(bit(53)) == cards("TS") == [53]
