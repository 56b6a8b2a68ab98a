"""Coinche in a terminal: events as text, typed text as actions."""

from __future__ import annotations

import pytest

from croupier.core.contract import RulesError
from croupier.games import words_of
from croupier.games.coinche import GAME
from croupier.games.coinche.tests.positions import (
    TRANSCRIPT_CALLS,
    TRANSCRIPT_TRICKS,
    play,
    say,
    told,
    transcript,
)
from croupier.games.coinche.vocabulary import ACTIONS, CARDS

words = words_of(GAME)
NAMES = ["anna", "bobby", "carol", "david"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p", "PASS"),
        ("PASS", "PASS"),
        ("c", "COINCHE"),
        ("double", "COINCHE"),
        ("surcoinche", "SURCOINCHE"),
        ("SC", "SURCOINCHE"),
        ("80 h", "CONTRACT 80 Hearts"),
        ("90S", "CONTRACT 90 Spades"),
        ("contract 110 Hearts", "CONTRACT 110 Hearts"),
        ("100 ♣", "CONTRACT 100 Clubs"),
        ("capot ta", "CONTRACT capot TA"),
        ("Générale SA", "CONTRACT generale SA"),
        ("160 s", "CONTRACT 160 Spades"),
        ("120 sa", "CONTRACT 120 SA"),
        ("130 diamond", "CONTRACT 130 Diamonds"),
    ],
)
def test_calls_are_read(text: str, expected: str) -> None:
    assert words.read(transcript().view(0), text) == (ACTIONS.parse(expected),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7h", "PLAY 7 Hearts"),
        ("10C", "PLAY 10 Clubs"),
        ("tc", "PLAY 10 Clubs"),
        ("q ♥", "PLAY Q Hearts"),
        ("PLAY J Diamonds", "PLAY J Diamonds"),
        ("a of spades", "PLAY A Spades"),
        ("c", "COINCHE"),  # the rules say why not
    ],
)
def test_cards_are_read(text: str, expected: str) -> None:
    view = say(transcript(), *TRANSCRIPT_CALLS).view(0)
    assert words.read(view, text) == (ACTIONS.parse(expected),)


@pytest.mark.parametrize(
    "text", ["", "85 H", "90", "90 cups", "1H", "JH QH", "hello", "capot", "90 xyz", "700 H"]
)
def test_unknown_text_is_refused(text: str) -> None:
    with pytest.raises(RulesError, match="expected"):
        words.read(transcript().view(0), text)
    with pytest.raises(RulesError, match="expected a card like JH"):
        words.read(say(transcript(), *TRANSCRIPT_CALLS).view(0), text)


def test_a_deal_in_words() -> None:
    state = transcript()
    view = state.view(0)
    assert words.table(view, NAMES) == ["The auction: anna …"]
    assert words.question(view, NAMES) == "Open the bidding, or pass [p, 80 H]"
    assert words.last(view, NAMES) == "No trick has been taken in this deal"
    say(state, *TRANSCRIPT_CALLS[:6])
    assert words.question(state.view(2), NAMES) == (
        "110 hearts is coinched: surcoinche or pass [p, sc (×4, 602 points to the winner)]"
    )
    say(state, *TRANSCRIPT_CALLS[6:])
    play(state, "7H AH")
    view = state.view(2)
    assert words.table(view, NAMES) == [
        "Trick 1 of 8: 110 hearts, anna, coinched",
        "Trick: anna 7H, bobby AH",
    ]
    assert words.question(view, NAMES) == "Your turn: play a card"
    assert [card for row in words.hand(view) for card, legal in row if legal] == ["JH"]
    play(state, "JH 9H")
    assert words.last(state.view(0), NAMES) == (
        "anna 7H, bobby AH, carol JH, david 9H. carol takes the trick: 45 points."
    )
    for fallen, _, _, _ in TRANSCRIPT_TRICKS[1:]:
        play(state, fallen)
    events = told(state)
    lines = [words.describe(event, NAMES) for event in events]
    assert all(lines)
    assert lines[0] == "A match to 2000 points: anna and carol against bobby and david."
    assert lines[1] == "Deal 1. Dealer: david. First to bid: anna."
    assert "bobby: coinche." in lines
    assert "anna and carol play 110 hearts, coinched." in lines
    assert "anna: rebelote!" in lines
    assert lines[-1] == "The contract is made: anna and carol 402, bobby and david 0."
    view = state.view(0)
    assert words.scores(view, NAMES) == [
        ["", "anna and carol", "bobby and david"],
        ["Deal 1: 110 hearts, anna, coinched: made, 126 of 110 points", "402", "0"],
        ["Total, of 2000", "402", "0"],
    ]
    told_to_anna = [text for event in events if (text := words.tell(event, view, NAMES))]
    others = ["bobby: 80 spades.", "carol: 90 hearts.", "david: pass.", "bobby: coinche.", "carol: pass."]
    assert told_to_anna[2:7] == others
    belote = ("You: belote!", "You: rebelote!")
    assert [text for text in told_to_anna[8:-1] if text not in belote] == [words.last(view, NAMES)] * 8


def test_a_passed_out_deal_in_words() -> None:
    state = say(transcript(), "p", "p", "p", "p")
    assert words.describe(told(state)[-1], NAMES) == "All players pass: the next seat deals."
    assert words.scores(state.view(0), NAMES)[1] == ["Deal 1: all players passed", "0", "0"]
    assert words.table(state.view(0), NAMES) == []


def test_every_card_has_a_face() -> None:
    assert set(words.faces) == set(CARDS)
    assert words.faces["10H"] == ("10♥", "red")
