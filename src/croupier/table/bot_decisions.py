"""The decisions that searching bots are working on.

The search runs elsewhere: the table returns the effect `Search` and continues; the answer comes back through
`answer`. A decision of several actions is requested action by action and applied when it is complete. If a
search fails or is late, the game's heuristic decides. A search that is no longer needed (the match was
aborted, or the player is back) is cancelled. None of this is in the journal: after a restart the bot is
asked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.bots.strengths import SEARCH_SECONDS
from croupier.core.contract import WATCHER, Event, Pace, State
from croupier.table.bot_task import BotDecision, BotTask
from croupier.table.effects import CancelSearch, Effect, Search
from croupier.table.match import Match, goes_on

ALONE: Final = 10.0
"""Seconds for a decision at a table with only bots."""
SECRET: Final = 0.2
"""Seconds if it is secret who is asked: the time must not reveal it."""
SHARE: Final = 0.8
"""The share of a seat's time limit for the search; the rest is for communication."""
LATE: Final = 3.0
"""Seconds that the table waits after the search should have ended: a process may have to be started first."""


class BotDecisions:
    """The decisions in progress of the searching bots of one table."""

    def __init__(self, table: str, pace: Pace) -> None:
        self._table = table
        self._pace = pace
        self.of: dict[int, BotDecision] = {}
        """By seat."""
        self._number = 0
        self._usual: dict[str, float] = {}
        """How long each searching bot took for its last decision that was not forced."""

    def answer(self, number: int, action: int | None) -> None:
        """Accept the answer to `Search` *number* (None if the search failed); the next call of `want` uses
        it.
        """
        for decision in self.of.values():
            if decision.number == number and not decision.done:
                decision.answered = True
                decision.answer = action

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
        for decision in list(self.of.values()):
            if not _wanted(decision, match, bots):
                effects += self.forget(decision)
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

    def forget(self, decision: BotDecision) -> list[Effect]:
        """Remove *decision*; cancel its search if it is running."""
        del self.of[decision.seat]
        return [] if decision.done or decision.failed else [CancelSearch(decision.number)]

    def _take(
        self, match: Match, decision: BotDecision, watched: bool, entries: int, now: float
    ) -> list[Effect]:
        trial = so_far(match, decision)
        action = decision.answer
        if action is None or action not in match.offered(trial, decision.seat):
            decision.failed = True
            return []
        trial.apply(decision.seat, action)
        decision.actions.append(action)
        return self._advance(match, decision, trial, watched, entries, now)

    def _begin(self, match: Match, seat: int, bot: str, watched: bool, now: float) -> BotDecision:
        state = match.state
        seconds, late = self._time_for(state, seat, watched)
        decision = BotDecision(
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
        self.of[seat] = decision
        return decision

    def _time_for(self, state: State, seat: int, watched: bool) -> tuple[float, float]:
        """Return the seconds for the decision of *seat*, and how much later it may arrive."""
        if not state.to_act_for(WATCHER) >> seat & 1:
            return SECRET, SECRET
        seconds = SEARCH_SECONDS if watched else ALONE
        limit = self._pace.limit(state.view(seat), False)
        return min(seconds, limit * SHARE) if limit else seconds, LATE

    def _advance(
        self, match: Match, decision: BotDecision, trial: State, watched: bool, entries: int, now: float
    ) -> list[Effect]:
        """Continue a decision: apply forced actions, request a search for the next free choice."""
        seat = decision.seat
        while True:
            if decision.actions and not goes_on(trial, seat, decision.question):
                decision.done = True
                if watched and match.state.to_act_for(WATCHER) >> seat & 1:
                    self._even_out(decision, now)
                return []
            legal = match.offered(trial, seat)
            if len(legal) > 1:
                return [self._search(match, decision, entries, now)]
            trial.apply(seat, legal[0])
            decision.actions.append(legal[0])

    def _even_out(self, decision: BotDecision, now: float) -> None:
        """Let a forced decision take as long as the last free one, so that the time does not reveal it."""
        if decision.number:
            self._usual[decision.bot] = now - decision.ready
        else:
            decision.ready += self._usual.get(decision.bot, 0.0)

    def _search(self, match: Match, decision: BotDecision, entries: int, now: float) -> Effect:
        self._number += 1
        decision.number = self._number
        purpose = f"{entries} {decision.seat} {len(decision.actions)}"
        task = BotTask(
            table=self._table,
            match=match.id,
            game=match.game.name,
            options=dict(match.options),
            seats=match.seats,
            course=bytes(match.course),
            seat=decision.seat,
            actions=tuple(decision.actions),
            bot=decision.bot,
            seed=match.dice(purpose).getrandbits(64),
            seconds=max(decision.end - now, SECRET / 2),
        )
        return Search(decision.number, task)


def so_far(match: Match, decision: BotDecision, events: list[Event] | None = None) -> State:
    """Return the current state after the actions that have been chosen so far."""
    trial = match.state.clone()
    trial.events = events
    for action in decision.actions:
        trial.apply(decision.seat, action)
    return trial


def _wanted(decision: BotDecision, match: Match | None, bots: Mapping[int, str]) -> bool:
    """Return True if the decision is still due and the same bot decides."""
    if match is None or match.id != decision.match or bots.get(decision.seat) != decision.bot:
        return False
    state = match.state
    seat = decision.seat
    return (
        state.deal() == decision.deal
        and state.question(seat) == decision.question
        and state.legal_actions(seat) == decision.legal
    )
