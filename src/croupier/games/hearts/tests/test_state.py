"""The rules of Hearts, rule by rule; the numbers are those of the README."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import cards_of, count, mask_of
from croupier.core.contract import BadDraw, IllegalAction, RulesError, play_out
from croupier.core.dice import Dice
from croupier.games.hearts import GAME
from croupier.games.hearts.events import DealEnded, Received, TrickStarted, TrickTaken
from croupier.games.hearts.state import HeartsState
from croupier.games.hearts.tests.positions import (
    TRANSCRIPT_HANDS,
    TRANSCRIPT_PASSES,
    TRANSCRIPT_ROUNDS,
    act,
    cards,
    dealt,
    keep,
    kinds,
    legal,
    new,
    pass_all,
    play,
    playing,
    told,
    transcript,
)
from croupier.games.hearts.vocabulary import (
    ACTIONS,
    CARDS,
    CODES,
    EXPOSING,
    PASSING,
    PLAYING,
    names,
    shown,
)
from croupier.testing.strategies import examples, walks
from croupier.testing.walks import Walk

# R4 Deal


def test_a_deal_gives_thirteen_cards_to_each_position() -> None:  # R4
    state = new()
    draw = state.awaiting()
    assert draw is not None
    assert (draw.pool, draw.take, draw.replace) == (list(range(52)), 52, False)
    state.apply_draw(list(range(52)))
    assert [cards_of(state.hands[seat]) for seat in range(4)] == [
        list(range(at, at + 13)) for at in range(0, 52, 13)
    ]


@pytest.mark.parametrize(
    "outcome",
    [[], list(range(51)), [0, *range(51)], [*range(51), 52], [-1, *range(1, 52)], [*range(52), 0]],
)
def test_a_draw_that_is_not_a_deal_is_refused(outcome: list[int]) -> None:
    state = new()
    with pytest.raises(BadDraw):
        state.apply_draw(outcome)
    assert state.view(0).facts() == new().view(0).facts()


def test_a_draw_that_is_not_due_is_refused() -> None:
    with pytest.raises(BadDraw, match="none is due"):
        transcript().apply_draw(list(range(52)))


@given(st.integers(0, 1 << 64))
def test_a_roll_is_a_deal(seed: int) -> None:
    state = new()
    state.roll(Dice(seed))
    hands = [state.hands[seat] for seat in range(4)]
    assert [int(count(hand)) for hand in hands] == [13] * 4
    assert sum(hands) == (1 << 52) - 1


def test_rolls_give_every_card_to_every_seat() -> None:
    dice = Dice(1)
    owners: Counter[tuple[int, int]] = Counter()
    for _ in range(2000):
        state = new()
        state.roll(dice)
        owners.update((seat, card) for seat in range(4) for card in cards_of(state.hands[seat]))
    # 500 expected; five standard deviations of a coin with a quarter are about 97.
    assert len(owners) == 208
    assert all(400 < times < 600 for times in owners.values())


# R5 Pass


@pytest.mark.parametrize(("direction", "step"), [("left", 1), ("right", 3), ("across", 2)])
def test_packets_go_to_the_seat_of_the_direction(direction: str, step: int) -> None:  # R5.1
    state = transcript(pass_sequence=[direction])
    pass_all(state, TRANSCRIPT_PASSES)
    for giver in range(4):
        taker = (giver + step) % 4
        assert state.received(taker) == cards(TRANSCRIPT_PASSES[giver])
        packet = mask_of(cards(TRANSCRIPT_PASSES[giver]))
        assert state.hands[taker] & packet == packet
        assert state.hands[giver] & packet == 0


def test_the_deals_of_a_game_pass_left_right_across_and_not_at_all() -> None:  # R5.1
    state = new(match_games=1)
    directions: list[str] = []
    dice = Dice(3)
    while not state.over():
        state.roll(dice)
        directions.append(state.view(0).direction)
        assert (state.phase == PASSING) == (directions[-1] != "none")
        deal = state.deal()
        while state.deal() == deal:
            seat = state.to_act().bit_length() - 1
            state.apply(seat, state.legal_actions(seat)[0])
    assert directions == ["left", "right", "across", "none"]


def test_a_longer_game_begins_the_directions_again() -> None:  # R5.1
    rules = new(deals=6, pass_sequence=["across", "none"]).rules
    assert [rules.direction(deal) for deal in range(1, 7)] == ["across", "none"] * 3


def test_all_four_pass_at_the_same_time_and_in_any_order() -> None:  # R5.2
    state = transcript()
    assert state.to_act() == 0b1111
    for seat, packet in ((2, "KH KD QS"), (0, "KC JD TD"), (3, "AC AD KS")):
        for card in packet.split():
            act(state, seat, f"pass {card}")
        assert not state.legal_actions(seat)
    assert state.to_act() == 0b0010
    assert state.received(3) == []
    for card in ("AS", "QC", "QD"):
        act(state, 1, f"pass {card}")
    assert state.phase == EXPOSING
    assert names(state.received(2)) == ["AS", "QC", "QD"]


def test_picked_cards_keep_the_order_in_which_they_were_named() -> None:  # R5.3
    state = transcript()
    pass_all(state, ["JD KC TD", "AS QC QD", "KH KD QS", "AC AD KS"])
    assert names(state.picked(0)) == names(state.received(1)) == ["JD", "KC", "TD"]
    received = [event for event in told(state) if isinstance(event, Received)]
    assert [(event.seat, event.giver, names(event.cards)) for event in received] == [
        (0, 3, ["AC", "AD", "KS"]),
        (1, 0, ["JD", "KC", "TD"]),
        (2, 1, ["AS", "QC", "QD"]),
        (3, 2, ["KH", "KD", "QS"]),
    ]


def test_a_picked_card_leaves_the_hand_at_once() -> None:  # R5.3
    state = transcript()
    act(state, 0, "pass AH")
    assert "AH" not in shown(state.hands[0])
    assert "pass AH" not in [ACTIONS.name(action) for action in state.legal_actions(0)]
    assert len(state.legal_actions(0)) == 12


# R6 Exposure


def exposing(**options: object) -> HeartsState:
    state = transcript(**options)
    pass_all(state, TRANSCRIPT_PASSES)
    return state


def test_only_the_holder_of_the_ace_of_hearts_is_asked() -> None:  # R6
    state = exposing()
    assert state.to_act() == 0b0001
    assert [ACTIONS.name(action) for action in state.legal_actions(0)] == ["expose AH", "keep AH"]


def test_an_exposed_ace_stays_in_the_hand_and_breaks_nothing() -> None:  # R6
    state = exposing()
    act(state, 0, "expose AH")
    assert state.exposed == 0
    assert "AH" in shown(state.hands[0])
    assert not state.broken
    assert state.phase == PLAYING


def test_no_player_is_told_of_a_hidden_ace() -> None:  # R6
    state = exposing()
    told(state)
    act(state, 0, "keep AH")
    events = told(state)
    assert [event.plain() for event in events] == [
        {"kind": "exposing_ended", "seat": None},
        {"kind": "round_started", "round": 1, "leader": 1},
    ]


def test_the_ace_may_be_exposed_in_a_deal_without_passing_too() -> None:  # R6
    assert dealt(TRANSCRIPT_HANDS, pass_sequence=["none"]).phase == EXPOSING


def test_without_the_option_no_player_is_asked() -> None:
    state = exposing(expose=False)
    assert state.phase == PLAYING
    assert "exposing_started" not in kinds(told(state))


# R7 Which cards may be played


def test_the_two_of_clubs_leads_the_first_round() -> None:  # R7.1
    state = exposing()
    keep(state)
    assert state.turn == 1
    assert legal(state, 1) == {"2C"}


def test_a_seat_that_holds_the_suit_led_must_follow_it() -> None:  # R7.2
    assert legal(playing("2H AC 7D", trick="KD")) == {"7D"}
    assert legal(playing("2H AC QS 2S", trick="3S 4D")) == {"QS", "2S"}
    assert legal(playing("AH QS KC", trick="2C", first_round=True)) == {"KC"}


def test_no_penalty_cards_in_the_first_round_unless_there_is_nothing_else() -> None:  # R7.3
    assert legal(playing("AH QS 3D", trick="2C", first_round=True)) == {"3D"}
    assert legal(playing("AH QS TC 3D", trick="2D", first_round=True)) == {"3D"}
    assert legal(playing("AH QS TC", trick="2D", first_round=True)) == {"TC"}
    assert legal(playing("AH QS", trick="2C", first_round=True)) == {"AH", "QS"}


def test_the_first_round_may_be_like_any_other() -> None:
    state = playing("AH QS 3D", trick="2C", first_round=True, first_round_points="allow")
    assert legal(state) == {"AH", "QS", "3D"}


def test_a_seat_that_cannot_follow_may_play_anything_later() -> None:  # R7.4
    assert legal(playing("AH QS 3D", trick="2C")) == {"AH", "QS", "3D"}


def test_anything_may_be_led_when_hearts_are_broken() -> None:  # R7.5
    assert legal(playing("AH QS 3D", broken=True)) == {"AH", "QS", "3D"}


def test_hearts_may_not_be_led_before_they_are_broken() -> None:  # R7.6
    assert legal(playing("AH QS 3D")) == {"QS", "3D"}
    assert legal(playing("AH 2H")) == {"AH", "2H"}


def test_a_hand_of_hearts_and_the_queen_leads_the_queen() -> None:  # R7.6, D9
    assert legal(playing("AH QS")) == {"QS"}


def test_a_heart_breaks_hearts_and_the_queen_does_not() -> None:  # R7.7
    for card, options, broken in [
        ("2H", {}, True),
        ("QS", {}, False),
        ("QS", {"qs_breaks_hearts": True}, True),
        ("2H", {"qs_breaks_hearts": True}, True),
        ("TC", {"qs_breaks_hearts": True}, False),
    ]:
        state = playing(f"{card} 3D", trick="KS" if card != "QS" else "KC", others=["4D"] * 3, **options)
        play(state, card)
        assert state.broken is broken, (card, options)


# Refusals


def refusal(state: HeartsState, seat: int, words: str) -> tuple[str, str]:
    with pytest.raises(IllegalAction) as caught:
        act(state, seat, words)
    return caught.value.key, str(caught.value)


def test_a_refusal_names_the_broken_rule() -> None:
    first = exposing()
    keep(first)
    assert refusal(first, 1, "play 5D") == (
        "must_lead_two_of_clubs",
        "play 5D: the first round is led with 2C",
    )
    assert refusal(first, 0, "play AC") == ("not_your_turn", "play AC: it is another seat's turn")
    assert refusal(first, 1, "play AC") == ("not_yours", "play AC: you do not hold it")
    hearts_led = playing("QS 2H", trick="3H")
    assert refusal(hearts_led, 0, "play QS") == (
        "must_follow",
        "play QS: hearts were led and you can follow",
    )
    clean = playing("QS 3D", trick="2C", first_round=True)
    assert refusal(clean, 0, "play QS") == (
        "no_points_first_round",
        "play QS: no penalty cards in the first round",
    )
    unbroken = playing("2H 3D")
    assert refusal(unbroken, 0, "play 2H") == (
        "hearts_not_broken",
        "play 2H: hearts are not broken and you hold others",
    )


def test_a_refusal_names_the_phase_before_the_turn() -> None:
    state = transcript()
    assert refusal(state, 0, "play AH") == ("wrong_phase", "play AH: the match is passing")
    assert refusal(state, 0, "expose AH") == ("wrong_phase", "expose AH: the match is passing")
    assert refusal(state, 1, "pass AH") == ("not_yours", "pass AH: you do not hold it")
    act(state, 0, "pass AH")
    assert refusal(state, 0, "pass AH") == ("already_picked", "pass AH: you have picked it before")
    act(state, 0, "pass KC")
    act(state, 0, "pass JD")
    assert refusal(state, 0, "pass TD") == ("already_picked", "pass TD: you have picked three cards")
    assert refusal(exposing(), 1, "expose AH") == ("not_yours", "expose AH: you do not hold it")
    assert refusal(exposing(), 0, "play AH") == ("wrong_phase", "play AH: the match is exposing")
    assert refusal(new(), 0, "pass AH") == ("wrong_phase", "pass AH: the match is dealing")


def test_unknown_actions_are_refused() -> None:
    state = transcript()
    for action in (-1, 106, 1 << 80):
        with pytest.raises(IllegalAction) as caught:
            state.apply(0, action)
        assert caught.value.key == "unknown_action"
    for seat in (-1, 4, 1 << 80):
        with pytest.raises(IllegalAction) as caught:
            state.apply(seat, CODES["AH"] + 52)
        assert caught.value.key == "not_your_turn"


def test_nothing_can_be_done_after_the_end() -> None:
    state = new(deals=1, match_games=1)
    play_out(state, Dice(1))
    assert refusal(state, 0, "play AH") == ("match_over", "play AH: the match is over")


def test_hearts_is_for_four() -> None:
    with pytest.raises(RulesError, match="3 seats"):
        GAME.new(GAME.options.read({}), 3)


# R8 Round, and a whole deal


def test_the_highest_card_of_the_suit_led_takes_the_round_and_leads_the_next() -> None:  # R8
    state = playing("2D 3C", trick="TD 4D AS", others=["5C", "6C", "7C"])
    play(state, "2D")
    taken, led = told(state)[-2:]
    assert isinstance(taken, TrickTaken)
    assert taken.taker == 1
    assert isinstance(led, TrickStarted)
    assert led.leader == state.turn == 1


def test_the_transcript_of_the_spec() -> None:  # section 8
    state = transcript(deals=1, match_games=1)
    pass_all(state, TRANSCRIPT_PASSES)
    act(state, 0, "expose AH")
    for fallen, leader, scores in TRANSCRIPT_ROUNDS:
        assert state.leader == leader
        told(state)
        play(state, fallen)
        ended = next(event for event in told(state) if isinstance(event, TrickTaken))
        assert ended.scores == scores
    assert state.over()
    assert state.scores() == [-10, -46, 0, -6]
    assert state.payoffs() == [5.5, -30.5, 15.5, 9.5]


def test_the_events_of_a_deal_in_their_order() -> None:
    state = new(deals=1, match_games=1)
    state.apply_draw([card for hand in TRANSCRIPT_HANDS for card in cards(hand)])
    pass_all(state, TRANSCRIPT_PASSES)
    act(state, 0, "expose AH")
    for fallen, _, _ in TRANSCRIPT_ROUNDS:
        play(state, fallen)
    a_round = ["round_started", *["played"] * 4, "round_ended"]
    assert kinds(told(state)) == [
        "game_started",
        "deal_started",
        *["dealt"] * 4,
        "passing_started",
        *[*["picked"] * 3, "passed"] * 4,
        *["received"] * 4,
        "passing_ended",
        "exposing_started",
        "exposing_ended",
        *a_round * 13,
        "deal_ended",
        "game_ended",
        "match_ended",
    ]


def test_a_deal_without_passing_has_no_events_of_it() -> None:
    state = dealt(TRANSCRIPT_HANDS, pass_sequence=["none"], expose=False)
    assert kinds(told(state)) == ["game_started", "deal_started", *["dealt"] * 4, "round_started"]


# R10, R11 Game and match


def first_moves(state: HeartsState, dice: Dice, deals: int) -> list[list[str]]:
    """Play *deals* deals with the first legal action each and return the hands by position."""
    hands: list[list[str]] = []
    for _ in range(deals):
        state.roll(dice)
        by_position = sorted(range(4), key=state.view(0).position)
        hands += [[" ".join(shown(state.dealt[seat])) for seat in by_position]]
        deal = state.deal()
        while state.deal() == deal:
            seat = state.to_act().bit_length() - 1
            state.apply(seat, state.legal_actions(seat)[0])
    return hands


def test_a_match_of_one_game_ends_after_the_deal_in_which_a_player_reaches_the_target() -> None:  # R10
    plain: dict[str, object] = {**GAME.preset(), "target": 60}
    for seed in range(5):
        state = new(**plain)
        play_out(state, Dice(seed))
        events = told(state)
        *before, end = [event for event in events if isinstance(event, DealEnded)]
        assert min(end.totals) <= -60
        assert all(min(event.totals) > -60 for event in before)
        assert kinds(events)[-3:] == ["deal_ended", "game_ended", "match_ended"]
        assert state.view(0).games == [state.scores()]


def test_sixteen_deals_of_plain_hearts_always_reach_a_hundred() -> None:  # R9, R10
    state = new(**{**GAME.preset(), "target": 0})
    play_out(state, Dice(1))
    assert min(state.scores()) <= -100


def test_a_target_has_no_effect_in_a_match_of_several_games() -> None:  # R10
    state = new(deals=2, match_games=2, target=10)
    play_out(state, Dice(1))
    assert state.deal() == 4


def test_everyone_sits_one_position_further_in_each_game() -> None:  # R11
    state = new(deals=1)
    seats_by_position: list[list[int]] = []
    dice = Dice(2)
    while not state.over():
        first_moves(state, dice, 1)
        seats_by_position.append(sorted(range(4), key=state.view(0).position))
    # The spec's lists, from 0: game 2 [4,1,2,3] is [3,0,1,2].
    assert seats_by_position == [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]]


def test_duplicate_decks_are_dealt_again_position_by_position() -> None:  # R11
    state = new(deals=2, match_decks="duplicate")
    dice = Dice(5)
    games: list[list[list[str]]] = []
    for game in range(4):
        draw = state.awaiting()
        assert draw is not None
        assert (draw.pool, draw.take) == (([], 0) if game else (list(range(52)), 52))
        games.append(first_moves(state, dice, 2))
    assert games[0] == games[1] == games[2] == games[3]
    assert games[0][0] != games[0][1]
    assert state.over()


def test_an_empty_draw_is_due_and_must_be_empty() -> None:  # R11
    state = new(deals=1, match_decks="duplicate")
    first_moves(state, Dice(5), 1)
    with pytest.raises(BadDraw):
        state.apply_draw(list(range(52)))
    state.apply_draw([])
    assert state.game == 2


def test_fresh_decks_differ() -> None:
    state = new(deals=1)
    dice = Dice(5)
    hands = [first_moves(state, dice, 1)[0][0] for _ in range(4)]
    assert len(set(hands)) == 4


@pytest.mark.parametrize(("deals", "games"), [(1, 1), (4, 4), (2, 2), (16, 1)])
def test_a_match_has_its_games_of_its_deals(deals: int, games: int) -> None:  # R3
    state = new(deals=deals, match_games=games)
    play_out(state, Dice(1))
    assert state.deal() == deals * games
    finished = state.view(-2).games
    assert len(finished) == games
    assert state.scores() == [sum(game[seat] for game in finished) for seat in range(4)]


def test_the_match_score_counts_finished_games_and_the_one_under_way() -> None:  # R10, R11
    state = new(deals=2, match_games=2)
    dice = Dice(4)
    first_moves(state, dice, 3)
    ends = [event for event in told(state) if isinstance(event, DealEnded)]
    assert len(ends) == 3
    assert state.scores() == [sum(event.scores[seat] for event in ends) for seat in range(4)]
    assert [event.totals for event in ends] == [
        ends[0].scores,
        [a + b for a, b in zip(ends[0].scores, ends[1].scores, strict=True)],
        ends[2].scores,
    ]


def test_a_resumed_match_goes_on_like_the_original() -> None:
    state = new(deals=3, match_games=2, match_decks="duplicate")
    dice = Dice(8)
    first_moves(state, dice, 4)
    again = new(deals=3, match_games=2, match_decks="duplicate")
    view = state.view(-2)
    again.resume(view.games, view.deals, [deck[:] for deck in state.decks])
    for twin in (state, again):
        twin.apply_draw([])
        keep(twin)
    assert again.view(0).facts() == state.view(0).facts()
    play_out(state, Dice(1))
    play_out(again, Dice(1))
    assert again.scores() == state.scores()


# Properties, and a second opinion


@examples(60)
@given(walks(GAME, steps=200))
def test_cards_are_neither_lost_nor_doubled(here: Walk) -> None:
    state = here.state
    assert isinstance(state, HeartsState)
    if state.game == 0:
        return
    view = state.view(-2)
    played = [card for cards_played in view.played for card in cards_played]
    held = [card for seat in range(4) for card in cards_of(state.hands[seat])]
    picked = [card for seat in range(4) for card in state.picked(seat)] if state.phase == PASSING else []
    assert sorted(played + held + picked) == list(range(52))


@pytest.mark.slow
def test_legal_plays_are_those_of_openspiel() -> None:
    """20,000 decisions on random deals, against another implementation of the same rules."""
    import pyspiel

    game = pyspiel.load_game("hearts(qs_breaks_hearts=False,pass_cards=False)")
    theirs = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CDHS"]
    rng = Random(20_000)
    decisions = 0
    while decisions < 20_000:
        ours = new(deals=1, match_games=1, expose=False, pass_sequence=["none"])
        deck = list(range(52))
        rng.shuffle(deck)
        ours.apply_draw(deck)
        other = game.new_initial_state()
        other.apply_action(0)  # no pass
        while other.is_chance_node():
            # Their deal goes round the table card by card.
            at = 52 - len(other.legal_actions())
            card = CARDS[deck[at % 4 * 13 + at // 4]]
            other.apply_action(theirs.index(card))
        while not ours.over():
            seat = ours.to_act().bit_length() - 1
            assert other.current_player() == seat
            expected = {theirs[action] for action in other.legal_actions()}
            assert legal(ours, seat) == expected, shown(ours.hands[seat])
            card = rng.choice(sorted(expected))
            ours.apply(seat, CODES[card])
            other.apply_action(theirs.index(card))
            decisions += 1
        assert other.is_terminal()
