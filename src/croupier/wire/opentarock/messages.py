"""Reading and writing the messages of Tarock and Taroky.

Each message is a JSON object. A command gets one response or one error; everything else is sent as events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from croupier.core.refusal import Refusal
from croupier.wire.frames import LIMIT, read_object, whole, write
from croupier.wire.lines import Overlong

Data: TypeAlias = dict[str, object]

SEED: Final = "seed"
"""The profile of a client that knows only the published protocol."""
FULL: Final = "full"


class DetailedRefusal(Refusal):
    """A refusal with *details*, which are further members of the error message."""

    def __init__(self, key: str, words: str, details: Data) -> None:
        super().__init__(key, words)
        self.details = details


class _Bad:
    """Returned by the reader of a field for a value of the wrong JSON type."""


BAD: Final = _Bad()


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of a command; an optional one that is absent or null is read as None."""

    read: Callable[[object], object]
    required: bool = True


Fields: TypeAlias = Mapping[str, Field]


def text(value: object) -> object:
    return value if isinstance(value, str) else BAD


def texts(value: object) -> object:
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else BAD


def flag(value: object) -> object:
    return value if isinstance(value, bool) else BAD


def number(value: object) -> object:
    """Read an integer, which may be written as 1.0 or as a string."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        digits = value.strip().removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
            return BAD
        return int(value)
    return value if whole(value) is not None else BAD


def an_object(value: object) -> object:
    return value if isinstance(value, dict) else BAD


@dataclass(frozen=True, slots=True)
class Call:
    """A command, as far as its answer refers to it."""

    command: str | None = None
    request: tuple[object, ...] = ()
    """The `request_id`, if there is one."""

    def response(self, extra: Mapping[str, object] | None = None) -> str:
        """Return the frame of a successful response."""
        frame: Data = {"response": self.command, **(extra or {})}
        return write(self._signed(frame))

    def error(self, code: str, words: str, profile: str, more: Mapping[str, object] | None = None) -> str:
        """Return the frame of an error."""
        frame: Data = {"error": code, **(more or {})}
        if words:
            frame["error_description"] = words
        if self.command is not None and profile != SEED:
            frame["command"] = self.command
        return write(self._signed(frame))

    def _signed(self, frame: Data) -> Data:
        if self.request:
            frame["request_id"] = self.request[0]
        return frame


def read_call(data: str | bytes | Overlong) -> tuple[Call, Data, Refusal | None]:
    """Return the command in *data* and its members, as far as they can be read, and what is wrong with it."""
    if isinstance(data, Overlong) or _size(data) > LIMIT:
        return Call(), {}, Refusal("invalid_request", f"the message is too long: at most {LIMIT} bytes")
    found = read_object(data)
    if found is None:
        return Call(), {}, Refusal("invalid_request", "expected one JSON object")
    id = found.get("request_id")
    scalar = "request_id" in found and (id is None or isinstance(id, str | int | float | bool))
    request: tuple[object, ...] = (id,) if scalar else ()
    command = found.get("command")
    if not isinstance(command, str):
        words = "command: expected a string" if "command" in found else "command is missing"
        return Call(None, request), found, Refusal("invalid_request", words)
    return Call(command, request), found, None


def _size(data: str | bytes) -> int:
    # A character has at most four bytes, so that most texts need not be encoded.
    if isinstance(data, bytes) or 4 * len(data) <= LIMIT:
        return len(data)
    return len(data.encode("utf-8", "surrogatepass"))


def read_fields(found: Data, fields: Fields) -> Data:
    """Return the parameters of a command by name, or raise Refusal for the first invalid one."""
    out: Data = {}
    for name, field in fields.items():
        raw = found.get(name)
        if raw is None and not field.required:
            out[name] = None
            continue
        if name not in found:
            raise Refusal("invalid_request", f"{name} is missing")
        value = field.read(raw)
        if value is BAD:
            raise Refusal("invalid_request", f"{name}: wrong type")
        out[name] = value
    return out


def reduced(fields: Data, known: frozenset[str] | None) -> Data:
    """Return *fields* that are *known*; all of them if *known* is None."""
    return fields if known is None else {name: fields[name] for name in fields if name in known}
