"""Refusals of illegal actions: the first broken rule, with a key for wires and words for people."""

from __future__ import annotations

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction
from croupier.games.taroky.position import TarokyPosition
from croupier.games.taroky.vocabulary import (
    ACTIONS,
    CARD,
    DISCARD,
    FIVES,
    NAME,
    OVER,
    PARTNER,
    PHASES,
    PLAYING,
    SEATS,
    SUIT,
    SUIT_WORDS,
    TRUMP,
    TRUMPS,
)


def refusal(position: TarokyPosition, seat: int, action: int) -> IllegalAction:
    """Return the refusal of an action that is not legal."""
    if not 0 <= action < len(ACTIONS):
        return IllegalAction("unknown_action", f"action {action}: expected 0…{len(ACTIONS) - 1}")
    name = ACTIONS.name(action)
    phase = int(position.phase)
    if phase == OVER:
        return IllegalAction("match_over", f"{name}: the match is over")
    if action >= CARD:
        fits = phase in (DISCARD, PLAYING)
    elif action >= NAME:
        fits = phase == PARTNER
    else:
        fits = phase not in (0, DISCARD, PARTNER, PLAYING)
    if not fits:
        return IllegalAction("wrong_phase", f"{name}: the phase is {PHASES[phase]}")
    if not 0 <= seat < SEATS:
        return IllegalAction("not_your_turn", f"{name}: seat {seat} does not play")
    if seat != position.turn:
        return IllegalAction("not_your_turn", f"{name}: you are not asked")
    if phase == PARTNER:
        return IllegalAction("invalid_partner", f"{name}: name XIX, or the highest you lack if you hold it")
    card = action - CARD
    if not position.hands[seat] & bit(card):
        return IllegalAction("not_yours", f"{name}: you do not hold it")
    if phase == DISCARD:
        return _undiscardable(name, card)
    return _unplayable(position, name, seat)


def _undiscardable(name: str, card: int) -> IllegalAction:
    if FIVES & bit(card):
        return IllegalAction("five_pointer", f"{name}: cards of five points are never discarded")
    return IllegalAction("suit_first", f"{name}: discard suit cards before trumps")


def _unplayable(position: TarokyPosition, name: str, seat: int) -> IllegalAction:
    led = int(position.trick & 63)
    suit = len(SUIT) - 1 if led > TRUMP else led // 8
    if position.hands[seat] & position.led:
        return IllegalAction("must_follow", f"{name}: {SUIT_WORDS[suit]} were led and you can follow")
    assert position.hands[seat] & TRUMPS, "a card was refused without a reason"
    return IllegalAction("must_trump", f"{name}: you have no {SUIT_WORDS[suit]} and hold trumps")
