"""The options of a room as clients spell them (spec 8), and the options of our tables they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.core.options import BadOptions, Value
from croupier.games.taroky.settings import LEVELS
from croupier.games.taroky.vocabulary import RULES_OPTIONS, TABLE_OPTIONS
from croupier.wire.opentarock.messages import Data
from croupier.wire.opentarock.room import Rules

RULES: Final = {
    "aceHigh": "ace_high",
    "preverPriority": "prever_priority",
    "contraOnValat": "contra_on_valat",
    "startChips": "start_chips",
    "hands": "hands",
    "firstPovinnost": "first_povinnost",
}
TABLE: Final = {
    "timeout": "timeout",
    "difficulty": "difficulty",
    "botPlayTime": "bot_play_time",
    "botThinkTime": "bot_think_time",
    "dealPause": "deal_pause",
    "secretPause": "secret_pause",
}
LOCK: Final = "lock"
"""The option that makes a room private; the lobby handles it."""

DEFAULTS: Final[Mapping[str, Value]] = {
    "bot_play_time": 3000,
    "bot_think_time": 1000,
    "card_pause": 0,
    "trick_pause": 0,
}
"""Clients of the protocol show cards at their own pace, so there are no pauses; bots take some time."""
UNLIMITED: Final = ("timeout", "botPlayTime", "botThinkTime")
"""The times that may be any number in a notation; at a table they have limits."""
SHORTEST: Final = 20_000
"""The lowest `timeout` other than 0."""
ENDLESS: Final = 10_000
"""The number of hands if none is set; no match lasts that long."""


def read(raw: Mapping[str, object], house: Mapping[str, object]) -> Rules:
    """Return the rules that a client asks for, or raise BadOptions.

    *house* are the options set for all rooms, by our own names.
    """
    for key in raw:
        if key not in RULES and key not in TABLE:
            raise BadOptions(f"option {key[:40]}: expected one of {', '.join([*RULES, *TABLE, LOCK])}")
    asked = {RULES[key]: _rule(key, value) for key, value in raw.items() if key in RULES}
    asked |= {TABLE[key]: _clamped(key, value) for key, value in raw.items() if key in TABLE}
    wanted = {**DEFAULTS, **house, **asked}
    options = {name: value for name, value in wanted.items() if name in RULES_OPTIONS.options}
    table = {name: value for name, value in wanted.items() if name in TABLE_OPTIONS.options}
    return Rules(RULES_OPTIONS.read(options), TABLE_OPTIONS.read(table))


def _rule(key: str, value: object) -> object:
    if isinstance(value, bool):
        return value
    if key == "firstPovinnost" and isinstance(value, int):
        return str(value)
    return ENDLESS if key == "hands" and value == 0 else value


def _clamped(key: str, value: object) -> object:
    """Return *value*, clamped to the limits of a table; a difficulty's name becomes its number."""
    if key == "difficulty" and isinstance(value, str):
        return LEVELS.get(value.lower(), value)
    if key not in UNLIMITED or isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        return value
    shortest = SHORTEST if key == "timeout" else 0
    return min(max(value, shortest), TABLE_OPTIONS.options[TABLE[key]].high)


def show(options: Mapping[str, Value], table_options: Mapping[str, Value]) -> Data:
    """Return the options as messages show them."""
    out: Data = {key: options[name] for key, name in RULES.items()}
    out |= {key: table_options[name] for key, name in TABLE.items()}
    if out["hands"] == ENDLESS:
        out["hands"] = 0
    first = out["firstPovinnost"]
    if isinstance(first, str) and first.isdigit():
        out["firstPovinnost"] = int(first)
    return out
