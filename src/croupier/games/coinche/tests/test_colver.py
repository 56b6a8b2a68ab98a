"""Comparison with colver, an independent engine: deals, legal cards and scores (preset contree)."""

from __future__ import annotations

from collections import Counter
from random import Random

import colver
import pytest

from croupier.games.coinche import GAME
from croupier.games.coinche.state import CoincheState
from croupier.games.coinche.vocabulary import (
    BIDDING,
    CAPOT,
    CARDS,
    COINCHE,
    CONTRACT,
    KINDS,
    LEVELS,
    PASS,
    PLAY,
    PLAYING,
    SEATS,
    SUITS,
    SURCOINCHE,
    hands_of,
)

DEALS = 20_000
OPTIONS = {"preset": "contree", "target": 100}
_SIGNS = dict(zip("♥♦♣♠", "HDCS", strict=True))


def theirs() -> tuple[list[int], dict[int, int]]:
    """Return colver's number of each of our cards, and of each of our calls, read from its own words."""
    name = {}
    for card in range(32):
        words = colver.Env.card_name(card)
        name[words[:-1] + _SIGNS[words[-1]]] = card
    calls = {}
    for action in range(43):
        words = colver.Env.action_name(action, 0).lower()
        if words in ("pass", "coinche", "surcoinche"):
            calls[{"pass": PASS, "coinche": COINCHE, "surcoinche": SURCOINCHE}[words]] = action
        else:
            suit = [word[0] for word in SUITS].index(_SIGNS[words[-1]])
            calls[CONTRACT + KINDS * LEVELS.index(words[:-1]) + suit] = action
    return [name[card] for card in CARDS], calls


THEIR_CARD, THEIR_CALL = theirs()
OUR_CARD = {theirs: ours for ours, theirs in enumerate(THEIR_CARD)}
OUR_CALL = {theirs: ours for ours, theirs in THEIR_CALL.items()}


def call(state: CoincheState, rng: Random) -> int:
    """Return a call that leads to contracts of all kinds, coinched or not, and to few passed-out deals."""
    legal = state.legal_actions(int(state.turn))
    if rng.random() < 0.5 and state.auction.level >= 0:
        return rng.choice(legal[:2])
    if rng.random() < 0.5:
        return PASS
    low = int(state.auction.level) + 1
    bids = [action for action in legal if action >= CONTRACT and (action - CONTRACT) // KINDS <= low + 3]
    return rng.choice(bids or legal)


def compare(seed: int) -> CoincheState:
    """Play one deal in both engines and compare what both report."""
    rng = Random(seed)
    state = GAME.new(GAME.options.read(OPTIONS), SEATS)
    deck = rng.sample(range(32), 32)
    state.apply_draw(deck)
    hands = [[THEIR_CARD[card] for card in hand] for hand in hands_of(deck, int(state.dealer))]
    env = colver.Env.deal_with_hands(int(state.dealer), hands)
    while state.phase == BIDDING:
        while env.current_player() != state.turn:  # colver also asks the coincher's side, which may only pass
            assert [OUR_CALL[action] for action in env.legal_actions()] == [PASS]
            env.step(THEIR_CALL[PASS])
        legal = {OUR_CALL[action] for action in env.legal_actions()}
        assert set(state.legal_actions(int(state.turn))) == legal
        action = call(state, rng)
        state.apply(int(state.turn), action)
        env.step(THEIR_CALL[action])
    while env.phase() == 0:
        env.step(THEIR_CALL[PASS])
    while state.phase == PLAYING:
        assert env.current_player() == state.turn
        mine = [action - PLAY for action in state.legal_actions(int(state.turn))]
        assert set(mine) == {OUR_CARD[card] for card in env.legal_actions()}, seed
        card = rng.choice(mine)
        state.apply(int(state.turn), PLAY + card)
        env.step(THEIR_CARD[card])
    assert env.is_terminal()
    assert state.totals() == [int(score) for score in env.rewards()], (
        seed,
        state.results[-1].fact(state.rules),
    )
    result = state.results[-1]
    if result.level >= 0:
        assert tuple(result.tricks) == tuple(env.get_tricks_won())
        points = tuple(env.get_points())
        # colver counts the ten of the last trick where we count all eight tricks.
        assert tuple(result.points) == points or 8 in result.tricks, (seed, points)
    return state


@pytest.mark.slow
def test_a_few_deals() -> None:
    for seed in range(200):
        compare(seed)


@pytest.mark.slow
@pytest.mark.compiled
def test_twenty_thousand_deals() -> None:
    seen: Counter[str] = Counter()
    for seed in range(DEALS):
        result = compare(1_000_000 + seed).results[-1]
        if result.level < 0:
            seen["passed out"] += 1
            continue
        seen["made" if result.made else "failed"] += 1
        seen[["plain", "coinched", "surcoinched"][result.doubled]] += 1
        seen["capot"] += result.level == CAPOT
        seen["every trick"] += 8 in result.tricks
        seen["belote"] += sum(result.belote) > 0
    # The random deals must have covered every kind of contract.
    assert len(seen) == 9
    assert min(seen.values()) > 10, seen
