"""TOML files that people write: a mistake is told with its line and what would do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import click

Where: TypeAlias = tuple[str | int, ...]
"""The way to a value: section, number of the section where there are several, key."""

WORDS: Final = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
}
DEEPEST: Final = 20
LARGEST: Final = (1 << 63) - 1
TOO_DEEP: Final = f"nested too deep, expected at most {DEEPEST} levels"
TOO_LARGE: Final = f"a number too large, expected at most {LARGEST}"

_PART: Final = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_NAME: Final = rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*"
_HEADER: Final = re.compile(rf"\s*(\[\[?){_NAME}]]?\s*(?:#.*)?$")
_KEY: Final = re.compile(rf"{_NAME}=")


class TomlFile:
    """The text and the values of a file; ClickException says what is wrong with it."""

    def __init__(self, path: Path, label: str) -> None:
        """*label* says whose file it is, at the start of every message."""
        self._label = label
        try:
            data = path.read_bytes()
        except OSError as error:
            raise click.ClickException(f"{label}: {error.strerror}") from None
        try:
            self._text = data.decode()
        except UnicodeDecodeError as error:
            number = data.count(b"\n", 0, error.start) + 1
            raise click.ClickException(f"{label}: line {number}: it is not text in UTF-8") from None
        try:
            self.found = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise click.ClickException(f"{label}: {error}") from None
        except RecursionError:
            raise self._crowded("[{", TOO_DEEP) from None
        except ValueError:  # Python reads no number of thousands of digits
            raise self._crowded("0123456789", TOO_LARGE) from None
        self._bound()

    def _crowded(self, signs: str, words: str) -> click.ClickException:
        """Return the message about the line with the most of these *signs*."""
        lines = self._text.splitlines()
        most = max(lines, key=lambda line: sum(map(line.count, signs)))
        return click.ClickException(f"{self._label}: line {lines.index(most) + 1}: {words}")

    def _bound(self) -> None:
        """See that no value is so deep or so large that it could not even be shown."""
        waiting: list[tuple[Where, object]] = [((), self.found)]
        for where, value in waiting:  # it grows meanwhile
            if len(where) > DEEPEST:
                raise self.wrong(where, TOO_DEEP)
            if isinstance(value, dict):
                waiting += [((*where, key), one) for key, one in value.items()]
            elif isinstance(value, list):
                waiting += [((*where, number), one) for number, one in enumerate(value)]
            elif isinstance(value, int) and abs(value) > LARGEST:
                raise self.wrong(where, TOO_LARGE)

    def check(
        self, where: Where, values: Mapping[str, object], known: Mapping[str, tuple[type, ...]]
    ) -> None:
        """See that every key of the section at *where* is known and has one of the types it may have."""
        for key, value in values.items():
            if key not in known:
                words = f"{key}: unknown in [{where[0]}], expected {', '.join(known)}"
                raise self.wrong((*where, key), words)
            types = known[key]
            if type(value) not in types:
                expected = " or ".join(WORDS[one] for one in types if one is not int or float not in types)
                raise self.wrong((*where, key), f"{key} = {value!r}: expected {expected}")

    def wrong(self, where: Where, words: str) -> click.ClickException:
        """Return the message about what is at *where*."""
        number = line_of(self._text, where)
        return click.ClickException(f"{self._label}: {f'line {number}: ' if number else ''}{words}")


def line_of(text: str, where: Where) -> int:
    """Return the line of the value at *where*, or else of what is nearest around it; 0 if nothing is."""
    best, found = (0, False), 0
    section: Where = ()
    many: dict[Where, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            here = section = _section(header[1] == "[[", _parts(header[2]), many)
        elif key := _KEY.match(line):
            here = (*section, *_parts(key[1]))
        else:
            continue
        near = (min(len(here), len(where)), len(here) <= len(where))
        if here[: len(where)] == where[: len(here)] and near > best:
            best, found = near, number
    return found


def _parts(name: str) -> list[str]:
    """Return the names in a dotted one, without their quotes."""
    return [part.strip("\"'") for part in re.findall(_PART, name)]


def _section(another: bool, parts: list[str], many: dict[Where, int]) -> Where:
    """Return the way to the section with this header; *many* counts those that there may be several of."""
    where: Where = ()
    for place, part in enumerate(parts, 1):
        where = (*where, part)
        if another and place == len(parts):
            many[where] = many.get(where, -1) + 1
        if where in many:
            where = (*where, many[where])
    return where
