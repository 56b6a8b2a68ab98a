"""Refusals of illegal actions: the first broken rule, in the order of the protocol."""

from __future__ import annotations

from typing import Final

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction, Refusals
from croupier.games.coinche.auction import NO_CONTRACT, Auction
from croupier.games.coinche.legality import broken_rule
from croupier.games.coinche.position import CoinchePosition
from croupier.games.coinche.vocabulary import (
    ACTIONS,
    BIDDING,
    CAPOT,
    COINCHE,
    CONTRACT,
    DEALING,
    DENOMINATIONS,
    GENERALE,
    KINDS,
    LEVELS,
    OVER,
    PLAY,
    SEATS,
    SUITS,
    SURCOINCHE,
    contract_words,
)

REFUSALS: Final = Refusals(
    ACTIONS,
    {
        "not_dealt": "the cards are not dealt yet",
        # calls
        "no_contract": "there is no contract yet",
        "already_coinched": "the contract is coinched already",
        "own_contract": "the contract is your own side's",
        "not_coinched": "the contract is not coinched",
        "not_coinched.other_side": "it is not your side's contract",
        "already_surcoinched": "the contract is surcoinched already",
        "bidding_over": "the cards are being played",
        "bidding_over.coinched": "the contract is coinched, so no higher bid is possible",
        "bad_level": "{level} is not played here",
        "bad_level.step": "expected a multiple of {step}",
        "too_low": "the lowest bid is {lowest}",
        "too_high": "the highest bid is {highest}",
        "bad_denomination": "{denomination} is not played here",
        "not_higher": "{last} was bid before",
        # cards
        "not_your_turn.bidding": "the auction is not over",
        "must_play_higher_trump": "you can play a higher trump",
        "must_go_higher": "you can play a higher card of {suit}",
        "must_overtrump": "you can overtrump",
        "no_undertrump": "no lower trump than your partner's",
    },
)


def refusal(position: CoinchePosition, seat: int, action: int) -> IllegalAction:
    """Return the refusal of an action that is not legal."""
    if not 0 <= action < len(ACTIONS):
        return REFUSALS.unknown(action)
    if position.phase == OVER:
        return REFUSALS.of("match_over", action)
    if position.phase == DEALING:
        return REFUSALS.of("not_dealt", action)
    if action >= PLAY:
        return _no_play(position, seat, action)
    if position.phase == BIDDING:
        return refused_call(position.auction, seat, action)
    if action == SURCOINCHE and position.auction.doubled == 2:
        return REFUSALS.of("already_surcoinched", action)
    return REFUSALS.of("bidding_over", action)


def refused_call(auction: Auction, seat: int, action: int) -> IllegalAction:
    """Return why *seat* may not make the call *action* during the auction."""
    if action >= CONTRACT:
        return _refused_bid(auction, seat, action)
    if action == COINCHE:
        if auction.level == NO_CONTRACT:
            return REFUSALS.of("no_contract", action)
        if auction.doubled:
            return REFUSALS.of("already_coinched", action)
        if 0 <= seat < SEATS and (auction.bidder ^ seat) & 1 == 0:
            return REFUSALS.of("own_contract", action)
    if action == SURCOINCHE:
        if auction.doubled == 0:
            return REFUSALS.of("not_coinched", action)
        if not 0 <= seat < SEATS or (auction.bidder ^ seat) & 1:
            return REFUSALS.of("not_coinched.other_side", action)
    return _not_your_turn(seat, action)


def _refused_bid(auction: Auction, seat: int, action: int) -> IllegalAction:
    level, denomination = (action - CONTRACT) // KINDS, (action - CONTRACT) % KINDS
    if auction.doubled:
        return REFUSALS.of("bidding_over.coinched", action)
    wrong = _bad_level(auction, level, action)
    if wrong is not None:
        return wrong
    if denomination >= auction.rules.kinds:
        return REFUSALS.of("bad_denomination", action, {"denomination": DENOMINATIONS[denomination]})
    if seat != auction.turn:
        return _not_your_turn(seat, action)
    last = contract_words(int(auction.level), int(auction.denomination))
    return REFUSALS.of("not_higher", action, {"last": last})


def _bad_level(auction: Auction, level: int, action: int) -> IllegalAction | None:
    rules = auction.rules
    if level == GENERALE and not rules.generale:
        return REFUSALS.of("bad_level", action, {"level": LEVELS[level]})
    if level >= CAPOT:
        return None
    number = 80 + 10 * level
    if number < rules.min_bid:
        return REFUSALS.of("too_low", action, {"lowest": int(rules.min_bid)})
    if number > rules.max_bid:
        return REFUSALS.of("too_high", action, {"highest": int(rules.max_bid)})
    if number % rules.bid_step:
        return REFUSALS.of("bad_level.step", action, {"step": int(rules.bid_step)})
    return None


def _no_play(position: CoinchePosition, seat: int, action: int) -> IllegalAction:
    if position.phase == BIDDING:
        return REFUSALS.of("not_your_turn.bidding", action)
    if not 0 <= seat < SEATS or seat != position.turn:
        return _not_your_turn(seat, action)
    card = action - PLAY
    hand = position.hands[seat]
    if not hand & bit(card):
        return REFUSALS.of("not_yours", action)
    denomination = position.auction.denomination
    reason = broken_rule(card, hand, position.led, position.over_best, position.partner_holds(), denomination)
    suit = SUITS[int(position.trick & 63) // 8]
    return REFUSALS.of(reason, action, {"suit": suit})


def _not_your_turn(seat: int, action: int) -> IllegalAction:
    if not 0 <= seat < SEATS:
        return REFUSALS.of("not_your_turn.no_player", action, {"seat": seat})
    return REFUSALS.of("not_your_turn", action)
