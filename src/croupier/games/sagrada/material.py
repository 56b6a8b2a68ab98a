"""The printed material, read from the data files in this folder: patterns, tools, objectives."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit

COLOURS: Final = "RGBYP"
COLOUR_WORDS: Final = ["red", "green", "blue", "yellow", "purple"]
COLUMNS: Final = 5
CELLS: Final = 20

FULL: Final[i64] = 0xFFFFF
"""All cells of a window; cell ``row * 5 + column`` is bit ``row * 5 + column``."""


class Pattern:
    """A window's printed side: the demands of each cell.

    Sets of cells are packed three to a word, as in `placement.Window`.
    """

    def __init__(self, number: int, card: int, tokens: int, grid: str) -> None:
        self.number = number
        self.card = card
        self.tokens = tokens
        self.grid = grid
        """Twenty symbols, row by row: a colour, a value, or ``.`` for a free cell."""
        self.low_colours: i64 = 0
        self.high_colours: i64 = 0
        """The cells that take each colour, regardless of the value they demand."""
        self.low_values: i64 = 0
        self.high_values: i64 = 0
        for cell in range(CELLS):
            symbol = grid[cell]
            for colour in range(5):
                if symbol not in COLOURS or symbol == COLOURS[colour]:
                    if colour < 3:
                        self.low_colours |= bit(20 * colour + cell)
                    else:
                        self.high_colours |= bit(20 * (colour - 3) + cell)
            for value in range(6):
                if symbol not in "123456" or symbol == str(value + 1):
                    if value < 3:
                        self.low_values |= bit(20 * value + cell)
                    else:
                        self.high_values |= bit(20 * (value - 3) + cell)


class Tool:
    """A tool card: when it may be used and, in the solo variant, the colour that pays for it."""

    def __init__(
        self, number: int, solo_colour: int, turn: int, before: bool, dice: int, track: bool, effect: str
    ) -> None:
        self.number = number
        self.solo_colour = solo_colour
        self.turn = turn
        """The turn of a round in which it may be used: 0 the first, 1 the second, -1 any."""
        self.before = before
        """Only before the die of the turn is placed."""
        self.dice = dice
        """How many dice the window must hold."""
        self.track = track
        """The round track must hold a die."""
        self.effect = effect


class Objective:
    """A public objective: *points* for every line, set or die that fulfils it."""

    def __init__(
        self, number: int, points: int, kind: str, rows: bool, colours: bool, members: list[int], rule: str
    ) -> None:
        self.number = number
        self.points = points
        self.kind = kind
        """``line``, ``set`` or ``diagonal``."""
        self.rows = rows
        self.colours = colours
        self.members = members
        """The members of a set: colours, or values counted from 0."""
        self.rule = rule


def _read(name: str) -> dict[str, list[dict[str, object]]]:
    text = files("croupier.games.sagrada").joinpath(name).read_text(encoding="utf-8")
    data: dict[str, list[dict[str, object]]] = json.loads(text)
    return data


def _number(item: dict[str, object], key: str) -> int:
    value = item[key]
    assert isinstance(value, int), key
    return value


def _text(item: dict[str, object], key: str) -> str:
    value = item.get(key, "")
    assert isinstance(value, str), key
    return value


def _list(item: dict[str, object], key: str) -> list[object]:
    value = item.get(key, [])
    assert isinstance(value, list), key
    return value


def read_patterns() -> list[Pattern]:
    """Return the 24 patterns in the order of their numbers."""
    return [
        Pattern(
            _number(item, "id"),
            _number(item, "card"),
            _number(item, "tokens"),
            "".join([str(row) for row in _list(item, "grid")]),
        )
        for item in _read("patterns.json")["patterns"]
    ]


def read_tools() -> list[Tool]:
    """Return the 12 tool cards in the order of their numbers."""
    tools: list[Tool] = []
    for item in _read("tools.json")["tools"]:
        needs = " ".join([str(need) for need in _list(item, "needs")])
        dice = 2 if "at least 2 dice" in needs else 1 if "window holds" in needs else 0
        tools.append(
            Tool(
                _number(item, "id"),
                COLOURS.index(_text(item, "solo_color")),
                ["first", "second"].index(_text(item, "turn")) if item["turn"] != "any" else -1,
                item["draft"] == "before",
                dice,
                "round track" in needs,
                _text(item, "effect"),
            )
        )
    return tools


def read_objectives() -> list[Objective]:
    """Return the 10 public objectives in the order of their numbers."""
    found: list[Objective] = []
    for item in _read("objectives.json")["public"]:
        colours = item["feature"] == "color"
        members = [
            COLOURS.index(member) if isinstance(member, str) else int(str(member)) - 1
            for member in _list(item, "members")
        ]
        found.append(
            Objective(
                _number(item, "id"),
                _number(item, "points"),
                _text(item, "kind"),
                item.get("line") == "row",
                colours,
                members,
                _text(item, "rule"),
            )
        )
    return found


def read_private_colours() -> list[int]:
    """Return the colour of each of the 5 private objectives, in the order of their numbers."""
    return [COLOURS.index(_text(item, "color")) for item in _read("objectives.json")["private"]]


PATTERNS: Final = read_patterns()
TOOLS: Final = read_tools()
PUBLIC_OBJECTIVES: Final = read_objectives()
PRIVATE_COLOURS: Final = read_private_colours()


FACES: Final = [
    [pattern.number for pattern in PATTERNS if pattern.card == card]
    for card in range(1, len(PATTERNS) // 2 + 1)
]


def faces_of(card: int) -> list[int]:
    """Return the numbers of the two patterns on window card *card*."""
    return FACES[card - 1]
