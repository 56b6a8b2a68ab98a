"""What seats and watchers know, and what the wire reads from their views."""

from __future__ import annotations

from random import Random

from croupier.core.contract import WATCHER, as_plain
from croupier.games.coinche.events import Dealt
from croupier.games.coinche.sample import sample
from croupier.games.coinche.tests.positions import (
    TRANSCRIPT_CALLS,
    TRANSCRIPT_HANDS,
    TRANSCRIPT_TRICKS,
    cards,
    new,
    play,
    say,
    told,
    transcript,
)
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import (
    ACTIONS,
    COINCHE,
    CONTRACT,
    KINDS,
    LEVELS,
    OVER,
    SURCOINCHE,
    deck_of,
    shown,
)


def test_only_its_own_cards_are_secret() -> None:
    state = transcript()
    for event in told(state):
        for seat in (*range(4), WATCHER):
            private = isinstance(event, Dealt)
            assert event.heard_by(seat) is (not private or event.plain()["seat"] == seat)
    for seat, hand in enumerate(TRANSCRIPT_HANDS):
        assert shown(state.view(seat).hand) == hand.split()
    assert state.view(WATCHER).hand == state.view(WATCHER).initial == 0


def test_nothing_is_known_before_the_first_deal() -> None:
    view = new().view(0)
    assert (view.options, view.dealer, view.calls, view.to_act, view.legal) == ({}, -1, [], 0, [])


def words_of(view: CoincheView) -> str:
    """Return the fields of line 326: the lowest possible bid, and the possible commands."""
    bids = [action - CONTRACT for action in view.legal if action >= CONTRACT]
    may = ["PASS", *(["CONTRACT"] if bids else [])]
    may += ["COINCHE"] if COINCHE in view.legal else []
    may += ["SURCOINCHE"] if SURCOINCHE in view.legal else []
    return " ".join([LEVELS[bids[0] // KINDS] if bids else "-", *may])


def test_the_hints_of_the_auction_follow_from_legal_actions() -> None:
    expected = [
        "80 PASS CONTRACT",
        "80 PASS CONTRACT",
        "90 PASS CONTRACT COINCHE",
        "100 PASS CONTRACT COINCHE",
        "100 PASS CONTRACT",
        "120 PASS CONTRACT COINCHE",
        "- PASS SURCOINCHE",
        "- PASS SURCOINCHE",
    ]
    state = transcript()
    for call, hint in zip(TRANSCRIPT_CALLS, expected, strict=True):
        assert words_of(state.view(int(state.turn))) == hint
        assert state.view(WATCHER).legal == []
        say(state, call)


def test_views_that_only_hear_events_know_the_same() -> None:
    """Play a whole match with a passed-out deal and a belote, which random walks rarely have."""
    state = new(target=400)
    views = {seat: state.view(seat) for seat in (*range(4), WATCHER)}

    def check() -> None:
        for event in told(state):
            for seat, view in views.items():
                if event.heard_by(seat):
                    view.hear(event)
        for seat, view in views.items():
            assert view.facts() == state.view(seat).facts()

    state.apply_draw(list(range(32)))
    for _ in range(4):
        say(state, "p")
        check()
    assert views[0].facts()["deals"] == [{"dealer": 3, "contract": None, "scores": [0, 0]}]
    for seat in range(4):
        twin = sample(state.view(seat), Random(1))
        assert twin.view(seat).facts() == views[seat].facts()
    # The spec's deal, every seat moved on by one with the dealer.
    hands = [cards(hand) for hand in TRANSCRIPT_HANDS]
    state.apply_draw(deck_of([hands[3], *hands[:3]], 0))
    for call in TRANSCRIPT_CALLS:
        say(state, call)
        check()
    for fallen, _, _, _ in TRANSCRIPT_TRICKS:
        for card in fallen.split():
            play(state, card)
            check()
    assert [word.again for word in views[0].announced] == [False, True]
    assert (views[WATCHER].winner, views[WATCHER].phase, state.over()) == (1, OVER, True)


def test_a_returning_seat_sees_the_whole_deal_so_far() -> None:
    """All that the snapshot of section 14 needs is in a view."""
    state = say(transcript(), *TRANSCRIPT_CALLS)
    for fallen, _, _, _ in TRANSCRIPT_TRICKS[:5]:
        play(state, fallen)
    play(state, "9D AD")
    view = state.view(2)
    assert (view.deal, view.dealer, view.first()) == (1, 3, 0)
    assert [(seat, ACTIONS.name(action)) for seat, action in view.calls][-3:] == [
        (1, "COINCHE"),
        (2, "PASS"),
        (0, "PASS"),
    ]
    assert (view.contract(), view.bidder, view.factor) == ("110 Hearts", 0, 2)
    facts = view.facts()
    assert facts["hand"] == ["10D", "QD", "8C"]
    assert as_plain(view.tricks[-1].fact()) == {
        "leader": 3,
        "cards": ["9S", "QH", "JS", "8H"],
        "taker": 0,
        "points": 5,
    }
    assert (view.trick, view.leader) == (6, 0)
    assert facts["table"] == ["9D", "AD", None, None]
    assert facts["announced"] == [{"seat": 0, "suit": "Hearts", "word": "belote"}]
    assert (view.totals, view.counts, view.to_act) == ([0, 0], [2, 2, 3, 3], 0b100)


def test_the_last_trick_stays_to_be_seen_until_the_next_deal() -> None:
    state = say(transcript(), *TRANSCRIPT_CALLS)
    for fallen, _, _, _ in TRANSCRIPT_TRICKS:
        play(state, fallen)
    view = state.view(1)
    assert (len(view.tricks), view.hand, view.table) == (8, 0, [-1, -1, -1, -1])
    assert (
        as_plain(view.deals[-1].fact(state.rules)).items()
        >= {
            "dealer": 3,
            "contract": "110 Hearts",
            "bidder": 0,
            "doubled": 1,
            "made": True,
            "points": [106, 56],
            "tricks": [5, 3],
            "belote": [20, 0],
            "scores": [402, 0],
        }.items()
    )
    state.apply_draw(list(range(32)))
    view = state.view(1)
    assert (view.tricks, view.announced, view.contract(), len(view.deals)) == ([], [], "", 1)
