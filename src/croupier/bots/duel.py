"""Compares two bots on duplicate deals: the same draws twice, with the seats exchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from croupier.core.contract import Bot, Game, State, first_seat, sample
from croupier.core.dice import Dice

STUDENT: Final = (
    *(12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13),
    *(2.12, 2.11, 2.10, 2.09, 2.09, 2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05),
)
"""The factor of the standard error for a 95 % interval of 2, 3, … 30 values; with more it is 1.96."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with the half width of its 95 % interval."""

    value: float
    margin: float

    def __str__(self) -> str:
        return f"{self.value:+.2f} ± {self.margin:.2f}"


@dataclass(frozen=True, slots=True)
class Duel:
    """Mean scores per deal: of the first bot, of the second, and the difference."""

    deals: int
    first: Mean
    second: Mean
    difference: Mean


def duel(
    game: Game,
    first: Bot,
    second: Bot,
    deals: int,
    seed: int,
    options: Mapping[str, object] | None = None,
    seats: int | None = None,
) -> Duel:
    """Play *deals* matches twice, with each bot once in the even and once in the odd seats.

    *options* configure a match; for a single deal its score is the score of the deal. Both matches get the
    same draws while their rules ask for the same ones.
    """
    many = game.seats[-1] if seats is None else seats
    return result([duplicate(game, first, second, deal, seed, options or {}, many) for deal in range(deals)])


def duplicate(
    game: Game, first: Bot, second: Bot, deal: int, seed: int, options: Mapping[str, object], seats: int
) -> tuple[float, float]:
    """Play match number *deal* twice, with exchanged seats, and return the mean scores per deal of both
    bots."""
    values = game.options.read(options)
    mine = 0.0
    yours = 0.0
    for parity in (0, 1):
        bots = [first if seat % 2 == parity else second for seat in range(seats)]
        state = game.new(values, seats)
        play(state, bots, Dice(seed * 1_000_003 + deal), Random(f"{seed} {deal} {parity}"))
        scores = [score / state.deal() for score in state.scores()]
        mine += fmean(scores[parity::2])
        yours += fmean(scores[1 - parity :: 2])
    return mine / 2, yours / 2


def result(pairs: list[tuple[float, float]]) -> Duel:
    """Return the statistics of the scores of duplicates."""
    ours = [mine for mine, _ in pairs]
    theirs = [yours for _, yours in pairs]
    return Duel(len(pairs), mean(ours), mean(theirs), mean([mine - yours for mine, yours in pairs]))


def play(state: State, bots: list[Bot], dice: Dice, rng: Random) -> None:
    """Play *state* to its end; each seat's bot decides from its own view."""
    while not state.over():
        draw = state.awaiting()
        if draw is not None:
            state.apply_draw(sample(draw, dice))
            continue
        seat = int(first_seat(state.to_act()))
        state.apply(seat, bots[seat].choose_at(state, seat, rng))


def mean(values: list[float]) -> Mean:
    """Return the mean of *values* with its 95 % interval, which is infinite for a single value."""
    many = len(values)
    if many == 1:
        return Mean(values[0], inf)
    reach = STUDENT[many - 2] if many - 2 < len(STUDENT) else 1.96
    return Mean(fmean(values), reach * stdev(values) / sqrt(many))
