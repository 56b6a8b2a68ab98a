"""What a seat may know of a match of Hearts, and when."""

from __future__ import annotations

import pytest

from croupier.core.contract import WATCHER
from croupier.games.hearts.events import Dealt, Picked, Received
from croupier.games.hearts.state import HeartsState
from croupier.games.hearts.tests.positions import (
    TRANSCRIPT_PASSES,
    TRANSCRIPT_ROUNDS,
    act,
    keep,
    new,
    pass_all,
    play,
    told,
    transcript,
)
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import names, shown


def played(rounds: int, exposed: bool = False, **options: object) -> HeartsState:
    """Return the transcript's match after *rounds* rounds."""
    state = transcript(**options)
    pass_all(state, TRANSCRIPT_PASSES)
    act(state, 0, "expose AH" if exposed else "keep AH")
    for fallen, _, _ in TRANSCRIPT_ROUNDS[:rounds]:
        play(state, fallen)
    return state


def test_before_the_first_deal_there_is_nothing_to_know() -> None:
    state = new()
    for seat in (0, 1, 2, 3, WATCHER):
        assert state.view(seat).facts() == HeartsView(seat).facts()


def test_cards_are_told_to_their_owner_alone() -> None:
    state = transcript()
    pass_all(state, TRANSCRIPT_PASSES)
    private = [event for event in told(state) if isinstance(event, Dealt | Picked | Received)]
    assert len(private) == 4 + 12 + 4
    for event in private:
        assert [seat for seat in (0, 1, 2, 3, WATCHER) if event.heard_by(seat)] == [event.seat]


def test_everything_else_is_public() -> None:
    state = played(13, deals=1, match_games=1)
    public = [event for event in told(state) if not isinstance(event, Dealt | Picked | Received)]
    assert len(public) > 52
    assert all(event.heard_by(seat) for event in public for seat in (0, 1, 2, 3, WATCHER))


def test_received_cards_are_hidden_until_all_have_passed() -> None:  # R5
    state = transcript()
    for card in TRANSCRIPT_PASSES[3].split():
        act(state, 3, f"pass {card}")
    view = state.view(0)
    assert (view.received, view.exchanged, view.passed) == ([], False, 0b1000)
    assert view.counts == [13, 13, 13, 10]
    assert view.to_act == 0b0111


def test_a_seat_sees_its_own_picks_leave_its_hand() -> None:
    state = transcript()
    act(state, 0, "pass KC")
    view = state.view(0)
    assert names(view.picked) == ["KC"]
    assert "KC" not in shown(view.hand)
    assert "KC" in shown(view.initial)
    assert view.counts == [13, 13, 13, 13]
    assert state.view(1).facts() == transcript().view(1).facts()


@pytest.mark.parametrize("seat", [1, 2, 3, WATCHER])
def test_only_the_holder_knows_who_is_asked_to_expose(seat: int) -> None:  # R6
    state = transcript()
    pass_all(state, TRANSCRIPT_PASSES)
    assert state.view(0).to_act == 1
    assert (state.view(seat).to_act, state.view(seat).legal) == (0, [])


def test_a_view_in_the_middle_of_a_round() -> None:
    state = played(5, exposed=True)
    play(state, "9H 5H")
    facts = state.view(1).facts()
    assert facts["phase"] == "playing"
    assert (facts["round"], facts["leader"], facts["broken"], facts["exposed"]) == (6, 0, True, 0)
    assert facts["table"] == ["9H", "5H", None, None]
    assert (facts["last"], facts["last_leader"], facts["last_taker"]) == (["9C", "2H", "4C", "KH"], 0, 0)
    assert facts["counts"] == [7, 7, 8, 8]
    assert facts["void"] == [[], ["C"], [], ["C"]]
    assert facts["taken"] == [["KH", "2H"], [], [], []]
    assert facts["scores"] == [-4, 0, 0, 0]
    assert facts["hand"] == ["JS", "JH", "7H", "JD", "TD", "4D", "3D"]
    assert (facts["received"], facts["received_from"]) == (["KC", "JD", "TD"], 0)
    assert facts["hands"] == []


def test_a_watcher_has_no_cards() -> None:
    facts = played(5).view(WATCHER).facts()
    assert (facts["hand"], facts["initial"], facts["picked"], facts["received"]) == ([], [], [], [])
    assert facts["received_from"] is None
    assert facts["table"] == [None, None, None, None]


def test_all_hands_are_open_when_a_deal_has_ended() -> None:
    state = played(13, exposed=True)
    for seat in (2, WATCHER):
        facts = state.view(seat).facts()
        assert facts["phase"] == "dealing"
        hands = facts["hands"]
        assert isinstance(hands, list)
        assert hands[1] == ["AS", "JS", "8S", "JH", "7H", "5H", "2H", "QC", "2C", "QD", "5D", "4D", "3D"]
        assert facts["all_picked"] == [packet.split() for packet in TRANSCRIPT_PASSES]
        assert facts["deals"] == [{"scores": [-10, -46, 0, -6], "exposed": 0, "moon": None}]
        assert facts["totals"] == [-10, -46, 0, -6]


def test_the_rules_of_the_match_are_known_to_all() -> None:
    state = transcript(moon="zero")
    assert state.view(WATCHER).options["moon"] == "zero"
    assert state.view(0).facts()["options"] == state.rules.options


def test_the_hands_of_a_duplicate_match_are_known_once_they_were_open() -> None:  # R11
    state = played(12, match_decks="duplicate")
    assert state.view(0).decks == []
    play(state, TRANSCRIPT_ROUNDS[12][0])
    assert state.view(0).facts()["decks"] == [state.view(0).facts()["hands"]]
    assert played(13).view(0).decks == []


def test_a_view_is_a_copy() -> None:
    state = played(3)
    before = state.view(1).facts()
    view = state.view(1)
    view.played[0].append(51)
    view.totals[0] = 99
    view.legal.append(7)
    view.options["moon"] = "zero"
    assert state.view(1).facts() == before


def test_keeping_the_ace_looks_the_same_to_all() -> None:
    state = transcript()
    pass_all(state, TRANSCRIPT_PASSES)
    keep(state)
    assert state.view(2).exposed == -1
