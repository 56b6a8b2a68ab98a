"""`game.taroky.load`: a room whose match begins with a position that somebody wrote down."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.core.options import BadOptions
from croupier.games.taroky.exchange import to_opening
from croupier.games.taroky.notation import NotationError
from croupier.games.taroky.reader import parse
from croupier.games.taroky.room_rules import LOCK, TABLE, read
from croupier.games.taroky.vocabulary import OVER, PREVER, RULES_OPTIONS, TABLE_OPTIONS, read_chips
from croupier.wire.lobby import Rules
from croupier.wire.messages import Fault


@dataclass(frozen=True, slots=True)
class LoadedRules(Rules):
    """The rules of a room whose next match begins with a notation."""

    opening: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """The deal and what has happened since, unless nothing has: then the deal is in `draws`."""
    host: int = 0
    """The seat of the room's owner."""
    before: Rules | None = None
    """What the room plays when that match is over."""


def load(text: str, rules: Rules) -> tuple[LoadedRules, bool | None]:
    """Return the rules of a match that goes on from *text*, and whether the room is to be locked.

    *rules* are the room's; what the notation sets goes before. A Fault says where it is wrong.
    """
    try:
        notation = parse(text)
    except NotationError as error:
        raise _fault(error) from error
    before = rules.before if isinstance(rules, LoadedRules) and rules.before is not None else rules
    hands = before.options["hands"]
    if notation.phase == OVER and hands == 1:
        raise Fault("wrong_phase", "this hand is over, and the room plays no other")
    known = notation.settings.known
    wanted: dict[str, object] = {key: known[key] for key in TABLE if key in known}
    try:
        chips = ",".join(map(str, notation.chips))
        read_chips(chips, 0)
        options = RULES_OPTIONS.read({**before.options, **notation.options(), "chips": chips, "hands": hands})
        asked = read(wanted).table_options
    except BadOptions as error:  # numbers a notation may hold, but no table
        slot, reason = ("chips", "bad_chips") if "chips" in str(error) else ("settings", "bad_setting")
        raise _fault(NotationError(0, 1, slot, reason, str(error))) from error
    table = {**before.table_options, **{TABLE[key]: asked[TABLE[key]] for key in wanted}}
    opening = to_opening(notation)
    fresh = notation.phase == PREVER
    loaded = LoadedRules(
        options,
        TABLE_OPTIONS.read(table),
        draws=tuple(words for _, words in opening) if fresh else (),
        opening=() if fresh else opening,
        host=max(notation.settings.pn, 0),
        before=before,
    )
    lock = known.get(LOCK)
    return loaded, lock if isinstance(lock, bool) else None


def _fault(error: NotationError) -> Fault:
    where = {
        "offset": error.offset,
        "field": error.field,
        "slot": error.slot,
        "reason": error.reason,
        "detail": error.detail,
    }
    return Fault("invalid_notation", str(error), where)
