"""The rules of Spades, and the conformance kit of Croupier."""

from __future__ import annotations

import pytest
from croupier_spades import GAME
from croupier_spades.state import SpadesState, estimate
from croupier_spades.vocabulary import ACTIONS, BID, CARDS, PLAY, PLAYING, SEATS

from croupier.bots.duel import duel
from croupier.core.cards import mask_of
from croupier.core.contract import IllegalAction
from croupier.testing.conformance import check_game
from croupier.testing.secrecy import check_secrets


def cards(text: str) -> int:
    return int(mask_of([CARDS.index(word) for word in text.split()]))


def new(**options: bool | int) -> SpadesState:
    return GAME.new(GAME.options.read(options), SEATS)


def playing(hand: str, trick: str = "", broken: bool = False) -> SpadesState:
    """Return a position in which seat 1 has *hand* and is to play to *trick*."""
    state = new()
    state.apply_draw(list(range(52)))
    state.phase, state.bids, state.broken = PLAYING, [1] * SEATS, broken
    state.trick = [CARDS.index(word) for word in trick.split()]
    state.leader = (1 - len(state.trick)) % SEATS
    state.hands[1] = cards(hand)
    return state


def legal(state: SpadesState) -> set[str]:
    return {ACTIONS.name(action).removeprefix("play ") for action in state.legal_actions(1)}


def settled(
    bids: list[int], taken: list[int], bags: tuple[int, int] = (0, 0), **options: bool
) -> SpadesState:
    """Return the match after a deal with these *bids* and tricks *taken* by seat."""
    state = new(**options)
    state.apply_draw(list(range(52)))
    state.deals = [([0, 0], list(bags))]
    state.bids, state.phase = bids, PLAYING
    state.tricks = [(0, [0, 1, 2, 3], seat) for seat in range(SEATS) for _ in range(taken[seat])]
    state._settle()
    return state


def test_the_kit() -> None:
    check_game(GAME, seeds=range(3), rate=0.05)


@pytest.mark.parametrize("seed", range(2))
def test_no_view_shows_a_hidden_card(seed: int) -> None:
    assert check_secrets(GAME, GAME.options.read({}), seed) > 20


def test_bids_go_round_once_from_the_seat_after_the_dealer() -> None:  # R1.3, R2.1
    state = new()
    state.apply_draw(list(range(52)))
    for seat in (1, 2, 3, 0):
        assert state.turn() == seat
        state.apply(seat, BID + 3)
    assert state.phase == PLAYING
    assert state.turn() == 1


def test_nil_is_an_option() -> None:  # R2.2
    state = new(nil=False)
    state.apply_draw(list(range(52)))
    with pytest.raises(IllegalAction, match="nil is not allowed"):
        state.apply(1, BID)
    assert ACTIONS.name(state.legal_actions(1)[0]) == "bid 1"


def test_players_follow_suit_if_they_can() -> None:  # R3.2
    assert legal(playing("2D AD KC 3S", "5D")) == {"2D", "AD"}
    assert legal(playing("KC 3S", "5D")) == {"KC", "3S"}


def test_spades_are_led_when_broken_or_alone() -> None:  # R3.4
    assert legal(playing("2D KC 3S")) == {"2D", "KC"}
    assert legal(playing("2D KC 3S", broken=True)) == {"2D", "KC", "3S"}
    assert legal(playing("3S AS")) == {"3S", "AS"}


@pytest.mark.parametrize(
    ("trick", "taker"), [("5D 9D 2D", 2), ("5D 2S AD", 2), ("5D 2S 3S", 3), ("KC QC AC", 3)]
)
def test_the_highest_spade_or_the_highest_card_of_the_suit_takes(trick: str, taker: int) -> None:  # R3.3
    state = playing("3H 4H")
    state.leader = 1
    first, second, third = trick.split()
    state.trick = [CARDS.index(first), CARDS.index(second), CARDS.index(third)]
    state.hands[0] = cards("3H 4H")
    state.apply(0, PLAY + CARDS.index("3H"))
    assert state.leader == taker


@pytest.mark.parametrize(
    ("bids", "taken", "scores"),
    [
        ([3, 3, 2, 4], [3, 3, 3, 4], [51, 70]),  # R4.1: one bag
        ([5, 3, 2, 4], [3, 3, 3, 4], [-70, 70]),  # R4.2
        ([0, 3, 4, 4], [0, 5, 4, 4], [140, 72]),  # R4.3: nil is made
        ([0, 3, 4, 4], [1, 4, 4, 4], [-59, 71]),  # R4.3: nil fails, and the trick counts
    ],
)
def test_scores(bids: list[int], taken: list[int], scores: list[int]) -> None:
    assert settled(bids, taken).totals == scores


def test_ten_bags_cost_a_hundred_points() -> None:  # R4.4
    assert settled([3, 3, 2, 4], [3, 3, 3, 4], (9, 0)).totals == [-49, 70]
    assert settled([3, 3, 2, 4], [3, 3, 3, 4], (9, 0), sandbags=False).totals == [51, 70]


def test_the_match_ends_at_the_target_or_the_floor_unless_it_is_a_tie() -> None:  # R4.5
    state = settled([13, 1, 0, 1], [1, 5, 0, 6])
    assert state.totals == [-30, 29]  # nil and a failed bid
    assert not state.over()
    state = settled([13, 1, 13, 1], [1, 6, 0, 6])
    assert state.over()
    assert state.places() == [3, 1, 3, 1]


def test_the_heuristic_beats_random_play() -> None:
    assert estimate(cards("AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S")) >= 9
    bots = GAME.bots()
    found = duel(GAME, bots["heuristic"], bots["random"], 6, seed=1)
    assert found.difference.value > found.difference.margin
