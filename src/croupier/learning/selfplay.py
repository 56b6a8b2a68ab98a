"""Deals that a network plays against itself, as decisions to learn from.

The network learns the decisions in which a search trusts the game's adviser (`Game.trust`): bids and calls.
The adviser makes the others, so that a deal takes about a millisecond. In a game without such decisions the
network learns all of them.

The content of a shard depends only on the weights, the seed, and the numbers of the round and the shard: it
is the same in any process, on any machine, before and after an interruption.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from croupier.core.contract import Bot, Game, State, View, first_seat, turns
from croupier.core.dice import Dice
from croupier.core.network import SEARCHED
from croupier.core.options import Value
from croupier.envs.native import look
from croupier.envs.setup import Setup
from croupier.learning.model import Batch, Bools, Floats, Ints, Model

TRACE: Final = 0.95
"""The weight of later results in an estimate, compared with the network's expectation (the λ of GAE)."""
WILD: Final = 1 / 20
"""The share of random actions while the network imitates, so that unusual positions occur, too."""


@dataclass(frozen=True, slots=True)
class Play:
    """What is played in one shard of a round."""

    game: str
    seats: int
    options: dict[str, Value]
    everything: bool
    """True if the network learns every decision."""
    matches: int
    """Matches that are played together."""
    deals: int
    """Deals in each of them."""
    guests: float
    """The share of matches in which the adviser plays one of the sides."""
    scale: float
    """The payoff that counts as 1."""

    def setup(self) -> Setup:
        return Setup.read(self.game, self.seats, "deal", dict(self.options))


class Recorder:
    """The decisions of a shard, in the order in which they were made."""

    def __init__(self) -> None:
        self.seen: list[Floats] = []
        self.masks: list[Bools] = []
        self.actions: list[Ints] = []
        self.logs: list[Floats] = []
        self.expected: list[Floats] = []
        self.values: list[float] = []
        """The expected results, as numbers of Python."""
        self.results: list[float] = []

    def add(self, seen: Floats, masks: Bools, actions: Ints, logs: Floats, expected: Floats) -> range:
        """Add some decisions, whose results follow later, and return their numbers."""
        for kept, new in zip(
            (self.seen, self.masks, self.actions, self.logs, self.expected),
            (seen, masks, actions, logs, expected),
            strict=True,
        ):
            kept.append(new)  # type: ignore[attr-defined]
        first = len(self.results)
        self.values += expected.tolist()
        self.results += [0.0] * len(actions)
        return range(first, len(self.results))

    def batch(self) -> Batch:
        """Return the decisions with more than one legal action."""
        masks = np.concatenate(self.masks)
        rows = masks.sum(axis=1) > 1
        expected = np.concatenate(self.expected)[rows]
        results = np.array(self.results, np.float32)[rows]
        gains = results - expected
        gains = (gains - gains.mean()) / (gains.std() + np.float32(1e-6))
        return Batch(
            np.concatenate(self.seen)[rows],
            masks[rows],
            np.concatenate(self.actions)[rows],
            np.concatenate(self.logs)[rows],
            gains,
            results,
        )


class Match:
    """One match: plays until the network has to decide."""

    def __init__(self, setup: Setup, deals: int, guests: set[int], dice: Dice) -> None:
        self.setup = setup
        self.deals = deals
        self.guests = guests
        """The seats of the adviser."""
        self.dice = dice
        self.state: State = setup.start()
        self.number = self.state.deal()
        self.before = self.state.payoffs()
        self.open: list[list[int]] = [[] for _ in range(setup.seats)]
        """The numbers of the decisions in this deal, by seat."""

    def over(self) -> bool:
        """Return True if the deal is over."""
        return self.state.over() or self.state.deal() != self.number

    def next_deal(self) -> bool:
        """Begin the next deal; return False if it was the last one."""
        self.deals -= 1
        if self.state.over():
            self.state = self.setup.start()
        self.number = self.state.deal()
        self.before = self.state.payoffs()
        self.open = [[] for _ in range(self.setup.seats)]
        return self.deals > 0


class Players:
    """The adviser and the network at the tables of one shard."""

    def __init__(self, play: Play, model: Model | None, seed: list[int]) -> None:
        self.play = play
        self.model = model
        """None: the adviser makes all decisions, to be imitated."""
        self.setup = play.setup()
        self.game: Game = self.setup.game
        self.adviser: Bot | None = self.game.adviser()
        self.rng = np.random.default_rng(seed)
        self.chance = Random(f"{seed}")
        self.dice = Dice(int(self.rng.integers(1 << 62)))
        self.seen = self.setup.observations(play.matches, "float32")
        self.masks = self.setup.masks(play.matches)
        self.record = Recorder()
        self.payoffs: list[float] = []
        """The payoffs of all seats in all deals."""

    def learned(self, view: View) -> bool:
        """Return whether the network learns the decision of *view*."""
        return self.adviser is None or self.play.everything or self.game.trust(view) > SEARCHED

    def run(self) -> Recorder:
        """Play all deals, and return the decisions."""
        play = self.play
        matches = [self._match(i) for i in range(play.matches)]
        while matches:
            asked: list[tuple[Match, int, int]] = []
            for match in matches:
                found = self._advance(match, len(asked))
                if found is not None:
                    asked.append((match, *found))
            if asked:
                self._decide(asked)
            matches = [match for match, _, _ in asked]
        return self.record

    def _match(self, number: int) -> Match:
        guests: set[int] = set()
        if (
            self.model is not None
            and self.adviser is not None
            and number < self.play.matches * self.play.guests
        ):
            sides = self.game.sides(self.play.seats)
            for side in self.rng.permutation(len(sides))[: max(1, len(sides) // 2)]:
                guests |= set(sides[side])
        return Match(self.setup, self.play.deals, guests, self.dice)

    def _advance(self, match: Match, row: int) -> tuple[int, int] | None:
        """Play until a decision that is learned, and write it to *row*; return its seat, and the adviser's
        action if it is to be imitated, or None after the last deal."""
        while True:
            state = match.state
            if match.over():
                self._finish(match)
                if not match.next_deal():
                    return None
                continue
            waiting = state.to_act()
            if not waiting:
                state.roll(self.dice)
                continue
            seat = int(first_seat(waiting))
            if state.choices(seat) == 1:
                state.apply(seat, int(state.choice(seat, 0)))
                continue
            if self.adviser is None:
                break
            view = state.view(seat)
            if seat in match.guests or not self.learned(view):
                state.apply(seat, self.adviser.choose(view, self.chance))
            else:
                break
        look(state, seat, self.seen.out, row, self.setup.encode)
        self.masks.out.begin(row)
        state.write_legal(seat, self.masks.out)
        self.masks.out.end()
        advised = -1
        if self.model is None:
            assert self.adviser is not None
            advised = self.adviser.choose(view, self.chance)
        return seat, advised

    def _decide(self, asked: list[tuple[Match, int, int]]) -> None:
        """Make the decisions that were written, one for each match."""
        many = len(asked)
        seen, masks = self.seen.array()[:many], self.masks.array()[:many] == 1
        if self.model is None:
            actions = np.array([advised for _, _, advised in asked])
            logs = expected = np.zeros(many, np.float32)
        else:
            actions, logs, expected = self.model.draw(seen, masks, self.rng)
        done = actions.tolist()
        for (match, seat, _), number in zip(
            asked, self.record.add(seen, masks, actions, logs, expected), strict=True
        ):
            match.open[seat].append(number)
        for i, (match, seat, _) in enumerate(asked):
            action = done[i]
            if self.model is None and self.chance.random() < WILD:
                action = self.chance.choice(np.flatnonzero(masks[i]).tolist())
            match.state.apply(seat, action)

    def _finish(self, match: Match) -> None:
        """Write the results of all decisions of the deal."""
        record = self.record
        trace = 1.0 if self.model is None else TRACE
        for seat, (after, before) in enumerate(zip(match.state.payoffs(), match.before, strict=True)):
            self.payoffs.append(after - before)
            following = (after - before) / self.play.scale
            gain = 0.0
            for number in reversed(match.open[seat]):
                expected = record.values[number]
                gain = following - expected + trace * gain
                record.results[number] = expected + gain
                following = expected


def learns_everything(game: Game, seats: int, options: dict[str, Value]) -> bool:
    """Return True if a network learns all decisions of *game*: the game has no adviser, or in some sample
    matches the adviser would make all decisions, or none of them.
    """
    adviser = game.adviser()
    if adviser is None:
        return True
    chance = Random(1)
    dice = Dice(1)
    found: set[bool] = set()
    for _ in range(4):
        state = game.new(game.options.read(options), seats)
        for seat in turns(state, dice):
            view = state.view(seat)
            found.add(game.trust(view) > SEARCHED)
            state.apply(seat, adviser.choose(view, chance))
    return len(found) == 1
