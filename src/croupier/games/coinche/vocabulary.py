"""Cards, denominations, contracts, actions, options and presets of Coinche.

A card is ``suit * 8 + rank`` with the suits in the order Hearts, Diamonds, Clubs, Spades and the
ranks 7 8 9 10 J Q K A, as the specification numbers and shows them; the strength of a card depends on
the contract (ranks.py). Teams are 0 (seats 0 and 2, the protocol's A) and 1 (B).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mypy_extensions import i64

from croupier.core.cards import cards_of
from croupier.core.contract import ActionTable
from croupier.core.options import BadOptions, Latest, Option, OptionTable, Value, number_of
from croupier.games.coinche.facts import Doubled, Phase, Team

SEATS: Final = 4
DECK: Final = 32
HAND: Final = 8
RANKS: Final = ["7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS: Final = ["Hearts", "Diamonds", "Clubs", "Spades"]
CARDS: Final = [rank + suit[0] for suit in SUITS for rank in RANKS]
"""Rank and first letter of the suit, as records and logs spell a card."""
CODES: Final = {name: card for card, name in enumerate(CARDS)}
CARD_WORDS: Final = [f"{rank} {suit}" for suit in SUITS for rank in RANKS]
"""A card as a player types it."""
QUEEN: Final = 5
KING: Final = 6

SUIT: Final[list[i64]] = [0xFF, 0xFF00, 0xFF0000, 0xFF000000]
WHOLE: Final[i64] = 0xFFFFFFFF

# The first dealer may be drawn too: the items of that draw follow the cards.
FIRST_SEAT: Final = DECK
DRAWN: Final = [*CARDS, *[f"seat{seat + 1}" for seat in range(SEATS)]]
PACKETS: Final = [3, 2, 3]
"""How many cards each seat gets in every round of the deal (R3.2)."""

DOUBLINGS: Final[list[Doubled]] = [0, 1, 2]
TEAMS: Final[list[Team]] = ["A", "B"]

# The phases of a match.
DEALING: Final = 0
BIDDING: Final = 1
PLAYING: Final = 2
OVER: Final = 3
PHASES: Final[list[Phase]] = ["dealing", "bidding", "playing", "over"]

# Contracts: a level and a denomination (R4.1).
LEVELS: Final = [*[str(number) for number in range(80, 170, 10)], "capot", "generale"]
CAPOT: Final = 9
GENERALE: Final = 10
DENOMINATIONS: Final = [*SUITS, "TA", "SA"]
ALL_TRUMPS: Final = 4
NO_TRUMPS: Final = 5
CONTRACTS: Final = [f"{level} {denomination}" for level in LEVELS for denomination in DENOMINATIONS]

ACTIONS: Final = ActionTable(
    [("PASS", []), ("COINCHE", []), ("SURCOINCHE", []), ("CONTRACT", CONTRACTS), ("PLAY", CARD_WORDS)]
)
"""The numbers and words of the specification's section 18."""
PASS: Final = 0
COINCHE: Final = 1
SURCOINCHE: Final = 2
CONTRACT: Final = 3
PLAY: Final = 69
KINDS: Final = 6
"""The number of denominations."""

PRESETS: Final[dict[str, dict[str, Value]]] = {
    "standard": {},
    "club": {"rounding": "nearest10", "undertrump": "free"},
    "whole": {"coinche_scope": "all", "rounding": "nearest10"},
    "announced": {"scoring": "contract_only"},
    "contree": {
        "undertrump": "free",
        "surcoinche_factor": 3,
        "belote_on_loss": "winner",
        "capot_closes": False,
        "allow_generale": False,
        "allow_ta_sa": False,
    },
}
"""The options that each preset changes; the others have their defaults."""


class CoincheOptions(OptionTable):
    """The options of the rules; ``preset`` sets several, and options given with it take precedence."""

    def read(self, raw: Mapping[str, object]) -> dict[str, Value]:
        if "preset" not in raw:
            return super().read(raw)
        name = raw["preset"]
        if not isinstance(name, str) or name not in PRESETS:
            raise BadOptions(f"preset {str(name)[:40]!r}: unknown, expected one of {', '.join(PRESETS)}")
        merged: dict[str, object] = {**PRESETS[name], **raw}
        del merged["preset"]
        return super().read(merged)


_NUMBERS: Final = LEVELS[:CAPOT]
RULES_OPTIONS: Final = CoincheOptions(
    [
        Option("target", 2000, "points that win the match", low=100, high=10_000),
        Option("first_dealer", "4", "who deals first", choices=["1", "2", "3", "4", "random"]),
        Option("min_bid", 80, "the lowest number that may be bid", choices=_NUMBERS),
        Option("max_bid", 160, "the highest number that may be bid", choices=_NUMBERS),
        Option("bid_step", 10, "numbers must be multiples of it", choices=["10", "20", "30", "40", "50"]),
        Option("allow_ta_sa", True, "all trumps (TA) and no trumps (SA) may be bid"),
        Option("allow_generale", True, "a generale may be bid: the bidder alone takes every trick"),
        Option("capot_closes", True, "a capot ends the auction at once, so that it cannot be coinched"),
        Option("generale_closes", False, "a generale ends the auction at once"),
        Option("generale_leads", False, "the bidder of a generale leads to the first trick"),
        Option(
            "undertrump",
            "forced",
            "a player who cannot overtrump an opponent must still trump, or may play any card",
            choices=["forced", "free"],
        ),
        Option(
            "undertrump_partner",
            "free",
            "a trump below the partner's winning one: always allowed, or only if you cannot go over it",
            choices=["free", "never_if_able"],
        ),
        Option(
            "ta_values",
            "14-9-6-5-3-1",
            "points of J 9 A 10 K Q in all trumps",
            choices=["14-9-6-5-3-1", "13-9-6-5-3-2"],
        ),
        Option("ta_belote", True, "king and queen of any suit are a belote in all trumps"),
        Option("belote_for_contract", True, "a belote helps to make the contract"),
        Option(
            "belote_on_loss",
            "keep",
            "belotes of a failed or coinched contract: kept, or given to the winner of the deal",
            choices=["keep", "winner"],
        ),
        Option(
            "scoring",
            "points_plus_contract",
            "what is scored: points and contract, or the contract only",
            choices=["points_plus_contract", "contract_only"],
        ),
        Option(
            "rounding",
            "none",
            "points are rounded to tens before they are scored, a 5 up or down",
            choices=["none", "nearest10", "nearest10_down5"],
        ),
        Option(
            "coinche_scope",
            "contract",
            "what a coinche multiplies: the contract, or the points too",
            choices=["contract", "all"],
        ),
        Option("coinche_factor", 2, "the factor of a coinche", low=1, high=16),
        Option("surcoinche_factor", 4, "the factor of a surcoinche", low=1, high=16),
        Option("capot_value", 250, "what a capot is worth", low=100, high=2000),
        Option("generale_value", 500, "what a generale is worth", low=100, high=2000),
        Option("total", 162, "points scored for a failed or coinched contract", low=100, high=1000),
        Option("total_all_tricks", 252, "points of a team that takes every trick", low=100, high=1000),
        Option("eighty_needs_82", False, "a contract of 80 needs 82 points"),
        Option("must_beat_defence", False, "a number is made only with more points than the other team"),
    ]
)


class CoincheRules:
    """The options of a match in the form that the rules use."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.options: dict[str, Value] = dict(options)
        self.target: i64 = number_of(options, "target")
        first = options["first_dealer"]
        self.first_dealer: i64 = -1
        """The seat that deals first, or -1 if it is drawn."""
        if isinstance(first, str) and first != "random":
            self.first_dealer = int(first) - 1
        self.min_bid: i64 = number_of(options, "min_bid")
        self.max_bid: i64 = number_of(options, "max_bid")
        self.bid_step: i64 = number_of(options, "bid_step")
        self.generale: bool = options["allow_generale"] is True
        self.kinds: i64 = KINDS if options["allow_ta_sa"] is True else len(SUITS)
        """The number of denominations that may be bid, the suits first."""
        self.levels: i64 = 1 << CAPOT
        """The levels that these options allow, as a mask."""
        for level in range(CAPOT):
            if self.number_fits(80 + 10 * level):
                self.levels |= 1 << level
        if self.generale:
            self.levels |= 1 << GENERALE
        self.capot_closes: bool = options["capot_closes"] is True
        self.generale_closes: bool = options["generale_closes"] is True
        self.generale_leads: bool = options["generale_leads"] is True
        self.undertrump_free: bool = options["undertrump"] == "free"
        self.partner_strict: bool = options["undertrump_partner"] == "never_if_able"
        self.small_jack: bool = options["ta_values"] == "13-9-6-5-3-2"
        self.ta_belote: bool = options["ta_belote"] is True
        self.belote_helps: bool = options["belote_for_contract"] is True
        self.belote_moves: bool = options["belote_on_loss"] == "winner"
        self.contract_only: bool = options["scoring"] == "contract_only"
        self.rounds: bool = options["rounding"] != "none"
        self.five_up: bool = options["rounding"] == "nearest10"
        self.multiplies_all: bool = options["coinche_scope"] == "all"
        self.coinche_factor: i64 = number_of(options, "coinche_factor")
        self.surcoinche_factor: i64 = number_of(options, "surcoinche_factor")
        self.capot_value: i64 = number_of(options, "capot_value")
        self.generale_value: i64 = number_of(options, "generale_value")
        self.total: i64 = number_of(options, "total")
        self.total_all: i64 = number_of(options, "total_all_tricks")
        self.eighty_needs_82: bool = options["eighty_needs_82"] is True
        self.must_beat: bool = options["must_beat_defence"] is True

    def number_fits(self, number: i64) -> bool:
        """Return True if *number* may be bid."""
        return self.min_bid <= number <= self.max_bid and number % self.bid_step == 0

    def value(self, level: i64) -> i64:
        """Return the value of a contract of *level* (R8.1)."""
        if level == CAPOT:
            return self.capot_value
        return self.generale_value if level == GENERALE else 80 + 10 * level

    def factor(self, doubled: i64) -> i64:
        """Return the factor of a contract that was coinched (1), surcoinched (2) or neither (0)."""
        if doubled == 0:
            return 1
        return self.coinche_factor if doubled == 1 else self.surcoinche_factor


RULES: Final = Latest(RULES_OPTIONS, CoincheRules)


_MS: Final = 600_000
TABLE_OPTIONS: Final = OptionTable(
    [
        Option("bid_seconds", 60, "time to speak in the auction, 0 for no limit", high=3600, unit="s"),
        Option("play_seconds", 60, "time to play a card, 0 for no limit", high=3600, unit="s"),
        Option(
            "warn_seconds", 15, "how long before the end of the time the clock warns", high=3600, unit="s"
        ),
        Option(
            "grace_seconds",
            120,
            "a bot plays for a disconnected player after this time",
            high=86_400,
            unit="s",
        ),
        Option("max_auto", 3, "late answers in a row that give the seat to a bot", low=1, high=1000),
        Option(
            "fill_bots_seconds", 0, "bots take empty seats after this time, 0: never", high=86_400, unit="s"
        ),
        Option("rematch_seconds", 10, "pause before the next match at the table", high=3600, unit="s"),
        Option("on_quit", "bot", "if a player quits: a bot takes over, or the match stops", ["bot", "abort"]),
        Option("hints", True, "tell the player to act what is allowed", technical=True),
        Option(
            "resume",
            "name",
            "what a player needs to return after a lost connection",
            choices=["name", "token"],
            technical=True,
        ),
        Option("call_pause", 0, "pause before each call of the auction", high=_MS, unit="ms"),
        Option("card_pause", 0, "pause before each card", high=_MS, unit="ms"),
        Option("trick_pause", 0, "how long a whole trick is shown", high=_MS, unit="ms"),
        Option("deal_pause", 0, "pause between deals", high=_MS, unit="ms"),
    ]
)


def names(cards: Sequence[int]) -> list[str]:
    """Return the codes of *cards* in the order given."""
    return [CARDS[card] for card in cards]


def shown(mask: i64) -> list[str]:
    """Return the codes of a set of cards in display order: by suit, 7 to A."""
    return [CARDS[card] for card in cards_of(mask)]


def contract_words(level: int, denomination: int) -> str:
    """Return a contract as the protocol writes it, like ``110 Hearts``."""
    return CONTRACTS[level * KINDS + denomination]


def deck_of(hands: Sequence[Sequence[int]], dealer: int) -> list[int]:
    """Return a deck, top first, from which *dealer* deals these *hands* in packets (R3.2)."""
    deck: list[int] = []
    at = 0
    for packet in PACKETS:
        for i in range(1, SEATS + 1):
            deck += hands[(dealer + i) % SEATS][at : at + packet]
        at += packet
    return deck


def hands_of(deck: Sequence[int], dealer: int) -> list[list[int]]:
    """Return what each seat gets when *dealer* deals *deck* in packets (R3.2)."""
    hands: list[list[int]] = [[], [], [], []]
    at = 0
    for packet in PACKETS:
        for i in range(1, SEATS + 1):
            hands[(dealer + i) % SEATS] += deck[at : at + packet]
            at += packet
    return hands
