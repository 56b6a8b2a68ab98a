"""The Trend protocol, as the server sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.wire.protocol import Protocol

if TYPE_CHECKING:
    from croupier.wire.talk import Conversation, TableInfo


class HeartsProtocol(Protocol):
    """The protocol of the Trend Hearts SDK: JSON messages; the address names the table."""

    def conversation(self, table: TableInfo) -> Conversation:
        from croupier.games.hearts.wire import HeartsConversation

        return HeartsConversation(table)

    def watch(self, table: TableInfo) -> Conversation:
        from croupier.games.hearts.wire import HeartsWatch

        return HeartsWatch(table)
