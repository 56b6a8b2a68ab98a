"""Tarock in words, for the terminal."""

from __future__ import annotations

import pytest

from croupier.core.contract import RulesError
from croupier.core.dice import Dice
from croupier.games import words_of
from croupier.games.tarock import GAME
from croupier.games.tarock.tests.positions import act, bid, dealt, declare, new, told, transcript
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import ACTIONS, CARDS, CODES
from croupier.games.tarock.words import GameWords

words = words_of(GAME)
NAMES = ["Ana", "Bor", "Cene", "Dana"]


def read(view: TarockView, text: str) -> list[str]:
    return [ACTIONS.name(action) for action in words.read(view, text)]


def test_every_event_of_many_deals_has_words_or_none() -> None:
    state = new(deals=40, kontra=True)
    dice = Dice(2)
    view = TarockView(0)
    told_to_one: list[str] = []
    questions: list[str] = []
    while not state.over():
        if state.awaiting() is not None:
            state.roll(dice)
        else:
            seat = int(state.turn)
            state.apply(seat, int(state.choice(seat, dice.below(state.choices(seat)))))
        for event in told(state):
            text = words.describe(event, NAMES)
            assert "{" not in text
            if event.heard_by(0):
                view.hear(event)
                told_to_one.append(words.tell(event, view, NAMES))
        shown = state.view(0)
        assert words.table(shown, NAMES) is not None
        assert sum(len(row) for row in words.hand(shown)) == int(shown.hand).bit_count()
        if shown.legal:
            questions.append(words.question(shown, NAMES))
    assert len(told_to_one) > 1000
    assert len(questions) > 100
    assert all(questions)
    rows = words.scores(state.view(0), NAMES)
    assert len(rows) == 5
    assert {len(row) for row in rows} == {43}


def test_what_happened_in_a_deal() -> None:
    state = transcript(deals=1)
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1", "discard HQ", "discard CJ", "announce trula", "done")
    lines = [line for event in told(state) if (line := words.describe(event, NAMES))]
    assert lines[5:] == [
        "Dana: CK S7 SN H1 HN HK DJ DQ T1 T6 T7 T20",
        "Cene passes.",
        "Dana passes.",
        "Ana passes.",
        "Bor bids Two.",
        "Bor plays Two.",
        "Bor calls the HK.",
        "The talon: 0: S10 T17, 1: HQ SK, 2: SJ D4.",
        "Bor takes set 1.",
        "Bor: HQ",
        "Bor: CJ",
        "Bor announces Trula.",
    ]


def test_the_account_of_a_deal() -> None:
    state = transcript(deals=1)
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1", "discard HQ", "discard CJ")
    while not state.over():
        act(state, int(state.turn), ACTIONS.name(state.legal_actions(int(state.turn))[-1]))
    ended = words.describe(told(state)[-2], NAMES)
    assert ended.startswith("Bor and Dana: Two won, 68 points to 2. Valat, not announced: +250. ")
    assert "Scores: Ana 0, Bor " in ended


def test_questions_and_answers() -> None:
    state = transcript()
    view = state.view(2)
    assert words.question(view, NAMES).startswith("Your bid [two, one, solo three, solo two, ")
    assert read(view, "Solo three") == ["bid solo_three"]
    assert read(view, "pass") == read(view, "p") == ["bid pass"]
    assert read(view, "colour-valat") == ["bid color_valat"]
    assert words.table(view, NAMES) == ["Auction: Bor (Three)"]
    declare(state, 1, "two")
    view = state.view(1)
    assert words.question(view, NAMES).endswith("is your partner [C, S, H, D]")
    assert read(view, "hearts") == ["call H"]
    assert read(view, "call D") == ["call D"]
    act(state, 1, "call H")
    view = state.view(1)
    assert words.question(view, NAMES) == "Take one set from the talon [0, 1, 2]. Discard 2 cards"
    assert read(view, "1 hq, cj") == ["take 1", "discard HQ", "discard CJ"]
    assert read(view, "take 2") == ["take 2"]
    act(state, 1, "take 1")
    view = state.view(1)
    example = words.question(view, NAMES).removeprefix("Discard 2 cards [like ").removesuffix("]")
    state.clone().apply(1, words.read(view, example)[0])
    assert read(view, "HQ CJ") == ["discard HQ", "discard CJ"]
    act(state, 1, "discard HQ", "discard CJ")
    view = state.view(1)
    assert words.question(view, NAMES) == (
        "Announce what your side will achieve, or nothing [trula, kings, valat, Enter: Nothing]"
    )
    assert read(view, "") == ["done"]
    assert read(view, "kings and trula") == ["announce trula", "announce kings", "done"]
    assert read(view, "king_ultimo, kontra game") == ["announce kings_ultimo", "kontra game", "done"]
    for seat in (1, 2, 3, 0):
        act(state, seat, "done")
    view = state.view(1)
    assert words.question(view, NAMES) == "Your turn: lead a card"
    assert read(view, "t22") == read(view, "play TS") == ["play TS"]
    assert words.last(view, NAMES) == "No trick has been taken in this deal"


@pytest.mark.parametrize(
    ("phase", "text", "expected"),
    [
        ("bid", "six", "expected pass, two, solo_three"),
        ("call", "T", "expected C, S, H or D"),
        ("call", "", "expected C, S, H or D"),
        ("exchange", "HQ CJ", "expected a number from 0 to 2"),
        ("exchange", "1 HQ", "1 card: expected 2"),
        ("exchange", "1 HQ X9", "expected cards like CK T5"),
        ("announce", "grand", "expected trula, kings"),
        ("play", "C8 CJ", "2 cards: expected 1"),
    ],
)
def test_answers_that_cannot_be_read(phase: str, text: str, expected: str) -> None:
    state = transcript()
    if phase != "bid":
        declare(state, 1, "two")
    if phase not in ("bid", "call"):
        act(state, 1, "call H")
    if phase in ("announce", "play"):
        act(state, 1, "take 1", "discard HQ", "discard CJ")
    if phase == "play":
        for seat in (1, 2, 3, 0):
            act(state, seat, "done")
    with pytest.raises(RulesError, match=expected):
        words.read(state.view(int(state.turn)), text)


def test_cards_have_faces() -> None:
    assert set(words.faces) == set(CARDS)
    assert words.faces["CK"] == ("K♣", "green")
    assert [words.faces[f"T{number}"][0] for number in (1, 4, 9, 14, 19, 21)] == [
        "I",
        "IIII",
        "IX",
        "XIV",
        "XIX",
        "XXI",
    ]
    assert words.faces["TS"] == ("Škis", "yellow")


def test_klop_and_open_hands_in_words() -> None:
    state = dealt(deals=1)
    bid(state, "pass", "pass", "pass", "klop")
    told(state)
    while state.tricks == 0:
        act(state, int(state.turn), ACTIONS.name(state.legal_actions(int(state.turn))[0]))
    assert " the trick and gets the " in words.describe(told(state)[-1], NAMES)
    assert " the trick and gets the " in words.last(state.view(0), NAMES)


def test_cards_are_read_as_they_are_shown() -> None:
    assert isinstance(words, GameWords)
    for code, (info, _) in words.faces.items():
        assert words._cards(f"{info} {info.lower()} {code.lower()}") == [CODES[code]] * 3
    assert words.faces["CK"][0] == "K♣"
    assert [words.faces[code][0] for code in ("T4", "T14", "T19", "T21", "TS")] == [
        "IIII",
        "XIV",
        "XIX",
        "XXI",
        "Škis",
    ]
    assert words._cards("♣k kc iv") == [CODES["CK"], CODES["CK"], CODES["T4"]]
    for word in ("5♣", "xxx", "♣"):
        with pytest.raises(RulesError, match="expected cards like CK T5"):
            words._cards(word)
