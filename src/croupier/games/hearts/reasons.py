"""Reasons for or against a card, from the view of a seat."""

from __future__ import annotations

from croupier.core.cards import mask_of
from croupier.core.contract import Plain
from croupier.core.reasons import play_reasons
from croupier.games.hearts.scoring import points
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import PLAYING, SUIT_WORDS


def reasons(view: HeartsView) -> list[Plain]:
    """Return the facts of the current trick."""
    if view.phase != PLAYING:
        return []
    table = mask_of([card for card in view.table if card >= 0])
    stake = int(points(table, view.exposed >= 0, doubled=False))
    return play_reasons(view.seat, view.void, SUIT_WORDS, 0, stake)
