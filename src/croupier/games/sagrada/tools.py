"""The twelve tool cards, each with a function that computes its legal actions (R7).

A tool's dialogue consists of phases. Its function is called in the phase TURN while the tool is active and
has not taken effect, and in the phases of its dialogue; the second half of this module applies the steps.
Activating a tool and picking dice for it can be taken back: nothing moves before the effect, so cancelling
drops the picks or puts the tool back, and needs no copy of the table.

| tool | dialogue |
|---|---|
| 1 | raise or lower a die, put |
| 2, 3 | lift, put |
| 4 | lift, lift, put, put |
| 5 | swap a die, for one of the track, slot; put |
| 6 | reroll a die, chance; put |
| 7 | reroll_all, chance; an ordinary draft |
| 8 | takes effect by passing |
| 9 | draft, put apart from the others |
| 10 | flip a die; put |
| 11 | bag a die, chance, value; put |
| 12 | lift, put, and perhaps lift, put |
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, count
from croupier.games.sagrada.events import Bagged, HandChanged, Swapped
from croupier.games.sagrada.facts import How
from croupier.games.sagrada.material import TOOLS
from croupier.games.sagrada.placement import ANY_COLOUR, ANY_VALUE, APART, PLAIN
from croupier.games.sagrada.position import NOTHING, GlassPosition, exchanged, kinds
from croupier.games.sagrada.vocabulary import (
    BAG,
    BAGGING,
    DRAFT,
    EXTRA,
    FIRST_OF_TWO,
    FLIP,
    FOR,
    HOLDING,
    LIFT,
    LIMIT,
    LOWER,
    MOVING,
    NAMING,
    PAYING,
    PLACING,
    PUT,
    RAISE,
    REROLL,
    REROLL_ALL,
    REROLLING,
    REROLLING_ALL,
    SECOND_OF_TWO,
    SLOT,
    SLOTTING,
    SWAP,
    SWAPPING,
    TOOL,
    TURN,
    UNSET,
)

SIX_VALUES: Final[i64] = 0x3F


# Conditions for activating a tool (R6.1).


def objection(shop: GlassPosition, tool: i64) -> str:
    """Return the key of the first condition that prevents the activation of *tool*; "" if none does.

    The cost is checked last: the protocol has a separate reply for it.
    """
    if int(tool) not in shop.tools or (shop.rules.solo and shop.spent & bit(tool)):
        return "tool_not_there"
    if shop.active and shop.used == 0:
        return "tool_active"
    if shop.used:
        return "tool_used"
    if shop.turn == EXTRA:
        return "extra_turn"
    card = TOOLS[int(tool) - 1]
    if card.turn >= 0 and card.turn != shop.turn:
        return "wrong_turn"
    if card.before and shop.drafted:
        return "drafted_before"
    if count(shop.window().filled) < card.dice:
        return "too_few_dice"
    if card.track and shop.track_kinds() == 0:
        return "empty_track"
    if tool == 12 and not movable_colours(shop):
        return "colour_not_on_track"
    if shop.activations >= LIMIT:
        return "too_many_activations"
    if shop.rules.solo:
        return "" if paying_dice(shop, tool) else "not_enough_tokens"
    return "" if shop.tokens_of(shop.seat) >= shop.cost(tool) else "not_enough_tokens"


def paying_dice(shop: GlassPosition, tool: i64) -> i64:
    """Return the kinds of dice in the pool that can pay for *tool* in the solo variant."""
    return kinds(shop.pool) & SIX_VALUES << 6 * shop.solo_colour(tool)


def movable_colours(shop: GlassPosition) -> i64:
    """Return the cells with dice of a colour that is on the round track (tool 12)."""
    on_track = shop.track_kinds()
    window = shop.window()
    cells: i64 = 0
    colour: i64 = 0
    while colour < 5:
        if on_track >> 6 * colour & SIX_VALUES:
            cells |= window.colour(colour)
        colour += 1
    return cells


# Legal actions with an active tool; *simple* are pass and cancel if they are legal.


def offer_tool(shop: GlassPosition, simple: i64) -> None:
    """Set the legal actions with the active tool in this phase."""
    tool = shop.active
    if tool == 1:
        one_up_or_down(shop, simple)
    elif tool == 2:
        move_past_colour(shop, simple)
    elif tool == 3:
        move_past_value(shop, simple)
    elif tool == 4:
        move_two(shop, simple)
    elif tool == 5:
        swap_with_track(shop, simple)
    elif tool == 6:
        reroll_one(shop, simple)
    elif tool == 7:
        reroll_pool(shop, simple)
    elif tool == 8:
        turn_at_once(shop, simple)
    elif tool == 9:
        place_apart(shop, simple)
    elif tool == 10:
        turn_over(shop, simple)
    elif tool == 11:
        draw_from_bag(shop, simple)
    else:
        move_one_colour(shop, simple)


def drafts(shop: GlassPosition) -> i64:
    """Return the kinds of dice that an ordinary draft may take now."""
    if shop.drafted:
        return 0
    return shop.placeable(shop.free_kinds(), PLAIN)


def movers(shop: GlassPosition, cells: i64, rule: i64) -> i64:
    """Return those of *cells* whose dice can go to another cell."""
    window = shop.window()
    found: i64 = 0
    while cells:
        low = cells & -cells
        cells ^= low
        if window.cells(window.die(count(low - 1)), rule, low) & ~low:
            found |= low
    return found


def goals(shop: GlassPosition, rule: i64) -> i64:
    """Return where the one lifted die may go."""
    window = shop.window()
    lifted = bit(shop.source)
    return window.cells(window.die(shop.source), rule, lifted) & ~lifted


def one_up_or_down(shop: GlassPosition, simple: i64) -> None:
    """Tool 1: the drafted die shows one more or one less, never 6 to 1 or 1 to 6."""
    dice = shop.free_kinds()
    window = shop.window()
    up: i64 = 0
    down: i64 = 0
    while dice:
        low = dice & -dice
        dice ^= low
        die = count(low - 1)
        if die % 6 < 5 and window.cells(die + 1, PLAIN, 0):
            up |= low
        if die % 6 > 0 and window.cells(die - 1, PLAIN, 0):
            down |= low
    shop.offer(simple, RAISE, up, LOWER, down)


def move_past_colour(shop: GlassPosition, simple: i64) -> None:
    """Tool 2: one die of the window moves, ignoring printed colours."""
    _offer_move(shop, simple, shop.window().filled, ANY_COLOUR)


def move_past_value(shop: GlassPosition, simple: i64) -> None:
    """Tool 3: one die of the window moves, ignoring printed values."""
    _offer_move(shop, simple, shop.window().filled, ANY_VALUE)


def _offer_move(shop: GlassPosition, simple: i64, cells: i64, rule: i64) -> None:
    if shop.phase == MOVING:
        shop.offer(simple, PUT, goals(shop, rule), 0, 0)
    else:
        shop.offer(simple, LIFT, movers(shop, cells, rule), DRAFT, drafts(shop))


def move_two(shop: GlassPosition, simple: i64) -> None:
    """Tool 4: two dice are lifted, then put down in the same order; all or nothing."""
    window = shop.window()
    if shop.phase == TURN:
        shop.offer(simple, LIFT, window.filled, DRAFT, drafts(shop))
    elif shop.phase == MOVING:
        shop.offer(simple, LIFT, window.filled & ~bit(shop.source), 0, 0)
    elif shop.phase == FIRST_OF_TWO:
        shop.offer(simple, PUT, first_goals(shop), 0, 0)
    else:
        shop.offer(simple, PUT, second_goals(shop, shop.target), 0, 0)


def first_goals(shop: GlassPosition) -> i64:
    """Return where the first of tool 4's dice may go so that the second has a cell as well."""
    window = shop.window()
    lifted = bit(shop.source) | bit(shop.source2)
    cells = window.cells(window.die(shop.source), PLAIN, lifted) & ~bit(shop.source)
    found: i64 = 0
    while cells:
        low = cells & -cells
        cells ^= low
        if second_goals(shop, count(low - 1)):
            found |= low
    return found


def second_goals(shop: GlassPosition, target: i64) -> i64:
    """Return where the second of tool 4's dice may go once the first is on *target*."""
    window = shop.window().clone()
    first = window.lift(shop.source)
    second = window.lift(shop.source2)
    window.put(target, first)
    return window.cells(second, PLAIN, 0) & ~bit(shop.source2)


def swap_with_track(shop: GlassPosition, simple: i64) -> None:
    """Tool 5: a pool die is exchanged for a die of the round track that has a legal cell."""
    if shop.phase == SLOTTING:
        shop.offer(simple | shop.slots_with(shop.becomes) << SLOT, 0, 0, 0, 0)
        return
    wanted = shop.placeable(shop.track_kinds(), PLAIN)
    if shop.phase == SWAPPING:
        shop.offer(simple, FOR, wanted, 0, 0)
    else:
        shop.offer(simple, SWAP, shop.free_kinds() if wanted else 0, 0, 0)


def reroll_one(shop: GlassPosition, simple: i64) -> None:
    """Tool 6: a pool die is rolled again, and placed if it can be."""
    shop.offer(simple, REROLL, shop.free_kinds(), 0, 0)


def reroll_pool(shop: GlassPosition, simple: i64) -> None:
    """Tool 7: the whole pool is rolled again; a draft may follow."""
    shop.offer(simple | bit(REROLL_ALL), 0, 0, 0, 0)


def turn_at_once(shop: GlassPosition, simple: i64) -> None:
    """Tool 8: passing gives an extra turn at once instead of the second one; a draft may come before."""
    shop.offer(simple, DRAFT, drafts(shop), 0, 0)


def place_apart(shop: GlassPosition, simple: i64) -> None:
    """Tool 9: the drafted die goes to a cell with no die around it."""
    shop.offer(simple, DRAFT, shop.placeable(shop.free_kinds(), APART), 0, 0)


def turn_over(shop: GlassPosition, simple: i64) -> None:
    """Tool 10: a pool die is turned to its opposite face, if it can be placed then."""
    dice = shop.free_kinds()
    window = shop.window()
    found: i64 = 0
    while dice:
        low = dice & -dice
        dice ^= low
        if window.cells(flipped(count(low - 1)), PLAIN, 0):
            found |= low
    shop.offer(simple, FLIP, found, 0, 0)


def draw_from_bag(shop: GlassPosition, simple: i64) -> None:
    """Tool 11: a pool die goes into the bag, another comes out, and its value is chosen."""
    shop.offer(simple, BAG, shop.free_kinds(), 0, 0)


def move_one_colour(shop: GlassPosition, simple: i64) -> None:
    """Tool 12: one or two dice of one colour that is on the round track move, one after another."""
    cells = movable_colours(shop)
    if shop.moved:
        window = shop.window()
        cells = window.colour(window.die(count(shop.moved - 1)) // 6) & ~shop.moved
    _offer_move(shop, simple, cells, PLAIN)


def flipped(die: i64) -> i64:
    """Return *die* turned to its opposite face."""
    return die - die % 6 + 5 - die % 6


def values(shop: GlassPosition) -> i64:
    """Return the values (from 0) that the die from the bag may get: those with a cell, or any (R7.11)."""
    window = shop.window()
    colour = shop.hand - UNSET
    found: i64 = 0
    value: i64 = 0
    while value < 6:
        if window.cells(colour * 6 + value, PLAIN, 0):
            found |= bit(value)
        value += 1
    return found if found else SIX_VALUES


# Applying the steps of a dialogue.


def lift(shop: GlassPosition, cell: i64) -> None:
    """Lift a die of the window; tool 4 lifts two."""
    if shop.phase == MOVING:
        shop.source2 = cell
        shop.pick(LIFT + cell, FIRST_OF_TWO)
    else:
        shop.source = cell
        shop.pick(LIFT + cell, MOVING)


def put(shop: GlassPosition, cell: i64) -> None:
    """Put down what is picked, lifted or in hand."""
    if shop.phase == MOVING:
        shop.move(cell)
    elif shop.phase == FIRST_OF_TWO:
        shop.target = cell
        shop.pick(PUT + cell, SECOND_OF_TWO)
    elif shop.phase == SECOND_OF_TWO:
        shop.move_both(cell)
    else:
        shop.place(cell)


def swap(shop: GlassPosition, die: i64) -> None:
    """Pick the pool die that goes to the round track."""
    shop.taken = die
    shop.pick(SWAP + die, SWAPPING)


def swap_for(shop: GlassPosition, die: i64) -> None:
    """Pick the die that comes from the round track."""
    shop.becomes = die
    shop.pick(FOR + die, SLOTTING)


def swap_slot(shop: GlassPosition, slot: i64) -> None:
    """Exchange the picked dice."""
    shop.spend()
    given = shop.taken
    die = shop.becomes
    shop.forget()
    shop.take_in_hand(given)
    track = shop.track[:]
    track[int(slot)] = int(exchanged(track[int(slot)], die, given))
    shop.track = track
    shop.hold(die)
    if shop.events is not None:
        shop.events.append(Swapped(int(shop.seat), int(given), int(die), int(slot) + 1))


def reroll(shop: GlassPosition, die: i64) -> None:
    """Take *die* to roll it again."""
    shop.spend()
    shop.take_in_hand(die)
    shop.phase = REROLLING
    shop.waiting = 0


def reroll_all(shop: GlassPosition) -> None:
    """Ask chance to roll the pool again."""
    shop.spend()
    shop.phase = REROLLING_ALL
    shop.waiting = 0


def flip(shop: GlassPosition, die: i64) -> None:
    """Turn *die* over."""
    shop.spend()
    shop.take_in_hand(die)
    _change(shop, flipped(die), "flipped")
    shop.phase = HOLDING


def put_in_bag(shop: GlassPosition, die: i64) -> None:
    """Put *die* into the bag and ask chance for another."""
    shop.spend()
    shop.take_in_hand(die)
    shop.hand = NOTHING
    shop.bag += bit(5 * (die // 6))
    shop.phase = BAGGING
    shop.waiting = 0
    if shop.events is not None:
        shop.events.append(Bagged(int(shop.seat), int(die)))


def name_value(shop: GlassPosition, value: i64) -> None:
    """Turn the die from the bag to *value*, which counts from 0."""
    _change(shop, (shop.hand - UNSET) * 6 + value, "named")
    shop.phase = HOLDING


def rerolled(shop: GlassPosition, value: i64) -> None:
    """Apply the roll of the die in hand; *value* counts from 0."""
    _change(shop, shop.hand - shop.hand % 6 + value, "rerolled")
    shop.phase = HOLDING
    shop.waiting = 1 << shop.seat


def from_bag(shop: GlassPosition, colour: i64) -> None:
    """Apply a draw from the bag: a die of *colour*."""
    shop.bag -= bit(5 * colour)
    _change(shop, UNSET + colour, "drawn")
    shop.phase = NAMING
    shop.waiting = 1 << shop.seat


def _change(shop: GlassPosition, die: i64, how: How) -> None:
    shop.hand = die
    if shop.events is not None:
        shop.events.append(HandChanged(int(shop.seat), int(die), how))


def picks(shop: GlassPosition) -> list[int]:
    """Return the steps of the current dialogue that can still be taken back, as actions."""
    phase = shop.phase
    found: list[i64] = []
    if phase == PAYING:
        found = [TOOL + shop.active - 1]
    elif phase == PLACING:
        verb: i64 = DRAFT if shop.becomes == shop.taken else RAISE if shop.becomes > shop.taken else LOWER
        found = [verb + shop.taken]
    elif phase == SWAPPING:
        found = [SWAP + shop.taken]
    elif phase == SLOTTING:
        found = [SWAP + shop.taken, FOR + shop.becomes]
    elif phase == MOVING:
        found = [LIFT + shop.source]
    elif phase == FIRST_OF_TWO:
        found = [LIFT + shop.source, LIFT + shop.source2]
    elif phase == SECOND_OF_TWO:
        found = [LIFT + shop.source, LIFT + shop.source2, PUT + shop.target]
    return [int(action) for action in found]
