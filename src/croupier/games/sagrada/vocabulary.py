"""Dice, cells, phases, actions, items of draws and options of the dice game.

A die is ``colour * 6 + value - 1`` with the colours in the order R, G, B, Y, P. A die from the bag whose
value has not been chosen (tool 11) is ``UNSET + colour`` and is spelt with value 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from croupier.core.contract import ActionTable
from croupier.core.options import Option, OptionTable, Value, number_of
from croupier.games.sagrada.deal import DealOption, Script, script_of
from croupier.games.sagrada.facts import Phase, Turn
from croupier.games.sagrada.material import COLOURS

KINDS: Final = 30
"""The kinds of dice: five colours, six values."""
EACH: Final = 18
"""The dice of each colour."""
UNSET: Final = 30
DICE: Final = [colour + value for colour in COLOURS for value in "123456"] + [c + "0" for c in COLOURS]
DIE_CODES: Final = {name: die for die, name in enumerate(DICE)}
CELL_NAMES: Final = [f"{row},{column}" for row in range(1, 5) for column in range(1, 6)]
ROUNDS: Final = 10
LIMIT: Final = 6
"""How many times tools may be activated in one turn."""

# The phases of a match. Those marked "Draw" wait for chance.
SEATING: Final = 0
"""Draw: the start seat."""
AIMING: Final = 1
"""Draw: the private objectives."""
DEALING: Final = 2
"""Draw: the window cards."""
TOOLING: Final = 3
"""Draw: the tool cards."""
PUBLISHING: Final = 4
"""Draw: the public objectives."""
CHOOSING: Final = 5
EXTRACTING: Final = 6
DRAWING: Final = 7
"""Draw: dice from the bag."""
ROLLING: Final = 8
"""Draw: their values."""
TURN: Final = 9
# The dialogues of a turn.
PAYING: Final = 10
"""Solo: which die pays for the tool?"""
PLACING: Final = 11
"""A die is picked: where to?"""
SWAPPING: Final = 12
"""Tool 5: for which die of the round track?"""
SLOTTING: Final = 13
"""Tool 5: in which round's slot?"""
MOVING: Final = 14
"""A die of the window is lifted: where to? Tool 4 lifts another first."""
FIRST_OF_TWO: Final = 15
"""Tool 4: where does the die go that was lifted first?"""
SECOND_OF_TWO: Final = 16
NAMING: Final = 17
"""Tool 11: which value?"""
HOLDING: Final = 18
"""A die is in hand: it is placed if it can be."""
REROLLING: Final = 19
"""Draw: the die in hand (tool 6)."""
REROLLING_ALL: Final = 20
"""Draw: the pool (tool 7)."""
BAGGING: Final = 21
"""Draw: a die for the one put into the bag (tool 11)."""
FORFEITING: Final = 22
"""Draw: the value of a die from the bag that nobody named."""
OVER: Final = 23

_SETUP: Final[list[Phase]] = ["setup"]
_EXTRACTING: Final[list[Phase]] = ["extracting"]
_TURN: Final[list[Phase]] = ["turn"]
PHASES: Final[list[Phase]] = [*_SETUP * 5, "choosing", *_EXTRACTING * 3, *_TURN * 14, "over"]
"""The phases as everyone may know them; the steps within a turn are not public."""

FIRST: Final = 0
SECOND: Final = 1
EXTRA: Final = 2
TURNS: Final[list[Turn]] = ["first", "second", "extra"]

ACTIONS: Final = ActionTable(
    [
        ("pass", []),
        ("extract", []),
        ("cancel", []),
        ("forfeit", []),
        ("reroll_all", []),
        ("tool", [str(tool) for tool in range(1, 13)]),
        ("value", list("123456")),
        ("slot", [str(slot) for slot in range(1, 11)]),
        ("window", [str(pattern) for pattern in range(1, 25)]),
        ("put", CELL_NAMES),
        ("lift", CELL_NAMES),
        ("draft", DICE[:KINDS]),
        ("raise", DICE[:KINDS]),
        ("lower", DICE[:KINDS]),
        ("swap", DICE[:KINDS]),
        ("for", DICE[:KINDS]),
        ("reroll", DICE[:KINDS]),
        ("flip", DICE[:KINDS]),
        ("bag", DICE[:KINDS]),
        ("pay", DICE[:KINDS]),
    ]
)
PASS: Final = 0
EXTRACT: Final = 1
CANCEL: Final = 2
FORFEIT: Final = 3
"""Return the die in hand although it could be placed: only the clock does this, never a player."""
REROLL_ALL: Final = 4
TOOL: Final = 5
VALUE: Final = 17
SLOT: Final = 23
WINDOW: Final = 33
PUT: Final = 57
LIFT: Final = 77
DRAFT: Final = 97
RAISE: Final = 127
LOWER: Final = 157
SWAP: Final = 187
FOR: Final = 217
REROLL: Final = 247
FLIP: Final = 277
BAG: Final = 307
PAY: Final = 337
END: Final = 367

# The items of draws, one range for each kind; values stand for themselves.
ITEM_COLOUR: Final = 10
ITEM_SEAT: Final = 20
ITEM_PRIVATE: Final = 30
ITEM_PUBLIC: Final = 40
ITEM_TOOL: Final = 60
ITEM_CARD: Final = 80
ITEMS: Final[dict[int, str]] = {
    **{value: str(value) for value in range(1, 7)},
    **{ITEM_COLOUR + colour: name for colour, name in enumerate(COLOURS)},
    **{ITEM_SEAT + seat: f"seat{seat}" for seat in range(4)},
    **{ITEM_PRIVATE + number: f"private{number}" for number in range(1, 6)},
    **{ITEM_PUBLIC + number: f"public{number}" for number in range(1, 11)},
    **{ITEM_TOOL + number: f"tool{number}" for number in range(1, 13)},
    **{ITEM_CARD + number: f"card{number}" for number in range(1, 13)},
}
ITEM_CODES: Final = {name: item for item, name in ITEMS.items()}

RULES_OPTIONS: Final = OptionTable(
    [
        Option("rounds", ROUNDS, "rounds of a match; fewer than 10 for tests only", low=1, high=ROUNDS),
        Option(
            "start",
            "random",
            "who starts the first round: drawn at random, or the seat, counted from 1",
            choices=["random", "1", "2", "3", "4"],
        ),
        Option("solo_tools", 3, "tool cards of the variant for one; fewer are harder", low=1, high=5),
        DealOption(
            "deal",
            "",
            "a fixed deal in place of chance, as JSON; empty for none",
            secret=True,
            technical=True,
        ),
    ]
)


class GlassRules:
    """The options of a match in the form that the rules use."""

    def __init__(self, options: Mapping[str, Value], seats: int) -> None:
        self.options: dict[str, Value] = {}
        """The options that everyone may know: all except the fixed deal."""
        for name, value in options.items():
            if name != "deal":
                self.options[name] = value
        self.seats = seats
        self.solo = seats == 1
        self.rounds = number_of(options, "rounds")
        self.tools = number_of(options, "solo_tools") if self.solo else 3
        self.script: Script | None = script_of(str(options["deal"]), seats, self.tools)
        start = options["start"]
        self.start = -1 if start == "random" else (int(str(start)) - 1) % seats
        """The start seat of the first round, -1 if it is drawn."""
        if self.script is not None and self.script.start >= 0:
            self.start = self.script.start
        if self.solo:
            self.start = 0
        self.publics = 2 if self.solo else 3
        self.privates = 2 if self.solo else 1
        self.dice = 4 if self.solo else 2 * seats + 1
        """How many dice are drawn for a round."""


TABLE_OPTIONS: Final = OptionTable(
    [
        Option("players_min", 2, "players the lobby waits for", low=2, high=4, technical=True),
        Option("players_max", 4, "players that start a game at once", low=2, high=4, technical=True),
        Option(
            "lobby_wait",
            60,
            "time from the second player's arrival to the start",
            high=600,
            unit="s",
            technical=True,
        ),
        Option(
            "schema_time",
            60,
            "time to choose a window, 0 for no limit",
            low=5,
            high=600,
            or_zero=True,
            unit="s",
        ),
        Option("extract_time", 10, "time for the start player to draw the dice", high=60, unit="s"),
        Option("turn_time", 60, "time for a turn, 0 for no limit", high=3600, unit="s"),
        Option("max_timeouts", 2, "late turns in a row that suspend a player", low=1, high=20),
        Option("abandon_wait", 60, "how long the last player waits for the others", high=3600, unit="s"),
        Option(
            "user_ttl",
            86400,
            "how long a name is kept after its last connection",
            high=31_536_000,
            unit="s",
            technical=True,
        ),
        Option(
            "idle_time",
            300,
            "idle time outside a game until the connection is closed",
            high=86400,
            unit="s",
            technical=True,
        ),
        Option(
            "per_address", 20, "connections from one address at a time", low=1, high=10_000, technical=True
        ),
        Option("solo", False, "the lobby starts the solo variant", technical=True),
        Option("turn_interval", 0, "pause before a turn ends, for people to see it", high=60_000, unit="ms"),
    ]
)


def names(dice: Iterable[int]) -> list[str]:
    """Return the names of *dice* in the order given."""
    return [DICE[die] for die in dice]
