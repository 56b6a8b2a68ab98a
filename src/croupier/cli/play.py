"""`croupier play`: a person at the terminal against bots, at a real table in this process."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.language import language_option
from croupier.cli.prompt import Left, Prompt

if TYPE_CHECKING:
    from croupier.cli.screen import Screen
    from croupier.core.contract import Game
    from croupier.core.record import Record
    from croupier.table.setup import Setup
    from croupier.table.shell import Shell
    from croupier.wire import talk

ME = 0
"""The seat of the person."""


@click.command()
@click.argument("game", required=False)
@click.option(
    "--bots",
    metavar="NAME[,NAME…]",
    help="Your opponents: random, novice, heuristic, club, expert, or master if the game has it; one name "
    "for all or one for each seat; by default a good one that answers immediately.",
)
@click.option(
    "--seats",
    type=int,
    metavar="N",
    help="Number of players including you; by default the smallest number with an opponent.",
)
@click.option("--seed", help="Make the deals reproducible.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the rules (deals=1, target=500); can be repeated.",
)
@click.option("--name", help="Your name at the table.  [default: You, in the language of the game]")
@language_option
@click.option(
    "--record",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the record of the match to this file when it ends or you leave.",
)
@click.option(
    "--server",
    metavar="URL",
    help="Play on a server: at a new table there (http://127.0.0.1:8080), or at the table with this address "
    "(http://127.0.0.1:8080/table/ID).",
)
@click.option(
    "--plain", is_flag=True, help="Print lines without colours, even if the terminal supports them."
)
def play(
    game: str | None,
    bots: str | None,
    seats: int | None,
    seed: str | None,
    options: tuple[str, ...],
    name: str | None,
    language: str,
    path: Path | None,
    server: str | None,
    plain: bool,
) -> None:
    """Play GAME in the terminal against bots; 'croupier games' lists the games.

    It works on any terminal, without a clock. Type ? for help and q to leave.

    \b
    Examples:
      croupier play                                    the first game of the list
      croupier play GAME --option NAME=VALUE           with other rules
      croupier play GAME --bots expert                 against the strongest bots
      croupier play GAME --bots random --seed 7 --record mine.record
      croupier play GAME --server http://127.0.0.1:8080    on a server
      croupier play GAME --language de                 in German
    """
    from croupier.cli.screen import Screen
    from croupier.core.options import BadOptions
    from croupier.games import UnknownGame, names, words_of
    from croupier.games import game as find_game
    from croupier.texts import house
    from croupier.wire.greeting import clean_name

    game = names()[0] if game is None else game
    name = house(language)["sheet.you"] if name is None else name
    if server is not None:
        from croupier.cli.remote import is_table, play_remote

        if path is not None:
            raise click.UsageError("--record: records are kept by the server; omit --server or --record")
        try:
            elsewhere = find_game(game)
        except UnknownGame as error:
            raise click.UsageError(str(error)) from None
        rules = {**elsewhere.preset(), **_pairs(options)}
        others = _opponents(elsewhere, bots, seats)
        if is_table(server) and (bots or seats or seed or options):
            given = "--bots, --seats, --seed and --option"
            raise click.UsageError(f"--server: that table is already open; {given} are for a new table")
        play_remote(server, elsewhere, others, rules, seed, name, language, plain=plain)
        return
    if path is not None and not path.parent.is_dir():
        raise click.UsageError(f"--record {path}: no such folder: {path.parent}")
    try:
        found = find_game(game)
        words = words_of(found, language)
        known = clean_name(name)
        if known is None:
            raise click.UsageError("--name: expected 1 to 64 characters, no control characters")
        setup = _setup(found, bots, seats, seed, {**found.preset(), **_pairs(options)})
    except (UnknownGame, BadOptions) as error:
        raise click.UsageError(str(error)) from None
    screen = Screen(words, plain=plain)
    with contextlib.closing(Sitting(setup, screen)) as sitting:
        leaving = False
        try:
            sitting.play(known)
        except (EOFError, KeyboardInterrupt):
            screen.line()
            leaving = True
        except Left:
            leaving = True
        if leaving:
            screen.line(words.texts("terminal.left"))
            path = path or _asked_path(screen)
        if path is not None:
            _keep(sitting, path, screen)


def _pairs(options: Iterable[str]) -> dict[str, object]:
    pairs: dict[str, object] = {}
    for item in options:
        name, equals, text = item.partition("=")
        if not equals:
            raise click.UsageError(f"--option {item}: expected NAME=VALUE")
        pairs[name] = text
    return pairs


def _setup(
    game: Game, bots: str | None, seats: int | None, seed: str | None, options: dict[str, object]
) -> Setup:
    """Return the table: the person first, then the bots."""
    from croupier.table.setup import setup_of
    from croupier.wire.table_spec import TableSpec

    spec = TableSpec(
        seats=["person", *(f"bot {kind}" for kind in _opponents(game, bots, seats))],
        options=game.options.read(options),
        seed=seed,
        single=True,
    )
    return setup_of("terminal", game, spec)


def _opponents(game: Game, bots: str | None, seats: int | None) -> list[str]:
    """Return the strength of each bot."""
    from croupier.bots.strengths import filler, names

    expected = " or ".join(str(number) for number in game.seats)
    if seats is not None and seats not in game.seats:
        raise click.UsageError(f"--seats {seats}: {game.title} needs {expected} players")
    known = names(game)
    kinds = [name.strip() for name in bots.split(",")] if bots else [filler(game)]
    for kind in kinds:
        if kind not in known:
            raise click.UsageError(f"--bots {kind}: unknown, expected one of {', '.join(known)}")
    if len(kinds) == 1:
        return kinds * ((seats or min(number for number in game.seats if number > 1)) - 1)
    if len(kinds) + 1 not in ([seats] if seats else game.seats):
        others = str(seats - 1) if seats else " or ".join(str(n - 1) for n in game.seats if n > 1)
        raise click.UsageError(f"--bots: {len(kinds)} names, expected one for all or {others}")
    return kinds


def _asked_path(screen: Screen) -> Path | None:
    """Ask for the path of the record, if there is a terminal."""
    if not sys.stdin.isatty():
        return None
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        name = input(screen.texts("terminal.save")).strip()
        return Path(name) if name else None
    screen.line()
    return None


def _keep(sitting: Sitting, path: Path, screen: Screen) -> None:
    from croupier.core.record import write

    record, left = sitting.record()
    if record is None:
        return
    try:
        path.write_text(write(record), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    key = "terminal.saved.secret" if left else "terminal.saved"
    screen.line(screen.texts(key, path=path, deal=left), "dim")


@dataclass(frozen=True, slots=True)
class Person:
    """The claim of the person at this terminal, which always gets its seat."""

    name: str
    number: int | None = None
    token: str = ""
    address: str = ""
    person: bool = True

    def seat(self, info: talk.TableInfo) -> int:
        return ME


class Sitting(Prompt):
    """One match at a table in this process; the conversation is the input and output of the terminal.

    The event loop runs only while the table has something to do: it stops when the person is asked.
    """

    def __init__(self, setup: Setup, screen: Screen) -> None:
        from croupier.core.contract import Pace
        from croupier.store.memory import MemoryStore
        from croupier.table.bot_pool import BotThread
        from croupier.table.table import Table
        from croupier.table.tables import clock_text, entropy_of
        from croupier.wire.talk import Conversation

        super().__init__(screen)
        # No clocks, because the person is not in a hurry, and no pauses.
        self.table = Table(setup, entropy_of(setup.spec.seed), clock_text, pace=Pace())
        self.conversation = Conversation()
        self._asked: talk.Asked | None = None
        self._shown: talk.Asked | None = None
        """The question whose cards are already on the screen."""
        self._over = False
        self._broken = False
        self._store = MemoryStore()
        self._bot_pool = BotThread()
        self._turn = asyncio.Event()
        """Set when the person has something to do, or the match is over."""
        self._runner = asyncio.Runner()
        self._shell: Shell = self._runner.run(self._open())

    async def _open(self) -> Shell:
        from croupier.store.api import TableRow
        from croupier.table.shell import Shell

        await self._store.open_table(TableRow(self.table.id, self.table.game.name, "", ""))
        shell = Shell(
            self.table, self._store, lambda: None, self._broke, self._closed, bot_pool=self._bot_pool
        )
        shell.attach(self)
        shell.start()
        return shell

    def close(self) -> None:
        """Leave, even while bots are searching."""
        from croupier.wire.talk import Disconnect

        self._shell.stop(Disconnect(1000, "left"))
        self._bot_pool.stop()
        self._runner.close()

    def play(self, name: str) -> None:
        """Play the match to its end; raise Left if the person leaves."""
        from croupier.wire import talk

        others = [f"{place.name} ({place.bot})" for place in self.table.places if place.seat != ME]
        self._greet(self._title(self.table.game), others, self.table.seed)
        self._commands()
        self._send(talk.Join(Person(name)))
        while not self._over:
            if self._asked is not None:
                self._answer(self._asked)
            elif self.table.phase == talk.RESTING:
                self._read(self.texts("terminal.start.next"), table=False)
                self._send(talk.Start())
            else:
                raise AssertionError(f"the table waits for no seat in phase {self.table.phase}")
        self.screen.table(self._scores())
        self._offer_review()

    def record(self) -> tuple[Record | None, int | None]:
        """Return the record of the match so far, if it has begun, and the current deal, if there is one.

        The record also reveals the seed of that deal, which will not be continued.
        """
        from croupier.table import journal

        lines = self._runner.run(self._store.log(self.table.id))
        entries = journal.decode_all(lines)
        begun = [number for number, entry in enumerate(entries) if isinstance(entry, journal.Began)]
        if not begun:
            return None, None
        entries = entries[begun[-1] :]
        secret: int | None = None
        for entry in entries:
            if isinstance(entry, journal.Committed):
                secret = entry.deal
            elif isinstance(entry, journal.Revealed):
                secret = None
        if secret is not None:
            entries.append(journal.Revealed(secret))
        table = self.table
        given = table.seed is None and table.fixed_deal
        return journal.record_of(table.game, table.rules_options, table.seed, entries, given), secret

    # The table's side.

    def _send(self, request: talk.Request) -> None:
        """Send *request* to the table, and run it until the person has something to do."""
        self._turn.clear()
        self._runner.run(self._ask(request))
        if self._broken:
            raise RuntimeError("the table failed; the cause is in the log above")

    async def _ask(self, request: talk.Request) -> None:
        self._shell.post(self, request)
        await self._turn.wait()

    def note(self, note: talk.Note, now: float) -> None:
        """Print a message of the table."""
        from croupier.wire import talk

        match note:
            case talk.Told(event):
                if event.starts_deal:
                    self.screen.line()
                text = self.words.tell(event, self.table.view(ME), self._names())
                if text:
                    self.screen.line(text, "bold" if event.starts_deal or event.rests else "")
                self._redraw()
            case talk.AskedNow(asked):
                self._asked = asked
                self._turn.set()
            case talk.Accepted():
                self._asked = None
            case talk.Refused(_, key, words, about):
                self._refuse(key, words, about)
                self._turn.set()
            case talk.PhaseChanged() | talk.PlacesChanged():
                if self.table.phase == talk.RESTING and not self.table.started:
                    self._turn.set()

    def deliver(self, frames: Sequence[talk.Frame]) -> None:
        """Ignore frames of another connection; there is none here."""

    def replaced(self) -> None:
        """Ignore a newer connection; there is none here."""

    def ousted(self, disconnect: talk.Disconnect) -> None:
        """Handle the closing of the table."""

    def _closed(self, shell: Shell) -> None:
        self._over = True
        self._turn.set()

    def _broke(self, shell: Shell) -> None:
        self._broken = True
        self._turn.set()

    def _names(self) -> list[str]:
        return [place.name for place in self.table.places]

    # The person's side.

    def _answer(self, asked: talk.Asked) -> None:
        """Ask until the rules accept the answer."""
        from croupier.core.contract import RulesError
        from croupier.core.words import answer
        from croupier.wire import talk

        view = self.table.view(ME)
        question = self.words.question(view, self._names())
        if self._shown is not asked:
            self._shown = asked
            self._show()
        text = self._read(question)
        try:
            actions = answer(self.words, view, text)
        except RulesError as error:
            if text:
                self._misread(str(error))
            else:
                self._shown = None  # an empty answer shows the table again
            return
        self._send(talk.Act(asked.turn, actions))

    def _hint(self) -> None:
        """Print what expert would do with what this seat knows."""
        from croupier.bots.strengths import EXPERT, SIMULATIONS
        from croupier.cli.coach import show_hint
        from croupier.reviews.hint import SECONDS, hint
        from croupier.reviews.review import CannotReview

        game, state = self.table.game, self.table.state
        if self._asked is None or state is None:
            return
        try:
            found = hint(game, state, ME, str(self._asked.turn), SIMULATIONS[EXPERT], SECONDS)
        except CannotReview:
            self._cannot_search(game)
            return
        show_hint(self.screen, found, self._names())

    def _mistakes(self) -> None:
        """Print the person's costly decisions in the finished match."""
        import os

        from croupier.bots.strengths import EXPERT, SIMULATIONS
        from croupier.cli.coach import mistakes_of, show_mistakes
        from croupier.cli.progress import counting
        from croupier.cli.review import judged
        from croupier.reviews.review import CannotReview, Reviewer, costly, decisions
        from croupier.wire.house_messages import Finding

        record, _ = self.record()
        assert record is not None, "the match is over"
        game, budget = self.table.game, SIMULATIONS[EXPERT]
        try:
            reviewer = Reviewer(record, game, budget)
        except CannotReview:
            self._cannot_search(game)
            return
        wanted = [one for one in decisions(record, game) if one.seat == ME and not one.by]
        findings = []
        with counting(len(wanted), self.texts("terminal.reviewing")) as bar:
            for finding in judged(reviewer, wanted, budget, os.cpu_count() or 1):
                findings.append(finding)
                bar.show(len(findings))
        mistakes: list[Finding] = []
        for deal in sorted({one.decision.deal for one in findings}):
            found = [one for one in findings if one.decision.deal == deal]
            told = [one.message() for one in found]
            mistakes += mistakes_of(told, costly(found), ME)
        show_mistakes(self.screen, mistakes, self._names())

    def _table(self) -> list[str]:
        return self.words.table(self.table.view(ME), self._names())

    def _hand(self) -> list[list[tuple[str, bool]]]:
        return self.words.hand(self.table.view(ME))

    def _scores(self) -> list[list[str]]:
        return self.words.scores(self.table.view(ME), self._names())

    def _last(self) -> str:
        return self.words.last(self.table.view(ME), self._names())
