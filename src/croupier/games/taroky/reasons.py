"""Reasons for or against a card, from the view of a seat."""

from __future__ import annotations

from croupier.core.cards import mask_of
from croupier.core.contract import Plain
from croupier.core.reasons import play_reasons, shown_voids
from croupier.games.taroky.scoring import points
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import PLAYING, SEATS, SUIT, SUIT_WORDS, TRUMPS


def reasons(view: TarokyView) -> list[Plain]:
    """Return the facts of the current trick."""
    if view.phase != PLAYING:
        return []
    seen = view.hand | mask_of(view.laid) | mask_of(view.trick)
    for cards in [*view.thrown, *(trick.cards for trick in view.tricks)]:
        seen |= mask_of(cards)
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    voids = shown_voids([*tricks, (view.leader, view.trick)], SUIT, SEATS)
    return play_reasons(view.seat, voids, SUIT_WORDS, TRUMPS & ~seen, int(points(mask_of(view.trick))))
