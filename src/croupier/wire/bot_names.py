"""The names of bots at a table: people with a first and a last name, four for each strength."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

_BY_BOT: Final[Mapping[str, tuple[str, ...]]] = {
    "random": ("Tilda Moss", "Benno Lark", "Yaro Kos", "Fifi Blanc"),
    "default": ("Otto Fink", "Rosa Berg", "Emil Hahn", "Vera Sova"),
    "novice": ("Nina Perko", "Jan Vrba", "Lea Petit", "Max Horn"),
    "heuristic": ("Ida Lang", "Mira Zupan", "Hugo Roux", "Pavel Lipa"),
    "club": ("Clara Bell", "Anton Rey", "Zora Hren", "Karl Busch"),
    "expert": ("Ada Stein", "Viktor Dol", "Greta Falk", "Luc Marchand"),
    "master": ("Selma Rook", "Milan Stary", "Irena Golob", "Paul Lemaire"),
}
NAMES: Final = tuple(name for names in _BY_BOT.values() for name in names)


def bot_name(seat: int, bot: str, taken: Container[str] = ()) -> str:
    """Return the name of *bot* in *seat*: by its strength, or the next one that is not *taken*."""
    own = _BY_BOT.get(bot, NAMES)
    first = seat % len(own)
    found = [*own[first:], *own[:first], *NAMES]
    if bot == "dummy":  # fixed by a published protocol
        found = [f"player{number}" for number in range(seat + 1, seat + 1 + len(NAMES))]
    return next(name for name in found if name not in taken)
