"""Compares each decision of a match with the choice of `expert`, and estimates the difference in points.

The review of a decision uses only the view of its seat, as the player did: a card that turned out to be
unlucky is not a mistake. One search chooses; a second one with other worlds estimates the values of that
choice and of the player's. The search that chose an action would overestimate it.

A decision of several actions (three cards to pass) is one decision: `expert` makes all of it, and then the
last actions of both are compared, with the earlier actions fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final

from croupier.bots.ismcts import Choice, SearchBot
from croupier.bots.strengths import EXPERT, SIMULATIONS
from croupier.core.contract import Event, Game, Plain, State, View
from croupier.core.record import Acted, Drawn, Record, Replayer, write
from croupier.wire import house_messages as messages

SHARE: Final = 0.1
"""A decision is costly if it loses at least this share of the stakes of a deal."""
LONGEST: Final = 24
"""The limit of actions in one decision; without it a dialogue could be cancelled and restarted without end.
"""


class CannotReview(ValueError):
    """A match of a game that cannot be searched."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A point in a record at which a seat had a choice."""

    entry: int
    """The index of the record entry, from 0."""
    first: int
    """The index of the action in the entry, from 0: an entry may contain several decisions."""
    deal: int
    """From 1."""
    step: int
    """The index among the draws and answers of the deal, from 0, as in replays."""
    seat: int
    by: str
    """Who decided; empty for the seat itself."""
    actions: tuple[int, ...]
    ends: bool
    """True if the decision is complete after these actions."""


@dataclass(frozen=True, slots=True)
class Line:
    """One way to decide."""

    actions: tuple[str, ...]
    events: tuple[Plain, ...]
    """The first event that each action would cause, for seats that may hear it."""
    value: float | None
    """The expected payoff of the deal for the seat from there on, in points; None if it was not tried."""
    visits: int
    """The number of simulations; a higher number is more reliable."""


@dataclass(frozen=True, slots=True)
class Option:
    """An alternative at the last step of expert's decision."""

    action: str
    value: float
    visits: int


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of the review of one decision."""

    decision: Decision
    played: Line
    best: Line
    difference: float
    """The points that expert expects to gain compared with the action played; at least 0."""
    options: tuple[Option, ...]
    """Best first."""
    reasons: tuple[Plain, ...] = ()
    """The facts known to the seat that matter here (`Game.reasons`)."""

    def message(self) -> messages.Finding:
        """Return the finding as clients get it."""
        return messages.Finding(
            deal=self.decision.deal,
            step=self.decision.step,
            seat=self.decision.seat,
            by=self.decision.by,
            played=_message(self.played),
            best=_message(self.best),
            difference=round(self.difference, 2),
            options=[
                messages.ReviewOption(one.action, round(one.value, 2), one.visits) for one in self.options
            ],
            reasons=list(self.reasons),
        )


def _message(line: Line) -> messages.ReviewLine:
    return messages.ReviewLine(
        actions=list(line.actions),
        events=list(line.events),
        value=None if line.value is None else round(line.value, 2),
        visits=line.visits,
    )


def costly(findings: Iterable[Finding]) -> float:
    """Return the smallest difference that makes one of these decisions, all of one deal, costly."""
    values = [option.value for finding in findings for option in finding.options]
    return SHARE * (max(values) - min(values)) if values else 0.0


def decisions(record: Record, game: Game) -> list[Decision]:
    """Return every decision of a match with more than one choice, in order.

    Raise BadRecord for a record that does not replay.
    """
    found: list[Decision] = []
    replayer = Replayer(record, game)
    deal, step = 1, -1
    for number, entry in enumerate(record.entries):
        if isinstance(entry, Drawn | Acted):
            step += 1
        if isinstance(entry, Acted) and 0 <= entry.seat < record.seats:
            found += _decided(game, replayer.state, entry, number, deal, step)
        replayer.feed(entry)
        if replayer.state.deal() + 1 != deal:
            deal, step = replayer.state.deal() + 1, -1
    return found


def _decided(game: Game, state: State, entry: Acted, number: int, deal: int, step: int) -> Iterable[Decision]:
    """Split the actions of a seat into decisions, without those that had no choice."""
    try:
        actions = [game.actions.parse(text) for text in entry.actions]
    except ValueError:
        return  # the replayer raises a better error
    trial = state.clone()
    at = 0
    while at < len(actions):
        question = trial.question(entry.seat)
        end = at
        free = False
        while end < len(actions):
            free = free or len(_legal(game, trial.view(entry.seat))) > 1
            if actions[end] not in trial.legal_actions(entry.seat):
                return
            trial.apply(entry.seat, actions[end])
            end += 1
            if not _goes_on(trial, entry.seat, question):
                break
        made = tuple(actions[at:end])
        if free and not any(action in game.reserved() for action in made):
            ends = not _goes_on(trial, entry.seat, question)
            yield Decision(number, at, deal, step, entry.seat, entry.by, made, ends)
        at = end


def _goes_on(state: State, seat: int, question: int) -> bool:
    """Return whether *seat* is still at the decision identified by *question*."""
    return question != -1 and bool(state.to_act() >> seat & 1) and state.question(seat) == question


def _legal(game: Game, view: View) -> list[int]:
    reserved = game.reserved()
    return [action for action in view.legal if action not in reserved]


def whole_decision(
    bot: SearchBot, start: State, seat: int, seed: str, most: int = LONGEST, seconds: float = -1.0
) -> tuple[int, ...]:
    """Return the actions of *bot* for the decision of *seat*, at most *most*, each chosen from its view."""
    state = start.clone()
    question = state.question(seat)
    chosen: list[int] = []
    seen: list[Plain] = []
    for turn in range(most):
        view = state.view(seat)
        facts = view.facts()
        if facts in seen:  # the bot has undone its actions: omit those between the two visits
            del chosen[seen.index(facts) :]
            del seen[seen.index(facts) :]
        seen.append(facts)
        chosen.append(bot.choose_within(view, Random(f"{seed} {turn}"), seconds))
        state.apply(seat, chosen[-1])
        if not _goes_on(state, seat, question):
            break
    return tuple(chosen)


class Reviewer:
    """Reviews the decisions of one record independently: the results do not depend on order or process."""

    def __init__(self, record: Record, game: Game, simulations: int = SIMULATIONS[EXPERT]) -> None:
        if type(game).sample is Game.sample:
            raise CannotReview(f"{game.name}: this game cannot be searched, so it cannot be reviewed")
        self.record = record
        self.game = game
        self._bot = SearchBot(game, simulations)
        self._digest = sha256(write(record).encode()).hexdigest()
        self._replayer = Replayer(record, game)
        self._fed = 0

    def judge(self, decision: Decision) -> Finding:
        """Return the finding for *decision*."""
        start = self.before(decision)
        seat = decision.seat
        seed = f"{self._digest} {decision.entry} {decision.first}"
        # The whole decision, or as many actions as the player made.
        most = LONGEST if decision.ends else len(decision.actions)
        chosen = whole_decision(self._bot, start, seat, seed, most)
        if sorted(chosen) == sorted(decision.actions):
            chosen = decision.actions  # the same choice, perhaps in another order
        last = after(start, seat, chosen[:-1])
        found = self._bot.values(last.view(seat), Random(f"{seed} best"))
        best = _of(found, chosen[-1])
        before = after(start, seat, decision.actions[:-1])
        if decision.actions[:-1] == chosen[:-1]:
            played = _of(found, decision.actions[-1])
        else:
            played = _of(self._bot.values(before.view(seat), Random(f"{seed} played")), decision.actions[-1])
        # A game may count points within a decision, and only the seat's own actions are between the two.
        ahead = last.payoffs()[seat] - before.payoffs()[seat]
        difference = 0.0
        if chosen != decision.actions and best.visits and played.visits:
            difference = max(0.0, best.value + ahead - played.value)
        return Finding(
            decision,
            self._line(start, seat, decision.actions, played, 0.0),
            self._line(start, seat, chosen, best, ahead),
            difference,
            self._options(found, ahead),
            tuple(self.game.reasons(start.view(seat))),
        )

    def before(self, decision: Decision) -> State:
        """Return the position before *decision*, continuing from the last one if possible."""
        if self._fed > decision.entry:
            self._replayer = Replayer(self.record, self.game)
            self._fed = 0
        while self._fed < decision.entry:
            self._replayer.feed(self.record.entries[self._fed])
            self._fed += 1
        entry = self.record.entries[decision.entry]
        assert isinstance(entry, Acted)
        earlier = [self.game.actions.parse(text) for text in entry.actions[: decision.first]]
        return after(self._replayer.state, decision.seat, earlier)

    def _line(self, start: State, seat: int, actions: Sequence[int], last: Choice, ahead: float) -> Line:
        return Line(
            tuple(self.game.actions.name(action) for action in actions),
            tuple(first_events(start, seat, actions)),
            last.value + ahead if last.visits else None,
            last.visits,
        )

    def _options(self, found: Iterable[Choice], ahead: float) -> tuple[Option, ...]:
        tried = [
            Option(self.game.actions.name(one.action), one.value + ahead, one.visits)
            for one in found
            if one.visits
        ]
        return tuple(sorted(tried, key=lambda option: -option.value))


def first_events(start: State, seat: int, actions: Sequence[int]) -> list[Plain]:
    """Return the first event that each of the *actions* of *seat* would cause, if the seat may hear it."""
    state = start.clone()
    events: list[Plain] = []
    for action in actions:
        told: list[Event] = []
        state.events = told
        state.apply(seat, action)
        events += [event.plain() for event in told[:1] if event.heard_by(seat)]
    return events


def after(state: State, seat: int, actions: Iterable[int]) -> State:
    trial = state.clone()
    for action in actions:
        trial.apply(seat, action)
    return trial


def _of(found: Iterable[Choice], action: int) -> Choice:
    """Return the search result for *action*; None if it is not among the choices."""
    return next((one for one in found if one.action == action), Choice(action, 0, 0.0, False))
