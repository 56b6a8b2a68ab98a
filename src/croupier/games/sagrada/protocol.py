"""The published protocol of the game, as the server sees it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from croupier.wire.protocol import Port, Protocol

if TYPE_CHECKING:
    from croupier.core.contract import Game
    from croupier.wire.lobby import Host, Lobby


class GlassProtocol(Protocol):
    """Lines of fields, separated by tabs or spaces."""

    has_lobby = True
    ports = (
        Port("sagrada", "31333", "Port of the glass workshop (lines end with CR)."),
        Port(
            "sagrada-line",
            "31334",
            "Port of the glass workshop for terminals (CR LF, spaces between fields).",
            line=True,
        ),
    )
    complaints = ("bad_request", "failed")
    secrets = (
        re.compile(r"(?i)^(token[\t ]).+"),
        re.compile(r"(?i)^(login[\t ][^\t ]+[\t ])(?!token\s*$).+"),
    )
    alone: ClassVar[Mapping[str, object]] = {"solo": True}

    def lobby(self, game: Game, host: Host, kept: Mapping[str, str], defaults: Mapping[str, object]) -> Lobby:
        from croupier.games.sagrada.lobby import GlassLobby

        return GlassLobby(game, host, kept, defaults)
