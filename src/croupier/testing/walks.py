"""Random matches, step by step, for the other modules of the test kit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from croupier.core.contract import CHANCE, WATCHER, Draw, Game, State
from croupier.core.options import Option, Value, spell

Step: TypeAlias = tuple[int, list[int]]
"""``(seat, [action])`` or ``(CHANCE, outcome)``."""


class Nonconformance(AssertionError):
    """A game violates the contract; the message has the position and the rule."""


@dataclass(slots=True)
class Walk:
    """A match in progress: its configuration, its state and its steps so far."""

    game: Game
    options: Mapping[str, Value]
    seats: int
    seed: int
    state: State
    steps: list[Step] = field(default_factory=list)

    def demand(self, promise: bool, words: str) -> None:
        """Raise Nonconformance, with all data needed to reproduce it, unless *promise* holds."""
        if not promise:
            changed = {name: spell(value) for name, value in self.game.options.changed(self.options).items()}
            where = f"{self.game.name}, {self.seats} seats, options {changed}, seed {self.seed}"
            raise Nonconformance(f"{where}, step {len(self.steps)}: {words}")

    def take(self, step: Step) -> None:
        """Apply *step*."""
        take(self.state, step)
        self.steps.append(step)


def take(state: State, step: Step) -> None:
    """Apply *step* to *state*."""
    actor, items = step
    if actor == CHANCE:
        state.apply_draw(list(items))
    else:
        state.apply(actor, items[0])


def walk(game: Game, options: Mapping[str, Value], seed: int, limit: int | None = None) -> Iterator[Walk]:
    """Yield a random match before its first step and after each, always as the same object.

    If several seats may answer, they do so in random order. The loop may be left early; *limit* is the
    maximum number of steps.
    """
    rng = Random(f"{game.name} {seed}")
    seats = rng.choice(list(game.seats))
    here = Walk(game, options, seats, seed, game.new(options, seats))
    yield here
    while not here.state.over() and (limit is None or len(here.steps) < limit):
        here.take(random_step(here.state, rng))
        yield here


def random_step(state: State, rng: Random) -> Step:
    """Return a possible next step: the draw that is due, or an action of a seat."""
    draw = state.awaiting()
    if draw is not None:
        return CHANCE, random_outcome(draw, rng)
    seat = rng.choice(seats_of(state.to_act()))
    return seat, [rng.choice(state.legal_actions(seat))]


def random_outcome(draw: Draw, rng: Random) -> list[int]:
    """Return an outcome of *draw*."""
    return rng.choices(draw.pool, k=draw.take) if draw.replace else rng.sample(draw.pool, draw.take)


def seats_of(mask: int) -> list[int]:
    """Return the seats of *mask*, ascending."""
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


def observers(seats: int) -> list[int]:
    """Return all observers: the seats and the watcher."""
    return [*range(seats), WATCHER]


def seen(state: State, seat: int) -> tuple[object, ...]:
    """Return everything that *seat* can see in its view."""
    view = state.view(seat)
    return view.seat, view.to_act, view.legal, view.facts()


def fingerprint(state: State, seats: int) -> tuple[object, ...]:
    """Return everything that can be asked of *state*; equal states have equal fingerprints."""
    draw = state.awaiting()
    return (
        state.to_act(),
        state.over(),
        state.deal(),
        state.scores(),
        state.payoffs(),
        None if draw is None else (draw.pool, draw.take, draw.replace),
        [state.legal_actions(seat) for seat in range(seats)],
        [seen(state, seat) for seat in observers(seats)],
    )


def random_options(game: Game, rng: Random) -> dict[str, Value]:
    """Return random options of *game*; numbers stay near their minimum, so that matches stay short."""
    return {name: random_value(option, rng) for name, option in game.options.options.items()}


def random_value(option: Option, rng: Random) -> Value:
    """Return a random value of *option*."""
    kind = option.kind()
    if kind == "switch":
        return rng.random() < 0.5
    if kind == "number" and option.choices:
        return int(rng.choice(option.choices))
    if kind == "number":
        return rng.randint(option.low, min(option.high, option.low + 3))
    if kind == "list" and option.choices:
        return [rng.choice(option.choices) for _ in range(rng.randint(max(option.low, 1), option.low + 3))]
    return rng.choice(option.choices) if option.choices else option.default
