"""The bodies of the HTTP routes of Taroky Notation, as types."""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.core.options import Value
from croupier.games.taroky.facts import Facts, Phase


class NotationText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/notation/check and /api/notation/record."""

    text: str


class NotationTable(NotationText, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The body of POST /api/notation/table."""

    seats: list[str] = []
    """Of players 1 to 4; by default the player who saved the game is a person and the others are bots."""
    table_options: dict[str, Value] = {}
    hands: int = 1


class NotationFault(msgspec.Struct, frozen=True):
    """The answer to a notation that is not valid: what is wrong, and where."""

    key: str
    words: str
    offset: int
    """Of the first invalid character."""
    field: int
    slot: str
    reason: str
    detail: str


class NotationTrick(msgspec.Struct, frozen=True):
    """A trick of a notation."""

    cards: list[str]
    winner: int


class Payment(msgspec.Struct, frozen=True):
    """A row of a settlement."""

    name: str
    chips: list[int]
    """Of players 1 to 4."""


class NotationSummary(msgspec.Struct, frozen=True):
    """The answer to POST /api/notation/check."""

    notation: str
    """In canonical form."""
    finished: bool
    phase: Phase
    turn: int | None
    saved_by: int | None
    hands: list[list[str]]
    """Of players 1 to 4, as in the other lists."""
    talon: list[str]
    discards: list[list[str]]
    calls: list[str]
    view: Facts
    """The facts of a watcher at the end of the deal: the calls and the settlement."""
    tricks: list[NotationTrick]
    open_trick: list[str]
    reasons: list[str]
    """Why chips are paid."""
    payments: list[Payment]
    """The balance before the deal, money cards by player, the settlement, and the balance now."""
    settings: str


BODIES: Final = (NotationTable, NotationFault, NotationSummary)
