"""The declared types of what the house protocol tells of a match: events, and the facts of a view."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.core.options import Value

Phase: TypeAlias = Literal["dealing", "passing", "exposing", "playing", "over"]
Direction: TypeAlias = Literal["left", "right", "across", "none"]


class DealResult(msgspec.Struct, frozen=True):
    """The result of one deal of the current game."""

    scores: list[int]
    """The points of each seat."""
    exposed: int | None
    """The seat that exposed AH."""
    moon: int | None
    """The seat that shot the moon."""


# Events.


class GameStarted(msgspec.Struct, frozen=True, tag="game_started", tag_field="kind"):
    """Game *game* (from 1) of the match begins; everyone has moved to the next position."""

    game: int
    options: dict[str, Value]
    """The rules of the match, every option named."""


class DealStarted(msgspec.Struct, frozen=True, tag="deal_started", tag_field="kind"):
    """Deal *deal* (from 1) of the game begins; packets will travel in *direction*."""

    deal: int
    direction: Direction


class Dealt(msgspec.Struct, frozen=True, tag="dealt", tag_field="kind"):
    """A seat's 13 cards."""

    seat: int
    cards: list[str]


class PassingStarted(msgspec.Struct, frozen=True, tag="passing_started", tag_field="kind"):
    """Everyone chooses three cards to pass."""


class Picked(msgspec.Struct, frozen=True, tag="picked", tag_field="kind"):
    """A seat's own choice of a card to pass."""

    seat: int
    card: str


class Passed(msgspec.Struct, frozen=True, tag="passed", tag_field="kind"):
    """A seat has chosen its three cards; which ones stays secret."""

    seat: int


class Received(msgspec.Struct, frozen=True, tag="received", tag_field="kind"):
    """The three cards passed to a seat, in the order their giver named them."""

    seat: int
    giver: int
    cards: list[str]


class PassingEnded(msgspec.Struct, frozen=True, tag="passing_ended", tag_field="kind"):
    """All packets have changed hands."""


class ExposingStarted(msgspec.Struct, frozen=True, tag="exposing_started", tag_field="kind"):
    """The holder of AH is asked whether to expose it; who holds it stays secret."""


class ExposingEnded(msgspec.Struct, frozen=True, tag="exposing_ended", tag_field="kind"):
    """*seat* has exposed AH, or it stays hidden."""

    seat: int | None
    """None if AH stays hidden."""


class TrickStarted(msgspec.Struct, frozen=True, tag="round_started", tag_field="kind"):
    """Round *round* (from 1) is led by *leader*."""

    round: int
    leader: int


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="kind"):
    """A seat has played a card."""

    seat: int
    card: str
    broken: bool
    """Whether hearts are broken now."""


class TrickTaken(msgspec.Struct, frozen=True, tag="round_ended", tag_field="kind"):
    """*taker* takes the round."""

    taker: int
    taken: list[str]
    """The score cards in it."""
    scores: list[int]
    """Everyone's points in this deal so far."""


class DealEnded(msgspec.Struct, frozen=True, tag="deal_ended", tag_field="kind"):
    """The deal is scored and every hand is open."""

    deal: int
    hands: list[list[str]]
    """The 13 cards dealt to each seat, ascending."""
    picked: list[list[str]]
    received: list[list[str]]
    scores: list[int]
    totals: list[int]
    exposed: int | None
    """The seat that exposed AH."""
    moon: int | None
    """The seat that shot the moon."""


class GameEnded(msgspec.Struct, frozen=True, tag="game_ended", tag_field="kind"):
    """The last deal of a game is scored."""

    game: int
    totals: list[int]
    ranks: list[int]


class MatchEnded(msgspec.Struct, frozen=True, tag="match_ended", tag_field="kind"):
    """The last game of the match is scored: *totals* add up its games."""

    totals: list[int]
    ranks: list[int]


EVENTS: Final = (
    GameStarted,
    DealStarted,
    Dealt,
    PassingStarted,
    Picked,
    Passed,
    Received,
    PassingEnded,
    ExposingStarted,
    ExposingEnded,
    TrickStarted,
    Played,
    TrickTaken,
    DealEnded,
    GameEnded,
    MatchEnded,
)


class Facts(msgspec.Struct, frozen=True):
    """What a seat knows. Seats are 0 to 3 clockwise and stay the same for the whole match."""

    phase: Phase
    game: int
    deal: int
    round: int
    direction: Direction
    initial: list[str]
    hand: list[str]
    picked: list[str]
    received: list[str]
    received_from: int | None
    counts: list[int]
    passed: list[int]
    """The seats that have chosen their three cards."""
    exposed: int | None
    leader: int | None
    table: list[str | None]
    """The card each seat has played in this round, until the next round starts."""
    last: list[str]
    """The cards of the last round, beginning with its leader's."""
    last_leader: int | None
    last_taker: int | None
    played: list[list[str]]
    """Every card each seat has played in this deal, in order."""
    void: list[list[str]]
    """The suits each seat is known not to hold."""
    broken: bool
    taken: list[list[str]]
    """The score cards each seat has taken in this deal."""
    scores: list[int]
    totals: list[int]
    deals: list[DealResult]
    games: list[list[int]]
    """The game scores of the match's finished games."""
    hands: list[list[str]]
    """These three are known from the end of a deal until the next one starts."""
    all_picked: list[list[str]]
    all_received: list[list[str]]
    decks: list[list[list[str]]]
    """The hands of the first game's deals by position, if later games deal them again (R11)."""
    options: dict[str, Value]
    """The rules of the match, known when its first game starts."""
    positions: list[int]
    """Where each seat sits in this game: 0 North, 1 East, 2 South, 3 West (R11)."""
