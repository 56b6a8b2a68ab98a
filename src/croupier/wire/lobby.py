"""The lobby: the connections of a protocol that are not at a table.

There is one `Lobby` for each game and server, without I/O. It has what every lobby protocol needs: the tables
of the game and which of them have free seats, the connections and names of the users online, the options for
new tables, and the limit of connections from one address. A game adds a subclass with its own rules and a
conversation for each connection (driver.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from mypy_extensions import mypyc_attr

from croupier.core.contract import Game
from croupier.core.options import BadOptions
from croupier.wire.greeting import locked
from croupier.wire.identity import Identities
from croupier.wire.talk import BOT, GATHERING, OPEN, Close, Keep, Place, TableInfo

if TYPE_CHECKING:
    from croupier.wire.driver import LobbyConversation


class Host(Protocol):
    """The part of the server that a lobby may use."""

    def tables(self) -> Sequence[TableInfo]:
        """Return the running tables of the lobby's game, oldest first."""
        ...

    def info(self, id: str) -> TableInfo | None:
        """Return the running table of the lobby's game with this id, or None."""
        ...

    @property
    def identities(self) -> Identities:
        """Return the accounts of the server."""
        ...

    def bots(self) -> Sequence[str]:
        """Return the names of all bots of the lobby's game, weakest first."""
        ...

    def filler(self) -> str:
        """Return the bot that takes a seat if no other is named."""
        ...

    @property
    def most_per_address(self) -> int:
        """Return how many things of one kind one address may have open; 0: any number."""
        ...


@mypyc_attr(allow_interpreted_subclasses=True)
class Lobby:
    """The shared state of all conversations of one game's protocol."""

    def __init__(
        self,
        game: Game,
        host: Host,
        kept: Mapping[str, str],
        defaults: Mapping[str, object] | None = None,
    ) -> None:
        """*kept* is the data that earlier `Keep`s have stored, by name.

        *defaults* are the options of the rules and tables that this lobby opens, optionally with a ``seed``
        and the ``bots`` for free seats; raise BadOptions if they are invalid.
        """
        self.per_address = 0
        """The maximum number of connections from one address in this lobby; 0: no limit."""
        self.changed: deque[LobbyConversation] = deque()
        """Conversations that have to be resumed; the server removes them."""
        self.online: dict[str, LobbyConversation] = {}
        """The connections of all users with a name, by the name as it is compared."""
        self.coming: dict[LobbyConversation, str] = {}
        """The connections that are about to take a seat, with the id of the table."""
        self.wanted: deque[Keep | Close] = deque()
        """Requests of the lobby itself, without an answer; the server removes them."""
        self.game = game
        self.host = host
        self.identities = host.identities
        self.defaults = dict(defaults or {})
        seed = self.defaults.pop("seed", None)
        self.seed = None if seed is None else str(seed)
        self.filler = self.strength(self.defaults.pop("bots", host.filler()))
        own = game.table_options.options
        for name in self.defaults:
            if name not in own and name not in game.options.options:
                known = ", ".join([*game.options.options, *own, "seed", "bots"])
                raise BadOptions(f"option {name}: unknown, expected one of {known}")
        self.options = game.options.read({n: v for n, v in self.defaults.items() if n not in own})
        self.table_options = game.table_options.read({n: v for n, v in self.defaults.items() if n in own})

    def strength(self, name: object) -> str:
        """Return *name* if it is the name of a bot, or raise BadOptions."""
        known = self.host.bots()
        if not isinstance(name, str) or name not in known:
            raise BadOptions(f"option bots: {str(name)[:40]!r}, expected one of {', '.join(known)}")
        return name

    def tables(self) -> Sequence[TableInfo]:
        """Return the running tables of the game, oldest first."""
        return self.host.tables()

    def info(self, id: str) -> TableInfo | None:
        """Return the running table with this id, or None."""
        return self.host.info(id)

    def with_room(self, tried: set[str]) -> TableInfo | None:
        """Return a table with a free seat that no other connection is about to take, or None.

        Skip the tables in *tried*, and those where a player could know the cards. Prefer tables where a
        player waits, so that people meet; then the oldest.
        """
        found = [
            info
            for info in self.tables()
            if info.id not in tried and self._is_fair(info) and self._has_room(info)
        ]
        for info in found:
            if self._waits(info):
                return info
        return found[0] if found else None

    def _is_fair(self, info: TableInfo) -> bool:
        """Return True if a stranger may be seated at *info* without having chosen it.

        If the operator has seeded all tables of the lobby, its players are told when they connect.
        """
        return (self.all_fixed or not info.fixed_deal) and not info.watch_open and not info.private

    @property
    def all_fixed(self) -> bool:
        """Return True if a player could know the cards of every table that this lobby opens."""
        return self.seed is not None or self.game.options.has_secrets(self.options)

    def _has_room(self, info: TableInfo) -> bool:
        free = len(free_places(info))
        if not free:
            return False
        seated = {place.name for place in info.places}
        for conversation, table in self.coming.items():
            if table == info.id and conversation.name not in seated:
                free -= 1
        return free > 0

    def _waits(self, info: TableInfo) -> bool:
        """Return True if a player sits at *info* or is about to."""
        for place in info.places:
            if place.name and place.kind != BOT and place.connected:
                return True
        return info.id in self.coming.values()

    def conversation(self, token: str = "", line: bool = False) -> LobbyConversation:
        """Return the conversation of a new connection.

        *token* is the token in the address of the connection, if any; *line* is True if it uses the
        protocol's own port for terminals.
        """
        raise NotImplementedError

    def holder(self, key: str) -> str | None:
        """Return the digest of the token for which a name is reserved here, or None.

        *key* is the name as returned by `identity.fold`.
        """
        return None

    def used(self) -> set[str]:
        """Return the names of the stored data that was used since the last call."""
        return set()

    def drop(self, name: str, seated: Container[str]) -> bool:
        """Forget the data stored under *name*, unused for a long time; return False if it is still needed.

        *seated* are the people who have a seat (`seated`).
        """
        return False

    def seated(self) -> set[str]:
        """Return the marks of the people who have a seat, or for whom one is reserved."""
        person = self.identities.person
        return {person(place.token) for info in self.tables() for place in info.places if place.token}

    def opened(self, mark: object, table: TableInfo | None, words: str, now: float) -> None:
        """Handle the result of the `Open` with *mark*: the table, or None and the reason in *words*."""

    def closed(self, table: str, now: float) -> None:
        """Handle the closing of the table with the id *table*; its connections have left it."""

    def wake(self) -> float | None:
        """Return when to call `tick`, or None."""
        return None

    def tick(self, now: float) -> None:
        """Handle deadlines that have passed."""


def free_places(info: TableInfo, token: str = "") -> list[Place]:
    """Return the places of *info* that a player with *token* may take, if it waits for players."""
    if info.phase != GATHERING:
        return []
    return [
        place
        for place in info.places
        if place.kind == OPEN and not place.name and not locked(info, place, token)
    ]
