"""A table of any game in memory and in virtual time, with players over any of its protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from random import Random
from typing import Any, Final

import msgspec

from chaos.players import HousePlayer, Player, own_player
from croupier.core.contract import Game
from croupier.core.options import Value
from croupier.games import conversation, game, has_lobby, names, protocol
from croupier.games.sagrada.lobby import GlassLobby
from croupier.games.tarock.wire import TarockLobby
from croupier.games.taroky.wire import TarokyLobby
from croupier.table.setup import setup_of
from croupier.testing.house import Client, House, VirtualHouse, VirtualTable
from croupier.testing.rooms import WALL, Secrets
from croupier.testing.tables import without_pauses
from croupier.wire.house import HouseConversation
from croupier.wire.lobby import Host, Lobby
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Conversation, TableInfo

OWN: Final = "own"
"""The published protocol of the game."""
HOUSE: Final = "house"
DOORS: Final = (OWN, HOUSE)


def _without_pauses(kind: Game) -> dict[str, Value]:
    return {
        name: 0 for name in [*without_pauses(kind), "rematch_seconds"] if name in kind.table_options.options
    }


SHORT: Final = {name: dict(game(name).short) for name in names()}
"""The options of a short match of each game."""
NO_PAUSES: Final = {name: _without_pauses(game(name)) for name in names()}


def new_house(name: str, seed: str, defaults: Mapping[str, object] | None = None) -> VirtualHouse:
    """Return a server with the lobby of a game; tokens and the wall clock are the same in every run."""
    secret = Secrets()
    numbers = count(1)

    def make(kind: Game, host: Host, kept: Mapping[str, str]) -> Lobby:
        if name == "tarock":
            return TarockLobby(kind, host, kept, wall=lambda: WALL, secret=secret)
        if name == "taroky":
            return TarokyLobby(kind, host, kept, wall=lambda: WALL, secret=secret)
        if name == "sagrada":
            return GlassLobby(kind, host, kept, defaults or {}, lambda: f"T{next(numbers):019d}")
        found = protocol(kind)
        assert found is not None, name
        return found.lobby(kind, host, kept, defaults or {})

    return VirtualHouse(game(name), make, seed)


class Chair:
    """A player and its connection."""

    def __init__(self, player: Player, connect: Callable[[], Client | None]) -> None:
        self.player = player
        self.connect = connect
        self.client: Client | None = None
        self.read = 0
        """The number of frames that were read."""

    @property
    def connected(self) -> bool:
        return self.client is not None and self.client.connected

    def come(self) -> None:
        """Connect, while an older connection may still be open."""
        self.client = self.connect()
        if self.client is not None:
            self.client.send(*self.player.hello())
            self.listen()

    def listen(self) -> None:
        """Read everything that was sent; answer only what needs no decision."""
        while self.client is not None and (frames := self.client.take()):
            self.read += len(frames)
            for frame in frames:
                self.client.send(*self.player.hear(frame))

    def drop(self) -> None:
        if self.client is not None:
            self.client.drop()


class Room:
    """A virtual server with one table, and its players, who have not connected yet."""

    def __init__(
        self,
        name: str,
        door: str,
        chance: Random,
        *,
        options: Mapping[str, Value] | None = None,
        table_options: Mapping[str, Value] | None = None,
        bots: int = 0,
        seats: int = 0,
        watch_delay: int = 0,
        special: Mapping[str, Any] | None = None,
        house: House | None = None,
    ) -> None:
        """*special* has further members of the table's `TableSpec`; *house* is a running server, in whose
        lobby the players meet.
        """
        self.name = name
        self.door = door
        self.game = game(name)
        self.id = ""
        """The id of the table; empty until a lobby has opened it."""
        self.house: House
        many = seats or max(self.game.seats)
        rules = {**SHORT[name], **(options or {})}
        clocks = table_options or {}
        seed = f"chaos {chance.random()}"
        kinds = ["open"] * (many - bots) + ["bot random"] * bots
        spec = TableSpec(kinds, rules, clocks, watch_delay=watch_delay)
        if not has_lobby(name):  # without its own seed, every `VirtualTable` would get the same cards
            spec = msgspec.structs.replace(spec, seed=seed)
        spec = msgspec.structs.replace(spec, **(special or {}))
        if house is not None:
            self.house = house
        elif not has_lobby(name):
            self.house = VirtualTable(setup_of("t1", self.game, spec))
            self.id = "t1"
        else:
            defaults = {**rules, **clocks, "players_max": many, "lobby_wait": 1}
            house = new_house(name, seed, defaults if name == "sagrada" else {})
            self.house = house
            if name != "sagrada" or door == HOUSE:
                self.id = house.open(spec).id
        self.chairs = [self._chair(number, chance) for number in range(many - bots)]

    def _chair(self, number: int, chance: Random) -> Chair:
        own = Random(chance.random())
        name = f"player{number}"
        if self.door == HOUSE:
            return Chair(HousePlayer(name, own, number), self.visit)
        return Chair(self.own_player(name, own, number), self.own_way)

    def own_player(self, name: str, chance: Random, number: int) -> Player:
        """Return a player of the game's own protocol."""
        return own_player(self.name, name, chance, number, self.id)

    def visit(self) -> Client | None:
        """Connect to the table over the house protocol; return None if it is closed."""
        return self._at_table(HouseConversation)

    def own_way(self) -> Client | None:
        """Connect over the game's own protocol; return None if its table is closed."""
        if isinstance(self.house, VirtualHouse):
            return self.house.connect()
        return self._at_table(lambda info: conversation(info))

    def _at_table(self, converse: Callable[[TableInfo], Conversation]) -> Client | None:
        if self.house.wait(self.house.all_tables.find(self.id)) is None:
            return None
        return self.house.visit(self.id, converse)

    def begin(self) -> None:
        """Let all players connect, and wait until the match begins."""
        for chair in self.chairs:
            chair.come()
        for _ in range(20):
            self.house.advance(1.0)
            for chair in self.chairs:
                chair.listen()

    def ended(self) -> bool:
        """Return True if a match has begun, and the first match of every table is over."""
        logs = [log for log in self.house.store._logs.values() if any(map(_begins, log))]
        return bool(logs) and all(any(map(_ends, log)) for log in logs)

    def restart(self) -> None:
        """Kill the server and start it again."""
        assert isinstance(self.house, VirtualHouse | VirtualTable)
        self.house.restart()


def _ends(line: str) -> bool:
    return line.startswith(('{"kind":"ended"', '{"kind":"closed"'))


def _begins(line: str) -> bool:
    return line.startswith('{"kind":"began"')
