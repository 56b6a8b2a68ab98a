"""Cards, phases, actions, money cards and options of Taroky.

Cards are in the canonical order of the deck: suits S, C, H, D of eight, each ``1 2 3 4 J R Q K``, then the
trumps T01 to T22. A digit names the face of a card; `legality` decides how red pips rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import cards_of
from croupier.core.contract import ActionTable
from croupier.core.options import BadOptions, Latest, Option, OptionTable, Value, number_of
from croupier.games.taroky.facts import Gift, Half, Level, Phase

SEATS: Final = 4
DECK: Final = 54
TRICKS: Final = 12
NOBODY: Final = -1

SUITS: Final = "SCHD"
FACES: Final = "1234JRQK"
SUIT_WORDS: Final = ["spades", "clubs", "hearts", "diamonds", "trumps"]
CARDS: Final = [suit + info for suit in SUITS for info in FACES] + [f"T{n:02}" for n in range(1, 23)]
CODES: Final = {name: card for card, name in enumerate(CARDS)}

TRUMP: Final = 31
"""Trump *n* is card ``TRUMP + n``."""
PAGAT: Final = 32

WHOLE: Final[i64] = 0x3F_FFFF_FFFF_FFFF
TRUMPS: Final[i64] = 0x3F_FFFF_0000_0000
KINGS: Final[i64] = 0x8080_8080
QUEENS: Final[i64] = 0x4040_4040
RIDERS: Final[i64] = 0x2020_2020
JACKS: Final[i64] = 0x1010_1010
TRUL: Final[i64] = 0x30_0001_0000_0000
"""T01, T21 and T22."""
FIVES: Final[i64] = 0x30_0001_8080_8080
"""The seven five-pointers: the kings and the trul."""
PLAIN: Final[i64] = 0x7F7F_7F7F
"""The suit cards except kings."""
SUIT: Final[list[i64]] = [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000, TRUMPS]

# The phases of a match; the words are the spec's, except "dealing".
DEALING: Final = 0
PREVER: Final = 1
TALON: Final = 2
HALF: Final = 3
DISCARD: Final = 4
MONEY: Final = 5
PARTNER: Final = 6
VALAT: Final = 7
CONTRA: Final = 8
IOTE: Final = 9
PLAYING: Final = 10
OVER: Final = 11
PHASES: Final[list[Phase]] = [
    "dealing",
    "prever",
    "talon",
    "prever_talon",
    "discard",
    "moneycards",
    "partner",
    "valat",
    "contra",
    "iote",
    "play",
    "finished",
]
SECRET: Final = (MONEY, CONTRA, IOTE)
"""The phases in which nobody else may know who is asked."""

NO: Final = 0
YES: Final = 1
NAME: Final = 2
"""``NAME + n - 15`` names trump *n* (15 to 19) as the partner."""
CARD: Final = 7
"""``CARD + card`` discards or plays *card*."""
ACTIONS: Final = ActionTable([("no", []), ("yes", []), ("partner", list("56789")), ("card", CARDS)])

# The outcome for the talon card of player 2 or 3 (R6).
OPEN: Final = 0
DREW: Final = 1
OFFERED: Final = 2
GIVEN: Final = 3
RETURNED: Final = 4
GIFTS: Final[list[Gift]] = ["open", "drew", "offered", "given", "returned"]

TAKEN: Final[list[Half]] = ["T", "B", "R"]
HALVES: Final = ["", *TAKEN]
"""The half of the talon a prever player took: none yet, top, bottom, returned to top."""

MONEY_CODES: Final = "UBTR3HKP"
MONEY_VALUES: Final = [4, 2, 2, 4, 2, 2, 4, 6]
MONEY_WORDS: Final = [
    "Uni",
    "Bida",
    "Tarocky",
    "Taroky",
    "Trul",
    "Honery",
    "Rosa-Honery",
    "Rosa-Honery plus",
]
OPTIONAL_MONEY: Final[i64] = 0b11
"""Uni and Bida, which Povinnost may keep secret in a partner game."""

LEVELS: Final[list[Level]] = ["contra", "rhea", "supra"]

RULES_OPTIONS: Final = OptionTable(
    [
        Option("hands", 8, "deals in a match", low=1, high=10_000),
        Option("ace_high", False, "red suits rank K Q R J 1 4 3 2 instead of K Q R J 4 3 2 1"),
        Option(
            "prever_priority",
            "first",
            "who plays prever when several want to: the first asked, or the last",
            choices=["first", "last"],
        ),
        Option("contra_on_valat", True, "contra also multiplies a valat"),
        Option("start_chips", 100, "chips of everyone before the first deal", low=0, high=1_000_000),
        Option("chips", "", "chips of seats 0 to 3, like 100,90,110,100, instead of start_chips"),
        Option(
            "first_povinnost",
            "II",
            "Povinnost of the first deal: the holder of II (or III and so on), or a seat",
            choices=["II", "0", "1", "2", "3"],
        ),
    ]
)

TABLE_OPTIONS: Final = OptionTable(
    [
        Option("timeout", 30_000, "time for a decision, 0 for no limit", high=3_600_000, unit="ms"),
        Option("difficulty", 2, "bots on empty seats and for absent players, 0 to 5", high=5, technical=True),
        Option("bot_play_time", 0, "time a bot takes to play a card", high=60_000, unit="ms"),
        Option("bot_think_time", 0, "time a bot takes for any other decision", high=60_000, unit="ms"),
        Option("card_pause", 700, "pause before a card is shown", high=60_000, unit="ms"),
        Option("trick_pause", 1_500, "pause before the next trick", high=60_000, unit="ms"),
        Option("deal_pause", 5_000, "pause before the next deal", high=600_000, unit="ms"),
        Option(
            "secret_pause",
            2_000,
            "minimum time of contra and of the I on the end, so that the time reveals nothing",
            high=60_000,
            unit="ms",
        ),
    ]
)

BOT_OF: Final = ["random", "novice", "heuristic", "club", "expert", "expert"]
"""The bot of each difficulty: Beginner, Easy, Normal, Hard, Ruthless, AI."""

LIMIT: Final = 1_000_000_000
"""The maximum number of chips that a seat may start with, positive or negative."""


class TarokyRules:
    """The options of a match in the form that the rules use."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.options: dict[str, Value] = dict(options)
        self.hands: i64 = number_of(options, "hands")
        self.ace_high: bool = options["ace_high"] is True
        self.last_prever: bool = options["prever_priority"] == "last"
        self.contra_on_valat: bool = options["contra_on_valat"] is True
        self.chips: vec[i64] = vec[i64](read_chips(options["chips"], number_of(options, "start_chips")))
        first = options["first_povinnost"]
        self.first: i64 = int(first) if isinstance(first, str) and first != "II" else NOBODY
        """The seat that is Povinnost first, or NOBODY: the holder of II."""


RULES: Final = Latest(RULES_OPTIONS, TarokyRules)


def read_chips(text: Value, start: int) -> list[int]:
    """Return the chips of each seat before the first deal."""
    if text == "":
        return [start, start, start, start]
    words = text.split(",") if isinstance(text, str) else []
    chips: list[int] = []
    for word in words:
        digits = word.removeprefix("-")
        if not digits.isascii() or not digits.isdigit() or len(digits) > 10 or abs(int(word)) > LIMIT:
            break
        chips.append(int(word))
    if len(words) != SEATS or len(chips) != SEATS:
        raise BadOptions(
            f"option chips={text}: expected four numbers of at most {LIMIT}, like 100,90,110,100"
        )
    return chips


def names(cards: Iterable[int]) -> list[str]:
    """Return the tokens of *cards* in the order given."""
    return [CARDS[card] for card in cards]


def shown(mask: i64) -> list[str]:
    """Return the tokens of a set of cards in canonical order."""
    return [CARDS[card] for card in cards_of(mask)]


def money_names(codes: i64) -> list[str]:
    """Return the codes of a set of money cards in the order the notation writes them."""
    return [MONEY_CODES[code] for code in cards_of(codes)]


# The text form of actions in logs, which depends on the phase.

_ANSWERS: Final = {
    PREVER: ("prever no", "prever yes"),
    HALF: ("half swap", "half keep"),
    MONEY: ("money no", "money yes"),
    VALAT: ("valat no", "valat yes"),
    CONTRA: ("contra no", "contra yes"),
    IOTE: ("iote no", "iote yes"),
}
_TALON_ANSWERS: Final = ("talon pass", "talon draw")
_OFFER_ANSWERS: Final = ("talon reject", "talon accept")


def log_text(phase: int, offered: bool, action: int) -> str:
    """Return *action* as logs spell it in *phase*; *offered* if a talon card is offered to player 4."""
    if action >= CARD:
        return f"{'discard' if phase == DISCARD else 'play'} {CARDS[action - CARD]}"
    if action >= NAME:
        return ACTIONS.name(action)
    if phase == TALON:
        return _OFFER_ANSWERS[action] if offered else _TALON_ANSWERS[action]
    return _ANSWERS[phase][action]
