"""Whatever bytes a client sends, the Taroky wire gives one answer, or makes one request that gets one.

python fuzz/taroky_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

import sys

import msgspec

from croupier.games.taroky import GAME
from croupier.games.taroky.wire import TarokyConversation, TarokyDesk
from croupier.testing.desked import DeskedHouse
from croupier.wire.talk import Act, Enter, Hang, Here, Keep, Leave, Open, Send, Via

ANSWERED = (Act, Enter, Keep, Leave, Open)
"""What is answered when it has been done."""
DEAL = (
    "100/100/100/100/T01T11S1HJT15S4T19T09H3D3T10T04/T13T05H2SRDRHQT17HRCJT02DJSJ/"
    "T21SQD2DQT18HKC1SKC3DKT07H1/C4D1T16C2S2T20T03CRS3CQT22H4/T12T06T08CKT14D4"
)
POSITIONS = (
    "",
    "/GR2",
    "/GR2/D3HJH3S1CJSQ/R1H3",
    "/GR2/D3HJH3S1CJSQ/R1H3/8/",
    "/GR2/D3HJH3S1CJSQ/R1H3/8//C4C3/I1",
)
"""Before prever, a discard, the partner's name, contra, play."""


def _house(position: str) -> DeskedHouse:
    """Return a house where a client is asked something: player 1, but for contra player 2."""
    house = DeskedHouse(GAME, TarokyDesk)
    client = house.connect()
    rules = {"timeout": 0, "botPlayTime": 60_000, "botThinkTime": 60_000}
    seat = 1 if position.endswith("8/") else 0
    client.send({"command": "lobby.room.create", "name": "x", "rules": rules})
    client.send({"command": "game.taroky.load", "notation": f"{DEAL}{position}/;pn={seat}"})
    client.send({"command": "lobby.game.start"})
    assert house.tables()[0].asked(seat) is not None, position
    return house


HOUSES = [_house(position) for position in POSITIONS]


def check(data: bytes) -> None:
    """Feed the message after the first byte, which says to whom."""
    if not data:
        return
    house = HOUSES[data[0] % len(HOUSES)]
    conversation = house.desk.conversation()
    assert isinstance(conversation, TarokyConversation)
    player = house.clients[0].conversation
    if data[0] // len(HOUSES) % 2:
        assert isinstance(player, TarokyConversation)
        conversation = player
        conversation._restraint.succeeded()  # it is not closed after many errors
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
    if conversation is not player:
        conversation.gone(house.now)


def main() -> None:
    import atheris

    atheris.instrument_all()
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
