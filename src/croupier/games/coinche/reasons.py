"""Reasons for or against a card, from the view of a seat."""

from __future__ import annotations

from croupier.core.cards import mask_of
from croupier.core.contract import Plain
from croupier.core.reasons import play_reasons, shown_voids
from croupier.games.coinche.ranks import points
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import PLAYING, SEATS, SUIT, SUITS, CoincheRules


def reasons(view: CoincheView) -> list[Plain]:
    """Return the facts of the current trick."""
    if view.phase != PLAYING:
        return []
    order = [(view.leader + at) % SEATS for at in range(SEATS)] if view.leader >= 0 else []
    table = [view.table[seat] for seat in order if view.table[seat] >= 0]
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    seen = view.hand | mask_of(table)
    for trick in view.tricks:
        seen |= mask_of(trick.cards)
    trumps = SUIT[view.denomination] if 0 <= view.denomination < len(SUIT) else 0
    rules = CoincheRules(view.options)
    stake = sum(int(points(card, view.denomination, rules)) for card in table)
    voids = shown_voids([*tricks, (view.leader, table)], SUIT, SEATS)
    return play_reasons(view.seat, voids, [word.lower() for word in SUITS], trumps & ~seen, stake)
