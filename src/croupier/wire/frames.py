"""JSON frames: reading objects from untrusted input, and writing them without spaces."""

from __future__ import annotations

import json
from typing import Final

import msgspec

LIMIT: Final = 16 * 1024
"""The maximum size of a frame from a peer, in bytes; a longer one closes the connection."""

encode = msgspec.json.Encoder().encode


def read_object(data: str | bytes, limit: int = LIMIT) -> dict[str, object] | None:
    """Return the JSON object in *data*, text or UTF-8, or None for anything else. Never raises."""
    if len(data) > limit:
        return None
    try:
        found: object = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        # msgspec raises errors other than DecodeError for bad UTF-8 and deep nesting.
        return None
    return found if isinstance(found, dict) else None


def read_any_object(data: str | bytes) -> dict[str, object] | None:
    """Return the JSON object in *data*, even if it has values that cannot be written as JSON. Never raises.

    Such values are half a surrogate pair, and a number that is too large, which becomes infinite.
    """
    found = read_object(data)
    if found is not None or len(data) > LIMIT:
        return found
    try:
        text = data.decode() if isinstance(data, bytes) else data
        other: object = json.loads(text, parse_int=_integer, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return other if isinstance(other, dict) else None


def _integer(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:  # more than 4300 digits, Python's limit
        return float(digits)


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is not JSON")


def whole(value: object) -> int | None:
    """Return *value* if it is a JSON integer, else None; true and 1.0 are not integers."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def whole_or_digits(value: object) -> int | None:
    """Return the number in *value*, a JSON integer or a string of decimal digits."""
    if not isinstance(value, str):
        return whole(value)
    # isdigit accepts the digits of all scripts, and int() of a long text is slow.
    if not (value.isascii() and value.isdigit()):
        return None
    digits = value.lstrip("0")
    return int(digits or "0") if len(digits) <= 20 else None


def words(value: object) -> list[str] | None:
    """Return *value* if it is a list of strings, else None."""
    if not isinstance(value, list):
        return None
    out = [item for item in value if isinstance(item, str)]
    return out if len(out) == len(value) else None


def write(value: object) -> str:
    """Return *value* as JSON text."""
    return encode(value).decode()
