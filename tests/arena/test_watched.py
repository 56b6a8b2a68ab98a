"""The conversation of a program in an arena does everything that its protocol's own one does."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.arena.chairs import Chair
from croupier.arena.plan import Contestant, Kind
from croupier.arena.watched import Watched
from croupier.games.hearts import GAME
from croupier.games.hearts.wire import HeartsConversation
from croupier.table.setup import setup_of
from croupier.table.table import Table
from croupier.testing.house import VirtualTable
from croupier.wire.frames import write
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Act, Join, Seated


@dataclass
class Nobody:
    """A judge that ignores everything."""

    table: Table
    refusals: int = 0

    def judge(self, seat: int, kind: Kind, words: str) -> None:
        raise AssertionError(words)


def test_a_reply_that_waits_for_the_answer_to_a_join_is_heard() -> None:
    pauses = {"command_interval": 0}
    seats = ["open", "bot dummy", "bot dummy", "bot dummy"]
    wired = VirtualTable(setup_of("t", GAME, TableSpec(seats, table_options=GAME.table_options.read(pauses))))
    join = write({"eventName": "join", "data": {"playerName": "ann"}})
    ann = wired.connect(HeartsConversation)
    ann.send(join)
    request = ann.read()[-1]
    assert request["eventName"] == "pass_cards"
    cards = request["data"]["self"]["cards"][:3]
    back = Watched(Nobody(wired.table), Chair(0, Contestant("ann", command=("ann",), wire="own"), "ann"))
    assert [type(output) for output in back.receive(join, wired.now)] == [Join]
    reply = write({"eventName": "pass_my_cards", "data": {"dealNumber": 1, "cards": cards}})
    assert back.receive(reply, wired.now) == []
    assert not back.pending()
    back.take_seat(0)
    back.note(Seated(0, back=True), wired.now)
    assert back.pending()
    assert [type(output) for output in back.resume(wired.now)] == [Act]
