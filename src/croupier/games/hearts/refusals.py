"""Refusals of illegal actions: the first broken rule, with a key for wires and words for people."""

from __future__ import annotations

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction
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


def refusal(position: HeartsPosition, seat: int, action: int) -> IllegalAction:
    """Return the refusal of an action that is not legal."""
    if not 0 <= action < len(ACTIONS):
        return IllegalAction("unknown_action", f"action {action}: expected 0…{len(ACTIONS) - 1}")
    name = ACTIONS.name(action)
    if position.phase == OVER:
        return IllegalAction("match_over", f"{name}: the match is over")
    phase = PLAYING if action < PASS else PASSING if action < EXPOSE else EXPOSING
    if position.phase != phase:
        return IllegalAction("wrong_phase", f"{name}: the match is {PHASES[int(position.phase)]}")
    if not 0 <= seat < SEATS:
        return IllegalAction("not_your_turn", f"{name}: seat {seat} does not play")
    if phase == EXPOSING:
        return IllegalAction("not_yours", f"{name}: you do not hold it")
    if phase == PASSING:
        return _no_pass(position, seat, action - PASS, name)
    return _no_play(position, seat, action, name)


def _no_pass(position: HeartsPosition, seat: int, card: int, name: str) -> IllegalAction:
    if not position.waiting >> seat & 1:
        return IllegalAction("already_picked", f"{name}: you have picked three cards")
    if card in position.picked(seat):
        return IllegalAction("already_picked", f"{name}: you have picked it before")
    return IllegalAction("not_yours", f"{name}: you do not hold it")


def _no_play(position: HeartsPosition, seat: int, card: int, name: str) -> IllegalAction:
    if seat != position.turn:
        return IllegalAction("not_your_turn", f"{name}: it is another seat's turn")
    if not position.hands[seat] & bit(card):
        return IllegalAction("not_yours", f"{name}: you do not hold it")
    if position.fallen == 0 and position.round == 1:
        return IllegalAction("must_lead_two_of_clubs", f"{name}: the first round is led with 2C")
    if position.fallen == 0:
        return IllegalAction("hearts_not_broken", f"{name}: hearts are not broken and you hold others")
    if position.hands[seat] & position.led:
        suit = SUIT_WORDS[int(position.trick & 63) // 13]
        return IllegalAction("must_follow", f"{name}: {suit} were led and you can follow")
    return IllegalAction("no_points_first_round", f"{name}: no penalty cards in the first round")
