"""TOML files written by people: errors are reported with their line and the expected value."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import click

Where: TypeAlias = tuple[str | int, ...]
"""The path of a value: section, index if there are several, key."""

WORDS: Final = {
    str: "a string in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
}
DEEPEST: Final = 20
LARGEST: Final = (1 << 63) - 1
TOO_DEEP: Final = f"nested too deeply, expected at most {DEEPEST} levels"
TOO_LARGE: Final = f"number too large, expected at most {LARGEST}"

_PART: Final = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_NAME: Final = rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*"
_HEADER: Final = re.compile(rf"\s*(\[\[?){_NAME}]]?\s*(?:#.*)?$")
_KEY: Final = re.compile(rf"{_NAME}=")


class TomlFile:
    """The text and the values of a file; raises ClickException if it is not valid."""

    def __init__(self, path: Path, label: str) -> None:
        """*label* names the file at the start of every message."""
        self._label = label
        try:
            data = path.read_bytes()
        except OSError as error:
            raise click.ClickException(f"{label}: {error.strerror}") from None
        try:
            self._text = data.decode()
        except UnicodeDecodeError as error:
            number = data.count(b"\n", 0, error.start) + 1
            raise click.ClickException(f"{label}: line {number}: not valid UTF-8") from None
        try:
            self.found = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise click.ClickException(f"{label}: {error}") from None
        except RecursionError:
            raise self._crowded("[{", TOO_DEEP) from None
        except ValueError:  # Python rejects numbers with thousands of digits
            raise self._crowded("0123456789", TOO_LARGE) from None
        self._bound()

    def _crowded(self, signs: str, words: str) -> click.ClickException:
        """Return the error for the line with the most of these *signs*."""
        lines = self._text.splitlines()
        most = max(lines, key=lambda line: sum(map(line.count, signs)))
        return click.ClickException(f"{self._label}: line {lines.index(most) + 1}: {words}")

    def _bound(self) -> None:
        """Check that no value is nested too deeply or too large to be shown."""
        waiting: list[tuple[Where, object]] = [((), self.found)]
        for where, value in waiting:  # the list grows in the loop
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
        """Check that every key of the section at *where* is known and has a valid type."""
        for key, value in values.items():
            if key not in known:
                words = f"{key}: unknown in [{where[0]}], expected {', '.join(known)}"
                raise self.wrong((*where, key), words)
            types = known[key]
            if type(value) not in types:
                expected = " or ".join(WORDS[one] for one in types if one is not int or float not in types)
                raise self.wrong((*where, key), f"{key} = {value!r}: expected {expected}")

    def wrong(self, where: Where, words: str) -> click.ClickException:
        """Return the error for the value at *where*."""
        number = line_of(self._text, where)
        return click.ClickException(f"{self._label}: {f'line {number}: ' if number else ''}{words}")


def line_of(text: str, where: Where) -> int:
    """Return the line of the value at *where*, or else of the nearest enclosing element; 0 if there is
    none."""
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
    """Return the parts of a dotted name, without quotes."""
    return [part.strip("\"'") for part in re.findall(_PART, name)]


def _section(another: bool, parts: list[str], many: dict[Where, int]) -> Where:
    """Return the path of the section with this header; *many* counts sections that can be repeated."""
    where: Where = ()
    for place, part in enumerate(parts, 1):
        where = (*where, part)
        if another and place == len(parts):
            many[where] = many.get(where, -1) + 1
        if where in many:
            where = (*where, many[where])
    return where
