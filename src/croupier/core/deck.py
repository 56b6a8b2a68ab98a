"""The part of a registry entry that card games share."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core.contract import Game, RulesError


class CardGame(Game):
    """A game whose draws are cards, named as listed in *cards*."""

    cards: Sequence[str]

    def __init__(self) -> None:
        self._numbers = {name: number for number, name in enumerate(self.cards)}

    def draw_name(self, item: int) -> str:
        return self.cards[item]

    def parse_draw(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            raise RulesError(f"unknown card {text!r}: expected one like {self.cards[0]!r}")
        return number
