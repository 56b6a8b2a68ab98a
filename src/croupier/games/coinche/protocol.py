"""The published protocol of the game, as the server sees it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from croupier.wire.protocol import Port, Protocol

if TYPE_CHECKING:
    from croupier.core.contract import Game
    from croupier.wire.lobby import Host, Lobby


class CoincheProtocol(Protocol):
    """Lines of text with numbered replies."""

    has_lobby = True
    ports = (Port("coinche", "4242", "Port of Coinche for telnet and nc."),)
    complaints = ("4", "5")
    secrets = (
        re.compile(r"(?i)^(\s*name[ \t]+\S+[ \t]+)\S.*"),
        re.compile(r"^(108 \S+ \S+ )(?!-(?:\s|$))\S+"),
    )
    served: ClassVar[Mapping[str, object]] = {
        "fill_bots_seconds": 30
    }  # a lone player does not wait without limit

    def lobby(self, game: Game, host: Host, kept: Mapping[str, str], defaults: Mapping[str, object]) -> Lobby:
        from croupier.games.coinche.wire import CoincheLobby

        return CoincheLobby(game, host, kept, defaults)
