"""G3: twin deals over every protocol. They differ only in facts that an observer may not know, and the
observer must not notice any difference.

Two servers in virtual time play the same match: same seed, same players, same moments. In the second one, two
items of a draw are exchanged (two cards change hands), or another seat decides differently. The observer is a
seat or a watcher, over any protocol that the game has; the other seats are moved by the test, with the two
items exchanged in their actions as well. As long as the observer has been told the same events of the rules,
every byte sent to it must be the same, in the same order and at the same moment, and so must the server's
log, the lists of tables and matches over HTTP, and the figures of the server that depend on actions. When its
events differ it may know the difference, and the comparison ends.

The time that others take before the observer is asked cannot be hidden. So moments are compared in classes:
frames with a question, frames after the observer's own answer, and all other frames by the clock.
"""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from chaos.outcome import Outcome, Problems, Sum, Tell, none_of, some_of
from chaos.players import GlassPlayer, HousePlayer
from chaos.spread import each_case, spread
from chaos.virtual import HOUSE, NO_PAUSES, OWN, Chair, Room
from croupier.core.contract import WATCHER, as_plain
from croupier.games import conversation, names
from croupier.net.connection import Connection
from croupier.net.table_list import row
from croupier.table import journal
from croupier.table.table import Table
from croupier.testing.house import Client
from croupier.wire.house import HouseConversation
from croupier.wire.talk import (
    PLAYING,
    Act,
    AskedNow,
    Conversation,
    Note,
    Output,
    TableInfo,
    Told,
    TurnChanged,
)

Decide: TypeAlias = Callable[[int, int], int]
"""Returns the action of a seat at its decision with this number."""

TICK: Final = 0.05
THOUGHT: Final = 0.1
"""Seconds after which every seat answers."""
KEYS: Final = {"taroky": ("T19", "T18"), "tarock": ("CK", "SK", "HK", "DK"), "hearts": ("QS", "AH")}
"""Cards that determine which seat is asked in secret, or which seats play together."""
LONGEST: Final = 100
"""The maximum number of ticks between a question in one world and the same question in the other."""
ATTEMPTS: Final = 6
LIMIT: Final = 1500
"""The maximum number of ticks of a match."""

WORDS: Final = "words"
"""The house protocol with texts and all views."""
WATCH: Final = "watch"
WATCH_OWN: Final = "watch own"
DELAYED: Final = "delayed"
CHANNELS: Final = (OWN, HOUSE, WORDS, WATCH, DELAYED)
CASES: Final = [(name, channel) for name in names() for channel in CHANNELS] + [("hearts", WATCH_OWN)]


@dataclass
class Tally(Sum):
    """The counts of the comparisons."""

    deals: int = 0
    compared: Counter[str] = field(default_factory=Counter)
    """By game and channel: moments at which worlds that differed were compared."""
    frames: int = 0
    problems: Problems = field(default_factory=Problems)


def run(many: int, seed: int, tell: Tell) -> Outcome:
    """Compare *many* pairs of deals of each game."""
    total = Tally()
    for part in spread(compare_some, many * len(names()), seed, tell):
        total += part
    fewest = min(total.compared[f"{name} {channel}"] for name, channel in CASES)
    return Outcome(
        f"{total.deals:,} pairs of deals, {sum(total.compared.values()):,} moments, {total.frames:,} frames",
        [
            none_of("differences", total.problems.many),
            some_of("fewest moments compared, of a game over a channel", fewest),
        ],
        notes=total.problems.words,
    )


def compare_some(cases: range, seed: int) -> Tally:
    """Compare the pairs with these numbers."""
    return each_case(cases, CASES, f"secrecy {seed}", Tally(deals=len(cases)), Twins)


class Leak(AssertionError):
    """The observer can notice something that it may not know."""


class Twins:
    """Two worlds and the difference between them."""

    def __init__(self, name: str, channel: str, chance: Random, tally: Tally) -> None:
        self.what = f"{name} {channel}"
        self.chance = chance
        self.tally = tally
        self.seats = 4 if name != "sagrada" else chance.choice((2, 3))
        seat = chance.randrange(self.seats)
        secret = str(chance.random())
        self.one = World(name, channel, seat, self.seats, secret, [])
        self.one.begin()
        self.by_draw = chance.random() < 0.7
        draws = self.one.draws()
        self.at = chance.randrange(len(draws) if self.by_draw else 40)
        """The number of the draw, or of the decision, that differs."""
        self.renamed: dict[str, str] = {}
        self.parted = False
        self._apart = 0
        """For how many ticks the observer has been asked in only one of the worlds."""
        self._draws = 0
        for _ in range(ATTEMPTS):  # until the difference is not in the observer's own hand
            self._draws = 0
            self.two = World(name, channel, seat, self.seats, secret, self._other_draws())
            self.two.begin()
            assert not self.parted or self.one.draws() != self.two.draws(), "the twins do not differ"
            if self.one.told() == self.two.told():
                break

    def run(self) -> None:
        """Play both until the observer may know the difference, or to the end."""
        for _ in range(LIMIT):
            if self.one.over() or not self._tick():
                return

    def _tick(self) -> bool:
        """Advance both worlds and compare them; return False if the comparison has ended."""
        one, two = self.one, self.two
        one.step(self._decide_one)
        two.house.stacked += self._other_draws()
        two.step(self._decide_two)
        if not self.parted:
            one.forget()
            two.forget()
            return True
        if one.asked() != two.asked() or one.answered != two.answered:
            self._apart += 1
            return self._apart < LONGEST
        self._apart = 0
        if one.told() != two.told():
            return False
        for kind, mine, theirs in (
            ("frames", one.timed(), two.timed()),
            ("log", one.log, two.log),
            ("list of tables", one.listed(), two.listed()),
            ("list of matches and figures", one.figures(), two.figures()),
        ):
            if mine != theirs:
                raise Leak(f"{kind} after {one.house.now:.2f} s: {_gap(mine, theirs)}")
        self.tally.compared[self.what] += 1
        self.tally.frames += len(one.sent)
        one.forget()
        two.forget()
        return True

    # The difference.

    def _other_draws(self) -> list[list[int]]:
        """Return the draws of the first world that the second one has not got yet, one of them changed."""
        fresh = self.one.draws()[self._draws :]
        out = []
        for number, items in enumerate(fresh, self._draws):
            if self.by_draw and number == self.at and len(items) > 1:
                i, j = self._pair(items)
                first, second = items[i], items[j]
                items[i], items[j] = second, first
                name = self.one.table.game.draw_name
                self.renamed = {name(first): name(second), name(second): name(first)}
                self.parted = first != second
            out.append(items)
        self._draws += len(fresh)
        return out

    def _pair(self, items: list[int]) -> tuple[int, int]:
        """Choose the places of two items to exchange; one of them is often an item on which a secret question
        depends.
        """
        game = self.one.table.game
        keys = KEYS.get(game.name, ())
        key = [place for place, item in enumerate(items) if game.draw_name(item) in keys]
        i = (
            self.chance.choice(key)
            if key and self.chance.random() < 0.7
            else self.chance.randrange(len(items))
        )
        j = self.chance.randrange(len(items) - 1)
        return i, j + (j >= i)

    def _decide_one(self, seat: int, number: int) -> int:
        legal = self.one.legal(seat)
        # Mostly "no" to yes-or-no questions, so that more questions follow.
        action = legal[0] if len(legal) == 2 and self.chance.random() < 0.8 else self.chance.choice(legal)
        self.one.decided[seat].append(action)
        return action

    def _decide_two(self, seat: int, number: int) -> int:
        legal = self.two.legal(seat)
        done = self.one.decided[seat]
        if number >= len(done):
            return legal[0]
        action = done[number]
        if not self.by_draw and not self.parted and sum(map(len, self.one.decided.values())) > self.at:
            others = [other for other in legal if other != action]
            if others:
                self.parted = True
                return self.chance.choice(others)
        for wanted in (self._rename(action), action):
            if wanted in legal:
                return wanted
        return self.chance.choice(legal)

    def _rename(self, action: int) -> int:
        actions = self.one.table.game.actions
        words = actions.name(action).split(" ")
        return actions.codes.get(" ".join(self.renamed.get(word, word) for word in words), action)


class World:
    """One of the two servers, with its observer and the seats that the test moves."""

    def __init__(
        self, name: str, channel: str, seat: int, seats: int, secret: str, stacked: list[list[int]]
    ) -> None:
        self.channel = channel
        self.seat = WATCHER if channel in (WATCH, WATCH_OWN, DELAYED) else seat
        self.sent: list[tuple[float, type, str]] = []
        self.log: list[str] = []
        self.decided: dict[int, list[int]] = {number: [] for number in range(seats)}
        door = OWN if channel == OWN and name == "sagrada" else HOUSE
        pauses = {**NO_PAUSES[name], **({"secret_pause": 2000} if name == "taroky" else {})}
        clocks = {"turn_time": 0} if door == OWN else {}
        self.room = Room(
            name,
            door,
            Random(secret),
            table_options={**pauses, **clocks},
            seats=seats,
            watch_delay=3 if channel == DELAYED else 0,
        )
        self.house = self.room.house
        self.house.stacked += stacked  # the table has a reference to this list
        self.house.on_frame = self._sent
        self.house.on_note = self._noted
        self.table: Table
        self.observer = self._observer(name, seat, secret)
        self._watcher: Client | None = None
        self._recorder: Client | None = None
        """For a watcher: another watcher of the same table, who keeps the events."""
        self._notes: list[Told] = []
        self._puppets: dict[int, Client] = {}
        self._moves = dict.fromkeys(range(seats), 0)
        self._due: dict[int, tuple[int, float]] = {}
        """The number of the question to each seat, and the time of its answer."""
        self._answers_at = 0.0
        self.answered = 0
        """How often the observer has answered."""
        self._asks: list[float] = []
        """The moments of questions to the observer."""
        self._answers: set[float] = set()
        self._kind: type = object
        """The kind of note that causes the frames being sent."""

    def _observer(self, name: str, seat: int, secret: str) -> Chair | None:
        """Return the player of the observed seat, which comes last; None for a watcher."""
        chance = Random(f"observer {secret}")
        if self.seat == WATCHER:
            return None
        chair = self.room.chairs[seat]
        if self.channel == OWN and name != "sagrada":
            player = self.room.own_player("observer", chance, seat)
            chair = Chair(player, self.room.own_way)
        elif self.channel == WORDS:
            chair = Chair(_WordyPlayer("observer", chance, seat), self.room.visit)
        return chair

    def begin(self) -> None:
        """Seat all players; the match begins when the observer has come."""
        with self._logged():
            if isinstance(self.room.chairs[0].player, GlassPlayer):
                self.room.begin()
                names = [chair.player.name for chair in self.room.chairs]
                self.table = self._only_table()
                by_name = {place.name: place.seat for place in self.table.places}
                assert self.observer is not None
                self.seat = by_name[self.observer.player.name]
                for name, chair in zip(names, self.room.chairs, strict=True):
                    if chair is not self.observer:
                        assert isinstance(chair.player, GlassPlayer)
                        self._take(by_name[name], name, chair.player.token)
            else:
                if self.observer is None:
                    self._watcher = self._watch()
                    self._recorder = self.house.visit(self.room.id, Recorder)
                for seat in range(len(self.room.chairs)):
                    if seat != self.seat:
                        self._take(seat, f"player{seat}", f"secret of player{seat}")
                if self.observer is not None:
                    self.observer.come()
                self.table = self._only_table()
            self.house.settle()
            assert self.table.phase == PLAYING, f"the match has not begun: {self.table.phase}"
            assert self.seat == WATCHER or self.table.places[self.seat].connected

    def _only_table(self) -> Table:
        [shell] = self.house.all_tables.shells.values()
        return shell.table

    def _watch(self) -> Client:
        if self.channel == WATCH_OWN:
            return self.house.visit(self.room.id, lambda info: conversation(info, watching=True))
        return self.house.visit(self.room.id, HouseConversation)

    def _take(self, seat: int, name: str, token: str) -> None:
        """Let a connection of the house protocol take a seat, or take over a seat."""
        id = self.room.id or self.table.id
        client = self.house.visit(id, HouseConversation)
        client.send({"type": "join", "name": name, "token": token, "seat": seat})
        self._puppets[seat] = client

    @property
    def _watched(self) -> Client | None:
        """The connection whose frames are compared."""
        return self._watcher if self.observer is None else self.observer.client

    def _sent(self, client: Client, frame: str) -> None:
        if client is self._watched:
            self.sent.append((round(self.house.now, 3), self._kind, frame))

    def _noted(self, connection: Connection, note: Note) -> None:
        listener = self._recorder or self._watched
        if listener is None or connection is not listener.connection:
            return
        self._kind = type(note)
        if isinstance(note, Told):
            self._notes.append(note)
            if self.seat >= 0 and note.event.audience == 1 << self.seat:
                self._kind = AskedNow  # in some protocols the question is an event for its seat alone
        elif isinstance(note, AskedNow):
            self._asks.append(round(self.house.now, 3))

    @contextlib.contextmanager
    def _logged(self) -> Iterator[None]:
        """Collect the lines that the server logs meanwhile."""
        handler = _Lines(self.log)
        logger = logging.getLogger("croupier")
        before = logger.level
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.setLevel(before)
            logger.removeHandler(handler)

    # What happens in a tick.

    def step(self, decide: Decide) -> None:
        """Let a tick pass; seats that were asked long enough ago answer."""
        with self._logged():
            self.house.advance(TICK)
            for seat in self._puppets:
                asked = self.table.asked(seat)
                if asked is None:
                    self._due.pop(seat, None)
                    continue
                turn, when = self._due.setdefault(seat, (asked.turn, self.house.now + THOUGHT))
                if turn != asked.turn:
                    self._due[seat] = asked.turn, self.house.now + THOUGHT
                elif self.house.now >= when:
                    self._act(seat, decide)
            if self.observer is not None:
                self._observe(self.observer)

    def _act(self, seat: int, decide: Decide) -> None:
        """Let *seat* make a whole decision at once: the time must not reveal the number of its steps."""
        state = self.table.state
        assert state is not None
        decision = state.question(seat)
        for _ in range(LIMIT):
            asked = self.table.asked(seat)
            state = self.table.state
            if asked is None or state is None or state.question(seat) != decision:
                return
            action = decide(seat, self._moves[seat])
            self._moves[seat] += 1
            self.house.submit(self._puppets[seat], Act(asked.turn, (action,)))
            self.house.settle()
            if decision < 0:
                return

    def _observe(self, chair: Chair) -> None:
        chair.listen()
        if chair.player.question is None:
            self._answers_at = 0.0
        elif not self._answers_at:
            self._answers_at = self.house.now + THOUGHT
        elif self.house.now >= self._answers_at and chair.client is not None:
            self._answers_at = 0.0
            self.answered += 1
            self._answers.add(round(self.house.now, 3))
            chair.client.send(*chair.player.answer())

    def draws(self) -> list[list[int]]:
        """Return all draws so far."""
        entries = self.house.store.journal(self.table.id)
        parse = self.table.game.parse_draw
        return [[parse(item) for item in entry.items] for entry in entries if isinstance(entry, journal.Drew)]

    def legal(self, seat: int) -> list[int]:
        return list(self.table.view(seat).legal)

    def told(self) -> list[object]:
        """Return the events that the observer was told since the last `forget`."""
        return [(note.event.plain(), note.auto) for note in self._notes]

    def asked(self) -> int | None:
        """Return the number of the question to the observer, if any."""
        asked = self.table.asked(self.seat) if self.seat != WATCHER else None
        return None if asked is None else asked.turn

    def timed(self) -> list[tuple[object, str]]:
        """Return the frames that the observer was sent since the last `forget`, each with its class of time.

        A `TurnChanged` note before the question reveals no more than the late question itself.
        """
        return [
            (self._class_of(when, kind), frame)
            for when, kind, frame in self.sent
            if kind is not TurnChanged or not self._asks or when >= self._asks[0]
        ]

    def _class_of(self, when: float, kind: type) -> object:
        if kind in (AskedNow, TurnChanged) and when in self._asks:
            return "asked"
        return "answered" if when in self._answers else when

    def listed(self) -> list[object]:
        """Return the table as the list of tables shows it to everyone; nothing if it is closed."""
        tables = self.house.all_tables
        unlike = ("id", "page", "created")  # these members do not depend on the match
        rows = [row(tables, shell) for shell in tables.shells.values()]
        return [item for one in rows for item in as_plain(one).items() if item[0] not in unlike]

    def figures(self) -> list[object]:
        """Return the list of matches, and the server's counters of told actions.

        Return nothing for delayed watchers: a match that has ended is listed at once, and the figures are for
        the operator alone.
        """
        if self.channel == DELAYED:
            return []
        tables = self.house.all_tables
        rows = self.house.store._matches.values()
        matches = [(row.id, row.players, row.options, row.ended is None, row.result) for row in rows]
        return [*matches, tables.actions(), sum(tables.told_times.counts)]

    def forget(self) -> None:
        """Start a new comparison."""
        self._asks.clear()
        self._answers.clear()
        self._notes.clear()
        self.sent = []
        self.log.clear()

    def over(self) -> bool:
        return self.table.phase != PLAYING


class Recorder(Conversation):
    """A watcher that gets notes instead of frames, so it shares no frames with others."""

    def __init__(self, info: TableInfo) -> None:
        super().__init__()

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        return []

    def note(self, note: Note, now: float) -> list[str]:
        return []


class _WordyPlayer(HousePlayer):
    """A client that asks for words and for the view after each event."""

    def hello(self) -> list[str]:
        [join] = super().hello()
        return [join[:-1] + ',"words":true,"views":"all"}']


class _Lines(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(record.getMessage())


def _gap(mine: Sequence[object], theirs: Sequence[object]) -> str:
    """Return the first difference."""
    for number in range(max(len(mine), len(theirs))):
        pair = [side[number] if number < len(side) else "nothing" for side in (mine, theirs)]
        if pair[0] != pair[1]:
            return f"{pair[0]!s:.600} / {pair[1]!s:.600}"
    return ""
