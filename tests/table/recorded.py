"""A table with the real shell in virtual time; the test controls the players, which record every note."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from croupier.core.contract import WATCHER, Event
from croupier.core.refusal import Refusal
from croupier.games import game as find_game
from croupier.table import journal
from croupier.table.bot_pool import BotPool
from croupier.table.setup import Setup, setup_of
from croupier.testing.house import Client, VirtualTable
from croupier.wire import talk
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import token_digest

HEARTS = find_game("hearts")
NAMES = ("ann", "bob", "cyd", "dan")
QUICK = {"command_interval": 0, "round_interval": 0, "deal_interval": 0}


@dataclass(frozen=True)
class Wish:
    """A claim for a certain seat."""

    name: str
    at: int
    token: str = "secret"
    person: bool = False
    address: str = ""
    number: int | None = None

    def seat(self, info: talk.TableInfo) -> int:
        place = info.places[self.at]
        if place.name and place.token != token_digest(self.token):
            raise Refusal("seat_taken", "the seat is taken")
        return self.at


class Recorder(talk.Conversation):
    """A conversation without frames: it records the notes of the table, with their times."""

    def __init__(self, info: talk.TableInfo) -> None:
        super().__init__()
        self.notes: list[tuple[float, talk.Note]] = []

    def receive(self, data: str | bytes, now: float) -> list[talk.Output]:
        return []

    def note(self, note: talk.Note, now: float) -> list[str]:
        self.notes.append((now, note))
        return []


class Recorded(VirtualTable):
    """A table and the connections that a test has opened, by name."""

    def __init__(self, setup: Setup, bot_pool: BotPool | None = None) -> None:
        super().__init__(setup, bot_pool=bot_pool)
        self.known: dict[str, Client] = {}
        self.at: dict[int, Client] = {}
        """Who took which seat."""
        self.watcher = self.connect(Recorder)

    def someone(self, name: str) -> Client:
        """Return the connection with this name; the first call opens it."""
        if name not in self.known or not self.known[name].connected:
            self.known[name] = self.connect(Recorder)
        return self.known[name]

    def ask(self, name: str, request: talk.Request) -> list[talk.Note]:
        """Send a request, let the table handle it, and return the answers."""
        client = self.someone(name)
        before = len(client.conversation.notes)
        self.submit(client, request)
        fresh = [note for _, note in client.conversation.notes[before:]]
        return [note for note in fresh if isinstance(note, talk.Seated | talk.Accepted | talk.Refused)]

    def join(
        self, name: str, seat: int, token: str = "secret", person: bool = False, by: str = ""
    ) -> list[talk.Note]:
        """Let the connection *by*, or the one with the name *name*, take a seat."""
        answers = self.ask(by or name, talk.Join(Wish(name, seat, token, person)))
        if isinstance(answers[0], talk.Seated):
            self.at[seat] = self.known[by or name]
        return answers

    def act(self, seat: int, *actions: str) -> list[talk.Note]:
        """Let the player of *seat* answer their question."""
        asked = self.table.asked(seat)
        assert asked is not None, f"seat {seat} is not asked"
        codes = tuple(self.table.game.actions.parse(action) for action in actions)
        return self.ask(self.table.places[seat].name, talk.Act(asked.turn, codes))

    def drop(self, seat: int) -> None:
        """Lose the connection of the player of *seat*."""
        self.at[seat].drop()

    def told(self, seat: int) -> list[tuple[float, talk.Note]]:
        """Return the notes to the last player of *seat*, or to the watcher, with their times."""
        client = self.watcher if seat == WATCHER else self.at[seat]
        notes: list[tuple[float, talk.Note]] = client.conversation.notes
        return notes

    def events(self, seat: int) -> list[Event]:
        """Return the events that *seat* has been told."""
        return [note.event for _, note in self.told(seat) if isinstance(note, talk.Told)]

    def acted(self) -> list[journal.Acted]:
        """Return the decisions that have been stored."""
        return [entry for entry in self.journal if isinstance(entry, journal.Acted)]

    def restart(self) -> None:
        super().restart()
        self.known.clear()
        self.at.clear()
        self.watcher = self.connect(Recorder)


def refused(answers: list[talk.Note]) -> str:
    """Return the key of the refusal, which must be the only answer."""
    [answer] = answers
    assert isinstance(answer, talk.Refused), answer
    return answer.key


def setup(
    seats: str = "open open open open", options: dict[str, object] | None = None, **more: object
) -> Setup:
    """Return a table of Hearts without pauses; one deal by default."""
    clocks = {name: value for name, value in more.items() if name in HEARTS.table_options.options}
    rest = {name: value for name, value in more.items() if name not in clocks}
    kinds = [kind.replace("dummy", "bot dummy").replace("_", " ") for kind in seats.split()]
    spec = TableSpec(
        kinds,
        HEARTS.options.read({"match_games": 1, "deals": 1, **(options or {})}),
        HEARTS.table_options.read({**QUICK, **clocks}),
        seed="7",
        **rest,  # type: ignore[arg-type]  # a test's shorthand
    )
    return setup_of("t1", HEARTS, spec)


def table(*args: object, **more: object) -> Recorded:
    """Return an empty table; see `setup`."""
    return Recorded(setup(*args, **more))  # type: ignore[arg-type]  # a test's shorthand


def seated(*args: object, **more: object) -> Recorded:
    """Return a table where ann, bob, cyd and dan have taken seats."""
    return sit_down(table(*args, **more))


def sit_down(found: Recorded) -> Recorded:
    """Let ann, bob, cyd and dan take the free seats."""
    for seat, name in enumerate(NAMES):
        if not found.table.places[seat].name:
            found.join(name, seat)
    return found


def pass_all(full: Recorded) -> None:
    """Let all players pass their first three cards."""
    for seat in range(4):
        hand = full.table.view(seat).facts()["hand"]
        assert isinstance(hand, list)
        full.act(seat, *(f"pass {card}" for card in hand[:3]))


def answer_once(
    full: Recorded, choose: Callable[[int, list[int]], int] = lambda seat, legal: legal[0]
) -> int:
    """Let the next seat that is asked answer with one action; return it, or -1 if none is asked."""
    for seat in range(4):
        if full.table.asked(seat) is not None:
            action = choose(seat, full.table.view(seat).legal)
            full.act(seat, full.table.game.actions.name(action))
            return seat
    return -1
