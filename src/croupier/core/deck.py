"""The part of a registry entry that card games share."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core.contract import Game, RulesError


class CardGame(Game):
    """A game whose draws are cards, named as listed in *cards*."""

    cards: Sequence[str]

    def draw_name(self, item: int) -> str:
        return self.cards[item]

    def parse_draw(self, text: str) -> int:
        if text not in self.cards:
            raise RulesError(f"unknown card {text!r}: expected one like {self.cards[0]!r}")
        return self.cards.index(text)
