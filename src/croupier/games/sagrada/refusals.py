"""Refusals of illegal actions: the first broken rule.

README.md lists the keys and the replies of the published protocol. The order follows the protocol's
section 7.3: first whether the command is possible at all, then the die or the cell it names, then the
placement rules.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction, Refusals
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

REFUSALS: Final = Refusals(
    ACTIONS,
    {
        "wrong_phase.extracting": "the dice of the round are drawn at its start",
        "wrong_phase.chance": "chance is due",
        "wrong_phase.choosing": "windows are not being chosen",
        "already_chosen": "you have chosen {window}",
        "not_offered": "expected one of {offered}",
        # turns
        "nothing_to_cancel": "nothing can be taken back",
        "nothing_to_forfeit": "there is no die in hand to give up",
        "nothing_to_name": "no die waits for a value",
        "must_place": "{die} is in hand and has a cell",
        "must_name": "choose a value for {die} first",
        "finish_first": "put down or take back what is picked first",
        "finish_first.swap": "choose the dice to swap first",
        "finish_first.swap_pool": "choose the pool die to swap first",
        "already_drafted": "only one die per turn",
        "die_in_hand": "{die} is in hand, no other die can be taken",
        "change_first": "with this tool the die has to be raised or lowered",
        "tool_first": "use the active tool first",
        "not_in_pool": "it is not in the pool",
        "no_cell": "it has no cell in your window",
        "no_cell.value": "no cell takes that value, but one takes another value",
        "no_cell.track": "no die of the round track has a cell in your window",
        "no_cell.changed": "the changed die has no cell in your window",
        # steps of tools
        "tool_not_active": "tool {tool} is not active",
        "tool_not_active.moving": "no tool that moves dice is active",
        "not_on_track": "it is not on the round track",
        "not_on_track.slot": "{die} is not in that slot",
        "value_limit.raise": "a 6 cannot be raised",
        "value_limit.lower": "a 1 cannot be lowered",
        "empty_cell": "there is no die on that cell",
        "empty_cell.lifted": "that die is already lifted",
        "moved_before": "that die has just been moved",
        "wrong_colour": "its colour is not on the round track",
        "wrong_colour.second": "the second die must have the colour of the first",
        "no_target": "no other cell takes it",
        "nothing_to_put": "no die is picked, lifted or in hand",
        "same_cell": "a die has to move to another cell",
        "no_second_target": "no cell would be left for the other die",
        # placement
        "occupied": "there is already a die on that cell",
        "printed": "the cell takes only another colour or value",
        "not_on_border": "the first die goes to the border",
        "not_adjacent": "there is no die around that cell",
        "equal_neighbour": "a die beside it has the same colour or value",
        "touches": "with this tool there may be no die around the cell",
        # conditions of tools
        "tool_not_there": "it is not on the table",
        "tool_active": "another tool is active, cancel it first",
        "tool_used": "only one tool per turn",
        "extra_turn": "no tools in an extra turn",
        "wrong_turn": "only in the other turn of the round",
        "drafted_before": "only before a die is placed",
        "too_few_dice": "the window has too few dice for it",
        "empty_track": "the round track is empty",
        "colour_not_on_track": "no die of the window has a colour of the round track",
        "too_many_activations": "at most {limit} activations per turn",
        "not_enough_tokens": "it cannot be paid",
        "not_enough_tokens.pool": "no {colour} die in the pool pays for it",
        "not_enough_tokens.colour": "expected a {colour} die",
        "not_enough_tokens.die": "it is not in the pool",
        "nothing_to_pay": "no tool waits to be paid",
    },
)
PLACEMENT: Final = {
    "P1": "occupied",
    "P2": "printed",
    "P3": "not_on_border",
    "P4": "not_adjacent",
    "P5": "equal_neighbour",
    "P9": "touches",
}
"""The reason for each rule of placement."""
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
        return REFUSALS.unknown(action)
    if shop.phase == OVER:
        return REFUSALS.of("match_over", action)
    verb = max([start for start in VERBS if start <= action])
    if verb == WINDOW:
        return _no_window(shop, seat, action)
    if verb == EXTRACT and shop.phase != EXTRACTING:
        return REFUSALS.of("wrong_phase.extracting", action)
    if verb != EXTRACT and shop.phase < TURN:
        return REFUSALS.of("wrong_phase", action, {"phase": PHASES[int(shop.phase)]})
    if shop.waiting == 0:
        return REFUSALS.of("wrong_phase.chance", action)
    if seat != shop.seat:
        return REFUSALS.of("not_your_turn", action)
    return REFUSALS.of(_reason(shop, verb, action - verb), action, _arguments(shop, verb, action - verb))


def _no_window(shop: GlassPosition, seat: int, action: int) -> IllegalAction:
    if shop.phase != CHOOSING:
        return REFUSALS.of("wrong_phase.choosing", action)
    if not 0 <= seat < shop.rules.seats:
        return REFUSALS.of("not_your_turn.no_player", action, {"seat": seat})
    if not shop.waiting & bit(seat):
        return REFUSALS.of("already_chosen", action, {"window": shop.chosen[seat]})
    offered = ", ".join([str(number) for number in shop.offers[seat]])
    return REFUSALS.of("not_offered", action, {"offered": offered})


def _arguments(shop: GlassPosition, verb: int, item: int) -> dict[str, str | int]:
    """Return what the words of a refused action may mention."""
    given: dict[str, str | int] = {"limit": LIMIT}
    die = shop.becomes if verb == SLOT else shop.hand
    if die >= 0:
        given["die"] = DICE[int(die)]
    if verb in TOOL_VERBS:
        given["tool"] = TOOL_VERBS[verb]
    if verb == TOOL and shop.rules.solo:
        given["colour"] = COLOUR_WORDS[TOOLS[item].solo_colour]
    if verb == PAY and shop.phase == PAYING:
        given["colour"] = COLOUR_WORDS[int(shop.solo_colour(shop.active))]
    return given


def _reason(shop: GlassPosition, verb: int, item: int) -> str:
    """Return why the seat whose turn it is may not do this."""
    if verb == PASS:
        return _why_not_pass(shop)
    if verb == CANCEL:
        return "nothing_to_cancel"
    if verb == FORFEIT:
        return "nothing_to_forfeit"
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


def _why_not_pass(shop: GlassPosition) -> str:
    if shop.phase == HOLDING:
        return "must_place"
    if shop.phase == NAMING:
        return "must_name"
    return "finish_first"


def _why_not_value(shop: GlassPosition) -> str:
    if shop.phase != NAMING:
        return "nothing_to_name"
    return "no_cell.value"


def _why_not_tool(shop: GlassPosition, tool: int) -> str:
    key = tools.objection(shop, tool)
    if key == "not_enough_tokens" and shop.rules.solo:
        return "not_enough_tokens.pool"
    return key or "finish_first"


def _why_not_pay(shop: GlassPosition, die: int) -> str:
    if shop.phase != PAYING:
        return "nothing_to_pay"
    return (
        "not_enough_tokens.die" if die // 6 == shop.solo_colour(shop.active) else "not_enough_tokens.colour"
    )


def _busy(shop: GlassPosition) -> bool:
    """Return True if an unfinished dialogue needs another action first."""
    return shop.phase != TURN


def _why_not_draft(shop: GlassPosition, die: int) -> str:
    if shop.drafted:
        return "already_drafted"
    if shop.phase == HOLDING:
        return "die_in_hand"
    if _busy(shop):
        return "finish_first"
    if shop.active == 1:
        return "change_first"
    if shop.active in (5, 6, 7, 10, 11):
        return "tool_first"
    if not shop.free_kinds() & bit(die):
        return "not_in_pool"
    return "no_cell"


def _why_not_step(shop: GlassPosition, verb: int, item: int) -> str:
    """Return the reason for a verb that belongs to one tool."""
    if shop.active != TOOL_VERBS[verb]:
        return "tool_not_active"
    if verb == FOR:
        return _why_not_for(shop, item)
    if verb == SLOT:
        if shop.phase != SLOTTING:
            return "finish_first.swap"
        return "not_on_track.slot"
    if _busy(shop):
        return "finish_first"
    if not shop.free_kinds() & bit(item):
        return "not_in_pool"
    if verb == RAISE and item % 6 == 5:
        return "value_limit.raise"
    if verb == LOWER and item % 6 == 0:
        return "value_limit.lower"
    if verb == SWAP:
        return "no_cell.track"
    return "no_cell.changed"


def _why_not_for(shop: GlassPosition, die: int) -> str:
    if shop.phase != SWAPPING:
        return "finish_first.swap_pool"
    if not shop.track_kinds() & bit(die):
        return "not_on_track"
    return "no_cell"


def _why_not_lift(shop: GlassPosition, cell: int) -> str:
    if shop.active not in (2, 3, 4, 12):
        return "tool_not_active.moving"
    if shop.phase != TURN and not (shop.active == 4 and shop.phase == MOVING):
        return "finish_first"
    window = shop.window()
    if not window.filled & bit(cell):
        return "empty_cell"
    if shop.active == 4:
        return "empty_cell.lifted"
    if shop.active == 12:
        if shop.moved & bit(cell):
            return "moved_before"
        if not tools.movable_colours(shop) & bit(cell):
            return "wrong_colour"
        if shop.moved and not _same_colour(shop, window, cell):
            return "wrong_colour.second"
    return "no_target"


def _same_colour(shop: GlassPosition, window: Window, cell: int) -> bool:
    moved: i64 = 0
    while not shop.moved & bit(moved):
        moved += 1
    return window.die(cell) // 6 == window.die(moved) // 6


def _why_not_put(shop: GlassPosition, cell: int) -> str:
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
    return "nothing_to_put"


def _why_not_move(window: Window, die: i64, source: i64, cell: i64, rule: i64, lifted: i64) -> str:
    if cell == source:
        return "same_cell"
    broken = broken_rule(window, die, cell, rule, lifted)
    if broken:
        return PLACEMENT[broken]
    return "no_second_target"
