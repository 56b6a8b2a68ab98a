"""`croupier play`: a person at the terminal, bots in the other seats, a real table in between."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from croupier.cli.screen import Screen
    from croupier.core.contract import Game
    from croupier.core.record import Record
    from croupier.table import journal
    from croupier.table.effects import Effect, Setup
    from croupier.wire import talk

ME = 0
"""The person's seat."""


@click.command()
@click.argument("game", default="hearts")
@click.option(
    "--bots",
    metavar="NAME[,NAME…]",
    help="Who plays against you: random, novice, heuristic, club or expert, one name for all or one for each "
    "seat; a good one that answers at once if left out.",
)
@click.option(
    "--seats",
    type=int,
    metavar="N",
    help="How many play, you included; as few as can play against each other if left out.",
)
@click.option("--seed", help="Make the deals reproducible.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the rules (deals=1, target=500); may be given often.",
)
@click.option("--name", default="You", show_default=True, help="What the others call you.")
@click.option(
    "--record",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the record of the match here when it ends or you leave.",
)
def play(
    game: str,
    bots: str | None,
    seats: int | None,
    seed: str | None,
    options: tuple[str, ...],
    name: str,
    path: Path | None,
) -> None:
    """Play GAME in the terminal against bots: hearts, coinche, tarock, taroky or sagrada.

    Works on any terminal, line by line, and without a clock. Type ? for help and q to leave.

    \b
    Examples:
      croupier play                                a game of Hearts
      croupier play coinche --option target=500    a short match
      croupier play tarock --option deals=1        one deal
      croupier play taroky --option hands=1        one deal
      croupier play sagrada                        against one bot
      croupier play sagrada --seats 1              alone, against a target
      croupier play hearts --bots expert           the strongest
      croupier play hearts --bots random --seed 7 --record mine.record
    """
    from croupier.cli.screen import Screen
    from croupier.core.options import BadOptions
    from croupier.games import UnknownGame, words_of
    from croupier.games import game as find_game
    from croupier.wire.greeting import clean_name

    if path is not None and not path.parent.is_dir():
        raise click.UsageError(f"--record {path}: there is no folder {path.parent}")
    try:
        found = find_game(game)
        words = words_of(found)
        known = clean_name(name)
        if known is None:
            raise click.UsageError("--name: expected 1 to 64 characters, no control characters")
        setup = _setup(found, bots, seats, seed, {**_casual(found, words.CASUAL), **_pairs(options)})
    except (UnknownGame, BadOptions) as error:
        raise click.UsageError(str(error)) from None
    screen = Screen(words)
    sitting = Sitting(setup, screen)
    leaving = False
    try:
        sitting.play(known)
    except (EOFError, KeyboardInterrupt):
        screen.line()
        leaving = True
    except Left:
        leaving = True
    if leaving:
        screen.line("You left the table.")
        path = path or _asked_path(screen)
    if path is not None:
        _keep(sitting.record(), path, screen)


def _pairs(options: Iterable[str]) -> dict[str, object]:
    pairs: dict[str, object] = {}
    for item in options:
        name, equals, text = item.partition("=")
        if not equals:
            raise click.UsageError(f"--option {item}: expected NAME=VALUE")
        pairs[name] = text
    return pairs


def _casual(game: Game, wanted: object) -> dict[str, object]:
    assert isinstance(wanted, dict)
    return {name: value for name, value in wanted.items() if name in game.options.options}


def _setup(
    game: Game, bots: str | None, seats: int | None, seed: str | None, options: dict[str, object]
) -> Setup:
    """Return the table: the person first, then the bots."""
    from croupier.table.hall import Config, setup_of

    config = Config(
        seats=["person", *(f"bot {kind}" for kind in _opponents(game, bots, seats))],
        options=game.options.read(options),
        table_options=game.table_options.read({}),
        seed=seed,
    )
    return setup_of("terminal", game, config)


def _opponents(game: Game, bots: str | None, seats: int | None) -> list[str]:
    """Return the strength of each bot."""
    from croupier.bots.strengths import filler, names

    expected = " or ".join(str(number) for number in game.seats)
    if seats is not None and seats not in game.seats:
        raise click.UsageError(f"--seats {seats}: {game.title} is played by {expected}")
    known = names(game)
    kinds = [name.strip() for name in bots.split(",")] if bots else [filler(game)]
    for kind in kinds:
        if kind not in known:
            raise click.UsageError(f"--bots {kind}: unknown, expected one of {', '.join(known)}")
    if len(kinds) == 1:
        return kinds * ((seats or min(number for number in game.seats if number > 1)) - 1)
    if len(kinds) + 1 not in ([seats] if seats else game.seats):
        others = str(seats - 1) if seats else " or ".join(str(n - 1) for n in game.seats if n > 1)
        raise click.UsageError(f"--bots: {len(kinds)} named, expected one for all or {others}")
    return kinds


def _asked_path(screen: Screen) -> Path | None:
    """Ask where the record should go, if there is somebody to ask."""
    if not sys.stdin.isatty():
        return None
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        name = input("Save the record? File name, or Enter for no: ").strip()
        return Path(name) if name else None
    screen.line()
    return None


def _keep(record: Record | None, path: Path, screen: Screen) -> None:
    from croupier.core.record import write

    if record is None:
        return
    try:
        path.write_text(write(record), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    screen.line(f"The record is in {path}", "dim")


class Left(Exception):
    """The person has left the table."""


@dataclass(frozen=True, slots=True)
class Person:
    """The claim of whoever sits at this terminal: the seat is his."""

    name: str
    number: int | None = None
    token: str = ""
    person: bool = True

    def seat(self, face: talk.Face) -> int:
        return ME


class Sitting:
    """One match at a table in this process; the conversation is what is printed and typed."""

    def __init__(self, setup: Setup, screen: Screen) -> None:
        from croupier.core.contract import Pace
        from croupier.table.hall import clock_text, entropy_of
        from croupier.table.mind import Mind
        from croupier.table.table import Table

        # The plainest pace: no clocks, for the person is in no hurry; no pauses, for nobody waits for bots.
        self.table = Table(setup, entropy_of(setup.seed), clock_text, pace=Pace())
        self._mind = Mind()
        self.screen = screen
        self.words = screen.words
        self.journal: list[journal.AnyEntry] = []
        self._asked: talk.Asked | None = None
        self._shown: talk.Asked | None = None
        """The question whose cards are on the screen already."""
        self._thoughts: list[tuple[int, int]] = []
        self._over = False

    def play(self, name: str) -> None:
        """Play the match to its end; Left if the person has had enough."""
        from croupier.wire import talk

        game = self.table.game
        others = ", ".join(f"{p.name} ({p.bot})" for p in self.table.places if p.seat != ME)
        self.screen.line(f"{game.title} against {others}" if others else f"{game.title} alone", "bold")
        if self.table.seed is not None:
            self.screen.line(f"The deals follow from the seed {self.table.seed}", "dim")
        self._commands()
        self._send(talk.Join(Person(name)))
        while not self._over:
            if self._asked is not None:
                self._answer(self._asked)
            elif self.table.phase == talk.RESTING:
                self._read("Enter begins the next game")
                self._send(talk.Start())
            else:
                raise AssertionError(f"the table waits for nobody while {self.table.phase}")
        self.screen.table(self.words.scores(self.table.view(ME), self._names()))

    def record(self) -> Record | None:
        """Return the record of the match so far, if it has begun."""
        from croupier.table import journal

        begun = [number for number, entry in enumerate(self.journal) if isinstance(entry, journal.Began)]
        if not begun:
            return None
        return journal.record_of(
            self.table.game, self.table.rules_options, self.table.seed, self.journal[begun[-1] :]
        )

    # The table's side.

    def _send(self, request: talk.Request) -> None:
        """Carry out *request* and everything that follows until somebody has to decide."""
        effects: Iterable[Effect] = self.table.handle(
            self, ME if self.table.places[ME].name else -1, request, 0.0
        )
        while effects:
            for effect in effects:
                self._do(effect)
            for effect in self.table.release(0.0):
                self._do(effect)
            effects = self._thought() or self.table.proceed(0.0)

    def _thought(self) -> list[Effect]:
        """Let the table have what its searching bots have found out."""
        found, self._thoughts = self._thoughts, []
        return [effect for number, action in found for effect in self.table.thought(number, action, 0.0)]

    def _do(self, effect: Effect) -> None:
        from croupier.table import journal
        from croupier.table.effects import Ponder, Reply, Tell, Write

        match effect:
            case Write(entry):
                self.journal.append(entry)
                self._over = self._over or isinstance(entry, journal.Ended)
            case Tell(seat, note) if seat == ME:
                self._note(note)
            case Reply(_, note):
                self._note(note)
            case Ponder(number, task):
                self._thoughts.append((number, self._mind.choose(task, task.seconds)))

    def _note(self, note: talk.Note) -> None:
        from croupier.wire import talk

        match note:
            case talk.Told(_, event):
                if event.starts_deal:
                    self.screen.line()
                text = self.words.tell(event, self.table.view(ME), self._names())
                if text:
                    self.screen.line(text, "bold" if event.starts_deal or event.rests else "")
            case talk.AskedNow(asked):
                self._asked = asked
            case talk.Accepted():
                self._asked = None
            case talk.Refused(_, _, words):
                self.screen.line(f"No: {words}", "yellow")

    def _names(self) -> list[str]:
        return [place.name for place in self.table.places]

    # The person's side.

    def _answer(self, asked: talk.Asked) -> None:
        """Ask until there is an answer that the rules take."""
        from croupier.core.contract import RulesError
        from croupier.core.words import answer
        from croupier.wire import talk

        view = self.table.view(ME)
        question = self.words.question(view, self._names())
        if self._shown is not asked:
            self._shown = asked
            self.screen.line()
            for line in self.words.table(view, self._names()):
                self.screen.line(line)
            self._hand()
        text = self._read(question)
        try:
            actions = answer(self.words, view, text)
        except RulesError as error:
            if text:
                self.screen.line(f"No: {error}, or ? for help", "yellow")
            else:
                self._shown = None  # Enter that answers nothing shows the table again
            return
        self._send(talk.Act(asked.turn, actions))

    def _read(self, question: str) -> str:
        """Return what is typed, once it is no command."""
        commands: dict[str, Callable[[], None]] = {
            "?": self._help,
            "h": self._hand,
            "s": self._scores,
            "l": self._last,
        }
        while True:
            self.screen.line(question, "bold")
            text = input("> ").strip()
            if not sys.stdin.isatty():
                self.screen.line(text)  # nobody has typed it: what is printed reads as if somebody had
            if text.lower() in ("q", "quit"):
                raise Left
            command = commands.get(text.lower())
            if command is None:
                return text
            command()

    def _help(self) -> None:
        self.screen.line(self.words.HELP)
        self._commands()

    def _commands(self) -> None:
        commands = f"? help   h {self.words.HELD}   s scores   l {self.words.LAST}   Enter table   q quit"
        self.screen.line(commands, "dim")

    def _hand(self) -> None:
        self.screen.hand(f"{self.words.HELD.capitalize()}:", self.words.hand(self.table.view(ME)))

    def _scores(self) -> None:
        self.screen.table(self.words.scores(self.table.view(ME), self._names()))

    def _last(self) -> None:
        self.screen.line(self.words.last(self.table.view(ME), self._names()))
