"""Reasons for or against a card, from the view of a seat."""

from __future__ import annotations

from croupier.core.cards import mask_of
from croupier.core.contract import Plain
from croupier.core.reasons import play_reasons, shown_voids
from croupier.games.tarock.scoring import points
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import PLAYING, SEATS, SUIT, SUIT_WORDS, TAROCKS


def reasons(view: TarockView) -> list[Plain]:
    """Return the facts of the current trick."""
    if view.phase != PLAYING:
        return []
    seen = view.hand | view.discarded | view.revealed | mask_of(view.laid) | mask_of(view.trick)
    for trick in view.tricks:
        seen |= trick.spoils()
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    voids = shown_voids([*tricks, (view.leader, view.trick)], SUIT, SEATS)
    stake = int(points(mask_of(view.trick)))
    return play_reasons(view.seat, voids, [*SUIT_WORDS[:4], "trumps"], TAROCKS & ~seen, stake)
