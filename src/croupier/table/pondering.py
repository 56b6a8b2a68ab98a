"""Decisions of bots that take their time: asked for, waited for, taken if they are still wanted.

A searching bot is not asked here: the table wants a `Ponder` carried out and goes on; the answer comes back
through `thought`. A decision of several actions is asked for action by action, and nothing of it happens
before it is whole. Nobody waits for ever: where a thinker fails or is late the game's heuristic decides, and
a thought that is no longer wanted (the match broke off, the player came back) is dropped. None of this is in
the journal: after a restart the question is simply asked anew.
"""

from __future__ import annotations

from typing import Final

from croupier.bots.strengths import PATIENCE
from croupier.core.chance import rng
from croupier.core.contract import WATCHER, Event, State
from croupier.table.announcer import Announcer
from croupier.table.effects import Drop, Effect, Ponder
from croupier.table.task import Task, Thought
from croupier.wire.talk import BOT, PLAYING, Place

ALONE: Final = 10.0
"""Seconds for a decision at a table where only bots sit."""
SECRET: Final = 0.2
"""Seconds where it is secret who is asked: time must not tell."""
SHARE: Final = 0.8
"""How much of a seat's clock is for thinking; the rest is for the way."""
LATE: Final = 3.0
"""So long after its time an answer is still waited for: a thinker may have to be started first."""


class Pondering(Announcer):
    """A table with bots that think elsewhere."""

    def thought(self, number: int, action: int | None, now: float) -> list[Effect]:
        """Take the answer to `Ponder` *number*; None: there will be none."""
        thought = next((one for one in self._thoughts.values() if one.number == number), None)
        if thought is None or thought.done or not self._wanted(thought):
            return []
        trial = self._so_far(thought)
        if action is None or action not in self._offered(trial.legal_actions(thought.seat)):
            thought.failed = True
            return []
        trial.apply(thought.seat, action)
        thought.actions.append(action)
        return self._advance(thought, trial, now)

    def _think(self, now: float) -> list[Effect]:
        """Drop what is no longer wanted and ask the searching bots that owe a decision."""
        effects: list[Effect] = []
        for thought in list(self._thoughts.values()):
            if not self._wanted(thought):
                effects += self._forget_thought(thought)
        if self._held(now) or not self._deciding():
            return effects
        assert self.state is not None
        waiting = self.state.to_act()
        for place in self.places:
            if waiting >> place.seat & 1 and place.seat not in self._thoughts:
                bot = self._searcher(place)
                if bot:
                    effects += self._begin_thought(place.seat, bot, now)
        return effects

    def _deciding(self) -> bool:
        state = self.state
        if self.phase != PLAYING or state is None or state.over() or self._telling.rests():
            return False
        return state.awaiting() is None

    def _searcher(self, place: Place) -> str:
        """Return the searching bot that decides for *place* now, if one does."""
        if place.kind == BOT:
            name = place.bot
        elif place.away and self.asked(place.seat) is None:
            name = self.pace.minder(place.connected)
        else:
            return ""
        return name if name and self._bots[name].searches else ""

    def _wanted(self, thought: Thought) -> bool:
        """Say whether the decision is still due, and the bot's."""
        state = self.state
        if state is None or self.phase != PLAYING or self.match_id != thought.match:
            return False
        seat = thought.seat
        return (
            state.to_act() >> seat & 1 == 1
            and self._searcher(self.places[seat]) == thought.bot
            and state.deal() == thought.deal
            and state.question(seat) == thought.question
            and state.legal_actions(seat) == thought.legal
        )

    def _begin_thought(self, seat: int, bot: str, now: float) -> list[Effect]:
        state = self.state
        assert state is not None
        seconds, late = self._time_for(state, seat)
        thought = Thought(
            seat,
            bot,
            self.match_id,
            state.deal(),
            state.question(seat),
            state.legal_actions(seat),
            now + seconds,
            now + seconds + late,
            now,
        )
        self._thoughts[seat] = thought
        return self._advance(thought, self._so_far(thought), now)

    def _time_for(self, state: State, seat: int) -> tuple[float, float]:
        """Return how long the decision of *seat* may take, and how much later it may come."""
        if not state.to_act_for(WATCHER) >> seat & 1:
            return SECRET, SECRET
        seconds = PATIENCE if self._watched() else ALONE
        limit = self.pace.limit(state.view(seat), False)
        return min(seconds, limit * SHARE) if limit else seconds, LATE

    def _so_far(self, thought: Thought, events: list[Event] | None = None) -> State:
        """Return the present state with what has been chosen of the decision."""
        assert self.state is not None
        trial = self.state.clone()
        trial.events = events
        for action in thought.actions:
            trial.apply(thought.seat, action)
        return trial

    def _advance(self, thought: Thought, trial: State, now: float) -> list[Effect]:
        """Go on with a decision: what is forced is done, what is not is asked for."""
        seat = thought.seat
        while True:
            if thought.actions and not self._goes_on(trial, seat, thought.question):
                thought.done = True
                self._even_out(thought, now)
                return []
            legal = self._offered(trial.legal_actions(seat))
            if len(legal) > 1:
                return [self._ponder(thought, now)]
            trial.apply(seat, legal[0])
            thought.actions.append(legal[0])

    def _even_out(self, thought: Thought, now: float) -> None:
        """Let a forced choice take as long as the last free one, so that time does not tell which it is."""
        assert self.state is not None
        if not self.state.to_act_for(WATCHER) >> thought.seat & 1 or not self._watched():
            return
        if thought.number:
            self._usual[thought.bot] = now - thought.ready
        else:
            thought.ready += self._usual.get(thought.bot, 0.0)

    def _watched(self) -> bool:
        """Say whether somebody sits here who could draw conclusions."""
        return any(place.kind != BOT for place in self.places)

    def _goes_on(self, trial: State, seat: int, question: int) -> bool:
        """Say whether the decision *question* that *seat* has begun needs another action."""
        return question >= 0 and trial.question(seat) == question and trial.to_act() >> seat & 1 == 1

    def _ponder(self, thought: Thought, now: float) -> Effect:
        self._thought_number += 1
        thought.number = self._thought_number
        purpose = f"{self.entries} {thought.seat} {len(thought.actions)}"
        task = Task(
            table=self.id,
            match=self.match_id,
            game=self.game.name,
            options=dict(self.rules_options),
            seats=len(self.places),
            course=bytes(self._course),
            seat=thought.seat,
            actions=tuple(thought.actions),
            bot=thought.bot,
            seed=rng(self._secret, purpose).getrandbits(64),
            seconds=max(thought.end - now, SECRET / 2),
        )
        return Ponder(thought.number, task)

    def _forget_thought(self, thought: Thought) -> list[Effect]:
        del self._thoughts[thought.seat]
        return [] if thought.done or thought.failed else [Drop(thought.number)]
