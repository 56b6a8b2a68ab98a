"""`croupier play --server URL`: the terminal as a client of a remote table."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import Final

import click
import msgspec

from croupier.cli.coach import mistakes_of, show_hint, show_mistakes
from croupier.cli.progress import counting
from croupier.cli.prompt import Left, Prompt
from croupier.cli.screen import Screen
from croupier.client import (
    Ask,
    ClientError,
    Closed,
    Event,
    Notice,
    Reconnecting,
    Refusal,
    Review,
    Said,
    Table,
    TooLate,
    View,
    sync,
)
from croupier.core.contract import Game
from croupier.games import UnknownGame, words_of
from croupier.games import game as find_game
from croupier.wire.house_messages import Facts, Finding, MatchInfo, Words

TABLE: Final = re.compile(r"(https?://[^?#]+)/(?:table|house)/([^/?#]+)/?")
"""The address of a table as shown by a browser."""
PATIENCE: Final = 600.0
"""Seconds that a person has for a decision."""
RECONNECT_SECONDS: Final = 30.0
"""Seconds to wait for a server that is not responding."""
STORED_SECONDS: Final = 10.0
"""How long to wait for the stored result of a match whose end has been told."""
STARTS: Final = ("deal_started", "round_started")
ENDS: Final = ("game_ended", "match_ended")


def is_table(url: str) -> bool:
    """Return True if *url* is the address of a table, not of a server."""
    return TABLE.fullmatch(url) is not None


def play_remote(
    url: str,
    game: Game,
    bots: Sequence[str],
    options: Mapping[str, object],
    seed: str | None,
    name: str,
    language: str,
    *,
    plain: bool,
) -> None:
    """Play at the table at *url*, or open one against *bots* on the server *url*."""
    try:
        found = TABLE.fullmatch(url)
        base, table = (found[1], found[2]) if found else (url, _open(url, game, bots, options, seed))
        with sync.connect(
            base,
            table,
            name=name,
            person=True,
            views="all",
            words=True,
            language=language,
            patience=RECONNECT_SECONDS,
        ) as seat:
            _play(seat, base, table, found is None, language, plain)
    except ClientError as error:
        hint = "; choose another with --name" if error.key in ("name_taken", "name_reserved") else ""
        raise click.ClickException(f"{error.words}{hint}") from None


def _open(url: str, game: Game, bots: Sequence[str], options: Mapping[str, object], seed: str | None) -> str:
    clocks = game.table_options.options
    return sync.open_table(
        url,
        game.name,
        ["person", *(f"bot {bot}" for bot in bots)],
        options={name: value for name, value in options.items() if name not in clocks},
        table_options={
            **game.limits(PATIENCE, person=True),
            **{name: options[name] for name in options if name in clocks},
        },
        seed=seed,
    )


def _play(seat: sync.Seat, server: str, table: str, opened: bool, language: str, plain: bool) -> None:
    try:
        screen = Screen(words_of(find_game(seat.table.game), language), plain=plain)
    except UnknownGame as error:
        raise click.ClickException(str(error)) from None
    sitting = RemoteSitting(seat, server, table, screen)
    try:
        sitting.play(f"{server.rstrip('/')}/table/{table}" if opened else None)
    except (EOFError, KeyboardInterrupt, Left) as end:
        if not isinstance(end, Left):
            screen.line()
        seat.leave()
        screen.line(screen.texts("terminal.left"))


class RemoteSitting(Prompt):
    """One match at a remote table; it prints the texts of the server and sends the input."""

    def __init__(self, seat: sync.Seat, server: str, table: str, screen: Screen) -> None:
        super().__init__(screen)
        self.seat = seat
        self._server = server
        self._id = table
        self._view: Facts = {}
        self._begun = False
        """The person has started the game that the table waited for."""

    def play(self, page: str | None) -> None:
        """Play the match to its end; raise Left if the person leaves. *page* shows the same table."""
        table = self.seat.table
        others = [self._who(table, seat) for seat in range(len(table.seats)) if seat != self.seat.number]
        self._greet(self._title(self.words.game), others, table.seed)
        if page is not None:
            self.screen.line(self.texts("terminal.address", address=page), "dim")
        self._commands()
        if not all(place.name for place in table.seats):
            self.screen.line(self._waiting(table), "dim")
        for message in self.seat:
            match message:
                case Event():
                    self._begun = False
                    self._tell(message)
                    if message.kind == "match_ended":
                        self.screen.table(self._scores())
                        self._offer_review()
                        return
                case View():
                    self._view = message.view
                case Ask():
                    self._view = message.view
                    self._answer(message)
                case Table(phase="resting" | "gathering", started=False) if not self._begun:
                    self._begun = True
                    key = "terminal.start.next" if message.phase == "resting" else "terminal.start"
                    self._read(self.texts(key), table=False)
                    self._start()
                case Said(seat, name, text) if seat != self.seat.number:
                    self.screen.line(self.texts("terminal.says", name=name, text=text))
                case Notice(float() as seconds, text):
                    told = self.texts("restart.in", left=f"{seconds:.0f} s")
                    self.screen.line(f"{told} {text}".rstrip(), "yellow")
                case Reconnecting():
                    self.screen.line(self.texts("link.lost"), "yellow")
                case Closed(reason):
                    told = self.texts.refusal(message.key, reason, {})
                    self.screen.line(self.texts("table.closedBecause", words=told))

    def _tell(self, event: Event) -> None:
        if event.view is not None:
            self._view = event.view
        if event.words:
            if event.kind in STARTS:
                self.screen.line()
            self.screen.line(event.words, "bold" if event.kind in (*STARTS, *ENDS) else "")
        if self._view:
            self._redraw()

    def _start(self) -> None:
        try:
            self.seat.start()
        except Refusal as error:
            if error.key != "not_now":  # another player has started it
                raise

    # The person's side.

    def _answer(self, ask: Ask) -> None:
        """Ask until the rules accept the answer, or the question is no longer open."""
        self._show()
        question = self._words().question or ""
        if ask.seconds is not None and self.screen.redraws:
            question += f" ({ask.seconds:.0f} s)"
        elif ask.seconds is not None:
            self.screen.line(self.texts("terminal.seconds", n=f"{ask.seconds:.0f}"), "dim")
        while True:
            text = self._read(question)
            try:
                self.seat.act(text=text)
                return
            except TooLate as error:
                self._refuse(error.key, error.words, error.about)
                return
            except Refusal as error:
                if error.key != "unknown_action":
                    self._refuse(error.key, error.words, error.about)
                elif text:
                    self._misread(error.words)
                else:  # an empty answer shows the table again
                    self._show()

    def _hint(self) -> None:
        """Print what expert would do, if the server gives hints at this table."""
        try:
            hint = sync.ask(self._server, lambda server: server.hint(self._id, self.seat.token))
        except Refusal as error:
            self._refuse_advice(error)
            return
        show_hint(self.screen, hint, self._names())

    def _mistakes(self) -> None:
        """Print the person's costly decisions, which the server finds deal by deal."""
        match = self.seat.table.match
        assert match is not None, "the match is over"
        mistakes: list[Finding] = []
        try:
            deals = self._finished(match).deals
            with counting(deals, self.texts("terminal.reviewing")) as bar:
                for deal in range(1, deals + 1):
                    found = self._review(match, deal)
                    mistakes += mistakes_of(found.findings, found.costly, self.seat.number)
                    bar.show(deal)
        except Refusal as error:
            self._refuse_advice(error)
            return
        show_mistakes(self.screen, mistakes, self._names())

    def _refuse_advice(self, error: Refusal) -> None:
        """Print why the coach says nothing."""
        told = self.texts.name(f"coach.refused.{error.key}", error.words)
        self.screen.line(self.texts("terminal.refused", words=told), "yellow")

    def _finished(self, match: str) -> MatchInfo:
        """Return the finished match, as soon as its result is stored."""
        give_up = time.monotonic() + STORED_SECONDS
        while True:
            try:
                return sync.ask(self._server, lambda server: server.match(match))
            except Refusal as error:
                if error.key not in ("no_such_match", "not_finished") or time.monotonic() > give_up:
                    raise
                time.sleep(0.1)

    def _review(self, match: str, deal: int) -> Review:
        return sync.ask(self._server, lambda server: server.review(match, deal))

    def _names(self) -> list[str]:
        return [place.name for place in self.seat.table.seats]

    def _table(self) -> list[str]:
        return self._words().table

    def _hand(self) -> list[list[tuple[str, bool]]]:
        offered = {code for action in self._view["legal"] for code in _named(action)}
        return [[(code, code in offered) for code in row] for row in self._words().hand]

    def _scores(self) -> list[list[str]]:
        return self._words().scores

    def _last(self) -> str:
        return self._words().last

    def _waiting(self, table: Table) -> str:
        """Return what a table with free seats waits for."""
        told = self.texts("table.gathering")
        return (
            told if table.bots_in is None else f"{told}. {self.texts('table.bots', n=f'{table.bots_in:.0f}')}"
        )

    def _who(self, table: Table, seat: int) -> str:
        place = table.seats[seat]
        return f"{place.name} ({place.bot})" if place.bot else place.name or self.texts("terminal.absent")

    def _words(self) -> Words:
        return msgspec.convert(self._view["words"], Words)


def _named(action: str) -> list[str]:
    """Return the codes of the card or die that *action* names: ``play QS``, ``PLAY Q Spades``."""
    *_, before, last = ["", *action.split()]
    return [last, before + last[0]]
