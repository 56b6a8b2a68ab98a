"""Lines of the protocol as fields, and what fields may hold (spec 2, 3)."""

from __future__ import annotations

import re
from typing import Final

from croupier.games.sagrada.vocabulary import DIE_CODES, KINDS
from croupier.wire.lines import Overlong

LINE_LIMIT: Final = 512
"""Bytes of a line, its end not included."""
_NICK: Final = re.compile(r"[A-Za-z0-9_.-]{1,20}")
_NUMBER: Final = re.compile(r"[0-9]{1,3}")
_WORD: Final = re.compile(r"[!-~]{1,32}")
_FOREIGN: Final = re.compile(r"[^\t -~]")


def text_of(data: str | bytes | Overlong) -> str | None:
    """Return the line in *data*; None if it is too long or has other bytes than a line may have."""
    if isinstance(data, Overlong):
        return None
    text = data if isinstance(data, str) else data.decode("latin-1")
    for end in ("\r\n", "\r", "\n"):  # a frame may end like a line
        if text.endswith(end):
            text = text.removesuffix(end)
            break
    return None if len(text) > LINE_LIMIT or _FOREIGN.search(text) else text


def fields_of(text: str, spaced: bool) -> list[str]:
    """Return the fields of a line without the spaces around them; *spaced*: spaces separate, too.

    Empty fields at the end are none, and a line without any field is empty.
    """
    if spaced:
        return text.split()
    fields = [field.strip(" ") for field in text.split("\t")]
    while fields and not fields[-1]:
        fields.pop()
    return fields


def number_of(field: str, low: int = 0, high: int = 999) -> int | None:
    """Return the number in *field* if it is from *low* to *high*."""
    if _NUMBER.fullmatch(field) is None:
        return None
    number = int(field)
    return number if low <= number <= high else None


def id_of(field: str) -> int | None:
    """Return the number in *field* as it is printed on a card: without leading zeros."""
    return None if field.startswith("0") and field != "0" else number_of(field)


def die_of(field: str) -> int | None:
    """Return the die in *field*; its letter may be small."""
    die = DIE_CODES.get(field.upper(), KINDS)
    return die if die < KINDS else None


def cell_of(row: str, column: str) -> int | None:
    """Return the cell in *row* and *column*."""
    down, along = number_of(row, 1, 4), number_of(column, 1, 5)
    return None if down is None or along is None else 5 * (down - 1) + along - 1


def is_nick(field: str) -> bool:
    """Say whether somebody may be called so."""
    return _NICK.fullmatch(field) is not None


def is_word(field: str) -> bool:
    """Say whether a `ping` may carry *field*."""
    return _WORD.fullmatch(field) is not None


def nick_of(name: str) -> str:
    """Return how the protocol spells a name of another protocol's, which may have signs it lacks."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:20] or "_"
