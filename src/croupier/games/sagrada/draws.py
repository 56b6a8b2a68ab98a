"""The draw that is due, its outcome in a fixed deal, and fast random outcomes for playouts (R2, R12)."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.contract import Draw
from croupier.core.dice import Dice
from croupier.games.sagrada.position import GlassPosition, unpack
from croupier.games.sagrada.vocabulary import (
    AIMING,
    BAGGING,
    DEALING,
    DRAWING,
    ITEM_CARD,
    ITEM_COLOUR,
    ITEM_PRIVATE,
    ITEM_PUBLIC,
    ITEM_SEAT,
    ITEM_TOOL,
    PUBLISHING,
    REROLLING_ALL,
    ROLLING,
    SEATING,
    TOOLING,
)


def due(shop: GlassPosition) -> Draw:
    """Return the draw that the phase waits for; an empty one if a fixed deal has the outcome."""
    if shop.rules.script is not None and scripted(shop):
        return Draw([], 0)
    phase = shop.phase
    seats = shop.rules.seats
    if phase == SEATING:
        return Draw(list(range(ITEM_SEAT, ITEM_SEAT + seats)), 1)
    if phase == AIMING:
        many = seats * shop.rules.privates
        return Draw(list(range(ITEM_PRIVATE + 1, ITEM_PRIVATE + 6)), many)
    if phase == DEALING:
        return Draw(list(range(ITEM_CARD + 1, ITEM_CARD + 13)), 2 * seats)
    if phase == TOOLING:
        return Draw(list(range(ITEM_TOOL + 1, ITEM_TOOL + 13)), shop.rules.tools)
    if phase == PUBLISHING:
        return Draw(list(range(ITEM_PUBLIC + 1, ITEM_PUBLIC + 11)), shop.rules.publics)
    if phase == DRAWING:
        return Draw(_bag(shop), shop.rules.dice)
    if phase == BAGGING:
        return Draw(_bag(shop), 1)
    many = len(unpack(shop.pool)) if phase in (ROLLING, REROLLING_ALL) else 1
    return Draw([1, 2, 3, 4, 5, 6], many, replace=True)


def _bag(shop: GlassPosition) -> list[int]:
    items: list[int] = []
    for colour in range(5):
        items += [ITEM_COLOUR + colour] * int(shop.bag >> 5 * colour & 31)
    return items


def scripted(shop: GlassPosition) -> list[int]:
    """Return the fixed deal's outcome of the draw that is due, [] if it is left to chance."""
    script = shop.rules.script
    assert script is not None
    phase = shop.phase
    if phase == SEATING:
        return []  # a fixed start seat is not drawn
    if phase == AIMING:
        return [ITEM_PRIVATE + number for number in script.privates]
    if phase == DEALING:
        return [ITEM_CARD + number for number in script.cards]
    if phase == TOOLING:
        return [ITEM_TOOL + number for number in script.tools]
    if phase == PUBLISHING:
        return [ITEM_PUBLIC + number for number in script.publics]
    if phase in (DRAWING, ROLLING):
        return _scripted_dice(shop, phase == DRAWING)
    at = int(shop.chance_at)
    if phase == BAGGING:
        colour = script.colour(at)
        return [ITEM_COLOUR + colour] if colour >= 0 and shop.bag >> 5 * colour & 31 else []
    many = len(unpack(shop.pool)) if phase == REROLLING_ALL else 1
    found = [script.value(at + i) for i in range(many)]
    return [] if 0 in found else found


def _scripted_dice(shop: GlassPosition, colours: bool) -> list[int]:
    """Return the round's dice, [] if the bag no longer holds them."""
    script = shop.rules.script
    assert script is not None
    if shop.round > len(script.draws):
        return []
    dice = script.draws[int(shop.round) - 1]
    if not colours:
        drawn = [die - die % 6 for die in dice]
        return [die % 6 + 1 for die in dice] if drawn == unpack(shop.pool) else []
    for colour in range(5):
        if len([die for die in dice if die // 6 == colour]) > shop.bag >> 5 * colour & 31:
            return []
    return [ITEM_COLOUR + die // 6 for die in dice]


def felt(shop: GlassPosition, dice: Dice) -> i64:
    """Return the colour of a random die in the bag."""
    bag = shop.bag
    k = dice.below((bag & 31) + (bag >> 5 & 31) + (bag >> 10 & 31) + (bag >> 15 & 31) + (bag >> 20 & 31))
    colour: i64 = 0
    while k >= bag & 31:
        k -= bag & 31
        bag >>= 5
        colour += 1
    return colour


def grabbed(shop: GlassPosition, dice: Dice) -> i64:
    """Take the dice of a round out of the bag and return them, packed, before their roll."""
    pool: i64 = 0
    shift: i64 = 0
    many: i64 = shop.rules.dice
    while many > 0:
        colour = felt(shop, dice)
        shop.bag -= bit(5 * colour)
        pool |= (colour * 6 + 1) << shift
        shift += 5
        many -= 1
    return pool


def rolled(old: i64, dice: Dice) -> i64:
    """Return the dice of the pool *old* with new values."""
    pool: i64 = 0
    shift: i64 = 0
    while old:
        die = (old & 31) - 1
        pool |= (die - die % 6 + dice.below(6) + 1) << shift
        old >>= 5
        shift += 5
    return pool
