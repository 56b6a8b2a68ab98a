"""Refusals of illegal actions: the first broken rule, with a key for wires and words for people.

README.md lists the keys and the replies of the published protocol. The order follows the protocol's
section 7.3: first whether the command is possible at all, then the die or the cell it names, then the
placement rules.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction
from croupier.games.sagrada import tools
from croupier.games.sagrada.material import COLOUR_WORDS, TOOLS
from croupier.games.sagrada.placement import ANY_COLOUR, ANY_VALUE, APART, PLAIN, Window, broken_rule
from croupier.games.sagrada.position import GlassPosition
from croupier.games.sagrada.vocabulary import (
    ACTIONS,
    BAG,
    CANCEL,
    CHOOSING,
    DICE,
    DRAFT,
    EXTRACT,
    EXTRACTING,
    FIRST_OF_TWO,
    FLIP,
    FOR,
    FORFEIT,
    HOLDING,
    LIFT,
    LIMIT,
    LOWER,
    MOVING,
    NAMING,
    OVER,
    PASS,
    PAY,
    PAYING,
    PHASES,
    PLACING,
    PUT,
    RAISE,
    REROLL,
    REROLL_ALL,
    SECOND_OF_TWO,
    SLOT,
    SLOTTING,
    SWAP,
    SWAPPING,
    TOOL,
    TURN,
    VALUE,
    WINDOW,
)

PLACEMENT: Final = {
    "P1": ("occupied", "there is already a die on that cell"),
    "P2": ("printed", "the cell takes only another colour or value"),
    "P3": ("not_on_border", "the first die goes to the border"),
    "P4": ("not_adjacent", "there is no die around that cell"),
    "P5": ("equal_neighbour", "a die beside it has the same colour or value"),
    "P9": ("touches", "with this tool there may be no die around the cell"),
}
CONDITIONS: Final = {
    "tool_not_there": "it is not on the table",
    "tool_active": "another tool is active, cancel it first",
    "tool_used": "only one tool per turn",
    "extra_turn": "no tools in an extra turn",
    "wrong_turn": "only in the other turn of the round",
    "drafted_before": "only before a die is placed",
    "too_few_dice": "the window has too few dice for it",
    "empty_track": "the round track is empty",
    "colour_not_on_track": "no die of the window has a colour of the round track",
    "too_many_activations": f"at most {LIMIT} activations per turn",
    "not_enough_tokens": "it cannot be paid",
}
TOOL_VERBS: Final = {
    RAISE: 1,
    LOWER: 1,
    SWAP: 5,
    FOR: 5,
    SLOT: 5,
    REROLL: 6,
    REROLL_ALL: 7,
    FLIP: 10,
    BAG: 11,
}
VERBS: Final = [
    PASS,
    EXTRACT,
    CANCEL,
    FORFEIT,
    REROLL_ALL,
    TOOL,
    VALUE,
    SLOT,
    WINDOW,
    PUT,
    LIFT,
    DRAFT,
    RAISE,
    LOWER,
    SWAP,
    FOR,
    REROLL,
    FLIP,
    BAG,
    PAY,
]


def why_not(shop: GlassPosition, seat: int, action: int) -> IllegalAction:
    """Return the refusal of an action that is not legal for *seat* now."""
    if not 0 <= action < len(ACTIONS):
        return IllegalAction("unknown_action", f"action {action}: expected 0…{len(ACTIONS) - 1}")
    name = ACTIONS.name(action)
    if shop.phase == OVER:
        return IllegalAction("match_over", f"{name}: the match is over")
    verb = max([start for start in VERBS if start <= action])
    if verb == WINDOW:
        return _why_not_window(shop, seat, action - WINDOW + 1, name)
    if verb == EXTRACT and shop.phase != EXTRACTING:
        return IllegalAction("wrong_phase", f"{name}: the dice of the round are drawn at its start")
    if verb != EXTRACT and shop.phase < TURN:
        return IllegalAction("wrong_phase", f"{name}: the match is {PHASES[int(shop.phase)]}")
    if shop.waiting == 0:
        return IllegalAction("wrong_phase", f"{name}: chance is due")
    if seat != shop.seat:
        return IllegalAction("not_your_turn", f"{name}: it is another seat's turn")
    key, words = _why_not_turn(shop, verb, action - verb)
    return IllegalAction(key, f"{name}: {words}")


def _why_not_window(shop: GlassPosition, seat: int, pattern: int, name: str) -> IllegalAction:
    if shop.phase != CHOOSING:
        return IllegalAction("wrong_phase", f"{name}: windows are not being chosen")
    if not 0 <= seat < shop.rules.seats:
        return IllegalAction("not_your_turn", f"{name}: seat {seat} does not play")
    if not shop.waiting & bit(seat):
        return IllegalAction("already_chosen", f"{name}: you have chosen {shop.chosen[seat]}")
    offered = ", ".join([str(number) for number in shop.offers[seat]])
    return IllegalAction("not_offered", f"{name}: expected one of {offered}")


def _why_not_turn(shop: GlassPosition, verb: int, item: int) -> tuple[str, str]:
    """Return key and words for a verb of the seat whose turn it is."""
    if verb == PASS:
        return _why_not_pass(shop)
    if verb == CANCEL:
        return "nothing_to_cancel", "nothing can be taken back"
    if verb == FORFEIT:
        return "nothing_to_forfeit", "there is no die in hand to give up"
    if verb == VALUE:
        return _why_not_value(shop)
    if verb == PUT:
        return _why_not_put(shop, item)
    if verb == PAY:
        return _why_not_pay(shop, item)
    if verb == TOOL:
        return _why_not_tool(shop, item + 1)
    if verb == LIFT:
        return _why_not_lift(shop, item)
    if verb == DRAFT:
        return _why_not_draft(shop, item)
    return _why_not_step(shop, verb, item)


def _why_not_pass(shop: GlassPosition) -> tuple[str, str]:
    if shop.phase == HOLDING:
        return "must_place", f"{DICE[int(shop.hand)]} is in hand and has a cell"
    if shop.phase == NAMING:
        return "must_name", f"choose a value for {DICE[int(shop.hand)]} first"
    return "finish_first", "put down or take back what is picked first"


def _why_not_value(shop: GlassPosition) -> tuple[str, str]:
    if shop.phase != NAMING:
        return "nothing_to_name", "no die waits for a value"
    return "no_cell", "no cell takes that value, but one takes another value"


def _why_not_tool(shop: GlassPosition, tool: int) -> tuple[str, str]:
    key = tools.objection(shop, tool)
    if key == "not_enough_tokens" and shop.rules.solo:
        return key, f"no {COLOUR_WORDS[TOOLS[tool - 1].solo_colour]} die in the pool pays for it"
    if key:
        return key, CONDITIONS[key]
    return "finish_first", "put down or take back what is picked first"


def _why_not_pay(shop: GlassPosition, die: int) -> tuple[str, str]:
    if shop.phase != PAYING:
        return "nothing_to_pay", "no tool waits to be paid"
    colour = int(shop.solo_colour(shop.active))
    if die // 6 != colour:
        return "not_enough_tokens", f"expected a {COLOUR_WORDS[colour]} die"
    return "not_enough_tokens", "it is not in the pool"


def _busy(shop: GlassPosition) -> bool:
    """Return True if an unfinished dialogue needs another action first."""
    return shop.phase != TURN


def _why_not_draft(shop: GlassPosition, die: int) -> tuple[str, str]:
    if shop.drafted:
        return "already_drafted", "only one die per turn"
    if shop.phase == HOLDING:
        return "die_in_hand", f"{DICE[int(shop.hand)]} is in hand, no other die can be taken"
    if _busy(shop):
        return "finish_first", "put down or take back what is picked first"
    if shop.active == 1:
        return "change_first", "with this tool the die has to be raised or lowered"
    if shop.active in (5, 6, 7, 10, 11):
        return "tool_first", "use the active tool first"
    if not shop.free_kinds() & bit(die):
        return "not_in_pool", "it is not in the pool"
    return "no_cell", "it has no cell in your window"


def _why_not_step(shop: GlassPosition, verb: int, item: int) -> tuple[str, str]:
    """Return key and words for a verb that belongs to one tool."""
    if shop.active != TOOL_VERBS[verb]:
        return "tool_not_active", f"tool {TOOL_VERBS[verb]} is not active"
    if verb == FOR:
        return _why_not_for(shop, item)
    if verb == SLOT:
        if shop.phase != SLOTTING:
            return "finish_first", "choose the dice to swap first"
        return "not_on_track", f"{DICE[int(shop.becomes)]} is not in that slot"
    if _busy(shop):
        return "finish_first", "put down or take back what is picked first"
    if not shop.free_kinds() & bit(item):
        return "not_in_pool", "it is not in the pool"
    if verb == RAISE and item % 6 == 5:
        return "value_limit", "a 6 cannot be raised"
    if verb == LOWER and item % 6 == 0:
        return "value_limit", "a 1 cannot be lowered"
    if verb == SWAP:
        return "no_cell", "no die of the round track has a cell in your window"
    return "no_cell", "the changed die has no cell in your window"


def _why_not_for(shop: GlassPosition, die: int) -> tuple[str, str]:
    if shop.phase != SWAPPING:
        return "finish_first", "choose the pool die to swap first"
    if not shop.track_kinds() & bit(die):
        return "not_on_track", "it is not on the round track"
    return "no_cell", "it has no cell in your window"


def _why_not_lift(shop: GlassPosition, cell: int) -> tuple[str, str]:
    if shop.active not in (2, 3, 4, 12):
        return "tool_not_active", "no tool that moves dice is active"
    if shop.phase != TURN and not (shop.active == 4 and shop.phase == MOVING):
        return "finish_first", "put down or take back what is picked first"
    window = shop.window()
    if not window.filled & bit(cell):
        return "empty_cell", "there is no die on that cell"
    if shop.active == 4:
        return "empty_cell", "that die is already lifted"
    if shop.active == 12:
        if shop.moved & bit(cell):
            return "moved_before", "that die has just been moved"
        if not tools.movable_colours(shop) & bit(cell):
            return "wrong_colour", "its colour is not on the round track"
        if shop.moved and not _same_colour(shop, window, cell):
            return "wrong_colour", "the second die must have the colour of the first"
    return "no_target", "no other cell takes it"


def _same_colour(shop: GlassPosition, window: Window, cell: int) -> bool:
    moved: i64 = 0
    while not shop.moved & bit(moved):
        moved += 1
    return window.die(cell) // 6 == window.die(moved) // 6


def _why_not_put(shop: GlassPosition, cell: int) -> tuple[str, str]:
    phase = shop.phase
    window = shop.window()
    if phase == PLACING:
        rule: i64 = APART if shop.active == 9 else PLAIN
        return PLACEMENT[broken_rule(window, shop.becomes, cell, rule, 0)]
    if phase == HOLDING:
        return PLACEMENT[broken_rule(window, shop.hand, cell, PLAIN, 0)]
    if phase == MOVING and shop.active != 4:
        rule = ANY_COLOUR if shop.active == 2 else ANY_VALUE if shop.active == 3 else PLAIN
        return _why_not_move(window, window.die(shop.source), shop.source, cell, rule, bit(shop.source))
    if phase == FIRST_OF_TWO:
        lifted = bit(shop.source) | bit(shop.source2)
        return _why_not_move(window, window.die(shop.source), shop.source, cell, PLAIN, lifted)
    if phase == SECOND_OF_TWO:
        board = window.clone()
        first = board.lift(shop.source)
        second = board.lift(shop.source2)
        board.put(shop.target, first)
        return _why_not_move(board, second, shop.source2, cell, PLAIN, 0)
    return "nothing_to_put", "no die is picked, lifted or in hand"


def _why_not_move(
    window: Window, die: i64, source: i64, cell: i64, rule: i64, lifted: i64
) -> tuple[str, str]:
    if cell == source:
        return "same_cell", "a die has to move to another cell"
    broken = broken_rule(window, die, cell, rule, lifted)
    if broken:
        return PLACEMENT[broken]
    return "no_second_target", "no cell would be left for the other die"
