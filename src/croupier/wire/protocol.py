"""The published protocol of a game, and what servers, arenas and logs need to know about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:  # the command line reads the ports without loading the protocols
    from croupier.core.contract import Game
    from croupier.wire.lobby import Host, Lobby
    from croupier.wire.talk import Conversation, TableInfo


class Port(NamedTuple):
    """A TCP port of the protocol, one message per line."""

    name: str
    """The port is called ``--NAME-port`` on the command line and ``NAME`` in a configuration file."""
    default: str
    """A number, ``any`` or ``off``."""
    words: str
    line: bool = False
    """Use the variant of the protocol for terminals."""


class Protocol:
    """A published protocol. Its connections begin in a lobby, or at a table that their address names."""

    has_lobby: ClassVar[bool] = False
    ports: ClassVar[Sequence[Port]] = ()
    complaints: ClassVar[tuple[str, ...]] = ()
    """How the answers to invalid messages begin."""
    secrets: ClassVar[Sequence[re.Pattern[str]]] = ()
    """Messages with a token or a password: what precedes it is group 1; empty for JSON with usual names."""
    served: ClassVar[Mapping[str, object]] = {}
    """Options of the tables that its lobby opens on a server, if they differ from the defaults."""
    alone: ClassVar[Mapping[str, object]] = {}
    """Options with which its lobby seats a lone player immediately."""

    def conversation(self, table: TableInfo) -> Conversation:
        """Return a new conversation at *table*, for protocols without a lobby."""
        raise NotImplementedError

    def watch(self, table: TableInfo) -> Conversation:
        """Return a new conversation for a watcher at *table*."""
        raise NotImplementedError

    def lobby(self, game: Game, host: Host, kept: Mapping[str, str], defaults: Mapping[str, object]) -> Lobby:
        """Return the lobby; *kept* is what it had stored, *defaults* the options of its tables."""
        raise NotImplementedError
