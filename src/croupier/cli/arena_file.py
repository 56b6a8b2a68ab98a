"""The arena file: sections by name, every value validated, errors reported with their line."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from math import ceil, log2
from pathlib import Path
from typing import Any, Final

from croupier.arena.chairs import PLACEHOLDERS, SECRETS
from croupier.arena.plan import (
    ENVIRONMENT,
    FORMATS,
    HOUSE,
    LINES,
    OWN,
    ROUND_ROBIN,
    STDIN,
    SWISS,
    Arena,
    Contestant,
    Limits,
)
from croupier.bots.strengths import names
from croupier.cli.tomlfile import TomlFile, Where
from croupier.core.contract import Game
from croupier.core.options import BadOptions, Value
from croupier.core.record import clean
from croupier.games import UnknownGame, has_lobby
from croupier.games import game as find_game
from croupier.wire.greeting import NAME_LIMIT

ARENA: Final[dict[str, tuple[type, ...]]] = {
    "game": (str,),
    "seats": (int,),
    "deals": (int,),
    "seed": (str, int),
    "format": (str,),
    "rounds": (int,),
    "at_table": (int,),
    "records": (bool,),
    "wait": (int, float),
}
LIMITS: Final[dict[str, tuple[type, ...]]] = {
    "seconds": (int, float),
    "start": (int, float),
    "memory": (int,),
    "refusals": (int,),
}
RANGES: Final = {
    "seconds": (0.05, 3600),
    "start": (0.5, 3600),
    "memory": (16, 1 << 20),
    "refusals": (0, 10_000),
}
CONTESTANT: Final[dict[str, tuple[type, ...]]] = {
    "name": (str,),
    "bot": (str,),
    "command": (str, list),
    "listen": (str,),
    "wire": (str,),
    "keys": (str,),
}
SECTIONS: Final = {
    "arena": "[arena]",
    "options": "[options]",
    "limits": "[limits]",
    "contestant": "[[contestant]]",
}
"""How their headers are written."""
KINDS: Final = ("bot", "command", "listen")
"""The kinds of contestants; each is exactly one of these."""
MOST_DEALS: Final = 1_000_000
LONGEST_WAIT: Final = 7 * 24 * 3600

_PLACEHOLDER: Final = re.compile(r"(?<![{$])\{([A-Za-z_]\w*)\}(?!\})")
"""Excludes the ``${HOME}`` of shells and doubled braces."""


def read(path: Path) -> Arena:
    """Return the arena described by the file at *path*; raise ClickException with the line of an error."""
    return _Reader(path).arena()


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = TomlFile(path, str(path))
        for section, value in self._file.found.items():
            if section not in SECTIONS:
                words = f"{section}: unknown, expected one of the sections {', '.join(SECTIONS.values())}"
                raise self._file.wrong((section,), words)
            if not isinstance(value, list if section == "contestant" else dict):
                raise self._file.wrong((section,), f"{section}: expected {SECTIONS[section]}")
        self._head: dict[str, Any] = self._file.found.get("arena", {})
        self._file.check(("arena",), self._head, ARENA)

    def arena(self) -> Arena:
        game = self._game()
        contestants = self._contestants(game)
        seats = self._seats(game)
        form = str(self._head.get("format", ROUND_ROBIN))
        if form not in FORMATS:
            raise self._wrong("format", f"expected {', '.join(FORMATS)}")
        return Arena(
            game=game.name,
            seats=seats,
            contestants=contestants,
            seed=clean(str(self._head.get("seed", ""))),
            deals=self._number("deals", 100, 1, MOST_DEALS),
            format=form,
            rounds=self._rounds(form, len(contestants)),
            at_table=self._at_table(form, seats, len(contestants)),
            records=bool(self._head.get("records", True)),
            options=self._options(game, seats),
            limits=self._limits(),
            folder=str(self._path.resolve().parent),
            wait=self._wait(),
        )

    def _wrong(self, key: str, words: str) -> Exception:
        return self._file.wrong(("arena", key), f"{key} = {self._head[key]!r}: {words}")

    def _number(self, key: str, default: int, low: int, high: int, why: str = "") -> int:
        value = int(self._head.get(key, default))
        if not low <= value <= high:
            expected = str(low) if low == high else f"{low}…{high}"
            raise self._wrong(key, f"expected {expected}{why}")
        return value

    def _wait(self) -> float:
        value = float(self._head.get("wait", 300.0))
        if not 0 < value <= LONGEST_WAIT:
            raise self._wrong("wait", f"expected seconds, up to {LONGEST_WAIT}")
        return value

    def _game(self) -> Game:
        if "game" not in self._head:
            raise self._file.wrong(("arena",), 'game: missing in [arena], expected game = "NAME"')
        try:
            return find_game(self._head["game"])
        except UnknownGame as error:
            raise self._file.wrong(("arena", "game"), str(error)) from None

    def _seats(self, game: Game) -> int:
        seats = self._head.get("seats", game.seats[-1])
        able = [many for many in game.seats if many > 1]
        if seats not in able:
            raise self._wrong("seats", f"expected {' or '.join(map(str, able))}")
        return int(seats)

    def _rounds(self, form: str, many: int) -> int:
        if form != SWISS:
            if "rounds" in self._head:
                raise self._wrong("rounds", f'only format = "{SWISS}" has rounds')
            return 0
        most = many - 1 + many % 2
        return self._number("rounds", min(most, ceil(log2(many))), 1, most, " for this number of contestants")

    def _at_table(self, form: str, seats: int, many: int) -> int:
        if form != ROUND_ROBIN and self._head.get("at_table", 2) != 2:
            raise self._wrong("at_table", f'only format = "{ROUND_ROBIN}" allows more than 2')
        return self._number("at_table", 2, 2, min(seats, many), " for this number of seats and contestants")

    def _options(self, game: Game, seats: int) -> dict[str, Value]:
        given: dict[str, object] = self._file.found.get("options", {})
        for key, value in given.items():
            try:
                game.options.read({key: value})
            except BadOptions as error:
                raise self._file.wrong(("options", key), str(error)) from None
        values = game.options.read(given)
        try:
            game.new(values, seats)
        except ValueError as error:
            raise self._file.wrong(("options",), str(error)) from None
        return game.options.changed(values)

    def _limits(self) -> Limits:
        given: dict[str, Any] = self._file.found.get("limits", {})
        self._file.check(("limits",), given, LIMITS)
        for key, value in given.items():
            low, high = RANGES[key]
            if not low <= value <= high:
                raise self._file.wrong(("limits", key), f"{key} = {value}: expected {low}…{high}")
        return Limits(**given)

    # Contestants

    def _contestants(self, game: Game) -> tuple[Contestant, ...]:
        found: list[Contestant] = []
        for number, given in enumerate(self._file.found.get("contestant", [])):
            where: Where = ("contestant", number)
            if not isinstance(given, dict):
                raise self._file.wrong(where, "expected one section [[contestant]] per contestant")
            self._file.check(where, given, CONTESTANT)
            one = self._contestant(where, given, game)
            if any(other.name == one.name for other in found):
                raise self._file.wrong(
                    (*where, "name"), f"name = {one.name!r}: another contestant has this name"
                )
            same = [other.name for other in found if one.listen and other.listen == one.listen]
            if same and one.address[1]:
                words = f"listen = {one.listen!r}: {same[0]!r} has this address; choose another port"
                raise self._file.wrong((*where, "listen"), words)
            found.append(one)
        if len(found) < 2:
            raise self._file.wrong(
                ("contestant", len(found) - 1),
                f"{len(found)} contestants: expected two or more [[contestant]]",
            )
        return tuple(found)

    def _contestant(self, where: Where, given: dict[str, Any], game: Game) -> Contestant:
        if sum(kind in given for kind in KINDS) != 1:
            raise self._file.wrong(where, f"expected one of {', '.join(KINDS)} for each contestant")
        name = given.get("name", given.get("bot"))
        if name is None or not 0 < len(name) <= NAME_LIMIT:
            raise self._file.wrong((*where, "name"), f"name: expected 1 to {NAME_LIMIT} characters")
        if clean(name) != name:
            words = f"name = {name!r}: expected no spaces around it and no control characters"
            raise self._file.wrong((*where, "name"), words)
        if "bot" in given:
            known = names(game)
            if given["bot"] not in known:
                expected = ", ".join(known)
                raise self._file.wrong((*where, "bot"), f"bot = {given['bot']!r}: expected one of {expected}")
            for key in ("wire", "keys"):
                if key in given:
                    raise self._file.wrong((*where, key), f"{key}: only for programs, not for bots")
            return Contestant(name, given["bot"])
        wires = (HOUSE, OWN, LINES) if has_lobby(game.name) else (HOUSE, OWN)
        wire = given.get("wire", HOUSE)
        if wire not in wires:
            raise self._file.wrong(
                (*where, "wire"), f"wire = {wire!r}: expected one of {', '.join(wires)} for {game.title}"
            )
        if "listen" in given:
            if "keys" in given:
                raise self._file.wrong((*where, "keys"), "keys: only for programs that the arena starts")
            return Contestant(name, wire=wire, listen=self._listen((*where, "listen"), given["listen"]))
        command = self._command((*where, "command"), given["command"])
        return Contestant(name, command=command, wire=wire, keys=self._keys(where, given, command))

    def _listen(self, where: Where, given: str) -> str:
        host, _, port = given.rpartition(":")
        if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
            words = f"listen = {given!r}: expected host:port, for example 127.0.0.1:7001 or 0.0.0.0:7001"
            raise self._file.wrong(where, words)
        return given

    def _keys(self, where: Where, given: dict[str, Any], command: tuple[str, ...]) -> str:
        keys = str(given.get("keys", ENVIRONMENT))
        if keys not in (ENVIRONMENT, STDIN):
            raise self._file.wrong((*where, "keys"), f"keys = {keys!r}: expected {ENVIRONMENT} or {STDIN}")
        for word in SECRETS if keys == STDIN else ():
            if any(f"{{{word}}}" in part for part in command):
                words = f'command: {{{word}}} is readable by other programs; with keys = "{STDIN}" omit it'
                raise self._file.wrong((*where, "command"), words)
        return keys

    def _command(self, where: Where, given: str | list[object]) -> tuple[str, ...]:
        if os.name != "posix":
            raise self._file.wrong(where, "command: programs can be limited on Linux and macOS only")
        try:
            words = shlex.split(given) if isinstance(given, str) else given
        except ValueError as error:
            raise self._file.wrong(where, f"command: {str(error).lower()}") from None
        command = [word for word in words if isinstance(word, str) and "\0" not in word]
        if not command or len(command) != len(words):
            raise self._file.wrong(where, "command: expected a program and its arguments")
        for word in _PLACEHOLDER.findall(" ".join(command)):
            if word not in PLACEHOLDERS:
                expected = ", ".join(f"{{{known}}}" for known in PLACEHOLDERS)
                raise self._file.wrong(where, f"command: {{{word}}} is unknown, expected one of {expected}")
        program = command[0].replace("{python}", sys.executable)
        place = self._path.resolve().parent / program if "/" in program else program
        if shutil.which(place) is None:
            raise self._file.wrong(where, f"command: no such program: {program!r}")
        return tuple(command)
