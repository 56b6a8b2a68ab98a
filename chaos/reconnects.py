"""G8: reconnects with resends and duplicates. Streams have no gap, and every decision counts exactly once.

Connections break before an answer, after it, and before its acknowledgement was read. Players come back,
sometimes while their old connection is open, and send their last answer again. At the end the events that
each player was told are compared with the journal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Final

from chaos.endings import CASES
from chaos.judge import Judged, Stored, judge
from chaos.outcome import Outcome, Problems, Sum, Tell, none_of, some_of
from chaos.players import CoinchePlayer, HousePlayer
from chaos.spread import each_case, spread
from chaos.virtual import NO_PAUSES, SHORT, Chair, Room
from croupier.table import journal

ROUNDS: Final = 3000
EACH: Final = 10
"""How many reconnects a match has on average, or more."""


@dataclass
class Tally(Sum):
    """The counts of some matches."""

    reconnects: Counter[str] = field(default_factory=Counter)
    resent: int = 0
    judged: Judged = field(default_factory=Judged)
    problems: Problems = field(default_factory=Problems)


def run(many: int, seed: int, tell: Tell) -> Outcome:
    """Let at least *many* connections break."""
    total = Tally()
    for part in spread(break_some, max(len(CASES), many // EACH), seed, tell):
        total += part
    judged = total.judged
    fewest = min(total.reconnects[f"{name} {door}"] for name, door in CASES)
    return Outcome(
        f"{total.reconnects.total():,} reconnects, {total.resent:,} resends, "
        f"{judged.acknowledged:,} decisions",
        [
            none_of("decisions lost", judged.lost),
            none_of("decisions twice", judged.twice),
            none_of("gaps in streams", judged.gaps),
            none_of("matches torn or not ended", judged.torn + total.problems.many),
            some_of("reconnects", total.reconnects.total(), many),
            some_of("fewest reconnects, of a game over a protocol", fewest),
            some_of("events compared", judged.events),
        ],
        notes=total.problems.words,
    )


def break_some(cases: range, seed: int) -> Tally:
    """Play the matches with these numbers."""
    return each_case(cases, CASES, f"reconnects {seed}", Tally(), Breaks)


class Breaks:
    """One match whose connections break."""

    def __init__(self, name: str, door: str, chance: Random, tally: Tally) -> None:
        self.what = f"{name} {door}"
        self.chance = chance
        self.tally = tally
        self.room = Room(
            name, door, chance, table_options=NO_PAUSES[name], seats=2 if name == "sagrada" else 4
        )
        self._last: dict[Chair, list[str]] = {}

    def run(self) -> None:
        """Play to the end and compare."""
        room = self.room
        room.begin()
        for _ in range(ROUNDS):
            if room.ended():
                break
            for chair in room.chairs:
                self._round(chair)
            room.house.advance(0.1)
        # A lobby may have opened another table when the match was over.
        journals = [room.house.store.journal(id) for id in room.house.store._logs]
        refused = [chair.player.refused[-3:] for chair in room.chairs]
        ended = any(isinstance(entry, journal.Ended) for entry in journals[0])
        assert ended, f"not ended; refused: {refused}"
        before = self.tally.judged.lost, self.tally.judged.twice, self.tally.judged.gaps
        players = [chair.player for chair in room.chairs]
        tables = [Stored(room.game, dict(SHORT[room.name]), entries) for entries in journals]
        self.tally.judged += judge(tables, players)
        after = self.tally.judged.lost, self.tally.judged.twice, self.tally.judged.gaps
        assert before == after, f"lost, twice, gaps: {before} before, {after} after"

    def _round(self, chair: Chair) -> None:
        roll = self.chance.random()
        if not chair.connected:
            self._come(chair)
            return
        chair.listen()
        if chair.player.question is None:
            if roll < 0.02:
                chair.drop()
            return
        if roll < 0.1:
            chair.drop()
            return
        answer = self._last[chair] = chair.player.answer()
        assert chair.client is not None
        chair.client.send(*answer)
        if roll < 0.25:
            chair.drop()  # the acknowledgement is not read
        elif roll < 0.3:
            self._come(chair)  # the old connection is still open
        elif roll < 0.4:
            self._resend(chair)
        chair.listen()

    def _come(self, chair: Chair) -> None:
        self.tally.reconnects[self.what] += 1
        if isinstance(chair.player, CoinchePlayer):
            chair.drop()  # a nickname is in use while its connection is open
        chair.come()
        if isinstance(chair.player, HousePlayer) and self.chance.random() < 0.5:
            self._resend(chair)

    def _resend(self, chair: Chair) -> None:
        if chair.client is None or chair not in self._last:
            return
        # Only the house protocol numbers its questions; in the others a "no" may also be an answer to the
        # next question.
        if not isinstance(chair.player, HousePlayer) and "play" not in self._last[chair][0].lower():
            return
        self.tally.resent += 1
        if isinstance(chair.player, CoinchePlayer):
            chair.player.repeated()
        chair.client.send(*self._last[chair])
        chair.listen()
