"""Reading the messages of a client of the house protocol."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from croupier.wire.frames import LIMIT, read_object
from croupier.wire.house_messages import CLIENT_MESSAGES, ClientMessage, Id

KINDS: Final = {str(kind.__struct_config__.tag): kind for kind in CLIENT_MESSAGES}
"""The messages of a client by their type."""
_WHERE: Final = re.compile(r" - at `\$\.?(.*)`$")

_DECODER: Final[msgspec.json.Decoder[ClientMessage]] = msgspec.json.Decoder(ClientMessage)


class BadMessage(Exception):
    """A frame that is not a message, and why; *id* and *kind* are those of the frame, if it has any."""

    def __init__(self, words: str, id: Id = None, kind: str = "") -> None:
        super().__init__(words)
        self.words = words
        self.id = id
        self.kind = kind


def read_message(data: str | bytes) -> ClientMessage:
    """Return the message in *data*, or raise BadMessage."""
    if len(data) > LIMIT:
        raise BadMessage("expected one JSON object per frame")
    try:
        return _DECODER.decode(data)
    except msgspec.ValidationError as error:
        words = str(error)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        # msgspec raises errors other than DecodeError for bad UTF-8 and deep nesting.
        words = ""
    raise _bad(data, words)


def _bad(data: str | bytes, words: str) -> BadMessage:
    """Return why *data* is not a message; *words* are those of msgspec."""
    found = read_object(data)
    if found is None:
        return BadMessage("expected one JSON object per frame")
    id = found.get("id")
    if isinstance(id, bool) or not isinstance(id, str | int | float | None):
        return BadMessage("id: expected a string or a number")
    kind = found.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        return BadMessage(f"type: expected one of {', '.join(KINDS)}", id)
    return BadMessage(_named(words), id, kind)


def _named(words: str) -> str:
    """Return the words of msgspec in the form of our own messages: ``turn: expected `int`, got `str` ``."""
    where = _WHERE.search(words)
    said = words[: where.start()] if where else words
    member = where[1] if where else ""
    return f"{member}: {said[:1].lower()}{said[1:]}" if member else said[:1].lower() + said[1:]
