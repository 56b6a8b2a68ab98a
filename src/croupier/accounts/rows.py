"""Rows of the database about people: accounts, sessions, ratings, results."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account. *id* marks its seats; *key* is the form of the name used for comparison."""

    id: str
    key: str
    name: str
    password: str = field(repr=False)
    """The argon2 hash."""
    created: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session of an account; its token is stored as a digest."""

    digest: str
    account: str
    created: str
    used: str
    ended: bool = False
    """The token is no longer valid; seats that were taken with it still belong to the account."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a player in a game, its uncertainty, and the number of rated matches."""

    mu: float
    sigma: float
    matches: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """The rating of a seat's player after a match, and before it."""

    seat: int
    rated: int
    """0 if the match has not been rated yet."""
    mu: float | None
    sigma: float | None
    before: float | None
    """None if this was the player's first rated match."""


@dataclass(frozen=True, slots=True)
class Result:
    """A match that an account has played, for a list of results."""

    match: str
    game: str
    seat: int
    players: str
    """JSON list of names."""
    started: str
    ended: str
    place: int | None
    scores: str | None
    """JSON list; None if the match was aborted."""
    mu: float | None
    sigma: float | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How often an account finished in *place* (None: the match was aborted)."""

    game: str
    place: int | None
    matches: int
