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
    int: "a number",
    float: "a number",
    bool: "true or false",
    list: "a list",
}

_HEADER: Final = re.compile(r"\s*(\[\[?)\s*[\"']?([^]\"']+?)[\"']?\s*]")
_KEY: Final = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*[=.]")


class TomlFile:
    """The text and the values of a file; ClickException says what is wrong with it."""

    def __init__(self, path: Path, label: str) -> None:
        """*label* says whose file it is, at the start of every message."""
        self._label = label
        try:
            self._text = path.read_bytes().decode()
            self.found = tomllib.loads(self._text)
        except OSError as error:
            raise click.ClickException(f"{label}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise click.ClickException(f"{label}: it is not text") from None
        except tomllib.TOMLDecodeError as error:
            raise click.ClickException(f"{label}: {error}") from None

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
                expected = " or ".join(dict.fromkeys(WORDS[one] for one in types))
                raise self.wrong((*where, key), f"{key} = {value!r}: expected {expected}")

    def wrong(self, where: Where, words: str) -> click.ClickException:
        """Return the message about what is at *where*."""
        number = line_of(self._text, where)
        return click.ClickException(f"{self._label}: {f'line {number}: ' if number else ''}{words}")


def line_of(text: str, where: Where) -> int:
    """Return the line of the value at *where*, or else of what is nearest around it; 0 if nothing is."""
    best = (0, 0)
    section: Where = ()
    many: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        here: Where
        if header := _HEADER.match(line):
            name = header[2]
            if header[1] == "[[":
                many[name] = many.get(name, -1) + 1
                section = (name, many[name])
            else:
                section = (name,)
            here = section
        elif key := _KEY.match(line):
            here = (*section, key[1])
        else:
            continue
        if here == where[: len(here)] and len(here) > best[0]:
            best = (len(here), number)
    return best[1]
