"""The decisions that searching bots are working on.

The search runs elsewhere: the table returns the effect `Ponder` and continues; the answer comes back through
`answer`. A decision of several actions is requested action by action and applied when it is complete. If a
search fails or is late, the game's heuristic decides. A search that is no longer needed (the match was
aborted, or the player is back) is cancelled. None of this is in the journal: after a restart the bot is
asked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.bots.strengths import PATIENCE
from croupier.core.contract import WATCHER, Event, Pace, State
from croupier.table.bot_task import BotTask, Thought
from croupier.table.effects import Drop, Effect, Ponder
from croupier.table.match import Match, goes_on

ALONE: Final = 10.0
"""Seconds for a decision at a table with only bots."""
SECRET: Final = 0.2
"""Seconds if it is secret who is asked: the time must not reveal it."""
SHARE: Final = 0.8
"""The share of a seat's time limit for the search; the rest is for communication."""
LATE: Final = 3.0
"""Seconds that the table waits after the search should have ended: a process may have to be started first."""


class Thoughts:
    """The decisions in progress of the searching bots of one table."""

    def __init__(self, table: str, pace: Pace) -> None:
        self._table = table
        self._pace = pace
        self.of: dict[int, Thought] = {}
        """By seat."""
        self._number = 0
        self._usual: dict[str, float] = {}
        """How long each searching bot took for its last decision that was not forced."""

    def answer(self, number: int, action: int | None) -> None:
        """Accept the answer to `Ponder` *number*, for the next call of `want`; None: the search failed."""
        for thought in self.of.values():
            if thought.number == number and not thought.done:
                thought.answered = True
                thought.answer = action

    def want(
        self, match: Match | None, bots: Mapping[int, str], watched: bool, entries: int, now: float
    ) -> list[Effect]:
        """Continue the decisions of *bots* (by seat: the searching bots whose decision is due), and cancel
        all others.

        *watched* is True if a player could draw conclusions from the time a decision takes; *entries*, the
        length of the journal, makes the random numbers of every task different.
        """
        effects: list[Effect] = []
        if not bots and not self.of:
            return effects
        for thought in list(self.of.values()):
            if not _wanted(thought, match, bots):
                effects += self.forget(thought)
        if match is None:
            return effects
        for seat, bot in bots.items():
            known = self.of.get(seat)
            if known is None:
                known = self._begin(match, seat, bot, watched, now)
                effects += self._advance(match, known, so_far(match, known), watched, entries, now)
            elif known.answered:
                known.answered = False
                effects += self._take(match, known, watched, entries, now)
        return effects

    def forget(self, thought: Thought) -> list[Effect]:
        """Remove *thought*; cancel its search if it is running."""
        del self.of[thought.seat]
        return [] if thought.done or thought.failed else [Drop(thought.number)]

    def _take(self, match: Match, thought: Thought, watched: bool, entries: int, now: float) -> list[Effect]:
        trial = so_far(match, thought)
        action = thought.answer
        if action is None or action not in match.offered(trial, thought.seat):
            thought.failed = True
            return []
        trial.apply(thought.seat, action)
        thought.actions.append(action)
        return self._advance(match, thought, trial, watched, entries, now)

    def _begin(self, match: Match, seat: int, bot: str, watched: bool, now: float) -> Thought:
        state = match.state
        seconds, late = self._time_for(state, seat, watched)
        thought = Thought(
            seat,
            bot,
            match.id,
            state.deal(),
            state.question(seat),
            state.legal_actions(seat),
            now + seconds,
            now + seconds + late,
            now,
        )
        self.of[seat] = thought
        return thought

    def _time_for(self, state: State, seat: int, watched: bool) -> tuple[float, float]:
        """Return the seconds for the decision of *seat*, and how much later it may arrive."""
        if not state.to_act_for(WATCHER) >> seat & 1:
            return SECRET, SECRET
        seconds = PATIENCE if watched else ALONE
        limit = self._pace.limit(state.view(seat), False)
        return min(seconds, limit * SHARE) if limit else seconds, LATE

    def _advance(
        self, match: Match, thought: Thought, trial: State, watched: bool, entries: int, now: float
    ) -> list[Effect]:
        """Continue a decision: apply forced actions, request a search for the next free choice."""
        seat = thought.seat
        while True:
            if thought.actions and not goes_on(trial, seat, thought.question):
                thought.done = True
                if watched and match.state.to_act_for(WATCHER) >> seat & 1:
                    self._even_out(thought, now)
                return []
            legal = match.offered(trial, seat)
            if len(legal) > 1:
                return [self._ponder(match, thought, entries, now)]
            trial.apply(seat, legal[0])
            thought.actions.append(legal[0])

    def _even_out(self, thought: Thought, now: float) -> None:
        """Let a forced decision take as long as the last free one, so that the time does not reveal it."""
        if thought.number:
            self._usual[thought.bot] = now - thought.ready
        else:
            thought.ready += self._usual.get(thought.bot, 0.0)

    def _ponder(self, match: Match, thought: Thought, entries: int, now: float) -> Effect:
        self._number += 1
        thought.number = self._number
        purpose = f"{entries} {thought.seat} {len(thought.actions)}"
        task = BotTask(
            table=self._table,
            match=match.id,
            game=match.game.name,
            options=dict(match.options),
            seats=match.seats,
            course=bytes(match.course),
            seat=thought.seat,
            actions=tuple(thought.actions),
            bot=thought.bot,
            seed=match.dice(purpose).getrandbits(64),
            seconds=max(thought.end - now, SECRET / 2),
        )
        return Ponder(thought.number, task)


def so_far(match: Match, thought: Thought, events: list[Event] | None = None) -> State:
    """Return the current state after the actions that have been chosen so far."""
    trial = match.state.clone()
    trial.events = events
    for action in thought.actions:
        trial.apply(thought.seat, action)
    return trial


def _wanted(thought: Thought, match: Match | None, bots: Mapping[int, str]) -> bool:
    """Return True if the decision is still due and the same bot decides."""
    if match is None or match.id != thought.match or bots.get(thought.seat) != thought.bot:
        return False
    state = match.state
    seat = thought.seat
    return (
        state.deal() == thought.deal
        and state.question(seat) == thought.question
        and state.legal_actions(seat) == thought.legal
    )
