"""Every reason of the specification's table of errors, with offset, field and slot (spec 2.4)."""

from __future__ import annotations

import pytest

from croupier.games import languages, texts
from croupier.games.taroky.notation import LONGEST, NotationError
from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A, GAME_B, SEED_DEAL, SEED_UNI

DEAL = SEED_DEAL.rpartition("/")[0]
UNI = SEED_UNI.rpartition("/")[0]
BEFORE_MONEY_A = GAME_A.partition("/R1H3/")[0]
BEFORE_MONEY_B = GAME_B.partition("/H2T3/")[0]
BEFORE_PARTNER_A = GAME_A.partition("/8//")[0]
BEFORE_CONTRA_A = GAME_A.partition("/C4C3/")[0]
BEFORE_IOTE_A = GAME_A.partition("/I1/")[0]
BEFORE_PLAY_A = GAME_A.partition("/T04T05")[0]
FINISHED_A = GAME_A.rpartition("/")[0]


def error_of(text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        parse(text)
    return caught.value


# text before the offending character, text from it on, field, slot, reason
ROWS = [
    ("", "1" * (LONGEST + 1), 1, "header", "too_long"),
    ("100/100/100/100/H1", "", 5, "header", "too_few_fields"),
    ("", "", 1, "header", "too_few_fields"),
    ("a=b", "", 1, "header", "too_few_fields"),
    ("", f"ten{DEAL[3:]}", 1, "chips", "bad_chips"),
    ("100/", f"1e2{DEAL[7:]}", 2, "chips", "bad_chips"),
    ("100/", f"{DEAL[7:]}", 2, "chips", "bad_chips"),
    ("100/100/", f"+5{DEAL[11:]}", 3, "chips", "bad_chips"),
    ("100/100/", f"-{DEAL[11:]}", 3, "chips", "bad_chips"),
    ("100/100/100/", f"\u0663{DEAL[15:]}", 4, "chips", "bad_chips"),
    (DEAL[:16], f"X1{DEAL[18:]}", 5, "hand1", "bad_card"),
    (DEAL[:18], f"H5{DEAL[20:]}", 5, "hand1", "bad_card"),
    (DEAL[:18], f"h2{DEAL[20:]}", 5, "hand1", "bad_card"),
    (DEAL[:18], f" H2{DEAL[20:]}", 5, "hand1", "bad_card"),
    (DEAL.partition("T22")[0], "T23/", 9, "talon", "bad_card"),
    (DEAL.partition("T22")[0], "T2/", 9, "talon", "incomplete_card"),
    (DEAL.partition("S4/")[0], f"S/{DEAL.partition('S4/')[2]}", 5, "hand1", "incomplete_card"),
    (DEAL.partition("SJSR")[0], f"H1SR{DEAL.partition('SJSR')[2]}", 6, "hand2", "duplicate_card"),
    (DEAL.partition("T22")[0], "T05/", 9, "talon", "duplicate_card"),
    (DEAL.partition("H1")[0], DEAL.partition("H1")[2], 5, "hand1", "wrong_card_count"),
    (DEAL.partition("/T17")[0] + "/", "T17T18T19T20T21/", 9, "talon", "wrong_card_count"),
    (f"{DEAL}//", "H1H2H3H4S1/", 11, "discard", "wrong_card_count"),
    (f"{DEAL}/P1/T/", "H1H2/", 12, "discard", "wrong_card_count"),
    (f"{DEAL}/", "P5/", 10, "prever", "bad_prever"),
    (f"{DEAL}/", "P/", 10, "prever", "bad_prever"),
    (f"{DEAL}/", "P12/", 10, "prever", "bad_prever"),
    (f"{DEAL}/P1/", "X/", 11, "prever_talon", "bad_prever_talon"),
    (f"{DEAL}/P1/", "/H1H2H3/", 11, "prever_talon", "bad_prever_talon"),
    (f"{DEAL}/", "G1/", 10, "pass", "bad_pass"),
    (f"{DEAL}/", "GR4/", 10, "pass", "bad_pass"),
    (f"{DEAL}/G2", "GR2/", 10, "pass", "bad_pass"),
    (f"{DEAL}/G3", "G2/", 10, "pass", "bad_pass"),
    (f"{DEAL}/", "G/", 10, "pass", "bad_pass"),
    (f"{DEAL}/G2", "X/", 10, "pass", "bad_pass"),
    (f"{DEAL}//H1", "C1H3H4S1T05/", 11, "discard", "card_not_held"),
    (f"{DEAL}//H1", "H1H3H4S1T05/", 11, "discard", "card_not_held"),
    (f"{DEAL}//H1", "HKH3H4S1T05/", 11, "discard", "illegal_discard"),
    (f"{DEAL}//H1", "T17H3H4S1T05/", 11, "discard", "illegal_discard"),
    (f"{BEFORE_MONEY_A}/R1", "X3/", 12, "moneycards", "bad_moneycard"),
    (f"{BEFORE_MONEY_A}/R1", "H5/", 12, "moneycards", "bad_moneycard"),
    (f"{BEFORE_MONEY_A}/R1", "H/", 12, "moneycards", "bad_moneycard"),
    (f"{BEFORE_MONEY_A}/R1", "R1H3/", 12, "moneycards", "duplicate_moneycard"),
    (f"{BEFORE_MONEY_A}/R1", "H2/", 12, "moneycards", "moneycard_not_held"),
    (f"{BEFORE_MONEY_A}/", "R1/", 12, "moneycards", "moneycard_missing"),
    (f"{BEFORE_MONEY_A}/", "/8/", 12, "moneycards", "moneycard_missing"),
    (f"{BEFORE_MONEY_A}/", "8/", 12, "moneycards", "moneycard_missing"),
    (f"{BEFORE_MONEY_B}/", "T3/", 13, "moneycards", "moneycard_missing"),
    (f"{BEFORE_PARTNER_A}/", "4/", 13, "partner", "bad_partner"),
    (f"{BEFORE_PARTNER_A}/", "/", 13, "partner", "bad_partner"),
    (f"{BEFORE_PARTNER_A}/", "89/", 13, "partner", "bad_partner"),
    (f"{BEFORE_PARTNER_A}/", "7/", 13, "partner", "partner_not_allowed"),
    (f"{BEFORE_PARTNER_A}/8/", "V5/", 14, "valat", "bad_valat"),
    (f"{BEFORE_PARTNER_A}/8/", "V/", 14, "valat", "bad_valat"),
    (f"{BEFORE_CONTRA_A}/", "C1/", 15, "contra", "contra_wrong_side"),
    (f"{BEFORE_CONTRA_A}/C4", "C2/", 15, "contra", "contra_wrong_side"),
    (f"{BEFORE_CONTRA_A}/C4C1", "C3/", 15, "contra", "contra_wrong_side"),
    (f"{BEFORE_PARTNER_A}/8/V2/", "C4/", 15, "contra", "contra_wrong_side"),
    (f"{BEFORE_IOTE_A}/", "I5/", 16, "iote", "bad_iote"),
    (f"{BEFORE_IOTE_A}/", "I2/", 16, "iote", "iote_not_holder"),
    (f"{BEFORE_PARTNER_A}/8/V1//", "I1/", 16, "iote", "iote_in_valat"),
    (f"{BEFORE_PLAY_A}/T04T05T18T20", "T034/", 17, "trick1", "trick_card_count"),
    (f"{BEFORE_PLAY_A}/", "T04T05T184/", 17, "trick1", "trick_card_count"),
    (f"{BEFORE_PLAY_A}/", "T04T05T18/C4/", 17, "trick1", "trick_card_count"),
    (f"{BEFORE_PLAY_A}/", "4/", 17, "trick1", "trick_card_count"),
    (f"{BEFORE_PLAY_A}/", "/T04/", 17, "trick1", "empty_trick"),
    (f"{BEFORE_PLAY_A}/T04", "H2T18T204/", 17, "trick1", "illegal_play"),
    (f"{BEFORE_PLAY_A}/T04", "T06T18T204/", 17, "trick1", "card_not_held"),
    (f"{BEFORE_PLAY_A}/", "T14/", 17, "trick1", "card_not_held"),
    (f"{BEFORE_PLAY_A}/T04T05T18T20", "/", 17, "trick1", "missing_winner"),
    (f"{BEFORE_PLAY_A}/T04T05T18T20", "3/", 17, "trick1", "wrong_winner"),
    (f"{BEFORE_PLAY_A}/T04T05T18T20", "9/", 17, "trick1", "wrong_winner"),
    (f"{BEFORE_PLAY_A}/T04T05T18T20", "44/", 17, "trick1", "bad_card"),
    (f"{BEFORE_PLAY_A}/T04T05T18", "T2/", 17, "trick1", "incomplete_card"),
    (f"{BEFORE_PLAY_A}/T04T05T18T204/", "X/", 18, "trick2", "bad_card"),
    (f"{FINISHED_A}/", "T01/", 29, "tricks", "too_many_tricks"),
    (f"{FINISHED_A}/", "/", 29, "tricks", "too_many_tricks"),
    (f"{DEAL}/lock=true;", "timeout;pn=0", 10, "settings", "bad_setting"),
    (f"{DEAL}/", "=x", 10, "settings", "bad_setting"),
    (f"{DEAL}/", "1a=x", 10, "settings", "bad_setting"),
    (f"{DEAL}/", "a-b=x", 10, "settings", "bad_setting"),
    (f"{DEAL}/a=1;", " b=2", 10, "settings", "bad_setting"),
    (f"{DEAL}/aceHigh=", "yes", 10, "settings", "bad_setting"),
    (f"{DEAL}/aceHigh=", ";pn=0", 10, "settings", "bad_setting"),
    (f"{DEAL}/timeout=", "-5", 10, "settings", "bad_setting"),
    (f"{DEAL}/difficulty=", "6", 10, "settings", "bad_setting"),
    (f"{DEAL}/difficulty=", "Nightmare", 10, "settings", "bad_setting"),
    (f"{DEAL}/preverPriority=", "middle", 10, "settings", "bad_setting"),
    (f"{DEAL}/note=a", "\tb;pn=0", 10, "settings", "bad_setting"),
    (f"{DEAL}/note=", "\u00e9;pn=0", 10, "settings", "bad_setting"),
    (f"{DEAL}/;pn=", "4", 10, "settings", "bad_pn"),
    (f"{DEAL}/pn=", ";lock=true", 10, "settings", "bad_pn"),
]


@pytest.mark.parametrize(("before", "after", "field", "slot", "reason"), ROWS)
def test_errors_point_at_the_first_offending_character(
    before: str, after: str, field: int, slot: str, reason: str
) -> None:
    error = error_of(before + after)
    assert (error.reason, error.slot, error.field, error.offset) == (reason, slot, field, len(before))
    assert error.detail
    assert str(error) == f"{slot}: {error.detail}"


REASONS = {
    "too_long",
    "too_few_fields",
    "bad_chips",
    "bad_card",
    "incomplete_card",
    "duplicate_card",
    "wrong_card_count",
    "bad_prever",
    "bad_prever_talon",
    "bad_pass",
    "bad_partner",
    "bad_valat",
    "bad_iote",
    "card_not_held",
    "illegal_discard",
    "bad_moneycard",
    "duplicate_moneycard",
    "moneycard_not_held",
    "moneycard_missing",
    "partner_not_allowed",
    "contra_wrong_side",
    "iote_in_valat",
    "iote_not_holder",
    "trick_card_count",
    "empty_trick",
    "illegal_play",
    "missing_winner",
    "wrong_winner",
    "too_many_tricks",
    "bad_setting",
    "bad_pn",
}


def test_every_reason_of_the_spec_is_among_them() -> None:
    assert {row[4] for row in ROWS} == REASONS


@pytest.mark.parametrize("language", [one for one in languages("taroky") if one != "en"])
def test_every_reason_has_words(language: str) -> None:
    found = {key.removeprefix("fault.") for key in texts("taroky", language) if key.startswith("fault.")}
    assert found == REASONS


def test_settings_are_checked_first_then_fields_from_the_left() -> None:
    text = f"x{DEAL[3:].replace('T22', 'T23')}/P9/lock=maybe"
    assert error_of(text).reason == "bad_setting"
    assert error_of(text.replace("maybe", "true")).reason == "bad_chips"
    assert error_of(text.replace("maybe", "true").replace("x", "100", 1)).reason == "bad_card"


def test_offsets_count_in_the_stripped_text() -> None:
    assert error_of(f" \n x{DEAL[3:]}/").offset == 0


def test_a_text_whose_canonical_form_would_be_too_long_is_too_long() -> None:
    """Omitted fields and short settings are written in full, and the result must be readable too."""
    head = GAME_A.replace("/8//C4C3/", "/8/C4C3/").rpartition("/")[0]
    room = LONGEST - len(f"{head}/x=")
    assert error_of(f"{head}/x={'y' * room}").reason == "too_long"
    assert parse(f"{head}/x={'y' * (room - 1)}").valat == 0


def test_povinnost_may_keep_uni_secret_in_a_partner_game_only() -> None:
    laid = "S1S2S3S4"
    partner = f"{UNI}//{laid}"
    assert parse(f"{partner}D3C1/").phase_name() == "moneycards"
    for money in ("U1R4", "R4"):
        assert parse(f"{partner}D3C1/{money}/").money[0] == (1 if "U" in money else 0)
    prever = f"{UNI}/P1/T/S1S2S3/"
    assert parse(f"{prever}U1R4/").phase_name() == "valat"
    assert error_of(f"{prever}R4/").reason == "moneycard_missing"
