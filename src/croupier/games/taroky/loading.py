"""`game.taroky.load`: a room whose match begins with a loaded notation."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.core.refusal import Refusal
from croupier.games.taroky.exchange import match_options, to_opening
from croupier.games.taroky.notation import NotationError
from croupier.games.taroky.reader import parse
from croupier.games.taroky.room_rules import LOCK, TABLE, read
from croupier.games.taroky.vocabulary import LIMIT, OVER, PREVER, TABLE_OPTIONS, names
from croupier.wire.opentarock.messages import DetailedRefusal
from croupier.wire.opentarock.room import Rules


@dataclass(frozen=True, slots=True)
class LoadedRules(Rules):
    """The rules of a room whose next match begins with a notation."""

    opening: tuple[str, ...] = ()
    """The deal and the actions since, as lines of a record; if there are none, the deal is in `draws`
    instead."""
    host: int = 0
    """The seat of the room's owner."""


def load(text: str, rules: Rules) -> tuple[LoadedRules, bool | None]:
    """Return the rules of a match that continues from *text*, and whether the room is to be locked.

    *rules* are the room's: the match keeps their number of hands and those table options that the notation
    does not set. Raise a Refusal that says where *text* is wrong.
    """
    try:
        notation = parse(text)
    except NotationError as error:
        raise _refusal(error) from error
    before = rules.before or rules
    hands = before.options["hands"]
    assert isinstance(hands, int)
    if notation.phase == OVER and hands == 1:
        raise Refusal("wrong_phase", "this hand is over, and the room plays no further hand")
    _check_chips(text.strip(), notation.chips)
    known = notation.settings.known
    wanted: dict[str, object] = {key: known[key] for key in TABLE if key in known}
    asked = read(wanted, {}).table_options
    table = {**before.table_options, **{TABLE[key]: asked[TABLE[key]] for key in wanted}}
    fresh = notation.phase == PREVER
    loaded = LoadedRules(
        match_options(notation, hands),
        TABLE_OPTIONS.read(table),
        draws=(tuple(names(notation.draw())),) if fresh else (),
        opening=() if fresh else to_opening(notation),
        host=max(notation.settings.pn, 0),
        before=before,
    )
    lock = known.get(LOCK)
    return loaded, lock if isinstance(lock, bool) else None


def _check_chips(text: str, chips: list[int]) -> None:
    """Refuse chips that a notation may have but a table may not."""
    offset = 0
    for field, (found, number) in enumerate(zip(text.split("/"), chips, strict=False), 1):
        if abs(number) > LIMIT:
            detail = f"{found[:20]}: expected -{LIMIT}…{LIMIT} at a table"
            raise _refusal(NotationError(offset, field, "chips", "bad_chips", detail))
        offset += len(found) + 1


def _refusal(error: NotationError) -> DetailedRefusal:
    where: dict[str, object] = {
        "offset": error.offset,
        "field": error.field,
        "slot": error.slot,
        "reason": error.reason,
        "detail": error.detail,
    }
    return DetailedRefusal("invalid_notation", str(error), where)
