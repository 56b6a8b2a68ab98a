"""Options as data: one list per game, used for parsing, help, records and forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeAlias, TypeVar

Value: TypeAlias = bool | int | str | list[str]
T = TypeVar("T")


class BadOptions(ValueError):
    """An option that does not exist, or an invalid value."""


class Option:
    """One setting: its default determines its type, and *choices* or the range determine its possible values.

    A list (``pass_sequence``) takes its items from *choices*; a string without choices is free text.
    *or_zero* also allows 0 below the range, which means no limit.
    """

    def __init__(
        self,
        name: str,
        default: Value,
        words: str,
        choices: list[str] | None = None,
        low: int = 0,
        high: int = 0,
        unit: str = "",
        secret: bool = False,
        or_zero: bool = False,
        technical: bool = False,
    ) -> None:
        self.name = name
        self.default = default
        self.words = words
        self.choices = choices if choices is not None else []
        self.low = low
        self.high = high
        self.or_zero = or_zero
        self.unit = unit
        self.secret = secret
        """No player may see its value before the match is over."""
        self.technical = technical
        """It concerns a protocol, a lobby or tests: forms for people do not show it."""

    def kind(self) -> str:
        """Return ``switch``, ``number``, ``list``, ``choice`` or ``text``, for forms and help."""
        if isinstance(self.default, bool):
            return "switch"
        if isinstance(self.default, int):
            return "number"
        if isinstance(self.default, list):
            return "list"
        return "choice" if self.choices else "text"

    def expected(self) -> str:
        """Return the possible values as text."""
        kind = self.kind()
        if kind == "switch":
            return "on or off"
        if kind == "number" and self.choices:
            return "one of " + ", ".join(self.choices)
        if kind == "number":
            zero = "0 or " if self.or_zero else ""
            return f"{zero}{self.low}…{self.high}" + (f" {self.unit}" if self.unit else "")
        if kind == "list":
            return "a list of " + ", ".join(self.choices) if self.choices else "a list of words"
        if kind == "choice":
            return "one of " + ", ".join(self.choices)
        return "text"

    def read(self, raw: object) -> Value:
        """Return the value of *raw*, from JSON or from a command line."""
        value = self._read(raw)
        if value is None:
            raise BadOptions(f"option {self.name}={_shown(raw)}: expected {self.expected()}")
        return value

    def _read(self, raw: object) -> Value | None:
        kind = self.kind()
        if kind == "switch":
            if isinstance(raw, bool):
                return raw
            return {"on": True, "off": False}.get(raw) if isinstance(raw, str) else None
        if kind == "number":
            if isinstance(raw, str):
                # Longer numbers are never useful, and int() of a long text is slow.
                digits = raw[1:] if raw.startswith("-") else raw
                if len(raw) > 20 or not digits.isascii() or not digits.isdigit():
                    return None
                raw = int(raw)
            if isinstance(raw, bool) or not isinstance(raw, int):
                return None
            if self.choices:
                return raw if str(raw) in self.choices else None
            return raw if self.low <= raw <= self.high or (self.or_zero and raw == 0) else None
        if kind == "list":
            items = raw.split(",") if isinstance(raw, str) else raw
            if not isinstance(items, list):
                return None
            out: list[str] = []
            for item in items:
                if not isinstance(item, str) or (self.choices and item.strip() not in self.choices):
                    return None
                out.append(item.strip())
            return out if not self.low or self.low <= len(out) <= self.high else None
        if not isinstance(raw, str) or (self.choices and raw not in self.choices):
            return None
        return raw

    def plain(self) -> dict[str, object]:
        """Return the option for a form in the browser."""
        return {
            "name": self.name,
            "kind": self.kind(),
            "default": self.default,
            "choices": self.choices,
            "low": self.low,
            "high": self.high,
            "or_zero": self.or_zero,
            "technical": self.technical,
            "unit": self.unit,
            "words": self.words,
        }


class OptionTable:
    """The options of a game, in order."""

    def __init__(self, options: list[Option]) -> None:
        self.options: dict[str, Option] = {}
        for option in options:
            self.options[option.name] = option

    def read(self, raw: Mapping[str, object]) -> dict[str, Value]:
        """Return the values of all options: the given ones validated, the others by default."""
        for name in raw:
            if name not in self.options:
                raise BadOptions(f"option {name}: unknown, expected one of {', '.join(self.options)}")
        values: dict[str, Value] = {}
        for name, option in self.options.items():
            default = option.default[:] if isinstance(option.default, list) else option.default
            values[name] = option.read(raw[name]) if name in raw else default
        return values

    def changed(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Return those of *values* that differ from the default."""
        return {name: value for name, value in values.items() if value != self.options[name].default}

    def has_secrets(self, values: Mapping[str, Value]) -> bool:
        """Return True if an option that no player may see differs from its default."""
        return any(
            self.options[name].secret and value != self.options[name].default
            for name, value in values.items()
        )

    def shown(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Return those of *values* that everyone may see."""
        return {name: value for name, value in values.items() if not self.options[name].secret}

    def plain(self) -> list[dict[str, object]]:
        """Return the options for a form in the browser."""
        return [option.plain() for option in self.options.values()]


class Preset:
    """A named set of options for people who open a table; texts of the game have its title.

    *seats* is the number of seats at the table; 0 means the largest possible number.
    """

    def __init__(self, key: str, options: Mapping[str, Value] | None = None, seats: int = 0) -> None:
        self.key = key
        self.options: dict[str, Value] = dict(options or {})
        self.seats = seats

    def plain(self) -> dict[str, object]:
        """Return the preset for a form in the browser."""
        return {"key": self.key, "options": self.options, "seats": self.seats or None}


class Latest(Generic[T]):
    """Caches what *make* returns for options: a search asks for the same rules many times."""

    def __init__(self, table: OptionTable, make: Callable[[Mapping[str, Value]], T]) -> None:
        self.table = table
        self.make = make
        self.kept: tuple[dict[str, Value], T] | None = None

    def of(self, options: Mapping[str, Value]) -> T:
        """Return the result for *options*, completed by the defaults."""
        kept = self.kept
        if kept is None or kept[0] != options:
            kept = (dict(options), self.make(self.table.read(options)))
            self.kept = kept
        return kept[1]


def spell(value: Value) -> str:
    """Return *value* as written on a command line or in a record; `Option.read` parses it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value)


def number_of(options: Mapping[str, Value], name: str) -> int:
    """Return the value of the number option *name*."""
    value = options[name]
    assert isinstance(value, int), name
    return value


def seconds_of(options: Mapping[str, Value], name: str) -> float:
    """Return the value of the option *name*, a number of milliseconds, in seconds."""
    return number_of(options, name) / 1000


def _shown(raw: object) -> str:
    text = raw if isinstance(raw, str) else repr(raw)
    return text if len(text) <= 40 else text[:37] + "..."
