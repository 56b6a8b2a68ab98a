"""What all connections of the protocol share: who is known, who is there, who waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.core.contract import Game
from croupier.games.sagrada.lobby import Lobby, Waiting
from croupier.games.sagrada.settings import Settings
from croupier.games.sagrada.users import User, Users, fresh_token, kept_name, place_of
from croupier.wire.desk import Desk, House
from croupier.wire.talk import Face, Output


class Front(Desk):
    """The desk but for its conversations (wire.py)."""

    def __init__(
        self,
        game: Game,
        house: House,
        kept: Mapping[str, str],
        defaults: Mapping[str, object] | None = None,
        new_token: Callable[[], str] = fresh_token,
    ) -> None:
        """*new_token* makes a user's token."""
        super().__init__(game, house, kept, defaults)
        self.settings = Settings(game, self.defaults, self.seed)
        self.per_address = self.settings.per_address
        self.users = Users(kept, self.settings.user_ttl)
        self.lobby = Lobby(self.settings)
        self.online: dict[str, Waiting] = {}
        """The connection of everybody who is logged in, by the user's key."""
        self.new_token = new_token
        self._used: set[str] = set()
        """Under what users are kept who came since somebody asked."""

    def holder(self, key: str) -> str | None:
        return self.users.holder(key)

    def used(self) -> set[str]:
        used, self._used = self._used, set()
        return used | {kept_name(one) for one in map(self.users.get, self.online) if one is not None}

    def drop(self, name: str) -> bool:
        user = self.users.kept_as(name)
        if user is None or user.key in self.online or self.table_of(user):
            return False
        self.users.forget(user)
        return True

    def seen(self, user: User) -> None:
        """*user* has come."""
        self._used.add(kept_name(user))

    def known(self, nick: str, now: float) -> User | None:
        """Return the user called so, unless his time is up."""
        user = self.users.get(nick)
        return None if user is None or user in self._stale(now) else user

    def forgotten(self, now: float) -> list[Output]:
        """Return how to forget the users whose time is up."""
        return [self.users.forget(user) for user in self._stale(now)]

    def _stale(self, now: float) -> list[User]:
        return [user for user in self.users.stale(now) if not self.table_of(user)]

    def table_of(self, user: User) -> str:
        """Return the table where *user* plays, or which he was sent to."""
        sent = self.lobby.on_the_way(user)
        if sent:
            return sent
        for face in self.house.tables():
            if place_of(user, face) is not None:
                return face.id
        return ""

    def opened(self, mark: object, table: Face | None, words: str, now: float) -> list[Output]:
        assert isinstance(mark, tuple)
        return self.lobby.opened(mark, table.id if table is not None else "", now)

    def wake(self) -> float | None:
        return self.lobby.wake()

    def tick(self, now: float) -> list[Output]:
        return self.lobby.tick(now)
