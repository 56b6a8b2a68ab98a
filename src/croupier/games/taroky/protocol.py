"""The published protocol of the game, as the server sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from croupier.wire.protocol import Port, Protocol

if TYPE_CHECKING:
    from croupier.core.contract import Game
    from croupier.wire.lobby import Host, Lobby


class TarokyProtocol(Protocol):
    """JSON messages with login and rooms (croupier.wire.opentarock)."""

    has_lobby = True
    ports = (Port("taroky", "off", "Port of Taroky, one JSON message per line."),)
    complaints = ('{"error"',)

    def lobby(self, game: Game, host: Host, kept: Mapping[str, str], defaults: Mapping[str, object]) -> Lobby:
        from croupier.games.taroky.wire import TarokyLobby

        return TarokyLobby(game, host, kept, defaults)
