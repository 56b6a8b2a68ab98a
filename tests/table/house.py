"""A table without a runner: whoever plays at it is in the test's hands, and time is what the test says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from croupier.core.chance import derived_seed
from croupier.core.contract import WATCHER, Event
from croupier.games import game as find_game
from croupier.table import journal
from croupier.table.effects import Bind, Cut, Drop, Effect, Ponder, Reply, Setup, Tell, Write
from croupier.table.table import Table
from croupier.wire import talk
from croupier.wire.talk import token_digest

HEARTS = find_game("hearts")
QUICK = {"command_interval": 0, "round_interval": 0, "deal_interval": 0}


@dataclass(frozen=True)
class Wish:
    """A claim for a certain seat."""

    name: str
    at: int
    token: str = "secret"
    person: bool = False
    number: int | None = None

    def seat(self, face: talk.Face) -> int:
        place = face.places[self.at]
        if place.name and place.token != token_digest(self.token):
            raise talk.JoinRefused("seat_taken", "somebody sits there")
        return self.at


@dataclass
class House:
    """A table, its journal, and everything that was told; *now* moves only when a test says so."""

    table: Table
    now: float = 0.0
    written: list[journal.AnyEntry] = field(default_factory=list)
    told: list[tuple[float, int, talk.Note]] = field(default_factory=list)
    replies: list[talk.Note] = field(default_factory=list)
    cut: list[object] = field(default_factory=list)

    def ask(self, key: str, seat: int, request: talk.Request) -> list[talk.Note]:
        """Let a connection ask, let everything follow, and return the answers it got."""
        before = len(self.replies)
        self.settle(self.table.handle(key, seat, request, self.now))
        return self.replies[before:]

    def join(self, name: str, seat: int, **more: object) -> list[talk.Note]:
        return self.ask(name, WATCHER, talk.Join(Wish(name, seat, **more)))  # type: ignore[arg-type]  # a test's shorthand

    def act(self, seat: int, *actions: str) -> list[talk.Note]:
        asked = self.table.asked(seat)
        assert asked is not None, f"seat {seat} is not asked"
        codes = tuple(HEARTS.actions.parse(action) for action in actions)
        return self.ask(self.table.places[seat].name, seat, talk.Act(asked.turn, codes))

    def settle(self, effects: list[Effect]) -> None:
        while True:
            for effect in [*effects, *self._released()]:
                self.carry_out(effect)
            effects = self.table.proceed(self.now)
            if not effects:
                return

    def _released(self) -> list[Effect]:
        return list(self.table.release(self.now))

    def carry_out(self, effect: Effect) -> None:
        match effect:
            case Write(entry):
                self.written.append(entry)
            case Tell(seat, note):
                self.told.append((self.now, seat, note))
            case Reply(_, note):
                self.replies.append(note)
            case Cut(key):
                self.cut.append(key)
            case Ponder(number):  # nobody thinks here: the heuristic decides
                self.table.thought(number, None, self.now)
            case Bind() | Drop():
                pass

    def wait(self, seconds: float) -> None:
        """Let time pass, waking the table whenever it asked for it."""
        end = self.now + seconds
        while True:
            wake = self.table.wake()
            if wake is None or wake > end:
                break
            self.now = max(self.now, wake)
            self.settle([])
        self.now = end
        self.settle([])

    def events(self, seat: int) -> list[Event]:
        return [note.event for _, s, note in self.told if s == seat and isinstance(note, talk.Told)]


def setup(
    seats: str = "open open open open", options: dict[str, object] | None = None, **more: object
) -> Setup:
    clocks = {name: value for name, value in more.items() if name in HEARTS.table_options.options}
    rest = {name: value for name, value in more.items() if name not in clocks}
    kinds = [kind.replace("dummy", "bot dummy") for kind in seats.split()]
    return Setup(
        "t1",
        HEARTS,
        HEARTS.options.read({"match_games": 1, "deals": 1, **(options or {})}),
        HEARTS.table_options.read({**QUICK, **clocks}),
        kinds,
        seed="7",
        **rest,  # type: ignore[arg-type]  # a test's shorthand
    )


def chance(match: int, deal: int) -> bytes:
    return derived_seed("7", match, deal)


def house(*args: object, **more: object) -> House:
    return House(Table(setup(*args, **more), chance, lambda: "2026-11-15T20:00:00Z"))  # type: ignore[arg-type]


def seated(*args: object, **more: object) -> House:
    """Return a table at which ann, bob, cyd and dan have sat down."""
    full = house(*args, **more)
    for seat, name in enumerate(["ann", "bob", "cyd", "dan"]):
        if not full.table.places[seat].name:
            full.join(name, seat)
    return full


def pass_all(full: House) -> None:
    for seat in range(4):
        hand = full.table.view(seat).facts()["hand"]
        assert isinstance(hand, list)
        full.act(seat, *(f"pass {card}" for card in hand[:3]))


def answer_once(full: House, choose: Callable[[int, list[int]], int] = lambda seat, legal: legal[0]) -> int:
    """Let whoever is asked answer with one action; return the seat, or -1 when nobody is."""
    for seat in range(4):
        if full.table.asked(seat) is not None:
            action = choose(seat, full.table.view(seat).legal)
            full.act(seat, HEARTS.actions.name(action))
            return seat
    return -1
