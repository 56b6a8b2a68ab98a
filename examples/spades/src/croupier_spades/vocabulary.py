"""Cards, phases, actions and options of Spades."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import cards_of
from croupier.core.contract import ActionTable
from croupier.core.options import Option, OptionTable

SEATS: Final = 4
HAND: Final = 13
DECK: Final = 52
SUITS: Final = "DCHS"
RANKS: Final = "23456789TJQKA"
CARDS: Final = [rank + suit for suit in SUITS for rank in RANKS]
"""A card's number is 13 times its suit plus its rank; spades are the last suit."""
SUIT: Final[list[int]] = [0x1FFF << 13 * suit for suit in range(4)]
SPADES: Final[i64] = 0x1FFF << 39

DEALING: Final = 0
BIDDING: Final = 1
PLAYING: Final = 2
OVER: Final = 3
PHASES: Final = ["dealing", "bidding", "playing", "over"]

BID: Final = 0
PLAY: Final = 14
ACTIONS: Final = ActionTable([("bid", [str(number) for number in range(14)]), ("play", CARDS)])
"""``bid 0`` is nil."""

FLOOR: Final = -200
RULES_OPTIONS: Final = OptionTable(
    [
        Option("target", 500, "Points that end the match", low=50, high=1000),
        Option("sandbags", True, "Every ten bags cost 100 points"),
        Option("nil", True, "A player may bid nil: no trick at all"),
    ]
)
TABLE_OPTIONS: Final = OptionTable(
    [
        Option("turn_seconds", 60, "Time for a decision, 0 for no limit", low=0, high=600, unit="s"),
        Option("card_pause", 0, "Pause after a card or a bid", low=0, high=10_000, unit="ms"),
        Option("trick_pause", 0, "Pause after a trick", low=0, high=10_000, unit="ms"),
        Option("deal_pause", 0, "Pause after a deal", low=0, high=60_000, unit="ms"),
    ]
)


def shown(mask: i64) -> list[str]:
    """Return the cards of *mask*, lowest first."""
    return [CARDS[card] for card in cards_of(mask)]


def names(cards: list[int]) -> list[str]:
    return [CARDS[card] for card in cards]
