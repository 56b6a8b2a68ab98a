"""Whatever bytes a client sends, the house protocol gives one answer or makes one well-formed request.

python fuzz/house_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

import contextlib

import msgspec

from croupier.core.contract import WATCHER
from croupier.games.hearts import GAME
from croupier.table.effects import Setup
from croupier.testing.fuzzing import fuzz
from croupier.testing.wired import WiredTable
from croupier.wire.house import HouseConversation
from croupier.wire.talk import Act, Arrange, Join, JoinRefused, Leave, Say, Send, Start


def _table() -> WiredTable:
    options = GAME.table_options.read({"command_interval": 0, "round_interval": 0})
    wired = WiredTable(Setup("t", GAME, GAME.options.read({}), options, ["open"] * 4, seed="1"))
    for number in range(3):
        wired.connect(HouseConversation).send({"type": "join", "name": f"p{number}", "token": "t"})
    return wired


WIRED = _table()


def check(data: bytes) -> None:
    """Feed the message after the first byte, which says whose it is."""
    if not data:
        return
    table = WIRED.table
    conversation = HouseConversation(table)
    conversation.seat = data[0] % 4 - 1 if data[0] % 4 else WATCHER
    (output,) = conversation.receive(data[1:], WIRED.now)
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
            with contextlib.suppress(JoinRefused):
                assert 0 <= claim.seat(table) < 4
        case Say() | Leave():
            assert conversation.seat >= 0
        case _:
            assert isinstance(output, Start | Arrange), output


if __name__ == "__main__":
    fuzz(check)
