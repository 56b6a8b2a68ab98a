"""Deal, play and match, rule by rule; the numbers are those of the README."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import cards_of, count, mask_of
from croupier.core.contract import BadDraw, RulesError, play_out
from croupier.core.dice import Dice
from croupier.games.coinche import GAME
from croupier.games.coinche.events import Announced, AuctionEnded, DealEnded, MatchEnded, TrickTaken
from croupier.games.coinche.state import CoincheState
from croupier.games.coinche.tests.positions import (
    TRANSCRIPT_CALLS,
    TRANSCRIPT_HANDS,
    TRANSCRIPT_TRICKS,
    cards,
    dealt,
    kinds,
    new,
    play,
    say,
    told,
    transcript,
)
from croupier.games.coinche.view import DealResult
from croupier.games.coinche.vocabulary import (
    ACTIONS,
    BIDDING,
    CODES,
    FIRST_SEAT,
    OVER,
    PLAY,
    SEATS,
    SUIT,
    SUITS,
    deck_of,
    hands_of,
    names,
    shown,
)
from croupier.testing.strategies import examples, walks
from croupier.testing.walks import Walk

# The vocabulary (section 18)


def test_action_numbers_are_those_of_the_spec() -> None:
    assert len(ACTIONS) == 101
    assert [ACTIONS.name(action) for action in range(3)] == ["PASS", "COINCHE", "SURCOINCHE"]
    levels = ["80", "90", "100", "110", "120", "130", "140", "150", "160", "capot", "generale"]
    kinds_ = ["Hearts", "Diamonds", "Clubs", "Spades", "TA", "SA"]
    for level, words in enumerate(levels):
        for kind, denomination in enumerate(kinds_):
            assert ACTIONS.parse(f"CONTRACT {words} {denomination}") == 3 + 6 * level + kind
    for suit, name in enumerate(kinds_[:4]):
        for rank, words in enumerate(["7", "8", "9", "10", "J", "Q", "K", "A"]):
            assert ACTIONS.parse(f"PLAY {words} {name}") == 69 + 8 * suit + rank
            assert CODES[words + name[0]] == 8 * suit + rank


def test_suits_are_sets_of_eight_cards() -> None:
    assert [[card // 8 for card in cards_of(suit)] for suit in SUIT] == [[suit] * 8 for suit in range(4)]


# The deal (R3)


def test_cards_are_dealt_in_packets_of_three_two_and_three() -> None:  # R3.2
    state = new()
    draw = state.awaiting()
    assert draw is not None
    assert (draw.pool, draw.take, draw.replace) == (list(range(32)), 32, False)
    deck = list(range(31, -1, -1))
    state.apply_draw(deck)
    # The dealer is seat 3 (the spec's 4): seat 0 gets the first packet.
    for seat in range(SEATS):
        packets = deck[3 * seat :][:3] + deck[12 + 2 * seat :][:2] + deck[20 + 3 * seat :][:3]
        assert state.hands[seat] == mask_of(packets)


@pytest.mark.parametrize("dealer", range(4))
def test_a_deck_gives_the_hands_it_was_made_for(dealer: int) -> None:
    hands = [cards(hand) for hand in TRANSCRIPT_HANDS]
    deck = deck_of(hands, dealer)
    assert hands_of(deck, dealer) == hands
    assert sorted(deck) == list(range(32))
    assert deck[:3] == hands[(dealer + 1) % 4][:3]


@pytest.mark.parametrize(
    "outcome",
    [[], list(range(31)), [0, *range(31)], [*range(31), 32], [-1, *range(1, 32)], [*range(32), 0]],
)
def test_a_draw_that_is_not_a_deal_is_refused(outcome: list[int]) -> None:
    state = new()
    with pytest.raises(BadDraw):
        state.apply_draw(outcome)
    assert state.view(0).facts() == new().view(0).facts()


def test_a_draw_that_is_not_due_is_refused() -> None:
    with pytest.raises(BadDraw, match="none is due"):
        transcript().apply_draw(list(range(32)))


@pytest.mark.parametrize("first", ["1", "2", "3", "4"])
def test_the_deal_moves_on_after_every_deal(first: str) -> None:  # R3.3
    state = new(first_dealer=first)
    for number in range(5):
        state.apply_draw(list(range(32)))
        assert state.dealer == (int(first) - 1 + number) % 4
        assert state.turn == (state.dealer + 1) % 4
        say(state, "p", "p", "p", "p")
    assert state.deal() == 5


def test_the_first_dealer_may_be_drawn() -> None:  # R3.3
    state = new(first_dealer="random")
    draw = state.awaiting()
    assert draw is not None
    assert ([GAME.draw_name(item) for item in draw.pool], draw.take) == (
        ["seat1", "seat2", "seat3", "seat4"],
        1,
    )
    with pytest.raises(BadDraw):
        state.apply_draw([0])
    state.apply_draw([FIRST_SEAT + 2])
    assert told(state) == []
    state.apply_draw(list(range(32)))
    assert state.view(1).dealer == 2
    dealers: Counter[int] = Counter()
    for seed in range(200):
        rolled = new(first_dealer="random")
        rolled.roll(Dice(seed))
        rolled.roll(Dice(seed))
        dealers[int(rolled.dealer)] += 1
    assert set(dealers) == {0, 1, 2, 3}


@given(st.integers(0, 1 << 64))
def test_a_roll_is_a_deal(seed: int) -> None:
    state = new()
    state.roll(Dice(seed))
    hands = [state.hands[seat] for seat in range(4)]
    assert [int(count(hand)) for hand in hands] == [8] * 4
    assert sum(hands) == (1 << 32) - 1


def test_rolls_give_every_card_to_every_seat() -> None:
    dice = Dice(1)
    owners: Counter[tuple[int, int]] = Counter()
    for _ in range(2000):
        state = new()
        state.roll(dice)
        owners.update((seat, card) for seat in range(4) for card in cards_of(state.hands[seat]))
    # 500 expected; five standard deviations of a coin with a quarter are about 97.
    assert len(owners) == 128
    assert all(400 < times < 600 for times in owners.values())


def test_other_numbers_of_seats_are_refused() -> None:
    with pytest.raises(RulesError, match="3 seats: Coinche is played by 4"):
        GAME.new(GAME.options.read({}), 3)


# The deal of the transcript (section 15)


def test_the_transcripts_deal_is_played_as_it_was() -> None:
    state = say(transcript(), *TRANSCRIPT_CALLS)
    ended = [event for event in told(state) if isinstance(event, AuctionEnded)]
    assert [event.plain() for event in ended] == [
        {"kind": "auction_ended", "bidder": 0, "contract": "110 Hearts", "doubled": 1, "factor": 2}
    ]
    for number, (fallen, leader, taker, won) in enumerate(TRANSCRIPT_TRICKS, 1):
        assert state.turn == leader - 1
        play(state, fallen)
        taken = [event for event in told(state) if isinstance(event, TrickTaken)]
        assert [(event.number, event.taker + 1, event.points) for event in taken] == [(number, taker, won)]
    result = state.results[-1]
    assert (result.points, result.belote, result.scores) == ([106, 56], [20, 0], [402, 0])
    assert (result.made, result.tricks) == (True, [5, 3])
    assert state.scores() == [402, 0, 402, 0]
    assert state.payoffs() == [402.0, -402.0, 402.0, -402.0]


def test_the_playable_cards_of_the_transcript() -> None:
    state = say(transcript(), *TRANSCRIPT_CALLS)
    hints = {  # trick, seat: the cards of line 334
        (1, 2): "AH",
        (1, 3): "JH",
        (3, 3): "10D QD KD",
        (5, 1): "10H QH KH",
        (5, 3): "8H 10D QD 8C",
        (6, 4): "9C JC KC",
    }
    may: dict[tuple[int, int], str] = {}
    for number, (fallen, _, _, _) in enumerate(TRANSCRIPT_TRICKS, 1):
        for card in fallen.split():
            may[number, int(state.turn) + 1] = " ".join(shown(state.may))
            play(state, card)
    assert {turn: may[turn] for turn in hints} == hints


def test_a_deal_tells_its_events_in_order() -> None:
    state = transcript()
    assert kinds(told(state)) == ["match_started", "deal_started", *["dealt"] * 4]
    say(state, *TRANSCRIPT_CALLS)
    assert kinds(told(state)) == [*["called"] * 8, "auction_ended", "trick_started"]
    play(state, "7H AH JH 9H")
    assert kinds(told(state)) == [*["played"] * 4, "trick_taken", "trick_started"]
    for fallen, _, _, _ in TRANSCRIPT_TRICKS[1:]:
        play(state, fallen)
    assert kinds(told(state))[-6:] == [*["played"] * 4, "trick_taken", "deal_ended"]


# Belote (R7)


def test_belote_and_rebelote_are_announced_after_their_cards() -> None:  # R7.2
    state = say(transcript(), *TRANSCRIPT_CALLS)
    told(state)
    for fallen, _, _, _ in TRANSCRIPT_TRICKS:
        play(state, fallen)
    events = told(state)
    at = [place for place, event in enumerate(events) if isinstance(event, Announced)]
    assert [events[place].plain() for place in at] == [
        {"kind": "announced", "seat": 0, "word": "belote", "suit": "Hearts"},
        {"kind": "announced", "seat": 0, "word": "rebelote", "suit": "Hearts"},
    ]
    assert [events[place - 1].plain()["card"] for place in at] == ["QH", "KH"]


def announcements(hands: list[str], denomination: str, **options: object) -> list[tuple[int, str, bool]]:
    """Return what is announced when every seat plays its first legal card."""
    state = say(dealt(hands, **options), f"bid 80 {denomination}", "p", "p", "p")
    while state.deal() == 0:
        state.apply(int(state.turn), state.legal_actions(int(state.turn))[0])
    words = [event for event in told(state) if isinstance(event, Announced)]
    return [(word.seat, SUITS[word.suit], word.again) for word in words]


PAIRS = [
    "KH QH 7D 8D 9D 10D JD AD",
    "7H 8H 9H 10H JH AH KD QD",
    "KC 7S 8S 9S 10S JS QS AS",
    "7C 8C 9C 10C JC QC AC KS",
]


def test_in_all_trumps_every_suit_has_a_belote() -> None:  # R7.1
    found = announcements(PAIRS, "TA")
    assert {(seat, suit) for seat, suit, _ in found} == {(0, "Hearts"), (1, "Diamonds")}
    assert [again for seat, _, again in found if seat == 0] == [False, True]
    assert announcements(PAIRS, "TA", ta_belote=False) == []
    assert announcements(PAIRS, "SA") == []
    assert {seat for seat, _, _ in announcements(PAIRS, "Diamonds")} == {1}
    assert announcements(PAIRS, "Clubs") == []


# Tricks and points


def test_in_all_trumps_a_card_of_another_suit_never_wins() -> None:  # R6.5
    hands = [
        "7H 8H 9H 10H QH KH AH 7S",
        "JD 9D AD 10D KD QD 8D 7D",
        "JC 9C AC 10C KC QC 8C 7C",
        "JH 8S 9S 10S JS QS KS AS",
    ]
    state = say(dealt(hands), "bid 80 TA", "p", "p", "p")
    play(state, "7H JD JC JH")
    assert state.turn == 3


def test_all_eight_tricks_count_252_and_are_a_test_of_tricks() -> None:  # R5.3
    hands = [" ".join(shown(suit)) for suit in SUIT]
    state = say(dealt(hands), "bid 130 Hearts", "p", "p", "p")
    while state.deal() == 0:
        state.apply(int(state.turn), state.legal_actions(int(state.turn))[0])
    result = state.results[-1]
    assert (result.points, result.tricks, result.scores) == ([252, 0], [8, 0], [402, 0])


@pytest.mark.parametrize(("bidder", "made"), [(0, True), (2, False)])
def test_a_generale_is_the_bidders_own(bidder: int, made: bool) -> None:  # R8.2
    hands = [" ".join(shown(suit)) for suit in SUIT]
    state = dealt(hands)
    say(state, *["p"] * bidder, "bid generale Hearts", "p", "p", "p")
    while state.deal() == 0:
        state.apply(int(state.turn), state.legal_actions(int(state.turn))[0])
    assert state.results[-1].made is made
    assert state.totals() == ([752 + 20, 0] if made else [20, 662])


def adds_up(deal: DealResult, all_tricks: object) -> bool:
    if deal.level < 0:  # passed out
        return deal.scores == [0, 0]
    if 8 in deal.tricks:
        return sorted(deal.points) == [0, all_tricks]
    return (sum(deal.points), sum(deal.tricks)) == (162, 8)


@examples(60)
@given(walks(GAME, steps=120))
def test_points_of_a_deal_always_add_up(here: Walk) -> None:
    state = here.state
    assert isinstance(state, CoincheState)
    view = state.view(-2)
    assert all(adds_up(deal, here.options["total_all_tricks"]) for deal in view.deals)
    assert view.totals == [sum(deal.scores[team] for deal in view.deals) for team in (0, 1)]
    played = sum(len(trick.cards) for trick in view.tricks) + sum(card >= 0 for card in view.table)
    assert played + sum(view.counts) == (32 if state.number else 0)


# The match (R9)


def ended_with(first: int, second: int, target: int = 1000) -> CoincheState:
    """Return a match in which the teams had these scores before team 0 scored 402 and team 1 nothing."""
    state = say(transcript(target=target), *TRANSCRIPT_CALLS)
    state.s0, state.s1 = first, second
    for fallen, _, _, _ in TRANSCRIPT_TRICKS:
        play(state, fallen)
    return state


@pytest.mark.parametrize(
    ("first", "second", "over", "winner"),
    [
        (500, 900, False, -1),
        (598, 900, True, 0),
        (597, 999, False, -1),
        (600, 1100, True, 1),  # more points win, no matter who reached the target now
        (800, 1202, False, -1),  # equal beyond the target: another deal
        (0, 1000, True, 1),
    ],
)
def test_the_team_with_more_points_wins_once_the_target_is_reached(
    first: int, second: int, over: bool, winner: int
) -> None:
    state = ended_with(first, second)
    assert state.over() is over
    assert (state.awaiting() is None) is over
    ends = [event for event in told(state) if isinstance(event, MatchEnded)]
    assert [event.winner for event in ends] == ([winner] if over else [])
    assert state.view(0).winner == winner
    assert (state.phase == OVER) is over
    assert (state.why_not(0, 0).key == "match_over") is over


def test_a_passed_out_deal_changes_nothing() -> None:  # R9.2
    state = transcript()
    state.s0 = state.s1 = 2100
    say(state, "p", "p", "p", "p")
    assert not state.over()
    assert state.totals() == [2100, 2100]


def test_the_next_match_goes_on_with_the_next_dealer() -> None:  # R9.3
    options = GAME.options.read({"target": 500, "first_dealer": "random"})
    before = transcript()
    assert before.dealer == 3
    again = GAME.rematch(options, before)
    assert again == {**options, "first_dealer": "1"}
    state = GAME.new(GAME.options.read(again), SEATS)
    state.apply_draw(list(range(32)))
    assert state.dealer == 0


def test_a_match_can_be_played_out() -> None:
    dice = Dice(5)
    for _ in range(20):
        state = GAME.new(GAME.options.read({}), SEATS)
        assert play_out(state, dice) > 0
        assert max(state.scores()) >= 2000
        assert state.events is None


def test_the_event_at_the_end_of_a_deal_equals_its_result() -> None:
    state = ended_with(0, 0)
    ends = [event for event in told(state) if isinstance(event, DealEnded)]
    assert ends[0].plain() == {
        "kind": "deal_ended",
        "deal": 1,
        "made": True,
        "points": [106, 56],
        "tricks": [5, 3],
        "belote": [20, 0],
        "scores": [402, 0],
        "totals": [402, 0],
    }


def test_clones_share_nothing_that_changes() -> None:
    state = say(transcript(), "p")
    twin = state.clone()
    say(twin, "bid 80 Hearts", "p", "p", "p")
    play(twin, "7H")
    assert state.phase == BIDDING
    assert state.view(0).calls == [(0, 0)]
    say(state, "p", "p")
    assert names(cards_of(state.hands[0])) == TRANSCRIPT_HANDS[0].split()
    assert PLAY + CODES["7H"] == 69
