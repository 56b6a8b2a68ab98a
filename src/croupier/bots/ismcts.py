"""Information-set search: one bot for every game, using only what a seat may know.

A decision is searched in worlds: states that the seat cannot distinguish from the real one (`Game.sample`).
Every simulation plays one of them to the end of the deal, first along a tree that all worlds share, then by
the quick policy of the game. The tree branches by the events that the seat could hear: a node is an action of
a seat, with the payoffs that seat got from it. A choice is weighted by how often it was available, because
the legal actions of others depend on the world (single-observer information-set Monte Carlo tree search).
Decisions that stay hidden (`State.hidden`) are made by the policy and have no node.

Two techniques reduce the number of simulations. Beyond the seat's own decision, a node gets children only for
actions of the policy, so that visits are not spent on bad cards; and the choice of the game's adviser, a
heuristic, counts as some visits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import log, sqrt
from random import Random
from typing import ClassVar, Final

from mypy_extensions import i64

from croupier.bots.learned import Believer, LearnedBot, considered
from croupier.core.contract import Bot, Game, State, View, first_seat
from croupier.core.dice import Dice

EXPLORATION: Final = 0.5
"""The exploration weight, for values that span 1."""
WORLDS: Final = 24
"""Each of the first 24 simulations samples a new world; after that every 24th does."""
ALONE: Final = 10.0
"""The trust (`Game.trust`) at which the adviser decides without a search."""
CLOCK_EVERY: Final = 16
"""The number of simulations after which the clock is read again."""
SEAT: Final[i64] = 0x10000
"""The key of a node is its seat times this, plus the action."""


class Node:
    """One action of one seat after the actions on the path to it."""

    def __init__(self, key: i64) -> None:
        self.key: i64 = key
        self.visits: float = 0.0
        self.open: float = 0.0
        """How often it was among the choices."""
        self.total: float = 0.0
        """The sum of its seat's payoffs over all visits."""
        self.first: Node | None = None
        """Its children, ascending by key, as a linked list."""
        self.next: Node | None = None

    def child(self, key: i64) -> Node | None:
        """Return the child with *key*, or None."""
        node = self.first
        while node is not None and node.key < key:
            node = node.next
        return node if node is not None and node.key == key else None

    def grow(self, key: i64) -> Node:
        """Add a child with *key* and return it."""
        made = Node(key)
        made.open = 1.0
        last: Node | None = None
        after = self.first
        while after is not None and after.key < key:
            last = after
            after = after.next
        made.next = after
        if last is None:
            self.first = made
        else:
            last.next = made
        return made


class Choice:
    """The result of a search for one legal action."""

    def __init__(self, action: int, visits: int, value: float, advised: bool) -> None:
        self.action = action
        self.visits = visits
        self.value = value
        """The expected payoff of the deal for the seat from here on, in points of the game; 0 without
        visits."""
        self.advised = advised
        """True if the game's adviser would choose it."""


class Tree:
    """The search tree for one decision of *seat*."""

    def __init__(self, seat: i64, barred: list[int]) -> None:
        self.seat: i64 = seat
        self.root = Node(-1)
        self.barred = barred
        """Legal actions that must not be chosen now."""
        self.low: float = 0.0
        self.high: float = 0.0
        """The lowest and highest payoff so far, used to scale the values."""
        self.path: list[Node] = []

    def simulate(self, state: State, before: list[float], dice: Dice) -> None:
        """Play *state* to the end of its deal and record the payoffs, minus those *before*."""
        deal = state.deal()
        self.path = []
        node = self.root
        while True:
            seat = self.turn(state, deal, dice)
            if seat < 0:
                break
            if seat != self.seat and state.hidden(seat):
                state.apply(int(seat), int(state.policy(seat, dice)))
                continue
            node = self.descend(node, state, seat, dice)
            self.path.append(node)
            state.apply(int(seat), int(node.key % SEAT))
            if node.visits == 0.0:
                break
        state.play_on(dice)
        while True:
            seat = self.turn(state, deal, dice)
            if seat < 0:
                break
            state.apply(int(seat), int(state.policy(seat, dice)))
        self.note(before, state.payoffs())

    def turn(self, state: State, deal: int, dice: Dice) -> i64:
        """Make all draws that are due, and return the seat to act, or -1 when the deal is over."""
        while True:
            waiting: i64 = state.to_act()
            if waiting != 0:
                return self.seat if waiting >> self.seat & 1 else first_seat(waiting)
            if state.over() or state.deal() != deal:
                return -1
            state.roll(dice)

    def descend(self, node: Node, state: State, seat: i64, dice: Dice) -> Node:
        """Return the next action to try for *seat*: an untried one if there is one, else the most
        promising."""
        if node is not self.root:
            key = seat * SEAT + state.policy(seat, dice)
            if node.child(key) is None:
                return node.grow(key)
        many = state.choices(seat)
        at = node.first
        best: Node | None = None
        most: float = -1e300
        fresh: i64 = 0
        fresh_key: i64 = -1
        scale: float = EXPLORATION * (self.high - self.low)
        k: i64 = 0
        while k < many:
            key = seat * SEAT + state.choice(seat, k)
            k += 1
            while at is not None and at.key < key:
                at = at.next
            if at is None or at.key != key:
                if node is self.root and not (self.barred and int(key % SEAT) in self.barred):
                    fresh += 1
                    if dice.below(fresh) == 0:
                        fresh_key = key
                continue
            at.open += 1.0
            worth: float = at.total / at.visits + scale * sqrt(log(at.open) / at.visits)
            if worth > most:
                most = worth
                best = at
        if fresh_key >= 0:
            return node.grow(fresh_key)
        assert best is not None, "a seat to act has no legal action"
        return best

    def note(self, before: list[float], after: list[float]) -> None:
        """Add the payoffs of a simulation to every choice on its path."""
        gains: list[float] = []
        for seat in range(len(after)):
            gain = after[seat] - before[seat]
            gains.append(gain)
            if gain < self.low:
                self.low = gain
            if gain > self.high:
                self.high = gain
        for node in self.path:
            node.visits += 1.0
            node.total += gains[int(node.key // SEAT)]


class SearchBot(Bot):
    """Makes every decision by a new search of *simulations* simulations.

    If a network has *learned* only the decisions that a search knows little about, it makes them alone. A
    network that has learned all decisions is the adviser of the search instead. With a *believer*, worlds are
    weighted by how likely each seat is to hold each card. Time is read from *clock*: in a comparison on a
    busy machine only processor time is fair.
    """

    searches: ClassVar[bool] = True

    def __init__(
        self,
        game: Game,
        simulations: int,
        learned: LearnedBot | None = None,
        believer: Believer | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.game = game
        self.simulations = simulations
        self.learned = learned
        self.believer = believer
        self.clock = clock
        self.adviser: Bot | None = game.adviser()
        if learned is not None and learned.network.everything:
            self.adviser = learned

    def choose(self, view: View, rng: Random) -> int:
        """Return the action with the most simulations."""
        return self.choose_within(view, rng, -1.0)

    def choose_within(
        self, view: View, rng: Random, seconds: float, stop: Callable[[], bool] | None = None
    ) -> int:
        """Choose after at most *seconds* (negative: no limit), or when *stop* returns True."""
        legal = considered(self.game, view)
        if len(legal) == 1:
            return legal[0]
        learned = self.learned
        if learned is not None and not learned.network.everything and learned.knows(view):
            return learned.choose(view, rng)
        trust = self.game.trust(view)
        if self.adviser is not None and trust >= ALONE:
            return self.adviser.choose(view, rng)
        found = self.values(view, rng, seconds, stop)
        visits = 0
        for one in found:
            visits += one.visits
        credit = trust * sqrt(visits)
        best = found[0]
        most = -1.0
        for one in found:
            worth = one.visits + credit if one.advised else float(one.visits)
            if worth > most or (worth == most and one.value > best.value):
                most = worth
                best = one
        return best.action

    def values(
        self, view: View, rng: Random, seconds: float = -1.0, stop: Callable[[], bool] | None = None
    ) -> list[Choice]:
        """Return the results of a search for every legal action, ascending by action."""
        legal = considered(self.game, view)
        tree = Tree(view.seat, [action for action in view.legal if action not in legal])
        dice = Dice(rng.getrandbits(62))
        until = self.clock() + seconds if seconds >= 0.0 else 0.0
        odds = self.believer.odds(view) if self.believer is not None else None
        worlds: list[State] = []
        before: list[list[float]] = []
        """The payoffs so far in each world."""
        done = 0
        while done < self.simulations:
            if done < WORLDS or done % WORLDS == 0:
                world = self.game.sample(view, rng) if odds is None else self.game.sample_by(view, rng, odds)
                worlds.append(world)
                before.append(world.payoffs())
            number = done % len(worlds)
            tree.simulate(worlds[number].clone(), before[number], dice)
            done += 1
            if done % CLOCK_EVERY == 0:
                if stop is not None and stop():
                    break
                if seconds >= 0.0 and self.clock() >= until:
                    break
        advised = self.adviser.choose(view, rng) if self.adviser is not None else -1
        found: list[Choice] = []
        for action in legal:
            node = tree.root.child(view.seat * SEAT + action)
            if node is None or node.visits == 0.0:
                found.append(Choice(action, 0, 0.0, action == advised))
            else:
                found.append(Choice(action, int(node.visits), node.total / node.visits, action == advised))
        return found
