"""What somebody typed in a terminal, as the actions it stands for."""

from __future__ import annotations

from croupier.core.contract import RulesError, View
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    BAG,
    CANCEL,
    CHOOSING,
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
    SLOT,
    SWAP,
    TOOL,
    VALUE,
    WINDOW,
)

_SHORT = {
    "p": "pass",
    "c": "cancel",
    "e": "extract",
    "t": "tool",
    "m": "move",
    "d": "place",
    "draft": "place",
    "put": "place",
}
_ONE_DIE = {"flip": FLIP, "bag": BAG, "pay": PAY, "for": FOR, "reroll": REROLL}
_PLAIN = {"pass": PASS, "cancel": CANCEL, "extract": EXTRACT}


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
