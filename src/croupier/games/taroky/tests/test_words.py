"""Events and questions in words, typed text as actions, clocks."""

from __future__ import annotations

from random import Random

import pytest

from croupier.bots.strengths import names
from croupier.core.contract import RulesError
from croupier.games import words_of
from croupier.games.taroky import GAME
from croupier.games.taroky.events import ContraEnded, DealStarted, IoteEnded, Played, PreverEnded, TrickTaken
from croupier.games.taroky.tests.positions import (
    BIDA,
    BIDA_TALON,
    dealt,
    discard_all,
    fresh,
    partner_game,
    say,
    walk,
)
from croupier.games.taroky.vocabulary import (
    BOT_OF,
    CARD,
    CODES,
    CONTRA,
    IOTE,
    MONEY,
    NAME,
    NO,
    PHASES,
    PLAYING,
    PREVER,
    YES,
)
from croupier.games.taroky.words import GameWords

words = words_of(GAME)
PLAYERS = ["ann", "bea", "cyr", "dan"]


def test_every_event_has_words_or_is_told_by_another() -> None:
    told: set[str] = set()
    for seed in range(25):
        state = fresh(hands=1)
        state.events = []
        for _ in walk(state, Random(seed), 0.05 if seed % 2 else 0.3):
            pass
        for event in state.events:
            text = words.describe(event, PLAYERS)
            assert text == text.strip()
            assert words.tell(event, state.view(0), PLAYERS) is not None
            told.add(text.partition(" ")[2].partition(":")[0])
    assert {
        "plays prever, alone against three.",
        "announces valat!",
        "announces the I on the end.",
        "calls contra",
    } <= told


def test_questions_and_answers_through_a_deal() -> None:
    asked: set[str] = set()
    for seed in range(12):
        state = fresh(hands=1)
        for _ in walk(state, Random(seed), 0.3):
            if state.awaiting() is None and not state.over():
                view = state.view(int(state.turn))
                question = words.question(view, PLAYERS)
                assert "{" not in question
                asked.add(PHASES[view.phase])
                words.table(view, PLAYERS)
                assert sum(len(row) for row in words.hand(view)) == view.counts[view.seat]
        assert words.scores(state.view(0), PLAYERS)[0] == ["player", "Deal 1", "Chips"]
        assert " trick 12." in words.last(state.view(0), PLAYERS)
    assert asked == set(PHASES) - {"dealing", "moneycards", "finished"}


def test_what_is_typed_becomes_actions() -> None:
    state = dealt(BIDA, talon=BIDA_TALON)
    assert words.read(state.view(0), "n") == (NO,)
    with pytest.raises(RulesError, match="expected y or n"):
        words.read(state.view(0), "maybe")
    say(state, NO, NO, NO, NO, YES, YES)
    assert words.read(state.view(0), "s1, SA h1") == (
        CARD + CODES["S1"],
        CARD + CODES["S1"],
        CARD + CODES["H1"],
    )
    with pytest.raises(RulesError, match="5 cards: expected 4"):
        words.read(state.view(0), "s1 s2 s3 s4 c1")
    with pytest.raises(RulesError, match="expected cards like"):
        words.read(state.view(0), "s1 foo")
    discard_all(state)
    assert words.question(state.view(0), PLAYERS).startswith("You hold Bida. Call it?")
    say(state, NO)
    assert words.read(state.view(0), "XIX") == (NAME + 4,)
    assert words.read(state.view(0), "t19") == (NAME + 4,)
    with pytest.raises(RulesError, match="expected XV, XVI"):
        words.read(state.view(0), "20")
    say(state, NAME + 4)
    while state.phase != PLAYING:
        say(state, NO)
    assert words.read(state.view(0), "play T2") == (CARD + CODES["T02"],)
    assert words.last(state.view(0), PLAYERS) == "No trick has been taken in this deal"
    assert words.table(state.view(0), PLAYERS)[-1] == "Trick 1 of 12: You to lead"


def test_the_table_names_the_partner_once_it_is_public() -> None:
    state = partner_game(dealt(["T19 T18 S1 S2 S3", "T17 T05"], talon="C1 C2 C3 C4 H1 H2"))
    say(state, NAME + 2)
    assert words.table(state.view(1), PLAYERS)[0] == "ann, Partner: XVII"
    while state.phase != PLAYING:
        say(state, NO)
    say(state, CARD + CODES["T18"], CARD + CODES["T17"])
    assert words.table(state.view(3), PLAYERS)[0] == "ann, Partner: XVII (bea)"


def test_clocks_and_pauses() -> None:  # spec 5 and 8
    quick = GAME.pace(GAME.table_options.read({"timeout": 1}))
    view = fresh().view(0)
    assert quick.limit(view, person=True) == 20
    assert quick.limit(view, person=False) == 0.001
    assert GAME.pace(GAME.table_options.read({"timeout": 0})).limit(view, person=True) == 0
    usual = GAME.pace(GAME.table_options.read({}))
    assert usual.limit(view, person=True) == 30
    assert usual.before(Played(0, 1, 1)) == 0.7
    assert usual.before(TrickTaken(1, 0)) == 1.5
    assert usual.before(ContraEnded(0)) == 0
    assert usual.floor(ContraEnded(0)) == 2 == usual.floor(IoteEnded(0))
    assert usual.floor(PreverEnded(-1)) == 0
    assert usual.before(DealStarted(1, 0, [])) == 0
    assert usual.before(DealStarted(2, 0, [])) == 5 == usual.rest()
    assert usual.before(PreverEnded(-1)) == 0


def test_bots_and_absent_players() -> None:  # spec 5 and 8
    options = {"bot_play_time": 3000, "bot_think_time": 1000, "difficulty": 1}
    pace = GAME.pace(GAME.table_options.read(options))
    view = fresh().view(0)
    times = []
    for phase in (PREVER, MONEY, CONTRA, IOTE, PLAYING):
        view.phase = phase
        times.append((pace.thinking(view), pace.counts(view)))
    # In the secret phases neither a bot's time nor a late answer tells who is asked.
    assert times == [(1, True), (0, False), (0, False), (0, False), (3, True)]
    assert pace.absence() == 20
    assert pace.autos(True) == pace.autos(False) == 11
    assert (pace.absence_bot(True), pace.absence_bot(False)) == ("", "novice")
    assert set(BOT_OF) <= set(names(GAME))


def test_cards_are_read_as_they_are_shown() -> None:
    assert isinstance(words, GameWords)
    for code, (info, _) in words.faces.items():
        assert words._cards(f"{info}, {info.lower()} {code.lower()}") == [CODES[code]] * 3
    shown = {code: words.faces[code][0] for code in ("S4", "C1", "H1", "D4", "HR", "T05", "T22")}
    assert shown == {"S4": "10♠", "C1": "7♣", "H1": "A♥", "D4": "4♦", "HR": "R♥", "T05": "V", "T22": "Škýz"}
    assert words._cards("♠k ks 10s iv t4") == [CODES[code] for code in ("SK", "SK", "S4", "T04", "T04")]
    for word in ("4♠", "as", "xxx", "♣"):
        with pytest.raises(RulesError, match="expected cards like SK T05"):
            words._cards(word)
