"""Any bytes from a player, cut in any way, get the same well-formed lines, one reply each.

python fuzz/coinche_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

import re

from croupier.games.coinche import GAME
from croupier.games.coinche.wire import CoincheLobby
from croupier.testing.fuzzing import fuzz
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.table_spec import TableSpec

REPLY = re.compile(r"(?:200|4[0-5]\d|50[03]) [^\r\n]+")
NOTICE = re.compile(r"[13]\d\d [^\r\n]+")
STARTS = (b"", b"NAME anna\n", b"NAME anna\nCONTRACT 80 Hearts\n", b"NAME anna\nCONTRACT capot Hearts\n")
"""The states in which the connection begins: without a name, about to speak, after speaking, about to lead.
"""


def player(parts: list[bytes]) -> Client:
    """Return a client that has sent *parts*, at a table with three other players."""
    house = VirtualHouse(GAME, CoincheLobby)
    house.open(TableSpec(("open",) * 4, {"first_dealer": "3"}))  # the fourth player to arrive speaks first
    for name in ("bobby", "carol", "david"):
        house.connect().send(f"NAME {name}")
    client = house.connect()
    for part in parts:
        client.feed(part)
    return client


def check(data: bytes) -> None:
    """The first byte selects the state of the connection, the second the place where the rest is cut."""
    if len(data) < 3:
        return
    start, rest = STARTS[data[0] % len(STARTS)], data[2:]
    at = data[1] % len(rest)
    whole = player([start + rest])
    cut = player([start + rest[:at], rest[at:]])
    assert cut.frames == whole.frames
    assert cut.connected == whole.connected
    for line in whole.frames:
        assert REPLY.fullmatch(line) or NOTICE.fullmatch(line), line
        assert len(line.encode()) <= 1022, line
    replies = [line for line in whole.frames if REPLY.fullmatch(line)]
    assert len(replies) <= (start + rest).count(b"\n") + (start + rest).count(b"\r\0") + len(rest) // 512 + 1


if __name__ == "__main__":
    fuzz(check)
