"""Hearts in words: every event of real matches, and what people type."""

from __future__ import annotations

from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.contract import WATCHER, RulesError, first_seat, sample
from croupier.core.dice import Dice
from croupier.games import words_of
from croupier.games.hearts import GAME
from croupier.games.hearts.events import DealEnded
from croupier.games.hearts.state import HeartsState
from croupier.games.hearts.vocabulary import CODES, EXPOSE, EXPOSING, KEEP, PASS, PASSING, PLAYING

words = words_of(GAME)
NAMES = ["ann", "bob", "cyd", "dan"]


def start(**options: object) -> HeartsState:
    """Return a match that has just been dealt."""
    state = GAME.new(GAME.options.read({"deals": 2, "match_games": 2, **options}), 4)
    state.apply_draw(list(range(52)))  # ann holds the diamonds, bob the clubs, cyd the hearts, dan the spades
    return state


def test_every_event_of_a_match_has_words_and_every_view_can_be_shown() -> None:
    rng, dice = Random(5), Dice(5)
    kinds: set[str] = set()
    for _ in range(4):
        state = GAME.new(GAME.options.read({"deals": 4, "match_games": 2}), 4)
        while not state.over():
            state.events = []
            draw = state.awaiting()
            if draw is not None:
                state.apply_draw(sample(draw, dice))
            else:
                seat = int(first_seat(state.to_act()))
                view = state.view(seat)
                assert words.question(view, NAMES)
                state.apply(seat, rng.choice(view.legal))
            for event in state.events:
                kinds.add(type(event).__name__)
                assert words.describe(event, NAMES).isascii()
                assert words.tell(event, state.view(0), NAMES).isascii()
            for seat in (*range(4), WATCHER):
                view = state.view(seat)
                words.table(view, NAMES)
                assert words.last(view, NAMES)
                assert len({len(row) for row in words.scores(view, NAMES)}) == 1
    assert len(kinds) == 16, kinds


def test_scores_are_told_as_penalty_points() -> None:
    event = DealEnded(1, [], [], [], [-5, 0, -21, 0], [-30, -7, -60, -33], -1, -1)
    assert words.describe(event, NAMES) == "Deal 1 is over: ann 5, bob 0, cyd 21, dan 0."
    state = start(match_games=1)
    state.totals = vec[i64]([-30, -7, -60, -33])
    head, *rows = words.scores(state.view(0), NAMES)
    assert head == ["player", "this deal", "Total"]
    assert rows == [["ann", "0", "30"], ["bob", "0", "7"], ["cyd", "0", "60"], ["dan", "0", "33"]]


def test_the_hand_is_shown_by_suits_with_the_legal_cards() -> None:
    state = start()
    assert words.hand(state.view(1)) == [[(f"{rank}C", True) for rank in "AKQJT98765432"]]
    for seat, suit in enumerate("DCHS"):
        for rank in "234":
            state.apply(seat, PASS + CODES[rank + suit])
    asked = words.question(state.view(2), NAMES)
    assert asked.startswith("You hold the ace of hearts. Show it?")
    assert asked.endswith(" [y: Show the ace, n: Keep it hidden]")
    state.apply(2, KEEP)
    # The clubs went on to cyd, so cyd leads, with the one card that may lead.
    rows = words.hand(state.view(2))
    assert rows[1] == [("4C", False), ("3C", False), ("2C", True)]
    assert words.table(state.view(0), NAMES) == ["Trick 1 of 13", "Trick: cyd to lead"]


@pytest.mark.parametrize(
    ("text", "card"), [("qs", "QS"), ("play QS", "QS"), ("10c", "TC"), ("tc", "TC"), ("a♥", "AH")]
)
def test_a_card_to_play_as_people_type_it(text: str, card: str) -> None:
    view = start().view(0)
    view.phase = PLAYING
    assert words.read(view, text) == (CODES[card],)


@pytest.mark.parametrize("text", ["Q s", "QS KS", "1S", ""])
def test_text_that_is_not_a_legal_card(text: str) -> None:
    view = start().view(0)
    view.phase = PLAYING
    with pytest.raises(RulesError, match="expected"):
        words.read(view, text)


@pytest.mark.parametrize("text", ["qs kh 2d", "QS, KH, 2D", "QSKH2D", "pass qs;kh;2d"])
def test_three_cards_to_pass_as_people_type_them(text: str) -> None:
    view = start().view(0)
    assert view.phase == PASSING
    assert words.question(view, NAMES) == "Choose three cards for bob"
    assert words.read(view, text) == tuple(PASS + CODES[code] for code in ("QS", "KH", "2D"))


def test_two_cards_are_not_three() -> None:
    with pytest.raises(RulesError, match="2 cards: expected 3"):
        words.read(start().view(0), "qs kh")


@pytest.mark.parametrize(("text", "action"), [("y", EXPOSE), ("Yes", EXPOSE), ("n", KEEP), ("no", KEEP)])
def test_exposing_is_yes_or_no(text: str, action: int) -> None:
    view = start().view(0)
    view.phase = EXPOSING
    assert words.read(view, text) == (action,)
    with pytest.raises(RulesError, match="expected y or n"):
        words.read(view, "perhaps")


def test_a_single_game_is_not_numbered() -> None:
    state = GAME.new(GAME.options.read({"match_games": 1}), 4)
    state.events = []
    state.apply_draw(list(range(52)))
    told = [words.tell(event, state.view(0), NAMES) for event in state.events]
    assert [text for text in told if text] == ["Deal 1 is dealt: passed to the left."]
