"""A lobby for one program: any table that the program joins, creates or waits for is the arena's table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from aiohttp import web

from croupier.arena.chairs import Chair
from croupier.arena.watched import Judge, Overheard
from croupier.core.contract import Game
from croupier.games import protocol_of
from croupier.net.limits import ConnectionCount
from croupier.net.lobby import LobbyServer
from croupier.net.lobby_connection import LobbyConnection
from croupier.net.sockets import converse_in_lobby
from croupier.net.tcp import LineProtocol, Listener
from croupier.net.websocket import WebSocket
from croupier.store.api import Store
from croupier.table.shell import Shell
from croupier.table.tables import Tables
from croupier.wire.frames import write
from croupier.wire.opentarock.lobby import RoomLobby
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Join, TableInfo, token_digest

MOST: Final = 100
"""The maximum number of connections of one program."""


class OneTable(Tables):
    """The tables of one match: opening any table returns the table of the match."""

    def __init__(self, store: Store, shell: Shell) -> None:
        super().__init__(store)
        self.shells[shell.table.id] = shell
        self._shell = shell

    async def open(self, game: Game, spec: TableSpec, id: str | None = None) -> Shell:
        return self._shell


class ProgramLobby(LobbyServer):
    """The lobby of one seat."""

    def __init__(self, tables: OneTable, judge: Judge, chair: Chair) -> None:
        game = judge.table.game
        self._chair = chair
        self._table = judge.table
        protocol = protocol_of(game.name)
        super().__init__(tables, game, {}, protocol.alone if protocol is not None else {})
        if isinstance(self.lobby, RoomLobby):  # if login by token is possible, register the program's
            self.lobby.users.recall(token_digest(chair.key), write({"id": "u1", "nickname": chair.name}))
        self._connection = partial(Overheard, judge, chair)
        connections = ConnectionCount(MOST)
        self.listener = Listener(self, self.converse, connections, self._connection)

    def line(self) -> LineProtocol:
        """Return the protocol of a new TCP connection of the program."""
        return LineProtocol(self.listener)

    def tables(self) -> Sequence[TableInfo]:
        # A room must be listed from the start. Other lobbies must not refuse a program the name of a player
        # who came first: the program gets another name at its seat.
        seated = bool(self._table.places[self._chair.seat].name)
        return [self._table] if seated or isinstance(self.lobby, RoomLobby) else []

    def _enter(self, connection: LobbyConnection, table: str, join: Join) -> None:
        super()._enter(connection, table, Join(self._chair.claim(join.claim, self._table.places), join.id))

    async def serve_socket(self, request: web.Request) -> WebSocket:
        """Serve one WebSocket of the program."""
        token = request.query.get("token") or request.headers.get("Authorization", "").removeprefix("Bearer ")
        return await converse_in_lobby(request, self, token.strip(), None, self._connection)
