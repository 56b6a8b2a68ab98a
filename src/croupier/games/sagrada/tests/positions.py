"""Short ways to set up positions of the dice game, for its tests."""

from __future__ import annotations

from croupier.core.contract import Event, IllegalAction
from croupier.games.sagrada import GAME
from croupier.games.sagrada.material import PATTERNS, Pattern
from croupier.games.sagrada.placement import Window
from croupier.games.sagrada.position import pack, unpack
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.vocabulary import ACTIONS, CELL_NAMES, DICE, DIE_CODES, FIRST, GlassRules

BLANK = Pattern(0, 0, 0, "." * 20)
"""No printed demands at all."""

# The published protocol's reply for each key (its section 7.3; README.md has the list).
PLACE = {
    "printed": "constrains_violated",
    "not_on_border": "constrains_violated",
    "not_adjacent": "constrains_violated",
    "equal_neighbour": "constrains_violated",
    "touches": "constrains_violated",
    "occupied": "constrains_violated",
    "no_cell": "constrains_violated",
    "not_in_pool": "invalid_dice",
    "value_limit": "invalid_dice",
    "die_in_hand": "invalid_dice",
}
MOVE = {
    "printed": "constraints_violated",
    "not_on_border": "constraints_violated",
    "not_adjacent": "constraints_violated",
    "equal_neighbour": "constraints_violated",
    "no_target": "constraints_violated",
    "no_second_target": "constraints_violated",
    "wrong_colour": "constraints_violated",
    "moved_before": "constraints_violated",
    "occupied": "cell_already_occupied",
    "same_cell": "cell_already_occupied",
    "empty_cell": "empty_cell",
}


def dice(text: str) -> list[int]:
    """Return the dice named in *text*."""
    return [DIE_CODES[name] for name in text.split()]


def window(pattern: int | Pattern, text: str = "") -> Window:
    """Return a window with dice like ``R6@1,2``, without checking the rules."""
    found = Window(PATTERNS[pattern - 1] if isinstance(pattern, int) else pattern)
    for item in text.split():
        die, cell = item.split("@")
        found.put(CELL_NAMES.index(cell), DIE_CODES[die])
    return found


def board(text: str) -> Window:
    """Return a window without printed demands, given by four rows with ``..`` for an empty cell."""
    found = Window(BLANK)
    for cell, die in enumerate(text.split()):
        if die != "..":
            found.put(cell, DIE_CODES[die])
    return found


def in_turn(
    own: Window,
    pool: str,
    tools: str = "",
    track: str = "",
    turn: int = FIRST,
    tokens: int = 6,
    round_: int = 3,
    seats: int = 2,
    options: dict[str, object] | None = None,
) -> GlassState:
    """Return a match in which seat 0 has its turn; slots of *track* are separated by ``/``."""
    rules = GlassRules(GAME.options.read({"start": "1", **(options or {})}), seats)
    state = GlassState(rules)
    state.tools = [int(tool) for tool in tools.split()]
    state.privates = [[seat + 1] if seats > 1 else [1, 2] for seat in range(seats)]
    state.offers = [[1, 7, 2, 8]] * seats
    state.publics = [1, 5, 9][: rules.publics]
    state.windows = [own, *(window(BLANK) for _ in range(seats - 1))]
    state.chosen = [8 if seat else own.pattern.number for seat in range(seats)]
    state.tokens = 0 if seats == 1 else sum(tokens << 8 * seat for seat in range(seats))
    state.track = [int(pack(dice(slot))) for slot in track.split("/")] if track else []
    state.pool = pack(dice(pool))
    for die in [*dice(pool), *[die for slot in state.track for die in unpack(slot)]]:
        state.bag -= 1 << 5 * (die // 6)
    # Every round starts at seat 0.
    state.round = round_
    state.start = (1 - round_) % seats
    state.turn = turn
    state.at = 2 * seats - 1 if turn == 1 else 0
    state.turns = 1
    state.resume(0, False, True)
    state.events = []
    return state


def do(state: GlassState, *words: str, seat: int = 0) -> None:
    """Let *seat* act, each action spelt as in a record."""
    for word in words:
        state.apply(seat, ACTIONS.parse(word))


def refused(state: GlassState, *words: str, seat: int = 0) -> str:
    """Return the key with which the first of these actions is refused, as a batch; the state stays."""
    trial = state.clone()
    try:
        for word in words:
            trial.apply(seat, ACTIONS.parse(word))
    except IllegalAction as error:
        return error.key
    return ""


def legal(state: GlassState, verb: str = "", seat: int = 0) -> set[str]:
    """Return what *seat* may do; with a *verb*, to what."""
    names = {ACTIONS.name(action) for action in state.legal_actions(seat)}
    if not verb:
        return names
    return {name.partition(" ")[2] for name in names if name.split(" ")[0] == verb}


def pool(state: GlassState) -> str:
    """Return the pool in its order."""
    return " ".join(DICE[die] for die in unpack(state.pool))


def kinds_of(events: list[Event] | None) -> list[str]:
    """Return the kinds of *events* in their order."""
    return [str(event.plain()["kind"]) for event in events or []]
