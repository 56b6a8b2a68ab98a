"""A desk for one program: whatever it joins, creates or waits for there is its seat at the arena's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from aiohttp import web

from croupier.arena.chairs import Chair
from croupier.arena.watched import Judge, Overheard, OverheardLine
from croupier.core.contract import Game
from croupier.net.limits import Crowd
from croupier.net.reception import DeskLink, Reception
from croupier.net.sockets import converse_at_desk
from croupier.net.tcp import Listener
from croupier.store.api import Store
from croupier.table.hall import Config, Hall
from croupier.table.runner import Runner
from croupier.wire.frames import write
from croupier.wire.lobby import RoomDesk
from croupier.wire.talk import Face, Join, token_digest

ALONE: Final[Mapping[str, Mapping[str, object]]] = {"sagrada": {"solo": True}}
"""The options with which the desk of a game calls somebody who waits alone to a table at once."""
MOST: Final = 100
"""Connections that one program may have at the same time."""


class OneTable(Hall):
    """A hall with the table of one match: whatever is opened in it is that table."""

    def __init__(self, store: Store, runner: Runner) -> None:
        super().__init__(store)
        self.runners[runner.table.id] = runner
        self._runner = runner

    async def open(self, game: Game, config: Config, id: str | None = None) -> Runner:
        return self._runner


class ProgramDesk(Reception):
    """The desk of one seat."""

    def __init__(self, hall: OneTable, judge: Judge, chair: Chair) -> None:
        game = judge.table.game
        self._chair = chair
        self._table = judge.table
        super().__init__(hall, game, {}, ALONE.get(game.name, {}))
        if isinstance(self.desk, RoomDesk):  # where one can log in by token, the program's own is known
            self.desk.users.recall(token_digest(chair.key), write({"id": "u1", "nickname": chair.name}))
        self._link = partial(Overheard, judge, chair)
        crowd = Crowd(MOST)
        self.listener = Listener(self, self.desk.conversation, crowd, partial(OverheardLine, judge, chair))

    def tables(self) -> Sequence[Face]:
        # A room to join is seen from the start; elsewhere the names of those who came first must not be
        # refused to a program that has not sat down: at its seat it gets another.
        seated = bool(self._table.places[self._chair.seat].name)
        return [self._table] if seated or isinstance(self.desk, RoomDesk) else []

    def _enter(self, link: DeskLink, table: str, join: Join) -> None:
        super()._enter(link, table, Join(self._chair.claim(join.claim, self._table.places), join.id))

    async def converse(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one WebSocket of the program from its upgrade to its end."""
        token = request.query.get("token") or request.headers.get("Authorization", "").removeprefix("Bearer ")
        conversation = self.desk.conversation(token=token.strip())
        return await converse_at_desk(request, self, conversation, None, self._link)
