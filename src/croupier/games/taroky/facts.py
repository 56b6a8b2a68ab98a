"""The declared types of what the house protocol tells of a match: events, and the facts of a view."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.core.options import Value

Phase: TypeAlias = Literal[
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
Answer: TypeAlias = Literal["draw", "pass", "accept", "reject"]
Gift: TypeAlias = Literal["open", "drew", "offered", "given", "returned"]
Half: TypeAlias = Literal["T", "B", "R"]
"""The half of the talon that a prever player took: top, bottom, or returned to the top one."""
Level: TypeAlias = Literal["contra", "rhea", "supra"]


class Trick(msgspec.Struct, frozen=True):
    """A finished trick."""

    leader: int
    cards: list[str]
    taker: int


class Step(msgspec.Struct, frozen=True, array_like=True):
    """A factor or an addend of the settlement: reason and value."""

    reason: str
    value: int


class DealResult(msgspec.Struct, frozen=True):
    """The result of one deal, which is public."""

    povinnost: int
    declarers: list[int]
    """The declaring side."""
    points: list[int]
    """The points of the declaring side and of its opponents; the tricks likewise."""
    tricks: list[int]
    steps: list[Step]
    """How *x* was computed."""
    x: int
    payments: list[int]
    """The payments of the settlement alone, by seat."""
    money: list[int]
    """The chips that each seat has got or paid for money cards in this deal."""
    chips: list[int]
    """The chips after the deal."""


# Events.


class MatchStarted(msgspec.Struct, frozen=True, tag="match_started", tag_field="kind"):
    """A match begins; *options* are all its rules."""

    options: dict[str, Value]


class DealStarted(msgspec.Struct, frozen=True, tag="deal_started", tag_field="kind"):
    """Deal *deal* (from 1) begins; *povinnost* is asked for prever first."""

    deal: int
    povinnost: int
    chips: list[int]


class Dealt(msgspec.Struct, frozen=True, tag="dealt", tag_field="kind"):
    """A seat's twelve cards, in the order they were dealt."""

    seat: int
    cards: list[str]


class PreverAnswered(msgspec.Struct, frozen=True, tag="prever_answered", tag_field="kind"):
    """A seat plays prever or does not; *next* is asked now, or nobody."""

    seat: int
    prever: bool
    next: int | None


class PreverEnded(msgspec.Struct, frozen=True, tag="prever_ended", tag_field="kind"):
    """*seat* plays prever, or nobody does."""

    seat: int | None


class TalonCards(msgspec.Struct, frozen=True, tag="talon_cards", tag_field="kind"):
    """The talon cards that a seat takes, told to that seat alone."""

    seat: int
    cards: list[str]


class TalonDrawn(msgspec.Struct, frozen=True, tag="talon_drawn", tag_field="kind"):
    """A seat takes *count* cards of the talon."""

    seat: int
    count: int


class TalonAnswered(msgspec.Struct, frozen=True, tag="talon_answered", tag_field="kind"):
    """A seat draws or passes its card, or player 4 accepts or rejects what *offered_by* passed."""

    seat: int
    action: Answer
    offered_by: int | None
    next: int | None


class TalonEnded(msgspec.Struct, frozen=True, tag="talon_ended", tag_field="kind"):
    """The talon has been distributed; *counts* are the cards each seat took."""

    counts: list[int]


class HalfSeen(msgspec.Struct, frozen=True, tag="half_seen", tag_field="kind"):
    """The half of the talon that the prever player looks at, told to that seat alone."""

    seat: int
    cards: list[str]


class HalfOffered(msgspec.Struct, frozen=True, tag="half_offered", tag_field="kind"):
    """The prever player looks at the first (*step* 1) or second half of the talon."""

    seat: int
    step: int


class HalfShown(msgspec.Struct, frozen=True, tag="half_shown", tag_field="kind"):
    """The half that the prever player has refused is shown."""

    seat: int
    cards: list[str]


class HalfEnded(msgspec.Struct, frozen=True, tag="half_ended", tag_field="kind"):
    """The prever player has taken a half of the talon."""

    seat: int
    half: Half
    multiplier: int


class DiscardStarted(msgspec.Struct, frozen=True, tag="discard_started", tag_field="kind"):
    """*seat* is the first to discard, *left* cards."""

    seat: int
    left: int


class LaidAway(msgspec.Struct, frozen=True, tag="laid_away", tag_field="kind"):
    """The card that a seat discards, told to that seat alone."""

    seat: int
    card: str


class Discarded(msgspec.Struct, frozen=True, tag="discarded", tag_field="kind"):
    """A seat has discarded a card: *shown* is the card if it is a trump.

    *next* discards now and has *left* cards to discard.
    """

    seat: int
    shown: str | None
    next: int | None
    left: int


class DiscardEnded(msgspec.Struct, frozen=True, tag="discard_ended", tag_field="kind"):
    """Everyone holds twelve cards; money cards are called now."""


class MoneyCalled(msgspec.Struct, frozen=True, tag="money_called", tag_field="kind"):
    """A seat's money cards, what each other seat pays for them, and the chips after that."""

    seat: int
    codes: list[str]
    value: int
    chips: list[int]


class MoneyEnded(msgspec.Struct, frozen=True, tag="money_ended", tag_field="kind"):
    """All money cards are paid."""

    chips: list[int]


class PartnerNamed(msgspec.Struct, frozen=True, tag="partner_named", tag_field="kind"):
    """Povinnost plays with the holder of trump *trump*."""

    seat: int
    trump: str


class ValatAnswered(msgspec.Struct, frozen=True, tag="valat_answered", tag_field="kind"):
    """A seat announces valat or does not; *next* is asked now, or nobody."""

    seat: int
    call: bool
    next: int | None


class ValatEnded(msgspec.Struct, frozen=True, tag="valat_ended", tag_field="kind"):
    """*seat* has announced valat, or nobody; contra may be called now."""

    seat: int | None


class ContraAsked(msgspec.Struct, frozen=True, tag="contra_asked", tag_field="kind"):
    """A seat is asked for a level of contra, in secret."""

    seat: int
    level: Level


class ContraDeclined(msgspec.Struct, frozen=True, tag="contra_declined", tag_field="kind"):
    """A seat has said no to a level of contra, in secret."""

    seat: int
    level: Level


class ContraCalled(msgspec.Struct, frozen=True, tag="contra_called", tag_field="kind"):
    """A seat has called contra, rhea or supra."""

    seat: int
    level: Level
    multiplier: int


class ContraEnded(msgspec.Struct, frozen=True, tag="contra_ended", tag_field="kind"):
    """Nobody doubles any more; the I on the end may be announced now."""

    multiplier: int


class IoteDeclined(msgspec.Struct, frozen=True, tag="iote_declined", tag_field="kind"):
    """The holder of T01 does not announce it, in secret."""

    seat: int


class IoteCalled(msgspec.Struct, frozen=True, tag="iote_called", tag_field="kind"):
    """A seat announces that it will win the last trick with T01."""

    seat: int


class IoteEnded(msgspec.Struct, frozen=True, tag="iote_ended", tag_field="kind"):
    """All announcements are made; *leader* plays the first card."""

    leader: int


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="kind"):
    """A seat has played a card; *next* plays now, unless the trick is complete."""

    seat: int
    card: str
    next: int | None


class TrickTaken(msgspec.Struct, frozen=True, tag="trick_ended", tag_field="kind"):
    """*taker* takes trick *number* (from 1) and leads the next, if there is one."""

    number: int
    taker: int


class DealEnded(msgspec.Struct, frozen=True, tag="deal_ended", tag_field="kind"):
    """The deal is settled and every card is shown."""

    deal: int
    hands: list[list[str]]
    """The twelve cards dealt to each seat."""
    talon: list[str]
    discards: list[list[str]]
    """The discards of each seat, in order."""
    result: DealResult


class MatchEnded(msgspec.Struct, frozen=True, tag="match_ended", tag_field="kind"):
    """The last deal is settled."""

    chips: list[int]
    ranks: list[int]


EVENTS: Final = (
    MatchStarted,
    DealStarted,
    Dealt,
    PreverAnswered,
    PreverEnded,
    TalonCards,
    TalonDrawn,
    TalonAnswered,
    TalonEnded,
    HalfSeen,
    HalfOffered,
    HalfShown,
    HalfEnded,
    DiscardStarted,
    LaidAway,
    Discarded,
    DiscardEnded,
    MoneyCalled,
    MoneyEnded,
    PartnerNamed,
    ValatAnswered,
    ValatEnded,
    ContraAsked,
    ContraDeclined,
    ContraCalled,
    ContraEnded,
    IoteDeclined,
    IoteCalled,
    IoteEnded,
    Played,
    TrickTaken,
    DealEnded,
    MatchEnded,
)


class Facts(msgspec.Struct, frozen=True):
    """What a seat knows. Seats stay the same for the whole match."""

    phase: Phase
    deal: int
    povinnost: int | None
    players: list[int]
    """The number of each seat in this deal: 1 is Povinnost."""
    chips: list[int]
    initial: list[str]
    hand: list[str]
    drawn: list[str]
    seen: list[str]
    laid: list[str]
    asked: list[Level]
    refused: list[Level]
    kept_quiet: bool
    counts: list[int]
    turn: int | None
    prevers: list[bool]
    prever: int | None
    gifts: list[Gift]
    draws: list[int]
    step: int
    shown: list[str]
    half: Half | None
    left: int
    discards: list[int]
    thrown: list[list[str]]
    money: list[list[str]]
    """The money cards called, starting with Povinnost."""
    brought: list[int]
    named: str | None
    partner: int | None
    valats: list[bool]
    valat: int | None
    contras: list[int]
    multiplier: int
    iote: int | None
    leader: int | None
    trick: list[str]
    tricks: list[Trick]
    results: list[DealResult]
    """The results of the settled deals."""
    hands: list[list[str]]
    talon: list[str]
    all_discards: list[list[str]]
    notation: str | None
    """The finished deal, until the next one is dealt."""
    options: dict[str, Value]
