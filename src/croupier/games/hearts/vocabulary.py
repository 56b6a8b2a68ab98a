"""Cards, phases, actions and options of Hearts.

A card is ``suit * 13 + rank`` with the suits in the order D, C, H, S, so that the spec's display
order (S, H, C, D, high to low) is descending.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from mypy_extensions import i64

from croupier.core.cards import cards_of
from croupier.core.contract import ActionTable
from croupier.core.options import Latest, Option, OptionTable, Value, number_of
from croupier.games.hearts.facts import Direction, Phase

SEATS: Final = 4
NOBODY: Final = -1
DECK: Final = 52
RANKS: Final = "23456789TJQKA"
SUITS: Final = "DCHS"
CARDS: Final = [rank + suit for suit in SUITS for rank in RANKS]
CODES: Final = {name: card for card, name in enumerate(CARDS)}
SUIT_WORDS: Final = ["diamonds", "clubs", "hearts", "spades"]

HEART: Final = 2
TWO_OF_CLUBS: Final = 13
TEN_OF_CLUBS: Final = 21
ACE_OF_HEARTS: Final = 38
QUEEN_OF_SPADES: Final = 49

SUIT: Final[list[i64]] = [0x1FFF, 0x1FFF << 13, 0x1FFF << 26, 0x1FFF << 39]
WHOLE: Final[i64] = 0xFFFFFFFFFFFFF
HEARTS: Final[i64] = 0x7FFC000000
QUEEN: Final[i64] = 0x2000000000000
PENALTY: Final[i64] = 0x2007FFC000000
"""The 13 hearts and QS."""
SCORE: Final[i64] = 0x2007FFC200000
"""The penalty cards and TC."""

# The phases of a match.
DEALING: Final = 0
PASSING: Final = 1
EXPOSING: Final = 2
PLAYING: Final = 3
OVER: Final = 4
PHASES: Final[list[Phase]] = ["dealing", "passing", "exposing", "playing", "over"]

ACTIONS: Final = ActionTable([("play", CARDS), ("pass", CARDS), ("expose", ["AH"]), ("keep", ["AH"])])
PASS: Final = 52
EXPOSE: Final = 104
KEEP: Final = 105

STEPS: Final[dict[Direction, int]] = {"left": 1, "right": 3, "across": 2, "none": 0}
"""How many seats clockwise a packet travels, by direction (R5)."""

RULES_OPTIONS: Final = OptionTable(
    [
        Option("deals", 4, "deals in a game", low=1, high=16),
        Option(
            "target",
            0,
            "a match of one game also ends when a player has this many penalty points, 0: never",
            low=10,
            high=1000,
            or_zero=True,
        ),
        Option(
            "pass_sequence",
            ["left", "right", "across", "none"],
            "the direction in which each deal's three cards are passed, repeated",
            choices=["left", "right", "across", "none"],
            low=1,
            high=16,
        ),
        Option("expose", True, "the holder of the ace of hearts may show it: hearts then count double"),
        Option("ten_of_clubs", True, "the ten of clubs doubles the points of the player who takes it"),
        Option(
            "moon",
            "plus4",
            "taking all penalty cards: gain four times their points, or let the others pay",
            choices=["plus4", "zero"],
        ),
        Option(
            "first_round_points",
            "forbid",
            "hearts and the queen of spades in the first round",
            choices=["forbid", "allow"],
        ),
        Option("qs_breaks_hearts", False, "the queen of spades breaks hearts too"),
        Option("match_games", 4, "games in a match, at rotating positions", choices=["1", "2", "4"]),
        Option(
            "match_decks",
            "fresh",
            "later games of a match: new cards, or those of the first game one position on",
            choices=["fresh", "duplicate"],
        ),
    ]
)


class HeartsRules:
    """The options of a match in the form that the rules use."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.options: dict[str, Value] = dict(options)
        self.deals: i64 = number_of(options, "deals")
        self.games: i64 = number_of(options, "match_games")
        self.target: i64 = number_of(options, "target") if self.games == 1 else 0
        self.directions: list[Direction] = _directions(options)
        self.steps: list[int] = [STEPS[direction] for direction in self.directions]
        self.expose: bool = options["expose"] is True
        self.ten_of_clubs: bool = options["ten_of_clubs"] is True
        self.moon_pays: bool = options["moon"] == "plus4"
        self.clean_start: bool = options["first_round_points"] == "forbid"
        self.queen_breaks: bool = options["qs_breaks_hearts"] is True
        self.duplicate: bool = options["match_decks"] == "duplicate"

    def direction(self, deal: int) -> Direction:
        """Return where the packets of deal *deal* (from 1) go."""
        return self.directions[(deal - 1) % len(self.directions)]


RULES: Final = Latest(RULES_OPTIONS, HeartsRules)


def _directions(options: Mapping[str, Value]) -> list[Direction]:
    words = options["pass_sequence"]
    assert isinstance(words, list), words
    return [direction for word in words for direction in STEPS if direction == word]


_MS: Final = 600_000
TABLE_OPTIONS: Final = OptionTable(
    [
        Option(
            "count_timeouts",
            "all",
            "which late answers are counted",
            choices=["all", "turns"],
            technical=True,
        ),
        Option(
            "wire_profile",
            "compat",
            "compat sends roundCard before a player's turn too, doc omits it",
            choices=["compat", "doc"],
            technical=True,
        ),
        Option("pass_cards_timeout", 3000, "time to pass, for programs, 0 is none", high=_MS, unit="ms"),
        Option("expose_cards_timeout", 3000, "time to expose, for programs, 0 is none", high=_MS, unit="ms"),
        Option(
            "pick_card_timeout", 1000, "time to play a card, for programs, 0 is none", high=_MS, unit="ms"
        ),
        Option("human_pass_timeout", 60000, "time to pass, for people, 0 is none", high=_MS, unit="ms"),
        Option("human_expose_timeout", 30000, "time to expose, for people, 0 is none", high=_MS, unit="ms"),
        Option(
            "human_pick_timeout", 30000, "time to play a card, for people, 0 is none", high=_MS, unit="ms"
        ),
        Option("command_interval", 500, "pause between commands", high=_MS, unit="ms"),
        Option("round_interval", 2000, "pause between rounds", high=_MS, unit="ms"),
        Option("deal_interval", 2000, "pause between deals", high=_MS, unit="ms"),
        Option(
            "game_interval",
            1000,
            "minimum pause before a game that starts automatically; deal_interval if that is longer",
            high=_MS,
            unit="ms",
        ),
    ]
)


def names(cards: Iterable[int]) -> list[str]:
    """Return the codes of *cards* in the order given."""
    return [CARDS[card] for card in cards]


def shown(mask: i64) -> list[str]:
    """Return the codes of a set of cards in display order."""
    return [CARDS[card] for card in reversed(cards_of(mask))]
