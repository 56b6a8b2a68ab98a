"""The Hearts wire makes at most one request of any bytes from a client, and a legal one.

python fuzz/hearts_wire.py [corpus folder] [libFuzzer options]      (needs atheris)
"""

from __future__ import annotations

from croupier.core.contract import WATCHER
from croupier.core.refusal import Refusal
from croupier.games.hearts import GAME
from croupier.games.hearts.joining import HeartsClaim
from croupier.games.hearts.wire import HeartsConversation, HeartsWatch
from croupier.table.setup import setup_of
from croupier.testing.fuzzing import fuzz
from croupier.testing.house import VirtualTable
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Act, Join, Uses, Wrong


def _table(answered: int) -> VirtualTable:
    """Return a table after this many valid answers: passing, exposing, playing."""
    pauses = {"command_interval": 0, "round_interval": 0}
    spec = TableSpec(["open"] * 4, table_options=GAME.table_options.read(pauses), seed="1")
    wired = VirtualTable(setup_of("t", GAME, spec))
    clients = [wired.connect(HeartsConversation) for _ in range(4)]
    for number, client in enumerate(clients):
        client.send({"eventName": "join", "data": {"playerName": f"p{number}", "token": "t"}})
    for _ in range(answered):
        seat = next(seat for seat in range(4) if wired.table.asked(seat))
        asked, legal = wired.table.asked(seat), wired.table.view(seat).legal
        assert asked is not None
        actions = tuple(legal[:3]) if len(legal) == 13 and asked.turn == 1 else (legal[0],)
        wired.submit(clients[seat], Act(asked.turn, actions))
    return wired


TABLES = [_table(answered) for answered in (0, 4, 5, 9)]


def check(data: bytes) -> None:
    """Feed the frame after the first byte, which selects the client and the table."""
    if not data:
        return
    wired = TABLES[data[0] % 4]
    table = wired.table
    seat = data[0] // 4 % 5 - 1
    conversation = HeartsConversation(table)
    conversation.seat = seat if seat >= 0 else WATCHER
    outputs = conversation.receive(data[1:], wired.now)
    assert HeartsWatch(table).receive(data[1:], wired.now) == []
    asked_for = [output for output in outputs if not isinstance(output, Uses)]
    assert len(asked_for) <= 1, outputs
    for output in asked_for:
        if isinstance(output, Join):
            assert seat < 0, output
            assert isinstance(output.claim, HeartsClaim)
            try:
                output.claim.seat(table)
            except Refusal:
                continue
            raise AssertionError(f"{output} at a full table")
        assert isinstance(output, Act | Wrong), output
        asked = table.asked(seat)
        assert asked is not None, output
        assert output.turn == asked.turn, output
        if isinstance(output, Act):
            assert table.state is not None
            trial = table.state.clone()
            for action in output.actions:
                trial.apply(seat, action)


if __name__ == "__main__":
    fuzz(check)
