"""Accounts, sessions, who played which seat, ratings: what a store promises about people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account: *seal* marks its seats, *key* is what its name is compared by."""

    seal: str
    key: str
    name: str
    password: str = field(repr=False)
    """The argon2 hash."""
    created: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A token that stands for an account, by its digest."""

    digest: str
    seal: str
    created: str
    used: str
    ended: bool = False
    """It stands for nobody any more; what was taken with it stays the account's."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One seat of a match in which somebody with an account plays."""

    match: str
    seat: int
    who: str
    """The seal of an account, ``bot <strength>``, or empty: nobody who is known."""
    game: str
    ended: str | None = None
    place: int | None = None
    """1 for the best; equals share one. None while the match runs, or if it was broken off."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How good somebody is at a game, how unsure that is, and after how many matches."""

    mu: float
    sigma: float
    matches: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """A match that somebody has played, for a list of results."""

    match: str
    game: str
    seat: int
    players: str
    """JSON list of names."""
    started: str
    ended: str
    place: int | None
    scores: str | None
    """JSON list; None if the match was broken off."""
    mu: float | None
    sigma: float | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How often somebody came in *place* (None: the match was broken off) in matches of *seats* seats."""

    game: str
    place: int | None
    matches: int


class PeopleStore(ABC):
    """The half of a store that knows people. None of it is on the path of a move."""

    @abstractmethod
    async def accounts(self) -> list[AccountRow]:
        """Return all accounts."""

    @abstractmethod
    async def account(self, seal: str) -> AccountRow | None:
        """Return the account with this seal."""

    @abstractmethod
    async def add_account(self, row: AccountRow) -> None:
        """Add an account; StoreConflict if its name is taken."""

    @abstractmethod
    async def change_password(self, seal: str, password: str) -> None:
        """Replace the hash of an account's password."""

    @abstractmethod
    async def forget_account(self, seal: str) -> None:
        """Forget an account: its sessions and ratings, and that it was the one who played."""

    @abstractmethod
    async def sessions(self, seal: str | None = None) -> list[SessionRow]:
        """Return the sessions of one account, or all."""

    @abstractmethod
    async def put_session(self, row: SessionRow) -> None:
        """Add a session."""

    @abstractmethod
    async def use_sessions(self, digests: Iterable[str], when: str) -> None:
        """Write down that these sessions were used."""

    @abstractmethod
    async def forget_sessions(self, digests: Iterable[str]) -> None:
        """Forget sessions."""

    @abstractmethod
    async def unrated(self, before: str = "~", limit: int = 16) -> list[PlayerRow]:
        """Return the seats of matches that ended *before* with a result and have no ratings yet, as they
        ended, match by match.

        The last match may be cut off where *limit* has been reached.
        """

    @abstractmethod
    async def ratings(self, game: str, who: Iterable[str]) -> dict[str, Rating]:
        """Return the ratings of these people and bots, as far as they have one."""

    @abstractmethod
    async def rate(self, game: str, match: str, seats: Sequence[str], after: Mapping[str, Rating]) -> None:
        """Write down what a match did to the ratings of those who sat in *seats*."""

    @abstractmethod
    async def best(self, game: str, limit: int = 50) -> list[tuple[str, Rating]]:
        """Return who is best, by what is almost certain: mu - 1.96 sigma."""

    @abstractmethod
    async def tally(self, who: str) -> list[Tally]:
        """Return how often somebody came where, of matches that have ended."""

    @abstractmethod
    async def results(
        self, who: str, game: str | None = None, limit: int = 50, before: str | None = None
    ) -> list[Result]:
        """Return what somebody has played, the last ended first, before the match *before* (for paging)."""

    @abstractmethod
    async def accounts_in(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        """Return the names of the accounts that played in these matches, by match and seat."""


def by_match(found: Iterable[tuple[str, int, str]]) -> dict[str, dict[int, str]]:
    """Return names by match and seat."""
    names: dict[str, dict[int, str]] = {}
    for match, seat, name in found:
        names.setdefault(match, {})[seat] = name
    return names
