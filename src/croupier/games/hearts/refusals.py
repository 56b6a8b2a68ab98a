"""Refusals of illegal actions: the first broken rule."""

from __future__ import annotations

from typing import Final

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction, Refusals
from croupier.games.hearts.position import HeartsPosition
from croupier.games.hearts.vocabulary import (
    ACTIONS,
    EXPOSE,
    EXPOSING,
    OVER,
    PASS,
    PASSING,
    PHASES,
    PLAYING,
    SEATS,
    SUIT_WORDS,
)

REFUSALS: Final = Refusals(
    ACTIONS,
    {
        "already_picked": "you have picked three cards",
        "already_picked.twice": "you have picked it before",
        "must_lead_two_of_clubs": "the first round is led with 2C",
        "hearts_not_broken": "hearts are not broken and you hold others",
        "no_points_first_round": "no penalty cards in the first round",
    },
)


def refusal(position: HeartsPosition, seat: int, action: int) -> IllegalAction:
    """Return the refusal of an action that is not legal."""
    if not 0 <= action < len(ACTIONS):
        return REFUSALS.unknown(action)
    if position.phase == OVER:
        return REFUSALS.of("match_over", action)
    phase = PLAYING if action < PASS else PASSING if action < EXPOSE else EXPOSING
    if position.phase != phase:
        return REFUSALS.of("wrong_phase", action, {"phase": PHASES[int(position.phase)]})
    if not 0 <= seat < SEATS:
        return REFUSALS.of("not_your_turn.no_player", action, {"seat": seat})
    if phase == EXPOSING:
        return REFUSALS.of("not_yours", action)
    if phase == PASSING:
        return _no_pass(position, seat, action)
    return _no_play(position, seat, action)


def _no_pass(position: HeartsPosition, seat: int, action: int) -> IllegalAction:
    if not position.waiting >> seat & 1:
        return REFUSALS.of("already_picked", action)
    if action - PASS in position.picked(seat):
        return REFUSALS.of("already_picked.twice", action)
    return REFUSALS.of("not_yours", action)


def _no_play(position: HeartsPosition, seat: int, card: int) -> IllegalAction:
    if seat != position.turn:
        return REFUSALS.of("not_your_turn", card)
    if not position.hands[seat] & bit(card):
        return REFUSALS.of("not_yours", card)
    if position.fallen == 0 and position.round == 1:
        return REFUSALS.of("must_lead_two_of_clubs", card)
    if position.fallen == 0:
        return REFUSALS.of("hearts_not_broken", card)
    if position.hands[seat] & position.led:
        return REFUSALS.of("must_follow", card, {"suit": SUIT_WORDS[int(position.trick & 63) // 13]})
    return REFUSALS.of("no_points_first_round", card)
