"""Turn a player's commands in a game into actions, and refusals into replies (spec 6, 7.3, 8).

The rules check every order and give the key of the first broken rule; this module maps it to the
protocol's word. A command that cannot be read is answered at once. The actions of an order are carried
out all together or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from croupier.games.sagrada.material import TOOLS
from croupier.games.sagrada.parsing import cell_of, die_of, id_of, number_of
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    BAG,
    CANCEL,
    DRAFT,
    FLIP,
    FOR,
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

OK: Final = "ok"
BAD: Final = "bad_request"
INVALID_DICE: Final = "invalid_dice"
CONSTRAINS: Final = "constrains_violated"
"""The replies to `place`."""
CONSTRAINTS: Final = "constraints_violated"
"""The replies to `move`."""
OCCUPIED: Final = "cell_already_occupied"
NOT_VALID_CHOICE: Final = "not_valid_choice"

# The dice that the reply to an order shows.
HAND: Final = "hand"
POOL: Final = "pool"

_RULES_OF_PLACING: Final = ("printed", "not_on_border", "not_adjacent", "equal_neighbour")
_PLACE: Final = {
    **dict.fromkeys(("not_in_pool", "die_in_hand", "value_limit"), INVALID_DICE),
    **dict.fromkeys((*_RULES_OF_PLACING, "occupied", "touches", "no_cell"), CONSTRAINS),
}
_MOVE: Final = {
    "empty_cell": "empty_cell",
    **dict.fromkeys(("occupied", "same_cell"), OCCUPIED),
    **dict.fromkeys((*_RULES_OF_PLACING, "wrong_colour", "moved_before"), CONSTRAINTS),
    **dict.fromkeys(("no_target", "no_second_target"), CONSTRAINTS),
}
_DICE: Final = dict.fromkeys(("not_in_pool", "not_on_track", "no_cell"), INVALID_DICE)
_TOOL: Final = {
    "not_enough_tokens": "not_enough_token",
    **dict.fromkeys(
        (
            "tool_not_there",
            "tool_active",
            "tool_used",
            "extra_turn",
            "wrong_turn",
            "drafted_before",
            "too_few_dice",
            "empty_track",
            "colour_not_on_track",
            "too_many_activations",
        ),
        NOT_VALID_CHOICE,
    ),
}


@dataclass(frozen=True, slots=True)
class Order:
    """The actions of a command, and how to reply to it."""

    actions: tuple[int, ...]
    refusals: Mapping[str, str]
    """The protocol's word for each key; *otherwise* for all other keys."""
    otherwise: str = BAD
    reply: str = OK
    """The reply as soon as the order is accepted, if there is one."""
    awaits: str = ""
    """What has to change before the reply, if anything."""

    def refusal(self, key: str, view: GlassView) -> str:
        """Return the reply when the rules refuse this order with *key*."""
        word = self.refusals.get(key, self.otherwise)
        # The rules check first if the die can move at all; the protocol checks the target first.
        return OCCUPIED if word == CONSTRAINTS and self._blocked(view) else word

    def _blocked(self, view: GlassView) -> bool:
        """Return True if a target of these moves is occupied or is the die's own cell."""
        sources = [action - LIFT for action in self.actions if LIFT <= action < DRAFT]
        targets = [action - PUT for action in self.actions if PUT <= action < LIFT]
        dice = view.windows[view.seat].dice()
        taken = [cell for cell, die in enumerate(dice) if die >= 0 and cell not in sources]
        for source, target in zip(sources, targets, strict=True):
            if target == source or target in taken:
                return True
            taken.append(target)
        return False


def read(verb: str, fields: Sequence[str], view: GlassView) -> Order | str:
    """Return the order in the command *verb* with its *fields*, or the reply if it cannot be read."""
    return READERS[verb](fields, view)


def _place(fields: Sequence[str], view: GlassView) -> Order | str:
    if len(fields) not in (3, 4):
        return BAD
    die, cell = die_of(fields[0]), cell_of(fields[1], fields[2])
    if die is None or cell is None:
        return BAD
    if len(fields) == 4:
        if fields[3] not in ("+1", "-1", "+", "-"):
            return BAD
        verb = RAISE if fields[3][0] == "+" else LOWER
    elif view.hand == die:
        return Order((PUT + cell,), _PLACE)
    else:
        verb = DRAFT
    return Order((verb + die, PUT + cell), _PLACE)


def cells_of(fields: Sequence[str]) -> tuple[int, int] | None:
    """Return source and target of a `move`."""
    if len(fields) != 4:
        return None
    source, target = cell_of(fields[0], fields[1]), cell_of(fields[2], fields[3])
    return None if source is None or target is None else (source, target)


def _move(fields: Sequence[str], view: GlassView) -> Order | str:
    cells = cells_of(fields)
    return BAD if cells is None else moves([cells])


def moves(pairs: Sequence[tuple[int, int]]) -> Order:
    """Return the order for one `move`, or for the two of tool 4."""
    lifts = tuple(LIFT + source for source, _ in pairs)
    return Order((*lifts, *(PUT + target for _, target in pairs)), _MOVE)


def _activate(fields: Sequence[str], view: GlassView) -> Order | str:
    solo = view.seats == 1
    tool = id_of(fields[0]) if 1 <= len(fields) <= 1 + solo else None
    if tool is None:
        return BAD
    if not 1 <= tool <= 12:
        # No such tool exists, but first the rules check whose turn it is.
        return NOT_VALID_CHOICE if view.turn_seat == view.seat else BAD
    if not solo:
        return Order((TOOL + tool - 1,), _TOOL)
    die = die_of(fields[1]) if len(fields) == 2 else 6 * ((TOOLS[tool - 1].solo_colour + 1) % 5)
    if die is None:
        return BAD
    # Without a die that can pay, a die of another colour makes the rules refuse it after all other checks.
    return Order((TOOL + tool - 1, PAY + die), _TOOL)


def _swap(fields: Sequence[str], view: GlassView) -> Order | str:
    if len(fields) != 2:
        return BAD
    given = die_of(fields[0])
    name, at, slot = fields[1].partition("@")
    wanted = die_of(name)
    number = number_of(slot, 1, 10) if at else 0
    if given is None or wanted is None or number is None:
        return BAD
    if not number:
        number = next((round_ for round_, dice in enumerate(view.track, 1) if wanted in dice), 1)
    return Order((SWAP + given, FOR + wanted, SLOT + number - 1), _DICE)


def _one_die(verb: int) -> Callable[[Sequence[str], GlassView], Order | str]:
    def read_die(fields: Sequence[str], view: GlassView) -> Order | str:
        die = die_of(fields[0]) if len(fields) == 1 else None
        return BAD if die is None else Order((verb + die,), _DICE, reply="", awaits=HAND)

    return read_die


def _reroll_all(fields: Sequence[str], view: GlassView) -> Order | str:
    return BAD if fields else Order((REROLL_ALL,), {}, reply="", awaits=POOL)


def _set_value(fields: Sequence[str], view: GlassView) -> Order | str:
    value = number_of(fields[0], 1, 6) if len(fields) == 1 else None
    return "not_valid" if value is None else Order((VALUE + value - 1,), {}, "not_valid")


def _deactivate(fields: Sequence[str], view: GlassView) -> Order | str:
    return BAD if fields else Order((CANCEL,), {}, "no")


def _pass(fields: Sequence[str], view: GlassView) -> Order | str:
    return BAD if fields else Order((PASS,), {}, reply="")


def _schema(fields: Sequence[str], view: GlassView) -> Order | str:
    pattern = id_of(fields[0]) if len(fields) == 1 else None
    if pattern is None or not 1 <= pattern <= 24:
        return "invalid"
    return Order((WINDOW + pattern - 1,), {}, "invalid")


READERS: Final[Mapping[str, Callable[[Sequence[str], GlassView], Order | str]]] = {
    "place": _place,
    "move": _move,
    "active_tool_card": _activate,
    "activate_tool_card": _activate,
    "deactive_tool_card": _deactivate,
    "deactivate_tool_card": _deactivate,
    "swap_dice": _swap,
    "reroll_dice": _one_die(REROLL),
    "reroll_all": _reroll_all,
    "flip_dice": _one_die(FLIP),
    "put_in_bag": _one_die(BAG),
    "set_value": _set_value,
    "schema": _schema,
    "pass": _pass,
}
OUT_OF_GAME: Final = {"schema": "invalid", "set_value": "not_valid"} | dict.fromkeys(
    ("deactive_tool_card", "deactivate_tool_card"), "no"
)
"""The replies to these commands outside a game; all others are bad requests."""
