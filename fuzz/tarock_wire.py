"""The Tarock wire gives one answer to any bytes from a client, or makes one request that gets one.

python fuzz/tarock_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

from croupier.games.tarock import GAME
from croupier.games.tarock.wire import TarockLobby
from croupier.testing.fuzzing import fuzz
from croupier.testing.house import VirtualHouse
from croupier.testing.rooms import check_one_answer


def _house(bids: list[str]) -> VirtualHouse:
    """Return a house where a client plays against bots and has bid *bids*."""
    house = VirtualHouse(GAME, TarockLobby)
    client = house.connect()
    client.send({"command": "lobby.room.create", "name": "x", "rules": {"seed": 4, "turn_timeout_ms": 0}})
    client.send({"command": "lobby.game.start"})
    for bid in bids:
        client.send({"command": "game.tarock.bid", "contract": bid})
    return house


HOUSES = [_house([]), _house(["solo_one"] * 2), _house(["valat"] * 2)]
"""In the auction, before an exchange, in play."""


def check(data: bytes) -> None:
    """Feed the message after the first byte, which selects the client."""
    if not data:
        return
    house = HOUSES[data[0] % 3]
    conversation = house.lobby.conversation()
    if data[0] // 3 % 2:
        found = house.clients[0].conversation
        assert type(found) is type(conversation)
        conversation = found
    check_one_answer(conversation, data[1:], house.now)
    if conversation is not house.clients[0].conversation:
        conversation.gone(house.now)


if __name__ == "__main__":
    fuzz(check)
