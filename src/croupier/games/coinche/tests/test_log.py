"""The log of section 18, written and replayed."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core import record
from croupier.core.contract import CHANCE, Draw
from croupier.games.coinche import GAME, log
from croupier.games.coinche.log import BadLog
from croupier.games.coinche.tests.positions import (
    TRANSCRIPT_CALLS,
    TRANSCRIPT_HANDS,
    TRANSCRIPT_TRICKS,
    new,
    play,
    say,
    transcript,
)
from croupier.games.coinche.vocabulary import CARD_WORDS, CODES
from croupier.testing.strategies import examples
from croupier.testing.walks import fingerprint, random_options, walk

RESULT = {
    "redeal": False,
    "contract": "110 Hearts",
    "bidder": 1,
    "level": 1,
    "winners": [3, 2, 3, 4, 1, 2, 1, 1],
    "points": [106, 56],
    "tricks": [5, 3],
    "belote": [20, 0],
    "made": True,
    "score": [402, 0],
}
TRANSCRIPT = {
    "options": {},
    "dealer": 4,
    "hands": [hand.split() for hand in TRANSCRIPT_HANDS],
    "actions": [
        *TRANSCRIPT_CALLS,
        *(f"PLAY {CARD_WORDS[CODES[card]]}" for trick in TRANSCRIPT_TRICKS for card in trick[0].split()),
    ],
    "result": RESULT,
}


def test_the_deal_of_the_spec_replays_to_its_result() -> None:
    state = log.replay_deal(log.read_deal(json.dumps(TRANSCRIPT)))
    assert state.totals() == [402, 0]


def test_the_deal_of_the_spec_is_written_as_the_spec_writes_it() -> None:
    state = say(transcript(), *TRANSCRIPT_CALLS)
    for fallen, _, _, _ in TRANSCRIPT_TRICKS:
        play(state, fallen)
    written = json.loads(log.write(log.deal_of(state)))
    assert {**written, "options": {}} == TRANSCRIPT
    assert written["options"]["first_dealer"] == 4
    assert set(written["options"]) == set(GAME.options.options)
    assert list(written) == ["options", "dealer", "hands", "actions", "result"]
    assert list(written["result"]) == list(RESULT)


def test_a_passed_out_deal() -> None:
    written = log.write(log.deal_of(say(transcript(), "p", "p", "p", "p")))
    assert json.loads(written)["result"] == {"redeal": True, "score": [0, 0]}
    assert log.replay_deal(log.read_deal(written)).deal() == 1


def test_a_deal_under_way_has_no_result() -> None:
    state = say(transcript(), "p", "bid 80 Clubs")
    written = log.write(log.deal_of(state))
    assert "result" not in json.loads(written)
    again = log.replay_deal(log.read_deal(written))
    assert again.view(0).calls == state.view(0).calls
    with pytest.raises(BadLog, match="no deal has begun"):
        log.deal_of(new())


@examples(25)
@given(st.integers(0, 10_000))
def test_any_match_can_be_written_and_replayed(seed: int) -> None:
    options = random_options(GAME, Random(seed))
    entries: list[record.Entry] = []
    draw: Draw | None = None
    here = None
    for here in walk(GAME, options, seed):
        if here.steps:
            actor, items = here.steps[-1]
            if actor == CHANCE:
                assert draw is not None
                entries += record.drawn(GAME, draw, items, entries)
            else:
                entries.append(record.Acted(actor, (GAME.actions.name(items[0]),)))
        draw = here.state.awaiting()
    assert here is not None
    whole = record.Record(GAME.name, GAME.rules, 4, record.spelt(options), entries=entries)
    match = log.match_of(whole)
    assert len(match.deals) == here.state.deal()
    text = log.write(match)
    assert "target" not in json.loads(text)["options"]
    again = log.replay_match(log.read_match(text))
    assert fingerprint(again, 4) == fingerprint(here.state, 4)


def test_a_record_without_deals_is_a_match_without_deals() -> None:
    whole = record.Record(GAME.name, GAME.rules, 4, {"target": "700"})
    match = log.match_of(whole)
    assert (match.target, match.deals) == (700, [])
    assert log.replay_match(match).deal() == 0


def changed(**values: object) -> str:
    return json.dumps({**TRANSCRIPT, **values})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a log of a deal"),
        ("[" * 100_000, "not a log of a deal"),
        ("[1, 2]", "not a log of a deal"),
        (changed(dealer="four"), "not a log of a deal"),
        (changed(colour="red"), "not a log of a deal"),
        (changed(dealer=5), "dealer 5: expected 1…4"),
        (changed(hands=[["7H"] * 8] * 4), "not a deal, expected 4 of 8 cards like 10H"),
        (changed(hands=[["1H"] * 8] * 4), "not a deal"),
        (changed(options={"target": 5}), "option target=5: expected 100…10000"),
        (changed(options={"colour": 5}), "option colour: unknown"),
        (changed(actions=["PASS", "PLAY 7 Hearts"]), "action 2: PLAY 7 Hearts: the auction is not over"),
        (changed(actions=["JUMP"]), "action 1: unknown action 'JUMP'"),
        (changed(actions=["PASS"] * 5, result=None), "action 5 'PASS': the deal is over"),
        (changed(actions=["PASS"] * 4), "its result is"),
        (changed(result={"redeal": True, "score": [0, 0]}), "the rules find"),
    ],
)
def test_an_invalid_log_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadLog, match=words.replace("(", r"\(")):
        log.replay_deal(log.read_deal(text))


def match_text(*deals: object, **values: object) -> str:
    return json.dumps({"options": {}, "target": 2000, "deals": deals, **values})


DEAL = {name: value for name, value in TRANSCRIPT.items() if name != "options"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (match_text(target="much"), "not a log of a match"),
        (match_text(DEAL, options={"target": 100}), "target is among the options"),
        (match_text(DEAL, target=10), "option target=10"),
        (match_text(TRANSCRIPT), "deal 1: it has options"),
        (match_text(DEAL, DEAL), "deal 2: dealer 4, expected 1"),
        (match_text({**DEAL, "dealer": 3}), "deal 1: dealer 3, expected 4"),
        (match_text(DEAL, {**DEAL, "dealer": 1}, target=400), "deal 2: the match is over"),
        (
            match_text({**DEAL, "actions": ["PASS"], "result": None}, {**DEAL, "dealer": 1}),
            "deal 2: the deal before it is not over",
        ),
    ],
)
def test_an_invalid_match_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadLog, match=words):
        log.replay_match(log.read_match(text))


def test_a_drawn_first_dealer_is_the_first_deals() -> None:
    state = log.replay_match(log.read_match(match_text(DEAL, options={"first_dealer": "random"})))
    assert state.next_dealer == 0
