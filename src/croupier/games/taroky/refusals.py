"""Refusals of illegal actions: the first broken rule."""

from __future__ import annotations

from typing import Final

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction, Refusals
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

REFUSALS: Final = Refusals(
    ACTIONS,
    {
        "wrong_phase": "the phase is {phase}",
        "not_your_turn": "you are not asked",
        "invalid_partner": "name XIX, or the highest you lack if you hold it",
        "five_pointer": "cards of five points are never discarded",
        "suit_first": "discard suit cards before trumps",
        "must_trump": "you have no {suit} and hold trumps",
    },
)


def refusal(position: TarokyPosition, seat: int, action: int) -> IllegalAction:
    """Return the refusal of an action that is not legal."""
    if not 0 <= action < len(ACTIONS):
        return REFUSALS.unknown(action)
    phase = int(position.phase)
    if phase == OVER:
        return REFUSALS.of("match_over", action)
    if action >= CARD:
        fits = phase in (DISCARD, PLAYING)
    elif action >= NAME:
        fits = phase == PARTNER
    else:
        fits = phase not in (0, DISCARD, PARTNER, PLAYING)
    if not fits:
        return REFUSALS.of("wrong_phase", action, {"phase": PHASES[phase]})
    if not 0 <= seat < SEATS:
        return REFUSALS.of("not_your_turn.no_player", action, {"seat": seat})
    if seat != position.turn:
        return REFUSALS.of("not_your_turn", action)
    if phase == PARTNER:
        return REFUSALS.of("invalid_partner", action)
    card = action - CARD
    if not position.hands[seat] & bit(card):
        return REFUSALS.of("not_yours", action)
    if phase == DISCARD:
        return REFUSALS.of("five_pointer" if FIVES & bit(card) else "suit_first", action)
    return _unplayable(position, action, seat)


def _unplayable(position: TarokyPosition, action: int, seat: int) -> IllegalAction:
    led = int(position.trick & 63)
    suit = SUIT_WORDS[len(SUIT) - 1 if led > TRUMP else led // 8]
    if position.hands[seat] & position.led:
        return REFUSALS.of("must_follow", action, {"suit": suit})
    assert position.hands[seat] & TRUMPS, "a card was refused without a reason"
    return REFUSALS.of("must_trump", action, {"suit": suit})
