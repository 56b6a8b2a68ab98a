"""The messages of a short match over the house protocol, the same every time."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from croupier.games import game as find_game
from croupier.games import words_of
from croupier.table.setup import setup_of
from croupier.testing.house import Client, VirtualTable
from croupier.testing.tables import without_pauses
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import MATCH_OVER

Frame = dict[str, Any]


class Traffic:
    """One match: a player who answers at random, bots, and a watcher who sees all hands."""

    def __init__(self, name: str) -> None:
        game = find_game(name)
        spec = TableSpec(
            ["open", *["bot random"] * (max(game.seats) - 1)],
            game.options.read(dict(game.short)),
            game.table_options.read(without_pauses(game)),
            "1",
        )
        self._house = VirtualTable(setup_of("t1", game, spec))
        self._rng = Random(name)
        self.sent: list[Frame] = []
        self.received: list[Frame] = []
        self._watch()
        self._client = self._connect()
        self._play()

    def _connect(self) -> Client:
        client = self._house.connect(
            partial(HouseConversation, words_in=partial(words_of, self._house.table.game))
        )
        self._read(client)
        return client

    def _watch(self) -> None:
        client = self._connect()
        self._send(client, type="watch", views="all", words=True, id=1)
        self._send(client, type="act", turn=0, actions=["?"], id=2)

    def _read(self, client: Client) -> list[Frame]:
        frames = client.read()
        self.received += frames
        return frames

    def _send(self, client: Client, **message: object) -> list[Frame]:
        self.sent.append(message)
        client.send(message)
        return self._read(client)

    def _play(self) -> None:
        client, seat = self._client, 0
        digest = self._house.table.for_watchers.next_deal
        self._send(
            client, type="join", name="ann", token="a secret", views="all", digest=digest, nonce="7", id=1
        )
        self._send(client, type="say", text="Good luck!", id=2)
        self._send(client, type="ping", id=3)
        for _ in range(5000):
            asked = self._house.table.asked(seat)
            if asked is not None:
                self._answer(asked.turn)
            elif self._house.table.phase == "playing":
                self._house.advance(10.0)
                self._read(client)
            else:
                break
        self._house.close(MATCH_OVER)
        self._read(client)

    def _answer(self, turn: int) -> None:
        view = self._house.table.view(0)
        name = self._house.table.game.actions.name
        if len(self.sent) < 10:  # most are illegal
            self._send(self._client, type="act", turn=turn, actions=[name(self._rng.randrange(20))], id=4)
        if self._house.table.asked(0) is not None:
            self._send(
                self._client, type="act", turn=turn, actions=[name(self._rng.choice(view.legal))], id=5
            )

    def first(self, type_: str) -> Frame:
        """Return the first message of the server with this type."""
        return next(frame for frame in self.received if frame["type"] == type_)
