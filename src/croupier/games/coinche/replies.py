"""The replies of the Coinche protocol: every code with its exact sentence (spec 12).

Most sentences come from the note of 2016, with its mistakes; section 19 of the specification lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.games.coinche.parsing import INVALID
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import SUITS

TOO_LONG: Final = "406 line too long."
TOO_MANY: Final = "407 too many commands."
NO_NAME: Final = "401 please give your nickname first."
NAME_TAKEN: Final = "403 nickname is already in use"
NO_GAME: Final = "404 no game in progress."
NO_TEXT: Final = "411 no text to send."
NOBODY: Final = "412 an error occured during the sending process."
MUTED: Final = "413 {}."
"""The operator has muted this player: until when, and why."""
NOT_YOUR_TURN: Final = "423 please wait for your turn."
NOT_BACK: Final = "423 please wait until the other players are back."
"""After a restart no player may act until then."""
NO_TRICK: Final = "423 the last trick is not available yet."
NO_HAND: Final = "424 your hand is empty."
BIDDING_OVER: Final = "431 the bidding step is over."
STATE_FOLLOWS: Final = "200 state follows."
HELP_FOLLOWS: Final = "200 help follows."
NAME_CHANGED: Final = "200 Nickname changed"
HAND: Final = "200 There is your hand {}"
LAST_TRICK: Final = "200 There is the last trick [{}] won by {}"
BAD_NICKNAME: Final = "402 {} contains invalid characters or is too short."
NO_CARD: Final = "421 {} is not in your deck."
MUST_FOLLOW: Final = "425 you must follow {}."
MUST_GO_HIGHER: Final = "425 you must play a higher {}."
TOO_LOW: Final = "432 the minimum bidding value is {}."
TOO_HIGH: Final = "433 the maximum bidding value is {}."
NOT_HIGHER: Final = "434 a player already bidded {}"
BAD_OPTION: Final = "435 {} is not a valid option."
BAD_SUIT: Final = "436 {} does not exist."

FLOOD: Final = "500 flood"
FAR_TOO_LONG: Final = "500 line far too long"
IDLE: Final = "500 idle"
REPLACED: Final = "500 replaced"
SESSION_ENDED: Final = "500 session ended"
SHUTDOWN: Final = "500 shutdown"
EXPELLED: Final = "500 {}"
"""The operator has banned or removed this player: until when, and why."""
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

_OVER: Final = {
    "COINCHE": "441 the bidding step is over.",
    "SURCOINCHE": "451 the bidding step is over.",
}
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

REPLIES: Final = (
    STATE_FOLLOWS,
    HELP_FOLLOWS,
    *DONE.values(),
    HAND,
    LAST_TRICK,
    INVALID,
    NO_NAME,
    BAD_NICKNAME,
    NAME_TAKEN,
    NO_GAME,
    TOO_LONG,
    TOO_MANY,
    NO_TEXT,
    NOBODY,
    MUTED,
    NO_CARD,
    NOT_YOUR_TURN,
    NOT_BACK,
    NO_TRICK,
    NO_HAND,
    *_ALWAYS.values(),
    MUST_FOLLOW,
    MUST_GO_HIGHER,
    BIDDING_OVER,
    *_OVER.values(),
    TOO_LOW,
    TOO_HIGH,
    NOT_HIGHER,
    BAD_OPTION,
    BAD_SUIT,
    FLOOD,
    FAR_TOO_LONG,
    IDLE,
    REPLACED,
    SHUTDOWN,
    EXPELLED,
    FULL,
)
"""Every reply, with {} for what depends on the request or the position; some are in it twice."""


def refusal(verb: str, key: str, view: CoincheView) -> str:
    """Return the reply to *verb*, refused by the rules or the table for *key*."""
    match key:
        case "bidding_over":
            return _OVER.get(verb, BIDDING_OVER)
        case "not_higher":
            return NOT_HIGHER.format(view.contract())
        case "must_follow":
            return MUST_FOLLOW.format(_led(view))
        case "must_go_higher":
            return MUST_GO_HIGHER.format(_led(view))
    # Any other reason (no cards dealt yet, the time just up): it is not this seat's turn.
    return _ALWAYS.get(key, NOT_YOUR_TURN)


def _led(view: CoincheView) -> str:
    return SUITS[view.table[view.leader] // 8]
