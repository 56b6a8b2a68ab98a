"""The bots of Hearts: the spec's dummy and stand-in, and the heuristic."""

from __future__ import annotations

from random import Random

import pytest

from croupier.bots.duel import duel
from croupier.games.hearts import GAME
from croupier.games.hearts.state import HeartsState
from croupier.games.hearts.tests.positions import (
    TRANSCRIPT_PASSES,
    act,
    dealt,
    keep,
    pass_all,
    play,
    playing,
    transcript,
)
from croupier.games.hearts.vocabulary import ACTIONS

ONE_DEAL = {"deals": 1, "match_games": 1}


def chosen(state: HeartsState, seat: int, bot: str, seed: int = 1) -> str:
    """Return what *bot* does at *seat*."""
    return ACTIONS.name(GAME.bots()[bot].choose(state.view(seat), Random(seed)))


def passed(state: HeartsState, seat: int, bot: str) -> list[str]:
    """Return the three cards *bot* passes."""
    words: list[str] = []
    for _ in range(3):
        words.append(chosen(state, seat, bot))
        act(state, seat, words[-1])
    return [word.split()[1] for word in words]


def test_the_dummy_passes_its_first_three_cards() -> None:  # spec 7.3
    assert passed(transcript(), 1, "dummy") == ["AS", "JS", "8S"]
    assert passed(transcript(), 0, "dummy") == ["AH", "9H", "8H"]


def test_neither_dummy_nor_stand_in_exposes() -> None:  # spec 5.4, 7.3
    state = transcript()
    pass_all(state, TRANSCRIPT_PASSES)
    for seed in range(20):
        assert chosen(state, 0, "dummy", seed) == "keep AH"
        assert ACTIONS.name(GAME.stand_in().choose(state.view(0), Random(seed))) == "keep AH"


def test_dummy_and_stand_in_play_any_card() -> None:
    state = playing("2D 3D 4D 5D")
    for bot in (GAME.bots()["dummy"], GAME.stand_in()):
        cards = {bot.choose(state.view(0), Random(seed)) for seed in range(60)}
        assert len(cards) == 4


def test_the_stand_in_passes_at_random() -> None:
    state = transcript()
    bot = GAME.stand_in()
    assert len({bot.choose(state.view(0), Random(seed)) for seed in range(200)}) == 13


def test_the_heuristic_passes_a_bare_queen_and_what_is_above_it() -> None:
    state = dealt(
        [
            "QS KS 4S 2H 3H 5H 2C 3C 4C 5C 2D 3D 4D",
            "AS 2S 3S 4H 6H 7H 6C 7C 8C 9C 5D 6D 7D",
            "5S 6S 7S 8S 9S TS JS 8H 9H TH TC JC QC",
            "JH QH KH AH KC AC 8D 9D TD JD QD KD AD",
        ]
    )
    assert set(passed(state, 0, "heuristic")) >= {"QS", "KS"}


def test_the_heuristic_keeps_a_well_covered_queen() -> None:
    state = dealt(
        [
            "QS JS 8S 6S 4S 3S 2H 3H KC AC KD AD 2D",
            "AS KS TS 4H 6H 7H 6C 7C 8C 9C 5D 6D 7D",
            "2S 5S 7S 9S 5H 8H 9H TH 2C TC JC QC 3D",
            "JH QH KH AH 3C 4C 5C 4D 8D 9D TD JD QD",
        ]
    )
    assert "QS" not in passed(state, 0, "heuristic")


def test_the_heuristic_gives_the_queen_away() -> None:
    assert chosen(playing("QS 2S 7D 3H", trick="AS"), 0, "heuristic") == "play QS"
    assert chosen(playing("QS 7D 3H 2D", trick="AC 3C"), 0, "heuristic") == "play QS"


def test_the_heuristic_ducks_a_trick_with_points() -> None:
    assert chosen(playing("AD 3D 7S", trick="9D QS"), 0, "heuristic") == "play 3D"


def test_the_heuristic_takes_an_empty_trick_with_a_high_card_when_last() -> None:
    assert chosen(playing("AD 3D 7S 4S", trick="9D 8D 2D"), 0, "heuristic") == "play AD"


def test_the_heuristic_does_not_lead_into_the_queen() -> None:
    assert chosen(playing("AS KS 2D 3D", broken=True), 0, "heuristic") in ("play 2D", "play 3D")


def test_the_heuristic_shoots_a_sure_moon() -> None:
    state = dealt(
        [
            "AS KS QS JS TS 9S AH KH QH JH TH AD AC",
            "2S 3S 4S 5S 2H 3H 4H 2C 3C 4C 2D 3D 4D",
            "6S 7S 8S 5H 6H 7H 5C 6C 7C 8C 5D 6D 7D",
            "8H 9H 9C TC JC QC KC 8D 9D TD JD QD KD",
        ],
        pass_sequence=["none"],
        deals=1,
        match_games=1,
    )
    assert chosen(state, 0, "heuristic") == "expose AH"
    keep(state)
    play(state, "2C")
    rng = Random(5)
    while not state.over():
        seat = state.to_act().bit_length() - 1
        bot = "heuristic" if seat == 0 else "random"
        act(state, seat, ACTIONS.name(GAME.bots()[bot].choose(state.view(seat), rng)))
    assert state.scores()[0] > 100


def test_the_heuristic_answers_the_same_view_with_the_same_action() -> None:
    state = transcript()
    assert len({chosen(state, 2, "heuristic", seed) for seed in range(10)}) == 1


@pytest.mark.parametrize("other", ["random", "dummy"])
def test_the_heuristic_is_clearly_better(other: str) -> None:
    bots = GAME.bots()
    found = duel(GAME, bots["heuristic"], bots[other], deals=60, seed=1, options=ONE_DEAL)
    assert found.difference.value - found.difference.margin > 4


def test_a_duel_of_equals_is_even() -> None:
    bot = GAME.bots()["heuristic"]
    found = duel(GAME, bot, bot, deals=20, seed=2, options=ONE_DEAL)
    assert found.first == found.second
    assert found.difference.value == 0
