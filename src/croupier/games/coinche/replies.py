"""The replies of the Coinche protocol: every code with its exact sentence (spec 12).

Most sentences come from the note of 2016, with its mistakes; section 19 of the specification lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import SUITS
from croupier.wire.talk import Face

TOO_LONG: Final = "406 line too long."
TOO_MANY: Final = "407 too many commands."
NO_NAME: Final = "401 please give your nickname first."
NAME_TAKEN: Final = "403 nickname is already in use"
NO_GAME: Final = "404 no game in progress."
NO_TEXT: Final = "411 no text to send."
NOBODY: Final = "412 an error occured during the sending process."
NOT_YOUR_TURN: Final = "423 please wait for your turn."
NOT_BACK: Final = "423 please wait until the other players are back."
"""After a restart no player may act until then."""
NO_TRICK: Final = "423 the last trick is not available yet."
NO_HAND: Final = "424 your hand is empty."
BIDDING_OVER: Final = "431 the bidding step is over."
STATE_FOLLOWS: Final = "200 state follows."
HELP_FOLLOWS: Final = "200 help follows."
NAME_CHANGED: Final = "200 Nickname changed"

FLOOD: Final = "500 flood"
FAR_TOO_LONG: Final = "500 line far too long"
IDLE: Final = "500 idle"
REPLACED: Final = "500 replaced"
SHUTDOWN: Final = "500 shutdown"
FULL: Final = "503 server full."

DONE: Final[Mapping[str, str]] = {
    "NAME": NAME_CHANGED,
    "MSG": "200 message sent.",
    "CONTRACT": "200 bidding okay.",
    "COINCHE": "200 Coinche has been counted",
    "SURCOINCHE": "200 Surcoinche has been counted",
    "PASS": "200 You passed your turn.",
    "PLAY": "200 your turn has been taken into account.",
}
"""The reply to each command that was carried out."""

_OVER: Final = {"COINCHE": "441", "SURCOINCHE": "451"}
_ALWAYS: Final[Mapping[str, str]] = {
    "match_over": NO_GAME,
    "not_now": NO_GAME,
    "closed": NO_GAME,
    "no_contract": "443 coinche cannot be announced until a contract is made.",
    "already_coinched": "442 a player already coinched",
    "own_contract": "444 you cannot coinche a contract you or your partner already coinched",
    "already_surcoinched": "452 a player already surcoinched",
    "not_coinched": "453 surcoinche cannot be announced until coinche is.",
    "not_yours": "422 this card does not belong to you.",
    "must_play_higher_trump": "425 you must play a higher trump.",
    "must_trump": "425 you must trump.",
    "must_overtrump": "425 you must overtrump.",
    "no_undertrump": "425 you must overtrump.",
}


def refusal(verb: str, key: str, view: CoincheView) -> str:
    """Return the reply to *verb*, refused by the rules or the table for *key*."""
    match key:
        case "bidding_over":
            return f"{_OVER.get(verb, '431')} the bidding step is over."
        case "not_higher":
            return f"434 a player already bidded {view.contract()}"
        case "must_follow":
            return f"425 you must follow {_led(view)}."
        case "must_go_higher":
            return f"425 you must play a higher {_led(view)}."
    # Any other reason (no cards dealt yet, the time just up): it is not this seat's turn.
    return _ALWAYS.get(key, NOT_YOUR_TURN)


def _led(view: CoincheView) -> str:
    return SUITS[view.table[view.leader] // 8]


def bad_nickname(shown: str) -> str:
    """Return the reply to an invalid nickname."""
    return f"402 {shown} contains invalid characters or is too short."


def bad_option(shown: str) -> str:
    """Return the reply to an unknown option of CONTRACT."""
    return f"435 {shown} is not a valid option."


def bad_suit(shown: str) -> str:
    """Return the reply to a denomination that does not exist or is not allowed at this table."""
    return f"436 {shown} does not exist."


def too_low(face: Face) -> str:
    """Return the reply to a number below the minimum."""
    return f"432 the minimum bidding value is {face.rules_options['min_bid']}."


def too_high(face: Face) -> str:
    """Return the reply to a number above the maximum."""
    return f"433 the maximum bidding value is {face.rules_options['max_bid']}."


def no_card(shown: str) -> str:
    """Return the reply to words that do not name a card."""
    return f"421 {shown} is not in your deck."
