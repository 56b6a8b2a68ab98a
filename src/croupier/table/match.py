"""One match: its state, its draws and their seeds. It depends neither on time nor on who plays.

An action is tried on a copy of the state and becomes part of the match when the table calls `take`. Every
method that changes the match returns the resulting events; `replay` does so for a line of the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from croupier.core.chance import Stream, commitment, joint_seed, rng
from croupier.core.contract import CHANCE, WATCHER, Bot, Draw, Event, Game, IllegalAction, State
from croupier.core.options import Value
from croupier.core.refusal import HOUSE
from croupier.table import journal
from croupier.table.bot_task import Course
from croupier.wire import talk

COURSE: Final = (journal.Committed, journal.Drew, journal.Acted, journal.Revealed, journal.Concluded)
"""The entries of the journal that change a match."""
SECRET_DEAL: Final = 0
"""The number under which the seed for bots and stand-ins is requested; real deals start at 1."""


class Match:
    """The state of one match (see the module docstring)."""

    def __init__(
        self,
        game: Game,
        id: str,
        options: Mapping[str, Value],
        seats: int,
        entropy: Callable[[int], bytes],
        stream: Callable[[bytes], Stream] = Stream,
        draws: Sequence[Sequence[str]] = (),
    ) -> None:
        """*entropy(deal)* returns 32 random bytes, *stream* turns them into draws.

        *draws* are fixed outcomes for the first draws of the match, spelt as by `Game.draw_name`.
        """
        self.game = game
        self.id = id
        self.options = options
        self.seats = seats
        self.state: State = game.new(options, seats)
        self.course = Course()
        """The draws and actions so far, as numbers."""
        self.committed: talk.Committed | None = None
        """The commitment to the seed of the current deal."""
        self.lines: list[journal.AnyEntry] | None = None
        """The journal of the match so far; None if no decision may be taken back."""
        self.reserved = frozenset(game.reserved())
        """The actions that only the clock may take."""
        self._entropy = entropy
        self._secret = entropy(SECRET_DEAL)
        self._new_stream = stream
        self._stream: Stream | None = None
        self._replayed: list[Draw] = []
        """The draws of the current deal that were read from the journal; the stream is still before them."""
        self._deal = 0
        self._seed = ""
        self._given = draws
        self._drawn = 0
        """The number of draws so far."""

    # Decisions.

    def attempt(self, seat: int, actions: Sequence[int]) -> State:
        """Return the state after *seat* has done all of *actions*, or raise IllegalAction."""
        state = self.state
        question = state.question(seat)
        trial = state.clone()
        trial.events = []
        for number, action in enumerate(actions):
            try:
                if number and not goes_on(trial, seat, question):
                    # The rules' answer to the next decision could reveal what this seat may not know yet.
                    raise _refused("too_soon.next_decision")
                if action in self.reserved:
                    raise _refused("reserved")
                if trial.awaiting() is not None:
                    raise _refused("too_soon")
                trial.apply(seat, action)
            except IllegalAction as error:
                error.action = action
                raise
        return trial

    def decide(self, seat: int, bot: Bot, dice: Random, limited: bool) -> tuple[State, tuple[int, ...]]:
        """Let *bot* make the whole decision due from *seat*; return the state after it and the actions.

        If *limited*, reserved actions are not offered to the bot.
        """
        trial = self.state.clone()
        trial.events = []
        actions: list[int] = []
        question = trial.question(seat)
        while True:
            view = trial.view(seat)
            if limited and self.reserved:
                view.legal = self.offered(trial, seat)
            action = bot.choose(view, dice)
            trial.apply(seat, action)
            actions.append(action)
            if not goes_on(trial, seat, question):
                return trial, tuple(actions)

    def take(self, trial: State, seat: int, actions: Sequence[int]) -> list[Event]:
        """Make *trial*, in which *seat* has done *actions*, the state of the match."""
        self.state = trial
        self.course.note(seat, actions)
        return self._events()

    def offered(self, state: State, seat: int) -> list[int]:
        """Return the legal actions of *seat* in *state*, without the reserved ones."""
        legal = state.legal_actions(seat)
        if not self.reserved:
            return legal
        return [action for action in legal if action not in self.reserved]

    def words(self, actions: Sequence[int]) -> list[str]:
        """Return the names of *actions*, for the journal."""
        return [self.game.actions.name(action) for action in actions]

    def conclude(self, present: int) -> list[Event]:
        """End the match because *present* is the only seat left."""
        self.state.events = []
        self.state.conclude(present)
        return self._events()

    def asks_openly(self, seat: int) -> bool:
        """Return True if everyone may know that *seat*, which is to act, is asked."""
        return self.state.to_act_for(WATCHER) >> seat & 1 == 1

    def dice(self, purpose: str) -> Random:
        """Return random numbers for bots and stand-ins; the same *purpose* always gives the same ones."""
        return rng(self._secret, purpose)

    # Chance.

    def draw(
        self, seed: bytes | None = None, nonces: Sequence[str] = ()
    ) -> tuple[journal.Committed | None, journal.Drew, list[Event]]:
        """Make the draw that the rules wait for; return the new seed if the deal needed one, the outcome and
        its events.

        *seed* is the seed whose commitment was published in advance, if any, and *nonces* are what the seats
        have added to it since.
        """
        draw = self.state.awaiting()
        assert draw is not None
        given = self._next_given(draw)
        opened: journal.Committed | None = None
        if given is None and draw.take > 0 and self.between_deals():
            deal = self.state.deal() + 1
            own = seed if seed is not None else self._entropy(deal)
            opened = journal.Committed(deal, own.hex(), list(nonces) if any(nonces) else [])
            self._open(opened)
        outcome = self._from_stream(draw) if given is None else given
        drew = journal.Drew([self.game.draw_name(item) for item in outcome])
        return opened, drew, self._feed(outcome)

    def between_deals(self) -> bool:
        """Return True if the next draw begins a deal."""
        return self._deal != self.state.deal() + 1

    def seed_due(self) -> bool:
        """Return True if the deal has ended and its seed has not been revealed."""
        return self._stream is not None and self.state.deal() >= self._deal

    def reveal(self) -> talk.Revealed:
        """Reveal the seed of the deal that has ended."""
        self._stream = None
        self.committed = None
        return talk.Revealed(self._deal, self._seed)

    def _open(self, entry: journal.Committed) -> None:
        seed = bytes.fromhex(entry.seed)
        self._deal = entry.deal
        self._seed = entry.seed
        self._stream = self._new_stream(joint_seed(seed, entry.nonces))
        self._replayed.clear()
        self.committed = talk.Committed(entry.deal, commitment(seed), tuple(entry.nonces))

    def _next_given(self, draw: Draw) -> list[int] | None:
        """Return the fixed outcome of the next draw, or None."""
        if not draw.take:
            return None
        self._drawn += 1
        if self._drawn > len(self._given):
            return None
        return [self.game.parse_draw(item) for item in self._given[self._drawn - 1]]

    def _from_stream(self, draw: Draw) -> list[int]:
        if not draw.take or self._stream is None:
            return []
        for past in self._replayed:  # advance the stream as the original draws did
            self._stream.draw(past)
        self._replayed.clear()
        return self._stream.draw(draw)

    def _feed(self, outcome: list[int]) -> list[Event]:
        self.state.events = []
        self.state.apply_draw(outcome)
        self.course.note(CHANCE, outcome)
        return self._events()

    def _events(self) -> list[Event]:
        events = self.state.events
        self.state.events = None
        return events if events is not None else []

    # Taking a decision back.

    def keep(self, entry: journal.AnyEntry) -> None:
        """Keep a line of the journal if it may be needed to take a decision back."""
        if self.lines is not None and isinstance(entry, COURSE):
            self.lines.append(entry)

    def before_last_decision(self, seat: int) -> list[journal.AnyEntry] | None:
        """Return the lines before the last decision of *seat* in this deal; None if it has made none."""
        lines = self.lines if self.lines is not None else []
        for number in range(len(lines) - 1, -1, -1):
            entry = lines[number]
            if isinstance(entry, journal.Revealed):
                return None
            if isinstance(entry, journal.Acted) and entry.seat == seat:
                return lines[:number]
        return None

    # After a restart.

    def repeat(self, seat: int, actions: Sequence[int]) -> list[Event]:
        """Apply the *actions* of *seat* in the journal, which were legal."""
        self.state.events = []
        for action in actions:
            self.state.apply(seat, action)
        self.course.note(seat, actions)
        return self._events()

    def replay(
        self, entry: journal.Committed | journal.Revealed | journal.Drew | journal.Concluded
    ) -> list[Event]:
        """Apply an entry of the journal that is not an action."""
        if isinstance(entry, journal.Drew):
            draw = self.state.awaiting()
            assert draw is not None
            if self._next_given(draw) is None and draw.take and self._stream is not None:
                self._replayed.append(draw)
            return self._feed([self.game.parse_draw(item) for item in entry.items])
        if isinstance(entry, journal.Committed):
            self._open(entry)
        elif isinstance(entry, journal.Revealed):
            self.reveal()
        else:
            return self.conclude(entry.seat)
        return []


def goes_on(state: State, seat: int, question: int) -> bool:
    """Return True if the decision *question* that *seat* has begun needs another action."""
    return question >= 0 and state.question(seat) == question and state.to_act() >> seat & 1 == 1


def _refused(reason: str) -> IllegalAction:
    return IllegalAction(reason, HOUSE[reason])
