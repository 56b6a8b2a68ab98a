"""Any bytes from a client, cut in any way, get the same lines, all of them part of the protocol.

python fuzz/sagrada_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

import re

from croupier.core.contract import Game
from croupier.games.sagrada import GAME
from croupier.games.sagrada.lobby import GlassLobby
from croupier.testing.fuzzing import fuzz
from croupier.testing.house import VirtualHouse
from croupier.wire.lobby import Host, Lobby

WORDS = (
    "welcome login verified failed lobbyplayers: newplayer: game privateGoal schemas publicGoal round dice "
    "your-turn new_dice dice_list dice_from_pool endRound endGame ok invalid no not_valid invalid_dice "
    "constrains_violated constraints_violated empty_cell cell_already_occupied not_enough_token "
    "not_valid_choice bad_request pong state tools window track pool active hand end_state countdown quit "
    "rejoin suspended turn placed moved tool_used tokens passed timeout score new_player"
)
LINE = re.compile(rf"(?:{'|'.join(WORDS.split())})(?:[\t ][ -~\t]*)?")
BEFORE = b"events\ton\nlogin\tann\n"
TURN = BEFORE + b"schema\t14\nextract\n"
OPTIONS: dict[str, object] = {
    "solo": "on",
    "rounds": 2,
    "deal": {"cards": [[8, 7]], "tools": [4, 6, 11], "draws": [["R5", "P6", "Y1", "G3"]]},
    "seed": "fuzz",
}


def _desk(game: Game, house: Host, kept: dict[str, str]) -> Lobby:
    return GlassLobby(game, house, kept, OPTIONS, lambda: "t" * 20)


def lines_for(parts: list[bytes], line: bool) -> list[str]:
    """Return the lines that a client gets for sending *parts*."""
    house = VirtualHouse(GAME, _desk)
    client = house.connect(line=line)
    for part in parts:
        client.feed(part)
    house.advance(30.0)
    return client.frames


def check(data: bytes) -> None:
    """The first byte selects the state of the connection, the second the place where the rest is cut."""
    if len(data) < 3:
        return
    start = (b"", BEFORE, TURN)[data[0] % 3]
    rest = data[2:]
    at = data[1] % len(rest)
    line = bool(data[0] & 4)
    # The first piece contains the end of the first line: after that nothing depends on time.
    whole = lines_for([b"ping\n" + start + rest], line)
    assert whole == lines_for([b"ping\n" + start + rest[:at], rest[at:]], line)
    for found in whole:
        assert LINE.fullmatch(found), found


if __name__ == "__main__":
    fuzz(check)
