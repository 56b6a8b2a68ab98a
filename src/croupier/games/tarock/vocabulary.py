"""Cards, phases, actions and options of Slovenian Tarock.

A card's number is its place in the spec's canonical order: clubs, spades, hearts and diamonds from
the weakest to the king, eight each, then the tarocks from the pagat (32) to the škis (53). Within a
suit a higher number is always a stronger card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from mypy_extensions import i64

from croupier.core.cards import cards_of
from croupier.core.contract import ActionTable
from croupier.core.options import BadOptions, Latest, Option, OptionTable, Value, number_of
from croupier.games.tarock.facts import Phase, Suit

SEATS: Final = 4
DECK: Final = 54
HAND: Final = 12
TRICKS: Final = 12
NOBODY: Final = -1

SUITS: Final[list[Suit]] = ["C", "S", "H", "D"]
SUIT_WORDS: Final = ["clubs", "spades", "hearts", "diamonds", "tarocks"]
_BLACK: Final = ["7", "8", "9", "10", "J", "N", "Q", "K"]
_RED: Final = ["4", "3", "2", "1", "J", "N", "Q", "K"]
CARDS: Final = (
    [suit + rank for suit in "CS" for rank in _BLACK]
    + [suit + rank for suit in "HD" for rank in _RED]
    + [f"T{number}" for number in range(1, 22)]
    + ["TS"]
)
CODES: Final = {name: card for card, name in enumerate(CARDS)}

PAGAT: Final = 32
MOND: Final = 52
SKIS: Final = 53

WHOLE: Final[i64] = 0x3FFFFFFFFFFFFF
TAROCKS: Final[i64] = 0x3FFFFF00000000
KINGS: Final[i64] = 0x80808080
QUEENS: Final[i64] = 0x40404040
KNIGHTS: Final[i64] = 0x20202020
JACKS: Final[i64] = 0x10101010
PLAIN: Final[i64] = 0x7F7F7F7F
"""The cards that may always be discarded: neither tarocks nor kings."""
TRULA: Final[i64] = 0x30000100000000
"""The pagat, the mond and the škis."""
PAGAT_BIT: Final[i64] = 0x100000000
MOND_BIT: Final[i64] = 0x10000000000000
SKIS_BIT: Final[i64] = 0x20000000000000
SUIT: Final[list[i64]] = [0xFF, 0xFF00, 0xFF0000, 0xFF000000, 0x3FFFFF00000000]

# The phases of a match.
DEALING: Final = 0
BIDDING: Final = 1
CALLING: Final = 2
EXCHANGING: Final = 3
ANNOUNCING: Final = 4
PLAYING: Final = 5
OVER: Final = 6
PHASES: Final[list[Phase]] = ["dealing", "bidding", "calling", "exchanging", "announcing", "playing", "over"]

CONTRACT_NAMES: Final = [
    "klop",
    "three",
    "two",
    "one",
    "solo_three",
    "solo_two",
    "solo_one",
    "beggar",
    "solo_without",
    "open_beggar",
    "color_valat",
    "valat",
]
"""The contracts in bidding order; contracts.py defines them."""
BONUSES: Final = ["trula", "kings", "kings_ultimo", "pagat_ultimo", "valat"]
ITEMS: Final = ["game", *BONUSES]
"""The items that can be doubled; a bonus's item has the bonus's number plus one."""
B_TRULA: Final = 0
B_KINGS: Final = 1
B_KING: Final = 2
B_PAGAT: Final = 3
B_VALAT: Final = 4
SILENT: Final = [10, 10, 10, 25, 250]
ANNOUNCED: Final = [20, 20, 20, 50, 500]

ACTIONS: Final = ActionTable(
    [
        ("play", CARDS),
        ("bid", ["pass", *CONTRACT_NAMES]),
        ("call", [*SUITS]),
        ("take", ["0", "1", "2", "3", "4", "5"]),
        ("discard", CARDS),
        ("announce", BONUSES),
        ("kontra", ITEMS),
        ("done", []),
    ]
)
BID: Final = 54
"""The action of passing; contract ``c`` is bid by ``BID + 1 + c``."""
CALL: Final = 67
TAKE: Final = 71
DISCARD: Final = 77
ANNOUNCE: Final = 131
KONTRA: Final = 136
DONE: Final = 142

PRESETS: Final[dict[str, dict[str, Value]]] = {
    "standard": {},
    "exact": {
        "rounding": 1,
        "mond_penalty": 21,
        "radelc_end": 40,
        "discard_tarocks": "free",
        "silent_ultimo_penalty": False,
        "open_beggar_reveal": "at_start",
    },
    "openspiel": {"rounding": 1, "announcements": False, "radelci": False, "deals": 1},
}


class TarockOptions(OptionTable):
    """The options of Tarock; ``preset`` sets several, and options given with it take precedence.

    The preset itself is not stored: it is replaced by the options it sets, so that the stored options
    are complete.
    """

    def read(self, raw: Mapping[str, object]) -> dict[str, Value]:
        """Return the value of every option: as given, from the preset, or the default."""
        if "preset" not in raw:
            return super().read(raw)
        name = raw["preset"]
        if not isinstance(name, str) or name not in PRESETS:
            raise BadOptions(f"option preset={name!r}: expected one of {', '.join(PRESETS)}")
        whole: dict[str, object] = dict(PRESETS[name])
        whole.update({key: value for key, value in raw.items() if key != "preset"})
        return super().read(whole)


RULES_OPTIONS: Final = TarockOptions(
    [
        Option("deals", 12, "deals in a match", low=1, high=1000),
        Option("rounding", 5, "rounding of the difference and of klop points", choices=["5", "1"]),
        Option("mond_penalty", 20, "the cost of losing the mond to the škis", choices=["20", "21", "0"]),
        Option(
            "discard_tarocks",
            "forced",
            "discarding tarocks: only when nothing else is left, or freely (but shown)",
            choices=["forced", "free"],
        ),
        Option(
            "solo_without",
            "flat",
            "solo without talon: 80 flat, or with difference and bonuses",
            choices=["flat", "difference"],
        ),
        Option("announcements", True, "bonuses may be announced before the play"),
        Option("silent_ultimo_penalty", True, "losing an unannounced ultimo costs its silent value"),
        Option("kontra", False, "the game and announced bonuses may be doubled"),
        Option("kontra_max", 16, "the highest factor of doubling", choices=["2", "4", "8", "16"]),
        Option("radelci", True, "high contracts give everyone a radelc, which doubles a later game"),
        Option("radelc_end", 100, "the cost of each radelc left at the end", choices=["100", "40", "0"]),
        Option("radelc_klop", False, "in klop a player's radelc doubles their score"),
        Option(
            "compulsory_klop",
            False,
            "after a total of exactly 0 or a void deal: solo without or higher, else klop",
        ),
        Option("final_raise", True, "the last player in the auction is asked once more and may bid higher"),
        Option(
            "open_beggar_reveal",
            "after_first_trick",
            "when the hand of an open beggar is shown",
            choices=["after_first_trick", "at_start"],
        ),
        Option("partner_share", "full", "the partner's share of declarer's score", choices=["full", "half"]),
        Option("valat_value", 500, "the value of a valat that was bid", choices=["500", "250"]),
    ]
)

TABLE_OPTIONS: Final = OptionTable(
    [
        Option(
            "turn_timeout_ms",
            30_000,
            "time for one decision, 0 for no limit",
            low=0,
            high=3_600_000,
            unit="ms",
        ),
        Option("call_pause_ms", 0, "pause before a bid, call or announcement", low=0, high=10_000, unit="ms"),
        Option("card_pause_ms", 0, "pause before a card", low=0, high=10_000, unit="ms"),
        Option("trick_pause_ms", 0, "pause after a trick", low=0, high=10_000, unit="ms"),
        Option("deal_pause_ms", 3_000, "pause between score and next deal", low=0, high=60_000, unit="ms"),
    ]
)


class TarockRules:
    """The options of a match in the form that the rules use."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.options: dict[str, Value] = dict(options)
        self.deals: i64 = number_of(options, "deals")
        self.rounding: i64 = number_of(options, "rounding")
        self.mond_penalty: i64 = number_of(options, "mond_penalty")
        self.free_discards: bool = options["discard_tarocks"] == "free"
        self.rich_without: bool = options["solo_without"] == "difference"
        self.announcements: bool = options["announcements"] is True
        self.ultimo_costs: bool = options["silent_ultimo_penalty"] is True
        self.kontra: bool = options["kontra"] is True
        self.steps: i64 = {2: 1, 4: 2, 8: 3, 16: 4}[number_of(options, "kontra_max")]
        """How many times an item can be doubled."""
        self.radelci: bool = options["radelci"] is True
        self.radelc_end: i64 = number_of(options, "radelc_end")
        self.radelc_klop: bool = options["radelc_klop"] is True
        self.compulsory_klop: bool = options["compulsory_klop"] is True
        self.final_raise: bool = options["final_raise"] is True
        self.shown_at_start: bool = options["open_beggar_reveal"] == "at_start"
        self.half_share: bool = options["partner_share"] == "half"
        self.valat_value: i64 = number_of(options, "valat_value")


RULES: Final = Latest(RULES_OPTIONS, TarockRules)


def names(cards: Iterable[int]) -> list[str]:
    """Return the codes of *cards* in the order given."""
    return [CARDS[card] for card in cards]


def shown(mask: i64) -> list[str]:
    """Return the codes of a set of cards in canonical order."""
    return [CARDS[card] for card in cards_of(mask)]


def of_mask(words: list[str], mask: int) -> list[str]:
    """Return those of *words* whose bit is set in *mask*."""
    return [word for number, word in enumerate(words) if mask >> number & 1]


def seat_or_none(seat: int) -> int | None:
    """Return *seat* as messages spell it: null for nobody."""
    return seat if seat >= 0 else None
