"""Whether a seat is asked, and what it may answer, according to its own view.

The table asks once everything has been told. The message that makes it a seat's turn is sent before that, and
a fast program may answer it at once. In the secret phases only the seat itself can tell that it is asked.
"""

from __future__ import annotations

from croupier.core.cards import bit, count
from croupier.games.taroky.legality import discardable, partner_choice, playable, suit_of
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    CONTRA,
    DISCARD,
    HALF,
    IOTE,
    MONEY,
    NOBODY,
    OFFERED,
    PAGAT,
    PARTNER,
    PLAYING,
    PREVER,
    TALON,
    TRUMPS,
    VALAT,
    shown,
)
from croupier.wire.opentarock.messages import Data


def is_asked(view: TarokyView) -> bool:
    """Return True if the seat of *view* has to decide now."""
    if view.phase == MONEY:
        return is_choosing_money(view)
    if view.phase == CONTRA:
        level = len(view.contras)
        return view.asked >> level & 1 == 1 and view.refused >> level & 1 == 0
    if view.phase == IOTE:
        return holds_pagat(view)
    return view.turn == view.seat


def is_choosing_money(view: TarokyView) -> bool:
    """Return True if the seat is Povinnost and may keep a Uni or Bida secret."""
    few = count(view.hand & TRUMPS) <= 2
    return view.seat == view.povinnost and view.prever == NOBODY and few and not view.money


def holds_pagat(view: TarokyView) -> bool:
    """Return True if the seat may announce the I on the end, and has not answered yet."""
    open_ = view.valat == NOBODY and view.iote == NOBODY and not view.kept_quiet
    return open_ and view.hand & bit(PAGAT) != 0


def valid_cards(view: TarokyView) -> list[str]:
    """Return the cards that the seat may discard or play when it is asked for one."""
    if view.phase == DISCARD:
        return shown(discardable(view.hand))
    return shown(playable(view.hand, suit_of(view.trick[0])) if view.trick else view.hand)


def valid_partners(view: TarokyView) -> list[str]:
    """Return the trumps Povinnost may name."""
    lower = partner_choice(view.hand)
    return [f"T{lower}", "T19"] if lower else ["T19"]


def talon_words(view: TarokyView) -> tuple[str, str]:
    """Return the names of no and yes for the talon card in question."""
    return ("reject", "accept") if OFFERED in view.gifts else ("pass", "draw")


def valid_answers(view: TarokyView) -> list[Data]:
    """Return the seat's possible answers, each as the members of its command."""
    if not is_asked(view):
        return []
    if view.phase == PARTNER:
        return [{"card": card} for card in valid_partners(view)]
    if view.phase == PLAYING:
        return [{"card": card} for card in valid_cards(view)]
    if view.phase == TALON:
        return [{"action": word} for word in talon_words(view)]
    if view.phase == DISCARD:
        return [{"cards": [card]} for card in valid_cards(view)]
    member = _MEMBERS[view.phase]
    return [{member: False}, {member: True}]


_MEMBERS = {PREVER: "prever", HALF: "keep", MONEY: "declare", VALAT: "call", CONTRA: "call", IOTE: "call"}
