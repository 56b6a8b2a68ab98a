"""The dice game in a terminal: events and questions in words, typed text as actions.

The names of tools and objectives are our own; their numbers are those of the data files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from croupier.core.cards import cards_of
from croupier.core.contract import WATCHER, Event, RulesError, View
from croupier.core.words import Texts
from croupier.games.sagrada.events import (
    HandChanged,
    MatchEnded,
    MatchStarted,
    Moved,
    ObjectiveDealt,
    ObjectivesShown,
    Placed,
    ToolUsed,
    TurnEnded,
    TurnStarted,
    WindowChosen,
    WindowsOffered,
    WindowsShown,
)
from croupier.games.sagrada.material import COLOUR_WORDS, PATTERNS, PRIVATE_COLOURS, TOOLS
from croupier.games.sagrada.objectives import public_points
from croupier.games.sagrada.placement import PLAIN
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    BAG,
    CANCEL,
    CELL_NAMES,
    CHOOSING,
    DICE,
    DIE_CODES,
    DRAFT,
    EXTRACT,
    EXTRACTING,
    FLIP,
    FOR,
    KINDS,
    LIFT,
    LOWER,
    PASS,
    PAY,
    PUT,
    RAISE,
    REROLL,
    REROLL_ALL,
    SEATING,
    SLOT,
    SWAP,
    TOOL,
    TURN,
    TURNS,
    UNSET,
    VALUE,
    WINDOW,
    names,
)

Players: TypeAlias = Sequence[str]

TEXTS: Final = Texts(__package__)

HELD: Final = "pool"
"""The title of what a player chooses from."""

LAST: Final = "round track"
"""The title of what `last` returns."""

_PAINT: Final = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "magenta"}
FACES: Final = {name: (name, _PAINT[name[0]]) for name in DICE}
"""Each die's text and colour in a terminal."""

TOOL_WORDS: Final = [
    "one up or down",
    "move past a colour",
    "move past a value",
    "move two",
    "swap with the track",
    "roll one again",
    "roll the pool again",
    "two turns at once",
    "place apart",
    "turn over",
    "from the bag",
    "move one colour",
]
PUBLIC_WORDS: Final = [
    "rows of five colours",
    "columns of four colours",
    "rows of five values",
    "columns of four values",
    "pairs of 1 and 2",
    "pairs of 3 and 4",
    "pairs of 5 and 6",
    "sets of all six values",
    "same colour at a corner",
    "sets of all five colours",
]

HELP: Final = """\
Dice are colour and value: R5 is a red five. Cells are row and column: 2 3 is the second row, third column.
  place R5 2 3      take a die from the pool, or the one in hand, and place it
  tool 4            get a tool ready; cancel puts it back
  place R5 2 3 +1   tool 1: raise the die, or -1 to lower it
  move 1 1 2 2      tools 2, 3, 12: move a die; tool 4 takes two moves in one line
  swap R5 B3 2      tool 5: R5 of the pool for B3 in the slot of round 2
  reroll R5, reroll all, flip R5, bag R5, value 4   tools 6, 7, 10, 11
  pay R5            solo: the die that pays for a tool
  pass              end your turn
A die goes to an empty cell that prints nothing or matches the die: the first to the border, every other next
to a die, at a side or corner. No two dice side by side may have the same colour or value."""

_SHORT: Final = {
    "p": "pass",
    "c": "cancel",
    "e": "extract",
    "t": "tool",
    "m": "move",
    "d": "place",
    "draft": "place",
    "put": "place",
}
_ONE_DIE: Final = {"flip": FLIP, "bag": BAG, "pay": PAY, "for": FOR, "reroll": REROLL}
_PLAIN: Final = {"pass": PASS, "cancel": CANCEL, "extract": EXTRACT}


# Events.


def describe(event: Event, players: Players) -> str:
    """Return *event* in words; "" if a later event says the same."""
    return _said(event, players, WATCHER)


def _said(event: Event, players: Players, me: int) -> str:
    words: dict[str, object] = {}
    match event:
        case MatchStarted():
            words = {"tools": ", ".join(f"{tool} {_tool(tool)}" for tool in event.tools)}
        case ObjectiveDealt():
            words = {"colours": _colours(event.privates)}
        case WindowsOffered():
            return f"{players[event.seat]}: window {_either(event.patterns)}"
        case WindowsShown():
            chosen = zip(players, event.patterns, event.tokens, strict=True)
            return "Windows: " + ", ".join(f"{name} {p} with {_tokens(t)}" for name, p, t in chosen)
        case ObjectivesShown():
            words = {"publics": ", ".join(f"{n} {PUBLIC_WORDS[n - 1]}" for n in event.publics)}
        case TurnStarted():
            return f"{players[event.seat]}'s {TURNS[event.turn]} turn"
        case ToolUsed():
            price = DICE[event.paid] if event.paid >= 0 else _tokens(event.cost)
            words = {"tool": _tool(event.tool), "price": price}
        case Placed():
            changed = event.taken not in (-1, event.die)
            return TEXTS.told({**event.plain(), "changed": changed}, players, me)
        case Moved():
            pairs = zip(event.sources, event.targets, strict=True)
            moves = [TEXTS("event.move", **{"from": CELL_NAMES[a], "to": CELL_NAMES[b]}) for a, b in pairs]
            words = {"moves": " and ".join(moves)}
        case HandChanged() if event.die >= UNSET:
            words = {"colour": COLOUR_WORDS[event.die - UNSET]}
        case MatchEnded():
            return _ended(event, players, me)
    return TEXTS.said(event, players, me, **words)


def _tool(tool: int) -> str:
    return TOOL_WORDS[tool - 1]


def _ended(event: MatchEnded, players: Players, me: int) -> str:
    if event.target >= 0:
        total = event.scores[0].total
        won = "won" if total > event.target else "lost"
        return f"{players[0]} {won}: {total} points against {event.target} on the track"
    places = ", ".join(f"{players[seat]} {event.scores[seat].total}" for seat in event.ranking)
    return TEXTS.said(event, players, me, scores=places)


def tell(event: Event, view: View, players: Players) -> str:
    """Return *event* in words for a player, without the steps they took themselves."""
    assert isinstance(view, GlassView)
    match event:
        case TurnStarted() | WindowChosen() | ObjectiveDealt() | WindowsOffered():
            return ""  # the table shows it
        case Placed() | TurnEnded() if event.seat == view.seat:
            return ""
    return _said(event, players, view.seat)


# The table.


def hand(view: View) -> list[list[tuple[str, bool]]]:
    """Return the pool, and the die in hand, each with whether it may be taken now."""
    assert isinstance(view, GlassView)
    takers = (DRAFT, RAISE, LOWER, SWAP, REROLL, FLIP, BAG, PAY)
    free = {a - verb for a in view.legal for verb in takers if verb <= a < verb + KINDS}
    rows = [[(DICE[die], die in free) for die in view.pool]]
    if view.hand >= 0:
        rows.append([(DICE[view.hand], True)])
    return [row for row in rows if row]


def table(view: View, players: Players) -> list[str]:
    """Return what everyone sees, and what this seat alone knows."""
    assert isinstance(view, GlassView)
    if view.phase == SEATING:
        return []
    if view.phase == CHOOSING:
        grids = [[str(n), *_grid(PATTERNS[n - 1].grid)] for n in view.offered]
        own = [f"You collect {_colours(view.privates)}"] if view.privates else []
        return [*own, *(_beside(grids) if grids else [])]
    grids = []
    for seat, window in enumerate(view.windows):
        cells = [
            DICE[die] if die >= 0 else symbol + " "
            for die, symbol in zip(window.dice(), window.pattern.grid, strict=True)
        ]
        rows = [" ".join(cells[5 * row : 5 * row + 5]) for row in range(4)]
        tokens = "" if view.seats == 1 else f" {_tokens(view.tokens[seat])}"
        grids.append([f"{players[seat][:9]}{tokens}", *rows])
    lines = _beside(grids)
    tools = [f"{tool} {TOOL_WORDS[tool - 1]} ({_price(view, tool)})" for tool in view.tools]
    lines.append("Tools: " + ", ".join(tools))
    lines.append("Objectives: " + ", ".join(f"{n} {PUBLIC_WORDS[n - 1]}" for n in view.publics))
    if view.privates:
        lines.append(f"You collect {_colours(view.privates)}")
    if view.track:
        lines.append("Track: " + last(view, players))
    return lines


def last(view: View, players: Players) -> str:
    """Return the round track."""
    assert isinstance(view, GlassView)
    slots = [f"{number}: {_row(slot) or '-'}" for number, slot in enumerate(view.track, 1)]
    return "   ".join(slots) or "The round track is empty"


def scores(view: View, players: Players) -> list[list[str]]:
    """Return the scores as a table, its head first; secret points are added at the end of the match."""
    assert isinstance(view, GlassView)
    publics = [f"{number} {PUBLIC_WORDS[number - 1]}" for number in view.publics]
    rows = [["player", *publics, "private", "tokens", "empty", "total"]]
    for seat, score in enumerate(view.scores):
        parts = [*score.publics, score.private, score.tokens, -score.fine * score.empty, score.total]
        rows.append([players[seat], *(str(part) for part in parts)])
    for seat, window in enumerate(view.windows if not view.scores else []):
        points = [str(public_points(number, window)) for number in view.publics]
        private = view.private_points() if seat == view.seat or view.seats == 1 else None
        secret = "?" if private is None else str(private)
        rows.append([players[seat], *points, secret, str(view.tokens[seat]), f"-{int(window.empty())}", "?"])
    return rows


# Questions and answers.


def question(view: View, players: Players) -> str:
    """Return what the view's seat is to decide."""
    assert isinstance(view, GlassView)
    if view.phase == CHOOSING:
        return f"Choose a window by its number: {_either(view.offered)}"
    if view.phase == EXTRACTING:
        return "Enter draws the dice of the round"
    assert view.phase == TURN
    if view.hand >= UNSET:
        return f"Which value for the {COLOUR_WORDS[view.hand - UNSET]} die? value 1 to 6"
    if view.hand >= 0:
        placeable = any(PUT <= action < LIFT for action in view.legal)
        if not placeable:
            return f"{DICE[view.hand]} has no cell: pass"
        return f"Place {DICE[view.hand]} by row and column: {_free_cells(view)}"
    if view.picks:
        return _next_step(view)
    if view.active:
        return f"Tool {view.active} is ready: {TOOLS[view.active - 1].effect}"
    return f"Your {TURNS[view.turn]} turn: {_turn_hint(view)}"


def _next_step(view: GlassView) -> str:
    pick = view.picks[-1]
    if TOOL <= pick < VALUE:
        return f"Which {COLOUR_WORDS[TOOLS[pick - TOOL].solo_colour]} die pays for it?"
    if any(SLOT <= action < SLOT + 10 for action in view.legal):
        return "From which round's slot?"
    if any(FOR <= action < REROLL for action in view.legal):
        return "For which die of the track?"
    if any(LIFT <= action < DRAFT for action in view.legal):
        return "Which other die?"
    return f"Where to? Row and column: {_free_cells(view)}"


def _turn_hint(view: GlassView) -> str:
    """Return what may be typed: a die with a cell that takes it, the tools, pass."""
    what: list[str] = []
    for die in view.pool:
        cells = cards_of(view.windows[view.seat].cells(die, PLAIN, 0))
        if DRAFT + die in view.legal and cells:
            what.append(f"place {DICE[die]} {CELL_NAMES[cells[0]].replace(',', ' ')} (for example)")
            break
    tools = [action - TOOL + 1 for action in view.legal if TOOL <= action < VALUE]
    what += [f"tool {_either(tools)}"] if tools else []
    return ", ".join([*what, "pass"])


def _free_cells(view: GlassView) -> str:
    return "  ".join(CELL_NAMES[action - PUT] for action in view.legal if PUT <= action < LIFT)


def read(view: View, text: str) -> tuple[int, ...]:
    """Return the actions that *text* stands for; RulesError if it stands for none."""
    assert isinstance(view, GlassView)
    words = text.replace(",", " ").replace("@", " ").split()
    if not words:
        raise RulesError("nothing: expected a command like place R5 2 3")
    verb = _SHORT.get(words[0].lower(), words[0].lower())
    rest = words[1:]
    if view.phase == CHOOSING:
        return (WINDOW - 1 + _number(rest[0] if verb == "window" and rest else words[0], 24, "a window"),)
    if view.phase == EXTRACTING and verb != "extract":
        raise RulesError(f"{text!r}: expected extract")
    if verb in _PLAIN and not rest:
        return (_PLAIN[verb],)
    if [verb, *rest] == ["reroll", "all"]:
        return (REROLL_ALL,)
    if verb in _ONE_DIE and len(rest) == 1:
        return (_ONE_DIE[verb] + _die(rest[0]),)
    if verb == "tool" and rest:
        return (TOOL - 1 + _number(rest[0], 12, "a tool"), *(PAY + _die(word) for word in rest[1:2]))
    if verb == "value" and len(rest) == 1:
        return (VALUE - 1 + _number(rest[0], 6, "a value"),)
    if verb == "slot" and len(rest) == 1:
        return (SLOT - 1 + _number(rest[0], 10, "a round"),)
    if verb == "place":
        return _place(view, rest)
    if verb == "move" and len(rest) in (4, 8):
        return _move(rest)
    if verb == "swap" and len(rest) in (2, 3):
        return _swap(view, rest)
    if len(words) == 2 and words[0].isdigit() and words[1].isdigit():
        return (PUT + _cell(words),)
    raise RulesError(f"{text!r}: expected a command like place R5 2 3")


def _place(view: GlassView, words: list[str]) -> tuple[int, ...]:
    change = words[3] if len(words) == 4 else ""
    if len(words) not in (3, 4) or (change and change not in ("+1", "-1", "+", "-")):
        raise RulesError("place: expected a die, a row, a column and perhaps +1 or -1")
    die = _die(words[0])
    cell = PUT + _cell(words[1:3])
    if view.hand >= 0:
        if die != view.hand:
            raise RulesError(f"place {words[0]}: another die is in hand")
        return (cell,)
    verb = DRAFT if not change else RAISE if change[0] == "+" else LOWER
    return (verb + die, cell)


def _move(words: list[str]) -> tuple[int, ...]:
    cells = [_cell(words[at : at + 2]) for at in range(0, len(words), 2)]
    lifts = [LIFT + cell for cell in cells[::2]]
    return (*lifts, *(PUT + cell for cell in cells[1::2]))


def _swap(view: GlassView, words: list[str]) -> tuple[int, ...]:
    given, wanted = _die(words[0]), _die(words[1])
    if len(words) == 3:
        slot = _number(words[2], 10, "a round") - 1
    else:
        slot = next((at for at, dice in enumerate(view.track) if wanted in dice), 0)
    return (SWAP + given, FOR + wanted, SLOT + slot)


def _number(word: str, high: int, what: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 2 or not 1 <= int(word) <= high:
        raise RulesError(f"{word!r}: expected {what} from 1 to {high}")
    return int(word)


def _die(word: str) -> int:
    die = DIE_CODES.get(word.upper(), KINDS)
    if die >= KINDS:
        raise RulesError(f"{word!r}: expected a die like R5")
    return die


def _cell(words: list[str]) -> int:
    return 5 * (_number(words[0], 4, "a row") - 1) + _number(words[1], 5, "a column") - 1


# Helpers.


def _price(view: GlassView, tool: int) -> str:
    if view.seats > 1:
        return f"costs {view.cost(tool)}"
    return "gone" if tool in view.used_tools else f"paid with {COLOUR_WORDS[TOOLS[tool - 1].solo_colour]}"


def _colours(privates: Sequence[int]) -> str:
    return " or ".join(COLOUR_WORDS[PRIVATE_COLOURS[number - 1]] for number in privates)


def _either(numbers: Sequence[int]) -> str:
    *others, final = [str(number) for number in numbers]
    return f"{', '.join(others)} or {final}" if others else final


def _tokens(many: int) -> str:
    return "1 token" if many == 1 else f"{many} tokens"


def _row(dice: Sequence[int]) -> str:
    return " ".join(names(dice))


def _grid(grid: str) -> list[str]:
    return [" ".join(grid[5 * row : 5 * row + 5]) for row in range(4)]


def _beside(blocks: list[list[str]]) -> list[str]:
    """Return *blocks* of lines side by side."""
    widths = [max(len(line) for line in block) for block in blocks]
    return [
        "   ".join(block[row].ljust(width) for block, width in zip(blocks, widths, strict=True)).rstrip()
        for row in range(len(blocks[0]))
    ]
