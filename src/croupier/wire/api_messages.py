"""The bodies of the HTTP API that are about the server, accounts, players and tournaments, as types.

Those about tables and matches are in house_messages.py.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.core.options import Value
from croupier.wire.house_messages import Notice, Phase

Format: TypeAlias = Literal["swiss", "round-robin", "knockout"]
Way: TypeAlias = Literal["open", "in", "out", "ignored", "hang", "end"]
TournamentPhase: TypeAlias = Literal["open", "running", "over", "called off"]


class LinePort(msgspec.Struct, frozen=True):
    """A TCP port of a published protocol."""

    game: str
    port: int
    line: bool
    """True for a protocol of lines, False for HTTP."""
    tls: bool


class House(msgspec.Struct, frozen=True):
    """The answer to GET /api/house."""

    mode: Literal["serve", "node"]
    version: str
    compiled: bool
    """The rules are compiled."""
    compiling: bool
    """The rules are being compiled for the next start."""
    default_table: str | None
    doors: list[LinePort]
    notice: Notice | None
    """The restart that the operator has announced."""


class Health(msgspec.Struct, frozen=True):
    """The answer to GET /api/health."""

    ok: bool
    tables: int
    broken: int
    """The number of tables that could not be restored."""


# For the operator.


class TableCount(msgspec.Struct, frozen=True):
    """The number of tables of a game in a phase."""

    game: str
    phase: str
    count: int


class HouseNode(msgspec.Struct, frozen=True):
    """One of several servers that share a database."""

    id: int
    name: str
    version: str
    started: str
    lease: float
    """Seconds until its lease expires; negative if it has expired."""
    tables: int
    draining: bool
    service: bool
    """True if it has the lobbies, tournaments and accounts."""


class TrafficEntry(msgspec.Struct, frozen=True):
    """One frame of a connection, or its beginning or end."""

    number: int
    at: float
    """Seconds since 1970."""
    connection: int
    """Counts the connections of this log from 1."""
    protocol: str
    """``house``, or the game whose own protocol it is."""
    way: Way
    """``in`` from the program, ``out`` to it, ``ignored`` if the server did not read it; ``hang`` if it
    ends the connection."""
    text: str
    """The frame, or its beginning; why a connection ends."""
    length: int
    """Characters of the whole frame; of ``hang`` and ``end`` the close code."""


class TrafficFrame(msgspec.Struct, frozen=True):
    """A frame of the WebSocket /api/log/<id>."""

    whole: bool
    """It has all entries; otherwise the new ones."""
    entries: list[TrafficEntry]


class OperatorReport(msgspec.Struct, frozen=True):
    """The answer to GET /api/operator."""

    version: str
    python: str
    compiled: bool
    uptime: int
    connections: int
    actions: int
    tables: list[TableCount]
    broken: list[str]
    store: dict[str, float]
    bot_pool: dict[str, float]
    """The processes of the bot pool; empty if there are none."""
    samples: list[dict[str, float]]
    """One per second, oldest first."""
    nodes: list[HouseNode]
    """The nodes of the house; empty if the server is alone."""


# Accounts and players.


class SessionInfo(msgspec.Struct, frozen=True):
    """The answer to POST /api/session and POST /api/account/recovery."""

    name: str
    token: str


class MadeAccount(SessionInfo, frozen=True):
    """The answer to POST /api/account."""

    recovery: list[str]
    """Codes with which a forgotten password can be replaced, each once."""


class AccountSeat(msgspec.Struct, frozen=True):
    """A seat that an account has at a table."""

    id: str
    """Of the table."""
    game: str
    page: str
    seat: int
    phase: Phase


class AccountInfo(msgspec.Struct, frozen=True):
    """The answer to GET /api/account."""

    name: str
    created: str
    tables: list[AccountSeat]


class Rating(msgspec.Struct, frozen=True):
    """A rating: with a probability of 95 % it is within *interval* of *value*."""

    value: int
    interval: int


class RatingChange(Rating, frozen=True):
    """A rating after a match, and how the match has changed it."""

    change: int


class RatingChanges(msgspec.Struct, frozen=True):
    """The answer to GET /api/matches/<id>/ratings."""

    rated: bool
    """False while the ratings are being computed."""
    ratings: list[RatingChange | None]
    """By seat."""


class GameRecord(msgspec.Struct, frozen=True):
    """A player's results in one game."""

    game: str
    title: str
    matches: int
    won: int
    places: list[int]
    """The number of first places, second places and so on."""
    broken_off: int
    rating: Rating | None


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match in the list of a player's results."""

    match: str
    game: str
    started: str
    ended: str
    players: list[str]
    profiles: list[str | None]
    """The account names of the players, by seat."""
    seat: int
    place: int | None
    """Null if the match was aborted, like both scores."""
    score: int | None
    scores: list[int] | None
    rating: Rating | None
    """After the match."""


class PlayerInfo(msgspec.Struct, frozen=True):
    """The answer to GET /api/players/<name>."""

    name: str
    created: str
    games: list[GameRecord]
    results: list[PlayedMatch]
    """One page, newest first."""
    more: bool


class RankingRow(msgspec.Struct, frozen=True):
    """A person, or the bots of one strength, in GET /api/players: the other member is null."""

    name: str | None
    bot: str | None
    matches: int
    rating: Rating


# Tournaments.


class NewTournament(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The body of POST /api/tournaments."""

    name: str
    game: str
    starts_in: float
    """Seconds from now."""
    seats: int | None = None
    format: str = "swiss"
    rounds: int = 3
    fill: str = "club"
    patience: float = 60.0
    options: dict[str, Value] = {}
    table_options: dict[str, Value] = {}
    token: str = ""
    """The token that can cancel it."""


class TournamentRow(msgspec.Struct, frozen=True):
    """A tournament, as GET /api/tournaments lists it."""

    id: str
    name: str
    game: str
    seats: int
    format: Format
    rounds: int
    starts: str
    phase: TournamentPhase
    entrants: int
    round: int
    """The current round, from 1; 0 before the start."""
    page: str


class TournamentBoard(msgspec.Struct, frozen=True):
    """A table of a tournament."""

    table: str
    players: list[str]
    """By seat, like the next two, the scores and the places."""
    bots: list[bool]
    profiles: list[str | None]
    """The names of accounts."""
    match: str | None
    ended: bool
    scores: list[int]
    places: list[int]


class TournamentStanding(msgspec.Struct, frozen=True):
    """A line of the standings."""

    name: str
    bot: bool
    profile: str | None
    place: int
    points: float
    score: float
    matches: int


class TournamentInfo(TournamentRow, frozen=True):
    """The answer to GET /api/tournaments/<id>."""

    fill: str
    patience: float
    options: dict[str, Value]
    players: list[str]
    standings: list[TournamentStanding]
    tables: list[list[TournamentBoard]]
    """One list for each round."""


PARTS: Final = (
    House,
    Health,
    OperatorReport,
    TrafficFrame,
    SessionInfo,
    MadeAccount,
    AccountInfo,
    RatingChanges,
    PlayerInfo,
    RankingRow,
    NewTournament,
    TournamentRow,
    TournamentInfo,
)
