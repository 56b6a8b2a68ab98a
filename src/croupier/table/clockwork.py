"""What a table does by itself: draws, bots, late and absent seats, and when it wants to be woken."""

from __future__ import annotations

from typing import Final

from croupier.core.chance import rng
from croupier.core.contract import CHANCE, Bot, State
from croupier.table import journal
from croupier.table.effects import Effect
from croupier.table.pondering import Pondering
from croupier.table.task import Thought
from croupier.wire import talk
from croupier.wire.talk import BOT, CLOSED, GATHERING, PLAYING, RESTING, Place

STRIDE: Final = 16
"""How many steps a table of bots takes before others have a turn."""


class Clockwork(Pondering):
    """A table that moves on with time alone."""

    def proceed(self, now: float) -> list[Effect]:
        """Return what happens now without anybody's request: starts, draws, bots, late answers.

        Goes on as long as nothing has to be told after a pause first, so that a bot's whole turn, or
        a table of bots, costs one write to the disk.
        """
        effects = self._think(now)
        for _ in range(STRIDE):
            if self._held(now) or self._telling.pauses():
                break
            more = self._next(now)
            if more is None:
                break
            effects += more
        return effects

    def _next(self, now: float) -> list[Effect] | None:
        """Return the effects of the next step, or None when nothing is to be done."""
        if self.phase == CLOSED:
            return None
        if self.phase != PLAYING:
            if self._ready(now):
                return self._begin(now)
            return self._fill() if self._fills_at() <= now else None
        assert self.state is not None
        if self.state.over() or self._telling.rests():
            return None  # the end is still to be told; release() sees to it
        if self._presence.abandoned(now):
            return self._break_off("abandoned", now)
        if self.state.awaiting() is not None:
            return None if self._dealing.seed_due(self.state) else self._draw(now)
        if self._presence.alone(now):
            return [self._conclude(now)]
        waiting = self.state.to_act()
        for seat, place in enumerate(self.places):
            if not waiting >> seat & 1:
                continue
            if self._searcher(place):
                found = self._thought_over(place, now)
                if found:
                    return found
            elif place.kind == BOT:
                if now >= self._thought_at(seat):
                    return [self._decide(seat, "bot", False, now)]
            elif place.away and self.asked(seat) is None:
                if not self._presence.deserted():
                    return [self._decide(seat, "absent", False, now)]
            elif self._questions.late(seat, now):
                return self._late(seat, now)
        return None

    def _thought_at(self, seat: int) -> float:
        """Return when the bot in *seat* will have thought long enough."""
        thinking = self.pace.thinking(self._telling.audiences[seat].view)
        if not thinking:
            return float("-inf")
        # It begins when it has heard everything.
        return self._telling.told_at + thinking if self._telling.silent() else float("inf")

    def _thought_over(self, place: Place, now: float) -> list[Effect]:
        """Return what follows when a searching bot has decided, or is not waited for any more."""
        thought = self._thoughts.get(place.seat)
        if thought is None or now < self._thought_until(thought):
            return []
        by = "bot" if place.kind == BOT else "absent"
        dropped = self._forget_thought(thought)
        if not thought.done:
            return [self._decide(place.seat, by, False, now), *dropped]
        trial = self._so_far(thought, events=[])
        return [self._acted(trial, place.seat, tuple(thought.actions), by, False, now)]

    def _thought_until(self, thought: Thought) -> float:
        """Return when the table goes on with *thought*, as far as is known."""
        at = self._thought_at(thought.seat) if self.places[thought.seat].kind == BOT else float("-inf")
        return max(at, thought.ready) if thought.done or thought.failed else max(at, thought.due)

    def _late(self, seat: int, now: float) -> list[Effect]:
        place = self.places[seat]
        shown = self._shows(seat)
        told = self._everybody(talk.TimedOut(seat)) if shown else []
        counts = self.pace.counts(self._telling.audiences[seat].view)
        if counts:
            self._presence.missed(seat)
        if not place.connected:
            return [self._decide(seat, "absent", False, now), *told]
        place.timeouts += counts
        place.late = place.late or shown
        return [self._decide(seat, "clock", counts, now), *told]

    def _conclude(self, now: float) -> Effect:
        """End the match because one player alone is left."""
        present = next(
            place.seat for place in self.places if place.kind == BOT or (place.connected and not place.away)
        )
        self._questions.forget()
        self._concluded(present, now)
        return self._write(journal.Concluded(present))

    def _ready(self, now: float) -> bool:
        if not self._seating.filled() or self._waits_for_guests(now):
            return False
        if self.phase == RESTING or self.match:
            return self.started or (self.setup.auto_cycle and now >= self._rest_since + self.pace.rest())
        return self.started

    def _waits_for_guests(self, now: float) -> bool:
        if not self.setup.guests or self.match or not self._seating.absent():
            return False
        if self._guests_until is None:
            self._guests_until = now + self.setup.patience
        return now < self._guests_until

    def _fills_at(self) -> float:
        """Return when bots take the seats that are still free."""
        after = self.pace.filling()
        somebody = any(place.name and place.kind != BOT for place in self.places)
        if after < 0 or self._newcomer_at is None or not somebody or self._seating.filled():
            return float("inf")
        return self._newcomer_at + after

    def _fill(self) -> list[Effect]:
        effects: list[Effect] = []
        for place in list(self.places):
            if not place.name:
                entry = journal.Left(place.seat, self._filler)
                self._hand_over(entry)
                effects.append(self._write(entry))
                came = talk.PlacesChanged(talk.CAME, place.seat, self.places[place.seat].name)
                effects += self._everybody(came)
        return effects

    def _decide(self, seat: int, by: str, counted: bool, now: float) -> Effect:
        """Let a bot that needs no time, or the stand-in, make the whole decision that *seat* owes."""
        assert self.state is not None
        bot = self._decider(self.places[seat], by)
        dice = rng(self._secret, f"{self.entries} {seat}")
        trial = self.state.clone()
        trial.events = []
        actions: list[int] = []
        question = trial.question(seat)
        while True:
            view = trial.view(seat)
            if by == "bot" and self._reserved:
                view.legal = self._offered(view.legal)
            action = bot.choose(view, dice)
            trial.apply(seat, action)
            actions.append(action)
            if not self._goes_on(trial, seat, question):
                break
        return self._acted(trial, seat, tuple(actions), by, counted, now)

    def _decider(self, place: Place, by: str) -> Bot:
        name = place.bot if by == "bot" else self.pace.minder(place.connected) if place.away else ""
        bot = self._bots[name] if name else self._stand_in
        return self._quick if bot.searches else bot

    def _acted(
        self, trial: State, seat: int, actions: tuple[int, ...], by: str, counted: bool, now: float
    ) -> Effect:
        """Make *trial*, in which *seat* has acted, the state of the match."""
        self._queue(trial, seat, self._stood_in(seat, by), now)
        self._course.note(seat, actions)
        self._answered(seat, actions, by)
        words = [self.game.actions.name(action) for action in actions]
        return self._write(journal.Acted(seat, words, by, counted))

    def _draw(self, now: float) -> list[Effect]:
        assert self.state is not None
        draw = self.state.awaiting()
        assert draw is not None
        effects: list[Effect] = []
        given = self._given(draw)
        if given is None and self._dealing.needs_seed(self.state, draw):
            deal = self.state.deal() + 1
            entry = journal.Committed(deal, self._entropy(self.match, deal).hex())
            effects.append(self._write(entry))
            self._telling.queue([self._dealing.open(entry)], -1, False, now)
        outcome = self._dealing.draw(draw) if given is None else given
        items = [self.game.draw_name(item) for item in outcome]
        self.state.events = []
        self.state.apply_draw(outcome)
        self._course.note(CHANCE, outcome)
        self._queue(self.state, -1, False, now)
        effects.append(self._write(journal.Drew(items)))
        return effects

    def wake(self) -> float | None:
        """Return when something will be due without anybody's doing."""
        moments: list[float] = []
        if self._hold_until > float("-inf"):
            moments.append(self._hold_until)
        if self._gallery is not None and (showing := self._gallery.wake()) is not None:
            moments.append(showing)
        if (telling := self._telling.wake()) is not None:
            moments.append(telling)
        else:
            moments += self._questions.deadlines()
            moments += self._questions.warnings(self.pace.warning())
            if self.phase == PLAYING and self.state is not None:
                moments += self._presence.moments(self.places)
                moments += self._bots_think(self.state)
            elif (fills := self._fills_at()) < float("inf"):
                moments.append(fills)
            if not self.match and self._guests_until is not None:
                moments.append(self._guests_until)
            if (
                self.phase in (GATHERING, RESTING)
                and self.match
                and self.setup.auto_cycle
                and self._seating.filled()
            ):
                moments.append(self._rest_since + self.pace.rest())
        return min(moments, default=None)

    def _bots_think(self, state: State) -> list[float]:
        if self._hold_until > float("-inf"):
            return []  # nobody decides before the players had their time to come back
        waiting = state.to_act()
        moments = [self._thought_until(thought) for thought in self._thoughts.values()]
        return moments + [
            self._thought_at(place.seat)
            for place in self.places
            if place.kind == BOT and waiting >> place.seat & 1 and not self._searcher(place)
        ]
