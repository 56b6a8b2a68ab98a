"""Replies of the Trend protocol, read against the open request (spec 5.2 and 5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import (
    ACE_OF_HEARTS,
    CARDS,
    CODES,
    EXPOSE,
    EXPOSING,
    KEEP,
    PASS,
    PASSING,
    PLAYING,
)
from croupier.wire.frames import whole_or_digits, words

REPLIES: Final = {PASSING: "pass_my_cards", EXPOSING: "expose_my_cards", PLAYING: "pick_card"}
"""The name of the reply to each phase's request."""


def is_late(view: HeartsView, reply: Mapping[str, object]) -> bool:
    """Return True if *reply* answers a request earlier than the open one (5.2, 3)."""
    deal = whole_or_digits(reply.get("dealNumber"))
    if deal is None or deal > view.deal:
        return False
    if deal < view.deal:
        return True
    if view.phase != PLAYING:
        return False
    number = whole_or_digits(reply.get("roundNumber"))
    return number is not None and number < view.round


def actions(view: HeartsView, reply: Mapping[str, object]) -> tuple[int, ...] | None:
    """Return the actions that *reply* asks for, None if its values are wrong (5.3)."""
    if whole_or_digits(reply.get("dealNumber")) != view.deal:
        return None
    if view.phase == PLAYING:
        if whole_or_digits(reply.get("roundNumber")) != view.round:
            return None
        card = _code(reply.get("turnCard"))
        return (card,) if card in view.legal else None
    cards = words(reply.get("cards"))
    if cards is None:
        return None
    if view.phase == EXPOSING:
        if not cards:
            return (KEEP,)
        return (EXPOSE,) if cards == [CARDS[ACE_OF_HEARTS]] else None
    picks = tuple(PASS + _code(card) for card in cards)
    # A person may have picked the first of the three cards before a program took the seat over.
    if len(picks) != 3 - len(view.picked) or len(set(picks)) != len(picks):
        return None
    return picks if all(pick in view.legal for pick in picks) else None


def _code(card: object) -> int:
    return CODES.get(card, -1 - PASS) if isinstance(card, str) else -1 - PASS
