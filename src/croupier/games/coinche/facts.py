"""The declared types of what the house protocol tells of a match: events, and the facts of a view."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.core.options import Value

Phase: TypeAlias = Literal["dealing", "bidding", "playing", "over"]
Doubled: TypeAlias = Literal[0, 1, 2]
"""1 coinched, 2 surcoinched."""
Team: TypeAlias = Literal["A", "B"]
What: TypeAlias = Literal["points", "total", "contract", "belote"]
Word: TypeAlias = Literal["belote", "rebelote"]


class Trick(msgspec.Struct, frozen=True):
    """A trick that was taken, and the *points* of its cards."""

    leader: int
    cards: list[str]
    taker: int
    points: int


class Announcement(msgspec.Struct, frozen=True):
    """A belote or rebelote that *seat* has announced."""

    seat: int
    suit: str
    word: Word


class DealResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one deal. Without a contract it was passed out, and the other members are absent."""

    dealer: int
    contract: str | None
    bidder: int | UnsetType = UNSET
    doubled: Doubled | UnsetType = UNSET
    made: bool | UnsetType = UNSET
    points: list[int] | UnsetType = UNSET
    """By team, like all lists of this result."""
    tricks: list[int] | UnsetType = UNSET
    belote: list[int] | UnsetType = UNSET
    scores: list[int]
    needed: int | UnsetType | None = UNSET
    """The points required by the contract; None if tricks decide."""
    reached: int | UnsetType = UNSET
    """The points of the contract's team, including a belote that counts."""
    lines: list[Line] | UnsetType = UNSET


class Call(msgspec.Struct, frozen=True):
    """A call of the auction."""

    seat: int
    call: str


class Stake(msgspec.Struct, frozen=True):
    """The value of a contract without belotes: as it is, coinched or surcoinched."""

    factor: int
    contract: int
    made: int | None
    """The score of its team if it makes the contract; None if it depends on the points taken."""
    failed: int
    """The score of the other team if it does not."""


class Line(msgspec.Struct, frozen=True):
    """A line of a deal's score: points by team with their reason."""

    what: What
    scores: list[int]


# Events.


class MatchStarted(msgspec.Struct, frozen=True, tag="match_started", tag_field="kind"):
    """The match begins."""

    options: dict[str, Value]
    """The rules of the match, with every option."""


class DealStarted(msgspec.Struct, frozen=True, tag="deal_started", tag_field="kind"):
    """Deal *deal* (from 1) begins: *dealer* has dealt, *first* speaks first and leads."""

    deal: int
    dealer: int
    first: int


class Dealt(msgspec.Struct, frozen=True, tag="dealt", tag_field="kind"):
    """A seat's eight cards."""

    seat: int
    cards: list[str]


class Called(msgspec.Struct, frozen=True, tag="called", tag_field="kind"):
    """A seat has made a call: a pass, a contract, a coinche or a surcoinche."""

    seat: int
    call: str


class AuctionEnded(msgspec.Struct, frozen=True, tag="auction_ended", tag_field="kind"):
    """The auction has ended with the contract of *bidder*."""

    bidder: int
    contract: str
    doubled: Doubled
    """1 coinched, 2 surcoinched, else 0."""
    factor: int
    """The factor by which the contract is multiplied."""


class PassedOut(msgspec.Struct, frozen=True, tag="passed_out", tag_field="kind"):
    """Four passes: nothing is scored, the next seat deals."""

    deal: int
    totals: list[int]
    """The match score by team, unchanged."""


class TrickStarted(msgspec.Struct, frozen=True, tag="trick_started", tag_field="kind"):
    """Trick *trick* (from 1) is led by *leader*."""

    trick: int
    leader: int


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="kind"):
    """A seat has played a card."""

    seat: int
    card: str


class Announced(msgspec.Struct, frozen=True, tag="announced", tag_field="kind"):
    """A seat has played the first card of a belote, or the second."""

    seat: int
    word: Word
    suit: str


class TrickTaken(msgspec.Struct, frozen=True, tag="trick_taken", tag_field="kind"):
    """*taker* takes trick *trick*; *points* are those of its cards, without the last trick's ten."""

    trick: int
    taker: int
    points: int


class DealEnded(msgspec.Struct, frozen=True, tag="deal_ended", tag_field="kind"):
    """The eighth trick is taken and the deal is scored."""

    deal: int
    made: bool
    points: list[int]
    """By team: card points and the last trick, or the points for all eight tricks."""
    tricks: list[int]
    belote: list[int]
    """The belote points each team held, no matter which team scores them."""
    scores: list[int]
    totals: list[int]


class MatchEnded(msgspec.Struct, frozen=True, tag="match_ended", tag_field="kind"):
    """A team has reached the target and has more points than the other."""

    winner: Team
    """The team."""
    totals: list[int]


EVENTS: Final = (
    MatchStarted,
    DealStarted,
    Dealt,
    Called,
    AuctionEnded,
    PassedOut,
    TrickStarted,
    Played,
    Announced,
    TrickTaken,
    DealEnded,
    MatchEnded,
)


class Facts(msgspec.Struct, frozen=True):
    """What a seat knows. Pairs are by team: index 0 for seats 0 and 2, index 1 for seats 1 and 3."""

    phase: Phase
    deal: int
    dealer: int | None
    initial: list[str]
    hand: list[str]
    calls: list[Call]
    """All calls of this deal."""
    contract: str | None
    bidder: int | None
    doubled: Doubled
    factor: int | None
    """The factor of the contract, once the auction is over."""
    stakes: list[Stake] | None
    trick: int
    """The number of the trick being played, from 1."""
    leader: int | None
    table: list[str | None]
    """The card each seat has played to this trick, until the next one starts."""
    tricks: list[Trick]
    """The tricks of this deal that were taken."""
    announced: list[Announcement]
    counts: list[int]
    totals: list[int]
    deals: list[DealResult]
    winner: Team | None
    """The team that has won the match."""
    options: dict[str, Value]
    """The rules of the match, known when it starts."""
