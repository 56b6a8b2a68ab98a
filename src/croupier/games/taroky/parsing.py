"""Read the commands of clients (spec 4): what they answer, as actions."""

from __future__ import annotations

from typing import Final

from croupier.core.refusal import Refusal
from croupier.games.taroky.asking import is_asked, talon_words
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    CARD,
    CODES,
    CONTRA,
    DISCARD,
    HALF,
    IOTE,
    MONEY,
    NAME,
    PARTNER,
    PHASES,
    PLAYING,
    PREVER,
    TALON,
    VALAT,
)
from croupier.wire.opentarock.messages import Data

COMMAND_PHASES: Final = {
    "prever": PREVER,
    "talon": TALON,
    "half": HALF,
    "discard": DISCARD,
    "moneycards": MONEY,
    "partner": PARTNER,
    "valat": VALAT,
    "contra": CONTRA,
    "iote": IOTE,
    "play": PLAYING,
}
ANSWERS: Final = {
    "prever": "prever",
    "half": "keep",
    "moneycards": "declare",
    "valat": "call",
    "contra": "call",
    "iote": "call",
}
"""The yes-or-no member of each command."""
PARTNERS: Final = {f"T{trump}": NAME + trump - 15 for trump in range(15, 20)}


def actions(view: TarokyView, name: str, fields: Data) -> tuple[int, ...]:
    """Return the actions of the command *name*; raise Refusal if *view* does not allow it or it is wrong."""
    if view.phase != COMMAND_PHASES[name]:
        raise Refusal("wrong_phase", f"the phase is {PHASES[view.phase] if view.deal else PHASES[0]}")
    if not is_asked(view):
        raise Refusal("not_your_turn", "you are not asked")
    if name in ANSWERS:
        return (int(fields[ANSWERS[name]] is True),)
    match name:
        case "talon":
            return (_talon(view, str(fields["action"])),)
        case "partner":
            return (_partner(str(fields["card"])),)
        case "play":
            return (_card(str(fields["card"])),)
    cards = fields["cards"]
    assert isinstance(cards, list)
    if not 1 <= len(cards) <= view.left:
        raise Refusal("invalid_count", f"{len(cards)} cards, expected 1 to {view.left}")
    return tuple(_card(card) for card in cards)


def _card(name: str) -> int:
    if name not in CODES:
        raise Refusal("invalid_card", f"{name[:20]!r}: no such card, expected one like S1, HK or T05")
    return CARD + CODES[name]


def _partner(name: str) -> int:
    if name not in PARTNERS:
        raise Refusal("invalid_partner", f"{name[:20]!r}: expected one of {', '.join(PARTNERS)}")
    return PARTNERS[name]


def _talon(view: TarokyView, word: str) -> int:
    words = talon_words(view)
    if word not in words:
        raise Refusal("invalid_action", f"{word[:20]!r}: expected {words[1]} or {words[0]}")
    return words.index(word)
