"""Read what clients write, with variant spellings (spec B2): cards, suits, contracts, bonuses, decks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.core.options import BadOptions
from croupier.games.tarock.vocabulary import CARDS, CODES, CONTRACT_NAMES, DECK, ITEMS, SUITS

_SUITS: Final[dict[str, int]] = {
    **{suit: number for number, suit in enumerate(SUITS)},
    **{word.upper(): number for number, word in enumerate(("clubs", "spades", "hearts", "diamonds"))},
    **{f"{suit}K": number for number, suit in enumerate(SUITS)},
}
_CONTRACTS: Final = {
    "pass": -1,
    **{name: number for number, name in enumerate(CONTRACT_NAMES)},
    "colour_valat": CONTRACT_NAMES.index("color_valat"),
}
_ITEMS: Final = {**{name: number for number, name in enumerate(ITEMS)}, "king_ultimo": 3}


def card(text: str) -> int | None:
    """Return the card spelt *text*; lower case, surrounding spaces and T22 for the škis are accepted."""
    code = text.strip().upper()
    return CODES.get("TS" if code == "T22" else code)


def suit(text: str) -> int | None:
    """Return the plain suit spelt *text*: a letter, an English word or a king."""
    return _SUITS.get(text.strip().upper())


def contract(text: str) -> int | None:
    """Return the contract spelt *text*, -1 for pass."""
    return _CONTRACTS.get(text.strip().lower().replace("-", "_").replace(" ", "_"))


def bonus(text: str) -> int | None:
    """Return the bonus spelt *text*."""
    number = item(text)
    return number - 1 if number else None


def item(text: str) -> int | None:
    """Return the item to double spelt *text*: the game or a bonus."""
    return _ITEMS.get(text.strip().lower().replace("-", "_").replace(" ", "_"))


def seed(raw: Mapping[str, object]) -> str | None:
    """Return the option ``seed`` of a room's rules."""
    value = raw.get("seed")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise BadOptions("option seed: expected a number or a text")
    return str(value)


def decks(raw: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
    """Return the option ``deck`` of a room's rules: the cards of its first deals, in canonical spelling."""
    value = raw.get("deck")
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadOptions("option deck: expected an array of decks")
    return tuple(_deck(number, deck) for number, deck in enumerate(value, 1))


def _deck(number: int, raw: object) -> tuple[str, ...]:
    if not isinstance(raw, list) or len(raw) != DECK:
        raise BadOptions(f"option deck: deck {number} is not an array of {DECK} cards")
    found: list[int] = []
    for text in raw:
        one = card(text) if isinstance(text, str) else None
        if one is None or one in found:
            wrong = "is not a card" if one is None else "occurs twice"
            raise BadOptions(f"option deck: deck {number}: {str(text)[:20]} {wrong}")
        found.append(one)
    return tuple(CARDS[one] for one in found)
