"""The declared types of what the house protocol tells of a match: events, and the facts of a view."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.core.options import Value

Phase: TypeAlias = Literal["dealing", "bidding", "calling", "exchanging", "announcing", "playing", "over"]
Suit: TypeAlias = Literal["C", "S", "H", "D"]


class Trick(msgspec.Struct, frozen=True):
    """A finished trick, in klop with the talon card that its winner got."""

    leader: int
    cards: list[str]
    winner: int
    gift: str | None


class Turn(msgspec.Struct, frozen=True):
    """A seat's turn to announce: its bonuses and the items it doubled."""

    seat: int
    bonuses: list[str]
    kontras: list[str]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a deal's score: it includes kontra, not the radelc."""

    item: str
    """``game``, or a bonus."""
    value: int | UnsetType = UNSET
    """This and *difference* only for the game."""
    difference: int | UnsetType = UNSET
    announced: bool | UnsetType = UNSET
    """This, *by* and *made* only for a bonus."""
    by: int | UnsetType | None = UNSET
    made: bool | UnsetType = UNSET
    kontra: int
    score: int


class Bid(msgspec.Struct, frozen=True):
    """A bid of the auction."""

    seat: int
    bid: str
    """A contract, or ``pass``."""


class Bonus(msgspec.Struct, frozen=True):
    """A bonus that a seat has announced."""

    seat: int
    bonus: str


class DealResult(msgspec.Struct, frozen=True):
    """The result of one deal."""

    contract: str
    declarer: int
    partner: int | None
    king: Suit | None
    """The suit of the king that was called."""
    won: bool | None
    """Whether declarer won the contract; None in klop."""
    points: list[int]
    """The declarer's side and the defenders; every seat in klop; empty if tricks decide."""
    lines: list[Line]
    doubled: list[int]
    """The seats whose own radelc has doubled the deal."""
    mond: list[int]
    scores: list[int]
    radelci: list[int]
    """After the deal."""


# Events.


class MatchStarted(msgspec.Struct, frozen=True, tag="match_started", tag_field="kind"):
    """The match begins."""

    options: dict[str, Value]
    """The rules of the match, with every option."""


class DealStarted(msgspec.Struct, frozen=True, tag="deal_started", tag_field="kind"):
    """Deal *deal* (from 1) begins, with everyone's totals and radelci so far."""

    deal: int
    dealer: int
    forehand: int
    totals: list[int]
    radelci: list[int]
    compulsory: bool
    """Whether klop is played unless a player bids solo without or higher (option)."""


class Dealt(msgspec.Struct, frozen=True, tag="dealt", tag_field="kind"):
    """A seat's 12 cards."""

    seat: int
    cards: list[str]


class BiddingStarted(msgspec.Struct, frozen=True, tag="bidding_started", tag_field="kind"):
    """Forehand is deemed to have bid *contract*; *next* bids first."""

    seat: int
    contract: str
    next: int


class Spoke(msgspec.Struct, frozen=True, tag="spoke", tag_field="kind"):
    """A seat has bid a contract or passed; *next* is asked now, nobody if the auction is over."""

    seat: int
    bid: str
    next: int | None


class BiddingEnded(msgspec.Struct, frozen=True, tag="bidding_ended", tag_field="kind"):
    """*seat* is the declarer of *contract*."""

    seat: int
    contract: str


class CallingStarted(msgspec.Struct, frozen=True, tag="calling_started", tag_field="kind"):
    """*seat* is to call a king."""

    seat: int


class KingCalled(msgspec.Struct, frozen=True, tag="king_called", tag_field="kind"):
    """*seat* has called the king of *suit*; only its holder knows who has it."""

    seat: int
    suit: Suit


class ExchangeStarted(msgspec.Struct, frozen=True, tag="exchange_started", tag_field="kind"):
    """The talon is turned up in sets of *count* cards; *seat* takes a set and discards as many cards."""

    seat: int
    talon: list[list[str]]
    count: int


class SetTaken(msgspec.Struct, frozen=True, tag="set_taken", tag_field="kind"):
    """*seat* has taken set *picked* (from 0) into its hand."""

    seat: int
    picked: int


class LaidAway(msgspec.Struct, frozen=True, tag="laid_away", tag_field="kind"):
    """A card that a seat has discarded, in secret."""

    seat: int
    card: str


class ExchangeEnded(msgspec.Struct, frozen=True, tag="exchange_ended", tag_field="kind"):
    """All discards are made; the tarocks among them are shown."""

    seat: int
    picked: int
    discarded: list[str]


class AnnouncingStarted(msgspec.Struct, frozen=True, tag="announcing_started", tag_field="kind"):
    """*next* is to announce first."""

    next: int


class Claimed(msgspec.Struct, frozen=True, tag="claimed", tag_field="kind"):
    """A bonus or an item to double that a seat has chosen in its unfinished turn to announce."""

    seat: int
    bonus: str | None
    kontra: str | None


class Announced(msgspec.Struct, frozen=True, tag="announced", tag_field="kind"):
    """A seat has announced *bonuses* and doubled *kontras*; *next* is asked now, or nobody."""

    seat: int
    bonuses: list[str]
    kontras: list[str]
    next: int | None


class AnnouncingEnded(msgspec.Struct, frozen=True, tag="announcing_ended", tag_field="kind"):
    """The announcements are over."""


class HandShown(msgspec.Struct, frozen=True, tag="hand_shown", tag_field="kind"):
    """The hand of an open beggar's declarer is shown."""

    seat: int
    cards: list[str]


class PlayStarted(msgspec.Struct, frozen=True, tag="play_started", tag_field="kind"):
    """*leader* leads to the first trick."""

    leader: int


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="kind"):
    """A seat has played a card; the fourth one ends the trick."""

    seat: int
    card: str
    next: int | None
    """The seat that plays next; None if the deal is over."""
    winner: int | None
    """The seat that has won the trick; None if it is not finished."""
    gift: str | None
    """The talon card that went to the winner in klop."""


class DealEnded(DealResult, frozen=True, tag="deal_ended", tag_field="kind"):
    """The deal is scored and every card is shown."""

    deal: int
    totals: list[int]
    discards: list[str]
    talon_rest: list[str]
    """The cards of an open talon that declarer did not take, in order."""
    hands: list[list[str]]
    """The 12 cards dealt to each seat."""
    talon: list[str]


class MatchEnded(msgspec.Struct, frozen=True, tag="match_ended", tag_field="kind"):
    """The last deal is scored: *final* are the totals minus the cost of the remaining radelci."""

    totals: list[int]
    radelci: list[int]
    final: list[int]
    ranking: list[list[int]]
    """The seats from the best to the worst, those with equal scores together."""


EVENTS: Final = (
    MatchStarted,
    DealStarted,
    Dealt,
    BiddingStarted,
    Spoke,
    BiddingEnded,
    CallingStarted,
    KingCalled,
    ExchangeStarted,
    SetTaken,
    LaidAway,
    ExchangeEnded,
    AnnouncingStarted,
    Claimed,
    Announced,
    AnnouncingEnded,
    HandShown,
    PlayStarted,
    Played,
    DealEnded,
    MatchEnded,
)


class Facts(msgspec.Struct, frozen=True):
    """What a seat knows. Seats are 0 to 3 in playing order; the dealer moves on with every deal."""

    phase: Phase
    deal: int
    dealer: int | None
    forehand: int | None
    compulsory: bool
    turn: int | None
    """The seat to act, which is public in this game."""
    dealt: list[str]
    hand: list[str]
    my_discards: list[str]
    """The seat's discards, in the order named."""
    claimed: list[str]
    """The bonuses chosen in the seat's unfinished turn."""
    raised: list[str]
    """The items chosen to double in it."""
    standing: str | None
    bids: list[Bid]
    """All bids, without forehand's standing bid."""
    contract: str | None
    declarer: int | None
    king: Suit | None
    """The suit that was called."""
    partner: int | None
    partner_known: bool
    opponents: list[int]
    talon: list[list[str]]
    """The talon, if it was turned up."""
    count: int
    """How many cards are exchanged."""
    picked: int | None
    layable: list[list[str]]
    """For each set the possible discards, while this seat is choosing a set."""
    talon_rest: list[str]
    discarded: list[str]
    """The tarocks declarer has discarded."""
    turns: list[Turn]
    announced: list[Bonus]
    kontra: dict[str, int]
    """The factor of each item."""
    leader: int | None
    trick: list[str]
    """The cards on the table, beginning with the leader's."""
    tricks: list[Trick]
    tricks_won: list[int]
    counts: list[int]
    revealed: list[str]
    """The remaining cards of an open beggar's shown hand."""
    totals: list[int]
    radelci: list[int]
    results: list[DealResult]
    hands: list[list[str]]
    whole_talon: list[str]
    discards: list[str]
    final: list[int]
    ranking: list[list[int]]
    options: dict[str, Value]
    """The rules of the match, known when it starts."""
