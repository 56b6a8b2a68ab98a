"""What a seat sees, and what it is told: the audiences of the spec's C10."""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.core.contract import PUBLIC, Event
from croupier.core.dice import Dice
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.tests.positions import act, declare, kinds, legal, new, told, transcript
from croupier.games.tarock.vocabulary import CARDS


def whole_deal(seed: int, **options: object) -> list[Event]:
    """Return the events of a match of one deal, played at random."""
    state = new(deals=1, **options)
    dice = Dice(seed)
    while not state.over():
        if state.awaiting() is not None:
            state.roll(dice)
            continue
        seat = int(state.turn)
        state.apply(seat, int(state.choice(seat, dice.below(state.choices(seat)))))
    return told(state)


def test_only_private_events_of_a_seat_are_not_public() -> None:
    private = {"dealt", "laid_away", "claimed"}
    events = [event for seed in range(40) for event in whole_deal(seed, kontra=True)]
    assert private < {str(event.plain()["kind"]) for event in events}
    for event in events:
        plain = event.plain()
        own = plain["kind"] in private
        assert event.audience == (1 << int(str(plain["seat"])) if own else PUBLIC)


def test_events_before_the_end_name_no_card_that_was_not_shown() -> None:
    for seed in range(60):
        shown: set[str] = set()
        for event in whole_deal(seed):
            plain = event.plain()
            kind = plain["kind"]
            if event.audience != PUBLIC or kind == "deal_ended":
                continue
            text = json.dumps({key: value for key, value in plain.items() if key != "options"})
            found = {name for name in CARDS if f'"{name}"' in text}
            if kind in ("exchange_started", "played", "hand_shown", "exchange_ended"):
                shown |= found
            assert found <= shown


def test_the_turn_is_public_and_no_seat_is_skipped() -> None:
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1", "discard CJ", "discard HQ")
    asked = []
    while legal(state)[-1] == "done":
        assert {state.view(seat).to_act for seat in (0, 1, 2, 3, -2)} == {state.to_act()}
        assert {state.to_act_for(seat) for seat in (0, 1, 2, 3, -2)} == {state.to_act()}
        asked.append(int(state.turn))
        act(state, int(state.turn), "done")
    assert asked == [1, 2, 3, 0]


def test_the_order_of_events_of_an_exchange_contract() -> None:
    state = transcript(deals=1)
    declare(state, 1, "three")
    act(state, 1, "call H", "take 1", "discard C8", "discard CJ", "discard D2")
    while not state.over():
        act(state, int(state.turn), legal(state)[-1])
    found = [kind for kind in kinds(told(state)) if kind not in ("played", "spoke", "dealt")]
    assert found == [
        "match_started",
        "deal_started",
        "bidding_started",
        "bidding_ended",
        "calling_started",
        "king_called",
        "exchange_started",
        "set_taken",
        "laid_away",
        "laid_away",
        "laid_away",
        "exchange_ended",
        "announcing_started",
        *["announced"] * 4,
        "announcing_ended",
        "play_started",
        "deal_ended",
        "match_ended",
    ]


def at_play() -> TarockState:
    state = transcript(deals=1)
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1", "discard HQ", "discard CJ")
    act(state, 1, "announce trula", "done")
    for seat in (2, 3, 0):
        act(state, seat, "done")
    return state


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("phase", "playing"),
        ("contract", "two"),
        ("declarer", 1),
        ("king", "H"),
        ("picked", 1),
        ("discarded", []),
        ("talon_rest", ["S10", "T17", "SJ", "D4"]),
        ("announced", [{"seat": 1, "bonus": "trula"}]),
        ("tricks_won", [0, 0, 0, 0]),
        ("counts", [12, 12, 12, 12]),
        ("hands", []),
        ("whole_talon", []),
        ("discards", []),
        ("turn", 1),
        ("leader", 1),
        ("standing", "three"),
    ],
)
def test_the_public_facts_when_the_play_begins(key: str, expected: object) -> None:
    state = at_play()
    for seat in (0, 1, 2, 3, -2):
        assert state.view(seat).facts()[key] == expected


def test_the_facts_only_for_declarer_when_the_play_begins() -> None:
    state = at_play()
    assert state.view(1).facts()["my_discards"] == ["HQ", "CJ"]
    for seat in (0, 2, 3, -2):
        text = json.dumps({**state.view(seat).facts(), "talon": []})
        assert '"HQ"' not in text
        assert '"CJ"' not in text


def test_a_watcher_sees_no_hand() -> None:
    facts: dict[str, Any] = at_play().view(-2).facts()
    assert (facts["hand"], facts["dealt"], facts["my_discards"]) == ([], [], [])
    assert at_play().view(-2).legal == []


def test_nothing_is_seen_before_the_first_deal() -> None:
    state = new()
    assert state.view(0).facts()["phase"] == "dealing"
    assert state.view(0).facts()["options"] == {}
    assert state.view(0).facts()["standing"] is None
