"""`game.taroky.load`: a room whose match begins with a position that somebody wrote down."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.games.taroky.exchange import match_options, to_opening
from croupier.games.taroky.notation import NotationError
from croupier.games.taroky.reader import parse
from croupier.games.taroky.room_rules import LOCK, TABLE, read
from croupier.games.taroky.vocabulary import LIMIT, OVER, PREVER, TABLE_OPTIONS
from croupier.wire.messages import Fault
from croupier.wire.room import Rules


@dataclass(frozen=True, slots=True)
class LoadedRules(Rules):
    """The rules of a room whose next match begins with a notation."""

    opening: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """The deal and what has happened since, unless nothing has: then the deal is in `draws`."""
    host: int = 0
    """The seat of the room's owner."""


def load(text: str, rules: Rules) -> tuple[LoadedRules, bool | None]:
    """Return the rules of a match that goes on from *text*, and whether the room is to be locked.

    *rules* are the room's: of those it keeps the number of hands and what the notation does not say about
    the table. A Fault says where *text* is wrong.
    """
    try:
        notation = parse(text)
    except NotationError as error:
        raise _fault(error) from error
    before = rules.before or rules
    hands = before.options["hands"]
    assert isinstance(hands, int)
    if notation.phase == OVER and hands == 1:
        raise Fault("wrong_phase", "this hand is over, and the room plays no other")
    _check_chips(text.strip(), notation.chips)
    known = notation.settings.known
    wanted: dict[str, object] = {key: known[key] for key in TABLE if key in known}
    asked = read(wanted, {}).table_options
    table = {**before.table_options, **{TABLE[key]: asked[TABLE[key]] for key in wanted}}
    opening = to_opening(notation)
    fresh = notation.phase == PREVER
    loaded = LoadedRules(
        match_options(notation, hands),
        TABLE_OPTIONS.read(table),
        draws=tuple(words for _, words in opening) if fresh else (),
        opening=() if fresh else opening,
        host=max(notation.settings.pn, 0),
        before=before,
    )
    lock = known.get(LOCK)
    return loaded, lock if isinstance(lock, bool) else None


def _check_chips(text: str, chips: list[int]) -> None:
    """Refuse chips that a notation may hold, but no table."""
    offset = 0
    for field, (found, number) in enumerate(zip(text.split("/"), chips, strict=False), 1):
        if abs(number) > LIMIT:
            detail = f"{found[:20]}: a table takes at most {LIMIT}, either way"
            raise _fault(NotationError(offset, field, "chips", "bad_chips", detail))
        offset += len(found) + 1


def _fault(error: NotationError) -> Fault:
    where = {
        "offset": error.offset,
        "field": error.field,
        "slot": error.slot,
        "reason": error.reason,
        "detail": error.detail,
    }
    return Fault("invalid_notation", str(error), where)
