"""The Taroky wire gives one answer to any bytes from a client, or makes one request that gets one.

python fuzz/taroky_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

from croupier.games.taroky import GAME
from croupier.games.taroky.wire import TarokyConversation, TarokyLobby
from croupier.testing.fuzzing import fuzz
from croupier.testing.house import VirtualHouse
from croupier.testing.rooms import check_one_answer

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


def _house(position: str) -> VirtualHouse:
    """Return a house where a client is asked a question: player 1, or player 2 for contra."""
    house = VirtualHouse(GAME, TarokyLobby)
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
    """Feed the message after the first byte, which selects the client."""
    if not data:
        return
    house = HOUSES[data[0] % len(HOUSES)]
    conversation = house.lobby.conversation()
    assert isinstance(conversation, TarokyConversation)
    player = house.clients[0].conversation
    if data[0] // len(HOUSES) % 2:
        assert isinstance(player, TarokyConversation)
        conversation = player
        conversation._limits.succeeded()  # it is not closed after many errors
    check_one_answer(conversation, data[1:], house.now)
    if conversation is not player:
        conversation.gone(house.now)


if __name__ == "__main__":
    fuzz(check)
