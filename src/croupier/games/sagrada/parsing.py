"""Read lines of the protocol: their fields and the values in them (spec 2, 3)."""

from __future__ import annotations

import re
from typing import Final

from croupier.games.sagrada.vocabulary import DIE_CODES, KINDS
from croupier.wire.lines import Overlong

LINE_LIMIT: Final = 512
"""The maximum length of a line in bytes, without its end."""
_NICK: Final = re.compile(r"[A-Za-z0-9_.-]{1,20}")
_NUMBER: Final = re.compile(r"[0-9]{1,3}")
_WORD: Final = re.compile(r"[!-~]{1,32}")
_FOREIGN: Final = re.compile(r"[^\t -~]")


def text_of(data: str | bytes | Overlong) -> str | None:
    """Return the line in *data*; None if it is too long or has bytes that a line may not have."""
    if isinstance(data, Overlong):
        return None
    text = data if isinstance(data, str) else data.decode("latin-1")
    for end in ("\r\n", "\r", "\n"):  # a frame may end like a line
        if text.endswith(end):
            text = text.removesuffix(end)
            break
    return None if len(text) > LINE_LIMIT or _FOREIGN.search(text) else text


def fields_of(text: str, spaced: bool) -> list[str]:
    """Return the fields of a line, stripped; if *spaced*, spaces separate fields too.

    Empty fields at the end are dropped; an empty list means an empty line.
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
    """Return the number in *field*, which must not have leading zeros, as on a card."""
    return None if field.startswith("0") and field != "0" else number_of(field)


def die_of(field: str) -> int | None:
    """Return the die in *field*; its letter may be lower case."""
    die = DIE_CODES.get(field.upper(), KINDS)
    return die if die < KINDS else None


def cell_of(row: str, column: str) -> int | None:
    """Return the cell in *row* and *column*."""
    down, along = number_of(row, 1, 4), number_of(column, 1, 5)
    return None if down is None or along is None else 5 * (down - 1) + along - 1


def is_nick(field: str) -> bool:
    """Return True if *field* is a valid nickname."""
    return _NICK.fullmatch(field) is not None


def is_word(field: str) -> bool:
    """Return True if a `ping` may carry *field*."""
    return _WORD.fullmatch(field) is not None


def nick_of(name: str) -> str:
    """Return a name from another protocol as a nickname: characters that a nick cannot have become ``_``."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:20] or "_"
