"""The house protocol gives one answer to any bytes from a client, or makes one well-formed request.

python fuzz/house_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

import contextlib

import msgspec

from croupier.core.contract import WATCHER
from croupier.core.refusal import Refusal
from croupier.games.hearts import GAME
from croupier.table.setup import setup_of
from croupier.testing.fuzzing import fuzz
from croupier.testing.house import VirtualTable
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Act, Arrange, Continue, Contribute, Join, Leave, Say, Send, Start, Uses


def _table() -> VirtualTable:
    options = GAME.table_options.read({"command_interval": 0, "round_interval": 0})
    wired = VirtualTable(setup_of("t", GAME, TableSpec(["open"] * 4, table_options=options, seed="1")))
    for number in range(3):
        wired.connect(HouseConversation).send({"type": "join", "name": f"p{number}", "token": "t"})
    return wired


WIRED = _table()


def check(data: bytes) -> None:
    """Feed the message after the first byte, which selects the sender."""
    if not data:
        return
    table = WIRED.table
    conversation = HouseConversation(table)
    conversation.seat = data[0] % 4 - 1 if data[0] % 4 else WATCHER
    *uses, output = conversation.receive(data[1:], WIRED.now)
    assert all(isinstance(one, Uses) for one in uses)
    match output:
        case Send(frame):
            answer = msgspec.json.decode(frame)
            assert answer["type"] in ("refused", "pong"), answer
        case Act():
            assert conversation.seat >= 0
            assert output.turn >= 0
            assert all(0 <= action < len(GAME.actions) for action in output.actions)
        case Join(claim):
            assert conversation.seat == WATCHER
            with contextlib.suppress(Refusal):
                assert 0 <= claim.seat(table) < 4
        case Say() | Leave() | Continue() | Contribute():
            assert conversation.seat >= 0
        case _:
            assert isinstance(output, Start | Arrange), output


if __name__ == "__main__":
    fuzz(check)
