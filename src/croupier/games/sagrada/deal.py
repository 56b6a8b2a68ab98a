"""A fixed deal that replaces chance (R12): reading, checking, and looking up its items.

    {"start": 1, "private": [4, 1], "cards": [[1, 9], [6, 10]], "tools": [1, 5, 8], "public": [1, 5, 9],
     "draws": [["R5", "B3", ...], ...], "chance": ["G0", "4", ...]}

Every member may be missing; then chance decides as usual. A deal that no match could have is refused when
the option is read; one that does not fit the number of seats, when the match is created.
"""

from __future__ import annotations

import json
from typing import Final

from croupier.core.options import BadOptions, Option, Value
from croupier.games.sagrada.material import COLOURS

MEMBERS: Final = ["start", "private", "cards", "tools", "public", "draws", "chance"]
PER_COLOUR: Final = 18


class Script:
    """A fixed deal in the form the rules use; empty parts are left to chance."""

    def __init__(self) -> None:
        self.start = -1
        self.privates: list[int] = []
        """The private objectives of all seats in turn."""
        self.cards: list[int] = []
        """The window cards, two for each seat, in turn."""
        self.tools: list[int] = []
        self.publics: list[int] = []
        self.draws: list[list[int]] = []
        """The rolled dice of each round."""
        self.chance: list[int] = []
        """Results of re-rolls and draws from the bag, in order: ``colour * 7 + value``, colour 5 for none."""

    def value(self, at: int) -> int:
        """Return the value that chance item *at* gives, 0 if it gives none."""
        return self.chance[at] % 7 if at < len(self.chance) else 0

    def colour(self, at: int) -> int:
        """Return the colour that chance item *at* gives, -1 if it gives none."""
        return self.chance[at] // 7 if at < len(self.chance) and self.chance[at] < 35 else -1


class DealOption(Option):
    """The option that holds a fixed deal: JSON on one line, or the object itself."""

    def read(self, raw: object) -> Value:
        if raw == "":
            return ""
        if isinstance(raw, dict):
            raw = json.dumps(raw)
        if not isinstance(raw, str):
            raise BadOptions(f"option {self.name}: expected a JSON object")
        data = _parsed(raw)
        _script(data)
        return json.dumps(data, separators=(",", ":"))


def script_of(text: str, seats: int, tools: int) -> Script | None:
    """Return the deal in *text*, checked for a match of *seats* seats and *tools* tools."""
    if not text:
        return None
    script = _script(_parsed(text))
    solo = seats == 1
    _expect("start", [script.start], 1, script.start < seats)
    _expect("private", script.privates, 2 if solo else seats)
    _expect("cards", script.cards, 2 * seats)
    _expect("tools", script.tools, tools)
    _expect("public", script.publics, 2 if solo else 3)
    for number, dice in enumerate(script.draws, 1):
        _expect(f"draws of round {number}", dice, 4 if solo else 2 * seats + 1)
    return script


def _expect(what: str, found: list[int], many: int, also: bool = True) -> None:
    if found and (len(found) != many or not also):
        raise BadOptions(f"option deal: {what} {found}: not for this number of seats, expected {many}")


def _parsed(text: str) -> dict[str, object]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadOptions("option deal: not JSON, expected an object on one line") from None
    if not isinstance(data, dict):
        raise BadOptions("option deal: expected a JSON object")
    return data


def _script(data: dict[str, object]) -> Script:
    """Return the deal in *data*, or raise BadOptions if no match could have dealt it."""
    for name in data:
        if name not in MEMBERS:
            raise BadOptions(f"option deal: unknown member {name[:40]!r}, expected {', '.join(MEMBERS)}")
    script = Script()
    if "start" in data:
        script.start = _numbers("start", [data["start"]], 4)[0] - 1
    script.privates = _distinct("private", data.get("private", []), 5)
    cards: list[object] = []
    for pair in _items("cards", data.get("cards", [])):
        two = _items("cards", pair)
        if len(two) != 2:
            raise BadOptions(f"option deal: {len(two)} cards for a seat, expected 2")
        cards += two
    script.cards = _distinct("cards", cards, 12)
    script.tools = _distinct("tools", data.get("tools", []), 12)
    script.publics = _distinct("public", data.get("public", []), 10)
    for dice in _items("draws", data.get("draws", [])):
        script.draws.append([_die(die) for die in _items("draws", dice)])
    if len(script.draws) > 10:
        raise BadOptions(f"option deal: {len(script.draws)} draws, expected at most 10")
    for colour in range(5):
        many = sum([1 for dice in script.draws for die in dice if die // 6 == colour])
        if many > PER_COLOUR:
            raise BadOptions(f"option deal: {many} dice {COLOURS[colour]}, there are {PER_COLOUR}")
    script.chance = [_chance(item) for item in _items("chance", data.get("chance", []))]
    return script


def _items(what: str, raw: object) -> list[object]:
    if not isinstance(raw, list):
        raise BadOptions(f"option deal: {what}: expected a list")
    return raw


def _numbers(what: str, raw: object, high: int) -> list[int]:
    found: list[int] = []
    for item in _items(what, raw):
        if isinstance(item, bool) or not isinstance(item, int) or not 1 <= item <= high:
            raise BadOptions(f"option deal: {what}: expected numbers from 1 to {high}")
        found.append(item)
    return found


def _distinct(what: str, raw: object, high: int) -> list[int]:
    found = _numbers(what, raw, high)
    if len(set(found)) != len(found):
        raise BadOptions(f"option deal: {what} {found}: one of them comes twice")
    return found


def _die(raw: object) -> int:
    if isinstance(raw, str) and len(raw) == 2 and raw[0] in COLOURS and raw[1] in "123456":
        return COLOURS.index(raw[0]) * 6 + int(raw[1]) - 1
    raise BadOptions("option deal: draws: expected dice like 'R5'")


def _chance(raw: object) -> int:
    if isinstance(raw, str) and len(raw) == 1 and raw in "123456":
        return 35 + int(raw)
    if isinstance(raw, str) and len(raw) == 2 and raw[0] in COLOURS and raw[1] in "0123456":
        return COLOURS.index(raw[0]) * 7 + int(raw[1])
    raise BadOptions("option deal: chance: expected dice like 'G0' and values like '4'")
