"""Whatever bytes a client sends, the Tarock wire gives one answer, or makes one request that gets one.

python fuzz/tarock_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

import sys

import msgspec

from croupier.games.tarock import GAME
from croupier.games.tarock.wire import TarockDesk
from croupier.testing.desked import DeskedHouse
from croupier.wire.talk import Act, Enter, Hang, Here, Keep, Leave, Open, Send, Via

ANSWERED = (Act, Enter, Keep, Leave, Open)
"""What is answered when it has been done."""


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
    if not data[1:].strip():
        assert outputs == []
        return
    own = [output for output in outputs if not isinstance(output, Via | Here | Hang)]
    for output in own:
        if isinstance(output, Send):
            frame = msgspec.json.decode(output.frame, type=dict[str, object])
            assert ("response" in frame) != ("error" in frame), frame
        else:
            assert isinstance(output, ANSWERED), output
    sends = [output for output in own if isinstance(output, Send)]
    assert len(sends) == 1 or (not sends and len(own) == 1), outputs
    if conversation is not house.clients[0].conversation:
        conversation.gone(house.now)


def main() -> None:
    import atheris

    atheris.instrument_all()
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
