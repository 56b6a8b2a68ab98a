"""The twelve contracts as a table (R5), and the auction (R4)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.games.tarock.vocabulary import CONTRACT_NAMES

KLOP: Final = 0
THREE: Final = 1
TWO: Final = 2
ONE: Final = 3
SOLO_THREE: Final = 4
SOLO_TWO: Final = 5
SOLO_ONE: Final = 6
BEGGAR: Final = 7
SOLO_WITHOUT: Final = 8
OPEN_BEGGAR: Final = 9
COLOR_VALAT: Final = 10
VALAT: Final = 11
MANY: Final = 12

# The aim of declarer's side.
FEW: Final = 0
"""Everyone plays alone for few points."""
POINTS: Final = 1
"""36 of the 70 points."""
NONE: Final = 2
"""Not a single trick."""
ALL: Final = 3
"""Every trick."""


class Contract:
    """One contract; its number is its place in the bidding order."""

    def __init__(
        self, number: int, value: int, king: bool, talon: int, declarer_leads: bool, aim: int, bonuses: bool
    ) -> None:
        self.number = number
        self.name = CONTRACT_NAMES[number]
        self.value: i64 = value
        self.king = king
        """Whether declarer calls a king."""
        self.talon: i64 = talon
        """How many cards declarer takes from the talon."""
        self.declarer_leads = declarer_leads
        self.aim = aim
        self.bonuses = bonuses
        """Whether bonuses and the difference count."""
        self.negative = aim in (FEW, NONE)
        """Whether the obligations of negative contracts apply in the play (R10)."""
        self.radelc = number == KLOP or number >= BEGGAR
        """Whether everyone gets a radelc for it (R13)."""


CONTRACTS: Final = [
    #        number, value, king, talon, declarer leads, aim, bonuses
    Contract(KLOP, 70, False, 0, False, FEW, False),
    Contract(THREE, 10, True, 3, False, POINTS, True),
    Contract(TWO, 20, True, 2, False, POINTS, True),
    Contract(ONE, 30, True, 1, False, POINTS, True),
    Contract(SOLO_THREE, 40, False, 3, False, POINTS, True),
    Contract(SOLO_TWO, 50, False, 2, False, POINTS, True),
    Contract(SOLO_ONE, 60, False, 1, False, POINTS, True),
    Contract(BEGGAR, 70, False, 0, True, NONE, False),
    Contract(SOLO_WITHOUT, 80, False, 0, True, POINTS, False),
    Contract(OPEN_BEGGAR, 90, False, 0, True, NONE, False),
    Contract(COLOR_VALAT, 125, False, 0, True, ALL, False),
    Contract(VALAT, 500, False, 0, True, ALL, False),
]


def outranks(seat: i64, other: i64, forehand: i64) -> bool:
    """Return True if *seat* has priority over *other*: forehand has the highest, the dealer the lowest."""
    return (seat - forehand) & 3 < (other - forehand) & 3


def left_alone(speaker: i64, passed: i64) -> bool:
    """Return True if the three others have passed."""
    return passed | 1 << speaker == 0b1111


def lowest_bid(forehand: i64, speaker: i64, passed: i64, high: i64, holder: i64, compulsory: bool) -> i64:
    """Return the lowest contract *speaker* may bid now, MANY if there is none; all higher ones are legal too.

    *high* is the highest bid so far, made by *holder*, or -1 while nobody has bid.
    """
    if high < 0:
        if compulsory:
            return SOLO_WITHOUT
        return KLOP if left_alone(speaker, passed) else TWO  # R4.4, R4.2
    if speaker == holder or outranks(speaker, holder, forehand):
        return high  # R4.3, holding
    return high + 1


def may_pass(speaker: i64, passed: i64, high: i64, compulsory: bool) -> bool:
    """Return True if *speaker* may pass: the last seat that has not passed may not (R4.3)."""
    return not left_alone(speaker, passed) or (compulsory and high < 0)


def next_speaker(seat: i64, passed: i64) -> i64:
    """Return the next seat after *seat* that has not passed."""
    following = (seat + 1) & 3
    while passed >> following & 1 and following != seat:
        following = (following + 1) & 3
    return following
