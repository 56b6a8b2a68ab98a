"""The swap test: change something that a seat may not know, and its view must not change.

The events addressed to a seat determine what it may know, never the view under test. A match is played, and
then a twin in which one hidden thing is different:

- two items of a draw are exchanged, or one is exchanged for an item that was left in the pool (two cards
  change hands, a die shows another value); or
- another seat decides differently (it passes another card, it chooses another window).

From there on the twin follows the match as closely as its rules allow: the observer does exactly the same;
the others do the same, with the two exchanged items exchanged in their actions as well ("pass QS" for "pass
KS"). As long as the observer has heard exactly the same events, its view must be the same: its facts, the
seats to act, and its legal actions. As soon as it hears a different event, it may know that the worlds
differ, and the comparison ends.

This module does not depend on any game. A change that the observer hears of immediately proves nothing, so
the test counts the comparisons between worlds that really differed, and `check_secrets` returns their
number: a test can require that there were some.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from croupier.core.contract import CHANCE, Draw, Game, RulesError, State
from croupier.core.options import Value
from croupier.testing.walks import Step, Walk, observers, seats_of, seen, take, walk


def check_secrets(
    game: Game, options: Mapping[str, Value], seed: int, twins: int = 40, steps: int = 400
) -> int:
    """Play a match of up to *steps* steps and *twins* twins of it, each with a random observer.

    Raise Nonconformance if a view contains what no event told; return the number of comparisons of views from
    different worlds.
    """
    match = list(walk(game, options, seed, limit=steps))[-1]
    rng = Random(f"secrets {game.name} {seed}")
    draws = [at for at, (actor, items) in enumerate(match.steps) if actor == CHANCE and items]
    compared = 0
    for twin in range(twins):
        observer = rng.choice(observers(match.seats))
        # Most actions are public, so every other twin changes a draw.
        at = rng.choice(draws) if draws and twin % 2 else rng.randrange(len(match.steps))
        compared += _Twins(match, observer, at, rng).run()
    return compared


class _Twins:
    """A match and its twin, side by side, seen by one observer."""

    def __init__(self, match: Walk, observer: int, at: int, rng: Random) -> None:
        self.match = match
        self.observer = observer
        self.at = at
        self.rng = rng
        self.one = match.game.new(match.options, match.seats)
        self.other = match.game.new(match.options, match.seats)
        self.renamed: dict[str, str] = {}
        """The words of the two exchanged items, mapped to each other."""
        self.what = ""

    def run(self) -> int:
        """Play both and return the number of comparisons after they parted."""
        compared = 0
        for number, step in enumerate(self.match.steps):
            twin_step = self._first(step) if number == self.at else self._next(step, number)
            if twin_step is None:
                break
            if self._heard(self.one, step) != self._heard(self.other, twin_step):
                break
            if number >= self.at:
                self._compare(number)
                compared += 1
        return compared

    def _heard(self, state: State, step: Step) -> list[object]:
        """Apply *step* and return the events that the observer hears."""
        state.events = []
        take(state, step)
        heard: list[object] = [event.plain() for event in state.events if event.heard_by(self.observer)]
        state.events = None
        return heard

    def _compare(self, number: int) -> None:
        one = seen(self.one, self.observer)
        other = seen(self.other, self.observer)
        if one == other:
            return
        names = ("seat", "to_act", "legal", "facts")
        gaps = [
            f"{name} {_gap(mine, theirs)}"
            for name, mine, theirs in zip(names, one, other, strict=True)
            if mine != theirs
        ]
        match = self.match
        here = Walk(match.game, match.options, match.seats, match.seed, self.one, match.steps[: number + 1])
        here.demand(False, f"observer {self.observer} heard the same but sees {self.what}: {'; '.join(gaps)}")

    # The difference.

    def _first(self, step: Step) -> Step | None:
        actor, items = step
        if actor == CHANCE:
            draw = self.other.awaiting()
            return None if draw is None else self._other_draw(draw, items)
        if actor == self.observer:
            return None
        actions = [action for action in self.other.legal_actions(actor) if action != items[0]]
        if not actions:
            return None
        action = self.rng.choice(actions)
        name = self.match.game.actions.name
        self.what = f"that seat {actor} did {name(action)!r} for {name(items[0])!r}"
        return actor, [action]

    def _other_draw(self, draw: Draw, outcome: Sequence[int]) -> Step | None:
        pool = draw.pool[:]
        if not draw.replace:
            for item in outcome:
                pool.remove(item)
        places = [*range(len(outcome) + len(pool))]
        if len(places) < 2:
            return None
        whole = [*outcome, *pool]
        i = self.rng.randrange(len(outcome))
        j = self.rng.choice([place for place in places if place != i])
        if whole[i] == whole[j]:
            return None
        first, second = (self.match.game.draw_name(whole[k]) for k in (i, j))
        self.what = f"{first} and {second} exchanged in the draw"
        self.renamed = {first: second, second: first}
        if draw.replace and j >= len(outcome):
            whole[i] = whole[j]  # two dice may show the same value
        else:
            whole[i], whole[j] = whole[j], whole[i]
        return CHANCE, whole[: len(outcome)]

    # The steps after it.

    def _next(self, step: Step, number: int) -> Step | None:
        """Return the step of the twin for *step* of the match, or None if it cannot continue."""
        if number < self.at:
            return step
        actor, items = step
        draw = self.other.awaiting()
        if actor == CHANCE or draw is not None:
            return step if actor == CHANCE and self._fits(draw, items) else None
        waiting = seats_of(self.other.to_act())
        if actor == self.observer:
            return step if items[0] in self.other.legal_actions(actor) else None
        if actor not in waiting:
            # In the twin a secret question may go to another seat.
            waiting = [seat for seat in waiting if seat != self.observer]
            if not waiting:
                return None
            actor = waiting[0]
        legal = self.other.legal_actions(actor)
        for action in (self._renamed(items[0]), items[0]):
            if action in legal:
                return actor, [action]
        return actor, [self.rng.choice(legal)]

    def _fits(self, draw: Draw | None, outcome: Sequence[int]) -> bool:
        if draw is None:
            return False
        try:
            draw.check(list(outcome))
        except RulesError:
            return False
        return True

    def _renamed(self, action: int) -> int:
        words = self.match.game.actions.name(action).split(" ")
        name = " ".join(self.renamed.get(word, word) for word in words)
        return self.match.game.actions.codes.get(name, action)


def _gap(mine: object, theirs: object) -> str:
    """Return the differences between two values."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return ", ".join(
            f"{key}: {mine[key]} / {theirs.get(key)}" for key in mine if mine[key] != theirs.get(key)
        )
    return f"{mine} / {theirs}"
