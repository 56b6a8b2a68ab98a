"""Refusals of illegal actions: the first broken rule, with a key for wires and words for people."""

from __future__ import annotations

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction
from croupier.games.coinche.legality import broken_rule, reason
from croupier.games.coinche.position import CoinchePosition
from croupier.games.coinche.vocabulary import ACTIONS, BIDDING, DEALING, OVER, PLAY, SEATS, SUITS, SURCOINCHE


def refusal(position: CoinchePosition, seat: int, action: int) -> IllegalAction:
    """Return the refusal of an action that is not legal."""
    if not 0 <= action < len(ACTIONS):
        return IllegalAction("unknown_action", f"action {action}: expected 0…{len(ACTIONS) - 1}")
    name = ACTIONS.name(action)
    if position.phase == OVER:
        return IllegalAction("match_over", f"{name}: the match is over")
    if position.phase == DEALING:
        return IllegalAction("not_dealt", f"{name}: the cards are not dealt yet")
    if action >= PLAY:
        return _no_play(position, seat, action - PLAY, name)
    if position.phase == BIDDING:
        return position.auction.refusal(seat, action)
    if action == SURCOINCHE and position.auction.doubled == 2:
        return IllegalAction("already_surcoinched", f"{name}: the contract is surcoinched already")
    return IllegalAction("bidding_over", f"{name}: the cards are being played")


def _no_play(position: CoinchePosition, seat: int, card: int, name: str) -> IllegalAction:
    if position.phase == BIDDING:
        return IllegalAction("not_your_turn", f"{name}: the auction is not over")
    if not 0 <= seat < SEATS:
        return IllegalAction("not_your_turn", f"{name}: seat {seat} does not play")
    if seat != position.turn:
        return IllegalAction("not_your_turn", f"{name}: it is another seat's turn")
    hand = position.hands[seat]
    if not hand & bit(card):
        return IllegalAction("not_yours", f"{name}: you do not hold it")
    denomination = position.auction.denomination
    key = broken_rule(card, hand, position.led, position.over_best, position.partner_holds(), denomination)
    return IllegalAction(key, f"{name}: {reason(key, SUITS[int(position.trick & 63) // 8])}")
