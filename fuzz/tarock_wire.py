"""Whatever bytes a client sends, the Tarock wire gives one answer, or makes one request that gets one.

python fuzz/tarock_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

from croupier.games.tarock import GAME
from croupier.games.tarock.wire import TarockDesk
from croupier.testing.desked import DeskedHouse
from croupier.testing.fuzzing import fuzz
from croupier.testing.rooms import check_one_answer


def _house(bids: list[str]) -> DeskedHouse:
    """Return a house where a client plays against bots and has bid *bids*."""
    house = DeskedHouse(GAME, TarockDesk)
    client = house.connect()
    client.send({"command": "lobby.room.create", "name": "x", "rules": {"seed": 4, "turn_timeout_ms": 0}})
    client.send({"command": "lobby.game.start"})
    for bid in bids:
        client.send({"command": "game.tarock.bid", "contract": bid})
    return house


HOUSES = [_house([]), _house(["solo_one"] * 2), _house(["valat"] * 2)]
"""In the auction, before an exchange, in play."""


def check(data: bytes) -> None:
    """Feed the message after the first byte, which says to whom."""
    if not data:
        return
    house = HOUSES[data[0] % 3]
    conversation = house.desk.conversation()
    if data[0] // 3 % 2:
        found = house.clients[0].conversation
        assert type(found) is type(conversation)
        conversation = found
    outputs = conversation.answer(data[1:], house.now)
    check_one_answer(data[1:], outputs)
    if conversation is not house.clients[0].conversation:
        conversation.gone(house.now)


if __name__ == "__main__":
    fuzz(check)
